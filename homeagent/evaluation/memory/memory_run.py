"""All dialogues, one after the other, through one embedder."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from itertools import groupby
from pathlib import Path

from homeagent.assembly.finding import make_index, make_intents
from homeagent.assembly.foundation import open_engine
from homeagent.config.settings import Settings
from homeagent.evaluation.memory.dialogue_checks import Check, judge
from homeagent.evaluation.memory.dialogues import Dialogue
from homeagent.evaluation.memory.figures import summary
from homeagent.evaluation.memory.homes import living_in
from homeagent.evaluation.memory.in_memory_store import no_embedder
from homeagent.evaluation.memory.playing import Embedder, play
from homeagent.remembering.guessing import purposes_by
from indexer.index import Index


async def run_dialogues(
    dialogues: Sequence[Dialogue],
    settings: Settings,
    *,
    by_meaning: bool,
    progress: Callable[[int], None] = lambda number: None,
) -> dict[str, object]:
    """The figures, see `figures.summary`. ``by_meaning`` False: without the embedder that is set, by words alone."""
    checks: list[Check] = []
    number, fingerprint = 0, None
    for home, of_it in groupby(dialogues, key=lambda dialogue: (dialogue.home, dict(dialogue.users))):
        # Each home has an index of its own: what another one had is no part of it.
        async with embedding(settings, by_meaning=by_meaning) as (index, embedder):
            there = await living_in(*home, index, by_meaning=by_meaning)
            for dialogue in of_it:
                checks.extend(judge(await play(dialogue, there, embedder)))
                number += 1
                progress(number)
            fingerprint = embedder.fingerprint
    return summary(checks, len(dialogues), embedder=fingerprint)


@asynccontextmanager
async def embedding(settings: Settings, *, by_meaning: bool) -> AsyncIterator[tuple[Index, Embedder]]:
    """An index in a folder of its own, with the embedder that is set, loaded; or one that words alone serve."""
    with tempfile.TemporaryDirectory() as folder:
        own = settings.model_copy(update={"data_dir": Path(folder)})
        engine = await asyncio.to_thread(open_engine, own)
        index = make_index(own, engine)
        try:
            if not by_meaning:
                yield index, Embedder(no_embedder, None, there=False)
                return
            await index.start()
            await index.wait_ready()
            guess = purposes_by(make_intents(index))
            yield index, Embedder(index.embed, index.status.embedder, guess=guess)
        finally:
            await index.stop()
            engine.dispose()
