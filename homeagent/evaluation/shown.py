"""What was laid before a brain for a sentence, and what that would weigh in a model's prompt."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from homeagent.events import ContextInjected, Event
from homeagent.ha.home import Home
from homeagent.prompting.entity_lines import entity_line, set_line
from homeagent.prompting.tokens import Counter
from indexer.entity import Entity
from indexer.retrieval import Retrieval
from indexer.selector import Selector

MOST = 10
"""Entities that may be shown where no more are meant."""


@dataclass(frozen=True, slots=True)
class Shown:
    """``ids`` of all entities shown, with those of a set and the members of a scene or group. ``lines``: how many were
    listed, a large set being one.

    ``tokens``: what that weighs in a prompt.
    """

    ids: frozenset[str]
    lines: int
    tokens: int

    def over(self, targets: frozenset[str]) -> bool:
        """Whether more is listed than may be."""
        return self.lines > max(MOST, len(targets))


class Showing:
    """Works out what a retrieval shows, over a live home. `load` first (it blocks for 0.3 s)."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self._count = Counter()

    def load(self) -> None:
        self._count.load()

    def retrieved(self, retrieval: Retrieval) -> Shown:
        return self._shown(retrieval.entities, retrieval.selector)

    def traced(self, traced: Mapping[str, Any]) -> Shown:
        """From what a turn's trace tells of its retrieval."""
        selector = traced["selector"]
        known = (self._home.entity(one["entity_id"]) for one in traced["found"])
        chosen = Selector(**{key: tuple(value) for key, value in selector.items()}) if selector else None
        return self._shown([e for e in known if e is not None], chosen)

    def injected(self, event: ContextInjected, traced: Mapping[str, Any]) -> Shown:
        """What a model was really shown: the lines that fitted, or the set that stood for them."""
        listed = frozenset(event.entities_included)
        if listed or traced["selector"] is None:
            return Shown(listed, len(listed), event.token_count)
        return Shown(self.traced(traced).ids, 1, event.token_count)

    def _shown(self, entities: Iterable[Entity], selector: Selector | None) -> Shown:
        listed = tuple(entities)
        if selector is not None and len(listed) > MOST:
            members = selector.select(self._home.exposed())
            return Shown(
                frozenset(e.entity_id for e in members), 1, self._count(set_line(selector, members, self._home))
            )
        now = datetime.now(UTC)
        text = "\n".join(entity_line(e, self._home, now) for e in listed)
        reached = {member for e in listed for member in e.members}
        return Shown(frozenset(e.entity_id for e in listed) | reached, len(listed), self._count(text))


class Injected:
    """An event sink that keeps what each turn's model was shown first."""

    name = "evaluation"

    def __init__(self) -> None:
        self._by_turn: dict[str, ContextInjected] = {}

    async def handle(self, event: Event) -> None:
        if isinstance(event, ContextInjected) and event.turn_id:
            self._by_turn.setdefault(event.turn_id, event)

    async def of(self, turn_id: str) -> ContextInjected | None:
        """The turn's; events come a moment later than the answer."""
        for _ in range(20):
            if turn_id in self._by_turn:
                return self._by_turn[turn_id]
            await asyncio.sleep(0.005)
        return None
