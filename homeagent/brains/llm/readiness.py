"""Gets a model ready before its first sentence: how much it takes, and what is slow only once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from homeagent.brains.llm.client import LitellmClient
from homeagent.brains.llm.ollama_server import OllamaServer
from homeagent.brains.llm.profile import DEFAULT_WINDOW, OLLAMA, Profile, Window, too_small, window_of
from homeagent.errors import LlmError


class Readiness:
    """Of one model: its window, and what is wrong with it."""

    def __init__(self, profile: Profile, client: LitellmClient) -> None:
        self.profile = profile
        self._client = client
        self._needed = 0
        self.window = Window(profile.window or DEFAULT_WINDOW)
        self._most: int | None = None
        model = profile.model
        self._ollama = (
            OllamaServer(model.base_url, model.served_as.removeprefix(OLLAMA), model.api_key)
            if profile.of_ollama
            else None
        )

    @property
    def problem(self) -> str:
        """What is wrong with the window, by the name of the setting; empty: nothing."""
        return self.window.problem or too_small(self.profile, self.window, self._needed)

    async def find_out(self, needed: int) -> None:
        """Find the window. ``needed``: tokens of the largest request, answer included. Raises `LlmError`."""
        self._needed = needed
        if self._ollama is None:
            self.window = window_of(self.profile, None if self.profile.window else await self._client.window())
        else:
            self._most = await self._ollama.most()
            self.window = window_of(self.profile, self._most)
            self._client.num_ctx = self.window.tokens

    async def warm(self, front: Mapping[str, Any], tools: Sequence[Mapping[str, Any]]) -> None:
        """Load what the first request would wait for. Takes no token unless ``warm_up`` is set; then one, of a request
        with the fixed part of the prompt. Fails in silence: the first sentence tells what is wrong."""
        with suppress(LlmError):
            await self._client.warm()
        if self._ollama is not None and await self._ollama.load(self.window.tokens):
            served = await self._ollama.served()
            if served:
                self._most = self._most or await self._ollama.most()  # the server may have been down before
                self.window = window_of(self.profile, self._most, served)
        if self.profile.warm_up:
            with suppress(LlmError):
                await self._client.fill_cache([front], tools)
