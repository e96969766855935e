"""Orders with a value: colours, modes, and dimensions that are set to something or moved by something."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

from homeagent.domains import SET_VALUE
from homeagent.domains.actions import domains_for
from homeagent.languages.concepts import (
    Amount,
    Attribute,
    Colour,
    Count,
    Dimension,
    FanMotion,
    Heading,
    Level,
    Mode,
    Particle,
    Playback,
    Role,
    Share,
    Topic,
    Unit,
    Verb,
    White,
)
from homeagent.understanding.clauses import THINGS, Clause
from homeagent.understanding.frame import ActKind, Feature, Frame
from homeagent.understanding.frame_costs import frame
from homeagent.understanding.frames.control import HEATERS, PLAYERS, led, moving
from homeagent.understanding.grounding import TargetFit, Wanted, from_antecedent, ground, members
from homeagent.understanding.noun_phrases import Target, target_of
from homeagent.understanding.reference import meanings
from homeagent.understanding.request import Act, Request
from homeagent.understanding.spans import InArea, Named, OfKind, OnFloor
from homeagent.understanding.value_changes import SCALES, Value, in_stages, moves, tidy, values_of

_LIGHTS, _FANS = domains_for("turn_on", ("color",)), domains_for(SET_VALUE, ("oscillating",))
_PRESETS = frozenset({Mode.ECO, Mode.AWAY, Mode.COMFORT, Mode.SLEEP, Mode.HOME, Mode.BOOST})
_DRAUGHTS: Mapping[FanMotion, Mapping[str, object]] = {
    FanMotion.SWINGING: {"oscillating": True},
    FanMotion.STILL: {"oscillating": False},
    FanMotion.FORWARD: {"direction": "forward"},
    FanMotion.REVERSE: {"direction": "reverse"},
}
_PLAYBACK: Mapping[Playback, tuple[str, object, object]] = {
    Playback.SHUFFLE: ("shuffle", True, False),
    Playback.REPEAT: ("repeat", "all", "off"),
    Playback.REPEAT_ONE: ("repeat", "one", "off"),
}
"""The parameter that sets it, and its values for on and off."""
_FAN_SPEEDS = {Mode.LOW: 33, Mode.MEDIUM: 66, Mode.HIGH: 100}
_MODE_PRICE = 1.0
_LATER_DIMENSION = 1.5
_AS_BEFORE = -1.0
"""That a dimension was set right before is as good as a word for it."""


def setting(clause: Clause) -> Iterator[Frame]:
    """Frames for everything that a clause may set: colours, modes, dimensions; or for the question to what value."""
    yield from _colours(clause)
    yield from _modes(clause)
    yield from _dimensions(clause)
    yield from _between(clause)
    yield from _draughts(clause)
    yield from _playback(clause)
    yield from _without_value(clause)
    yield from _of_nothing(clause)


def _moving(clause: Clause) -> set[int]:
    """The indexes of verbs and particles that move something, without those that turn it off."""
    return moving(clause) - clause.at(Verb.TURN_OFF)


def _colours(clause: Clause) -> Iterator[Frame]:
    """Frames for a colour, a white or a number of kelvins, with the brightness beside it."""
    kelvins = [n for n in clause.numbers if n.unit is Unit.KELVIN]
    said: list[tuple[int, str, object]] = [(i, "color", c.name) for i, c in clause.said(Colour)]
    said += [(i, "color_temp_kelvin", w.kelvin) for i, w in clause.said(White)]
    said += [(n.cells[0], "color_temp_kelvin", int(n.value)) for n in kelvins]
    for place, parameter, value in said:
        if not _is_of_light(clause, place):
            continue
        cells = {place} | clause.neutral | clause.at(Dimension.COLOUR) | _moving(clause) | led(clause, place)
        cells |= {p for n in kelvins for p in n.cells}
        parameters: dict[str, object] = {parameter: value}
        shares = [n for n in clause.numbers if n.unit in (None, Unit.PERCENT) and not n.of_time]
        levels = list(clause.said(Level))
        bright = clause.at(Dimension.BRIGHTNESS)
        if shares:
            parameters["brightness_pct"] = tidy(shares[0].value)
            cells |= {*shares[0].cells, *bright} | _headings(clause, Dimension.BRIGHTNESS)
        elif levels:
            parameters["brightness_pct"] = levels[0][1].percent
            cells |= {levels[0][0], *bright}
        yield from _settled(clause, ActKind.SETTING, "turn_on", parameters, cells, _LIGHTS)


def _is_of_light(clause: Clause, place: int) -> bool:
    """Whether a colour word may be a light's: the clause names or refers to a thing, or "to" leads the word."""
    spoken = clause.of(*THINGS) | clause.at(Role.PRONOUN, Role.HERE, Role.EVERY, Role.EVERYTHING, Role.WHOLE_HOME)
    return bool(spoken | clause.at(Dimension.COLOUR) | clause.next_to(place, Role.TO)) or clause.antecedent is not None


