"""query_external_llm: ask another model. It gets the prompt and the context of the call, never the conversation."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from homeagent.privacy.redact import mask_text, scrubbed
from homeagent.prompting.outside import asks_first, from_outside
from homeagent.tools.toolbox import OUTSIDE_READ, Tool
from homeagent.turn import Turn

Complete = Callable[[str], Awaitable[str]]
"""A prompt in, the model's text out. Raises LlmError."""

_LONGEST = 20_000


class _QueryExternalLlmParams(BaseModel):
    model_config = ConfigDict(extra="forbid")

    prompt: str = Field(min_length=1, max_length=_LONGEST, description="All that the other model must know to answer")
    context: str | None = Field(default=None, max_length=_LONGEST, description="Data that the prompt is about")


class QueryExternalLlm(Tool):
    """Sends prompt and context to another model, after taking out secrets and codes, and returns its answer."""

    name = "query_external_llm"
    description = (
        "Ask a stronger model a question that needs long thought or knowledge beyond the home. It sees only prompt and "
        "context, not this conversation: leave out names and other personal data that it does not need."
    )
    in_dry_run = False
    Params = _QueryExternalLlmParams

    def __init__(self, complete: Complete, *, timeout: float | None = None) -> None:
        self._complete = complete
        self.timeout = timeout

    def asks(self, params: _QueryExternalLlmParams, turn: Turn) -> str | None:
        """Where others may have put the words into the model's mouth."""
        return OUTSIDE_READ if asks_first(turn) else None

    async def run(self, params: _QueryExternalLlmParams, turn: Turn) -> Any:
        """Raises LlmError. Tokens, keys and codes that were said in this turn stay in the house."""
        context = f"\n\nContext:\n{params.context}" if params.context else ""
        said = {form for code in turn.said_codes for form in (code.text, code.code)}
        answer = await self._complete(scrubbed(mask_text(params.prompt + context), said))
        return from_outside("another model", {"answer": answer})
