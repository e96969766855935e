"""What is known of a domain: what it can be asked, its states, what it measures, how it stands among the others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntFlag, StrEnum
from typing import Any

from homeagent.domains.service import NOTHING, Service

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
    """What can be done about how it is somewhere. ``complaint``: a value of `languages.concepts.Complaint`."""

    complaint: str
    action: str
    parameters: Mapping[str, Any] = field(default_factory=lambda: NOTHING)


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
    """All that the agent knows of a domain, but for its words (`languages/`) and its dangers (`policy/effects.yaml`).

    Asked to do: ``actions`` by our word; ``setters`` are reached by ``set_value`` and by parameters beside
    ``turn_on``; ``same`` maps other words to ours; ``value`` names the parameter that a bare ``value`` stands for;
    ``features`` are the bits of ``supported_features``.

    Spoken of: ``rank`` tells how readily it is meant where no kind is named (1 first; None: never guessed). ``meant``
    maps an action that is said of it to the one that is meant; ``only_by_grammar`` are those of them that Home
    Assistant's own sentences mean, and nobody else is sure to. ``chore``: the verb that is its work (a value of
    `languages.concepts.Verb`). ``in_everything``: "everything" means it, too. ``left_on``: people leave it on, and ask
    whether any is. ``told_alone``: its name alone asks for it, or carries it out. ``own_questions``: what is asked of
    it is what it holds (items, events, a forecast) and not its state. ``bare_numbers``: its numbers are said without
    their unit, too ("the thermostat is on 19"). ``remedies``: what complaints it helps against. ``exposed``: shown to
    the agent where Home Assistant's own list cannot be read.

    States: ``states`` are those that are told; ``switched`` things are on or off. ``running``: what "on" is in the
    states of what has more to tell. ``at_work``: states of what moves, cleans or plays, which a bare "stop" ends.
    ``momentary``: its state is the moment of its last use. ``active`` and ``resting``: what a group of them shows.
    ``doing``: where what it does is told beside its state. ``measures``: what can be read of it, the likelier first.
    ``choices``: lists that it is set from. ``without_days``: what it was in on a day is not worth
    telling.
    """

    domain: str
    actions: Mapping[str, Service] = field(default_factory=lambda: NOTHING)
    setters: tuple[Service, ...] = ()
    same: Mapping[str, str] = field(default_factory=lambda: NOTHING)
    value: str = ""
    features: type[IntFlag] | None = None
    rank: int | None = None
    meant: Mapping[str, str] = field(default_factory=lambda: NOTHING)
    only_by_grammar: frozenset[str] = frozenset()
    chore: str = ""
    in_everything: bool = False
    left_on: bool = False
    told_alone: bool = False
    own_questions: bool = False
    bare_numbers: bool = False
    remedies: tuple[Remedy, ...] = ()
    exposed: bool = False
    states: tuple[str, ...] = ()
    switched: bool = False
    running: tuple[str, ...] = ()
    at_work: tuple[str, ...] = ()
    momentary: bool = False
    active: str = "on"
    resting: str = "off"
    doing: Doing | None = None
    measures: tuple[Measure, ...] = ()
    choices: tuple[Choices, ...] = ()
    without_days: bool = False
    simulated: Simulation = Simulation()

    @property
    def controllable(self) -> bool:
        """Whether it can be asked to do anything, and not only be read."""
        return bool(self.actions or self.setters)

    @property
    def known_states(self) -> tuple[str, ...]:
        """The states that a thing of it can be told to be in."""
        return (*(self.states or (ON_OFF if self.switched else ())), *self.running)
