"""Models beside the one that answers: one that the assistant may ask through a tool, which sees nothing of the home,
and one that looks finished turns through."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from homeagent.brains.llm.client import Completion, LitellmClient, LlmClient
from homeagent.brains.llm.profile import Profile
from homeagent.brains.llm.resilience import Deadline, guarded
from homeagent.errors import LlmError
from indexer.process import ChildProcess


class ExternalModel:
    """Asked with one text at a time. litellm's process is started at the first question, or shared where given."""

    def __init__(self, profile: Profile, child: ChildProcess | None = None) -> None:
        self.profile = profile
        self._bottom = LitellmClient(profile.model, child)
        self._client = _whole(profile, self._bottom, profile.model.timeout)

    async def complete(self, prompt: str) -> str:
        """The model's answer to this text alone. Raises `LlmError`."""
        text = (await self.ask([{"role": "user", "content": prompt}])).text.strip()
        if not text:
            raise LlmError("The other language model gave no answer.")
        return text

    async def ask(self, messages: Sequence[Mapping[str, object]]) -> Completion:
        """The model's answer. Raises `LlmError`."""
        return await self._client.ask(messages)

    async def stop(self) -> None:
        """End its child process."""
        await self._bottom.stop()


_PATIENCE = 120.0
"""Seconds for one answer with all its tries: nobody waits for it."""


class MemoryModel:
    """Asks the model that is set for memories, with retries, in a process that others may share."""

    def __init__(self, profile: Profile, child: ChildProcess) -> None:
        self.profile = profile
        self._client = _whole(profile, LitellmClient(profile.model, child), _PATIENCE)

    async def ask(self, messages: Sequence[Mapping[str, object]]) -> Completion:
        """The model's answer. Raises `LlmError`."""
        return await self._client.ask(messages)


def _whole(profile: Profile, bottom: LitellmClient, deadline: float) -> LlmClient:
    client = guarded(
        bottom,
        attempts=profile.attempts,
        per_minute=profile.requests_per_minute,
        per_day=profile.tokens_per_day,
        section=profile.model.section,
        stream=False,
    )
    return Deadline(client, deadline)
