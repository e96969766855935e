"""A small embedder that needs no model: character pieces hashed into a vector. The same text gives the same vector."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Sequence

import numpy as np

from indexer.embed import Vectors, normalised
from indexer.words import grams, words

DIMENSION = 64


class HashEmbedder:
    """``model`` "slow:<seconds>" waits that long for each text; "broken" cannot be loaded."""

    def __init__(self, model: str, threads: int) -> None:
        self._model = model
        self.fingerprint = f"hash-{model.replace(':', '-')}"

    def load(self) -> int:
        if self._model == "broken":
            from indexer.errors import EmbedderUnavailable

            raise EmbedderUnavailable("the model is broken", hint="take another")
        return DIMENSION

    def embed(self, texts: Sequence[str]) -> Vectors:
        if self._model.startswith("slow:"):
            time.sleep(float(self._model.removeprefix("slow:")) * len(texts))
        return normalised(np.stack([vector_of(text) for text in texts]))


def vector_of(text: str) -> Vectors:
    vector = np.zeros(DIMENSION, np.float32)
    for piece in grams(words(text)):
        digest = hashlib.sha256(piece.encode()).digest()
        vector[digest[0] % DIMENSION] += 1 if digest[1] % 2 else -1
    return vector
