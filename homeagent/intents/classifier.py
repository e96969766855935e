"""Linear classifiers: what a sentence is for, as a probability for each intent, and what is done with it at all.

Multinomial logistic regression over the vectors of the packaged encoder, which is multilingual: what was learned in one
language holds in the others. What a sentence is about outweighs there whether it is told, asked or ordered; so the kind
of a sentence is read by its words, too (`sentence_words`). The weights come from `data/intents`, by `make intents`, and
mean something only for the vectors of the encoder they were fitted on.
"""

from __future__ import annotations

import importlib.resources
import io
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from homeagent.intents.intent import Intent, SentenceKind
from homeagent.intents.sentence_words import buckets_of

WEIGHTS = "weights.npz"


@dataclass(frozen=True, slots=True)
class Guess:
    """How likely each intent is, and each kind of sentence; the shares of either add up to 1."""

    shares: Mapping[Intent, float]
    kinds: Mapping[SentenceKind, float] = field(default_factory=dict)

    @property
    def likeliest(self) -> Intent:
        """The intent with the largest share."""
        return max(self.shares, key=lambda intent: self.shares[intent])

    def share_of(self, intents: Iterable[Intent]) -> float:
        """How likely it is any of these, 0 to 1."""
        return sum(self.shares[intent] for intent in intents)


@dataclass(frozen=True, slots=True)
class Classifier:
    """``weights`` (intents, d), ``bias`` (intents,); for the kinds of sentences ``kind_weights`` (kinds, d),
    ``word_weights`` (kinds, buckets), ``kind_bias`` (kinds,). ``encoder``: the fingerprint of what made the vectors;
    ``sentences``: the hash of what they were fitted to."""

    intents: tuple[Intent, ...]
    weights: NDArray[np.float32]
    bias: NDArray[np.float32]
    kinds: tuple[SentenceKind, ...]
    kind_weights: NDArray[np.float32]
    word_weights: NDArray[np.float32]
    kind_bias: NDArray[np.float32]
    encoder: str
    sentences: str

    def guess(self, sentence: str, vector: NDArray[np.float32]) -> Guess:
        """What a sentence is for, by its words and its vector (d,) of length 1."""
        kinds = self.kind_weights @ vector + self.word_weights[:, buckets_of(sentence)].sum(axis=1) + self.kind_bias
        return Guess(
            dict(zip(self.intents, _shares(self.weights @ vector + self.bias), strict=True)),
            dict(zip(self.kinds, _shares(kinds), strict=True)),
        )


def _shares(scores: NDArray[np.float32]) -> list[float]:
    shares = np.exp(scores - scores.max())
    return [float(share) for share in shares / shares.sum()]


@lru_cache(maxsize=1)
def packaged_classifier() -> Classifier:
    """The classifier that comes with the product. Reads a file (200 kB)."""
    content = importlib.resources.files("homeagent.intents").joinpath(WEIGHTS).read_bytes()
    with np.load(io.BytesIO(content), allow_pickle=False) as kept:

        def read(name: str) -> NDArray[np.float32]:
            weights: NDArray[np.float32] = kept[name].astype(np.float32)
            return weights

        return Classifier(
            tuple(Intent(str(name)) for name in kept["intents"]),
            read("weights"),
            read("bias"),
            tuple(SentenceKind(str(name)) for name in kept["kinds"]),
            read("kind_weights"),
            read("word_weights"),
            read("kind_bias"),
            str(kept["encoder"]),
            str(kept["sentences"]),
        )
