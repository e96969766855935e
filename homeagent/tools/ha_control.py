"""ha_control: make things in the home do something, and say what came of it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Collection, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from typing import Any

from pydantic import Field, field_validator
from pydantic.config import JsonDict

from homeagent.confirmations import Confirmations
from homeagent.domains import ACTIONS, DOMAINS, MIXED_SET_DOMAINS, actions_of, canonical_action
from homeagent.errors import (
    ActionDenied,
    CodeRequired,
    EntityUnavailable,
    HomeAgentError,
    InvalidParameters,
    UnknownItem,
    UnsupportedAction,
)
from homeagent.ha.connection import HomeAssistant
from homeagent.ha.home import Home
from homeagent.policy.audit import AuditLog, told
from homeagent.policy.policy import Policy
from homeagent.policy.verdicts import Verdict
from homeagent.targets.resolve import Resolved, TargetParams, expand_groups, exposed_targets
from homeagent.tools.carry_out import Done, EntityLocks, Job, Outcome, carry_out
from homeagent.tools.control_result import answer, describe, waits
from homeagent.tools.judging import Judged, after_outside, calls_of
from homeagent.tools.plan import Asked, make_plan, needs_code
from homeagent.tools.todo_items import ITEM_ACTIONS, with_real_items
from homeagent.tools.toolbox import Tool
from homeagent.turn import Turn
from homeagent.values.name_matching import near
from indexer.entity import Entity

_AT_ONCE = 50
"""Targets that are judged before the event loop may go on with something else."""
_RESERVED = frozenset(
    " ".join(
        (
            "entity_id entity_ids area area_id device_id floor floor_id label label_id",
            "target domain device_class group group_members entities exclude",
        )
    ).split()
)
"""What would name a target: never taken from parameters."""
_DESCRIPTION = """Control things in the home: an action on entity_id, or on a set (area, floor, …; given both: \
what is in both).
parameters, with turn_on or set_value:"""
_SETTINGS: tuple[tuple[tuple[str, ...], str], ...] = (
    (
        ("light",),
        "brightness_pct or brightness 0-255, brightness_step_pct, color (name or #RRGGBB), color_temp_kelvin, "
        "effect, transition",
    ),
    (
        ("climate", "water_heater"),
        "temperature, temperature_step, hvac_mode, preset_mode, fan_mode, target_temp_low, target_temp_high",
    ),
    (("cover", "valve"), "position 0-100, tilt_position"),
    (("fan",), "percentage, preset_mode, oscillating, direction"),
    (
        ("media_player",),
        "volume_level 0-1, volume_step, source, shuffle; play_media: media_content_id, media_content_type",
    ),
    (("number",), "value"),
    (("select",), "option"),
    (("humidifier",), "humidity, mode"),
    (("vacuum",), "fan_speed"),
    (("timer",), "start: duration"),
    (("todo",), "item"),
    (("lock", "alarm_control_panel"), "code (only as the person gave it)"),
)
"""What each action with parameters takes, by the domains that it is for."""
_OFFERED: JsonDict = {
    "properties": {name: {"type": "number"} for name in ("brightness_pct", "temperature", "position")}
}
"""Some providers take no object without fields; the others are in the description, and an error names what fits."""


def _description(domains: Collection[str]) -> str:
    lines = (f"{', '.join(there)}: {takes}" for of, takes in _SETTINGS if (there := [d for d in of if d in domains]))
    return "\n".join((_DESCRIPTION, *lines))


def _fitting(home: Home) -> tuple[str, list[str]]:
    """The description for what is exposed in the home, and the actions that something there has."""
    domains = {entity.domain for entity in home.exposed()}
    able = {action for domain in domains for action in actions_of(domain)}
    return _description(domains), [action for action in ACTIONS if action in able]


class HaControlParams(TargetParams):
    """What is to be done to a target. A set and entity_id together mean what is in both."""

    action: str = Field(min_length=1, json_schema_extra={"enum": list(ACTIONS)})
    parameters: dict[str, Any] = Field(default_factory=dict, json_schema_extra=_OFFERED)

    @field_validator("parameters", mode="before")
    @classmethod
    def _json_text_too(cls, value: object) -> object:
        """Some models write the object as a text, or null for none."""
        if isinstance(value, str):
            try:
                return json.loads(value or "{}")
            except json.JSONDecodeError:
                raise ValueError("must be an object") from None
        return {} if value is None else value


@dataclass(frozen=True, slots=True)
class Foreseen:
    """What a call would come to: the jobs by their verdicts, and what cannot be done as things stand."""

    judged: Judged
    left: tuple[Done, ...]


class HaControl(Tool):
    """``settle``: seconds to wait at most for a device to show what it was told. ``audit``: notes what was done."""

    name = "ha_control"
    description = _description(DOMAINS)
    Params = HaControlParams

    def __init__(
        self,
        ha: HomeAssistant,
        policy: Policy,
        confirmations: Confirmations,
        *,
        settle: float = 2.0,
        audit: AuditLog | None = None,
    ) -> None:
        self._audit = audit
        self._ha = ha
        self._policy = policy
        self._confirmations = confirmations
        self._settle = settle
        self._locks = EntityLocks()

    def fitted(self, function: dict[str, Any]) -> dict[str, Any]:
        """Only the actions and settings of what is in the home."""
        description, actions = self._ha.home.worked_out(_fitting)
        if actions:
            function["description"] = description
            function["parameters"]["properties"]["action"]["enum"] = actions
        return function

    def judges(self, params: HaControlParams) -> bool:
        """Target by target, by what is done to it."""
        return True

    async def run(self, params: HaControlParams, turn: Turn) -> Any:
        """Raises what keeps all of it from being done; returns a Partial where some was."""
        action, targets, sweeping = await self._meant(params)
        params = self._with_said_code(params, targets, action, turn)
        async with AsyncExitStack() as stack:
            await self._locks.hold(stack, targets)
            jobs, left = await self._plans(targets, action, params.parameters, turn.language)
            judged = Judged.of(await self._verdicts(jobs, action, turn), turn, sweeping=sweeping)
            turn.verdicts += judged.verdicts
            if turn.dry_run:
                return {"action": params.action, "verdicts": [told(verdict) for verdict in judged.verdicts]}
            done = await carry_out(self._ha, judged.allowed, settle=self._settle)
            real = {job.entity.entity_id: _real_item(job, params.parameters) for job in jobs}
            done = [replace(d, item=real.get(d.entity.entity_id)) for d in done]
        confirmation = await self._ask(judged, params, turn) if judged.waiting else None
        results = [*done, *left, *judged.not_done(), *(waits(job) for job, _ in judged.waiting)]
        if self._audit:
            await self._audit.note(turn, params.action, params.parameters, judged, results, confirmation)
        return answer(params.action, results, confirmation)

    async def foresee(self, params: HaControlParams, turn: Turn) -> Foreseen:
        """What the call would come to if it were made now. Nothing is done, asked or noted. Raises as `run`."""
        action, targets, sweeping = await self._meant(params)
        jobs, left = await self._plans(targets, action, params.parameters, turn.language)
        judged = Judged.of(await self._verdicts(jobs, action, turn), turn, sweeping=sweeping)
        turn.verdicts += judged.verdicts
        return Foreseen(judged, tuple(left))

    async def _meant(self, params: HaControlParams) -> tuple[str, tuple[Entity, ...], bool]:
        """The action, what it is to happen to, and whether that is a sweeping order."""
        _no_hidden_targets(params.parameters)
        domain, action = _action(params.action)
        home = self._ha.home
        meant: list[Resolved] = []

        def able(resolved: Resolved) -> tuple[Entity, ...]:
            meant.append(resolved)
            return expand_groups(home, _able(resolved, action, domain))

        targets = await exposed_targets(self._ha, params, able)
        return action, targets, meant[-1].sweeping

    def _with_said_code(
        self, params: HaControlParams, targets: Sequence[Entity], action: str, turn: Turn
    ) -> HaControlParams:
        """The call with the code that the person said in the sentence, where it needs one and names none itself."""
        if len({said.code for said in turn.said_codes}) != 1 or params.parameters.get("code"):
            return params
        states = ((entity, self._ha.home.state(entity.entity_id)) for entity in targets)
        if not any(state and needs_code(entity, state, action) for entity, state in states):
            return params
        return params.model_copy(update={"parameters": {**params.parameters, "code": turn.said_codes[0].code}})

    async def _plans(
        self, targets: Sequence[Entity], action: str, parameters: Mapping[str, object], language: str
    ) -> tuple[list[Job], list[Done]]:
        """What can be done, and what cannot with the reason. Of several lists those are meant that have the item."""
        jobs: list[Job] = []
        left: list[Done] = []
        for entity in targets:
            before = self._ha.home.state(entity.entity_id)
            try:
                jobs.append(await self._job(entity, action, parameters, language))
            except HomeAgentError as error:
                if isinstance(error, InvalidParameters) and len(targets) == 1:
                    raise
                left.append(Done(entity, Outcome.NOT_CALLED, before, before, False, error))
        if any(job.entity.domain == "todo" for job in jobs):
            left = [done for done in left if not isinstance(done.error, UnknownItem)]
        return jobs, left

    async def _job(self, entity: Entity, action: str, parameters: Mapping[str, object], language: str) -> Job:
        state = self._ha.home.state(entity.entity_id)
        if state is None or not state.available:
            raise EntityUnavailable(f"{entity.name} is unavailable, so nothing was sent to it.")
        own = _own_action(entity, action)
        if entity.domain == "todo" and own in ITEM_ACTIONS:
            parameters = await with_real_items(self._ha, entity.entity_id, parameters)
        config = self._ha.home.config
        plan = make_plan(entity, state, Asked(own, parameters, (language, config.language), config.time_zone))
        if needs_code(entity, state, own) and not parameters.get("code"):
            raise CodeRequired(f"{entity.name} needs its code to {own.replace('_', ' ')}.")
        return Job(entity, state, plan)

    async def _verdicts(self, jobs: Sequence[Job], action: str, turn: Turn) -> list[tuple[Job, Verdict]]:
        """Each job with the verdict on the very calls that it would send."""
        found = []
        for number, job in enumerate(jobs):
            if number % _AT_ONCE == _AT_ONCE - 1:
                await asyncio.sleep(0)  # a whole house may be meant: others get their turn
            found.append((job, await self._policy.judge(calls_of(job), job.entity, self._ha)))
        return await asyncio.to_thread(after_outside, found, action, turn) if turn.by_model else found

    async def _ask(self, judged: Judged, params: HaControlParams, turn: Turn) -> dict[str, Any]:
        """Keep what waits, bound to exactly these targets and to all that they come to."""
        ids = [job.entity.entity_id for job, _ in judged.waiting]
        call = {"action": params.action, "entity_id": ids, "parameters": params.parameters}
        description = describe(params.action, [job.entity for job, _ in judged.waiting], params.parameters)
        verdicts = [verdict for _, verdict in judged.waiting]
        pending = await self._confirmations.create(
            turn,
            self.name,
            call,
            ids,
            description,
            consequences=tuple(dict.fromkeys(c for verdict in verdicts for c in verdict.consequences)),
            digest=judged.digest,
        )
        return {
            "id": pending.id,
            "number": pending.number,
            "description": pending.description,
            "reasons": list(dict.fromkeys(verdict.reason for verdict in verdicts)),
            "expires_at": pending.expires_at.isoformat(timespec="seconds"),
        }


def _real_item(job: Job, asked: Mapping[str, object]) -> object:
    """What a list calls the item that was asked for; None where that is what it was called."""
    sent = next((step.data["item"] for step in job.plan.steps if "item" in step.data), None)
    one = sent[0] if isinstance(sent, list) and len(sent) == 1 else sent
    return one if job.entity.domain == "todo" and one not in (asked.get("item"), None) else None


def _no_hidden_targets(parameters: object, where: str = "parameters") -> None:
    """Refuse parameters that could name another target, at any depth."""
    if isinstance(parameters, Mapping):
        for key, value in parameters.items():
            if str(key).strip().casefold() in _RESERVED:
                raise InvalidParameters(
                    f"{where} may not hold {key}.", hint="A target is named beside action, never in parameters."
                )
            _no_hidden_targets(value, f"{where}.{key}")
    elif isinstance(parameters, list):
        for value in parameters:
            _no_hidden_targets(value, where)


def _action(text: str) -> tuple[str | None, str]:
    """The domain (where one was given, as in ``light.turn_on``) and the action."""
    domain, _, action = text.strip().casefold().replace(" ", "_").replace("-", "_").rpartition(".")
    if domain == "homeassistant":
        raise ActionDenied("Services of homeassistant are not for me.", hint="Use turn_on, turn_off or toggle.")
    if not domain and not any(canonical_action(d, action) for d in DOMAINS):
        nearest = near(action, ACTIONS)
        hint = f"Did you mean: {', '.join(nearest)}?" if nearest else f"Actions: {', '.join(ACTIONS)}."
        raise UnsupportedAction(f"There is no action {text[:60]!r}.", hint=hint)
    return domain or None, action


def _able(resolved: Resolved, action: str, domain: str | None) -> tuple[Entity, ...]:
    """Those of a set that the action is for; those named one by one all stay, to hear why not."""
    meant = [
        entity
        for entity in resolved.entities
        if entity.entity_id in resolved.chosen
        or entity.domain == "group"
        or (canonical_action(entity.domain, action) and (not resolved.mixed or _for_everything(entity, action)))
    ]
    if domain:
        other = [entity.entity_id for entity in meant if entity.domain != domain]
        if other:
            raise UnsupportedAction(f"{domain}.{action} is not for {', '.join(other[:5])}.")
    if not meant:
        kinds = sorted({entity.domain for entity in resolved.entities})
        able = sorted({a for kind in kinds for a in actions_of(kind)})
        hint = f"There {', '.join(kinds)} can: {', '.join(able)}." if able else "These can only be read."
        raise UnsupportedAction(f"Nothing there can {action}.", hint=hint)
    return tuple(meant)


def _for_everything(entity: Entity, action: str) -> bool:
    """Whether "turn off everything here" means it. Other actions name their kind themselves (``open``, ``pause``)."""
    return action not in ("turn_on", "turn_off", "toggle") or entity.domain in MIXED_SET_DOMAINS


def _own_action(entity: Entity, action: str) -> str:
    own = canonical_action(entity.domain, action)
    if own is None:
        able = actions_of(entity.domain)
        hint = f"It can: {', '.join(able)}." if able else "It can only be read: use ha_query."
        raise UnsupportedAction(f"{entity.entity_id} cannot {action}.", hint=hint)
    return own
