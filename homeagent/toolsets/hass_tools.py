"""`hass_control` and `hass_query`: one entity a call, named by an id of those that were found."""

from __future__ import annotations

from functools import partial
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from homeagent.errors import InvalidParameters
from homeagent.ha.home import Home
from homeagent.targets.lookup import one_entity
from homeagent.toolsets.toolset import CONTROL, QUERY, FormTool, Toolset, everything, tint
from homeagent.turn import Turn


class _ControlParams(BaseModel):
    model_config = ConfigDict(extra="forbid")

    entity_id: str = Field(min_length=1)
    action: Literal["turn_on", "turn_off", "toggle"]
    brightness: float | None = Field(default=None, ge=0, le=100, allow_inf_nan=False, description="%, lights")
    color: str | None = Field(default=None, description="Name, #RRGGBB, hsl(h, s, l), rgb(r, g, b); lights")
    color_temp_kelvin: int | None = Field(default=None, ge=2200, le=6500, description="Wins over color; lights")


class _QueryParams(BaseModel):
    model_config = ConfigDict(extra="forbid")

    query_type: Literal["get_state", "list_entities"]
    entity_id: str | None = Field(default=None, description="For get_state")


def hass_toolset(home: Home) -> Toolset:
    """Both tools, and the system text that speaks of them."""
    control = FormTool(
        "hass_control",
        "Control one device. Call it once for each device.",
        _ControlParams,
        CONTROL,
        partial(_control, home),
    )
    query = FormTool(
        "hass_query", "Read the state of one device, or list all.", _QueryParams, QUERY, partial(_query, home)
    )
    words = {
        "call ha_control": "call hass_control",
        "look something up, ha_query": "look something up, hass_query",
        ', or by the target of a <home> line that begins with "set"; ': ", one in each call; ",
    }
    return Toolset([control, query], by_id=True, words=words)


def _control(home: Home, params: _ControlParams, turn: Turn) -> dict[str, Any]:
    if "*" in params.entity_id:
        raise InvalidParameters(
            f"{params.entity_id} is no device: a call is for one.", hint="Name it by its id; hass_query lists them."
        )
    entity = one_entity(home, params.entity_id)
    given: dict[str, object] = {}
    if params.brightness is not None:
        given["brightness_pct"] = params.brightness
    if params.color_temp_kelvin is not None:
        given["color_temp_kelvin"] = params.color_temp_kelvin
    elif params.color:
        given |= tint(params.color, turn.language)
    if given and entity.domain != "light":
        raise InvalidParameters(
            f"brightness, color and color_temp_kelvin are for lights, and {entity.entity_id} is none.",
            hint="Call it without them.",
        )
    return {"entity_id": entity.entity_id, "action": params.action, **({"parameters": given} if given else {})}


def _query(home: Home, params: _QueryParams, _turn: Turn) -> dict[str, Any]:
    if params.query_type == "list_entities":
        return {"entity_id": params.entity_id or everything(home)}
    if not params.entity_id:
        raise InvalidParameters("get_state needs an entity_id.", hint="list_entities names them.")
    return {"entity_id": params.entity_id}
