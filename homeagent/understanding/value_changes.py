"""What a clause sets or moves, and to or by how much. Absolute or relative is decided here and nowhere else."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from homeagent.domains import SET_VALUE
from homeagent.domains.actions import domains_for
from homeagent.languages.concepts import Amount, Dimension, Heading, Level, Mode, Particle, Role, Share, Unit, Verb, Way
from homeagent.understanding.clauses import THINGS, Clause, Number
from homeagent.understanding.frame import Feature, Frame
from homeagent.understanding.spans import InArea, Named, OfKind, OnFloor, Source


@dataclass(frozen=True, slots=True)
class Scale:
    """How a dimension is set: the parameters for a value and for a step, and the ``factor`` from the spoken unit to
    theirs.

    ``usual``: a step of unsaid size. ``bare_steps``: a bare number beside a direction is a step ("volume up 10"), not a
    value ("dim it 30 percent").
    """

    value: str
    step: str
    factor: float = 1.0
    usual: int = 10
    units: tuple[Unit | None, ...] = (None, Unit.PERCENT)
    bare_steps: bool = True

    @property
    def domains(self) -> tuple[str, ...]:
        """What can be set to a value of it and be moved by a step, the likelier first."""
        return domains_for(SET_VALUE, (self.value, self.step))


SCALES = {
    Dimension.BRIGHTNESS: Scale("brightness_pct", "brightness_step_pct", bare_steps=False),
    Dimension.TEMPERATURE: Scale("temperature", "temperature_step", usual=1, units=(None, Unit.DEGREE)),
    Dimension.VOLUME: Scale("volume_level", "volume_step_pct", factor=0.01),
    Dimension.SPEED: Scale("percentage", "percentage_step"),
    Dimension.POSITION: Scale("position", "position_step", bare_steps=False),
    Dimension.HUMIDITY: Scale("humidity", "humidity_step", usual=5),
    Dimension.TILT: Scale("tilt_position", "tilt_step"),
    Dimension.VALUE: Scale("value", "value_step", usual=1, units=(None, Unit.PERCENT, Unit.DEGREE, Unit.KELVIN)),
}
_SIGNS = {"-": Way.DOWN, "−": Way.DOWN, "–": Way.DOWN, "+": Way.UP}
_ROUGHLY = {Mode.LOW: 25, Mode.MEDIUM: 50, Mode.HIGH: 75}
"""Shares that a mode's name says of a dimension that is named: "the volume to low"."""
_LEAST_WARMTH, _MOST_WARMTH = 5, 40
_ROOM_WARMTH = 14, 26
_TEN, _ALL = 10, 100
_STAGE, _MOST_STAGES = "percentage_step", 10
"""The attribute that tells how many percent a stage of a fan is. One with more stages is thought of in percent."""
_LEAST_LIGHT = 1.0
"""The lowest brightness is still light."""


@dataclass(frozen=True, slots=True)
class Value:
    """A parameter with its value, the indexes that say it, and what counts against it. ``steps``: it is a relative
    change; ``of_present``: by a share of what it is now.
    """

    parameter: str
    value: Any
    cells: frozenset[int]
    steps: bool
    against: dict[Feature, float]
    of_present: bool = False
    way: Way | None = None
    """Which way a level is to move it."""


def values_of(clause: Clause, dimension: Dimension, *, named: bool) -> Iterator[Value]:
    """The values that a clause may say for a dimension; ``named``: it says the dimension too.

    A number with "by" is a step, one with "to" a value. One with neither is a value, or beside a direction a step where
    the dimension has it so. A level is a value. A direction alone is a step of the usual size.
    """
    scale = SCALES[dimension]
    ways = _ways(clause, dimension)
    numbers = [n for n in clause.numbers if n.unit in scale.units and not n.of_time]
    if len(numbers) == 1:
        yield from _of_number(clause, dimension, numbers[0], ways, named=named)
    elif numbers or clause.numbers:
        return
    elif shares := list(clause.said(Share)):
        yield from (v for i, s in shares if (v := _of_share(clause, dimension, i, s)) is not None)
    elif levels := list(clause.said(Level)):
        if dimension is not Dimension.TEMPERATURE:
            yield _of_level(clause, dimension, *levels[0], ways)
    elif named and (rough := [m for m in clause.said(Mode) if m[1] in _ROUGHLY and not _moves_there(clause, m[0])]):
        yield _of_level(clause, dimension, rough[0][0], Level(_ROUGHLY[rough[0][1]]), ways)
    elif len(ways) == 1 and not (dimension is Dimension.POSITION and _both_ways(clause)):
        yield _of_direction(clause, dimension, ways, named=named)


