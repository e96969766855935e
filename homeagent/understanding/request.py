"""What a person asks for, once it is understood: the same values whether the grammar or the words told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from enum import StrEnum
from typing import Any

from homeagent.history.when.find_times import When
from homeagent.languages.concepts import Attribute, PastWord, SafetyKind, Way
from homeagent.timers.due import Due, Upon
from homeagent.timers.timer import TimerAction, TimerKind
from indexer.selector import Selector

NOT_LATER, LEFT_ALONE = "no_timer", "left_alone"
"""The phrase for an order that would have to wait for what nothing waits for: it is done at once, or not at all."""
NOT_CHECKED = "no_condition"
"""The phrase for an order under a condition that is not understood as one."""
NOT_AHEAD = "not_ahead"
"""The phrase for how a thing will be."""
WHICH_TIME = "ask_when"
"""The question for the time of what is to be, which the next sentence may tell."""
WHICH_DAY = "ask_day"
"""The question for its day."""


ANNOUNCE = "announce"
"""The action that tells everybody a message."""
TIME_LEFT = "time_left"
"""What is asked of a timer of Home Assistant's, as an attribute."""


class Act(StrEnum):
    """What kind of thing is asked for."""

    CONTROL = "control"
    QUERY = "query"
    HISTORY = "history"
    TIME = "time"
    DATE = "date"
    TIMER = "timer"
    """Something is to happen later, or is done with what is: ``Request.timing`` tells."""
    UNDO = "undo"
    """What was done before is to be put back: ``Request.undoes``."""
    WRONG = "wrong"
    """What was said before went wrong: ``Request.undoes`` takes it back."""
    SAY = "say"
    """Only words are called for: ``Request.say`` names them."""


class Asked(StrEnum):
    """The form of a question, which is the form of its answer."""

    VALUE = "value"
    YESNO = "yesno"
    ANY = "any"
    ALL = "all"
    WHICH = "which"
    HOW_MANY = "how_many"
    WHERE = "where"
    WHEN = "when"
    HOW_LONG = "how_long"
    LOWEST = "min"
    HIGHEST = "max"


@dataclass(frozen=True, slots=True)
class Scope:
    """What a request is about: entity ids where they are known, else the properties of a set.

    ``named`` holds, for each thing that was named, every entity that the name fits: with more than one only the person
    can tell which is meant.
    """

    named: tuple[tuple[str, ...], ...] = ()
    selector: Selector = field(default_factory=Selector)
    every: bool = False
    either: bool = False
    """Whether one of those that are named is meant, and it is asked which."""

    @property
    def is_set(self) -> bool:
        """Whether the selector names any property."""
        s = self.selector
        return bool(s.domains or s.device_classes or s.area_ids or s.floor_ids or s.labels)


@dataclass(frozen=True, slots=True)
class Period:
    """``days`` whole local days from ``days_ago`` on: 0 is today; days to come are negative."""

    days_ago: int = 0
    days: int = 1


class Tell(StrEnum):
    """What is to be told about the past."""

    FIRST = "first"
    LAST = "last"
    TIMES = "times"
    """When, of a period: first and last."""
    COUNT = "count"
    TIME = "time"
    WHETHER = "whether"
    THROUGHOUT = "throughout"
    """Whether all the time."""
    CHANGES = "changes"
    AVERAGE = "avg"
    LOWEST = "min"
    HIGHEST = "max"
    SUM = "sum"
    WHY = "why"
    WHO = "who"
    HAPPENED = "happened"
    """What there was at all."""
    STATES = "states"
    """What it was."""
    ACTS = "acts"
    """Which automation, script or scene does it."""
    DOES = "does"
    """What an automation, a script or a scene does."""


class Away(StrEnum):
    """Whose absence limits the time."""

    EVERYBODY = "everybody"
    SPEAKER = "speaker"


