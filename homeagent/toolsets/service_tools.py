"""`get_ha_entities`, `get_entity_state`, `call_ha_service`, `get_entity_history`: the home as its services."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema

from homeagent.ha.home import Home
from homeagent.policy.verdicts import Decision, Rule
from homeagent.toolsets.toolset import CONTROL, QUERY, FormTool, Toolset, everything
from homeagent.turn import Turn
from homeagent.values.jsonable import parsed

RESTRICTED = tuple(Rule(Decision.CONFIRM, "*", f"{domain}.*") for domain in ("lock", "camera", "alarm_control_panel"))
"""The class that asks, whatever is done, where neither a rule that is set nor an effect has decided."""
_SAME = {"color_name": "color", "kelvin": "color_temp_kelvin"}
"""Data of services that `ha_control` has by another name."""


class _EntitiesParams(BaseModel):
    model_config = ConfigDict(extra="forbid")

    domain: str | None = None
    area: str | None = None


class _StateParams(BaseModel):
    model_config = ConfigDict(extra="forbid")

    entity_id: str = Field(min_length=1)


def _object(given: object) -> dict[str, Any]:
    """The object that a text of JSON is, or that was given as one. Raises ValueError for anything else."""
    found = parsed(given or "{}") if given is None or isinstance(given, str) else given
    if not isinstance(found, dict):
        raise ValueError("must be a JSON object")
    return found


class _ServiceParams(BaseModel):
    model_config = ConfigDict(extra="forbid")

    domain: str = Field(min_length=1)
    service: str = Field(min_length=1)
    entity_id: str | list[str] | None = None
    service_data: Annotated[dict[str, Any], BeforeValidator(_object), WithJsonSchema({"type": "string"})] = Field(
        default_factory=dict, description="JSON object"
    )


class _HistoryParams(BaseModel):
    model_config = ConfigDict(extra="forbid")

    entity_id: str = Field(min_length=1)
    hours: float = Field(default=24, gt=0, le=24 * 366, allow_inf_nan=False, description="24 if not given")


def service_toolset(home: Home) -> Toolset:
    """The four tools, and the system text that speaks of them."""
    tools = [
        FormTool(
            "get_ha_entities",
            "Which entities there are: name and id.",
            _EntitiesParams,
            QUERY,
            partial(_entities, home),
            ids_by_name=True,
        ),
        FormTool("get_entity_state", "State and attributes of an entity.", _StateParams, QUERY, _state),
        FormTool(
            "call_ha_service",
            "Call a service of Home Assistant on entities, such as light.turn_on.",
            _ServiceParams,
            CONTROL,
            _service,
        ),
        FormTool("get_entity_history", "What an entity's states were.", _HistoryParams, QUERY, _history),
    ]
    words = {
        "call ha_control": "call call_ha_service",
        "look something up, ha_query": "look something up, get_entity_state",
        ', or by the target of a <home> line that begins with "set"; ': "; ",
    }
    return Toolset(tools, words=words)


def _entities(home: Home, params: _EntitiesParams, _turn: Turn) -> dict[str, Any]:
    asked = {"domain": params.domain, "area": params.area}
    return {key: value for key, value in asked.items() if value} or {"entity_id": everything(home)}


def _state(params: _StateParams, _turn: Turn) -> dict[str, Any]:
    return {"entity_id": params.entity_id}


def _service(params: _ServiceParams, _turn: Turn) -> dict[str, Any]:
    data = {_SAME.get(key, key): value for key, value in params.service_data.items()}
    named = params.entity_id or data.pop("entity_id", None)  # no other target: this one is checked as any is
    target = {"entity_id": named} if named else {}
    action = f"{params.domain}.{params.service.removeprefix(f'{params.domain}.')}"
    return {"action": action, **target, **({"parameters": data} if data else {})}


def _history(params: _HistoryParams, _turn: Turn) -> dict[str, Any]:
    return {"entity_id": params.entity_id, "history": {"duration": f"{params.hours:g}h"}}
