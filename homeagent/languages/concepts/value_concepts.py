"""Words that stand for a value."""

from __future__ import annotations

from dataclasses import dataclass

from homeagent.languages.concepts.order_concepts import Dimension, Way
from homeagent.languages.concepts.question_concepts import Attribute


@dataclass(frozen=True, slots=True)
class Heading:
    """A way, and the dimension that the same word says ("brighter"); None where it says none ("more")."""

    way: Way
    dimension: Dimension | None = None


@dataclass(frozen=True, slots=True)
class Extreme:
    """The one of several that has most (up) or least of an attribute; None where the word says no attribute."""

    way: Way
    attribute: Attribute | None = None


@dataclass(frozen=True, slots=True)
class Ordinal:
    """Which one of a row: 0 is the first, -1 the last."""

    place: int


@dataclass(frozen=True, slots=True)
class Level:
    """A share that is said in no number, in percent."""

    percent: int


@dataclass(frozen=True, slots=True)
class Share:
    """A share of what it is now, in percent: "half as bright", "double". ``dimension``: of what, where that is said."""

    percent: int
    dimension: Dimension | None = None


@dataclass(frozen=True, slots=True)
class Quality:
    """An adjective for what is measured: "warm" for the temperature. Whether it is so the measure tells."""

    attribute: Attribute


@dataclass(frozen=True, slots=True)
class White:
    """A white that has a name, in kelvin."""

    kelvin: int


@dataclass(frozen=True, slots=True)
class Colour:
    """A colour by its CSS name."""

    name: str


@dataclass(frozen=True, slots=True)
class Count:
    """A number."""

    value: float


@dataclass(frozen=True, slots=True)
class StateWord:
    """A word for states: pairs of a device class (or "default") and a raw state of Home Assistant."""

    raw: tuple[tuple[str, str], ...]
