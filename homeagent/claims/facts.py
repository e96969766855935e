"""What is so: what the calls of this turn did, and how the things of the home are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from homeagent.brains.call_outcomes import DONE, NOT_TRIED, only_looks
from homeagent.brains.local.wording.spoken_values import as_number
from homeagent.claims.claim import LARGER, RESULT, Amount, Aspect, ClaimedAction, Unit
from homeagent.domains import Measure, MeasureUnit, canonical_action, profile_of
from homeagent.domains.states import READINGS
from homeagent.ha.home import Home, State
from homeagent.tools.carry_out import Outcome
from homeagent.turn import ToolCall, ToolResult, Turn
from indexer.entity import Entity

_CONTROL = "ha_control"
_LIKE_SETTING = frozenset({ClaimedAction.SET, ClaimedAction.RAISED, ClaimedAction.LOWERED})
_BY_ACTION: Mapping[str, frozenset[ClaimedAction]] = {
    "turn_on": frozenset({ClaimedAction.TURNED_ON, ClaimedAction.STARTED, ClaimedAction.PLAYED}),
    "turn_off": frozenset({ClaimedAction.TURNED_OFF, ClaimedAction.STOPPED}),
    "open": frozenset({ClaimedAction.OPENED, ClaimedAction.RAISED, ClaimedAction.SET}),
    "close": frozenset({ClaimedAction.CLOSED, ClaimedAction.LOWERED, ClaimedAction.SET}),
    "lock": frozenset({ClaimedAction.LOCKED, ClaimedAction.CLOSED}),
    "unlock": frozenset({ClaimedAction.UNLOCKED, ClaimedAction.OPENED}),
    "start": frozenset({ClaimedAction.STARTED, ClaimedAction.TURNED_ON}),
    "stop": frozenset({ClaimedAction.STOPPED, ClaimedAction.TURNED_OFF}),
    "pause": frozenset({ClaimedAction.PAUSED, ClaimedAction.STOPPED}),
    "play": frozenset({ClaimedAction.PLAYED, ClaimedAction.STARTED, ClaimedAction.TURNED_ON}),
    "play_media": frozenset({ClaimedAction.PLAYED, ClaimedAction.STARTED, ClaimedAction.TURNED_ON}),
    "return_to_base": frozenset(
        {ClaimedAction.DOCKED, ClaimedAction.STOPPED, ClaimedAction.SENT, ClaimedAction.STARTED}
    ),
    "disarm": frozenset({ClaimedAction.DISARMED, ClaimedAction.TURNED_OFF}),
    "add_item": frozenset({ClaimedAction.ADDED, ClaimedAction.LISTED, ClaimedAction.REMEMBERED, ClaimedAction.SET}),
    "complete_item": frozenset({ClaimedAction.REMOVED}),
    "remove_item": frozenset({ClaimedAction.REMOVED}),
    "set_value": _LIKE_SETTING,
}
"""What an action of `ha_control` may be told as. "arm_…" is not in it: all of these are `Deed.ARMED`."""
_BY_TOOL: Mapping[str, frozenset[ClaimedAction]] = {
    "store_memory": frozenset({ClaimedAction.REMEMBERED}),
    "update_user_profile": frozenset({ClaimedAction.REMEMBERED}),
    "forget_memory": frozenset({ClaimedAction.FORGOTTEN, ClaimedAction.REMOVED}),
    "timer": frozenset({ClaimedAction.SCHEDULED}),
    "keep_own_test": frozenset({ClaimedAction.REMEMBERED}),
}
HOMELESS = frozenset(
    {
        ClaimedAction.REMEMBERED,
        ClaimedAction.FORGOTTEN,
        ClaimedAction.SCHEDULED,
        ClaimedAction.SENT,
        ClaimedAction.LISTED,
    }
)
"""Deeds that are done to nothing in the home."""
_OTHER_TOOLS = frozenset({ClaimedAction.DID})
"""What a tool that is not known here may be told to have done: something, and nothing to the home."""
_LOOKS_BACK = frozenset({"explain_change", "retrieve_knowledge", "recall_memory"})


@dataclass(slots=True)
class TurnFacts:
    """What this turn's calls came to.

    ``done``: entity id -> deeds that may be told of it; ``asked``: entity id -> the numbers that it was set to, by
    parameter; ``left``: ids that a call was to change and did not; ``waiting``: ids that wait for a yes; ``seen``: ids
    that were looked up. ``homeless``: deeds that no entity shows; ``much``: a scene, script or the like was run.
    ``earlier``: ids that turns before this one changed, ``homeless_earlier`` what else these did.
    """

    done: dict[str, frozenset[ClaimedAction]] = field(default_factory=dict)
    asked: dict[str, dict[str, float]] = field(default_factory=dict)
    left: set[str] = field(default_factory=set)
    waiting: set[str] = field(default_factory=set)
    seen: dict[str, None] = field(default_factory=dict)
    homeless: frozenset[ClaimedAction] = frozenset()
    much: bool = False
    looked_back: bool = False
    earlier: frozenset[str] = frozenset()
    homeless_earlier: frozenset[ClaimedAction] = frozenset()

    @property
    def changed(self) -> bool:
        """Whether a call of this turn has done anything that may be told."""
        return bool(self.done or self.homeless)


def facts_of(turn: Turn, home: Home) -> TurnFacts:
    """What the calls of the turn so far came to."""
    facts = TurnFacts()
    for made in turn.rounds:
        for call, result in zip(made.step.tool_calls, made.results, strict=True):
            _take(facts, call, result, home)
    before = [(past, call) for past in turn.gathered.history for call in past.calls if not only_looks(call)]
    facts.earlier = frozenset(i for past, call in before if call.name == _CONTROL for i in past.targets)
    facts.homeless_earlier = frozenset(deed for _, call in before for deed in _BY_TOOL.get(call.name, ()))
    return facts


def _take(facts: TurnFacts, call: ToolCall, result: ToolResult, home: Home) -> None:
    content = result.result if isinstance(result.result, Mapping) else {}
    if only_looks(call):
        facts.seen |= dict.fromkeys(str(line["entity_id"]) for line in _lines(content, "entities", "history"))
        facts.looked_back |= result.success and (call.name in _LOOKS_BACK or "history" in content)
        return
    lines = _lines(content, "targets")
    for line in lines:
        _take_target(facts, call, line, home)
    if lines:
        return
    if not result.success:
        facts.left |= set(_asked_ids(call)) if result.error_type not in NOT_TRIED else set()
    elif call.name == _CONTROL:
        for entity_id in _asked_ids(call):
            _take_target(facts, call, {"entity_id": entity_id, "outcome": Outcome.DONE}, home)
    else:
        facts.homeless |= _BY_TOOL.get(call.name, _OTHER_TOOLS)


def _take_target(facts: TurnFacts, call: ToolCall, line: Mapping[str, object], home: Home) -> None:
    entity_id, outcome = str(line.get("entity_id")), str(line.get("outcome"))
    entity = home.entity(entity_id)
    if outcome not in DONE:
        (facts.waiting if outcome == Outcome.NEEDS_CONFIRMATION else facts.left).add(entity_id)
        return
    facts.left.discard(entity_id)
    action = str(call.parameters.get("action", ""))
    parameters = call.parameters.get("parameters")
    numbers = _numbers(parameters if isinstance(parameters, Mapping) else {})
    deeds = _deeds(entity_id, action, bool(parameters), str(line.get("before")), str(line.get("after")))
    members = entity.members if entity is not None else ()
    for one in (entity_id, *members):
        facts.done[one] = facts.done.get(one, frozenset()) | deeds
        facts.asked.setdefault(one, {}).update(numbers)
    if profile_of(entity_id.partition(".")[0]).drives_others:
        facts.much = True


def _deeds(entity_id: str, action: str, set_to: bool, before: str, after: str) -> frozenset[ClaimedAction]:
    domain = entity_id.partition(".")[0]
    profile = profile_of(domain)
    bare = action.rpartition(".")[2]
    own = canonical_action(domain, bare) or bare
    found = _BY_ACTION.get(own, _LIKE_SETTING) | {ClaimedAction.DID, *map(ClaimedAction, profile.told_as)}
    if own.startswith("arm"):
        found |= {ClaimedAction.ARMED, ClaimedAction.TURNED_ON}
    if "mute" in own:
        found |= {ClaimedAction.MUTED}
    if set_to:
        found |= _LIKE_SETTING
    if profile.drives_others:
        return frozenset(ClaimedAction) - HOMELESS
    reached = {deed for deed, state in RESULT.items() if state == after and before != after}
    return frozenset(found | reached)


def _numbers(parameters: Mapping[str, object]) -> dict[str, float]:
    return {key: number for key, value in parameters.items() if (number := as_number(value)) is not None}


def _lines(content: Mapping[str, object], *keys: str) -> list[Mapping[str, object]]:
    found = (content.get(key) for key in keys)
    return [
        line for lines in found if isinstance(lines, list) for line in lines
        if isinstance(line, Mapping) and "entity_id" in line
    ]  # fmt: skip


def _asked_ids(call: ToolCall) -> list[str]:
    asked = call.parameters.get("entity_id")
    return [str(i) for i in (asked if isinstance(asked, list) else [asked]) if i]


def measures(entity: Entity, state: State) -> Iterator[tuple[Unit, Aspect | None, float]]:
    """The numbers that a thing shows, in the units and scales that people say them in. ``TARGET`` is what it is set
    to; None an aspect of its own."""
    own = {m.reads: m for m in profile_of(entity.domain).measures}
    for attribute, usual in READINGS.items():
        reading = own.get(attribute, usual)
        if (unit := UNITS.get(reading.unit)) and (number := as_number(state.attributes.get(attribute))) is not None:
            yield unit, _aspect(reading), number * (_ALL / reading.whole)
    if entity.domain == "light" and state.state == "off":
        yield Unit.PERCENT, Aspect.BRIGHTNESS, 0.0
    number = as_number(state.state)
    if number is not None:
        said = str(entity.unit or state.attributes.get("unit_of_measurement") or "")
        kind = _SENSORS.get(entity.device_class or "")
        unit = Unit.DEGREE if "°" in said else _SYMBOLS.get(said, Unit.OTHER)
        unit = _OF_ASPECT.get(kind, unit) if kind is not None else unit
        base, scale = LARGER.get(unit, (unit, 1.0))
        yield base, kind, number * scale


def shown_in(amount: Amount, entity: Entity, state: State) -> list[tuple[Unit, Aspect | None, float]]:
    """Of the numbers that a thing shows those in the unit that was said; all where none was, and it is plain."""
    bare = amount.unit is None and profile_of(entity.domain).bare_numbers
    return [one for one in measures(entity, state) if bare or one[0] is amount.unit]


def _aspect(reading: Measure) -> Aspect | None:
    return Aspect.TARGET if reading.wished and reading.unit is MeasureUnit.DEGREE else _ASPECTS.get(reading.of)


_ALL = 100
UNITS: Mapping[MeasureUnit | None, Unit] = {MeasureUnit.PERCENT: Unit.PERCENT, MeasureUnit.DEGREE: Unit.DEGREE}
"""How what a thing shows is claimed in numbers; what is in none of these units is not."""
_ASPECTS = {
    "brightness": Aspect.BRIGHTNESS, "volume": Aspect.VOLUME, "position": Aspect.POSITION,
    "fan_speed": Aspect.POSITION, "humidity": Aspect.HUMIDITY, "battery": Aspect.BATTERY,
    "temperature": Aspect.TEMPERATURE,
}  # fmt: skip
"""By what a measure is of."""
_SYMBOLS: Mapping[str, Unit] = {
    "%": Unit.PERCENT, "W": Unit.WATT, "kW": Unit.KILOWATT, "Wh": Unit.WATT_HOUR, "kWh": Unit.KILOWATT_HOUR,
    "km": Unit.KILOMETRE, "lx": Unit.LUX, "ppm": Unit.PPM,
}  # fmt: skip
"""How Home Assistant writes units."""
_OF_ASPECT = {
    Aspect.TEMPERATURE: Unit.DEGREE, Aspect.HUMIDITY: Unit.PERCENT, Aspect.BATTERY: Unit.PERCENT
}  # fmt: skip
_SENSORS: Mapping[str, Aspect] = {
    "temperature": Aspect.TEMPERATURE,
    "humidity": Aspect.HUMIDITY,
    "moisture": Aspect.HUMIDITY,
    "battery": Aspect.BATTERY,
}
