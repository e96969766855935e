"""Trying a person's own home, without touching it: sentences are found and planned, and nothing is ever called."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from homeagent.app import App
from homeagent.brains.language.grammar_cache import GrammarCache
from homeagent.brains.local.brain import LocalBrain
from homeagent.config.settings import BrainMode, Settings
from homeagent.errors import HomeAgentError
from homeagent.evaluation.own.hard_to_find import Reason, Reasons
from homeagent.evaluation.own.made_sentences import OwnSentence, SentenceMaker
from homeagent.evaluation.report import share
from homeagent.evaluation.trial_homes import started
from homeagent.service.demo import demo_home
from homeagent.targets.resolve import resolve, spec_from
from homeagent.turn import Turn, TurnContext, new_id
from indexer.entity import Entity
from indexer.retrieval import Retrieval, Situation

_FIRST = 3
"""Places from the top within which an entity counts as found by its name."""


@dataclass(frozen=True, slots=True)
class Tried:
    """A sentence and what came of it. ``rank``: from 1, None where it was not found. ``planned``: the entities that the
    local brain would have acted on or read, None where it would not have; ``asked``: it would have asked back."""

    sentence: OwnSentence
    rank: int | None
    planned: frozenset[str] | None
    rivals: tuple[str, ...]
    asked: bool = False

    @property
    def found(self) -> bool:
        """Whether the entity was among the first three."""
        return self.rank is not None and self.rank <= _FIRST

    @property
    def understood(self) -> bool:
        """Whether the local brain would have acted on, or read, exactly this entity."""
        return self.planned == frozenset({self.sentence.entity.entity_id})


async def check(settings: Settings, *, demo: bool = False) -> dict[str, Any]:
    """Make sentences for the home that is set (or the demo) and say what is hard to find in it.

    Returns ``entities`` and ``total`` (sentences), ``found`` and ``understood`` (0 to 1), and ``hard``: for each
    entity that is hard to find ``entity_id``, ``name``, ``area``, ``codes``, ``why``, ``advice`` and the ``sentences``
    that failed. Calls no service. Raises HomeAssistantError where the home cannot be read, ConfigError where none
    is set.
    """
    async with _open(settings, demo) as app:
        return await _Check(app).run()


@asynccontextmanager
async def _open(settings: Settings, demo: bool) -> AsyncIterator[App]:
    with tempfile.TemporaryDirectory(prefix="homeagent-eval-") as folder:
        quiet = settings.events.model_copy(update={"log": False, "home_assistant_bus": False, "jsonl": None})
        local = settings.agent.model_copy(update={"brain": BrainMode.LOCAL})
        own = settings.model_copy(update={"data_dir": Path(folder), "events": quiet, "agent": local})
        if demo:
            async with demo_home(own) as with_demo, started(App(with_demo)) as app:
                yield app
        else:
            async with started(App(own)) as app:
                yield app


class _Check:
    def __init__(self, app: App) -> None:
        self._app, self._home = app, app.home
        # it reads what the app has parsed
        self._brain = LocalBrain(app.home, GrammarCache(app.settings.data_dir / "cache"))

    async def run(self) -> dict[str, Any]:
        entities = [e for e in self._home.exposed() if e.in_plurals]
        maker = await asyncio.to_thread(SentenceMaker, self._app.language)
        await self._brain.warm(self._app.language)
        by_entity = {e.entity_id: [await self._try(s) for s in maker.sentences(e)] for e in entities}
        tried = [t for of_one in by_entity.values() for t in of_one]
        reasons = Reasons(entities, self._home.areas.values(), self._home.floors.values(), self._app.language)
        hard = [told for e in entities if (told := _told(e, by_entity[e.entity_id], reasons))]
        return {
            "entities": len(entities),
            "total": len(tried),
            "found": share(t.found for t in tried),
            "understood": share(t.understood for t in tried if not t.sentence.bare),
            "hard": sorted(hard, key=lambda told: (-len(told["sentences"]), told["entity_id"])),
        }

    async def _try(self, sentence: OwnSentence) -> Tried:
        situation = Situation(language=self._app.language, state_of=self._home.state_text)
        found = await self._app.index.retrieve(sentence.text, situation)
        ids = [e.entity_id for e in found.entities]
        mine = sentence.entity.entity_id
        rank = ids.index(mine) + 1 if mine in ids else None
        rivals = tuple(ids[: (rank or _FIRST + 1) - 1][:_FIRST])
        planned, asked = await self._planned(sentence.text, found)
        return Tried(sentence, rank, planned, rivals, asked)

    async def _planned(self, text: str, found: Retrieval) -> tuple[frozenset[str] | None, bool]:
        """What the first step of the local brain would reach, and whether it asks back. Nothing is run."""
        turn = Turn(
            text=text,
            language=self._app.language,
            conversation_id=new_id(),
            user_id=None,
            context=TurnContext(found),
        )
        try:
            step = await self._brain.next_step(turn, _silent)
            if step is None or not step.tool_calls:
                return None, step is not None and step.question
            return frozenset(i for call in step.tool_calls for i in self._reached(call.parameters)), False
        except HomeAgentError:
            return None, False

    def _reached(self, parameters: Mapping[str, Any]) -> Iterable[str]:
        if single := parameters.get("entity_id"):
            return [single] if isinstance(single, str) else single
        return (e.entity_id for e in resolve(self._home, spec_from(parameters)).entities)


async def _silent(_text: str) -> None:
    """Nobody listens."""


def _told(entity: Entity, tried: list[Tried], reasons: Reasons) -> dict[str, Any] | None:
    failed = [t for t in tried if (not t.understood and not t.found) or _is_another(t)]
    known = reasons.of(entity)
    if not failed:
        known = [r for r in known if r.code in reasons.always]
    if not failed and not known:
        return None
    known = known or [_behind(failed)]
    return {
        "entity_id": entity.entity_id,
        "name": entity.name,
        "area": entity.area.name if entity.area else None,
        "codes": [r.code for r in known],
        "why": [r.why for r in known],
        "advice": [r.advice for r in known],
        "sentences": [t.sentence.text for t in failed],
    }


def _is_another(tried: Tried) -> bool:
    """Whether it was not settled that this one is meant, where a plan or a clear find was to be expected."""
    if tried.planned is not None:
        return not tried.understood
    return tried.asked or tried.rank != 1


def _behind(failed: list[Tried]) -> Reason:
    rivals = dict.fromkeys(r for t in failed for r in t.rivals)
    if rivals:
        why = f"others are found before it: {', '.join(list(rivals)[:_FIRST])}"
        return Reason("others_first", why, "Give it a name, or an alias, that shares no word with theirs.")
    return Reason("not_found", "its name is not recognised", "Give it an alias of one or two plain words.")
