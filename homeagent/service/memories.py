"""The services about what is remembered. A private memory is there for its user alone."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from homeagent.access import Scope
from homeagent.service import models
from homeagent.values.jsonable import jsonable
from homeagent.values.short_ids import the_one
from memory.model import Memory

if TYPE_CHECKING:
    from homeagent.app import App


async def list_memories(app: App, fields: models.ListMemories) -> dict[str, Any]:
    found = await app.memories.list(
        memory_type=fields.memory_type, limit=fields.limit, user_id=fields.user_id, history=fields.history
    )
    return {"memories": [_shown(memory) for memory in found]}


async def search_memories(app: App, fields: models.SearchMemories) -> dict[str, Any]:
    recalled = await app.memories.search(
        fields.query,
        limit=fields.limit,
        min_importance=fields.min_importance,
        user_id=fields.user_id,
        language=fields.language,
    )
    return {
        "memories": [
            {**_shown(r.memory), "relevance_score": round(r.relevance_score, 4), "reasons": list(r.reasons)}
            for r in recalled
        ]
    }


async def add_memory(app: App, fields: models.AddMemory) -> dict[str, Any]:
    memory = await app.memories.add(
        fields.content,
        type=fields.type,
        importance=fields.importance,
        user_id=fields.user_id,
        language=fields.language,
        source="service",
    )
    return {"memory_id": memory.id}


async def get_memory(app: App, fields: models.GetMemory) -> dict[str, Any]:
    """Not of the API's table: one memory, where it came from, what it replaced and what happened to it."""
    memory = await _visible(app, fields.memory_id, fields.user_id)
    history = await app.memories.history(memory.id, fields.user_id)
    log = await app.memories.log(memory_id=memory.id, user_id=fields.user_id)
    return {
        "memory": _shown(memory),
        "history": [_shown(one) for one in history],
        "log": [jsonable(line) for line in log],
    }


async def edit_memory(app: App, fields: models.EditMemory) -> dict[str, Any]:
    """Not of the API's table: change what a memory says, its type or its importance."""
    memory = await _visible(app, fields.memory_id, fields.user_id)
    changes = fields.model_dump(include={"content", "type", "importance"}, exclude_none=True)
    return {"memory": _shown(await app.memories.edit(memory.id, changes))}


async def delete_memory(app: App, fields: models.DeleteMemory) -> dict[str, Any]:
    memory = await _visible(app, fields.memory_id, fields.user_id)
    await app.memories.delete(memory.id)
    return {"deleted": memory.id}


async def clear_memories(app: App, fields: models.ClearMemories) -> dict[str, Any]:
    return {"deleted": await app.memories.clear(fields.user_id)}


async def export_memories(app: App, fields: models.ExportMemories) -> dict[str, Any]:
    """Not of the API's table: all memories with their history, as `import_memories` takes them."""
    if fields.everybody:
        fields.caller.need(Scope.SPEAK_FOR_OTHERS)
    found = await app.memories.export(fields.user_id, everybody=fields.everybody)
    return {"memories": await asyncio.to_thread(lambda: [memory.as_dict() for memory in found])}


async def import_memories(app: App, fields: models.ImportMemories) -> dict[str, Any]:
    """Not of the API's table: take over exported memories as they were, all or none."""
    memories = await asyncio.to_thread(lambda: [Memory.from_dict(one) for one in fields.memories])
    added = await app.memories.restore(memories)
    return {"imported": added, "known": len(memories) - added}


async def memory_log(app: App, fields: models.MemoryLog) -> dict[str, Any]:
    """Not of the API's table: what happened to memories, newest first."""
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
