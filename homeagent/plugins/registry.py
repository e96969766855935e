"""The tools that others have registered, by id, each with its switch."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model

from homeagent.plugins.contract import TYPES, Category, Tool, ToolError, ToolParameter, ToolResult
from homeagent.tools.parameter_schema import what_is_wrong
from homeagent.values.name_matching import near

T = TypeVar("T", bound=type[Tool])
_ID = re.compile(r"[a-z][a-z0-9_]{1,47}")
_LONGEST_DESCRIPTION = 300


class Registry:
    """Made once; plugins use `registry`, tests one of their own."""

    def __init__(self) -> None:
        self._tools: dict[str, Tool] = {}
        self._off: set[str] = set()

    def register(self, tool: T) -> T:
        """Take a tool; a decorator. Raises ToolError, naming the class and what is missing or wrong."""
        made = tool()
        name = tool.__name__
        if not made.id or not _ID.fullmatch(made.id):
            raise ToolError(f"{name} has no id of small letters, digits and _: {made.id!r}.", tool_id=str(made.id))
        if not made.description.strip() or len(made.description) > _LONGEST_DESCRIPTION:
            raise ToolError(
                f"{name} ({made.id}) needs a description of 1 to {_LONGEST_DESCRIPTION} characters.", tool_id=made.id
            )
        if made.category not in list(Category):
            raise ToolError(f"{name} ({made.id}): categories are {', '.join(Category)}.", tool_id=made.id)
        if made.id in self._tools and type(self._tools[made.id]) is not tool:
            raise ToolError(f"{name}: there is a tool {made.id} already.", tool_id=made.id)
        self._tools[made.id] = made
        return tool

    def switch(self, names: Sequence[str], *, on: bool) -> None:
        """Switch tools on or off, by ids or categories."""
        self._off = self._off - set(names) if on else self._off | set(names)

    def is_on(self, tool: Tool) -> bool:
        """Whether it is offered."""
        return not {tool.id, str(tool.category)} & self._off

    def get_tool(self, tool_id: str) -> Tool | None:
        """The tool of this id."""
        return self._tools.get(tool_id)

    def get_all_tools(self, enabled_only: bool = True) -> list[Tool]:
        """All tools, in the order in which they were registered."""
        return [tool for tool in self._tools.values() if self.is_on(tool) or not enabled_only]

    def list_tools(self) -> list[dict[str, Any]]:
        """What there is, as JSON can hold it."""
        return [
            {
                "id": tool.id,
                "description": tool.description,
                "category": str(tool.category),
                "enabled": self.is_on(tool),
                "parameters": [
                    {"name": p.name, "type": p.type, "description": p.description, "required": p.required}
                    for p in tool.parameters
                ],
            }
            for tool in self._tools.values()
        ]

    async def execute_tool(self, tool_id: str, params: Mapping[str, Any]) -> ToolResult:
        """Run one. What is wrong with the call is the result's error, and says what is right."""
        tool = self._tools.get(tool_id)
        if tool is None or not self.is_on(tool):
            there = [one.id for one in self.get_all_tools()]
            nearest = near(tool_id, there)
            hint = f"Did you mean {nearest[0]}?" if nearest else f"There are: {', '.join(there) or 'none'}."
            return ToolResult(success=False, error=f"There is no tool {tool_id[:60]!r}. {hint}")
        model = params_model(tool)
        try:
            given = model.model_validate(dict(params)).model_dump(exclude_none=True)
        except ValidationError as error:
            return ToolResult(success=False, error=f"{tool_id}: {what_is_wrong(error, model)}")
        return await run(tool, given)

    def get_system_prompt(self) -> str:
        """The tools that are on, a line each; empty where there are none."""
        return "\n".join(f"- {tool.id}: {tool.description}" for tool in self.get_all_tools())

    def clear(self) -> None:
        """Forget all of them (tests)."""
        self._tools.clear()
        self._off.clear()


registry = Registry()
register = registry.register


async def run(tool: Tool, given: Mapping[str, Any]) -> ToolResult:
    """Run a tool with parameters that fit. Whatever it raises becomes the result's error; only a cancellation gets
    through."""
    try:
        async with asyncio.timeout(tool.timeout):
            result = await tool.execute(**given)
    except ToolError as error:
        return ToolResult(success=False, error=str(error), metadata=error.details)
    except TimeoutError:
        return ToolResult(success=False, error=f"{tool.id} did not finish within {tool.timeout:g} s.")
    except Exception as error:  # noqa: BLE001 - the boundary of a tool that others wrote
        return ToolResult(success=False, error=f"{tool.id} failed ({type(error).__name__}).")
    if not isinstance(result, ToolResult):
        return ToolResult(success=False, error=f"{tool.id} gave no ToolResult.")
    return result


def params_model(tool: Tool) -> type[BaseModel]:
    """A model that validates a tool's parameters and is their schema."""
    fields: dict[str, Any] = {p.name: (_type(p), _field(p)) for p in tool.parameters}
    return create_model("Params", __config__=ConfigDict(extra="forbid"), **fields)


def _type(parameter: ToolParameter) -> Any:
    of = Literal[tuple(parameter.enum)] if parameter.enum else TYPES[parameter.type]
    return of if parameter.required or parameter.default is not None else of | None


def _field(parameter: ToolParameter) -> Any:
    told = parameter.description or None
    if parameter.required and parameter.default is None:
        return Field(description=told)
    return Field(default=parameter.default, description=told)
