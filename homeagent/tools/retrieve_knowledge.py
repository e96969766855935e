"""retrieve_knowledge: what is known of the home beside its states: what happened, how it works, who lives in it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from homeagent.errors import InvalidParameters
from homeagent.ha.connection import HomeAssistant
from homeagent.history.recording.day_search import FoundDay, HistoryFinder
from homeagent.knowledge.knowledge_store import FoundPiece, Knowledge
from homeagent.prompting.firewall import clean
from homeagent.tools.memory_tools import may_be_told
from homeagent.tools.toolbox import Tool
from homeagent.turn import Turn
from indexer.index import Index
from indexer.mentions import MentionKind
from indexer.retrieval import Retrieval, Situation
from indexer.words import words
from memory.store import Memories

SourceType = Literal["entity", "automation", "script", "scene", "history", "profile"]

_LONGEST = 1200
_PIECES = ("automation", "script", "scene")
_DESCRIPTION = """Find what is known of the home beyond its live states. source_type: history (what happened on which \
day, in a summary per thing or room: opened, on, away, temperatures), automation, script or scene (what each does, \
when and why), entity, or profile (what is known of the person who speaks). Without source_type all of these but \
profile. Put the time into the query as the person said it. For one exact figure ask ha_query."""


class _RetrieveKnowledgeParams(BaseModel):
    model_config = ConfigDict(extra="forbid")

    query: str = Field(min_length=1, max_length=500, description="What is looked for, in the person's words")
    source_type: SourceType | None = None
    limit: int = Field(default=5, ge=1, le=20)


class RetrieveKnowledge(Tool):
    """``knowledge``, ``history`` and ``memories`` are None where that is switched off."""

    name = "retrieve_knowledge"
    description = _DESCRIPTION
    Params = _RetrieveKnowledgeParams

    def __init__(
        self,
        ha: HomeAssistant,
        index: Index,
        knowledge: Knowledge | None,
        history: HistoryFinder | None,
        memories: Memories | None,
    ) -> None:
        self._ha = ha
        self._index = index
        self._knowledge = knowledge
        self._history = history
        self._memories = memories

    async def run(self, params: _RetrieveKnowledgeParams, turn: Turn) -> dict[str, Any]:
        """What was found, best first. Raises InvalidParameters where that kind is switched off, HomeAssistantError."""
        if params.source_type == "profile":
            return {"found": await self._profile(params, turn)}
        situation = Situation(language=turn.language, state_of=self._ha.home.state_text, area_id=turn.area_id)
        retrieval = await self._index.retrieve(params.query, situation, limit=max(10, params.limit))
        if params.source_type == "entity":
            return {"found": await self._entities(retrieval, params.limit)}
        answer: dict[str, Any] = {"found": []}
        if params.source_type in (None, *_PIECES):
            await self._add_pieces(answer, params, retrieval)
        if params.source_type in (None, "history"):
            await self._add_history(answer, params, retrieval, turn.language)
        return answer

    async def _add_pieces(self, answer: dict[str, Any], params: _RetrieveKnowledgeParams, retrieval: Retrieval) -> None:
        if self._knowledge is None:
            if params.source_type is not None:
                raise InvalidParameters(f"{params.source_type}s are not kept.", hint="See the setting `knowledge`.")
            return
        meant = meant_entities(retrieval)
        found, missing = await self._knowledge.find(params.query, params.source_type, meant, params.limit)
        answer["found"] += [self._piece(one, meant) for one in found]
        if missing:
            answer["note"] = f"Found by words alone: {missing}"

    async def _add_history(
        self, answer: dict[str, Any], params: _RetrieveKnowledgeParams, retrieval: Retrieval, language: str
    ) -> None:
        if self._history is None:
            if params.source_type is not None:
                raise InvalidParameters("History is not kept.", hint="See the setting `history`.")
            return
        found = await self._history.find(params.query, language, retrieval, params.limit)
        answer["found"] += [_day(one) for one in found.days]
        answer["days"] = {"from": found.first.isoformat(), "to": found.last.isoformat()}
        if found.missing:
            answer["note"] = f"Found by words alone: {found.missing}"

    async def _entities(self, retrieval: Retrieval, limit: int) -> list[dict[str, object]]:
        ids = [e.entity_id for e in retrieval.entities[:limit]]
        exposed = await self._ha.is_exposed(ids)
        return [
            {
                "source_type": "entity",
                "entity_id": e.entity_id,
                "name": clean(e.name),
                "area": clean(e.area.name) if e.area else None,
                "state": self._ha.home.state_text(e.entity_id),
            }
            for e in retrieval.entities[:limit]
            if exposed.get(e.entity_id)
        ]

    async def _profile(self, params: _RetrieveKnowledgeParams, turn: Turn) -> list[dict[str, object]]:
        """The speaker's and the household's keyed memories, those that share words with the query first."""
        if self._memories is None:
            raise InvalidParameters("Nothing is remembered.", hint="See the setting `memory.enabled`.")
        asked = set(words(params.query))
        known = [m for m in await self._memories.profile(turn.user_id) if may_be_told(m, turn)]
        found = sorted(known, key=lambda m: -len(asked & set(words(f"{m.key} {m.value}"))))
        return [
            {"source_type": "profile", "key": clean(m.key or ""), "text": clean(m.value or m.content)}
            for m in found[: params.limit]
        ]

    def _piece(self, found: FoundPiece, meant: Collection[str]) -> dict[str, object]:
        entity = found.piece.entity
        state = self._ha.home.state(entity.entity_id)
        told: dict[str, Any] = {
            "source_type": found.piece.source_type,
            "entity_id": entity.entity_id,
            "name": clean(entity.name),
            "text": clean(found.piece.described.text, _LONGEST),
            "score": round(found.score, 2),
        }
        done = self._knowledge.does(found.piece) if self._knowledge is not None else ()
        if does := sorted((i, what) for i, what in done if i in meant):
            told["does"] = {i: [what for j, what in does if j == i] for i, _ in does}
        if state and entity.domain == "automation":
            told["enabled"] = state.state == "on"
        if state and (last := self._last_run(state.attributes.get("last_triggered"))):
            told["last_triggered"] = last
        return told

    def _last_run(self, at: object) -> str | None:
        try:
            moment = datetime.fromisoformat(str(at))
        except ValueError:
            return None
        return self._ha.home.config.local(moment)


def meant_entities(retrieval: Retrieval) -> frozenset[str]:
    """The entities that a query names, or the set that it asks for; empty where it names none."""
    names = retrieval.mentions.values(MentionKind.NAME)
    kinds = retrieval.mentions.of(MentionKind.DOMAIN) or retrieval.mentions.of(MentionKind.DEVICE_CLASS)
    chosen: Sequence[str] = names or ([e.entity_id for e in retrieval.entities] if kinds else ())
    return frozenset(chosen)


def _day(found: FoundDay) -> dict[str, object]:
    day = found.day
    told: dict[str, Any] = {
        "source_type": "history",
        "about": day.about,
        "name": clean(found.name),
        "day": f"{day.day:%A} {day.day.isoformat()}",
        "text": clean(day.text, _LONGEST),
    }
    if not day.over:
        told["so_far"] = True
    if found.gone:
        told["gone"] = "Home Assistant has it no longer."
    return told
