"""The rounds: the home changes, the service works, is killed in the middle, and must be well again."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.chaos.changing_home import ChangingHome
from tests.chaos.folder import Watch, size_of
from tests.chaos.victim import Victim
from tests.chaos.writer import Writer, lost, thing_to_keep

_VAGUE = "zzz qqq"
"""No word settles it: it takes vectors."""


@dataclass(slots=True)
class Figures:
    """What came of it. ``ratios``: per round, the largest size of the folder by its size when it was well again."""

    kills: int = 0
    killed_in_reindex: int = 0
    commands_killed: int = 0
    memories_acknowledged: int = 0
    memories_lost: int = 0
    adds_cut_off: int = 0
    rebuilds: int = 0
    ratios: list[float] = field(default_factory=list)
    seconds_to_well: list[float] = field(default_factory=list)
    seconds_until_all_are_dead: list[float] = field(default_factory=list)
    size: int = 0

    def shown(self) -> dict[str, Any]:
        return {
            "kills": self.kills,
            "of them in the middle of a reindex": self.killed_in_reindex,
            "`memory add` without a service killed": self.commands_killed,
            "memories acknowledged": self.memories_acknowledged,
            "of them lost": self.memories_lost,
            "adds that a kill cut off": self.adds_cut_off,
            "stores made anew": self.rebuilds,
            "largest size / healthy size": round(max(self.ratios, default=0.0), 2),
            "seconds until well, median and worst": _median_and_worst(self.seconds_to_well),
            "seconds until the children are dead, worst": round(max(self.seconds_until_all_are_dead, default=0.0), 3),
            "folder at the end, MB": round(self.size / 1e6, 1),
        }


class Rounds:
    """Kills over one folder. ``entities`` at the start; ``grow`` more of them each round."""

    def __init__(self, folder: Path, home: ChangingHome, variables: dict[str, str], entities: int, grow: int) -> None:
        access = {"HOMEAGENT_HOME_ASSISTANT__URL": home.url, "HOMEAGENT_HOME_ASSISTANT__TOKEN": home.token}
        self.victim = Victim(folder, {**access, **variables})
        self.figures = Figures()
        self._home = home
        self.entities = entities
        self._grow = grow
        self._version = 0
        self._acknowledged: dict[str, tuple[str, str]] = {}

    def run(self, kills: int, seed: int, tell: Callable[[str], None] = print) -> Figures:
        try:
            self._run(kills, random.Random(seed), tell)
        finally:
            self.victim.end()
        self.figures.size = size_of(self.victim.data)
        self.figures.rebuilds = self.victim.rebuilds()
        return self.figures

    def _run(self, kills: int, chance: random.Random, tell: Callable[[str], None]) -> None:
        kinds = (self._kill_at_start, self._kill_in_rebuild, self._kill_after_change)
        with Watch(self.victim.data) as watch:
            self.change()
            self.victim.start()
            self._well(watch)
            for number in range(kills):
                watch.forget()
                kind = kinds[number % len(kinds)]
                if number % len(kinds) == 0:
                    self._kill_a_command(chance)
                share = kind(chance)
                self.victim.start()
                seconds, ratio = self._well(watch)
                tell(f"{number + 1}/{kills} {kind.__name__[6:]} at {share:.0%}: well in {seconds:.1f} s, x{ratio:.2f}")

    def _kill_at_start(self, chance: random.Random) -> float:
        """The home has changed while nobody looked: killed while the service catches up."""
        self.victim.end()
        self.change()
        self.victim.start()
        return self._kill_in_reindex(chance, force=False)

    def _kill_in_rebuild(self, chance: random.Random) -> float:
        """Killed while a new store is filled beside the one in use."""
        return self._kill_in_reindex(chance, force=True)

    def _kill_after_change(self, chance: random.Random) -> float:
        """Killed while a change of the running home is taken in."""
        self.change()
        self.victim.wait_until_found(self._first)
        synced = self.victim.syncs()
        with Writer(self.victim, self._acknowledged) as writer:
            time.sleep(chance.uniform(1.0, 3.0))  # it lets the changes calm down for a second
            self._kill()
        self.figures.adds_cut_off += writer.cut_off
        in_the_middle = self.victim.syncs() == synced
        self.figures.killed_in_reindex += in_the_middle
        return 0.5 if in_the_middle else 1.0

    def _kill_a_command(self, chance: random.Random) -> None:
        """No service: `memory add` does it all itself, and is killed."""
        self.victim.end()
        content = thing_to_keep()
        command = self.victim.command("memory", "add", content, "--user", "person-0", "--json")
        time.sleep(chance.uniform(0.5, 6.0))
        if command.process.poll() is None:
            command.process.kill()
            self.figures.commands_killed += 1
        elif command.process.returncode == 0:
            said = self.victim.log().rstrip().rsplit('"memory_id": "', 1)[-1]
            self._acknowledged[said.partition('"')[0]] = ("person-0", content)
        command.process.wait()
        self.victim.start()

    def _kill_in_reindex(self, chance: random.Random, *, force: bool) -> float:
        until, share = chance.uniform(0.0, 0.75), 0.0
        with Writer(self.victim, self._acknowledged) as writer:
            for share in self.victim.progress(force=force):
                if share >= until:
                    break
            time.sleep(chance.uniform(0.0, 0.3))
            self._kill()
        self.figures.adds_cut_off += writer.cut_off
        self.figures.killed_in_reindex += 0 < share < 1
        return share

    def _kill(self) -> None:
        self.figures.seconds_until_all_are_dead.append(self.victim.kill())
        self.figures.kills += 1

    def _well(self, watch: Watch) -> tuple[float, float]:
        """Wait until it is, and look whether everything is there; seconds since the start, and the folder's ratio."""
        seconds = self.victim.wait_until_well(self.entities)
        assert self.victim.search(self._first)["found"][0]["name"] == self._first
        assert self.victim.search(_VAGUE)["embedded"]
        self.figures.memories_acknowledged = len(self._acknowledged)
        self.figures.memories_lost = len(lost(self.victim, self._acknowledged))
        ratio = watch.largest / size_of(self.victim.data)
        self.figures.seconds_to_well.append(seconds)
        self.figures.ratios.append(ratio)
        return seconds, ratio

    def change(self) -> None:
        """Give the home other names, and more entities: the service has something to write."""
        self._version += 1
        self.entities += self._grow if self._version > 1 else 0
        self._first = self._home.become(self.entities, self._version)


def _median_and_worst(seconds: list[float]) -> str:
    ordered = sorted(seconds) or [0.0]
    return f"{ordered[len(ordered) // 2]:.1f} / {ordered[-1]:.1f}"