def _modes(clause: Clause) -> Iterator[Frame]:
    for place, mode in clause.said(Mode):
        on = clause.particles(Particle.ON) | clause.at(Verb.TURN_ON)
        if on and _is_the_thing(clause, place):
            continue
        warmth = clause.at(Dimension.TEMPERATURE) - {place}
        cells = {place} | clause.neutral | on | warmth | led(clause, place)
        if mode in _FAN_SPEEDS:
            if clause.of(Dimension) - clause.at(Dimension.SPEED):
                continue
            if clause.cells[place].has(Verb, Heading) and not clause.of(Named, OfKind):
                continue  # "baja la música": no thing is called low
            parameters: dict[str, object] = {"percentage": _FAN_SPEEDS[mode]}
            cells, whom = cells | clause.at(Dimension.SPEED), _FANS
        else:
            parameters = {"preset_mode" if mode in _PRESETS else "hvac_mode": mode.value}
            whom = HEATERS
        yield from _settled(clause, ActKind.SETTING, "set_value", parameters, cells, whom, {Feature.MODE: _MODE_PRICE})


def _is_the_thing(clause: Clause, place: int) -> bool:
    """Whether a word for a mode is the thing to be turned on ("turn on the heating").

    It is a mode where "to" leads it, or where another thing is named without a conjunction.
    """
    others = clause.of(Named, OfKind) - {place}
    joined = bool(clause.at(Role.JOIN, Role.OR))
    return clause.cells[place].has(OfKind) and not led(clause, place) and (joined or not others)


def _dimensions(clause: Clause) -> Iterator[Frame]:
    """Frames for each dimension that is said; where none is, for each that the things meant may have."""
    said = {d for _, d in clause.said(Dimension) if d in SCALES}
    said |= {h.dimension for _, h in clause.said(Heading) if h.dimension is not None}
    said |= {s.dimension for _, s in clause.said(Share) if s.dimension is not None}
    own = {h.dimension for _, h in clause.said(Heading) if h.dimension is not None}
    if not said and clause.at(Topic.MEDIA) and clause.of(Heading) and not clause.of(Named, InArea, OnFloor):
        said = {Dimension.VOLUME}  # less of the music
    usual = [d for d in SCALES if d is not Dimension.TILT]
    last = clause.last if not clause.of(*THINGS) else None
    how_much = clause.of(Amount, Count, Level) or not clause.at(Role.PRONOUN)
    before = last.dimension if last is not None and how_much and not clause.of(Verb) else None
    spoken = last.usual_dimension if last is not None else None
    if spoken is not None and (spoken in said or (said and _says_any(clause, said))):
        said = {spoken}  # a word that is said of several things
    for dimension in usual if not said or _says_any(clause, said) else [d for d in SCALES if d in said]:
        if dimension is Dimension.TEMPERATURE and last is not None and last.shades:
            continue  # "warmer" of a lamp is its white
        named = dimension in said or dimension is before
        scale = SCALES[dimension]
        cells = clause.neutral | clause.at(dimension) | _headings(clause, dimension)
        cells |= moving(clause) if dimension is Dimension.POSITION else _moving(clause)
        if dimension is Dimension.TEMPERATURE:
            cells |= clause.at(Attribute.TEMPERATURE)
        if dimension is Dimension.VOLUME:
            cells -= clause.at(Verb.START)  # what is to play is not only to be loud
        guessed = _unsaid(clause, dimension, named=named)
        extra = {Feature.GUESSED_DIMENSION: guessed} if guessed else {}
        for value in values_of(clause, dimension, named=dimension in own or named):
            act = ActKind.STEPPING if value.steps else ActKind.SETTING
            action = "turn_on" if dimension is Dimension.BRIGHTNESS else "set_value"
            parameters = {value.parameter: value.value}
            against = {**extra, **value.against}
            made = _settled(clause, act, action, parameters, cells | value.cells, scale.domains, against)
            if value.of_present or value.way is not None:
                made = (_of_present(f, value) for f in made)
            yield from (in_stages(clause, f) for f in made) if dimension is Dimension.SPEED else made


