"""The words of a sentence as the fit of `homeagent.intents` reads them: which there are, which begin and end it, and
the stretches of letters that they are made of.

Meaning tells what a sentence is about, and hardly whether that is told, asked or ordered: that its words do, most of
all the first and the last. Stretches of letters are what forms of one word, and words that no fit saw, have in common.
"""

from __future__ import annotations

import zlib

import numpy as np
from numpy.typing import NDArray

from indexer.words import words

BUCKETS, LETTER_BUCKETS = 1 << 13, 1 << 15
_LONGEST = 60
"""Words that are read of a sentence."""
_STRETCHES = range(3, 6)
_ENDING = 2
"""Letters of the end of a word: where a verb stands last, its form is told there."""


def buckets_of(sentence: str) -> NDArray[np.intp]:
    """The hashed words of a sentence, each bucket once; empty where it has none."""
    said = words(sentence)[:_LONGEST]
    if not said:
        return _hashed(set(), BUCKETS)
    features = {*said, f"^{said[0]}", f"^{' '.join(said[:2])}", f"{said[-1]}$", f"{said[-1][-_ENDING:]}$"}
    if sentence.rstrip().endswith(("?", "？")):
        features.add("?")
    return _hashed(features, BUCKETS)


def letter_buckets_of(sentence: str) -> NDArray[np.intp]:
    """The hashed stretches of 3 to 5 letters of the words of a sentence, a word's ends among them; each bucket once."""
    found: set[str] = set()
    for word in words(sentence)[:_LONGEST]:
        letters = f"<{word}>"
        found |= {letters[i : i + n] for n in _STRETCHES for i in range(len(letters) - n + 1)}
    return _hashed(found, LETTER_BUCKETS)


def weight_of(letters: NDArray[np.intp]) -> float:
    """How much each of these stretches counts: the more there are, the less, so that all together count alike."""
    return float(max(1, len(letters)) ** -0.5)


def _hashed(features: set[str], buckets: int) -> NDArray[np.intp]:
    return np.unique(np.array([zlib.crc32(feature.encode()) % buckets for feature in features], np.intp))
