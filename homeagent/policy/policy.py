"""What the agent may do without asking: allow, confirm, deny, judged on what a call really reaches.

As delivered: lock, close, arm and turn off are allowed; what lets somebody in or takes protection away (unlock, open a
door, gate, garage or valve, disarm) waits for a yes, and so does what cannot be read. ``homeassistant.*`` services are
denied. A group, scene or script is judged by all that it reaches: the strictest decides.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fnmatch import fnmatchcase
from typing import Any

from homeagent.confirmations import Confirmations, Pending
from homeagent.ha.connection import HomeAssistant
from homeagent.ha.home import Home, State
from homeagent.targets.entrances import may_be_entrance, may_open
from homeagent.targets.scripts import Deed, Unreadable, deeds
from indexer.entity import Entity

__all__ = ["Confirmations", "Decision", "Pending", "Policy", "Rule", "Verdict"]

_DEEPEST = 5
"""Scripts that call scripts, groups of groups: deeper than this counts as unreadable."""


class Decision(StrEnum):
    """Ordered: the later, the stricter."""

    ALLOW = "allow"
    CONFIRM = "confirm"
    DENY = "deny"


_STRICTNESS = (Decision.ALLOW, Decision.CONFIRM, Decision.DENY)


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule of the home's own. ``action`` and ``target`` are patterns; ``target`` fits an entity id or a domain."""

    decision: Decision
    action: str = "*"
    target: str = "*"

    def fits(self, action: str, entity: Entity) -> bool:
        return fnmatchcase(action, self.action) and (
            fnmatchcase(entity.entity_id, self.target) or entity.domain == self.target
        )


@dataclass(frozen=True, slots=True)
class Verdict:
    """The decision on one target. ``reason`` is for people; empty where it is allowed."""

    entity: Entity
    decision: Decision
    reason: str = ""


class Policy:
    """``rules``: the first that fits decides, before what is delivered. ``allow_all`` is for measuring: nothing is
    confirmed, only denied."""

    def __init__(self, rules: Sequence[Rule] = (), *, allow_all: bool = False) -> None:
        self._rules = tuple(rules)
        self._allow_all = allow_all

    async def judge(
        self, action: str, entities: Iterable[Entity], parameters: Mapping[str, Any], ha: HomeAssistant
    ) -> list[Verdict]:
        """One verdict for each entity, in their order. ``action`` is our word for the entity's domain."""
        verdicts = []
        for entity in entities:
            verdict = await self._judge(action, entity, parameters, ha, 0)
            if self._allow_all and verdict.decision is Decision.CONFIRM:
                verdict = Verdict(entity, Decision.ALLOW)
            verdicts.append(verdict)
        return verdicts

    async def _judge(
        self, action: str, entity: Entity, parameters: Mapping[str, Any], ha: HomeAssistant, depth: int
    ) -> Verdict:
        own = self._by_rule(action, entity)
        if own and own.decision is Decision.DENY:
            return own
        inner = await self._inner(action, entity, parameters, ha, depth)
        if own:  # the home's own word on this very thing weighs more than what is delivered for its parts
            denied = inner.decision is Decision.DENY
            return Verdict(entity, Decision.DENY, inner.reason) if denied else own
        delivered = _delivered(action, entity, ha.home, parameters)
        return strictest(entity, (delivered, inner))

    def _by_rule(self, action: str, entity: Entity) -> Verdict | None:
        for rule in self._rules:
            if rule.fits(action, entity):
                reason = "" if rule.decision is Decision.ALLOW else "your own rule says so"
                return Verdict(entity, rule.decision, reason)
        return None

    async def _inner(
        self, action: str, entity: Entity, parameters: Mapping[str, Any], ha: HomeAssistant, depth: int
    ) -> Verdict:
        """The strictest verdict on what the entity stands for; allowed where it stands for itself."""
        if depth > _DEEPEST:
            return Verdict(entity, Decision.CONFIRM, f"{entity.name} reaches too many other things")
        if entity.domain == "scene" and action == "turn_on":
            return await self._scene(entity, ha, depth)
        if entity.domain == "script" and action in ("turn_on", "toggle"):
            return await self._script(entity, ha, depth)
        members = [m for m in map(ha.home.entity, entity.members) if m] if entity.domain != "scene" else []
        return strictest(entity, [await self._judge(action, m, parameters, ha, depth + 1) for m in members])

    async def _scene(self, scene: Entity, ha: HomeAssistant, depth: int) -> Verdict:
        ids = await ha.scene_entities(scene.entity_id)
        if ids is None:
            return Verdict(scene, Decision.CONFIRM, f"what {scene.name} changes cannot be read")
        return await self._set_by_scene(scene, ids, ha, depth)

    async def _set_by_scene(self, scene: Entity, ids: Iterable[str], ha: HomeAssistant, depth: int) -> Verdict:
        """A scene may set its entities to anything: what can be opened may be opened."""
        verdicts = []
        for entity in [e for e in map(ha.home.entity, ids) if e]:
            action = _MOST_DARING.get(entity.domain, "turn_on")
            verdicts.append(await self._judge(action, entity, {}, ha, depth + 1))
        return strictest(scene, verdicts)

    async def _script(self, script: Entity, ha: HomeAssistant, depth: int) -> Verdict:
        config = await ha.script_config(script.entity_id)
        if config is None:
            return Verdict(script, Decision.CONFIRM, f"what {script.name} does cannot be read")
        try:
            done = deeds(config, ha.home)
        except Unreadable as why:
            return Verdict(script, Decision.CONFIRM, f"{script.name} has {why}")
        return strictest(script, [await self._deed(script, deed, ha, depth) for deed in done])

    async def _deed(self, script: Entity, deed: Deed, ha: HomeAssistant, depth: int) -> Verdict:
        if deed.domain == "homeassistant":
            return Verdict(script, Decision.DENY, f"{script.name} calls homeassistant.{deed.service}")
        if deed.domain == "scene" and deed.service == "apply":
            return await self._set_by_scene(script, [e.entity_id for e in deed.entities], ha, depth)
        if any("{" in str(value) for value in deed.data.values()) and deed.domain in ("cover", "valve"):
            return Verdict(script, Decision.CONFIRM, f"{script.name} sets something only known when it runs")
        return strictest(script, [await self._judge(deed.action, e, deed.data, ha, depth + 1) for e in deed.entities])


