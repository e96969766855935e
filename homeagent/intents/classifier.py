"""A classifier: what a sentence is for, as a probability for each intent.

Linear scores and one hidden layer over the vectors of the packaged encoder, which is multilingual (what was learned in
one language holds in the others), over the words and over stretches of their letters (`sentence_words`): what a
sentence is about outweighs in a vector whether it is told, asked or ordered, and which of two opposites is meant. The
weights come from `data/intents`, by `make intents`, and mean something only for the vectors of the encoder they were
fitted on.
"""

from __future__ import annotations

import importlib.resources
import io
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from homeagent.intents.intent import Intent, SentenceKind, kind_of
from homeagent.intents.sentence_words import buckets_of, letter_buckets_of, weight_of

WEIGHTS = "weights.npz"
_ARRAYS = ("weights", "word_weights", "letter_weights", "letter_scale", "bias", "hidden")


@dataclass(frozen=True, slots=True)
class Guess:
    """How likely each intent is; the shares add up to 1."""

    shares: Mapping[Intent, float]

    @property
    def likeliest(self) -> Intent:
        """The intent with the largest share."""
        return max(self.shares, key=lambda intent: self.shares[intent])

    @property
    def kinds(self) -> Mapping[SentenceKind, float]:
        """How likely each kind of sentence is: as its intents are together. A fit of its own tells it worse
        (docs/decisions.md)."""
        kinds = dict.fromkeys(SentenceKind, 0.0)
        for intent, share in self.shares.items():
            kinds[kind_of(intent)] += share
        return kinds

    def share_of(self, intents: Iterable[Intent]) -> float:
        """How likely it is any of these, 0 to 1."""
        return sum(self.shares[intent] for intent in intents)


@dataclass(frozen=True, slots=True)
class Classifier:
    """``intents``: its classes. ``weights`` (classes + h, d), ``word_weights`` and ``letter_weights`` (buckets,
    classes + h), ``bias`` (classes + h,): first the linear scores, then the hidden layer, which ``hidden`` (classes, h)
    weighs; all at half precision, but for those of letters, which are many: whole numbers, to be multiplied by
    ``letter_scale`` (classes + h,). ``encoder``: the fingerprint of what made the vectors; ``sentences``: the hash of
    what it was fitted to."""

    intents: tuple[Intent, ...]
    weights: NDArray[np.float16]
    word_weights: NDArray[np.float16]
    letter_weights: NDArray[np.int8]
    letter_scale: NDArray[np.float16]
    bias: NDArray[np.float16]
    hidden: NDArray[np.float16]
    encoder: str
    sentences: str

    def guess(self, sentence: str, vector: NDArray[np.float32]) -> Guess:
        """What a sentence is for, by its words and its vector (d,) of length 1."""
        letters = letter_buckets_of(sentence)
        found = self.weights.astype(np.float32) @ vector + self.bias
        found += self.word_weights[buckets_of(sentence)].sum(axis=0, dtype=np.float32)
        found += self.letter_weights[letters].sum(axis=0) * self.letter_scale * np.float32(weight_of(letters))
        scores, hidden = np.split(found, [len(self.intents)])
        scores = scores + self.hidden.astype(np.float32) @ np.maximum(hidden, 0)
        shares = np.exp(scores - scores.max())
        return Guess(dict(zip(self.intents, (shares / shares.sum()).tolist(), strict=True)))


def save(classifier: Classifier, path: Path) -> None:
    """Write a classifier as `packaged_classifier` reads it."""
    kept: dict[str, Any] = {
        part: np.array(getattr(classifier, part)) for part in (*_ARRAYS, "intents", "encoder", "sentences")
    }
    np.savez_compressed(path, **kept)


@lru_cache(maxsize=1)
def packaged_classifier() -> Classifier:
    """The classifier that comes with the product. Reads a file (8 MB)."""
    content = importlib.resources.files("homeagent.intents").joinpath(WEIGHTS).read_bytes()
    with np.load(io.BytesIO(content), allow_pickle=False) as kept:
        names = tuple(Intent(str(name)) for name in kept["intents"])
        arrays: dict[str, Any] = {part: kept[part] for part in _ARRAYS}
        return Classifier(intents=names, encoder=str(kept["encoder"]), sentences=str(kept["sentences"]), **arrays)
