"""The services about what is remembered. A private memory is there for its user alone."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from homeagent.past_turns import Sees
from homeagent.remembering.home_view import users_of
from homeagent.service import request_fields
from homeagent.values.jsonable import jsonable
from homeagent.values.short_ids import the_one
from memory.errors import InvalidMemory, MemoryNotFound
from memory.markdown import Item, from_markdown, to_markdown
from memory.model import Memory, Source
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
    """One memory with its life: who told it when and in which words, what it took the place of and what took its own,
    what it was used for, and its log. Raises MemoryNotFound, NotFound."""
    memory = await _visible(app, fields.memory_id, fields.user_id)
    history = await app.memories.history(memory.id, fields.user_id)
    log = await app.memories.log(memory_id=memory.id, user_id=fields.user_id)
    uses = await app.memories.uses(memory.id)
    turns = {memory.source.turn_id if memory.source else None, *(use.turn_id for use in uses)} - {None}
    said = await app.past_turns.said(Sees(fields.user_id), [turn for turn in turns if turn is not None])
    return {
        "memory": _shown(memory),
        "told": _told(app, memory, said),
        "replaced_by": await _replaced_by(app, memory, fields.user_id),
        "history": [_shown(one) for one in history],
        "uses": [{"at": jsonable(u.at), "turn_id": u.turn_id, "said": said.get(u.turn_id or "")} for u in uses],
        "log": [jsonable(line) for line in log],
    }


def _told(app: App, memory: Memory, said: Mapping[str, str]) -> dict[str, Any]:
    """Who told it, when, and in which words; what is not known is None, and words that are not kept, too."""
    source = memory.source or Source("")
    return {
        "at": memory.created_at.isoformat(),
        "channel": source.channel or None,
        "user_id": source.user_id,
        "name": users_of(app.ha.home).get(source.user_id or ""),
        "turn_id": source.turn_id,
        "said": said.get(source.turn_id or ""),
    }


async def _replaced_by(app: App, memory: Memory, user_id: str | None) -> dict[str, Any] | None:
    """What took its place, where this user may see that."""
    if memory.superseded_by is None or memory.superseded_by not in await app.memories.beginning(
        memory.superseded_by, user_id
    ):
        return None
    return _shown(await app.memories.get(memory.superseded_by))


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
    if fields.format == "markdown":
        text = await asyncio.to_thread(to_markdown, found, app.memories.now())
        return {"memories": [], "markdown": text}
    return {"memories": await asyncio.to_thread(lambda: [memory.as_dict() for memory in found]), "markdown": None}


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


_A_CODE = "It holds a code, and codes are never kept."


@dataclass(slots=True)
class _Taken:
    """What is to be taken over as it was, and why something else is not; both by number or line, from 1."""

    memories: dict[int, Memory] = field(default_factory=dict)
    refused: dict[int, str] = field(default_factory=dict)


async def import_memories(app: App, fields: request_fields.ImportMemories) -> dict[str, Any]:
    """Take over exported memories as they were; how many are new, changed or were there, and which were refused: what
    is no memory, and what holds a code. A refused one does not stop the others."""
    items = await asyncio.to_thread(lambda: list(from_markdown(fields.markdown or "")))
    exported = [(item.line, {**item.fields, "content": item.content}) for item in items if item.fields is not None]
    taken = await asyncio.to_thread(_read, [*enumerate(fields.memories, 1), *exported])
    taken.refused |= {item.line: item.wrong for item in items if item.wrong is not None}
    restored = await app.memories.restore(list(taken.memories.values()))
    numbers = {memory.id: number for number, memory in taken.memories.items()}
    taken.refused |= {numbers[memory_id]: _A_CODE for memory_id in restored.refused}
    lines = {line for line, _ in exported} - taken.refused.keys()
    changed = await _changed(app, {line: taken.memories[line] for line in lines}, taken)
    new = [item for item in items if item.fields is None and item.wrong is None]
    added = await _added(app, new, taken)
    return {
        "imported": restored.added + added,
        "changed": changed,
        "known": restored.known - changed,
        "refused": [{"number": number, "why": why} for number, why in sorted(taken.refused.items())],
    }


def _read(given: Iterable[tuple[int, Mapping[str, Any]]]) -> _Taken:
    taken = _Taken()
    for number, one in given:
        try:
            taken.memories[number] = Memory.from_dict(one)
        except InvalidMemory as error:
            taken.refused[number] = str(error)
    return taken


async def _changed(app: App, written: Mapping[int, Memory], taken: _Taken) -> int:
    """Have current memories say what the file says now; how many that were."""
    changed = 0
    for line, memory in written.items():
        try:
            there = await app.memories.get(memory.id)
            if there.content != memory.content and there.is_current(app.memories.now()):
                await app.memories.edit(memory.id, {"content": memory.content}, why="import")
                changed += 1
        except InvalidMemory as error:
            taken.refused[line] = str(error)
        except MemoryNotFound:  # it says the same as another one that is there
            continue
    return changed


async def _added(app: App, items: Sequence[Item], taken: _Taken) -> int:
    """Remember what was written into the file; how many that were."""
    added = 0
    for item in items:
        try:
            await app.memories.add(item.content, user_id=item.user_id, source="import")
            added += 1
        except InvalidMemory as error:
            taken.refused[item.line] = str(error)
    return added