def strictest(entity: Entity, verdicts: Iterable[Verdict]) -> Verdict:
    """The strictest of several, as a verdict on ``entity``; allowed where there is none."""
    worst = max(verdicts, key=lambda v: _STRICTNESS.index(v.decision), default=Verdict(entity, Decision.ALLOW))
    return Verdict(entity, worst.decision, worst.reason)


_MOST_DARING: Mapping[str, str] = {
    "lock": "unlock",
    "alarm_control_panel": "disarm",
    "cover": "open",
    "valve": "open",
}

_SETS_OFF = frozenset({"turn_on", "toggle", "press"})
_CONFIRMED: Mapping[tuple[str, str], str] = {
    ("lock", "unlock"): "it unlocks {name}",
    ("lock", "open"): "it opens {name}",
    ("alarm_control_panel", "disarm"): "it disarms {name}",
    ("alarm_control_panel", "trigger"): "it sets off {name}",
    ("automation", "trigger"): "what {name} does cannot be read",
    ("update", "install"): "it installs {name}, which cannot be undone",
}


def _delivered(action: str, entity: Entity, home: Home, parameters: Mapping[str, Any]) -> Verdict:
    if reason := _CONFIRMED.get((entity.domain, action)):
        return Verdict(entity, Decision.CONFIRM, reason.format(name=entity.name))
    if _may_open(action, entity, home, parameters) or (action in _SETS_OFF and may_open(entity, home.areas.values())):
        return Verdict(entity, Decision.CONFIRM, f"it opens {entity.name}")
    if entity.domain == "button" and entity.device_class in ("restart", "update"):
        return Verdict(entity, Decision.CONFIRM, f"it restarts or updates {entity.name}")
    return Verdict(entity, Decision.ALLOW)


def _may_open(action: str, entity: Entity, home: Home, parameters: Mapping[str, Any]) -> bool:
    entrance = entity.domain == "cover" and may_be_entrance(entity, home.areas.values())
    if entity.domain != "valve" and not entrance:
        return False
    state = home.state(entity.entity_id)
    if action == "toggle":
        return state is None or state.state not in ("open", "opening")
    if action == "set_value":
        return not _closes(state, parameters)
    return action in ("open", "turn_on")


def _closes(state: State | None, parameters: Mapping[str, Any]) -> bool:
    """Whether a new position only closes further; what cannot be told does not."""
    if "position_step" in parameters and "position" not in parameters:
        step = _number(parameters["position_step"])
        return step is not None and step <= 0
    position = _number(parameters.get("position", parameters.get("value")))
    if position is None:
        return not parameters.keys() - {"tilt_position"} and bool(parameters)
    now = _number(state.attributes.get("current_position")) if state else None
    return position <= 0 or (now is not None and position <= now)


def _number(value: Any) -> float | None:
    try:
        return float(str(value).strip().removesuffix("%"))
    except ValueError:
        return None
