"""A form of the home's tools: what a model is offered, and which of our own calls each of its calls is.

All that follows a call (checks, the yes, the audit, what an answer may claim) sees `ha_control` and `ha_query`; a model
sees its calls as it wrote them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ValidationError

from homeagent.errors import HomeAgentError, InvalidParameters
from homeagent.ha.home import Home
from homeagent.tools.parameter_schema import function_schema, what_is_wrong
from homeagent.turn import ToolCall, Turn, Written
from homeagent.values.colors import parse_color

CONTROL, QUERY = "ha_control", "ha_query"
UNFIT = "unfit"
"""The one parameter of a call that could not be turned into one of ours: what is wrong with it."""


@dataclass(frozen=True, slots=True)
class FormTool:
    """One tool of a form. ``own``: the tool of ours that it is, `ha_control` or `ha_query`. ``call``: our parameters
    for its own, which raises HomeAgentError for what has none. ``ids_by_name``: its result is told as name → id.
    """

    name: str
    description: str
    params: type[BaseModel]
    own: str
    call: Callable[[Any, Turn], dict[str, Any]]
    ids_by_name: bool = False
    domain: str | None = None
    """Offered only where the home has something of it."""


class Toolset:
    """The tools of one form, in place of `ha_control` and `ha_query`. ``alone``: nothing else is offered beside them.
    ``by_id``: every ``entity_id`` may only be one of those that were found. ``words``: of the system text, what is
    said instead. ``has``: whether the home has something of a domain.
    """

    def __init__(
        self,
        tools: Sequence[FormTool],
        *,
        alone: bool = False,
        by_id: bool = False,
        words: Mapping[str, str] | None = None,
        has: Callable[[str], bool] = lambda _: True,
    ) -> None:
        self._tools = {tool.name: tool for tool in tools}
        self._schemas = {t.name: json.dumps(function_schema(t.name, t.description, t.params)) for t in tools}
        self._has = has
        self._alone = alone
        self._words = words or {}
        self.by_id = by_id

    def schemas(self, own: Sequence[Mapping[str, Any]], entity_ids: Sequence[str] | None) -> list[dict[str, Any]]:
        """The tools in OpenAI's form: those of the form, then those of ``own`` that it leaves."""
        offered = [tool for tool in self._tools.values() if tool.domain is None or self._has(tool.domain)]
        tools: list[dict[str, Any]] = [json.loads(self._schemas[tool.name]) for tool in offered]
        if self.by_id and entity_ids:
            for tool in tools:
                fields = tool["function"]["parameters"]["properties"]
                if "entity_id" in fields:
                    fields["entity_id"] |= {"enum": list(entity_ids)}
        others = [] if self._alone else [t for t in own if t["function"]["name"] not in (CONTROL, QUERY)]
        return [*tools, *map(dict, others)]

    def system(self, text: str) -> str:
        """Our system text with the names of this form."""
        for ours, theirs in self._words.items():
            text = text.replace(ours, theirs)
        return text

    def own_call(self, call: ToolCall, turn: Turn) -> ToolCall:
        """The call of ours that a call is. One of no tool of the form stays as it is; one that fits nothing keeps what
        is wrong with it under `UNFIT`."""
        tool = self._tools.get(call.name)
        if tool is None:
            return call
        written = Written(call.name, call.parameters, tool.ids_by_name)
        try:
            parameters = tool.call(_validated(tool, call.parameters), turn)
        except HomeAgentError as error:
            parameters = {UNFIT: str(error)}
        return ToolCall(call.id, tool.own, parameters, written)


def everything(home: Home) -> list[str]:
    """A target that is all that is exposed, for looking at it: a pattern for each kind that there is."""
    return [f"{domain}.*" for domain in sorted({entity.domain for entity in home.exposed()})]


def _validated(tool: FormTool, parameters: Mapping[str, object]) -> BaseModel:
    try:
        return tool.params.model_validate(dict(parameters))
    except ValidationError as error:
        raise InvalidParameters(f"{tool.name}: {what_is_wrong(error, tool.params)}") from None


_NUMBER = r"\d+(?:\.\d+)?"
_BARE_HSL = re.compile(rf"\s*({_NUMBER})\s*,\s*({_NUMBER})\s*%?\s*,\s*({_NUMBER})\s*%?\s*")
_BARE_HEX = re.compile(r"[0-9a-fA-F]{6}")
_NAMED_IN = ("ko",)
"""Languages whose names of colours are taken whatever is spoken, beside English."""


def tint(color: str, language: str) -> dict[str, object]:
    """The parameter of `ha_control` for a colour: a name, `#RRGGBB`, `RRGGBB`, `hsl(h, s, l)`, `h, s, l`,
    `rgb(r, g, b)`. Raises InvalidParameters.
    """
    if _BARE_HEX.fullmatch(color.strip()):
        color = f"#{color.strip()}"
    elif bare := _BARE_HSL.fullmatch(color):
        color = f"hsl({', '.join(bare.groups())})"
    found = parse_color(color, language, *_NAMED_IN)
    if found.rgb is None or found.kelvin is not None:  # a white tone: the lamp takes it as it can
        return {"color": color} if found.rgb is not None else {"color_temp_kelvin": found.kelvin}
    return {"color": "#{:02x}{:02x}{:02x}".format(*found.rgb)}
