"""The closed sets of things that a word of any language can stand for. Code speaks of these, never of words.

The enums are no texts: two concepts of different sorts are never equal, even if they are called the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class _Sort(Enum):
    """An enum whose members are looked up by what they are, not by their names: that happens thousands of times a
    sentence."""

    __hash__ = object.__hash__


class Verb(_Sort):
    """What is to be done. ``DO`` is neutral ("set", "put", "make"): particle, direction or value say what."""

    DO = "do"
    TURN_ON = "turn_on"
    TURN_OFF = "turn_off"
    TOGGLE = "toggle"
    OPEN = "open"
    CLOSE = "close"
    LOCK = "lock"
    UNLOCK = "unlock"
    START = "start"
    STOP = "stop"
    PAUSE = "pause"
    PLAY = "play"
    NEXT = "next"
    PREVIOUS = "previous"
    MUTE = "mute"
    UNMUTE = "unmute"
    RETURN_TO_BASE = "return_to_base"
    PRESS = "press"
    CLEAN = "clean"
    MOW = "mow"
    ARM = "arm"
    """To have an alarm watch; `ArmingMode` says over whom."""
    DISARM = "disarm"
    MAKE = "make"
    """To have something made: "brew", "prepare"."""
    KEEP = "keep"
    """To leave as it is: "leave it on". Beside a mere state it orders nothing."""
    LOCATE = "locate"
    """To have a thing make itself heard."""
    HEAR = "hear"
    """To have something played by its title: "listen to"."""


class Particle(_Sort):
    """A word beside a neutral verb, or alone, that says which way: "on", "off", "up"."""

    ON = "on"
    OFF = "off"
    OUT = "out"
    """Off, or of what unfolds: opened."""
    UP = "up"
    DOWN = "down"
    OPENED = "opened"
    CLOSED = "closed"
    LOCKED = "locked"
    UNLOCKED = "unlocked"


class Way(_Sort):
    """Which way a value is moved."""

    UP = "up"
    DOWN = "down"


class Dimension(_Sort):
    """What of a thing can be set or moved by a number."""

    BRIGHTNESS = "brightness"
    TEMPERATURE = "temperature"
    VOLUME = "volume"
    SPEED = "speed"
    POSITION = "position"
    HUMIDITY = "humidity"
    TILT = "tilt"
    VALUE = "value"
    COLOUR = "colour"


class Mode(_Sort):
    """A mode of a thermostat or a fan, as Home Assistant names it."""

    HEAT = "heat"
    COOL = "cool"
    AUTO = "auto"
    DRY = "dry"
    HEAT_COOL = "heat_cool"
    FAN_ONLY = "fan_only"
    ECO = "eco"
    AWAY = "away"
    COMFORT = "comfort"
    SLEEP = "sleep"
    HOME = "home"
    BOOST = "boost"
    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


class Listed(_Sort):
    """What is set to one of a thing's own choices, as Home Assistant names the parameter."""

    SOURCE = "source"
    EFFECT = "effect"
    PRESET = "preset_mode"
    FAN_MODE = "fan_mode"
    SUCTION = "fan_speed"


class FanMotion(_Sort):
    """How a fan blows, besides how fast."""

    SWINGING = "swinging"
    STILL = "still"
    FORWARD = "forward"
    REVERSE = "reverse"


class ArmingMode(_Sort):
    """What an alarm watches for: with people at home, with nobody there, at night."""

    HOME = "home"
    AWAY = "away"
    NIGHT = "night"


class Amount(_Sort):
    """How much, in no number."""

    SMALL = "small"
    LARGE = "large"


class Unit(_Sort):
    """What a number counts."""

    PERCENT = "percent"
    DEGREE = "degree"
    KELVIN = "kelvin"
    SECOND = "second"
    MINUTE = "minute"
    HOUR = "hour"
    DAY = "day"
    OCLOCK = "oclock"
    NTH = "nth"
    """Makes of a number which one it is: of days, the date."""


