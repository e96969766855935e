"""The services of the API: each takes its checked fields and answers plain data, in the shape of its model."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from homeagent.access import Scope
from homeagent.pairing import SCOPES
from homeagent.service import (
    administration,
    conversations,
    data_tasks,
    finding,
    memories,
    own_tests,
    request_fields,
    sentences,
    timer_fields,
    timers,
)
from homeagent.service.answers import administration as administered
from homeagent.service.answers import conversations as said
from homeagent.service.answers import finding as found
from homeagent.service.answers import memories as remembered
from homeagent.service.answers import timers as later
from homeagent.service.answers import turns as told
from homeagent.service.document import Tag
from homeagent.service.memories import import_memories
from homeagent.service.request_guard import MAX_BODY

Statuses = tuple[HTTPStatus, ...]
BY_ID: Statuses = (HTTPStatus.NOT_FOUND,)
"""What a service answers besides what every one may: where something is named that there may not be."""
OF_HOME: Statuses = (HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT, HTTPStatus.BAD_GATEWAY, HTTPStatus.GATEWAY_TIMEOUT)
"""Where things of the home are named, and Home Assistant or a model is asked."""


@dataclass(frozen=True, slots=True)
class Service:
    """A service: its name, its fields, what it does and answers, the scopes it needs, and how many bytes it takes.

    ``example``: fields that do something. ``fails``: statuses besides those that every service may answer.
    ``streams``: it can tell what it does meanwhile; then ``run`` takes a `Send`, and ``fields`` have ``stream``.
    """

    name: str
    tag: Tag
    fields: type[request_fields.Fields]
    run: Callable[..., Awaitable[Any]]
    answer: Any
    needs: tuple[Scope, ...]
    example: Mapping[str, Any]
    fails: Statuses = ()
    most_bytes: int = MAX_BODY
    streams: bool = False

    @property
    def path(self) -> str:
        """Where it is."""
        return f"/api/services/{self.name}"


_ALL_MEMORIES = 64 * 1024 * 1024
"""Bytes of a household's memories with their history, which are taken over together: a memory has about 700."""
_RIGHTS = 1024 * 1024
"""Bytes of a request that lists what somebody may see and control in a large home."""
_ID = "0f1e2d3c4b5a69788796a5b4c3d2e1f0"

