"""A linear classifier over sentence vectors: what a sentence is for, as a probability for each intent.

Multinomial logistic regression over the vectors of the packaged encoder, which is multilingual: what was learned in one
language holds in the others. The weights come from `data/intents`, by `make intents`; they mean something only for
the vectors of the encoder they were fitted on.
"""

from __future__ import annotations

import importlib.resources
import io
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from homeagent.intents.intent import Intent

WEIGHTS = "weights.npz"


@dataclass(frozen=True, slots=True)
class Guess:
    """How likely each intent is; the shares add up to 1."""

    shares: Mapping[Intent, float]

    @property
    def likeliest(self) -> Intent:
        """The intent with the largest share."""
        return max(self.shares, key=lambda intent: self.shares[intent])

    def share_of(self, intents: Iterable[Intent]) -> float:
        """How likely it is any of these, 0 to 1."""
        return sum(self.shares[intent] for intent in intents)


@dataclass(frozen=True, slots=True)
class Classifier:
    """``weights`` (intents, d), ``bias`` (intents,). ``encoder``: the fingerprint of what made the vectors;
    ``sentences``: the hash of what they were fitted to."""

    intents: tuple[Intent, ...]
    weights: NDArray[np.float32]
    bias: NDArray[np.float32]
    encoder: str
    sentences: str

    def guess(self, vector: NDArray[np.float32]) -> Guess:
        """What a sentence is for, by its vector (d,) of length 1."""
        scores = self.weights @ vector + self.bias
        shares = np.exp(scores - scores.max())
        shares /= shares.sum()
        return Guess({intent: float(share) for intent, share in zip(self.intents, shares, strict=True)})


@lru_cache(maxsize=1)
def packaged_classifier() -> Classifier:
    """The classifier that comes with the product. Reads a file (80 kB)."""
    content = importlib.resources.files("homeagent.intents").joinpath(WEIGHTS).read_bytes()
    with np.load(io.BytesIO(content), allow_pickle=False) as kept:
        return Classifier(
            tuple(Intent(str(name)) for name in kept["intents"]),
            kept["weights"].astype(np.float32),
            kept["bias"].astype(np.float32),
            str(kept["encoder"]),
            str(kept["sentences"]),
        )
