"""In which order memories come that bear on a text: words and meaning added up, without an upper bound, and what was
told around them in the same conversation.

Relevance (`recall.py`) says whether a memory bears on a text at all, on a scale from 0 to 1 that many may reach the end
of; the score made here only orders, and tells those apart.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class RankWeights:
    """What counts how much beside the words of a text, whose share counts 1.

    As they are they do well on the conversations that `homeagent eval memory --locomo` measures, where none of them is
    better alone: any half of the conversations chooses much the same for the other.
    """

    meaning: float = 0.4
    """Nearness by meaning, of which unrelated texts have about 0 and a question and its answer 1."""
    whole: float = 0.2
    """The share of the memory's own words that the text has: which of two that hold all of them says little else."""
    pairs: float = 0.3
    """The share of the text's pairs of neighbouring words that the memory has beside each other, too."""
    before: float = 0.4
    """The score of what was told right before it in the same conversation: an answer is lifted by its question."""
    after: float = 0.3
    """The score of what was told right after it."""
    around: float = 0.15
    """The score of what was told two before and two after."""
    session: float = 0.7
    """The best score of its conversation."""
    named: float = 0.5
    """That it is about a thing which the turn names."""


@dataclass(slots=True)
class Sessions:
    """What was told in the same conversation, in the order of telling."""

    _place: dict[str, tuple[str, int]] = field(default_factory=dict)
    _told: defaultdict[str, list[str | None]] = field(default_factory=lambda: defaultdict(list))

    def put(self, memory_id: str, session: str | None) -> None:
        """Add a memory as the latest of its conversation; one that is there stays where it is."""
        if session is not None and memory_id not in self._place:
            told = self._told[session]
            self._place[memory_id] = (session, len(told))
            told.append(memory_id)

    def remove(self, memory_id: str) -> None:
        """Forget a memory; those around it keep their distance. Unknown ids are ignored."""
        if found := self._place.pop(memory_id, None):
            session, place = found
            told = self._told[session]
            told[place] = None
            if not any(told):
                del self._told[session]

    def lifted(self, own: Mapping[str, float], weights: RankWeights) -> dict[str, float]:
        """Each score with what its conversation adds to it; and those beside a scored one, which have none of their
        own."""
        scores = dict(own)
        best: dict[str, float] = {}
        for memory_id, score in own.items():
            if (found := self._place.get(memory_id)) is None or score <= 0:
                continue
            session, place = found
            best[session] = max(best.get(session, 0.0), score)
            for other, weight in self._beside(session, place, weights):
                scores[other] = scores.get(other, 0.0) + weight * score
        for memory_id in scores:
            found = self._place.get(memory_id)
            alone = max(0.0, own.get(memory_id, 0.0))  # what was told in no conversation is one of its own
            scores[memory_id] += weights.session * (alone if found is None else best.get(found[0], 0.0))
        return scores

    def _beside(self, session: str, place: int, weights: RankWeights) -> Iterable[tuple[str, float]]:
        """Those that the one at this place lifts, and by which share of its score."""
        told = self._told[session]
        shares = ((1, weights.before), (-1, weights.after), (2, weights.around), (-2, weights.around))
        for step, share in shares:
            if share and 0 <= place + step < len(told) and (other := told[place + step]) is not None:
                yield other, share