_ASK, _READ, _ADMIN, _CONFIRM = (Scope.ASK,), (Scope.READ,), (Scope.ADMIN,), (Scope.CONFIRM,)
_ALL = (Scope.ADMIN, Scope.SPEAK_FOR_OTHERS)
_F = request_fields
_SENTENCES = (
    Service(
        "process", Tag.SENTENCES, _F.Process, sentences.process, told.TurnAnswer, _ASK,
        {"text": "are any windows open?", "language": "en"}, streams=True, most_bytes=_RIGHTS,
    ),
    Service(
        "generate_data", Tag.SENTENCES, _F.GenerateData, data_tasks.generate_data, told.DataAnswer, _ASK,
        {"instructions": "which windows are open?"}, (HTTPStatus.BAD_GATEWAY,), most_bytes=_RIGHTS,
    ),
    Service(
        "execute_tool", Tag.SENTENCES, _F.ExecuteTool, sentences.execute_tool, told.ToolAnswer, _ASK,
        {"tool_name": "ha_query", "parameters": {"entity_id": "light.*"}}, OF_HOME, most_bytes=_RIGHTS,
    ),
    Service("list_tools", Tag.SENTENCES, _F.ListTools, sentences.list_tools, told.ToolsAnswer, _ASK, {}),
    Service(
        "confirm", Tag.QUESTIONS, _F.Confirm, sentences.confirm, told.TurnAnswer, _CONFIRM,
        {"confirmation_id": "3", "approve": True}, BY_ID, most_bytes=_RIGHTS,
    ),
    Service("list_pending", Tag.QUESTIONS, _F.ListPending, sentences.list_pending, told.PendingAnswer, _READ, {}),
)  # fmt: skip
_CONVERSATIONS = (
    Service(
        "list_conversations", Tag.CONVERSATIONS, _F.ListConversations, conversations.list_conversations,
        said.ConversationsAnswer, _READ, {"limit": 5},
    ),
    Service(
        "get_conversation", Tag.CONVERSATIONS, _F.GetConversation, conversations.get_conversation,
        said.ConversationAnswer, _READ, {"conversation_id": _ID}, BY_ID,
    ),
    Service(
        "delete_conversation", Tag.CONVERSATIONS, _F.DeleteConversation, conversations.delete_conversation,
        said.DeletedAnswer, _ASK, {"conversation_id": _ID}, BY_ID,
    ),
    Service(
        "clear_history", Tag.CONVERSATIONS, _F.ClearHistory, conversations.clear_history, said.ClearedAnswer, _ADMIN,
        {"conversation_id": _ID},
    ),
)  # fmt: skip
_MEMORIES = (
    Service(
        "list_memories", Tag.MEMORIES, _F.ListMemories, memories.list_memories, remembered.MemoriesAnswer, _READ,
        {"memory_type": "preference", "limit": 20},
    ),
    Service(
        "search_memories", Tag.MEMORIES, _F.SearchMemories, memories.search_memories, remembered.FoundMemoriesAnswer,
        _READ, {"query": "paper bin", "limit": 5},
    ),
    Service(
        "add_memory", Tag.MEMORIES, _F.AddMemory, memories.add_memory, remembered.AddedAnswer, _ASK,
        {"content": "The paper bin goes out on Thursdays", "type": "fact"}, (HTTPStatus.CONFLICT,),
    ),
    Service(
        "get_memory", Tag.MEMORIES, _F.GetMemory, memories.get_memory, remembered.WholeMemoryAnswer, _READ,
        {"memory_id": _ID}, BY_ID,
    ),
    Service(
        "edit_memory", Tag.MEMORIES, _F.EditMemory, memories.edit_memory, remembered.MemoryAnswer, _ASK,
        {"memory_id": _ID, "importance": 0.9}, (*BY_ID, HTTPStatus.CONFLICT),
    ),
    Service(
        "delete_memory", Tag.MEMORIES, _F.DeleteMemory, memories.delete_memory, said.DeletedAnswer, _ASK,
        {"memory_id": _ID}, BY_ID,
    ),
    Service(
        "clear_memories", Tag.MEMORIES, _F.ClearMemories, memories.clear_memories, remembered.ForgottenAnswer, _ADMIN,
        {"confirm": True, "user_id": "ada"},
    ),
    Service(
        "export_memories", Tag.MEMORIES, _F.ExportMemories, memories.export_memories, remembered.ExportAnswer, _ADMIN,
        {},
    ),
    Service(
        "import_memories", Tag.MEMORIES, _F.ImportMemories, import_memories, remembered.ImportedAnswer, _ALL,
        {"memories": []}, (HTTPStatus.CONFLICT,), most_bytes=_ALL_MEMORIES,
    ),
    Service(
        "memory_log", Tag.MEMORIES, _F.MemoryLog, memories.memory_log, remembered.LogAnswer, _READ, {"limit": 20},
        BY_ID,
    ),
)  # fmt: skip
_TIMERS = tuple(
    Service(name, Tag.TIMERS, fields, run, later.TimerChangeAnswer, _ASK, example, OF_HOME)
    for name, fields, run, example in (
        ("set_timer", timer_fields.SetTimer, timers.set_timer, {"kind": "timer", "name": "pasta", "in_seconds": 480}),
        ("change_timer", timer_fields.ChangeTimer, timers.change_timer, {"name": "pasta", "add_seconds": 60}),
        ("cancel_timer", timer_fields.CancelTimer, timers.cancel_timer, {"name": "pasta"}),
        ("snooze_timer", timer_fields.SnoozeTimer, timers.snooze_timer, {"name": "pasta", "in_seconds": 300}),
        ("steer_timer", timer_fields.SteerTimer, timers.steer_timer, {"name": "pasta", "action": "pause"}),
    )
)
_OWN_TESTS = (
    Service(
        "mark_wrong", Tag.OWN_TESTS, _F.MarkWrong, own_tests.mark_wrong, told.TurnAnswer, _ASK,
        {"conversation_id": _ID}, (*BY_ID, HTTPStatus.CONFLICT),
    ),
    Service(
        "list_own_tests", Tag.OWN_TESTS, _F.ListOwnTests, own_tests.list_own_tests, said.OwnTestsAnswer, _READ, {}
    ),
    Service(
        "get_own_test", Tag.OWN_TESTS, _F.OwnTestId, own_tests.get_own_test, said.OwnTestAnswer, _READ, {"id": 1},
        BY_ID,
    ),
    Service(
        "say_right", Tag.OWN_TESTS, _F.SayRight, own_tests.say_right, said.OwnTestAnswer, _ASK,
        {"id": 1, "states": {"light.hall": "on"}}, BY_ID,
    ),
    Service(
        "delete_own_test", Tag.OWN_TESTS, _F.OwnTestId, own_tests.delete_own_test, said.DeletedAnswer, _ASK, {"id": 1},
        BY_ID,
    ),
)  # fmt: skip
_HOME = (
    Service(
        "reload_context", Tag.HOME, _F.ReloadContext, finding.reload_context, found.ReloadedAnswer, _ADMIN, {},
        (HTTPStatus.BAD_GATEWAY,),
    ),
    Service(
        "reindex_entities", Tag.HOME, _F.ReindexEntities, finding.reindex_entities, found.SyncReport, _ADMIN,
        {"force": False}, streams=True,
    ),
    Service(
        "index_entity", Tag.HOME, _F.IndexEntity, finding.index_entity, found.SyncReport, _ADMIN,
        {"entity_id": "light.kitchen_lights"}, BY_ID,
    ),
    Service(
        "index_history", Tag.HOME, _F.IndexHistory, finding.index_history, found.RecordingReport, _ADMIN, {"days": 2},
        (HTTPStatus.BAD_GATEWAY,), streams=True,
    ),
)  # fmt: skip
_ADMINISTRATION = (
    Service(
        "start_pairing", Tag.ADMINISTRATION, _F.StartPairing, administration.start_pairing, administered.PairingAnswer,
        SCOPES, {},
    ),
    Service(
        "pair", Tag.ADMINISTRATION, _F.Pair, administration.pair, administered.PairedAnswer, (),
        {"code": "K7QM-2XPB", "name": "Home Assistant"},
    ),
    Service(
        "add_token", Tag.ADMINISTRATION, _F.AddToken, administration.add_token, administered.NewTokenAnswer, _ADMIN,
        {"name": "kitchen", "scopes": ["ask", "confirm"], "user_id": "ada"},
    ),
    Service(
        "list_tokens", Tag.ADMINISTRATION, _F.ListTokens, administration.list_tokens, administered.TokensAnswer, _ADMIN,
        {},
    ),
    Service(
        "revoke_token", Tag.ADMINISTRATION, _F.RevokeToken, administration.revoke_token, administered.RevokedAnswer,
        _ADMIN, {"name": "kitchen"}, BY_ID,
    ),
    Service(
        "explain_policy", Tag.ADMINISTRATION, _F.ExplainPolicy, administration.explain_policy,
        administered.VerdictsAnswer, _READ, {"text": "unlock the front door"}, OF_HOME,
    ),
    Service(
        "list_audit", Tag.ADMINISTRATION, _F.ListAudit, administration.list_audit, administered.AuditAnswer, _ADMIN,
        {"limit": 10, "entity_id": "lock.front_door"},
    ),
)  # fmt: skip

SERVICES: dict[str, Service] = {
    service.name: service
    for service in (
        *_SENTENCES,
        *_CONVERSATIONS,
        *_MEMORIES,
        Service(
            "list_timers",
            Tag.TIMERS,
            timer_fields.ListTimers,
            timers.list_timers,
            later.TimersAnswer,
            _READ,
            {"notes": True},
        ),
        *_TIMERS,
        *_OWN_TESTS,
        *_HOME,
        *_ADMINISTRATION,
    )
}
