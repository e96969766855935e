"""What a statement can claim, as values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class ClaimedAction(StrEnum):
    """Kinds of deeds that an answer can tell of. The values are keys of the section "deed" in ``language/``."""

    TURNED_ON = "turned_on"
    TURNED_OFF = "turned_off"
    OPENED = "opened"
    CLOSED = "closed"
    LOCKED = "locked"
    UNLOCKED = "unlocked"
    ARMED = "armed"
    DISARMED = "disarmed"
    SET = "set"
    RAISED = "raised"
    LOWERED = "lowered"
    STARTED = "started"
    STOPPED = "stopped"
    PAUSED = "paused"
    PLAYED = "played"
    DOCKED = "docked"
    MUTED = "muted"
    ADDED = "added"
    REMOVED = "removed"
    LISTED = "listed"
    """It stands on a list, whoever put it there."""
    REMEMBERED = "remembered"
    FORGOTTEN = "forgotten"
    SCHEDULED = "scheduled"
    SENT = "sent"
    CHARGED = "charged"
    DID = "did"
    """Something, without a word on what: "done", "all set"."""


RESULT: Mapping[ClaimedAction, str] = {
    ClaimedAction.TURNED_ON: "on",
    ClaimedAction.TURNED_OFF: "off",
    ClaimedAction.OPENED: "open",
    ClaimedAction.CLOSED: "closed",
    ClaimedAction.LOCKED: "locked",
    ClaimedAction.UNLOCKED: "unlocked",
    ClaimedAction.ARMED: "armed",
    ClaimedAction.DISARMED: "disarmed",
    ClaimedAction.PAUSED: "paused",
    ClaimedAction.PLAYED: "playing",
    ClaimedAction.DOCKED: "docked",
}
"""The raw state that a deed leaves a thing in, where there is one."""


class Unit(StrEnum):
    """Units that a number is said in. The values are keys of the section "unit"."""

    PERCENT = "percent"
    DEGREE = "degree"
    WATT = "watt"
    KILOWATT = "kilowatt"
    WATT_HOUR = "watt_hour"
    KILOWATT_HOUR = "kilowatt_hour"
    KILOMETRE = "kilometre"
    LUX = "lux"
    PPM = "ppm"
    OTHER = "other"


LARGER: Mapping[Unit, tuple[Unit, float]] = {
    Unit.KILOWATT: (Unit.WATT, 1000.0),
    Unit.KILOWATT_HOUR: (Unit.WATT_HOUR, 1000.0),
}
"""Units that are so many of another one, which numbers are compared in."""


class Aspect(StrEnum):
    """What of a thing a number is about. The values are keys of the section "aspect"."""

    BRIGHTNESS = "brightness"
    VOLUME = "volume"
    POSITION = "position"
    HUMIDITY = "humidity"
    BATTERY = "battery"
    TARGET = "target"
    TEMPERATURE = "temperature"


class Relation(StrEnum):
    """How a number that is said stands to what is so. The values are keys of the section "relation"."""

    EXACT = "exact"
    ABOUT = "about"
    OVER = "over"
    UNDER = "under"
    JUST_OVER = "just_over"
    JUST_UNDER = "just_under"


@dataclass(frozen=True, slots=True)
class Amount:
    """A number that was said. ``unit`` None: it was said without one. ``step``: half of what the last digit that was
    said leaves open, in the unit."""

    value: float
    unit: Unit | None
    step: float = 0.5
    relation: Relation = Relation.EXACT
    aspect: Aspect | None = None


class Need(StrEnum):
    """How many of the things must be so for the statement to be true."""

    ANY = "any"
    ALL = "all"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Things:
    """What a statement is about: entity ids in groups (one a mention). Empty: nothing that the home knows was named.

    ``need`` says how many of each group must be so. ``named``: something of the home was named at all, and not only
    meant ("it"). ``strange``: words that nothing explains. ``absent``: the domains of a kind that was named and that
    the home has nothing of.
    """

    groups: tuple[tuple[str, ...], ...] = ()
    need: Need = Need.ALL
    named: bool = False
    strange: tuple[str, ...] = ()
    absent: frozenset[str] = frozenset()

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of all groups, each once, in their order."""
        return tuple(dict.fromkeys(i for group in self.groups for i in group))


@dataclass(frozen=True, slots=True)
class Claim:
    """One clause's claim: a deed where ``deeds`` is set, else a state (``states``: by device class, as
    `states_said`), else a value. ``negated``: it is said not to be so. ``now``: it is said to have come about."""

    things: Things = field(default_factory=Things)
    deeds: frozenset[ClaimedAction] = frozenset()
    states: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    amounts: tuple[Amount, ...] = ()
    negated: bool = False
    now: bool = False
    count: int | None = None
    """So many of the things are said to be so, and no other."""


class Verdict(StrEnum):
    """What is known of a statement."""

    NO_CLAIM = "no_claim"
    """It says nothing of the home, or nothing that can be compared with it."""
    SUPPORTED = "supported"
    CONTRADICTED = "contradicted"
    """A state or value is otherwise."""
    UNSUPPORTED = "unsupported"
    """A deed that no call of this turn has done."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A verdict, and the entity ids that make it untrue."""

    verdict: Verdict
    claim: Claim | None = None
    wrong: tuple[str, ...] = ()

    @property
    def untrue(self) -> bool:
        """Whether the statement must not be said: it is otherwise, or nothing has done it."""
        return self.verdict in (Verdict.CONTRADICTED, Verdict.UNSUPPORTED)
