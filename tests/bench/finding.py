"""How long the index takes: cold, unchanged, after a rename; and a retrieval in homes of several sizes."""

from __future__ import annotations

import asyncio
import dataclasses
import tempfile
import time
from pathlib import Path
from typing import Any

from homeagent.database import open_database, upgrade
from indexer.entity import Entity
from indexer.index import Index
from indexer.retrieval import Situation
from tests.bench.homes import connected, demo_home
from tests.bench.measure import Times, watching_the_loop

_VAGUE = (
    "somewhere cosy to read a book",
    "the thing that dries the clothes",
    "what keeps the food fresh",
    "it smells of cooking",
    "something to watch a film on",
    "how is the air in here",
    "the place where the car sleeps",
    "where do we keep the wine",
)


async def index_times(size: int) -> dict[str, Any]:
    """A home of ``size`` entities into an empty folder, again unchanged, again with one name changed."""
    with demo_home(size) as home, tempfile.TemporaryDirectory() as folder:
        async with connected(home) as ha:
            entities, areas, floors = ha.home.exposed(), tuple(ha.home.areas.values()), tuple(ha.home.floors.values())
        engine = await asyncio.to_thread(_database, Path(folder))
        index = Index(Path(folder), engine)
        async with watching_the_loop() as stalls:
            started = time.perf_counter()
            await index.start()
            await index.wait_ready()
            loaded = time.perf_counter() - started
            index.put(entities, areas=areas, floors=floors)
            cold = await index.sync()
            unchanged = await index.sync()
            renamed = dataclasses.replace(entities[0], name="Aunt Agatha's lamp")
            index.put([renamed, *entities[1:]], areas=areas, floors=floors)
            rename = await index.sync()
            retrieval = await _retrieval_times(index, entities)
        await index.stop()
        engine.dispose()
    assert cold.added == len(entities)
    assert unchanged.unchanged == len(entities)
    assert (rename.updated, rename.embedded) == (1, 1)
    return {
        "entities": len(entities),
        "embedder_and_store_loaded_s": round(loaded, 1),
        "cold_s": round(cold.seconds, 2),
        "unchanged_s": round(unchanged.seconds, 2),
        "one_rename_s": round(rename.seconds, 3),
        "worst_stall_of_the_loop_ms": round(stalls.worst_ms),
        "stalls_over_50_ms": stalls.over_50_ms,
        **retrieval,
    }


async def _retrieval_times(index: Index, entities: tuple[Entity, ...]) -> dict[str, Any]:
    by_words, embedded = Times(), Times()
    await index.retrieve("warm up", Situation())
    for sentence in _sentences(entities):
        times = Times()
        with times.one():
            found = await index.retrieve(sentence, Situation())
        await asyncio.sleep(0)  # each is a sentence of its own: what words settle never gives the loop away
        (embedded if found.embedded else by_words).ms.extend(times.ms)
    return {"retrieval_settled_by_words": str(by_words), "retrieval_embedded": str(embedded)}


def _sentences(entities: tuple[Entity, ...]) -> list[str]:
    lights = [e for e in entities if e.domain == "light"][:: max(1, len(entities) // 200)][:20]
    areas = list(dict.fromkeys(e.area.name for e in entities if e.area))[:20]
    return [
        *(f"turn on the {e.name}" for e in lights),
        *(f"swich off the {e.name[:-2]}{e.name[-1]}" for e in lights),
        *(f"turn off all the lights in the {name}" for name in areas),
        *(f"how warm is it in the {name}?" for name in areas),
        *_VAGUE * 5,
    ]


def _database(folder: Path) -> Any:
    engine = open_database(None, folder)
    upgrade(engine)
    return engine
