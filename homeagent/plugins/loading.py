"""Plugins: packages that say by an entry point that they have tools. One that is broken is told, and stops nothing."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection, Iterable
from importlib.metadata import EntryPoint, entry_points
from typing import Any, ClassVar

from pydantic import BaseModel

from homeagent.brains.call_outcomes import add_read_only
from homeagent.errors import HomeAgentError, WebError
from homeagent.plugins.contract import Tool as TheirTool
from homeagent.plugins.registry import Registry, params_model, registry, run
from homeagent.prompting.outside import asks_first, from_outside
from homeagent.tools.toolbox import OUTSIDE_READ, Partial, Tool
from homeagent.turn import Turn
from homeagent.values.jsonable import jsonable

GROUP = "homeagent.tools"
_log = logging.getLogger(__name__)
_SPARE = 2.0


class PluginTool(Tool):
    """A tool of a plugin, as ours are: offered, judged, timed, reported."""

    name: str  # type: ignore[misc]  # of each instance
    description: str  # type: ignore[misc]
    Params: type[BaseModel]  # type: ignore[misc]
    in_dry_run: ClassVar[bool] = False

    def __init__(self, tool: TheirTool, *, allowed: bool) -> None:
        self._tool = tool
        self._allowed = allowed
        self.name = tool.id
        self.description = tool.description
        self.Params = params_model(tool)
        self.timeout = tool.timeout + _SPARE

    def asks(self, params: Any, turn: Turn) -> str | None:
        """What changes something, unless the settings allow it; and what goes out once others' words were read."""
        if not self._tool.only_looks and not self._allowed:
            return f"{self.name} changes something, and tools.allow does not name it"
        sends = not (self._tool.only_looks and self._tool.own_words)
        return OUTSIDE_READ if sends and asks_first(turn) else None

    async def run(self, params: BaseModel, turn: Turn) -> Any:
        """What the tool gives; a Partial with its error where it failed."""
        result = await run(self._tool, params.model_dump(exclude_none=True))
        told = {"output": jsonable(result.output), **({"title": result.title} if result.title else {})}
        if result.metadata:
            told["metadata"] = jsonable(dict(result.metadata))
        shown = told if self._tool.own_words else from_outside(f"plugin {self.name}", told)
        if not result.success:
            error: HomeAgentError = WebError(result.error or f"{self.name} failed.")
            return Partial(shown, error)
        return shown


def load_plugins(
    wanted: Collection[str],
    off: Collection[str] = (),
    allow: Collection[str] = (),
    *,
    tools: Registry = registry,
    found: Iterable[EntryPoint] | None = None,
) -> list[Tool]:
    """The tools of the plugins of these names. Blocks: it imports them. One that fails is logged, and left out."""
    points = list(found if found is not None else entry_points(group=GROUP)) if wanted else []
    for name in wanted:
        if name not in {point.name for point in points}:
            there = ", ".join(sorted(point.name for point in points)) or "none"
            _log.warning("there is no plugin %s; installed are: %s", name, there)
    for point in points:
        if point.name in wanted:
            _load(point, tools)
    tools.switch(list(off), on=False)
    made: list[Tool] = []
    for tool in tools.get_all_tools():
        try:
            made.append(PluginTool(tool, allowed=tool.id in allow))
        except Exception as error:  # noqa: BLE001 - what others wrote stops no start
            _log.error("the tool %s is left out: %s", tool.id, error)
    add_read_only(tool.name for tool in made if tool.name in {t.id for t in tools.get_all_tools() if t.only_looks})
    return made


async def load_plugins_aside(wanted: Collection[str], off: Collection[str], allow: Collection[str]) -> list[Tool]:
    """As `load_plugins`, without holding up the loop."""
    return await asyncio.to_thread(load_plugins, wanted, off, allow)


def _load(point: EntryPoint, tools: Registry) -> None:
    try:
        loaded = point.load()
        if isinstance(loaded, type) and issubclass(loaded, TheirTool):
            tools.register(loaded)
    except Exception as error:  # noqa: BLE001 - what others wrote stops no start
        _log.error("the plugin %s is left out: %s: %s", point.name, type(error).__name__, error)
