"""What finds and what recalls: the index, the memories, the days and the knowledge beside them."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from homeagent.ha.connection import HomeAssistant
from homeagent.history.recording.day_search import HistoryFinder
from homeagent.history.recording.recording import Recording
from homeagent.intents.intent_reader import IntentReader
from homeagent.knowledge.knowledge_store import KIND as KNOWLEDGE
from homeagent.knowledge.knowledge_store import Knowledge
from homeagent.scheduler import Job
from homeagent.tools.retrieve_knowledge import RetrieveKnowledge
from indexer.cache import VectorCache
from indexer.documents import Documents
from indexer.embedding_models import DEFAULT_MODEL, EmbedEndpoint
from indexer.history_index import HistoryIndex
from indexer.index import Index
from memory.store import Memories

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from homeagent.config.loading import Settings


_RECORD_EVERY = timedelta(minutes=15)
"""So soon after midnight a day is summed up, and so old is at most what can be found of the running day."""


def make_index(settings: Settings, engine: Engine) -> Index:
    """The index, with the local model or the endpoint that the settings name."""
    chosen = settings.index
    model = chosen.model or DEFAULT_MODEL
    endpoint = None
    if chosen.endpoint is not None:
        key = chosen.endpoint_key.get_secret_value() if chosen.endpoint_key else ""
        endpoint = EmbedEndpoint(chosen.endpoint, model, key)
    return Index(
        settings.data_dir,
        engine,
        model=model,
        embed_endpoint=endpoint,
        chroma_url=chosen.chroma_url,
        threads=chosen.threads,
    )


def make_intents(index: Index) -> IntentReader:
    """What guesses by meaning what a sentence is for, with the index's encoder."""
    return IntentReader(index.embed, lambda: index.status.embedder)


def make_memories(settings: Settings, engine: Engine, index: Index) -> Memories:
    """Memories with the index's embedder and store."""
    return Memories(
        engine,
        index.embed,
        index.store,
        fingerprint=lambda: index.status.embedder,
        floor=settings.memory.min_relevance,
    )


def make_recording(
    settings: Settings, ha: HomeAssistant, engine: Engine, index: Index, memories: Memories
) -> Recording | None:
    """What sums days up and makes them findable, not started; None where that is switched off."""
    if not settings.history.enabled:
        return None
    history = HistoryIndex(
        engine, index.embed, index.wait_ready, lambda: index.status.embedder, index.store, memories.records.installation
    )
    chosen = settings.history
    return Recording(ha, history, rest=index.rest, keep_days=chosen.keep_days, fill_days=chosen.fill_days)


def recording_jobs(recording: Recording | None) -> list[Job]:
    """Days that are over, the running day, and what is too old."""
    return [Job("keep the history", _RECORD_EVERY, recording.tick)] if recording else []


def make_knowledge(
    settings: Settings, ha: HomeAssistant, engine: Engine, index: Index, memories: Memories
) -> Knowledge | None:
    """What reads automations, scripts and scenes, not started; None where that is switched off."""
    if not settings.knowledge.enabled:
        return None
    documents = Documents(
        KNOWLEDGE,
        index.embed,
        index.wait_ready,
        lambda: index.status.embedder,
        index.store,
        VectorCache(engine),
        memories.records.installation,
    )
    return Knowledge(ha, documents, unexposed=settings.knowledge.unexposed)


def make_retrieving(
    settings: Settings,
    ha: HomeAssistant,
    index: Index,
    memories: Memories,
    finder: HistoryFinder | None,
    knowledge: Knowledge | None,
) -> RetrieveKnowledge:
    """The tool that finds what is known beyond live states."""
    return RetrieveKnowledge(ha, index, knowledge, finder, memories if settings.memory.enabled else None)
