"""web_search: look something up on the web."""

from __future__ import annotations

import asyncio
import re
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

from homeagent.errors import Refused
from homeagent.policy.audit import AuditLog
from homeagent.policy.verdicts import Consequence, Effect
from homeagent.prompting.outside import asks_first, defused, from_outside
from homeagent.tools.toolbox import OUTSIDE_READ, Tool
from homeagent.turn import Turn
from homeagent.web.personal import Sanitizer
from homeagent.web.searching import TIMEOUT, Search, Searches
from indexer.normalise import unaccented

_WORD = re.compile(r"[^\W_]+")
_SPARE = 5


def _unoffered(schema: dict[str, Any]) -> None:
    """What is taken, and no model needs to know of."""
    schema["properties"].pop("livecrawl")


class _WebSearchParams(BaseModel):
    model_config = ConfigDict(extra="forbid", json_schema_extra=lambda schema: _unoffered(schema))

    query: str = Field(min_length=1, max_length=500)
    num_results: int = 8
    type: Literal["auto", "fast", "deep"] = "auto"
    livecrawl: Literal["fallback", "preferred"] = "fallback"
    context_max_chars: int = 10_000

    @field_validator("num_results")
    @classmethod
    def _some(cls, value: int) -> int:
        return min(max(value, 1), 20)

    @field_validator("context_max_chars")
    @classmethod
    def _not_all(cls, value: int) -> int:
        """Bounds in the schema would cost tokens in each prompt."""
        return min(max(value, 500), 20_000)


class WebSearch(Tool):
    """Takes what is personal out of the question, notes what is sent, searches, and defuses what comes back."""

    name = "web_search"
    description = (
        "Search the web. Ask generally: no names, addresses, entity ids, schedules or other personal data in the query."
    )
    in_dry_run = False
    timeout = TIMEOUT + _SPARE
    Params = _WebSearchParams

    def __init__(self, provider: Searches, sanitizer: Sanitizer, audit: AuditLog) -> None:
        self._provider = provider
        self._sanitizer = sanitizer
        self._audit = audit

    def asks(self, params: _WebSearchParams, turn: Turn) -> str | None:
        """Where others may have put words into it: those that the person did not say."""
        said = set(map(unaccented, _WORD.findall(turn.text)))
        others = set(map(unaccented, _WORD.findall(params.query))) - said
        return OUTSIDE_READ if others and asks_first(turn) else None

    def told(self, params: _WebSearchParams) -> Consequence:
        """What would be sent."""
        return Consequence(Effect.LETS_OUT, "use", self.name, content=self._sanitizer.sanitize(params.query).text)

    async def run(self, params: _WebSearchParams, turn: Turn) -> dict[str, Any]:
        """Raises Refused where too much of it is personal, WebError."""
        asked = await asyncio.to_thread(self._sanitizer.sanitize, params.query, turn.language)
        await self._audit.note_search(turn, asked.text, asked.removed, blocked=asked.blocked)
        if asked.blocked:
            raise Refused(
                f"Nothing was searched: too much of that is personal ({', '.join(asked.kinds)}).",
                hint="Ask generally, without names, places, numbers and times of anybody.",
            )
        given = params.model_dump(exclude={"query"})
        found = await self._provider.search(Search(asked.text, **given))
        left_out = {"left_out_of_query": list(asked.kinds)} if asked.removed else {}
        results = await asyncio.to_thread(defused, found, params.context_max_chars)
        return {**left_out, **from_outside("web search", {"query": asked.text, "results": results})}
