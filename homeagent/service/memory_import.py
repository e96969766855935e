"""The service that takes over exported memories: as data, or as a Markdown file that people may have written in."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from homeagent.service import request_fields
from memory.errors import InvalidMemory, MemoryNotFound
from memory.markdown import Item, from_markdown
from memory.model import Memory

if TYPE_CHECKING:
    from homeagent.app import App

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
