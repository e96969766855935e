"""Whether what memory would keep tells a secret: the one question that each way into memory asks."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from indexer.errors import IndexerError
from memory.errors import InvalidMemory
from memory.memory_vectors import Embed
from memory.secret_model import SecretModel, forms_of, masked, packaged_model
from memory.secrets import Keeps, holds_a_secret, language_of, pays, whole_of

_PATIENCE = 1.0
"""Seconds that a batch waits for its vectors."""
_BATCH = 64
_SURE = 0.02
"""Below this, without meaning, a text is harmless, and no vector is asked for: so an import is as quick as it was."""
_TOLD = 0.6
"""From here on a text tells a secret. Rather a harmless one too many refused than a secret kept."""
_TOLD_ALONE = 0.48
"""The same where there is no meaning, which tells less: at less, doses and phone numbers would be refused."""


class SecretReader:
    """``embed`` and ``fingerprint`` as for `memory.store.Memories`. With another encoder than the packaged one, and
    while it loads, words, form and letters decide alone."""

    def __init__(self, embed: Embed, fingerprint: Callable[[], str | None]) -> None:
        self._embed = embed
        self._fingerprint = fingerprint

    def warm(self, language: str | None) -> None:
        """Load what texts of a language are read by, so that the first one does not wait for it. Blocks."""
        _read_each([("0", language)])

    async def check(self, kept: Keeps, language: str | None) -> None:
        """Raises InvalidMemory where it tells a secret."""
        if await self.is_in(kept, language):
            raise InvalidMemory("content", "codes are never kept.", hint="They are asked for when they are needed.")

    async def is_in(self, kept: Keeps, language: str | None) -> bool:
        """Whether what would be kept tells a secret."""
        [told] = await self.tell([(whole_of(kept), language)])
        return told

    async def tell(self, texts: Sequence[tuple[str, str | None]]) -> list[bool]:
        """For each text and its language (None: not known), whether it tells a secret. Never raises."""
        told: list[bool] = []
        for start in range(0, len(texts), _BATCH):
            told += await self._batch(texts[start : start + _BATCH])
        return told

    async def _batch(self, texts: Sequence[tuple[str, str | None]]) -> list[bool]:
        model, read, alone = await asyncio.to_thread(_read_each, texts)
        open_ = [i for i, (known, _) in enumerate(read) if not known and alone[i] >= _SURE]
        vectors = await self._vectors(model, [masked(texts[i][0]) for i in open_])
        if vectors is None:
            return [known or share >= _TOLD_ALONE for (known, _), share in zip(read, alone, strict=True)]
        told = [known for known, _ in read]
        for i, vector in zip(open_, vectors, strict=True):
            told[i] = model.share(texts[i][0], read[i][1], vector) >= _TOLD
        return told

    async def _vectors(self, model: SecretModel, texts: Sequence[str]) -> NDArray[np.float32] | None:
        if not (self._fingerprint() or "").startswith(model.encoder):
            return None
        if not texts:
            return np.zeros((0, len(model.together.meaning)), np.float32)
        try:
            async with asyncio.timeout(_PATIENCE):
                return await self._embed(texts)
        except (IndexerError, TimeoutError):
            return None


def _read_each(
    texts: Sequence[tuple[str, str | None]],
) -> tuple[SecretModel, list[tuple[bool, NDArray[np.float32]]], list[float]]:
    model = packaged_model()
    read = [_read(text, language) for text, language in texts]
    return model, read, [model.share(text, forms) for (text, _), (_, forms) in zip(texts, read, strict=True)]


def _read(text: str, language: str | None) -> tuple[bool, NDArray[np.float32]]:
    known = holds_a_secret(text, language)
    return known, forms_of(text, language_of(text, language), known, pays(text))
