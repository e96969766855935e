"""What is known of a domain: what it can be asked, its states, what it measures, how it stands among the others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntFlag
from typing import Any

from homeagent.domains.service import NOTHING, Service

ON_OFF = ("on", "off")


@dataclass(frozen=True, slots=True)
class Measure:
    """Where something that people ask for is to be read.

    ``of``: the name of what is asked for (a value of `languages.concepts.Attribute`). ``reads``: an attribute of the
    state (empty: the state itself), of things of ``device_class`` (empty: of all).
    """

    of: str
    reads: str = ""
    device_class: str = ""


@dataclass(frozen=True, slots=True)
class Choices:
    """A list of its own that a thing is set from: the attribute that holds it, and the parameter that chooses."""

    offered: str
    parameter: str


@dataclass(frozen=True, slots=True)
class Simulation:
    """How the simulated home has a thing of which its inventory is silent.

    ``start``: its first state. ``usual``: the features that it has, beside those that an attribute tells of
    (``told_by``). ``unrecorded``: attributes that Home Assistant keeps out of its history.
    """

    start: str = "unknown"
    attributes: Mapping[str, Any] = field(default_factory=lambda: NOTHING)
    usual: int = 0
    told_by: Mapping[str, int] = field(default_factory=lambda: NOTHING)
    unrecorded: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Profile:
    """All that the agent knows of a domain, but for its words (`languages/`) and its dangers (`policy/effects.yaml`).

    Asked to do: ``actions`` by our word; ``setters`` are reached by ``set_value`` and by parameters beside
    ``turn_on``; ``same`` maps other words to ours; ``value`` names the parameter that a bare ``value`` stands for;
    ``features`` are the bits of ``supported_features``.

    Spoken of: ``rank`` tells how readily it is meant where no kind is named (1 first; None: never guessed). ``meant``
    maps an action that is said of it to the one that is meant; ``only_by_grammar`` are those of them that Home
    Assistant's own sentences mean, and nobody else is sure to. ``in_everything``: "everything" means it, too.
    ``exposed``: shown to the agent where Home Assistant's own list cannot be read.

    States: ``states`` are those that are told; ``switched`` things are on or off. ``running``: what "on" is in the
    states of what has more to tell. ``at_work``: states of what moves, cleans or plays, which a bare "stop" ends.
    ``momentary``: its state is the moment of its last use. ``active`` and ``resting``: what a group of them shows.

    ``measures``: what can be read of it, the likelier first. ``choices``: lists that it is set from.
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
    in_everything: bool = False
    exposed: bool = False
    states: tuple[str, ...] = ()
    switched: bool = False
    running: tuple[str, ...] = ()
    at_work: tuple[str, ...] = ()
    momentary: bool = False
    active: str = "on"
    resting: str = "off"
    measures: tuple[Measure, ...] = ()
    choices: tuple[Choices, ...] = ()
    simulated: Simulation = Simulation()

    @property
    def controllable(self) -> bool:
        """Whether it can be asked to do anything, and not only be read."""
        return bool(self.actions or self.setters)

    @property
    def known_states(self) -> tuple[str, ...]:
        """The states that a thing of it can be told to be in."""
        return (*(self.states or (ON_OFF if self.switched else ())), *self.running)
