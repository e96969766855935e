"""What a clause wants done, before it is known to whom: an action and the settings that go with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from homeagent.brains.language.lexicon import Spot
from homeagent.brains.language.reading import Reading
from homeagent.brains.local.meaning import settings
from homeagent.brains.local.meaning.abilities import domains_for

_WHOLLY = "100"
"""The level of "completely"."""
_LEAD = 3
"""So many words after a "to" the mode may stand that it leads."""
_ARMED = {"away": "arm_away", "home": "arm_home", "night": "arm_night"}


@dataclass(frozen=True, slots=True)
class Wish:
    """An action with its parameters, before it is known whom it is for."""

    action: str
    parameters: Mapping[str, Any]
    ordered: bool = True
    """Whether more than a bare particle says so: "on" is an order of a lamp, and a preposition elsewhere."""

    @property
    def domains(self) -> tuple[str, ...]:
        return domains_for(self.action, self.parameters)


def wish_for(reading: Reading, domains: tuple[str, ...]) -> Wish | None:
    """What is to be done to things of these domains, where it is known whom it is about (none: it is not)."""
    if moved := _moved(reading, domains):
        return Wish(moved, {})
    if domains == ("alarm_control_panel",) and any(s.concept in _ARMED for s in reading.of("modes")):
        mode = _mode_wanted(reading)
        return Wish(_ARMED[mode], {}) if mode in _ARMED else None
    parameters = settings.settings_of(reading, domains)
    action = _action(reading)
    if parameters:
        if action in ("turn_off", "pause", "lock", "unlock"):
            # "off completely" is off, and so is "the heating off"
            off = reading.first("levels") == _WHOLLY or _only_names(reading)
            return Wish(action, {}) if off and not _sets_more(reading) else None
        return Wish("turn_on" if settings.is_light(parameters) else "set_value", parameters)
    return Wish(action, {}, ordered=bool(_strong(reading))) if action else None


def _mode_wanted(reading: Reading) -> str | None:
    """The mode that is said; of several the one that a "to" leads ("from away to home"). None where it is not sure."""
    said = reading.of("modes")
    leads = [s.positions[-1] for s in reading.of("to") if s.concept == "to"]
    if any(all(lead > p for s in said for p in s.positions) and max(reading.left, default=-1) > lead for lead in leads):
        return None  # "from away to" what nothing explains
    if len(concepts := {s.concept for s in said}) == 1:
        return next(iter(concepts))
    starts = sorted(s.positions[0] for s in said)
    led = {p for lead in leads if (p := next((p for p in starts if 0 < p - lead <= _LEAD), None)) is not None}
    wanted = {s.concept for s in said if s.positions[0] in led}
    return next(iter(wanted)) if len(wanted) == 1 else None


def _moved(reading: Reading, domains: Sequence[str]) -> str | None:
    """ "Blinds down", "close them completely": without a number up and down open and close what can be opened."""
    if not domains or not set(domains) <= {"cover", "valve"} or reading.numbers or reading.of("amounts"):
        return None
    if (level := reading.first("levels")) not in (None, _WHOLLY):
        return None
    direction = settings.direction_of(reading) if level else reading.first("adjust")
    return {"up": "open", "down": "close"}.get(direction or "")


def _only_names(reading: Reading) -> bool:
    """Whether the words for a setting say what it is done to: "the heating" is a thing, and no mode."""
    done = {p for s in reading.of("actions") for p in s.positions}
    said = {p for s in reading.of("modes", "levels", "adjust") for p in s.positions}
    return all(reading.kinds_at(p) for p in said - done)


def _sets_more(reading: Reading) -> bool:
    """Whether a number, a colour or a white is said, too."""
    return bool(reading.numbers or reading.of("colors", "whites"))


def _action(reading: Reading) -> str | None:
    """The action that the words say. "The lamp is on" says none: a bare particle beside "is" only describes."""
    spots = reading.ordered("actions")
    if not spots:
        return None
    strong = _strong(reading)
    if not strong:
        # of two particles the last one tells: "all the lights on the first floor off"
        return None if reading.has("copula") else spots[-1].concept
    return max(strong, key=lambda s: (len(s.positions), -s.positions[0])).concept


def says_no_verb(reading: Reading) -> bool:
    """Whether nothing but a bare particle, if that, says what is to be done."""
    return not _strong(reading) and not reading.of("adjust", "set")


def _strong(reading: Reading) -> list[Spot]:
    """The words for an action that are more than a particle."""
    particles = {p for s in reading.of("particles") for p in s.positions}
    return [s for s in reading.ordered("actions") if not set(s.positions) <= particles]