class Role(_Sort):
    """What a small word does in a sentence."""

    TO = "to"
    """Leads what a value is set to."""
    BY = "by"
    """Leads by how much a value is moved."""
    AT = "at"
    """Leads a value that has a unit, or else a time of the day."""
    EVERY = "every"
    EVERYTHING = "everything"
    EXCEPT = "except"
    JOIN = "join"
    OR = "or"
    PRONOUN = "pronoun"
    NEGATION = "negation"
    CONDITION = "condition"
    REASON = "reason"
    STATEMENT = "statement"
    """Opens what tells and asks nothing: "we", "there is"."""
    COPULA = "copula"
    """Says how something is: beside it a mere particle describes and orders nothing."""
    AUXILIARY = "auxiliary"
    """Says with a subject that something was done, or would have been: "she has", "ich habe". Nothing is ordered."""
    REPORT = "report"
    """Tells what somebody else said or wants: never an order."""
    TOLD = "told"
    """A verb that tells of a deed: "forgot to", "my son tried to". What hangs on it is never an order."""
    ENSURE = "ensure"
    """Leads how something is to be: "make sure that it is off" orders what makes it so."""
    MATTER = "matter"
    """What one has to say or to ask for, not a thing of the home: "two things: …", "one more request"."""
    DELEGATION = "delegation"
    """Hands an order to the thing that is named behind it: "tell Robbie to clean"."""
    HERE = "here"
    WHOLE_HOME = "whole_home"
    PLACE = "place"
    """Leads a place: "in", "of"."""
    TIME = "time"
    """Another time than now: "tomorrow morning", "at sunset"."""
    TIMER = "timer"
    DIFFERENCE = "difference"
    """How far apart two are."""
    BETWEEN = "between"
    """Leads the two numbers that a value is to stay between."""
    ABOVE = "above"
    """Leads a number that something may be higher than."""
    BELOW = "below"
    WITH = "with"
    """Leads what something is to have."""
    HALF = "half"
    """Half of one more, behind a number or its unit: "and a half"."""
    CODE = "code"
    """Speaks of the code that is said with an order: "with pin". The digits themselves are taken out before."""
    COURTESY = "courtesy"
    ARTICLE = "article"
    """Stands before a noun: an article, or whose it is. What nothing explains is a noun behind one."""
    FILLER = "filler"


class Form(_Sort):
    """In what form a verb is said."""

    INFINITIVE = "infinitive"
    """With the word that leads it ("auszuschalten", "te doen"): it hangs on what is said before."""


class Reference(_Sort):
    """How a word leans on what was said before it."""

    OTHER = "other"
    """Not what was spoken of, but what is like it."""
    ONES = "ones"
    """Several of the kind that was spoken of."""
    BOTH = "both"
    AGAIN = "again"
    """Once more, or as it was before."""
    MORE = "more"
    """As much again, the same way: "a bit more" of what was lowered lowers it."""
    SAME = "same"
    TOO = "too"
    """For this one as well: "too", "what about"."""
    INSTEAD = "instead"
    """What was said before was meant otherwise: "no, I meant"."""
    CORRECTS = "corrects"
    """Puts right within a sentence what was said right before: "the lamp, no, the fan"."""
    LEFT = "left"
    """Those that are still so."""
    UNDO = "undo"
    THERE = "there"
    """Where what was spoken of is."""
    INDOORS = "indoors"
    NEXT_DAY = "next_day"
    """The day after the one that was spoken of."""


class Question(_Sort):
    """The form of a question."""

    YESNO = "yesno"
    ANY = "any"
    ALL = "all"
    WHICH = "which"
    HOW_MANY = "how_many"
    WHERE = "where"
    WHEN = "when"
    HOW_LONG = "how_long"
    VALUE = "value"
    OTHER = "other"
    """Asks what no state tells: why, how to."""


class Attribute(_Sort):
    """What of a thing can be asked for."""

    BRIGHTNESS = "brightness"
    COLOUR = "color"
    TEMPERATURE = "temperature"
    TARGET_TEMPERATURE = "target_temperature"
    HUMIDITY = "humidity"
    PRESSURE = "pressure"
    """Of the air."""
    VOLUME = "volume"
    POSITION = "position"
    FAN_SPEED = "fan_speed"
    BATTERY = "battery"
    POWER = "power"
    ENERGY = "energy"
    MEDIA = "media"
    MODE = "mode"
    DOING = "doing"
    """What a thing as a whole is at."""
    FINISHED = "finished"
    """Whether it has come to its end."""


class ListAction(_Sort):
    """What is done with a list or what is on it."""

    ADD = "add"
    REMOVE = "remove"
    COMPLETE = "complete"
    NEW = "new"
    """A list of its own is to be made."""
    WIPE = "wipe"
    """All of it is to go."""
    ITEM = "item"
    """Speaks of an item without naming it."""


