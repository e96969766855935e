"""Numbers that are said: how near what is so must be for them to be true."""

from __future__ import annotations

from homeagent.claims.claim import LARGER, Amount, Aspect, Relation, Unit

_OPEN = {Unit.PERCENT: 3.0, Unit.DEGREE: 2.0}
"""What "about" leaves open."""
_PART = 0.1
"""The same in units that have no scale of their own, as a part of the number."""
_MOST_ROUNDED = 0.05
"""So much of a number may go by rounding it: "400 watts" for 412."""
_JUST = 1.5
"""So much more than "about" does "a little over" leave open, on its one side."""
_LEVEL = 1.0
"""What is left open of a percentage: a light of 255 steps has none for every one of them."""


def amount_of(text: str, unit: Unit | None, relation: Relation, aspect: Aspect | None) -> Amount:
    """The number that is written so ("3.2", "400"), in the unit that numbers are compared in."""
    base, scale = LARGER.get(unit, (unit, 1.0)) if unit is not None else (None, 1.0)
    value = float(text)
    decimals = len(text.partition(".")[2])
    step = 0.5 * 0.1**decimals
    if base not in _OPEN and not decimals:
        zeros = len(text) - len(text.rstrip("0"))
        step = max(step, min(0.5 * 10.0**zeros, _MOST_ROUNDED * abs(value)))
    return Amount(value * scale, base, step * scale, relation, aspect)


def fits(amount: Amount, value: float, unit: Unit) -> bool:
    """Whether a value in that unit is what was said."""
    slack = _LEVEL if unit is Unit.PERCENT else amount.step + 0.01
    open_ = max(slack, _OPEN.get(unit, _PART * abs(amount.value)))
    below, above = {
        Relation.EXACT: (slack, slack),
        Relation.ABOUT: (open_, open_),
        Relation.OVER: (slack, float("inf")),
        Relation.UNDER: (float("inf"), slack),
        Relation.JUST_OVER: (slack, _JUST * open_ + slack),
        Relation.JUST_UNDER: (_JUST * open_ + slack, slack),
    }[amount.relation]
    return amount.value - below <= value <= amount.value + above