def _of_present(made: Frame, value: Value) -> Frame:
    """The frame with what its value has to do with what it is now."""
    request = made.request
    return replace(made, request=request and replace(request, of_present=value.of_present, way=value.way))


def _between(clause: Clause) -> Iterator[Frame]:
    """Two numbers with "between" as the lower and upper temperature of a thermostat."""
    leads, numbers = clause.at(Role.BETWEEN), [n for n in clause.numbers if n.unit in (None, Unit.DEGREE)]
    if not leads or len(numbers) != 2 or len(clause.numbers) != 2:
        return
    low, high = sorted(n.value for n in numbers)
    ends = range(min(leads), max(p for n in numbers for p in n.cells) + 1)
    cells = leads | clause.neutral | clause.at(Dimension.TEMPERATURE) | {p for n in numbers for p in n.cells}
    cells |= {p for p in ends if clause.cells[p].says(Role.JOIN, Role.TO)}
    parameters = {"target_temp_low": tidy(low), "target_temp_high": tidy(high)}
    yield from _settled(clause, ActKind.SETTING, "set_value", parameters, cells, HEATERS)


def _playback(clause: Clause) -> Iterator[Frame]:
    for place, playback in clause.said(Playback):
        off = clause.particles(Particle.OFF) | clause.at(Verb.TURN_OFF, Verb.STOP)
        on = clause.particles(Particle.ON) | clause.at(Verb.TURN_ON, Verb.START, Verb.PLAY, Verb.HEAR)
        parameter, wanted, unwanted = _PLAYBACK[playback]
        cells = {place} | clause.neutral | clause.at(Topic.MEDIA) | (off or on) | led(clause, place)
        parameters = {parameter: unwanted if off - {place} else wanted}
        yield from _settled(clause, ActKind.SETTING, SET_VALUE, parameters, cells, PLAYERS)


def _draughts(clause: Clause) -> Iterator[Frame]:
    """How a fan is to blow; to stop its swinging sets it still."""
    for place, draught in clause.said(FanMotion):
        ended = clause.at(Verb.STOP, Verb.TURN_OFF, Particle.OFF) if draught is FanMotion.SWINGING else set()
        meant = FanMotion.STILL if ended else draught
        cells = {place} | clause.neutral | led(clause, place) | ended | moving(clause)
        yield from _settled(clause, ActKind.SETTING, "set_value", _DRAUGHTS[meant], cells, _FANS)


def _unsaid(clause: Clause, dimension: Dimension, *, named: bool) -> float:
    """How much the dimension is a guess: 1 without a word for it, less where the last turn set it, 0 for its own word.
    A word of several dimensions ("louder", "faster") is taken for its first.
    """
    if not named:
        before = clause.last.dimension if clause.last is not None and clause.last.fresh else None
        return _AS_BEFORE if dimension is before else 1.0
    usual = clause.last is not None and dimension is clause.last.usual_dimension
    if clause.at(dimension) or clause.of(Share) or usual:
        return 0.0
    ranks = (
        [h.dimension for h in cell.all(Heading) if h.dimension is not None].index(dimension)
        for cell in clause.cells
        if any(h.dimension is dimension for h in cell.all(Heading))
    )
    return _LATER_DIMENSION if min(ranks, default=0) else 0.0


def _says_any(clause: Clause, said: Collection[Dimension]) -> bool:
    """Whether the dimension is said by a direction only, whose word may as well say none ("plus fort")."""
    open_ones = [i for i, h in clause.said(Heading) if h.dimension is None]
    led = {h.dimension for i in open_ones for h in clause.cells[i].all(Heading)}
    return led >= set(said) and not clause.of(Dimension)


def _headings(clause: Clause, dimension: Dimension) -> set[int]:
    return {i for i, h in clause.said(Heading) if moves(clause, h, dimension)}


