"""Models beside the one that answers: one that the assistant may ask through a tool, which sees nothing of the home,
and one that looks finished turns through."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from homeagent.brains.llm.client import Completion, LitellmClient, LlmModel
from homeagent.brains.llm.resilience import wrapped
from homeagent.errors import LlmError
from indexer.process import ChildProcess


class ExternalModel:
    """Asked with one text at a time. litellm's process is started at the first question, or shared where given."""

    def __init__(self, model: LlmModel, *, attempts: int, deadline: float, child: ChildProcess | None = None) -> None:
        """``deadline``: seconds for one answer with all its tries."""
        self._bottom = LitellmClient(model, child)
        self._client = wrapped(
            self._bottom, attempts=attempts, deadline=deadline, per_minute=None, stream=False, on_broken=lambda _: None
        )

    async def complete(self, prompt: str) -> str:
        """The model's answer to this text alone. Raises `LlmError`."""
        text = (await self._client.ask([{"role": "user", "content": prompt}])).text.strip()
        if not text:
            raise LlmError("The other language model gave no answer.")
        return text

    async def stop(self) -> None:
        """End its child process."""
        await self._bottom.stop()


_PATIENCE = 120.0
"""Seconds for one answer with all its tries: nobody waits for it."""


class MemoryModel:
    """Asks the model of ``memory.model``, with retries, in a process that others may share."""

    def __init__(self, model: LlmModel, attempts: int, child: ChildProcess) -> None:
        self._client = wrapped(
            LitellmClient(model, child),
            attempts=attempts,
            deadline=_PATIENCE,
            per_minute=None,
            stream=False,
            on_broken=lambda _: None,
        )

    async def ask(self, messages: Sequence[Mapping[str, object]]) -> Completion:
        """The model's answer. Raises `LlmError`."""
        return await self._client.ask(messages)
