"""The services about what is remembered. A private memory is there for its user alone."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from homeagent.service import request_fields
from homeagent.values.jsonable import jsonable
from homeagent.values.short_ids import the_one
from memory.errors import InvalidMemory
from memory.model import Memory
from memory.records import Only

if TYPE_CHECKING:
    from homeagent.app import App


async def list_memories(app: App, fields: request_fields.ListMemories) -> dict[str, Any]:
    """The memories that this user may see, last changed first; with ``history``, replaced ones too."""
    found = await app.memories.list(
        memory_type=fields.memory_type, limit=fields.limit, user_id=fields.user_id, history=fields.history
    )
    return {"memories": [_shown(memory) for memory in found]}


async def search_memories(app: App, fields: request_fields.SearchMemories) -> dict[str, Any]:
    """What a text brings to mind, best first, each with its relevance (0 to 1), its score and the reasons."""
    recalled = await app.memories.search(
        fields.query,
        limit=fields.limit,
        min_importance=fields.min_importance,
        user_id=fields.user_id,
        language=fields.language,
        only=None if (only := Only(fields.since, fields.until, fields.about)) == Only() else only,
    )
    return {
        "memories": [
            {
                **_shown(r.memory),
                "relevance_score": round(r.relevance_score, 4),
                "score": r.score,
                "reasons": list(r.reasons),
            }
            for r in recalled
        ]
    }


async def add_memory(app: App, fields: request_fields.AddMemory) -> dict[str, Any]:
    """Remember a statement; its id. A new value of the same thing replaces the old one. Raises InvalidMemory."""
    memory = await app.memories.add(
        fields.content,
        type=fields.type,
        importance=fields.importance,
        user_id=fields.user_id,
        language=fields.language,
        source="service",
    )
    return {"memory_id": memory.id}


async def get_memory(app: App, fields: request_fields.GetMemory) -> dict[str, Any]:
    """One memory with its origin, the ones it replaced and its log. Raises MemoryNotFound, NotFound."""
    memory = await _visible(app, fields.memory_id, fields.user_id)
    history = await app.memories.history(memory.id, fields.user_id)
    log = await app.memories.log(memory_id=memory.id, user_id=fields.user_id)
    return {
        "memory": _shown(memory),
        "history": [_shown(one) for one in history],
        "log": [jsonable(line) for line in log],
    }


async def edit_memory(app: App, fields: request_fields.EditMemory) -> dict[str, Any]:
    """Change what a memory says, its type or its importance; what is left out stays. Raises as `get_memory`."""
    memory = await _visible(app, fields.memory_id, fields.user_id)
    changes = fields.model_dump(include={"content", "type", "importance"}, exclude_none=True)
    return {"memory": _shown(await app.memories.edit(memory.id, changes))}


async def delete_memory(app: App, fields: request_fields.DeleteMemory) -> dict[str, object]:
    """Forget one memory. Raises as `get_memory`."""
    memory = await _visible(app, fields.memory_id, fields.user_id)
    await app.memories.delete(memory.id)
    return {"deleted": memory.id}


async def clear_memories(app: App, fields: request_fields.ClearMemories) -> dict[str, Any]:
    """Forget everything of everybody, or (``user_id``) what that user told; how many memories that were."""
    return {"deleted": await app.memories.clear(fields.user_id)}


async def export_memories(app: App, fields: request_fields.ExportMemories) -> dict[str, Any]:
    """All memories with their history, as `import_memories` takes them."""
    found = await app.memories.export(fields.user_id, everybody=fields.everybody)
    return {"memories": await asyncio.to_thread(lambda: [memory.as_dict() for memory in found])}


async def import_memories(app: App, fields: request_fields.ImportMemories) -> dict[str, Any]:
    """Take over exported memories as they were; how many are new, how many were there, and which were refused: what
    is no memory, and what holds a code."""
    memories, refused = await asyncio.to_thread(_read, fields.memories)
    restored = await app.memories.restore(list(memories.values()))
    held = {memory.id: number for number, memory in memories.items()}
    refused |= {held[memory_id]: "It holds a code, and codes are never kept." for memory_id in restored.refused}
    return {
        "imported": restored.added,
        "known": restored.known,
        "refused": [{"number": number, "why": why} for number, why in sorted(refused.items())],
    }


def _read(given: Sequence[Mapping[str, Any]]) -> tuple[dict[int, Memory], dict[int, str]]:
    """By its number, from 1: each memory, and why something is none."""
    memories: dict[int, Memory] = {}
    refused: dict[int, str] = {}
    for number, one in enumerate(given, 1):
        try:
            memories[number] = Memory.from_dict(one)
        except InvalidMemory as error:
            refused[number] = str(error)
    return memories, refused


async def memory_log(app: App, fields: request_fields.MemoryLog) -> dict[str, Any]:
    """What happened to memories, newest first."""
    asked = fields.memory_id and await _logged(app, fields.memory_id, fields.user_id)
    lines = await app.memories.log(limit=fields.limit, user_id=fields.user_id, memory_id=asked)
    return {"log": [jsonable(line) for line in lines]}


async def _logged(app: App, memory_id: str, user_id: str | None) -> str:
    """The id that is meant. A memory that was forgotten has a log still, under its whole id."""
    found = await app.memories.beginning(memory_id, user_id)
    return the_one(found, memory_id, what="memory") if found else memory_id


async def _visible(app: App, memory_id: str, user_id: str | None) -> Memory:
    """The memory of that id, or of the only one that begins so. Raises NotFound for others' private ones, too."""
    found = await app.memories.beginning(memory_id, user_id)
    return await app.memories.get(the_one(found, memory_id, what="memory"))


def _shown(memory: Memory) -> dict[str, Any]:
    return dict(jsonable(memory))
