"""More or less of what was just set: "a bit more", "10 less", "only half", "warmer" of a lamp's light."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from homeagent.brains.language.reading import Reading
from homeagent.brains.local.following.leaning import spots_of
from homeagent.brains.local.following.spoken import domains_of_ids, each
from homeagent.brains.local.meaning import settings
from homeagent.brains.local.meaning.request import Act, Request
from homeagent.brains.local.things.grounding import Ground
from homeagent.brains.local.things.whites import another_white
from homeagent.turn import PastTurn


def more_of_it(reading: Reading, past: PastTurn, before: Request, around: Ground) -> Request | None:
    """ "A bit more", "10 less": a step of what the turn before set. "30 percent": what it is to be set to instead."""
    if before.act is not Act.CONTROL or not past.targets or not _says_only_how_much(reading):
        return None
    domains = domains_of_ids(past.targets)
    domain = domains[0] if len(domains) == 1 else ""
    if whiter := _whiter(reading, past, around) if domain == "light" else None:
        return replace(before, scope=each(past.targets), action="turn_on", parameters=whiter, intent="")
    dimension = settings.dimension_of(before.parameters, domain)
    corrected = any(s.section == "correcting" for s in spots_of(reading))
    parameters = settings.change_of(reading, dimension, _loosely(reading), bare=corrected) if dimension else {}
    if not parameters:
        return None
    action = "turn_on" if settings.is_light(parameters) else "set_value"
    return replace(before, scope=each(past.targets), action=action, parameters=parameters, intent="")


def _loosely(reading: Reading) -> str:
    """The direction of a word that is said of several things: the Dutch "harder" is louder, and it is faster."""
    loose = next((s.concept for s in spots_of(reading) if s.section == "anyway"), "")
    return loose.rpartition("_")[2]


def _whiter(reading: Reading, past: PastTurn, around: Ground) -> dict[str, Any] | None:
    """ "Warmer" after talk of a lamp is the colour of its light, where it can change that."""
    said = next((s.concept for s in reading.of("adjust") if s.concept.startswith("temperature")), None)
    known = [s for i in past.targets if (s := around.home.state(i)) is not None]
    if said is None or reading.numbers or not known:
        return None
    kelvin = another_white(known, warmer=said.endswith("up"))
    return {"color_temp_kelvin": kelvin} if kelvin is not None else None


def _says_only_how_much(reading: Reading) -> bool:
    """Whether the clause says nothing but an amount, or a direction, or both."""
    said = {p for s in reading.of("more", "adjust", "amounts", "levels") for p in s.positions}
    aside = {p for s in spots_of(reading) for p in s.positions}
    doing = {p for s in reading.of("actions", "questions", "set") for p in s.positions} - said
    return bool(reading.numbers or said) and not doing and not set(reading.target) - said - aside