def _both_ways(clause: Clause) -> bool:
    """Whether it speaks of opening and of closing: then it is no step the one way or the other."""
    return bool(clause.at(Verb.OPEN, Particle.OPENED)) and bool(clause.at(Verb.CLOSE, Particle.CLOSED))


def _moves_there(clause: Clause, place: int) -> bool:
    """Whether a word for a mode is the verb that opens the clause ("baja el volumen" does not set it to low)."""
    return place == clause.opening_deed and clause.cells[place].has(Heading)


def moves(clause: Clause, heading: Heading, dimension: Dimension) -> bool:
    """Whether a direction applies to a dimension; with the dimension's own word in the clause any does ("slow down the
    volume").
    """
    return heading.dimension in (None, dimension) or bool(clause.at(dimension) - clause.of(Heading))


def _ways(clause: Clause, dimension: Dimension) -> frozenset[Way]:
    said = {h.way for _, h in clause.said(Heading) if moves(clause, h, dimension)}
    if dimension is Dimension.POSITION and clause.at(Verb.CLOSE, Particle.CLOSED):
        said.add(Way.DOWN)
    return frozenset(said)


def _of_number(
    clause: Clause, dimension: Dimension, number: Number, ways: frozenset[Way], *, named: bool
) -> Iterator[Value]:
    scale = SCALES[dimension]
    warmth = dimension is Dimension.TEMPERATURE and _is_of_a_room(clause, number)
    if not (named or warmth) and number.unit is None and number.lead is None and _follows_a_thing(clause, number):
        return  # "lamp 3": the number is of a name that the home has not
    against = _oddness(clause, dimension, number, named=named)
    cells = frozenset(number.cells)
    leans = clause.last is not None and dimension is clause.last.dimension and not clause.of(Verb, *THINGS)
    if leans:  # "10 less", "-10": of what was just set
        ways |= {
            _SIGNS[sign] for sign in (clause.tokens[clause.cells[number.cells[0]].first].gap.strip(),) if sign in _SIGNS
        }
    bare = (leans and not clause.mark(number.cells[0])) or scale.bare_steps or clause.postpositions  # "more, 35"
    steps = bool(ways) and (number.lead is Role.BY or (number.lead is None and bare))
    if steps and len(ways) == 1:
        signed = number.value if Way.UP in ways else -number.value
        yield Value(scale.step, tidy(signed), cells, True, against)
    if number.lead is not Role.BY and not steps:
        of_ten = dimension is Dimension.VOLUME and number.unit is None and number.value <= _TEN and Way.UP in ways
        share = number.value * _TEN if of_ten else number.value  # "raise the volume to 7"
        yield Value(scale.value, tidy(share * scale.factor), cells, False, against)


def _follows_a_thing(clause: Clause, number: Number) -> bool:
    first = min(number.cells)
    return bool(first) and clause.cells[first - 1].has(*THINGS)


def _oddness(clause: Clause, dimension: Dimension, number: Number, *, named: bool) -> dict[Feature, float]:
    """The feature by which a number is unlikely for the dimension, as too large or as part of an unexplained word."""
    first = number.cells[0]
    odd = 0.0
    if dimension is Dimension.POSITION and not named and number.unit is None:
        odd = 0.3
    as_before = clause.last is not None and clause.last.fresh and clause.last.dimension is dimension
    if not (named or as_before) and number.unit is None and number.lead is None:
        odd = 1.0
    warmth = dimension is Dimension.TEMPERATURE and number.unit is None
    if warmth and (number.value > _MOST_WARMTH or (not named and number.value < _LEAST_WARMTH)):
        odd = 1.0
    if not named and dimension is not Dimension.TEMPERATURE and _is_of_a_room(clause, number):
        odd = max(odd, 0.5)
    if scale_of_shares(dimension) and number.unit is None and not number.value.is_integer():
        odd = 1.0  # "19 and a half": of degrees
    if number.value > _ALL and scale_of_shares(dimension):
        odd = 1.5  # "the radio to 101.5"
    if first and clause.cells[first - 1].free:
        odd = 1.5  # the number belongs to a word that is not known: "HDMI 2"
    return {Feature.ODD_VALUE: odd} if odd else {}


