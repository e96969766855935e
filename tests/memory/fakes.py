"""An embedder and a vector store that stand behind the real seams: small, stateful, and able to be down."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from indexer.errors import EmbedderUnavailable, StoreUnavailable
from memory.purposes import Guess, Purpose, Purposes

SIZE = 256
SYNONYMS = {"sofa": "couch", "warm": "temperature", "degrees": "temperature", "rubbish": "bins"}
"""What this embedder knows beyond spelling: words that mean about the same."""


class HashEmbedder:
    """Texts as bags of hashed words; synonyms fall together. ``down`` makes it fail as the real one does."""

    def __init__(self, fingerprint: str = "hash-1") -> None:
        self.fingerprint = fingerprint
        self.down = False
        self.texts: list[str] = []

    async def __call__(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if self.down:
            raise EmbedderUnavailable("The embedder is down.")
        self.texts += texts
        return np.stack([self._vector(text) for text in texts])

    def _vector(self, text: str) -> NDArray[np.float32]:
        vector = np.zeros(SIZE, dtype=np.float32)
        for word in re.findall(r"\w+", text.lower()):
            known = self.fingerprint + SYNONYMS.get(word, word)
            place = hashlib.sha256(known.encode()).digest()
            vector[place[0]] += 1.0
            vector[place[1]] += 0.5
        return vector / (np.linalg.norm(vector) or 1.0)


class DictStore:
    """Collections in a dict. ``queried`` records which were asked."""

    def __init__(self) -> None:
        self.collections: dict[str, dict[str, NDArray[np.float32]]] = {}
        self.documents: list[str] = []
        self.queried: list[str] = []
        self.down = False

    def _open(self, collection: str) -> dict[str, NDArray[np.float32]]:
        if self.down:
            raise StoreUnavailable("The store is down.")
        return self.collections.setdefault(collection, {})

    async def upsert(
        self,
        collection: str,
        ids: Sequence[str],
        vectors: NDArray[np.float32],
        metadatas: Sequence[Mapping[str, Any]],
        documents: Sequence[str],
    ) -> None:
        assert len(set(ids)) == len(ids) == len(vectors) == len(metadatas) > 0
        self._open(collection).update(zip(ids, vectors, strict=True))
        self.documents += documents

    async def delete(self, collection: str, ids: Sequence[str]) -> None:
        assert ids
        for key in ids:
            self._open(collection).pop(key, None)

    async def names(self, prefix: str) -> list[str]:
        self._open("another-room")
        return [name for name in self.collections if name.startswith(prefix)]

    async def ids(self, collection: str) -> list[str]:
        return list(self._open(collection))

    async def query(self, collection: str, vector: NDArray[np.float32], k: int) -> list[tuple[str, float]]:
        self.queried.append(collection)
        near = [(key, float(kept @ vector)) for key, kept in self._open(collection).items()]
        return sorted(near, key=lambda pair: -pair[1])[:k]

    @property
    def ids_anywhere(self) -> set[str]:
        return {key for kept in self.collections.values() for key in kept}


def meant_as(purpose: Purpose, *words: str) -> Guess:
    """What reads each sentence with one of ``words`` in it, or each one where there are none, as meant so."""

    async def guess(sentences: Sequence[str]) -> Purposes:
        return {one: purpose for one in sentences if not words or any(word in one for word in words)}

    return guess


TOLD = Purpose(tell=0.9)
"""What somebody tells."""
