"""Putting the questions to the agent, at the end of the days that a demo home has recorded."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from homeagent.app import App
from homeagent.config.settings import Settings
from homeagent.demo.server import DemoServer
from homeagent.evaluation.history import household, recorder_tables
from homeagent.evaluation.history.questions import HistoryHome, Question
from homeagent.evaluation.history.scoring import Scored, score
from homeagent.evaluation.runner import for_trial
from homeagent.evaluation.trial_homes import DemoHouse, started
from homeagent.ha.recorder import HistoryRow


@dataclass(frozen=True, slots=True)
class Answered:
    """One question, the figures that were wanted, and what was said."""

    question: Question
    wanted: tuple[float | None, ...]
    said: str
    scored: Scored
    ms: float
    trace: dict[str, Any]


async def run(
    homes: Sequence[HistoryHome], settings: Settings, progress: Callable[[int], None] = lambda _: None
) -> list[Answered]:
    """Ask everything, each question in a conversation of its own."""
    answered: list[Answered] = []
    for home in homes:
        rows = household.record(home.days)
        database = recorder_tables.database(rows)
        async with _at_the_end(home, rows, settings) as app:
            for question in home.questions:
                asked = [e for e in (question.expected, question.beside) if e is not None]
                wanted = tuple(recorder_tables.answer(database, e) for e in asked)
                answered.append(await _ask(app, home, question, wanted))
                progress(1)
        database.close()
    return answered


def summary(answered: Sequence[Answered], *, failures: bool = False) -> dict[str, Any]:
    """The run as plain values. ``exact`` is a share, 0 to 1; ``invented`` counts answers with a figure from nowhere."""
    result: dict[str, Any] = {
        **_shares(answered),
        "latency_ms": round(statistics.median([a.ms for a in answered]), 1) if answered else None,
        "by_language": _grouped(answered, lambda a: a.question.language),
        "by_kind": _grouped(answered, lambda a: a.question.expected.tell),
    }
    if failures:
        wrong = (a for a in answered if not a.scored.exact or a.scored.invented)
        result["failures"] = [
            {
                "id": f"{a.question.language}/{a.question.id}",
                "question": a.question.text,
                "said": a.said,
                "wanted": a.wanted,
                "invented": a.scored.invented,
                "trace": a.trace,
            }
            for a in wrong
        ]
    return result


@asynccontextmanager
async def _at_the_end(home: HistoryHome, rows: dict[str, list[HistoryRow]], settings: Settings) -> AsyncIterator[App]:
    with tempfile.TemporaryDirectory(prefix="homeagent-eval-") as folder:
        async with DemoServer(home.inventory(rows)) as server:
            for entity_id, several in rows.items():
                server.put_rows(entity_id, [(r.at, r.state, r.attributes) for r in several])
            app = App(for_trial(settings, Path(folder), DemoHouse(server), real_policy=True))
            app.home.clock = lambda: home.days.end
            async with started(app):
                yield app


async def _ask(app: App, home: HistoryHome, question: Question, wanted: tuple[float | None, ...]) -> Answered:
    started = time.monotonic()
    reply = await app.agent.process(question.text, language=question.language, trace=True)
    took = (time.monotonic() - started) * 1000
    trace = reply.trace or {}
    results = [call["result"] for step in trace.get("steps", ()) for call in step["calls"]]
    scored = score(question, wanted, reply.response, results, home.days.end, home.days.zone)
    return Answered(question, wanted, reply.response, scored, took, trace)


def _shares(answered: Iterable[Answered]) -> dict[str, object]:
    several = list(answered)
    exact = sum(a.scored.exact for a in several)
    return {
        "total": len(several),
        "exact": round(exact / max(1, len(several)), 4),
        "invented": sum(bool(a.scored.invented) for a in several),
    }


def _grouped(answered: Sequence[Answered], key: Callable[[Answered], str]) -> dict[str, object]:
    names = dict.fromkeys(key(a) for a in answered)
    return {name: _shares(a for a in answered if key(a) == name) for name in names}
