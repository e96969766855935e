"""What of a home has a history worth telling, and how the days of each kind of thing are told. Words are data."""

from __future__ import annotations

import importlib.resources
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from typing import Any

from homeagent.domains import MeasureUnit, Profile, profile_of
from homeagent.ha.home import State
from homeagent.history.sums import METERS
from homeagent.prompting.firewall import clean
from indexer.entity import Entity

_LONGEST_WORD = 60


class Kind(StrEnum):
    """What a summary tells about."""

    OPENING = "opening"
    """Doors, windows, covers, valves, locks."""
    PRESENCE = "presence"
    ACTIVITY = "activity"
    """Motion, sound, smoke: what was noticed."""
    SWITCHED = "switched"
    MODE = "mode"
    """One of several states: heating, playing, armed, a choice."""
    MEASURED = "measured"
    METERED = "metered"
    TEXT = "text"
    EVENT = "event"
    """What has no length: a press, a run of an automation."""
    AREA = "area"
    NOTHING = "nothing"
    """Nothing is recorded of the day."""


_SIGNS = {MeasureUnit.DEGREE: "°", MeasureUnit.PERCENT: " %"}
"""How what is measured all the time is told."""
ORDER = (
    Kind.PRESENCE,
    Kind.OPENING,
    Kind.ACTIVITY,
    Kind.MODE,
    Kind.SWITCHED,
    Kind.EVENT,
    Kind.METERED,
    Kind.MEASURED,
    Kind.TEXT,
)
"""The kinds that say most first."""


@dataclass(frozen=True, slots=True)
class Telling:
    """How a kind of thing is told.

    ``words``: state to word; states with the same word are one. ``rest``: the words of nothing going on. ``begun``:
    what entering a word is called. ``attribute``: where what happened is not the state but this attribute.

    Attributes that are told beside the state: ``does``, what it does (but for what is ``idle``); ``measures`` and
    ``set_to``, numbers in ``unit``.
    """

    kind: Kind
    words: Mapping[str, str] = field(default_factory=dict)
    rest: frozenset[str] = frozenset()
    begun: Mapping[str, str] = field(default_factory=dict)
    attribute: str | None = None
    does: str | None = None
    idle: frozenset[str] = frozenset()
    measures: str | None = None
    set_to: str | None = None
    unit: str = ""

    @property
    def needs_attributes(self) -> bool:
        """Whether states alone do not tell it, so that the recorder is asked for attributes too."""
        return any((self.attribute, self.does, self.measures, self.set_to))

    def word(self, state: str) -> str:
        """What a state is called: at most 60 characters, whatever a device says."""
        plain = state if self.kind is Kind.TEXT else state.replace("_", " ")
        return self.words.get(state) or clean(plain, _LONGEST_WORD)


@dataclass(frozen=True, slots=True)
class Thing:
    """What of an entity decides how its days are told. ``state_class``: Home Assistant's, of sensors that measure."""

    entity_id: str
    device_class: str | None = None
    unit: str | None = None
    state_class: str | None = None

    @property
    def domain(self) -> str:
        """Home Assistant's domain, from the id."""
        return self.entity_id.partition(".")[0]

    @property
    def telling(self) -> Telling:
        """How things of its domain and device class are told."""
        return telling_of(self.domain, self.device_class)

    @property
    def measures(self) -> bool:
        """Whether its states are numbers by declaration."""
        return self.domain == "sensor" and bool(self.state_class or self.unit)

    @property
    def counts_up(self) -> bool:
        """Whether it is a meter: its state class is ``total`` or ``total_increasing``."""
        return self.state_class in METERS


def thing_of(entity: Entity, state: State | None) -> Thing | None:
    """The entity as a thing with a history; None where there is nothing in it for a person.

    Left out: what is hidden or there to set up or diagnose a device, kinds that have no days (updates, cameras), and
    clocks such as a device's last start, which only beat.
    """
    left_out = _data()["left_out"]
    if not entity.in_plurals or entity.entity_id in left_out["entities"]:
        return None
    if not tellable(entity.domain) or entity.device_class in left_out["device_classes"]:
        return None
    state_class = state.attributes.get("state_class") if state else None
    return Thing(
        entity.entity_id, entity.device_class, entity.unit, state_class if isinstance(state_class, str) else None
    )


def tellable(domain: str) -> bool:
    """Whether there is a way to tell days of things of this domain."""
    profile = profile_of(domain)
    return domain in _data()["tellings"] or bool(profile.known_states and not profile.without_days)


@cache
def telling_of(domain: str, device_class: str | None) -> Telling:
    """How things of this domain and device class are told: in words of their own, else by what the profile says."""
    if domain not in _data()["tellings"]:
        return _usual(profile_of(domain))
    found = _entry(domain, device_class or "")
    sets = {name: frozenset(found.get(name, ())) for name in ("rest", "idle")}
    return Telling(**{**found, **sets, "kind": Kind(found["kind"])})


def _usual(profile: Profile) -> Telling:
    """What is in a state; beside it what it does, what it measures, and what it is set to."""
    measured = next((m for m in profile.measures if m.unit in _SIGNS and m.reads and not m.wished), None)
    wished = next((m for m in profile.measures if m.wished and m.reads == profile.value), None)
    told = measured if measured is not None and wished is not None else None
    return Telling(
        Kind.MODE if profile.states or profile.running else Kind.SWITCHED,
        rest=frozenset({profile.resting}),
        does=profile.doing.attribute if profile.doing else None,
        idle=profile.doing.idle if profile.doing else frozenset(),
        measures=told.reads if told else None,
        set_to=wished.reads if wished else None,
        unit=_SIGNS[told.unit] if told and told.unit else "",
    )


def noise(device_class: str | None, level: float) -> float:
    """How much a measurement around ``level`` may move without anything having happened, in its unit."""
    told = _data()["noise"]
    absolute = told["absolute"].get(device_class)
    return float(absolute) if absolute is not None else float(told["share"]) * abs(level)


def _entry(domain: str, device_class: str) -> Mapping[str, Any]:
    of_domain = _data()["tellings"][domain]
    found: Mapping[str, Any] = of_domain.get(device_class) or of_domain[""]
    like = found.get("like")
    if like is None:
        return found
    return _entry(domain, like) if like in of_domain else _entry(like, "")


@cache
def _data() -> Mapping[str, Any]:
    text = importlib.resources.files(__package__ or "").joinpath("words.json").read_text(encoding="utf-8")
    data: Mapping[str, Any] = json.loads(text)
    return data
