"""Linear classifiers: what a sentence is for, as a probability for each intent, and what is done with it at all.

Multinomial logistic regression over the vectors of the packaged encoder, which is multilingual (what was learned in one
language holds in the others), over the words and over stretches of their letters (`sentence_words`): what a sentence is
about outweighs in a vector whether it is told, asked or ordered, and which of two opposites is meant. The weights come
from `data/intents`, by `make intents`, and mean something only for the vectors of the encoder they were fitted on.
"""

from __future__ import annotations

import importlib.resources
import io
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from homeagent.intents.intent import Intent, SentenceKind
from homeagent.intents.sentence_words import buckets_of, letter_buckets_of, weight_of

WEIGHTS = "weights.npz"
_PARTS = ("weights", "word_weights", "letter_weights", "bias")


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
class Fit:
    """One regression: ``names`` of its classes, ``weights`` (classes, d), ``word_weights`` and ``letter_weights``
    (classes, buckets), ``bias`` (classes,), all at half precision."""

    names: tuple[str, ...]
    weights: NDArray[np.float16]
    word_weights: NDArray[np.float16]
    letter_weights: NDArray[np.float16]
    bias: NDArray[np.float16]

    def shares(
        self, vector: NDArray[np.float32], words: NDArray[np.intp], letters: NDArray[np.intp]
    ) -> dict[str, float]:
        """How likely each class is for a vector (d,) of length 1, the words of a sentence and their letters, as
        `buckets_of` and `letter_buckets_of` have them. They add up to 1."""
        scores = self.weights.astype(np.float32) @ vector + self.bias
        scores += self.word_weights[:, words].sum(axis=1, dtype=np.float32)
        scores += self.letter_weights[:, letters].sum(axis=1, dtype=np.float32) * weight_of(letters)
        shares = np.exp(scores - scores.max())
        return dict(zip(self.names, (shares / shares.sum()).tolist(), strict=True))


@dataclass(frozen=True, slots=True)
class Classifier:
    """``encoder``: the fingerprint of what made the vectors; ``sentences``: the hash of what they were fitted to."""

    intents: Fit
    kinds: Fit
    encoder: str
    sentences: str

    def guess(self, sentence: str, vector: NDArray[np.float32]) -> Guess:
        """What a sentence is for, by its words and its vector (d,) of length 1."""
        said = vector, buckets_of(sentence), letter_buckets_of(sentence)
        return Guess(
            {Intent(name): share for name, share in self.intents.shares(*said).items()},
            {SentenceKind(name): share for name, share in self.kinds.shares(*said).items()},
        )


def save(classifier: Classifier, path: Path) -> None:
    """Write a classifier as `packaged_classifier` reads it, at half precision."""
    kept: dict[str, Any] = {"encoder": np.array(classifier.encoder), "sentences": np.array(classifier.sentences)}
    for of, fit in (("intents", classifier.intents), ("kinds", classifier.kinds)):
        kept[of] = np.array(fit.names)
        kept |= {f"{of}_{part}": getattr(fit, part).astype(np.float16) for part in _PARTS}
    np.savez_compressed(path, **kept)


@lru_cache(maxsize=1)
def packaged_classifier() -> Classifier:
    """The classifier that comes with the product. Reads a file (5 MB)."""
    content = importlib.resources.files("homeagent.intents").joinpath(WEIGHTS).read_bytes()
    with np.load(io.BytesIO(content), allow_pickle=False) as kept:

        def fit(of: str) -> Fit:
            return Fit(tuple(str(name) for name in kept[of]), *(kept[f"{of}_{part}"] for part in _PARTS))

        return Classifier(fit("intents"), fit("kinds"), str(kept["encoder"]), str(kept["sentences"]))
