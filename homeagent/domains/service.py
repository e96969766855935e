"""The words of a profile: what a domain can be asked to do, with what, and how one sees that it was done."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Any

NOTHING: Mapping[str, Any] = MappingProxyType({})


class Kind(StrEnum):
    """What a parameter's value must be."""

    NUMBER = "number"
    INTEGER = "integer"
    TEXT = "text"
    OPTION = "option"
    FLAG = "true or false"
    DATE = "date"
    TIME = "time"
    DATETIME = "date and time"
    DURATION = "duration"
    TEXTS = "text or list of texts"
    MAPPING = "object"
    RGB = "three numbers 0-255"
    COLOR = "colour"


class Effect(StrEnum):
    """How one sees that a service did something."""

    SHOWN = "shown"
    """By the state and attributes that the service names."""
    CHANGE = "change"
    """By any change of the entity (a button's time of last press, a script's last run)."""
    ACCEPTED = "accepted"
    """Home Assistant itself keeps the thing (lists, helpers): accepting is doing."""
    UNSEEN = "unseen"
    """Not at all (next track, locate)."""


@dataclass(frozen=True, slots=True)
class Param:
    """One parameter of an action.

    ``low``, ``high`` and ``options`` are values, or the name of the attribute that holds them. ``feature``: bits of
    ``supported_features`` of which one is needed; ``modes``: colour modes of which one is needed. What is sent is
    ``value * sent_scale`` as ``field`` (default: the name). The effect shows in the attribute ``reads`` (``state``: the
    state itself) as ``value * shown_scale``, give or take ``tolerance`` (a number, or the attribute that holds it).
    A ``step`` is added to what ``reads`` holds now (``base`` where that is empty) and kept within the limits.
    """

    name: str
    kind: Kind = Kind.TEXT
    field: str = ""
    low: float | str | None = None
    high: float | str | None = None
    options: tuple[str, ...] | str = ()
    feature: int = 0
    modes: frozenset[str] = frozenset()
    required: bool = False
    reads: str = ""
    tolerance: float | str = 0.0
    sent_scale: float = 1.0
    shown_scale: float = 1.0
    step: bool = False
    base: float | None = None

    @property
    def sent_as(self) -> str:
        """What Home Assistant calls the field; its own name where nothing else is said."""
        return self.field or self.name


@dataclass(frozen=True, slots=True)
class Service:
    """A Home Assistant service of a domain, with what it takes and how its effect shows.

    Needs one of the bits ``feature`` (0: nothing). Done when the state is one of ``reaches``, or none of ``leaves``,
    and the attributes in ``shows`` have these values where the entity has them; ``under_way``: states of a device
    that is at it. ``data`` is always sent. ``code``: takes a code, and needs one where the entity says so.
    """

    name: str
    params: tuple[Param, ...] = ()
    feature: int = 0
    reaches: tuple[str, ...] = ()
    leaves: tuple[str, ...] = ()
    under_way: tuple[str, ...] = ()
    shows: Mapping[str, Any] = field(default_factory=lambda: NOTHING)
    data: Mapping[str, Any] = field(default_factory=lambda: NOTHING)
    effect: Effect = Effect.SHOWN
    code: bool = False


def on_off(*params: Param, on: int = 0, off: int = 0) -> dict[str, Service]:
    """turn_on, turn_off and toggle as most domains have them; ``on`` and ``off`` are the features they need."""
    return {
        "turn_on": Service("turn_on", params, feature=on, reaches=("on",)),
        "turn_off": Service("turn_off", feature=off, reaches=("off",)),
        "toggle": Service("toggle", feature=on, effect=Effect.CHANGE),
    }


def position(name: str, feature: int, reads: str, *, step: bool = False, field: str = "") -> Param:
    """How far open something is, in percent."""
    return Param(name, Kind.INTEGER, field=field, low=0, high=100, feature=feature, reads=reads, tolerance=3, step=step)


MOVING = ("opening", "closing")
"""States of what is on its way to be open or closed."""


def opened(what: str, *, open: int, close: int, stop: int) -> dict[str, Service]:
    """What opens and closes, as covers and valves do: ``what`` stands in the services' names, the rest are features."""
    return {
        "open": Service(
            f"open_{what}", feature=open, reaches=("open",), under_way=("opening",), shows={"current_position": 100}
        ),
        "close": Service(f"close_{what}", feature=close, reaches=("closed",), under_way=("closing",)),
        "stop": Service(f"stop_{what}", feature=stop, leaves=MOVING),
        "toggle": Service("toggle", feature=open | close, effect=Effect.CHANGE),
    }


def positioned(what: str, feature: int) -> Service:
    """How far open it is to be, in percent, or by how much more."""
    reads = "current_position"
    absolute, step = position("position", feature, reads), position("position_step", feature, reads, step=True)
    return Service(f"set_{what}_position", (absolute, replace(step, field="position")), under_way=MOVING)


def temperature(name: str, feature: int, reads: str = "", *, step: bool = False, field: str = "") -> Param:
    """Degrees in the home's own unit, within the limits that the thing tells."""
    return Param(
        name,
        Kind.NUMBER,
        field=field,
        low="min_temp",
        high="max_temp",
        feature=feature,
        reads=reads or name,
        tolerance=0.3,
        step=step,
    )


def chosen(service: str, name: str, options: str, feature: int, reads: str = "") -> Service:
    """A service that sets one parameter from a list that the thing offers in the attribute ``options``."""
    return Service(service, (Param(name, Kind.OPTION, options=options, feature=feature, reads=reads or name),))
