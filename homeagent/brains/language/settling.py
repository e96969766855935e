"""Concepts that overlap: what belongs to a longer phrase means nothing of its own."""

from __future__ import annotations

from homeagent.brains.language.lexicon import Lexicon, Spot

_PARTS = (
    ("questions", "delays"),  # "esta noche" asks nothing
    ("modes", "halves"),
    ("levels", "halves"),  # "19 and a half"
    ("modes", "actions"),  # "send the vacuum home"
    ("questions", "actions"),  # "have the lawn mowed" orders
    ("except", "questions"),  # "did somebody leave the window open" takes nothing out
)
"""Sections whose words are only parts of longer phrases of the other."""
_NOT_IN_POLITENESS = frozenset(
    {"negation", "conditions", "complaints", "complaining", "amounts", "levels", "subordinate", "questions"}
)


def settled(spots: tuple[Spot, ...], size: int, lexicon: Lexicon) -> tuple[Spot, ...]:
    """The concepts of a clause of ``size`` words without those that are only parts of other phrases."""
    return _unless_polite(_unless_excepting(_less_parts(_less_bare_except(spots, size, lexicon))))


def _less_bare_except(spots: tuple[Spot, ...], size: int, lexicon: Lexicon) -> tuple[Spot, ...]:
    """Without an "except" that takes nothing out, which is a word of a name: "activate leaving"."""

    def bare(spot: Spot) -> bool:
        return spot.positions[0] == 0 if lexicon.except_after else spot.positions[-1] == size - 1

    return tuple(s for s in spots if s.section != "except" or not bare(s))


def _less_parts(spots: tuple[Spot, ...]) -> tuple[Spot, ...]:
    """Without what means something else within a longer phrase."""
    inside = {
        (part, whole): {p for s in spots if s.section == whole and len(s.positions) > 1 for p in s.positions}
        for part, whole in _PARTS
    }
    return tuple(
        s
        for s in spots
        if all(part != s.section or not set(s.positions) <= inside[part, whole] for part, whole in _PARTS)
    )


def _unless_polite(spots: tuple[Spot, ...]) -> tuple[Spot, ...]:
    """Without what is part of a phrase of politeness: "if you don't mind" neither denies nor sets a condition."""
    polite = {p for s in spots if s.section == "polite" and len(s.positions) > 1 for p in s.positions}
    return tuple(s for s in spots if s.section not in _NOT_IN_POLITENESS or not set(s.positions) <= polite)


def _unless_excepting(spots: tuple[Spot, ...]) -> tuple[Spot, ...]:
    """Without what is part of "but not" or "less the …", which takes something out and denies or lowers nothing."""
    taken = {p for s in spots if s.section == "except" for p in s.positions}
    return tuple(s for s in spots if s.section not in ("adjust", "negation", "set") or not taken & set(s.positions))