def _without_value(clause: Clause) -> Iterator[Frame]:
    """A frame that asks for the value, where a dimension is to be changed and none is said."""
    said = clause.of(Dimension)
    headings = clause.of(Heading)
    colour = bool(clause.at(Dimension.COLOUR))
    if not said or not (clause.neutral or headings) or clause.numbers:
        return
    if clause.of(Level, Colour, White, Mode) or (headings and not colour):
        return
    cells = clause.neutral | said | headings
    target = target_of(clause, cells)
    if not target.pronoun:
        request = Request(Act.SAY, say="to_what")
        yield frame(clause, ActKind.SETTING, request, cells, target, None, {Feature.NO_VALUE: 1.0})


def _of_nothing(clause: Clause) -> Iterator[Frame]:
    """A frame that asks which thing is meant, where a value is set and nothing was spoken of before."""
    values = [n for n in clause.numbers if not n.of_time]
    if len(values) != 1 or not clause.neutral or clause.antecedent is not None or clause.of(Dimension, *THINGS):
        return
    cells = clause.neutral | set(values[0].cells)
    target = target_of(clause, cells)
    if target.pronoun:
        grounded = ground(target, Wanted("set_value"), clause.names, clause.area_id)
        request = Request(Act.CONTROL, grounded.scope, action="set_value")
        yield frame(clause, ActKind.SETTING, request, cells, target, grounded)


def _settled(
    clause: Clause,
    act: ActKind,
    action: str,
    parameters: Mapping[str, object],
    cells: set[int],
    whom: tuple[str, ...],
    extra: Mapping[Feature, float] | None = None,
) -> Iterator[Frame]:
    """Frames for the parameters, on the things named; where none is, on those spoken of last."""
    against = dict(extra or {})
    cells = cells | (set() if clause.keeps else clause.at(Verb.KEEP))
    guessed = Feature.GUESSED_DIMENSION in against
    target = target_of(clause, cells)
    spoken = bool(clause.neutral) or bool(clause.of(Heading, Share)) or any(clause.cells[i].has(Verb) for i in cells)
    if not spoken:
        against[Feature.WITHOUT_VERB] = 1.0
    if whom == PLAYERS:
        cells = cells | clause.at(Topic.MEDIA)
    wanted = Wanted(action, tuple(parameters), whom)
    meant = [(m, more) for m, more in meanings(clause, target) if not guessed or _may_have(clause, m, whom)]
    if not meant:
        return
    if meant[0][0].empty and clause.antecedent is not None and not clause.at(Role.EVERYTHING):
        same = from_antecedent(target, clause.antecedent)
        grounded = ground(same, wanted, clause.names, clause.area_id)
        request = Request(Act.CONTROL, grounded.scope, action=action, parameters=parameters)
        yield frame(clause, act, request, cells, same, grounded, {**against, Feature.INHERITED: 1.0})
        if grounded.standing not in (TargetFit.NONE, TargetFit.INCAPABLE):
            return  # "the lamp on, but not so bright": the lamp, not all lights
    for target, more in meant:
        grounded = ground(target, wanted, clause.names, clause.area_id)
        request = Request(Act.CONTROL, grounded.scope, action=action, parameters=parameters)
        yield frame(clause, act, request, cells, target, grounded, {**against, **more})


def _turns(clause: Clause) -> bool:
    """Whether it only says "turn it up" or "down" and names nothing, which means what plays."""
    ways = clause.particles(Particle.UP, Particle.DOWN) & clause.of(Heading)
    return bool(ways and (clause.neutral or len(ways) < len(clause.of(Heading)))) and not clause.of(*THINGS)


def _may_have(clause: Clause, target: Target, whom: tuple[str, ...]) -> bool:
    """Whether the things meant may have a dimension that no word names."""
    probe = clause.antecedent if target.empty else target
    if probe is None or (probe.pronoun and not probe.phrases):
        return whom == PLAYERS and _turns(clause)
    found = [e for p in probe.phrases for e in members(p, clause.names)]
    if not found and any(d in whom for p in probe.phrases for k in p.kinds for d in k.domains):
        return True  # of nothing at home it is told that it is not there
    return bool(clause.names.domains(found) & set(whom)) or any(p.is_place for p in probe.phrases)
