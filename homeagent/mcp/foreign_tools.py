"""Tools of other MCP servers as tools of ours: named for their server, judged by its settings, believed in nothing."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import time
from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict

from homeagent.brains.call_outcomes import add_read_only
from homeagent.errors import HomeAgentError, InvalidParameters, Refused
from homeagent.mcp.connection import Connection, Offered
from homeagent.policy.verdicts import Consequence, Effect
from homeagent.privacy.redact import mask_text, scrubbed
from homeagent.prompting.outside import asks_first, defused, from_outside
from homeagent.tools.parameter_schema import function_schema
from homeagent.tools.toolbox import OUTSIDE_READ, Tool
from homeagent.turn import Turn

_log = logging.getLogger(__name__)
_LONGEST_NAME = 64
_LONGEST_DESCRIPTION = 140
_SHORTEST = 30
_LONGEST_SCHEMA = 360
"""Characters of a tool in a prompt, about 110 tokens: what a server says more of it is left out, least needed first."""
_ODD = re.compile(r"[^a-zA-Z0-9_-]+")
_RETRIES = (5.0, 30.0, 120.0, 600.0)
"""Seconds after which a server that is out of reach is tried again."""
_HOUR = 3600.0


@dataclass(frozen=True, slots=True)
class Policy:
    """Patterns of a server's tools: a tool that fits ``deny`` is not offered, one of ``allow`` may be used unasked, and
    every other asks. ``per_turn`` and ``per_hour``: calls of all its tools."""

    allow: Sequence[str] = ()
    deny: Sequence[str] = ()
    per_turn: int = 5
    per_hour: int = 60

    def denies(self, tool: str) -> bool:
        """Whether the tool is not to be used at all."""
        return any(fnmatchcase(tool, pattern) for pattern in self.deny)

    def allows(self, tool: str) -> bool:
        """Whether the tool may be used without asking."""
        return any(fnmatchcase(tool, pattern) for pattern in self.allow)


class Budget:
    """How many calls a server may still get. ``clock`` is for tests."""

    def __init__(self, policy: Policy, clock: Callable[[], float] = time.monotonic) -> None:
        self._policy = policy
        self._clock = clock
        self._turns: Counter[str] = Counter()
        self._hour: deque[float] = deque()

    def take(self, turn: Turn) -> None:
        """Raises Refused where it is used up."""
        now = self._clock()
        while self._hour and self._hour[0] < now - _HOUR:
            self._hour.popleft()
        if self._turns[turn.turn_id] >= self._policy.per_turn:
            raise Refused("That server was asked often enough in this turn.", hint="Use what it has told.")
        if len(self._hour) >= self._policy.per_hour:
            raise Refused("That server was asked often enough in this hour.", hint="Tell the person so.")
        if len(self._turns) > 100:
            self._turns.clear()
        self._turns[turn.turn_id] += 1
        self._hour.append(now)


class ForeignTool(Tool):
    """One tool of a server. What it answers is marked as others' words; codes that were said do not go out."""

    name: str  # type: ignore[misc]  # of each instance
    description: str  # type: ignore[misc]
    Params: type[BaseModel]  # type: ignore[misc]
    in_dry_run: ClassVar[bool] = False

    def __init__(self, connection: Connection, offered: Offered, policy: Policy, budget: Budget) -> None:
        server = connection.server
        self.name = _ODD.sub("_", f"{server.name}_{offered.name}")[:_LONGEST_NAME]
        self.timeout = server.timeout + 2
        self._connection = connection
        self._tool = offered.name
        self._allowed = policy.allows(offered.name)
        self._budget = budget
        self._schema = dict(offered.schema)
        said = " ".join(defused(offered.description, _LONGEST_DESCRIPTION).split())
        self.description, self.Params = _offered(self.name, f"({server.name}) {said}", self._schema)

    def asks(self, params: Any, turn: Turn) -> str | None:
        """By the settings, and wherever others may have put the call into the model's mouth."""
        if not self._allowed:
            return f"{self._connection.server.name} is asked only with a yes"
        return OUTSIDE_READ if asks_first(turn) else None

    def told(self, params: Any) -> Consequence:
        """By a rule of the home's own, where the settings want it."""
        told = super().told(params)
        return told if self._allowed else replace(told, effect=Effect.OWN_RULE)

    async def run(self, params: BaseModel, turn: Turn) -> dict[str, Any]:
        """Raises InvalidParameters, Refused (its budget is used up), WebError."""
        given = dict(params.model_extra or {})
        await asyncio.to_thread(_check, given, self._schema)
        self._budget.take(turn)
        said = {form for code in turn.said_codes for form in (code.text, code.code)}
        text = await self._connection.call(self._tool, _scrubbed(given, said))
        shown = await asyncio.to_thread(defused, text)
        return from_outside(f"server {self._connection.server.name}", {"result": shown})


