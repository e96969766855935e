"""What the state of a thing must be after a call for it to count as done."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from homeagent.domains import Effect
from homeagent.ha.home import State
from homeagent.values.colors import same_tint

STATE = "state"
TINT = "hs_color"


@dataclass(frozen=True, slots=True)
class Shown:
    """An attribute (``state``: the state itself) and what it must hold, give or take ``tolerance``."""

    attribute: str
    value: Any
    tolerance: float = 0.0

    def met(self, now: State) -> bool:
        """Whether it holds. An attribute that the entity does not have at all tells nothing, and holds."""
        if self.attribute != STATE and self.attribute not in now.attributes:
            return True
        held = now.state if self.attribute == STATE else now.attributes[self.attribute]
        if self.attribute == TINT:
            pair = _pair(held)
            return pair is not None and same_tint(pair, self.value)
        if isinstance(self.value, int | float) and not isinstance(self.value, bool):
            return _near(held, self.value, self.tolerance)
        return bool(held == self.value or str(held).casefold() == str(self.value).casefold())


@dataclass(frozen=True, slots=True)
class Expectation:
    """Done when the state is one of ``reaches`` (if any) and none of ``leaves``, and everything ``shown`` holds.

    Where none of these is given, ``effect`` says how one sees it at all.
    """

    effect: Effect = Effect.SHOWN
    reaches: tuple[str, ...] = ()
    leaves: tuple[str, ...] = ()
    under_way: tuple[str, ...] = ()
    shown: tuple[Shown, ...] = ()

    @property
    def is_seen(self) -> bool:
        """Whether the state will tell: else asking Home Assistant is all that can be done."""
        return self.effect in (Effect.SHOWN, Effect.CHANGE)

    def met(self, before: State, now: State | None) -> bool:
        """Whether ``now`` shows that the call worked; ``before`` is the state it was made in. An unavailable or missing
        state shows nothing.
        """
        if now is None or not now.available:
            return False
        if self.effect is Effect.CHANGE:
            return (now.state, now.attributes) != (before.state, before.attributes)
        return (
            (not self.reaches or now.state in self.reaches)
            and now.state not in self.leaves
            and all(part.met(now) for part in self.shown)
        )

    def is_under_way(self, now: State | None) -> bool:
        """Whether the thing is at it: a cover that is opening."""
        return now is not None and now.state in self.under_way

    def attributes(self) -> tuple[str, ...]:
        """The attributes that tell whether it worked."""
        return tuple(dict.fromkeys(part.attribute for part in self.shown if part.attribute != STATE))


def missing(expectation: Expectation, now: State) -> str:
    """In words, what is not as it should be: ``still off``, ``brightness is 40, not 204``."""
    wrong_state = (expectation.reaches and now.state not in expectation.reaches) or now.state in expectation.leaves
    if wrong_state or expectation.effect is Effect.CHANGE:
        return f"it is still {now.state}"
    wrong = [part for part in expectation.shown if not part.met(now)]
    return ", ".join(f"{part.attribute} is {_held(now, part.attribute)}, not {_said(part.value)}" for part in wrong)


def _held(now: State, attribute: str) -> str:
    return now.state if attribute == STATE else _said(now.attributes.get(attribute))


def _said(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, list | tuple):
        return ", ".join(_said(part) for part in value)
    return str(value)


def _near(held: Any, value: float, tolerance: float) -> bool:
    try:
        return abs(float(held) - value) <= tolerance + 1e-6
    except (TypeError, ValueError):
        return False


def _pair(held: object) -> tuple[float, float] | None:
    if isinstance(held, list | tuple) and len(held) == 2 and all(isinstance(part, int | float) for part in held):
        return float(held[0]), float(held[1])
    return None
