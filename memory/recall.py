"""How near a memory is to a query, as one number from 0 to 1 that means the same under every embedder.

Raw similarity does not: with one model 0.5 is a paraphrase, with another any two sentences reach 0.7, and a model that
does not know a language finds all its sentences alike. So each query brings its own yardstick: how near it is to
sentences about nothing in particular (`anchors.txt`). What is no nearer than the nearest of these is not near at all.
"""

from __future__ import annotations

import importlib.resources
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from memory.purposes import Purpose

Vectors = NDArray[np.float32]

FLOOR = 0.45
"""Relevance under which a memory is not recalled. With the packaged embedder, what an unrelated command brings up from
the project's own dialogues stays under it."""
_ASKED_BELOW = 0.05
"""So much lower the floor is for a question: few commands have to do with anything remembered, and most questions that
the home cannot answer have. Of 116 questions 5 lay between 0.40 and 0.45; of 152 unrelated sentences only commands."""
FLOOR_UNANSWERED = 0.2
"""The floor for a question that nothing but what is remembered may answer: the home has not."""
_ASKED_BACK = 0.2
"""Share from which what was told may answer a question. Chosen, as what follows, over 599 questions and 1,554 unrelated
sentences, alike in both halves of them."""
_ORDERED = 0.65
"""The floor for an order, which needs nothing of what was told but where it names it."""
_HALF = 0.5
_RANK = 2
"""Which of the nearest anchors is the yardstick: not the very nearest, which may be about the same by chance."""
_REACH = 0.82
"""The similarity of a statement and a question about it, between unrelated (0) and identical (1)."""
_WORDS_ALONE = 1.25
"""How much common words count by themselves. A third of a sentence's weight in common is not yet enough: commands share
a room or a verb with what is remembered, which meaning does not take for nearness."""


def floor_for(text: str, floor: float = FLOOR, purpose: Purpose | None = None, *, unanswered: bool = False) -> float:
    """The floor for this sentence: lower where it asks, lowest where what was told may be all that answers it
    (``unanswered``: the home does not), higher where it orders. ``purpose``: what it is meant as, where that is known.
    """
    question = text.rstrip().endswith(("?", "？"))
    knowledge = purpose is not None and purpose.knowledge >= _HALF
    if (unanswered and not knowledge) or (purpose is not None and purpose.recall >= _ASKED_BACK):
        return FLOOR_UNANSWERED
    if purpose is not None and purpose.order >= _HALF and not question:
        return max(floor, _ORDERED)
    return max(0.0, floor - _ASKED_BELOW) if question else floor


@lru_cache(maxsize=1)
def anchors() -> tuple[str, ...]:
    """The sentences about nothing in particular, in the order of `anchors.txt`."""
    text = importlib.resources.files("memory").joinpath("anchors.txt").read_text(encoding="utf-8")
    return tuple(line for line in text.splitlines() if line and not line.startswith("#"))


@dataclass(frozen=True, slots=True)
class Yardstick:
    """What an embedder's similarities mean. ``vectors``: its (n, d) vectors of the anchors, normalised."""

    vectors: Vectors
    reach: float
    """The similarity that counts as full relevance."""

    @classmethod
    def of(cls, vectors: Vectors) -> Yardstick:
        """From the (n, d) vectors of `anchors`: full relevance lies at 0.82 of the way from how alike two anchors are
        on average to 1.
        """
        alike = vectors @ vectors.T
        unrelated = float(alike[np.triu_indices(len(vectors), 1)].mean())
        return cls(vectors, unrelated + _REACH * (1 - unrelated))

    def nearness(self, query: NDArray[Any], similarities: Mapping[str, float]) -> dict[str, float]:
        """How near each id is, from its cosine similarity to ``query``, a normalised vector (d,): 0 for what is
        unrelated, 1 for a statement and a question about it, more or less than these for what is nearer or farther.
        """
        near = float(np.sort(self.vectors @ query)[-_RANK])
        span = max(self.reach - near, 0.05)
        return {key: (value - near) / span for key, value in similarities.items()}


def fuse(by_meaning: Mapping[str, float] | None, by_words: Mapping[str, float]) -> dict[str, float]:
    """One relevance, 0 to 1, for each id that either side knows: from how near it is (`Yardstick.nearness`) and its
    share of the words. ``by_meaning`` None: there was no embedder, words alone."""
    by_words = {key: min(1.0, share) for key, share in by_words.items()}
    alone = {key: min(1.0, _WORDS_ALONE * share) for key, share in by_words.items()}
    if by_meaning is None:
        return alone
    by_meaning = {key: min(1.0, max(0.0, near)) for key, near in by_meaning.items()}
    return {
        key: max(alone.get(key, 0.0), 1 - (1 - by_meaning.get(key, 0.0)) * (1 - by_words.get(key, 0.0)))
        for key in {*by_meaning, *by_words}
    }
