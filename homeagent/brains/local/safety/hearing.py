"""What a clause says of safety, word by word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from homeagent.brains.language.lexicon import Spot, Word, fold
from homeagent.brains.language.reading import Reading
from homeagent.brains.local.safety.kinds import Kind, SafetyWords

_TELLING = frozenset({"kinds", "whole", "all", "leaving", "says.locked", "says.unlocked", "deeds.locked"})
"""Sections one of which a question about safety says."""
_CONCEPTS = frozenset({"all", "mine", "past", "whole", "leaving", "well", "denial", "indirect", "detectors"})
_LONGER_WINS = ("says.", "deeds.", "kinds", "whole", "leaving", "around")


@dataclass(frozen=True)
class Said:
    """What the sentence says of safety, and the positions of those words."""

    kinds: tuple[Kind, ...]
    says: frozenset[str]
    concepts: frozenset[str]
    positions: frozenset[int]
    kind_positions: frozenset[int]

    @property
    def leaves(self) -> bool:
        """Whether it asks if the house may be left alone."""
        return {"may", "going"} <= self.concepts

    @property
    def past(self) -> bool:
        """Whether it asks what was; whether somebody has left a window open is asked of how it is now."""
        return "past" in self.concepts and "done" not in self.concepts


def said_in(reading: Reading, known: SafetyWords) -> Said | None:
    """The concepts of safety in a clause; None where it names neither a kind nor the safety of all."""
    spots = known.lexicon.spot([_as_meant(w, reading, known) for w in reading.words])
    if not any(s.section in _TELLING for s in spots):
        return None
    done = any(s.section == "mine" for s in spots)
    spots = tuple(s for s in spots if done or not s.section.startswith("deeds."))
    spots = tuple(s for s in spots if not _is_part(s, spots))
    kinds = tuple(dict.fromkeys(s.concept for s in spots if s.section == "kinds"))
    if "other" in kinds:
        return None
    of_kinds = {p for s in spots if s.section == "kinds" for p in s.positions}
    says = {s.concept for s in spots if s.section.startswith(("says.", "deeds."))}
    concepts = {s.concept for s in spots if s.section in _CONCEPTS}
    positions = {p for s in spots for p in s.positions}
    return Said(
        tuple(Kind(k) for k in kinds),
        frozenset(says),
        frozenset(concepts),
        frozenset(positions),
        frozenset(of_kinds),
    )


def _as_meant(word: Word, reading: Reading, known: SafetyWords) -> Word:
    """A word as it was typed where it is one of these, whatever else it may be a misspelling of."""
    typed = fold(reading.text[word.start : word.end])
    return replace(word, mark="", text=typed if typed in known.vocabulary else word.text)


def _is_part(spot: Spot, spots: Sequence[Spot]) -> bool:
    """Whether a longer phrase that tells something else holds it: "closed" in "not closed", "on" in "on fire"."""
    longer = (s for s in spots if s.section.startswith(_LONGER_WINS))
    return spot.section.startswith(("says.", "deeds.", "kinds")) and any(
        set(spot.positions) < set(s.positions) for s in longer
    )
