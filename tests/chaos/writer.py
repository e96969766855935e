"""Somebody who has things remembered without a pause, and notes what was acknowledged."""

from __future__ import annotations

import random
import threading
from typing import Self

import httpx

from tests.chaos.victim import Victim

_PAUSE = 0.05
PEOPLE = 5
"""So many people share the memories: `memory list` shows at most 1,000 of each."""


class Writer:
    """Adds memories from several threads at once during the block. ``acknowledged``: id to person and content."""

    def __init__(self, victim: Victim, acknowledged: dict[str, tuple[str, str]], threads: int = 2) -> None:
        self._victim = victim
        self._acknowledged = acknowledged
        self._end = threading.Event()
        self._threads = [threading.Thread(target=self._write, daemon=True) for _ in range(threads)]
        self.cut_off = 0
        """Requests that got no answer any more."""

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._end.set()
        for thread in self._threads:
            thread.join()

    def _write(self) -> None:
        while not self._end.is_set():
            person, content = f"person-{len(self._acknowledged) % PEOPLE}", thing_to_keep()
            try:
                answer = self._victim.call("add_memory", content=content, user_id=person)
            except httpx.HTTPError:
                self.cut_off += 1
                return
            self._acknowledged[answer["memory_id"]] = (person, content)
            self._end.wait(_PAUSE)


def thing_to_keep() -> str:
    """A sentence that is told once. Words that can be spoken: signs without sense would be refused as a code."""
    first, second, third = (_word() for _ in range(3))
    return f"The box of {first} stands beside the {second} in the {third} room."


def _word() -> str:
    return "".join(random.choice("bdfgklmnprst") + random.choice("aeiou") for _ in range(4))


def lost(victim: Victim, acknowledged: dict[str, tuple[str, str]]) -> list[str]:
    """The ids of memories that were acknowledged and cannot be listed, or say something else now."""
    kept: dict[str, str] = {}
    for person in sorted({person for person, _ in acknowledged.values()}):
        found = victim.call("list_memories", user_id=person, limit=1000)["memories"]
        kept |= {memory["id"]: memory["content"] for memory in found}
    return [i for i, (_, content) in acknowledged.items() if kept.get(i) != content]
