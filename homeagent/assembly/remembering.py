"""What looks finished turns through, and what is done for memories again and again."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from homeagent.assembly.models import keeps_back
from homeagent.brains.llm.external_model import MemoryModel
from homeagent.brains.llm.language_model import LanguageModel
from homeagent.config.settings import BrainMode
from homeagent.events import MemoryTended
from homeagent.remembering.guessing import purposes_by
from homeagent.remembering.turn_review import Complete, Remembering
from homeagent.scheduler import Job
from homeagent.tools.toolbox import Toolbox
from indexer.index import Index
from memory.outbox import Outbox
from memory.store import Memories

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from homeagent.config.loading import Settings
    from homeagent.events import Emitter
    from homeagent.ha.home import Home
    from homeagent.intents.intent_reader import IntentReader


_DRAIN_EVERY = timedelta(minutes=1)
_TEND_EVERY = timedelta(hours=6)
_IN_BACKGROUND = 20.0
"""Seconds that a finished turn waits for what it is meant as: nobody waits for that."""


def make_remembering(
    settings: Settings,
    memories: Memories,
    engine: Engine,
    home: Home,
    emitter: Emitter,
    index: Index,
    toolbox: Toolbox,
    llm: LanguageModel | None,
    own: MemoryModel | None,
    intents: IntentReader,
) -> Remembering | None:
    """What looks finished turns through, as set; None where nothing is remembered.

    ``own``: the model that is set for it; None: ``llm`` does it, where there is one. ``intents``: what reads sentences
    by meaning."""
    chosen = settings.memory
    if not chosen.enabled:
        return None
    complete: Complete | None = own.ask if own else llm.ask if llm else None
    profiles = [own.profile] if own else llm.profiles if llm else []
    return Remembering(
        memories,
        Outbox(engine, memories.now),
        home,
        emitter,
        toolbox=toolbox if settings.agent.brain is not BrainMode.LLM else None,
        find=index.retrieve,
        complete=complete,
        model=own.profile.model.name if own else llm.name if llm else None,
        keeps_back=keeps_back(settings, profiles),
        extract=chosen.extract,
        guess=purposes_by(intents),
        guess_later=purposes_by(intents, _IN_BACKGROUND),
    )


def memory_jobs(settings: Settings, memories: Memories, remembering: Remembering | None, emitter: Emitter) -> list[Job]:
    """What is done for memories again and again."""
    if remembering is None:
        return []

    async def tend() -> None:
        done = await memories.tend(settings.memory.most)
        if done:
            emitter.emit(
                MemoryTended(
                    expired=done.expired,
                    faded=done.faded,
                    merged=done.merged,
                    dropped=done.dropped,
                    embedded=done.embedded,
                )
            )

    return [
        Job("look turns through that were put off", _DRAIN_EVERY, remembering.drain),
        Job("tend memories", _TEND_EVERY, tend),
    ]