def _is_of_a_room(clause: Clause, number: Number) -> bool:
    """Whether a bare number is how warm people keep rooms, and nothing is named but rooms with a thermostat."""
    warm = number.unit is None and _ROOM_WARMTH[0] <= number.value <= _ROOM_WARMTH[1]
    if not warm or clause.of(Named, OfKind, OnFloor):
        return False
    rooms = [area.area_id for _, area in clause.said(InArea)]
    domains = domains_for(SET_VALUE, (SCALES[Dimension.TEMPERATURE].value,))
    return any(e.domain in domains for e in clause.names.in_areas(rooms))


def scale_of_shares(dimension: Dimension) -> bool:
    """Whether the dimension is set in percent."""
    return Unit.PERCENT in SCALES[dimension].units and dimension is not Dimension.VALUE


def _of_level(clause: Clause, dimension: Dimension, place: int, level: Level, ways: frozenset[Way]) -> Value:
    scale = SCALES[dimension]
    share = float(level.percent)
    by = _led_by(clause, place)
    if by and len(ways) == 1 and level.percent < _ALL:  # "down by half"
        cells = frozenset({place}) | by
        return Value(scale.step, tidy(share if Way.UP in ways else -share), cells, True, {}, of_present=True)
    if ways == {Way.DOWN} and level.percent == 100:
        share = _LEAST_LIGHT if dimension is Dimension.BRIGHTNESS else 0.0
    cells = frozenset({place}) | clause.next_to(place, Role.TO)
    readings = (r for c in clause.cells for r in c.readings if r.source is not Source.PARTED)
    whole = {r.meaning.way for r in readings if isinstance(r.meaning, Heading)}  # "dreh … auf" may only lead to it
    down = Way.DOWN in ways and whole == {Way.DOWN}
    way = Way.DOWN if down and _LEAST_LIGHT < level.percent < _ALL else None
    return Value(scale.value, tidy(share * scale.factor), cells, False, {}, way=way)


def _of_share(clause: Clause, dimension: Dimension, place: int, share: Share) -> Value | None:
    """ "Half as bright", "double the volume": a step by what lacks or is more."""
    if share.dimension not in (None, dimension) or dimension is Dimension.TEMPERATURE:
        return None
    cells = frozenset({place}) | clause.next_to(place, Role.TO)
    return Value(SCALES[dimension].step, share.percent - _ALL, cells, True, {}, of_present=True)


def _led_by(clause: Clause, place: int) -> set[int]:
    """The index of a "by" before a level, articles aside."""
    lead = place - 1
    while lead > 0 and clause.cells[lead].says(Role.ARTICLE) and not clause.cells[lead].says(Role.BY):
        lead -= 1
    return {lead} if lead >= 0 and clause.cells[lead].says(Role.BY) else set()


def _of_direction(clause: Clause, dimension: Dimension, ways: frozenset[Way], *, named: bool) -> Value:
    scale = SCALES[dimension]
    size = scale.usual * (2 if clause.at(Amount.LARGE) else 1)
    cells = frozenset(clause.at(Amount.SMALL, Amount.LARGE) | clause.at(Role.BY))
    sized = named or bool(clause.of(Amount)) or dimension is not Dimension.POSITION
    odd = {} if sized else {Feature.ODD_VALUE: 0.7}
    return Value(scale.step, size if Way.UP in ways else -size, cells, True, odd)


def in_stages(clause: Clause, made: Frame) -> Frame:
    """The frame with a fan's speed in stages turned into percent: a bare number up to the number of stages is a stage,
    and a step is one stage at least.
    """
    request = made.request
    steps = [float(step) for i in sorted(made.entity_ids) if (step := clause.names.attributes(i).get(_STAGE))]
    if request is None or not steps:
        return made
    scale, step, parameters = SCALES[Dimension.SPEED], steps[0], dict(request.parameters)
    if (said := parameters.get(scale.value)) is not None:
        bare = any(n.unit is None and n.value == said for n in clause.numbers)
        is_stage = bare and 1 <= said <= round(_ALL / step) <= _MOST_STAGES
        parameters[scale.value] = round(said * step if is_stage else said)
    if (said := parameters.get(scale.step)) is not None:
        parameters[scale.step] = round(math.copysign(max(abs(said), step), said))
    return replace(made, request=replace(request, parameters=parameters))


def tidy(value: float) -> int | float:
    """The value rounded to four decimals; an int where it is whole."""
    rounded = round(value, 4)
    return int(rounded) if float(rounded).is_integer() else rounded
