"""The services of the API: each takes its checked fields and answers plain data."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from homeagent.access import Scope
from homeagent.errors import InvalidParameters, NotExposed, UnknownTarget, UnknownTool
from homeagent.service import administration, conversations, memories, request_fields, timers
from homeagent.service.request_guard import MAX_BODY
from homeagent.service.sse import Send
from homeagent.turn import ToolCall, Turn, new_id
from homeagent.values.jsonable import jsonable
from indexer.words import nearest

if TYPE_CHECKING:
    from homeagent.agent import Reply
    from homeagent.app import App
    from homeagent.confirmations import Pending


@dataclass(frozen=True, slots=True)
class Service:
    """A service: its name, its fields, what it does, the scopes it needs, and how many bytes of fields it takes.

    ``streams``: it can tell what it does meanwhile; then ``run`` takes a `Send`, and ``fields`` have ``stream``.
    """

    name: str
    fields: type[request_fields.Fields]
    run: Callable[..., Awaitable[Any]]
    needs: tuple[Scope, ...]
    most_bytes: int = MAX_BODY
    streams: bool = False


async def process(app: App, fields: request_fields.Process, send: Send | None = None) -> dict[str, Any]:
    """Answer a sentence, and do what it asks for."""

    async def say(piece: str) -> None:
        if send is not None:
            send("delta", {"text": piece})

    await app.need_home()
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
    return _as_answer(app, reply, fields.language, with_trace=fields.trace)


async def confirm(app: App, fields: request_fields.Confirm) -> dict[str, Any]:
    """Say yes or no to an action that waits, by its id or number."""
    await app.need_home()
    reply = await app.agent.confirm(
        fields.confirmation_id,
        fields.approve,
        user_id=fields.user_id,
        device_id=fields.device_id,
        language=fields.language,
    )
    return _as_answer(app, reply, fields.language)


async def list_pending(app: App, fields: request_fields.ListPending) -> dict[str, Any]:
    """What waits for a yes that this speaker can give at this device; or for anybody's."""
    if fields.everybody:
        found = await app.confirmations.waiting_anywhere(fields.limit)
    else:
        found = await app.confirmations.waiting(fields.user_id, fields.device_id, fields.limit)
    return {"pending": [_waiting(app, one, fields.language) for one in found]}


async def clear_history(app: App, fields: request_fields.ClearHistory) -> dict[str, Any]:
    """Delete one conversation or all of them; how many there were."""
    return {"cleared": await app.conversations.clear(fields.conversation_id)}


async def reload_context(app: App, _fields: request_fields.ReloadContext) -> dict[str, Any]:
    """Read the home anew from Home Assistant; what was found."""
    return dict(await app.ha.reload())


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
    result = await app.toolbox.call(ToolCall(new_id(), fields.tool_name, fields.parameters), turn)
    if not result.success and result.error_type == UnknownTool.code:
        raise UnknownTool(result.error or f"There is no tool {fields.tool_name}.")
    if not result.success and result.error_type == InvalidParameters.code:
        raise InvalidParameters(result.error or "The parameters do not fit the tool.")
    return result.as_dict()


async def reindex_entities(
    app: App, fields: request_fields.ReindexEntities, send: Send | None = None
) -> dict[str, Any]:
    """Bring the index in line with the home; what changed, and the seconds it took."""
    started = time.perf_counter()
    await app.need_home()
    report = await app.index.sync(force=fields.force, progress=_progress_to(send))
    return {**jsonable(report), "seconds": round(time.perf_counter() - started, 3)}


async def index_entity(app: App, fields: request_fields.IndexEntity) -> Any:
    """Bring the index of one exposed entity in line with the home."""
    await app.need_home()
    entity = app.home.entity(fields.entity_id)
    if entity is None:
        near = nearest(fields.entity_id, tuple(app.home.entities), 3)
        raise UnknownTarget(f"There is no entity {fields.entity_id}.", nearest=near)
    if not entity.exposed:
        raise NotExposed(f"{fields.entity_id} is not exposed, so it is not in the index.")
    return jsonable(await app.index.sync_entity(fields.entity_id))


async def index_history(app: App, fields: request_fields.IndexHistory, send: Send | None = None) -> object:
    """Sum up what is missing of the last days, and make it findable; what is there already is not done again."""
    await app.need_home()
    if app.recording is None:
        raise InvalidParameters("History is switched off.", hint="Set `history.enabled` to true.")

    def progress(phase: str, done: int, total: int) -> None:
        if send is not None:
            send("progress", {"phase": phase, "done": done, "total": total})

    return jsonable(await app.recording.fill(fields.days, progress))


