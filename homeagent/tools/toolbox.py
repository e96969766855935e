"""The tools that a brain may use: offered as schemas, and each call validated, timed, reported and answered once."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from pydantic import BaseModel, ValidationError

from homeagent.brains.call_outcomes import only_looks
from homeagent.confirmations import Confirmations
from homeagent.errors import ConfirmationRequired, HomeAgentError, InvalidParameters, Refused, UnknownTool
from homeagent.events import Emitter, ToolExecuted, ToolProgress
from homeagent.policy.verdicts import Consequence, Effect, digest_of
from homeagent.privacy.redact import hidden, mask_text, scrubbed, secrets_in
from homeagent.prompting.firewall import clean
from homeagent.prompting.outside import asks_first
from homeagent.tools.parameter_schema import function_schema, what_is_wrong
from homeagent.turn import ToolCall, ToolResult, Turn
from homeagent.values.jsonable import jsonable
from homeagent.values.name_matching import near
from indexer.errors import IndexerError

_log = logging.getLogger(__name__)
_USE = "use"
"""The action of a yes to a tool."""
_LONGEST_SHOWN = 200
OUTSIDE_READ = "text from outside was read before, so the person is asked first"
_LONGEST_RESULT = 4_000
"""Characters of a result in an event."""


@dataclass(frozen=True, slots=True)
class Partial:
    """What a tool returns when only part of it was done: what was, and what went wrong with the rest."""

    result: Any
    error: HomeAgentError


class Tool(ABC):
    """Something a brain may do. ``description`` is what the model reads; ``Params`` validates and is the schema."""

    name: ClassVar[str]
    description: ClassVar[str]
    Params: ClassVar[type[BaseModel]]
    in_dry_run: ClassVar[bool] = True
    """Whether it may run where only what would be done is asked: it changes nothing then and sends nothing out."""
    offered: ClassVar[bool] = True
    """Whether models may use it, and not the brain without a model alone."""
    timeout: float | None = None
    """Seconds that a call may take; None: the toolbox's limit."""

    def fitted(self, function: dict[str, Any]) -> dict[str, Any]:
        """What a model is told of it (``description``, ``parameters``), less what nothing in the home could use."""
        return function

    def judges(self, params: Any) -> bool:
        """Whether it asks for a yes by itself wherever one is needed, for these parameters."""
        return False

    def asks(self, params: Any, turn: Turn) -> str | None:
        """Why a person must say yes to this call first, whatever was read before; None: they need not. May block."""
        return None

    def told(self, params: Any) -> Consequence:
        """What such a yes is to."""
        return Consequence(Effect.AFTER_OUTSIDE, _USE, self.name, content=mask_text(_in_short(params)))

    @abstractmethod
    async def run(self, params: Any, turn: Turn) -> Any:
        """Do it and return what JSON can hold, or a `Partial`. Raises HomeAgentError for everything that a person or
        a model can do something about."""


