"""Embedding by an OpenAI-compatible service (llama.cpp, Ollama, vLLM, OpenAI …)."""

from __future__ import annotations

import asyncio
import hashlib
import re
from collections.abc import Sequence

import httpx
import numpy as np

from indexer.embed import Vectors, vectors_from_answer
from indexer.embedding_models import EmbedEndpoint
from indexer.errors import EmbedderUnavailable

_BATCH = 64


class EndpointEmbedder:
    """Asks ``POST <url>/embeddings``."""

    def __init__(self, endpoint: EmbedEndpoint, transport: httpx.AsyncBaseTransport | None = None) -> None:
        self._endpoint = endpoint
        headers = {"Authorization": f"Bearer {endpoint.api_key}"} if endpoint.api_key else {}
        self._client = httpx.AsyncClient(
            base_url=endpoint.url.rstrip("/") + "/",
            headers=headers,
            timeout=endpoint.timeout,
            transport=transport,
            verify=endpoint.url.startswith("https:"),  # http needs no authorities, and reading the system's takes 30 ms
        )

    async def find_fingerprint(self) -> str:
        """Model, address and dimension, found by asking for one vector. Raises `EmbedderUnavailable`."""
        dimension = (await self.embed(["ready"])).shape[1]
        name = re.sub(r"[^a-z0-9]+", "-", self._endpoint.model.lower()).strip("-") or "model"
        place = hashlib.sha256(f"{self._endpoint.url}\n{self._endpoint.model}".encode()).hexdigest()
        return f"{name[:60]}-{place[:12]}-{dimension}"

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """(n, d) float32, rows of length 1. Raises `EmbedderUnavailable`."""
        if not texts:
            return np.zeros((0, 0), np.float32)
        parts = [await self._ask(texts[i : i + _BATCH]) for i in range(0, len(texts), _BATCH)]
        return np.concatenate(parts)

    async def close(self) -> None:
        """Close the connections to the service."""
        await self._client.aclose()

    async def _ask(self, texts: Sequence[str]) -> Vectors:
        try:
            answer = await self._client.post("embeddings", json={"model": self._endpoint.model, "input": list(texts)})
            answer.raise_for_status()
        except httpx.HTTPStatusError as error:
            said = error.response.text[:200]
            raise EmbedderUnavailable(
                f"The embedding endpoint answered {error.response.status_code}: {said}",
                hint="Check `index.endpoint`, `index.endpoint_key` and `index.model`.",
            ) from error
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise EmbedderUnavailable(
                f"The embedding endpoint {self._endpoint.url} cannot be reached: {error or type(error).__name__}",
                hint="Check that it runs and that `index.endpoint` is right.",
            ) from error
        vectors = await asyncio.to_thread(vectors_from_answer, answer.content)
        if len(vectors) != len(texts):
            raise EmbedderUnavailable(f"The embedding endpoint sent {len(vectors)} vectors for {len(texts)} texts.")
        return vectors