async def search_entities(app: App, fields: request_fields.SearchEntities) -> dict[str, object]:
    """What retrieval finds for a text, with scores and reasons, and the states of what it found."""
    await app.need_home()
    retrieval = await app.search(fields.text, limit=fields.limit, language=fields.language, device_id=fields.device_id)
    found = [
        {
            "entity_id": f.entity.entity_id,
            "name": f.entity.name,
            "area": f.entity.area.name if f.entity.area else None,
            "state": app.home.state_text(f.entity.entity_id),
            "score": round(f.score, 4),
            "reasons": list(f.reasons),
        }
        for f in retrieval.found
    ]
    return {
        "query": retrieval.query,
        "found": found,
        "total": retrieval.total,
        "selector": jsonable(retrieval.selector),
        "also": jsonable(retrieval.also),
        "embedded": retrieval.embedded,
        "degraded": retrieval.degraded,
        "duration_ms": round(retrieval.duration_ms, 2),
    }


_ALL_MEMORIES = 64 * 1024 * 1024
"""Bytes of a household's memories with their history, which are taken over together: a memory has about 700."""

_ASK, _READ, _ADMIN = (Scope.ASK,), (Scope.READ,), (Scope.ADMIN,)

SERVICES: dict[str, Service] = {
    service.name: service
    for service in (
        Service("process", request_fields.Process, process, _ASK, streams=True),
        Service("confirm", request_fields.Confirm, confirm, (Scope.CONFIRM,)),
        Service("list_pending", request_fields.ListPending, list_pending, _READ),
        Service("clear_history", request_fields.ClearHistory, clear_history, _ADMIN),
        Service("list_conversations", request_fields.ListConversations, conversations.list_conversations, _READ),
        Service("get_conversation", request_fields.GetConversation, conversations.get_conversation, _READ),
        Service("delete_conversation", request_fields.DeleteConversation, conversations.delete_conversation, _ASK),
        Service("reload_context", request_fields.ReloadContext, reload_context, _ADMIN),
        Service("execute_tool", request_fields.ExecuteTool, execute_tool, _ASK),
        Service("reindex_entities", request_fields.ReindexEntities, reindex_entities, _ADMIN, streams=True),
        Service("index_entity", request_fields.IndexEntity, index_entity, _ADMIN),
        Service("index_history", request_fields.IndexHistory, index_history, _ADMIN, streams=True),
        Service("list_memories", request_fields.ListMemories, memories.list_memories, _READ),
        Service("search_memories", request_fields.SearchMemories, memories.search_memories, _READ),
        Service("add_memory", request_fields.AddMemory, memories.add_memory, _ASK),
        Service("get_memory", request_fields.GetMemory, memories.get_memory, _READ),
        Service("edit_memory", request_fields.EditMemory, memories.edit_memory, _ASK),
        Service("delete_memory", request_fields.DeleteMemory, memories.delete_memory, _ASK),
        Service("clear_memories", request_fields.ClearMemories, memories.clear_memories, _ADMIN),
        Service("export_memories", request_fields.ExportMemories, memories.export_memories, _ADMIN),
        Service(
            "import_memories",
            request_fields.ImportMemories,
            memories.import_memories,
            (Scope.ADMIN, Scope.SPEAK_FOR_OTHERS),
            _ALL_MEMORIES,
        ),
        Service("memory_log", request_fields.MemoryLog, memories.memory_log, _READ),
        Service("list_timers", request_fields.ListTimers, timers.list_timers, _READ),
        Service("set_timer", request_fields.SetTimer, timers.set_timer, _ASK),
        Service("change_timer", request_fields.ChangeTimer, timers.change_timer, _ASK),
        Service("cancel_timer", request_fields.CancelTimer, timers.cancel_timer, _ASK),
        Service("snooze_timer", request_fields.SnoozeTimer, timers.snooze_timer, _ASK),
        Service("steer_timer", request_fields.SteerTimer, timers.steer_timer, _ASK),
        Service("start_pairing", request_fields.StartPairing, administration.start_pairing, _ADMIN),
        Service("pair", request_fields.Pair, administration.pair, ()),
        Service("add_token", request_fields.AddToken, administration.add_token, _ADMIN),
        Service("list_tokens", request_fields.ListTokens, administration.list_tokens, _ADMIN),
        Service("revoke_token", request_fields.RevokeToken, administration.revoke_token, _ADMIN),
        Service("explain_policy", request_fields.ExplainPolicy, administration.explain_policy, _READ),
        Service("list_audit", request_fields.ListAudit, administration.list_audit, _ADMIN),
    )
}


def _waiting(app: App, pending: Pending, language: str | None) -> dict[str, Any]:
    """What waits for a yes; ``question`` is for the person, ``description`` for logs."""
    return {
        "id": pending.id,
        "number": pending.number,
        "question": app.agent.question(pending, language),
        "description": pending.description,
        "targets": list(pending.targets),
        "user_id": pending.user_id,
        "device_id": pending.device_id,
        "expires_at": jsonable(pending.expires_at),
    }


def _as_answer(app: App, reply: Reply, language: str | None, *, with_trace: bool = False) -> dict[str, object]:
    answer: dict[str, Any] = {
        "response": reply.response,
        "conversation_id": reply.conversation_id,
        "turn_id": reply.turn_id,
        "pending": [_waiting(app, pending, language) for pending in reply.pending],
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


def _progress_to(send: Send | None) -> Callable[[int, int], None] | None:
    if send is None:
        return None
    return lambda done, total: send("progress", {"done": done, "total": total})
