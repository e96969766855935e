"""``kill -9`` while turns are looked through for memories, while one takes the place of another, and while an export is
taken over: nothing that was done is lost, nothing is half done, and the next start goes on.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, select
from sqlalchemy.orm import Session

from homeagent.conversations import Answer
from homeagent.database import open_database, upgrade
from homeagent.remembering.finished_turns import note_of
from homeagent.turn import Turn
from memory.model import Memory
from memory.outbox import Outbox
from memory.store import Memories
from memory.tables import OutboxRow
from tests.memory.fakes import DictStore, HashEmbedder

_TANKS = ("upper", "lower", "eastern", "western", "hidden")
_LETTERS = "bcdfghklmnprstvz"
_PATIENCE = 120.0


@dataclass(slots=True)
class RememberingFigures:
    """``in_the_middle``: kills that found some turns done and others not, or an import under way."""

    kills: int = 0
    in_the_middle: int = 0
    turns: int = 0
    replaced: int = 0
    imports_killed: int = 0
    imported: int = 0

    def shown(self) -> dict[str, Any]:
        return {
            "kills while turns were looked through": self.kills,
            "of them with some done and some not": self.in_the_middle,
            "turns, all of them remembered once": self.turns,
            "memories that took another's place, none by halves": self.replaced,
            "kills of an import": self.imports_killed,
            "memories imported, exactly as they were": self.imported,
        }


class Killer:
    """Turns wait in ``folder``; whoever looks through them is killed and begins again, until all are done."""

    def __init__(self, folder: Path, turns: int, seed: int) -> None:
        self.figures = RememberingFigures(turns=turns)
        self._source, self._target = folder / "told", folder / "taken"
        self._chance = random.Random(seed)
        self._told = {f"turn-{number:05}": _told(number) for number in range(turns)}
        self._engine = _database(self._source)
        self._put()

    async def drain(self, kills: int) -> None:
        """Kill it this often, somewhere between its start and its end; then let it finish. Looks each time."""
        for _ in range(kills):
            before = len(self._waiting())
            _, finished = _killed_after(self._chance.uniform(0.1, 1.5), self._source)
            self.figures.kills += not finished
            self.figures.in_the_middle += not finished and 0 < len(self._waiting()) < before
            await self._look()
        _, finished = _killed_after(None, self._source)
        assert finished
        assert self._waiting() == set()
        self.figures.replaced = await self._look()

    async def take_over(self, kills: int) -> None:
        """Import everything that was told into another database, killed this often. All of it is there, or nothing."""
        everything = await _memories(self._engine).export(everybody=True)
        for number in range(kills + 1):
            last = number == kills
            engine = _database(self._target / str(number))
            try:
                wait = None if last else self._chance.uniform(0.0, 0.5)
                _, finished = _killed_after(wait, self._source, self._target / str(number))
                there = await _memories(engine).export(everybody=True)
                assert len(there) in ({len(everything)} if finished else {0, len(everything)}), len(there)
                self.figures.imports_killed += not finished
                await _memories(engine).restore(everything)
                assert list(await _memories(engine).export(everybody=True)) == list(everything)
            finally:
                engine.dispose()
        self.figures.imported = len(everything)

    def close(self) -> None:
        self._engine.dispose()

    def _put(self) -> None:
        outbox = Outbox(self._engine, _memories(self._engine).now)
        with self._engine.begin() as connection:
            for turn_id, (tank, box) in self._told.items():
                turn = Turn(f"{tank}. {box}.", user_id="anna")
                now = _memories(self._engine).now()
                outbox.put(connection, turn_id, note_of(turn, Answer("Fine.", "llm"), now, answered=False))

    def _waiting(self) -> set[str]:
        with Session(self._engine) as session:
            return set(session.scalars(select(OutboxRow.turn_id)))

    async def _look(self) -> int:
        """Whether all that is done is remembered, once, and nothing by halves; how many took another's place."""
        everything = list(await _memories(self._engine).export(everybody=True))
        current = [memory for memory in everything if memory.superseded_by is None]
        said = [memory.content for memory in current]
        done = sorted(set(self._told) - self._waiting())
        for turn_id in done:
            assert said.count(self._told[turn_id][1]) == 1, f"{turn_id} was done and is not remembered once"
        for tank in _TANKS:
            self._one_truth([content for content in said if f"{tank} tank" in content], done, tank)
        return _whole(everything)

    def _one_truth(self, current: Sequence[str], done: Sequence[str], tank: str) -> None:
        told = [text for text, _ in self._told.values() if f"{tank} tank" in text]
        of_done = [self._told[turn_id][0] for turn_id in done if f"{tank} tank" in self._told[turn_id][0]]
        assert len(current) == 1 or (not of_done and not current), current
        if of_done:  # the last that is done, or the next, whose turn was under way
            assert current[0] in told[told.index(of_done[-1]) :][:2], (current, of_done[-1])


def _whole(everything: Sequence[Memory]) -> int:
    """Each that is over says by what and since when, and what took its place is there."""
    ids = {memory.id for memory in everything}
    old = [memory for memory in everything if memory.superseded_by is not None or memory.valid_to is not None]
    for memory in old:
        assert memory.superseded_by in ids, memory
        assert memory.valid_to is not None, memory
    return len(old)


def _told(number: int) -> tuple[str, str]:
    tank = _TANKS[number % len(_TANKS)]
    chance = random.Random(number)
    one, other = ("".join(chance.choices(_LETTERS, k=9)) for _ in range(2))
    return f"The pressure of the {tank} tank should be {number + 2} bar", f"The {one} is behind the {other}"


def _killed_after(seconds: float | None, *folders: Path) -> tuple[list[str], bool]:
    """What the process said, and whether it came to its end, killed so long after it began. None: it is let be."""
    command = [sys.executable, "-m", "tests.chaos.remembering_victim", *map(str, folders)]
    victim = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert victim.stdout is not None
    first = victim.stdout.readline()
    started = time.monotonic()
    while victim.poll() is None and (seconds is None or time.monotonic() - started < seconds):
        assert time.monotonic() - started < _PATIENCE, "it does not come to its end"
        time.sleep(0.002)
    if victim.poll() is None:
        os.kill(victim.pid, signal.SIGKILL)
    said = [first, *victim.communicate()[0].splitlines()]
    assert victim.returncode in (0, -signal.SIGKILL), said
    return said, victim.returncode == 0


def _database(folder: Path) -> Engine:
    folder.mkdir(parents=True)
    engine = open_database(None, folder)
    upgrade(engine)
    return engine


def _memories(engine: Engine) -> Memories:
    return Memories(engine, HashEmbedder(), DictStore())