class Toolbox:
    """``timeout``: seconds that one call may take, of a tool that has no limit of its own. Without ``confirmations``
    what needs a yes is refused."""

    def __init__(
        self,
        tools: Sequence[Tool],
        emitter: Emitter,
        timeout: float = 30.0,
        *,
        confirmations: Confirmations | None = None,
    ) -> None:
        self._confirmations = confirmations
        self._tools = {tool.name: tool for tool in tools}
        self._emitter = emitter
        self._timeout = timeout

    def add(self, tools: Sequence[Tool]) -> list[str]:
        """More tools, behind those that there are; what these are called is not taken from them. The names added."""
        new = [tool for tool in tools if tool.name not in self._tools]
        self._tools |= {tool.name: tool for tool in new}
        self.__dict__.pop("_schemas", None)
        return [tool.name for tool in new]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the tools, in the order in which a model sees them."""
        return tuple(self._tools)

    @cached_property
    def _schemas(self) -> list[dict[str, object]]:
        """Takes a tenth of a second, which only a model needs."""
        return [function_schema(t.name, t.description, t.Params) for t in self._tools.values() if t.offered]

    def warm(self) -> None:
        """Make the schemas now. To be called in a thread."""
        _ = self._schemas

    def schemas(self, entity_ids: Sequence[str] | None = None) -> list[dict[str, Any]]:
        """The tools in OpenAI's form, byte for byte the same each time while the home stays as it is.

        With ``entity_ids`` (strict targets) every ``entity_id`` may only be one of these.
        """
        schemas: list[dict[str, Any]] = json.loads(json.dumps(self._schemas))
        for schema in schemas:
            schema["function"] = self._tools[schema["function"]["name"]].fitted(schema["function"])
        if entity_ids is not None:
            for schema in schemas:
                fields = schema["function"]["parameters"]["properties"]
                _only(fields, entity_ids)
                for field in fields.values():  # calls that are made later
                    _only(field.get("items", {}).get("properties", {}), entity_ids)
        return schemas

    async def call(self, call: ToolCall, turn: Turn) -> ToolResult:
        """Run one call. Whatever goes wrong becomes the result's ``error``; only a cancellation gets through."""
        started = time.perf_counter()
        self._progress(call, turn, "started")
        try:
            result = await self._run(call, turn)
        except asyncio.CancelledError:
            self._progress(call, turn, "failed", success=False, error="cancelled", error_type="cancelled")
            raise
        secrets = secrets_in(call.parameters)
        error = scrubbed(result.error, secrets) if result.error else None
        duration = (time.perf_counter() - started) * 1000
        done = ToolResult(result.success, result.result, error, result.error_type, duration)
        self._report(call, turn, done)
        return done

    async def _run(self, call: ToolCall, turn: Turn) -> ToolResult:
        limit = self._timeout
        try:
            tool = self._tool(call.name)
            params = _validated(tool, call.parameters)
            if turn.dry_run and not tool.in_dry_run:
                raise Refused("Nothing is done here; this only asks what would be.")
            limit = tool.timeout or limit
            if (waiting := await self._asked_first(tool, call, params, turn)) is not None:
                return waiting
            async with asyncio.timeout(limit):
                outcome = await tool.run(params, turn)
        except (HomeAgentError, IndexerError) as error:
            return ToolResult(False, error=_text(error), error_type=getattr(error, "code", "index"))
        except TimeoutError:
            return ToolResult(
                False,
                error=f"{call.name} did not finish within {limit:g} s. It may still happen: look at the state.",
                error_type="timeout",
            )
        except Exception as error:  # noqa: BLE001 - the boundary of a tool: the turn goes on whatever a tool does
            _log.exception("tool %s failed", call.name)
            return ToolResult(
                False, error=f"{call.name} failed unexpectedly ({type(error).__name__}).", error_type="internal"
            )
        if isinstance(outcome, Partial):
            return ToolResult(False, outcome.result, _text(outcome.error), outcome.error.code)
        return ToolResult(True, outcome)

    async def _asked_first(self, tool: Tool, call: ToolCall, params: Any, turn: Turn) -> ToolResult | None:
        """What waits for a person's yes in place of the call; None where it may be made."""
        reason = await asyncio.to_thread(_reason_to_ask, tool, call, params, turn)
        if reason is None:
            return None
        given = jsonable(dict(call.parameters))
        digest = digest_of([json.dumps([call.name, given], sort_keys=True, default=str)])
        if turn.confirmed and digest in turn.approved:
            return None
        if self._confirmations is None or turn.dry_run:
            raise Refused(f"{call.name} needs a person's yes first: {reason}.")
        told = tool.told(params)
        description = f"{call.name}: {told.content}" if told.content else call.name
        pending = await self._confirmations.create(
            turn, call.name, given, [], description, consequences=[told], digest=digest
        )
        confirmation = {
            "id": pending.id,
            "number": pending.number,
            "description": description,
            "reasons": [reason],
            "expires_at": pending.expires_at.isoformat(timespec="seconds"),
        }
        asks = ConfirmationRequired(
            f"This needs the person's yes first: {description} ({reason}).", confirmation_id=pending.id
        )
        return ToolResult(False, {"confirmation": confirmation}, _text(asks), asks.code)

    def _tool(self, name: str) -> Tool:
        if tool := self._tools.get(name):
            return tool
        nearest = near(name, self._tools)
        hint = f"Did you mean {nearest[0]}?" if nearest else f"There are: {', '.join(self._tools)}."
        raise UnknownTool(f"There is no tool {name[:60]!r}.", hint=hint)

    def _report(self, call: ToolCall, turn: Turn, result: ToolResult) -> None:
        secrets = turn.secrets()
        self._progress(
            call,
            turn,
            "completed" if result.success else "failed",
            success=result.success,
            error=result.error,
            error_type=result.error_type,
        )
        self._emitter.emit(
            ToolExecuted(
                tool_name=call.name,
                parameters=hidden(call.parameters, secrets),
                result=_cut(hidden(jsonable(result.as_dict()), secrets)),
                success=result.success,
                duration_ms=round(result.duration_ms, 2),
                conversation_id=turn.conversation_id,
                user_id=turn.user_id,
                turn_id=turn.turn_id,
            )
        )

    def _progress(self, call: ToolCall, turn: Turn, status: str, **more: Any) -> None:
        self._emitter.emit(
            ToolProgress(
                tool_name=call.name,
                tool_call_id=call.id,
                status=status,
                conversation_id=turn.conversation_id,
                user_id=turn.user_id,
                turn_id=turn.turn_id,
                **more,
            )
        )


def _reason_to_ask(tool: Tool, call: ToolCall, params: Any, turn: Turn) -> str | None:
    own = tool.asks(params, turn)
    if own is not None or tool.judges(params) or only_looks(call) or not asks_first(turn):
        return own
    return OUTSIDE_READ


def _in_short(params: Any) -> str:
    """The parameters that were given, on a line."""
    given = params.model_dump(mode="json", exclude_unset=True) if isinstance(params, BaseModel) else dict(params)
    texts = (value if isinstance(value, str) else json.dumps(value, ensure_ascii=False) for value in given.values())
    return clean("; ".join(texts), _LONGEST_SHOWN)


def _only(fields: dict[str, Any], entity_ids: Sequence[str]) -> None:
    """Let ``entity_id``, where it is among the fields of a schema, be one of these alone."""
    if "entity_id" in fields:
        only = {"type": "array", "items": {"type": "string", "enum": list(entity_ids)}}
        fields["entity_id"] = {**only, "description": fields["entity_id"].get("description", "")}


def _validated(tool: Tool, parameters: Mapping[str, object]) -> BaseModel:
    if not isinstance(parameters, Mapping):
        raise InvalidParameters(f"The parameters of {tool.name} must be a JSON object.")
    try:
        return tool.Params.model_validate(dict(parameters))
    except ValidationError as error:
        raise InvalidParameters(f"{tool.name}: {what_is_wrong(error, tool.Params)}") from None


def _text(error: Exception) -> str:
    hint = getattr(error, "hint", "")
    text = str(error)
    return text if not hint or hint in text else f"{text} {hint}"


def _cut(result: object) -> object:
    text = json.dumps(result, ensure_ascii=False)
    if len(text) <= _LONGEST_RESULT:
        return result
    return {"cut": text[:_LONGEST_RESULT] + "…", "characters": len(text)}
