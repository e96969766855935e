"""Gets a model ready before its first sentence: how much it takes, and what is slow only once."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

import httpx

from homeagent.brains.llm.client import LitellmClient
from homeagent.brains.llm.profile import DEFAULT_WINDOW, OLLAMA, Profile, Window, too_small, window_of
from homeagent.errors import LlmError

OLLAMAS_ADDRESS = "OLLAMA_API_BASE"
"""The environment variable that holds the server's address where no setting does."""
_ADDRESS = "http://localhost:11434"
_PATIENCE = 5.0
_LOADING = 300.0
"""Seconds that a large model may take to be read from a disk."""


class OllamaServer:
    """Asked at the start and by `homeagent doctor`. Each method gives None where the server does not tell."""

    def __init__(self, base_url: str | None, model: str, key: str | None = None) -> None:
        """``model``: as Ollama names it."""
        self._url = (base_url or os.environ.get(OLLAMAS_ADDRESS) or _ADDRESS).rstrip("/")
        self._model = model
        self._verify = self._url.startswith("https:")  # http needs no authorities: reading the system's takes 30 ms
        self._headers = {"Authorization": f"Bearer {key}"} if key else {}

    async def most(self) -> int | None:
        """Tokens that the model takes at most (`/api/show`)."""
        shown = await self._ask("POST", "/api/show", {"model": self._model})
        info = shown.get("model_info") if isinstance(shown, dict) else None
        lengths = [v for k, v in info.items() if k.endswith(".context_length")] if isinstance(info, dict) else []
        return next((length for length in lengths if isinstance(length, int)), None)

    async def served(self) -> int | None:
        """The window with which the model is loaded now (`/api/ps`)."""
        running = await self._ask("GET", "/api/ps")
        models = running.get("models") if isinstance(running, dict) else None
        for model in models if isinstance(models, list) else ():
            if self._same(str(model.get("model") or model.get("name"))):
                length = model.get("context_length")
                return length if isinstance(length, int) and length > 0 else None
        return None

    async def load(self, num_ctx: int) -> bool:
        """Have the model loaded with this window; takes no token. Whether the server did."""
        wanted = {"model": self._model, "options": {"num_ctx": num_ctx}, "stream": False}
        return await self._ask("POST", "/api/generate", wanted, _LOADING) is not None

    def _same(self, name: str) -> bool:
        return name.removesuffix(":latest") == self._model.removesuffix(":latest")

    async def _ask(self, method: str, path: str, body: object = None, timeout: float = _PATIENCE) -> Any:
        try:
            async with httpx.AsyncClient(timeout=timeout, headers=self._headers, verify=self._verify) as client:
                answer = await client.request(method, self._url + path, json=body)
            return answer.json() if answer.is_success else None
        except (httpx.HTTPError, ValueError):
            return None


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