@dataclass(frozen=True, slots=True)
class Asking:
    """One thing that the past is asked about: which of its states count, or of an attribute's."""

    entity_id: str
    states: tuple[str, ...] = ()
    attribute: str = ""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What was said of the things that the past is asked about: ``words`` about the past ("opened", "left"),
    ``states`` as pairs of a device class (or "default") and a raw state, ``attributes`` that are measured."""

    words: frozenset[PastWord]
    states: tuple[tuple[str, str], ...] = ()
    attributes: frozenset[Attribute] = frozenset()

    @property
    def raw(self) -> Mapping[str, tuple[str, ...]]:
        """The states by device class."""
        return {kind: tuple(raw for k, raw in self.states if k == kind) for kind, _ in self.states}


@dataclass(frozen=True, slots=True)
class Past:
    """A question about the past: of which things, what to tell, and over which periods, with the words these were said
    in.

    Without a period it reaches as far back as is recorded. ``of``: single things; empty: everything in the request's
    scope. ``away``: only while these people were away. ``wanted``: what to ask of other things when the question is
    repeated for them.
    """

    tell: Tell
    of: tuple[Asking, ...]
    periods: tuple[When, ...] = ()
    said: tuple[str, ...] = ()
    away: Away | None = None
    source: str = ""
    """Which kind of thing acts: automation, script, scene."""
    wanted: Wanted | None = None

    def wants(self, word: PastWord) -> bool:
        """Whether the question used this past word."""
        return self.wanted is not None and word in self.wanted.words

    @property
    def asks_who(self) -> bool:
        """Whether it asks who was there, which a motion sensor cannot tell."""
        return self.wants(PastWord.WHO) and self.wants(PastWord.SOMEBODY)


class Ask(StrEnum):
    """What is asked of each safety thing: whether it is amiss (open, unlocked, alarmed, on), fine,
    armed, or disarmed.
    """

    AMISS = "amiss"
    FINE = "fine"
    ARMED = "armed"
    DISARMED = "disarmed"


@dataclass(frozen=True, slots=True)
class SafetyQuestion:
    """A question in a ``language``. ``kinds``: what it is about; ``also``: what is told only where it is amiss.

    ``mode``: the armed state asked for ("armed_away"); empty: any. ``ask``: None asks for the states, without a yes or
    no. ``whole``: the safety of the whole house, so that what is fine is told in one word. ``sure``: whether everything
    fine means yes (a closed window is not locked). ``second``: the sentence was not understood, and this is about the
    things it names.
    """

    language: str
    kinds: tuple[SafetyKind, ...]
    ask: Ask | None
    also: tuple[SafetyKind, ...] = ()
    mode: str = ""
    whole: bool = False
    sure: bool = True
    second: bool = False


@dataclass(frozen=True, slots=True)
class Timing:
    """What is to happen later, or to be done with what is set.

    ``name``: what it is for, or of what somebody is to be reminded. ``due``: None where it was not said when, and it is
    asked, or where nothing new is set. ``more``: so much longer. ``every``: all of them are meant. ``ordered``: what
    an action does. ``back``: it is done now, and taken back when it is due. ``timer_id``: which one, where what was
    said before tells.
    """

    deed: TimerAction
    kind: TimerKind | None = None
    name: str = ""
    due: Due | None = None
    which: Due | None = None
    """When the one is due that is meant: "the alarm at 7"."""
    more: timedelta | None = None
    every: bool = False
    ordered: tuple[Request, ...] = ()
    only: Upon | None = None
    """What has to be so when it is due."""
    back: bool = False
    leads: bool = False
    """Whether the time was said before what is ordered."""
    timer_id: str = ""
    day: date | None = None
    """Which day of what repeats is to be left out."""
    also: tuple[Timing, ...] = ()
    """The same done with others: "timers for 5 and 10 minutes"."""

    @property
    def effect(self) -> tuple[object, ...]:
        """What comes of it, but for what is ordered."""
        return (
            self.deed,
            self.kind,
            self.name,
            self.due,
            self.only,
            self.which,
            self.more,
            self.every,
            self.back,
            self.timer_id,
            self.day,
            *(other.effect for other in self.also),
        )


class WeatherMeasure(StrEnum):
    """What the weather can be asked for by its measure."""

    WIND = "wind"
    HUMIDITY = "humidity"
    PRESSURE = "pressure"


@dataclass(frozen=True, slots=True)
class Contrast:
    """What is inside held against the open air, which ``outside`` measures. ``way``: which way it is to differ."""

    outside: str
    of: Attribute
    way: Way | None = None
    how_far: bool = False
    """Whether it is asked how far they are apart."""
    inside_first: bool = False


@dataclass(frozen=True, slots=True)
class Details:
    """What a question says besides whom it is about.

    ``when``: the day or the hours as they were said. ``hours``: from and to, as numbers of the clock. ``title``: of an
    event. ``item``: what is looked for on a list. ``than`` and ``way``: the number that is to be compared with.
    """

    when: str = ""
    hours: tuple[float, float] | None = None
    title: str = ""
    rain: bool = False
    """Whether the chance of rain counts."""
    measure: WeatherMeasure | None = None
    item: str = ""
    than: float | None = None
    way: Way | None = None
    contrast: Contrast | None = None


@dataclass(frozen=True, slots=True)
class About:
    """What a phrase that is said instead of doing anything speaks of.

    ``text``: what was said, and nothing is called so. ``kinds``: the domains or device classes of which there is none.
    ``domains``, ``area_ids``: what was named beside the text. ``complaint``: what a suggestion answers. ``choices``:
    all that the thing called ``name`` can be set to.
    """

    text: str = ""
    kinds: tuple[str, ...] = ()
    domains: tuple[str, ...] = ()
    area_ids: tuple[str, ...] = ()
    complaint: str = ""
    name: str = ""
    choices: tuple[str, ...] = ()

    @property
    def words(self) -> dict[str, str]:
        """As the fields of phrases are called; ``kinds`` is there only where one is named."""
        told = {"text": self.text, "what": self.complaint, "name": self.name, "choices": ", ".join(self.choices)}
        return {**told, "kinds": " ".join(self.kinds)} if self.kinds else told


@dataclass(frozen=True, slots=True)
class Given:
    """What has to be so now: the question that is to be answered with yes, or, ``denied``, with no."""

    asked: Request
    denied: bool = False


@dataclass(frozen=True, slots=True)
class Request:
    """One thing that is asked for.

    ``states`` are raw states that a question asks about ("open" of a door's sensor is ``on``), or a condition names;
    ``say`` is the key of a phrase and ``about`` what it speaks of.
    """

    act: Act
    scope: Scope = Scope()
    action: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    of_present: bool = False
    """Whether a step is a share of what it is now: "by half" of 30 percent is 15."""
    way: Way | None = None
    """Which way a share said in no number is to move it: "down to half" never raises."""
    asked: Asked = Asked.VALUE
    states: tuple[str, ...] = ()
    attribute: str = ""
    period: Period | None = None
    past: Past | None = None
    safety: SafetyQuestion | None = None
    timing: Timing | None = None
    say: str = ""
    about: About = About()
    details: Details = Details()
    undoes: tuple[Request, ...] = ()
    """What takes back what went wrong; none where nothing was done, or that is not known."""
    given: Given | None = None
    """Under which condition it is done; looked at when it is."""
    stays: bool = False
    """Whether what was wrong was done, and nothing takes it back."""
    intent: str = ""
    """Home Assistant's name of the intent, where the grammar told."""
    response: str = ""
    """The key of Home Assistant's own response to it."""
