"""What is known of a domain: what it can be asked, its states, what it measures, how it stands among the others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntFlag, StrEnum
from typing import Any

from homeagent.domains.service import NOTHING, Service
from homeagent.languages.concepts import Complaint, SafetyKind, Verb

ON_OFF = ("on", "off")


class MeasureUnit(StrEnum):
    """The unit that a number is said in."""

    PERCENT = "%"
    DEGREE = "degree"
    """Of temperature, as the home has it."""
    KELVIN = "K"


@dataclass(frozen=True, slots=True)
class Measure:
    """Where something that people ask for is to be read.

    ``of``: the name of what is asked for (a value of `languages.concepts.Attribute`), or, where it is not ``asked`` for
    by that name, of what it is. ``reads``: an attribute of the state (empty: the state itself), of things of
    ``device_class`` (empty: of all). ``unit``: what the attribute is told in; for percent, ``whole`` is what it holds
    at 100. ``wished``: it is what the thing is set to, and not what is measured.
    """

    of: str
    reads: str = ""
    device_class: str = ""
    unit: MeasureUnit | None = None
    whole: float = 100.0
    wished: bool = False
    asked: bool = True


@dataclass(frozen=True, slots=True)
class Choices:
    """A list of its own that a thing is set from: the attribute that holds it, and the parameter that chooses."""

    offered: str
    parameter: str


@dataclass(frozen=True, slots=True)
class Doing:
    """The attribute that tells what a thing does, beside its state, which is only what it is set to.

    ``states``: by each of its values the state that it is called by; the first is what it does when it is said to run.
    Without them it is only told beside the state. ``idle``: the values of nothing being done.
    """

    attribute: str
    states: Mapping[str, str] = field(default_factory=lambda: NOTHING)
    idle: frozenset[str] = frozenset({"idle", "off"})


@dataclass(frozen=True, slots=True)
class Remedy:
    """What can be done about how it is somewhere."""

    complaint: Complaint
    action: str
    parameters: Mapping[str, Any] = field(default_factory=lambda: NOTHING)


class NameTells(StrEnum):
    """What a thing can be by its name alone; each has its words in `policy/effects.yaml` or `policy/openings.yaml`."""

    FIRE = "fire"
    """What can start a fire while it is on and nobody looks."""
    HEATERS = "heaters"
    """The same, where it keeps no temperature by itself."""
    PROTECTION = "protection"
    """What warns, watches or records while it is on."""
    LOCKS = "locks"
    """What locks up by itself."""


WIRED_TO_ANYTHING = frozenset({NameTells.FIRE, NameTells.HEATERS, NameTells.PROTECTION})
"""Of what only switches something: its name says what."""


class Together(StrEnum):
    """What a group shows of an attribute of its members."""

    MEAN = "mean"
    """The mean of all of them."""
    MEAN_ACTIVE = "mean of the active"
    """The mean of those that are active: a lamp that is off has no brightness."""
    MOST_ACTIVE = "most of the active"
    """The value that most of those have."""


@dataclass(frozen=True, slots=True)
class Simulation:
    """How the simulated home has a thing of which its inventory is silent.

    ``start``: its first state. ``attributes``: what it has from the start. ``usual``: the features that it has, beside
    those that an attribute tells of (``told_by``). ``unrecorded``: attributes that Home Assistant keeps out of its
    history. ``yes_no``: its states where the inventory only says true or false. ``active_by``: attributes of which any
    that is not 0 tells that it is active; ``first_of``: the attribute whose first choice it starts with.
    ``together``: the attributes that a group of them shows.
    """

    start: str = "unknown"
    attributes: Mapping[str, Any] = field(default_factory=lambda: NOTHING)
    usual: int = 0
    told_by: Mapping[str, int] = field(default_factory=lambda: NOTHING)
    unrecorded: frozenset[str] = frozenset()
    yes_no: tuple[str, str] = ON_OFF
    active_by: tuple[str, ...] = ()
    first_of: str = ""
    together: Mapping[str, Together] = field(default_factory=lambda: NOTHING)


@dataclass(frozen=True, slots=True)
class Profile:
    """All that is known of a domain, but for its words (`languages/`) and its dangers (`policy/effects.yaml`)."""

    domain: str

    # what it can be asked to do
    actions: Mapping[str, Service] = field(default_factory=lambda: NOTHING)
    """By our word for it."""
    setters: tuple[Service, ...] = ()
    """What ``set_value`` reaches, and parameters beside ``turn_on``."""
    same: Mapping[str, str] = field(default_factory=lambda: NOTHING)
    """Other words to ours."""
    value: str = ""
    """The parameter that a bare ``value`` stands for."""
    features: type[IntFlag] | None = None
    """The bits of ``supported_features``."""
    choices: tuple[Choices, ...] = ()
    """Lists that it is set from."""
    drives_others: bool = False
    """Using it may do anything to other things."""

    # how it is spoken of
    rank: int | None = None
    """How readily it is meant where no kind is named, 1 first; None: never guessed."""
    meant: Mapping[str, str] = field(default_factory=lambda: NOTHING)
    """An action that is said of it, to the one that is meant."""
    only_by_grammar: frozenset[str] = frozenset()
    """Those of ``meant`` that Home Assistant's own sentences mean, and nobody else is sure to."""
    chore: Verb | None = None
    """The verb that is its work: to clean, to mow."""
    in_everything: bool = False
    """Whether it is meant, too, where everything is to be switched."""
    left_on: bool = False
    """People leave it on, and ask whether any is."""
    told_alone: bool = False
    """Its name alone asks for it, or carries it out."""
    own_questions: bool = False
    """What is asked of it is what it holds (items, events, a forecast), and not its state."""
    bare_numbers: bool = False
    """Its numbers are said without their unit, too: "the thermostat is on 19"."""
    remedies: tuple[Remedy, ...] = ()
    """The complaints that it helps against."""
    told_as: tuple[str, ...] = ()
    """Deeds that a call on it may be told as, beside those of its actions: values of `claims.claim.ClaimedAction`."""
    exposed: bool = False
    """It is shown to the agent where Home Assistant's own list cannot be read."""

    # how it is
    states: tuple[str, ...] = ()
    """Those that are told."""
    switched: bool = False
    """It is on or off."""
    running: tuple[str, ...] = ()
    """What "on" is in the states of what has more to tell."""
    at_work: tuple[str, ...] = ()
    """States of what moves, cleans or plays, which a bare "stop" ends."""
    momentary: bool = False
    """Its state is the moment of its last use."""
    active: str = "on"
    """What a group of them shows where one of them is."""
    resting: str = "off"
    """What a group of them shows else; where nothing goes on."""
    doing: Doing | None = None
    """Where what it does is told beside its state."""
    measures: tuple[Measure, ...] = ()
    """What can be read of it, the likelier first."""
    without_days: bool = False
    """What it was in on a day is not worth telling."""

    # how it stands to safety
    guards: Mapping[str, frozenset[SafetyKind]] = field(default_factory=lambda: NOTHING)
    """What of a safe home it is, by device class; under "" where it has none of these."""
    guards_if_called: frozenset[SafetyKind] = frozenset()
    """The kinds of which one without a device class is that is called so."""
    name_tells: frozenset[NameTells] = frozenset()
    """What it may be by its name."""
    appliance: bool = False
    """It may be, or measure, an appliance that gets hot, by its name: "did I leave the oven on?" asks about it."""
    alarmed: tuple[str, ...] = ()
    """The states that tell of a danger, where not all but those of rest do."""
    harmless: tuple[str, ...] = ()
    """States that tell of none, beside those of rest."""

    simulated: Simulation = Simulation()

    @property
    def controllable(self) -> bool:
        """Whether it can be asked to do anything, and not only be read."""
        return bool(self.actions or self.setters)

    @property
    def known_states(self) -> tuple[str, ...]:
        """The states that a thing of it can be told to be in."""
        return (*(self.states or (ON_OFF if self.switched else ())), *self.running)