class ForeignTools:
    """Finds the tools of the servers that are set, and adds them once they are there: none keeps anybody waiting."""

    def __init__(
        self, servers: Sequence[tuple[Connection, Policy]], add: Callable[[Sequence[Tool]], Sequence[str]]
    ) -> None:
        self._servers = servers
        self._add = add
        self.found: dict[str, tuple[str, ...]] = {}

    async def find(self) -> None:
        """Ask every server, again and again until it answers."""
        await asyncio.gather(*(self._find(connection, policy) for connection, policy in self._servers))

    async def stop(self) -> None:
        """Close all connections."""
        for connection, _ in self._servers:
            await connection.stop()

    async def _find(self, connection: Connection, policy: Policy) -> None:
        tries = 0
        while True:
            try:
                offered = await connection.tools()
                break
            except HomeAgentError as error:
                _log.warning("the tools of %s are not there: %s", connection.server.name, error)
                await asyncio.sleep(_RETRIES[min(tries, len(_RETRIES) - 1)])
                tries += 1
        budget = Budget(policy)
        kept = [one for one in offered if not policy.denies(one.name)]
        tools = [ForeignTool(connection, one, policy, budget) for one in kept]
        reading = {t.name for t, one in zip(tools, kept, strict=True) if one.reads}
        added = self._add(tools)
        add_read_only(reading & set(added))
        self.found[connection.server.name] = tuple(added)
        _log.info("%s has %d tools", connection.server.name, len(added))


def _offered(name: str, description: str, schema: Mapping[str, Any]) -> tuple[str, type[BaseModel]]:
    """What a model is told of a tool, within its bounds: without optional fields at last, which it may give all the
    same."""
    required = [str(field) for field in schema.get("required") or ()]
    given = schema.get("properties")
    fields = {str(key): _field(value) for key, value in (given if isinstance(given, Mapping) else {}).items()}
    params = _params(fields, required)
    for without in (_bare, lambda fields: {key: value for key, value in fields.items() if key in required}):
        if _weight(name, description, params) <= _LONGEST_SCHEMA:
            break
        fields = without(fields)
        params = _params(fields, required)
    while len(description) > _SHORTEST and _weight(name, description, params) > _LONGEST_SCHEMA:
        description = description[:-10]
    return description, params


def _weight(name: str, description: str, params: type[BaseModel]) -> int:
    return len(json.dumps(function_schema(name, description, params)))


def _field(given: object) -> dict[str, Any]:
    """Type, choices and a few words of a field."""
    table = given if isinstance(given, Mapping) else {}
    kind = table.get("type")
    kinds = [one for one in kind if one != "null"] if isinstance(kind, list) else [kind]
    field: dict[str, Any] = {"type": kinds[0] if kinds and isinstance(kinds[0], str) else "string"}
    if field["type"] == "array":
        field["items"] = {"type": "string"}
        if isinstance(items := table.get("items"), Mapping) and isinstance(items.get("type"), str):
            field["items"] = {"type": items["type"]}
    if isinstance(choices := table.get("enum"), list) and all(isinstance(one, str) for one in choices):
        field["enum"] = [defused(one, 40) for one in choices[:10]]
    if words := " ".join(defused(str(table.get("description") or ""), 60).split()):
        field["description"] = words
    return field


def _bare(fields: Mapping[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {key: {k: v for k, v in field.items() if k != "description"} for key, field in fields.items()}


def _params(fields: Mapping[str, dict[str, Any]], required: Sequence[str]) -> type[BaseModel]:
    told = {"properties": dict(fields), "required": [name for name in required if name in fields]}

    def schema(into: dict[str, Any]) -> None:
        into.update(told)

    class Params(BaseModel):
        model_config = ConfigDict(extra="allow", json_schema_extra=schema)

    return Params


def _check(given: Mapping[str, Any], schema: Mapping[str, Any]) -> None:
    """Raises InvalidParameters, naming the field. A schema that cannot be read checks nothing: the server will."""
    import jsonschema

    try:
        jsonschema.validate(dict(given), dict(schema))
    except jsonschema.ValidationError as error:
        where = ".".join(str(part) for part in error.absolute_path) or "parameters"
        raise InvalidParameters(f"{where}: {error.message[:200]}") from None
    except (jsonschema.SchemaError, RecursionError):
        return


def _scrubbed(value: Any, secrets: set[str]) -> Any:
    if isinstance(value, str):
        return scrubbed(mask_text(value), secrets)
    if isinstance(value, Mapping):
        return {key: _scrubbed(inner, secrets) for key, inner in value.items()}
    return [_scrubbed(inner, secrets) for inner in value] if isinstance(value, list | tuple) else value
