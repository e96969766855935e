"""keep_own_test: keeps the sentence before as a test of the owner's own, where that was told to have gone wrong."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Protocol

from pydantic import BaseModel, ConfigDict

from homeagent.brains.consent import is_no, is_yes
from homeagent.errors import NotFound
from homeagent.ha.home import Home
from homeagent.own_tests.snapshot import inventory_of
from homeagent.own_tests.store import OwnTest, OwnTests
from homeagent.privacy.redact import redacted
from homeagent.tools.toolbox import Tool
from homeagent.turn import PastTurn, Turn
from homeagent.turns.past_results import changed
from indexer.retrieval import Retrieval, Situation

_ALIKE = 20
"""So many of the things that the sentence may have meant are kept."""
_LED_UP = 3
"""So many sentences before it."""


class Finds(Protocol):
    """What finds entities: the index."""

    async def retrieve(self, text: str, situation: Situation, *, limit: int = 10) -> Retrieval:
        """At most ``limit`` entities that a text may mean. Raises IndexerError."""


class _NoParams(BaseModel):
    model_config = ConfigDict(extra="forbid")


class KeepOwnTest(Tool):
    """Keeps the turn before this one. No model is offered it: only a person knows what was wrong."""

    name = "keep_own_test"
    description = "Keep the sentence before as a test of the owner's own: it went wrong."
    in_dry_run = False
    offered = False
    Params = _NoParams

    def __init__(self, tests: OwnTests, home: Home, index: Finds) -> None:
        self._tests = tests
        self._home = home
        self._index = index

    async def run(self, params: _NoParams, turn: Turn) -> Any:
        """The test's id and sentence. Raises NotFound where nothing was said before, or that was said of it already."""
        history = turn.gathered.history
        place = await asyncio.to_thread(_said_wrongly, history, turn.language)
        if place is None:
            raise NotFound("Nothing was said before that could have been wrong.")
        past, led_up = history[place], history[max(0, place - _LED_UP) : place]
        before = {i: state for later in history[place:] for i, state in (changed(later) or {}).items()}
        ids = dict.fromkeys((*past.targets, *before, *(i for one in led_up for i in one.targets)))
        found = await self._index.retrieve(past.text, self._situation(turn, led_up), limit=_ALIKE)
        ids |= dict.fromkeys(entity.entity_id for entity in found.entities)
        area = self._home.areas.get(turn.area_id or "")
        test = OwnTest(
            0,
            datetime.now(UTC),
            past.turn_id,
            turn.language,
            past.text,
            past.answer,
            tuple({"name": c.name, "parameters": redacted(dict(c.parameters))} for c in past.calls),
            inventory_of(self._home, ids, before),
            led_up=tuple(one.text for one in led_up),
            area=area.area_id if area else None,
            user_id=turn.user_id,
        )
        kept = await self._tests.keep(test)
        return {"id": kept.id, "text": kept.text}

    def _situation(self, turn: Turn, led_up: Sequence[PastTurn]) -> Situation:
        return Situation(
            language=turn.language,
            state_of=self._home.state_text,
            area_id=turn.area_id,
            last_entities=led_up[-1].targets if led_up else (),
        )


def _said_wrongly(history: Sequence[PastTurn], language: str) -> int | None:
    """The place of the turn that is meant: the last one, or where that is only a yes or no, the one it answers; None
    where there is none, or that was said of it already."""
    place = len(history) - 1
    while place > 0 and (is_yes(history[place].text, language) or is_no(history[place].text, language)):
        place -= 1
    if place < 0 or any(call.name == KeepOwnTest.name for call in history[place].calls):
        return None
    return place
