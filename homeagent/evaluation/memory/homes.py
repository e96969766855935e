"""The homes of the dialogues: read as the product reads them, with the people as Home Assistant's users."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from homeagent.brains.local.brain import LocalBrain
from homeagent.brains.question_detection import asks
from homeagent.demo.inventory import EntitySpec, Inventory, load_inventory
from homeagent.demo.server import DemoServer
from homeagent.errors import InvalidInput
from homeagent.ha.connection import HomeAssistant
from homeagent.ha.home import Home, State
from homeagent.remembering.nicknames import Find, with_real_names
from homeagent.turn import Turn, TurnContext
from indexer.index import Index
from indexer.mentions import MentionKind
from indexer.retrieval import Retrieval, Situation

_READ_WITHIN = 30.0
_NAMING = (MentionKind.NAME, MentionKind.AREA)


@dataclass(frozen=True, slots=True)
class LivingIn:
    """A home, what finds the things in it by their words, and what answers without a model."""

    home: Home
    find: Find
    brain: LocalBrain

    @contextmanager
    def with_states(self, live: Mapping[str, object]) -> Iterator[None]:
        """The home with these states (or ``{state, attributes}``) for as long as the block runs."""
        before = [self._state(entity_id) for entity_id in live]
        self.home.put_states([_changed(state, live[state.entity_id]) for state in before])
        try:
            yield
        finally:
            self.home.put_states(before)

    async def about(self, text: str, language: str, nicknames: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
        """Ids of the entities and areas that a sentence names, nicknames included: a turn's subjects."""
        mentions = (await self.retrieved(text, language, nicknames)).mentions
        return tuple(dict.fromkeys(v for kind in _NAMING for mention in mentions.of(kind) for v in mention.values))

    async def retrieved(self, text: str, language: str, nicknames: Mapping[str, tuple[str, ...]]) -> Retrieval:
        """What the index finds for a sentence, with nicknames put as the things are called."""
        named = with_real_names(text, nicknames, self.home.exposed())
        return await self.find(named, Situation(language=language, nicknames=nicknames))

    async def is_unanswered(self, text: str, language: str) -> bool:
        """Whether a sentence is a question that the home has no answer to, so that what is remembered may be."""
        turn = Turn(text, language, context=TurnContext(await self.retrieved(text, language, {})))
        if not await asyncio.to_thread(asks, turn):
            return False
        step = await self.brain.next_step(turn, _unheard)
        return step is None or step.at_a_loss

    def name_of(self, entity_id: str) -> str | None:
        """The name of an entity; None where there is none of this id."""
        entity = self.home.entity(entity_id)
        return entity.name if entity else None

    def _state(self, entity_id: str) -> State:
        state = self.home.state(entity_id)
        if state is None:
            raise InvalidInput(f"The dialogue's home has no {entity_id}.")
        return state


async def living_in(path: Path, users: Mapping[str, str], index: Index, *, by_meaning: bool) -> LivingIn:
    """The home at ``path``, put into ``index``, which may be one that was never started: then words find.

    Raises InvalidInput where it cannot be read.
    """
    home = await _read(path, users)
    index.put(home.exposed(), areas=tuple(home.areas.values()), floors=tuple(home.floors.values()))
    if by_meaning:
        await index.sync()
    return LivingIn(home, index.retrieve, LocalBrain(home))


async def _unheard(text: str) -> None:
    """Nobody listens."""


async def _read(path: Path, users: Mapping[str, str]) -> Home:
    async with DemoServer(_with_people(load_inventory(path), users)) as server:
        ha = HomeAssistant(server.url, server.token)
        await ha.start()
        try:
            if not await ha.wait_ready(_READ_WITHIN):
                raise InvalidInput(f"The home at {path} could not be read.")
        finally:
            await ha.stop()
    now = datetime.now(UTC)
    ha.home.put_states(State(f"person.{user}", "home", {"user_id": user}, now, now) for user in users)
    return ha.home


def _with_people(inventory: Inventory, users: Mapping[str, str]) -> Inventory:
    known = {entity.id for entity in inventory.entities}
    new = tuple(
        EntitySpec(f"person.{user}", name, "home", {}) for user, name in users.items() if f"person.{user}" not in known
    )
    return replace(inventory, entities=(*inventory.entities, *new))


def _changed(state: State, live: object) -> State:
    if isinstance(live, Mapping):
        attributes = {**state.attributes, **live.get("attributes", {})}
        return replace(state, state=str(live["state"]), attributes=attributes)
    return replace(state, state=str(live))
