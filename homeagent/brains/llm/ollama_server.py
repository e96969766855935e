"""What an Ollama server tells of a model, and how it is made to load one."""

from __future__ import annotations

import os
from typing import Any

import httpx

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
