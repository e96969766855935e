"""What was laid before a brain for a sentence, and what that would weigh in a model's prompt."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from homeagent.context import DIRECT
from homeagent.errors import UnknownTarget
from homeagent.events import ContextInjected, Event
from homeagent.ha.connection import HomeAssistant
from homeagent.prompting.entity_lines import entity_line, set_line
from homeagent.prompting.token_counting import Counter
from homeagent.targets.scripts import Unreadable, script_actions
from indexer.entity import Entity
from indexer.retrieval import Retrieval
from indexer.selector import Selector

MOST = 10
"""Entities that may be shown where no more are meant."""


@dataclass(frozen=True, slots=True)
class Shown:
    """``ids`` of all entities shown, with what a scene, group or script among them reaches. ``lines``: how many were
    listed, a large set being one.

    ``tokens``: what that weighs in a prompt. ``whole``: it is a whole set, or the whole of a small home. ``among``:
    of ``ids`` those that are shown only as one of a set any of which may be meant.
    """

    ids: frozenset[str]
    lines: int
    tokens: int
    whole: bool = False
    among: frozenset[str] = frozenset()

    @property
    def told_apart(self) -> frozenset[str]:
        """The ids that are shown for themselves, and not only as one of a set."""
        return self.ids - self.among

    def over(self, targets: frozenset[str]) -> bool:
        """Whether more is listed than may be."""
        return not self.whole and self.lines > max(MOST, len(targets))


class Showing:
    """Works out what a retrieval shows, over a live home. `load` first."""

    def __init__(self, ha: HomeAssistant) -> None:
        self._ha, self._home = ha, ha.home
        self._count = Counter()
        self._scripts: dict[str, frozenset[str]] = {}

    async def load(self) -> None:
        """Read how tokens are counted and what the home's scripts reach."""
        await asyncio.to_thread(self._count.load)
        for entity in self._home.exposed():
            if entity.domain == "script" and (config := await self._ha.script_config(entity.entity_id)):
                with contextlib.suppress(Unreadable, UnknownTarget):
                    done = script_actions(config, self._home)
                    self._scripts[entity.entity_id] = frozenset(e.entity_id for deed in done for e in deed.entities)

    def retrieved(self, retrieval: Retrieval) -> Shown:
        """From what the index found."""
        return self._shown(retrieval.entities, retrieval.selector, undecided=retrieval.undecided, also=retrieval.also)

    def traced(self, traced: Mapping[str, Any]) -> Shown:
        """From what a turn's trace tells of its retrieval."""
        chosen = _selector(traced["selector"]) if traced["selector"] else None
        found = self._known(one["entity_id"] for one in traced["found"])
        also = tuple(map(_selector, traced.get("also", ())))
        return self._shown(found, chosen, undecided=traced.get("undecided", False), also=also)

    def injected(self, event: ContextInjected, traced: Mapping[str, object]) -> Shown:
        """What a model was really shown: the lines that fitted, or the set that stood for them."""
        listed = event.entities_included
        whole = traced["selector"] is not None or event.mode == DIRECT
        if not listed and whole:
            return replace(self.traced(traced), tokens=event.token_count, whole=True)
        sets = () if event.mode == DIRECT else self._sets_beside(traced)
        return replace(self._beside(self._listed(self._known(listed)), sets, whole=whole), tokens=event.token_count)

    def _sets_beside(self, traced: Mapping[str, Any]) -> tuple[Selector, ...]:
        """What is told in a line of its own beside what is listed."""
        first = (traced["selector"],) if traced.get("undecided") else ()
        return tuple(map(_selector, (*first, *traced.get("also", ()))))

    def _shown(
        self,
        entities: Iterable[Entity],
        selector: Selector | None,
        *,
        undecided: bool = False,
        also: tuple[Selector, ...] = (),
    ) -> Shown:
        listed = tuple(entities)
        if selector is not None and undecided:
            return self._beside(self._listed(listed), (selector, *also), whole=True)
        if selector is not None and len(listed) > MOST:
            return self._beside(self._shown_set(selector), also, whole=True)
        return self._beside(self._listed(listed), also, whole=selector is not None)

    def _beside(self, first: Shown, sets: Iterable[Selector], *, whole: bool) -> Shown:
        """With sets any of which may be meant, each a line."""
        more = [self._shown_set(one) for one in sets]
        ids = first.ids.union(*(one.ids for one in more))
        lines, tokens = first.lines + len(more), first.tokens + sum(one.tokens for one in more)
        return Shown(ids, lines, tokens, whole, among=ids - first.ids)

    def _shown_set(self, selector: Selector) -> Shown:
        members = selector.select(self._home.exposed())
        return Shown(self._reached(members), 1, self._count(set_line(selector, members, self._home)), whole=True)

    def _listed(self, listed: Sequence[Entity]) -> Shown:
        text = "\n".join(entity_line(e, self._home) for e in listed)
        return Shown(self._reached(listed), len(listed), self._count(text))

    def _known(self, entity_ids: Iterable[str]) -> list[Entity]:
        return [e for i in entity_ids if (e := self._home.entity(i)) is not None]

    def _reached(self, entities: Iterable[Entity]) -> frozenset[str]:
        """The entities, and those that a scene, a group or a script among them stands for."""
        return frozenset(i for e in entities for i in (e.entity_id, *e.members, *self._scripts.get(e.entity_id, ())))


def _selector(traced: Mapping[str, Any]) -> Selector:
    return Selector(**{key: tuple(value) for key, value in traced.items()})


class Injected:
    """An event sink that keeps what each turn's model was shown first."""

    name = "evaluation"

    def __init__(self) -> None:
        self._by_turn: dict[str, ContextInjected] = {}

    async def handle(self, event: Event) -> None:
        """Keep what a turn's model was shown first; every other event is ignored."""
        if isinstance(event, ContextInjected) and event.turn_id:
            self._by_turn.setdefault(event.turn_id, event)

    async def of(self, turn_id: str) -> ContextInjected | None:
        """The turn's; events come a moment later than the answer."""
        for _ in range(20):
            if turn_id in self._by_turn:
                return self._by_turn[turn_id]
            await asyncio.sleep(0.005)
        return None
