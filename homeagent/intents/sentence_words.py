"""The words of a sentence as the fit of `homeagent.intents` reads them: which there are, and which begin and end it.

Meaning tells what a sentence is about, and hardly whether that is told, asked or ordered: that its words do, most of
all the first and the last.
"""

from __future__ import annotations

import re
import zlib

import numpy as np
from numpy.typing import NDArray

from indexer.words import words

BUCKETS = 1 << 13
_LONGEST = 60
"""Words that are read of a sentence."""
_HANGUL = re.compile(r"[가-힣]{2,}")
_ENDING = 2
"""Letters of the end of a word: where a verb stands last, its form is told there."""


def buckets_of(sentence: str) -> NDArray[np.intp]:
    """The hashed words of a sentence, each bucket once; empty where it has none."""
    said = words(sentence)[:_LONGEST]
    if not said:
        return np.zeros(0, np.intp)
    features = {*said, f"^{said[0]}", f"^{' '.join(said[:2])}", f"{said[-1]}$", f"{said[-1][-_ENDING:]}$"}
    features |= {f"~{word[-_ENDING:]}" for word in said if _HANGUL.fullmatch(word)}
    if sentence.rstrip().endswith(("?", "？")):
        features.add("?")
    return np.unique([zlib.crc32(feature.encode()) % BUCKETS for feature in features])