class ShoppingWord(_Sort):
    """What speaks of what is to be bought, without a list."""

    BUY = "buy"
    """To buy, where one buys, and what one buys there: "supermarket", "groceries"."""
    NEED = "need"
    GONE = "gone"
    """That none is left: "we are out of", "is finished"."""


class Sky(_Sort):
    """A kind of weather."""

    RAIN = "rain"
    SNOW = "snow"
    SUN = "sun"
    WIND = "wind"
    STORM = "storm"
    FOG = "fog"
    CLOUDS = "clouds"


class DayWord(_Sort):
    """A day or a stretch of days, seen from today."""

    YESTERDAY = "yesterday"
    TODAY = "today"
    TOMORROW = "tomorrow"
    AFTER_TOMORROW = "after_tomorrow"
    WEEK = "week"
    LAST_WEEK = "last_week"
    NEXT_WEEK = "next_week"
    MONTH = "month"
    WEEKEND = "weekend"
    MONDAY = "monday"
    TUESDAY = "tuesday"
    WEDNESDAY = "wednesday"
    THURSDAY = "thursday"
    FRIDAY = "friday"
    SATURDAY = "saturday"
    SUNDAY = "sunday"


class Clock(_Sort):
    """What a clock or a calendar on the wall tells."""

    TIME = "time"
    DATE = "date"


class Chat(_Sort):
    """What is only said, and answered in kind."""

    HELLO = "hello"
    THANKS = "thanks"
    HELP = "help"
    IDENTITY = "identity"
    NOTHING = "nothing"
    WELCOME = "welcome"
    """Said by one who comes home."""
    FAREWELL = "farewell"
    """Said by one who leaves, or goes to sleep."""
    RIGHT = "right"
    """What was answered or done is as it should be."""
    WRONG = "wrong"
    MATTERS = "matters"
    """How much something means to somebody: beside a negation, nothing."""
    JOKE = "joke"


class Complaint(_Sort):
    """How it is, said of a place or of oneself."""

    DARK = "dark"
    BRIGHT = "bright"
    COLD = "cold"
    HOT = "hot"
    LOUD = "loud"
    QUIET = "quiet"


class Topic(_Sort):
    """Words that say what a clause is about, and nothing of what is to be done."""

    WEATHER = "weather"
    CALENDAR = "calendar"
    UPCOMING = "upcoming"
    OUTDOORS = "outdoors"
    SUNRISE = "sunrise"
    SUNSET = "sunset"
    MEDIA = "media"


class Purpose(_Sort):
    """What a thing is there for, where people name that instead of the thing."""

    COFFEE = "coffee"
    WATERING = "watering"
    WATER = "water"
    """The supply, which a valve lets through."""
    GAS = "gas"
    CHARGING = "charging"
    """Of a car."""
    WAKING = "waking"
    """Only told: when one is woken."""


class PastWord(_Sort):
    """What is asked of the past, or done in it; only looked for where a time gone by is asked about."""

    FIRST = "first"
    LAST = "last"
    HOW_LONG = "how_long"
    HOW_OFTEN = "how_often"
    HOW_MUCH = "how_much"
    WHEN = "when"
    HIGHEST = "max"
    LOWEST = "min"
    AVERAGE = "avg"
    OPENED = "opened"
    CLOSED = "closed"
    LOCKED = "locked"
    UNLOCKED = "unlocked"
    TURNED_ON = "turned_on"
    TURNED_OFF = "turned_off"
    RAN = "ran"
    LEFT = "left"
    CAME = "came"
    AT_HOME = "at_home"
    SOMEBODY = "there"
    CHANGED = "changed"
    COUNTED = "counted"
    """What a meter counts was used or made."""
    ROSE = "rose"
    """Became so: of what is measured, the highest."""
    WHY = "why"
    WHO = "who"
    HAPPENED = "happened"
    NOBODY = "nobody"
    ALL_AWAY = "away"
    SPEAKER_AWAY = "me_away"
    BY_AUTOMATION = "acts_automation"
    """Which automation does something."""
    BY_SCRIPT = "acts_script"
    BY_SCENE = "acts_scene"
    DOES = "does"
    """What an automation, a script or a scene does."""
    THROUGHOUT = "throughout"
    WHOLE = "whole"
    """Right before a time: throughout it."""
    WHICH_DAY = "which_day"
    WAS = "was"
    """Tells that it is past."""
    WILL = "will"
    """Tells that it is to come: then nothing is asked about the past."""
    BESIDE = "aside"
    """Adds nothing."""


