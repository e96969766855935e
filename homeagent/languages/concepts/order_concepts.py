"""What words say of what is to be done, and how much of it."""

from __future__ import annotations

from homeagent.languages.concepts.concept_sort import ConceptSort


class Verb(ConceptSort):
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


class Particle(ConceptSort):
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


class Way(ConceptSort):
    """Which way a value is moved."""

    UP = "up"
    DOWN = "down"


class Dimension(ConceptSort):
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


class Mode(ConceptSort):
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


class Listed(ConceptSort):
    """What is set to one of a thing's own choices, as Home Assistant names the parameter."""

    SOURCE = "source"
    EFFECT = "effect"
    PRESET = "preset_mode"
    FAN_MODE = "fan_mode"
    SUCTION = "fan_speed"


class FanMotion(ConceptSort):
    """How a fan blows, besides how fast."""

    SWINGING = "swinging"
    STILL = "still"
    FORWARD = "forward"
    REVERSE = "reverse"


class Playback(ConceptSort):
    """How a player goes through what it plays."""

    SHUFFLE = "shuffle"
    REPEAT = "repeat"
    REPEAT_ONE = "repeat_one"


class ArmingMode(ConceptSort):
    """What an alarm watches for: with people at home, with nobody there, at night."""

    HOME = "home"
    AWAY = "away"
    NIGHT = "night"


class Amount(ConceptSort):
    """How much, in no number."""

    SMALL = "small"
    LARGE = "large"


class Unit(ConceptSort):
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
