"""The services of the turn: sentences, what waits for a yes, and tools used outright."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from homeagent.access import Scope
from homeagent.errors import InvalidParameters, UnknownTool
from homeagent.rights import within
from homeagent.service import request_fields
from homeagent.service.sse import Send
from homeagent.turn import ToolCall, Turn, new_id
from homeagent.values.jsonable import jsonable

if TYPE_CHECKING:
    from homeagent.app import App
    from homeagent.confirmations import Pending
    from homeagent.turns.reply import Reply


async def process(app: App, fields: request_fields.Process, send: Send | None = None) -> dict[str, Any]:
    """Answer a sentence, and do what it asks for."""

    async def say(piece: str) -> None:
        if send is not None:
            send("delta", {"text": piece})

    await app.need_home()
    with within(fields.rights):
        reply = await app.agent.process(
            fields.text,
            conversation_id=fields.conversation_id,
            user_id=fields.user_id,
            device_id=fields.device_id,
            language=fields.language,
            trace=fields.trace,
            say=say if send is not None else None,
            may_confirm=fields.caller.may(Scope.CONFIRM),
        )
    return as_answer(app, reply, fields.language, with_trace=fields.trace)


async def confirm(app: App, fields: request_fields.Confirm) -> dict[str, Any]:
    """Say yes or no to an action that waits, by its id or number."""
    await app.need_home()
    with within(fields.rights):
        reply = await app.agent.confirm(
            fields.confirmation_id,
            fields.approve,
            user_id=fields.user_id,
            device_id=fields.device_id,
            language=fields.language,
        )
    return as_answer(app, reply, fields.language)


async def list_pending(app: App, fields: request_fields.ListPending) -> dict[str, Any]:
    """What waits for a yes that this speaker can give at this device; or for anybody's."""
    if fields.everybody:
        found = await app.confirmations.waiting_anywhere(fields.limit)
    else:
        found = await app.confirmations.waiting(fields.user_id, fields.device_id, fields.limit)
    return {"pending": [waiting(app, one, fields.language) for one in found]}


async def execute_tool(app: App, fields: request_fields.ExecuteTool) -> dict[str, Any]:
    """Run one tool as a model would; a failure of the tool itself is part of its result."""
    await app.need_home()
    turn = Turn(
        text="",
        language=app.language,
        conversation_id=fields.conversation_id or new_id(),
        user_id=fields.user_id,
        device_id=fields.device_id,
    )
    with within(fields.rights):
        result = await app.toolbox.call(ToolCall(new_id(), fields.tool_name, fields.parameters), turn)
    if not result.success and result.error_type == UnknownTool.code:
        raise UnknownTool(result.error or f"There is no tool {fields.tool_name}.")
    if not result.success and result.error_type == InvalidParameters.code:
        raise InvalidParameters(result.error or "The parameters do not fit the tool.")
    return result.as_dict()


async def list_tools(app: App, _: request_fields.ListTools) -> dict[str, Any]:
    """The tools that there are, as models are offered them."""
    return {"tools": [schema["function"] for schema in await asyncio.to_thread(app.toolbox.schemas)]}


def waiting(app: App, pending: Pending, language: str | None) -> dict[str, Any]:
    """What waits for a yes; ``question`` is for the person, ``description`` for logs."""
    return {
        "id": pending.id,
        "number": pending.number,
        "question": app.agent.question(pending, language),
        "description": pending.description,
        "targets": list(pending.targets),
        "user_id": pending.user_id,
        "device_id": pending.device_id,
        "expires_at": app.home.config.local(pending.expires_at),
    }


def as_answer(app: App, reply: Reply, language: str | None, *, with_trace: bool = False) -> dict[str, Any]:
    """A reply as plain data. ``language``: of the questions for what waits."""
    answer: dict[str, Any] = {
        "response": reply.response,
        "conversation_id": reply.conversation_id,
        "turn_id": reply.turn_id,
        "pending": [waiting(app, pending, language) for pending in reply.pending],
        "question": reply.question,
        "handled": reply.handled,
        "response_type": reply.response_type,
        "targets": list(reply.targets),
    }
    if reply.error is not None:
        answer["error"] = reply.error
    if with_trace:
        answer["trace"] = jsonable(reply.trace)
    return answer
