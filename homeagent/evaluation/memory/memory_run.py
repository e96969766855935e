"""All dialogues, one after the other, through one embedder."""

from __future__ import annotations

import asyncio
import tempfile
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from itertools import groupby
from pathlib import Path

from homeagent.assembly.finding import make_index, make_intents
from homeagent.assembly.foundation import open_engine
from homeagent.config.settings import Settings
from homeagent.evaluation.memory.dialogue_checks import Check, Figure, judge
from homeagent.evaluation.memory.dialogues import Dialogue
from homeagent.evaluation.memory.homes import living_in
from homeagent.evaluation.memory.playing import Embedder, no_embedder, play
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


_SHARES_RIGHT = (
    Figure.STORED,
    Figure.REPLACED,
    Figure.FORGOTTEN,
    Figure.RECALLED,
    Figure.CURRENT,
    Figure.UNRELATED,
    Figure.OTHERS,
)


def summary(checks: Sequence[Check], dialogues: int, *, embedder: str | None) -> dict[str, object]:
    """The whole as plain values. Shares are 0 to 1; None where nothing was expected.

    ``junk_stored`` is the share of what must not be kept and was; ``cross_user_leaks`` counts answers and lists in
    which a user saw another's private memory. ``counts``: how many checks each figure stands on. ``embedder`` None:
    words alone.
    """
    return {
        "dialogues": dialogues,
        "embedder": embedder,
        **_figures(checks),
        "counts": {str(figure): sum(c.figure is figure for c in checks) for figure in Figure},
        "by_mode": _grouped(checks, lambda c: (c.mode,)),
        "by_language": _grouped(checks, lambda c: (c.language,)),
        "by_kind": _grouped(checks, lambda c: c.kinds),
        "failures": [
            {"figure": str(c.figure), "dialogue": c.dialogue, "kinds": c.kinds, "what": c.what, "why": c.why}
            for c in checks
            if not c.right
        ],
    }


def _figures(checks: Sequence[Check]) -> dict[str, float | None]:
    right: dict[str, float | None] = {str(figure): _share(checks, figure) for figure in _SHARES_RIGHT}
    kept_out = _share(checks, Figure.JUNK)
    right[Figure.JUNK] = None if kept_out is None else round(1 - kept_out, 4)
    right[Figure.LEAK] = sum(not c.right for c in checks if c.figure is Figure.LEAK)
    return {str(figure): right[figure] for figure in Figure}


def _share(checks: Iterable[Check], figure: Figure) -> float | None:
    of_it = [c.right for c in checks if c.figure is figure]
    return round(sum(of_it) / len(of_it), 4) if of_it else None


def _grouped(checks: Sequence[Check], keys: Callable[[Check], Iterable[str]]) -> dict[str, object]:
    groups: defaultdict[str, list[Check]] = defaultdict(list)
    for check in checks:
        for key in keys(check):
            groups[key].append(check)
    return {key: _figures(group) for key, group in sorted(groups.items())}
