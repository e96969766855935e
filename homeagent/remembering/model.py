"""A model of its own for looking turns through, cheaper than the one that answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from homeagent.brains.llm.client import Completion, LitellmClient, LlmModel
from homeagent.brains.llm.resilience import wrapped
from indexer.process import ChildProcess

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

    async def ask(self, messages: Sequence[Mapping[str, Any]]) -> Completion:
        """The model's answer. Raises `LlmError`."""
        return await self._client.ask(messages)