class Courteous(_Sort):
    """What a word does in a courtesy of several words: "would you be so kind", "if you have a minute"."""

    ASKED = "asked"
    """Who is asked, or the verb that bids them: "you", "be"."""
    ABLE = "able"
    """By which verb they are: "could", "would"."""
    KIND = "kind"
    """What makes it a courtesy: "kind", "mind", "appreciate"."""
    OCCASION = "occasion"
    """What makes one of a condition: "time", "trouble", "possible"."""
    LIGHT = "light"
    """A verb that says little, with which one may end: "is", "has"."""
    THAT = "that"
    """Leads what is asked for: "that", "whether"."""
    LINK = "link"
    """What may stand between these: "so", "a", "it"."""
    LEADS = "leads"
    """What may stand behind one, and leads what is asked for: "to", "and"."""


class SafetyKind(_Sort):
    """What guards a home, or endangers it: what a question about safety can be about."""

    SMOKE = "smoke"
    FIRE = "fire"
    """Told by what notices smoke or heat."""
    GAS = "gas"
    CARBON_MONOXIDE = "carbon_monoxide"
    LEAK = "leak"
    LOCK = "lock"
    DOOR = "door"
    WINDOW = "window"
    GARAGE = "garage"
    GATE = "gate"
    OPENING = "opening"
    """A contact of which nothing tells what it is on."""
    ALARM = "alarm"
    SIREN = "siren"
    STOVE = "stove"
    OVEN = "oven"
    IRON = "iron"
    MOTION = "motion"
    PRESENCE = "presence"
    """Somebody who is there, as what notices motion tells, too."""
    UNSAFE = "unsafe"
    """What reports that it is unsafe, or was tampered with."""
    HEAT = "heat"
    """Whatever can start a fire, by its name."""
    GAS_VALVE = "gas_valve"
    TAP = "tap"
    """A valve of anything but gas."""
    GUARD = "guard"
    """What watches, records or locks up by itself, and can be switched off."""


class SafetyWord(_Sort):
    """What is said where safety is asked about, beside kinds and their states."""

    WELL = "well"
    """As it should be, of a thing or of all: "all right"."""
    FINE = "fine"
    """All of it is: "safe and sound"."""
    WRONG = "wrong"
    """Something is not: "danger", "anything to worry about"."""
    MAY = "may"
    """Asks for leave: "can I", "is it safe to"."""
    GOING = "going"
    """To be away, or to sleep."""
    DONE = "done"
    """Who of the house has done it: then it is asked how it is now. "did I", "has somebody"."""
    FORGOT = "forgot"
    """That it was not done: "forgot to"."""
    WAS = "was"
    """It is asked how it was: "has been", "went"."""
    NONE = "none"
    """Not one of them."""
    BESIDE = "beside"
    """What changes nothing of such a question: "before I left", "anywhere"."""
    STILL = "still"
    """Tells that the state of a thing matters: "still", "again", "hot"."""
    DOUBT = "doubt"
    """Asks without the form of a question: "can't remember", "I wonder"."""
    AT_LARGE = "at_large"
    """Speaks of such things as such, not of those of a home: "price", "recipe"."""


class SafetyState(_Sort):
    """How what guards a home may be said to be."""

    OPEN = "open"
    CLOSED = "closed"
    LOCKED = "locked"
    UNLOCKED = "unlocked"
    ON = "on"
    OFF = "off"
    ARMED = "armed"
    DISARMED = "disarmed"
    ALARMED = "alarmed"
    """It sounds: "gone off"."""
    PRESENT = "present"
    """What it looks for is there: "detected", "smells of"."""
    QUIET = "quiet"


@dataclass(frozen=True, slots=True)
class SafetySign:
    """By what people name a danger in a sentence, though no thing is called so: "a puddle"."""

    kind: SafetyKind


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


Concept = (
    Verb
    | Particle
    | Dimension
    | Mode
    | Listed
    | FanMotion
    | ArmingMode
    | Amount
    | Unit
    | Role
    | Form
    | Reference
    | Question
    | Attribute
    | ListAction
    | ShoppingWord
    | Sky
    | DayWord
    | Clock
    | Chat
    | Complaint
    | Topic
    | Purpose
    | PastWord
    | SafetyKind
    | SafetySign
    | SafetyState
    | SafetyWord
    | Heading
    | Extreme
    | Ordinal
    | Level
    | White
    | Colour
    | Count
    | StateWord
)
"""What a phrase of a pack can stand for. Its type is its sort."""
