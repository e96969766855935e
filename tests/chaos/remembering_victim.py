"""The process that is killed while it remembers: ``python -m tests.chaos.remembering_victim FOLDER [FOLDER]``.

With one folder it looks through the turns that wait there, as a service does from its start. With two it takes over all
memories of the first into the second.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from homeagent.brains.llm.client import Completion
from homeagent.database import open_database
from homeagent.events import Emitter
from homeagent.ha.home import Home, HomeConfig
from homeagent.remembering.turn_review import Remembering
from memory.outbox import Outbox
from memory.store import Memories
from tests.memory.fakes import DictStore, HashEmbedder

_SAID = re.compile(r'"said":\s*"(?P<said>[^"]*)"')
_THINKS = 0.005
"""Seconds that a model takes here."""


async def model(messages: Sequence[Mapping[str, Any]]) -> Completion:
    """Gives back each sentence of the turn as something to remember."""
    await asyncio.sleep(_THINKS)
    said = _SAID.search(messages[-1]["content"])
    sentences = [one.strip() for one in said["said"].split(".") if one.strip()] if said else []
    return Completion(json.dumps({"memories": [{"content": one} for one in sentences]}))


def opened(folder: Path) -> Memories:
    return Memories(open_database(None, folder), HashEmbedder(), DictStore())


async def drain(folder: Path) -> None:
    home = Home()
    home.replace(config=HomeConfig(), areas=[], floors=[], device_areas={}, entities=[])
    engine = open_database(None, folder)
    memories = Memories(engine, HashEmbedder(), DictStore())
    remembering = Remembering(memories, Outbox(engine, memories.now), home, Emitter(), complete=model)
    print("begun", flush=True)
    await remembering.drain()
    print("over", flush=True)


async def take_over(source: Path, target: Path) -> None:
    everything = await opened(source).export(everybody=True)
    memories = opened(target)
    print("begun", flush=True)
    added = await memories.restore(everything)
    print("over", added, flush=True)


if __name__ == "__main__":
    folders = [Path(argument) for argument in sys.argv[1:]]
    asyncio.run(drain(*folders) if len(folders) == 1 else take_over(*folders))
