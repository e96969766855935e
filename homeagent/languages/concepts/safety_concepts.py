"""What is said where safety is asked about."""

from __future__ import annotations

from dataclasses import dataclass

from homeagent.languages.concepts.concept_sort import ConceptSort


class SafetyKind(ConceptSort):
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


class SafetyWord(ConceptSort):
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


class SafetyState(ConceptSort):
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
