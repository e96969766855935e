"""Makes the parts out of the settings; what starts and ends them, in which order, is the app's business."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING

from homeagent.agent import Limits
from homeagent.brains.llm.client import LlmModel, litellm_process
from homeagent.brains.llm.external_model import ExternalModel
from homeagent.brains.llm.language_model import LanguageModel, LlmOptions
from homeagent.config.settings import BrainMode
from homeagent.confirmations import Confirmations
from homeagent.conversations import Conversations
from homeagent.database import open_database, upgrade
from homeagent.errors import ConfigError
from homeagent.events import MemoryTended
from homeagent.ha.connection import DEFAULT_EXPOSED_DOMAINS, HomeAssistant
from homeagent.history.recording.finding import HistoryFinder
from homeagent.history.recording.recording import Recording
from homeagent.knowledge.keeping import KIND as KNOWLEDGE
from homeagent.knowledge.keeping import Knowledge
from homeagent.policy import Decision, Policy, Rule
from homeagent.remembering.model import MemoryModel
from homeagent.remembering.remembering import Complete, Remembering
from homeagent.remembering.turns import why_not_worth_it
from homeagent.scheduler import Job
from homeagent.sinks import HomeAssistantBusSink, JsonLinesSink, LogSink
from homeagent.tools.explain_change import ExplainChange
from homeagent.tools.ha_control import HaControl
from homeagent.tools.ha_query import HaQuery
from homeagent.tools.memory import ForgetMemory, RecallMemory, StoreMemory
from homeagent.tools.profile import GetUserProfile, UpdateUserProfile
from homeagent.tools.query_external_llm import QueryExternalLlm
from homeagent.tools.retrieve_knowledge import RetrieveKnowledge
from homeagent.tools.toolbox import Tool, Toolbox
from indexer.cache import VectorCache
from indexer.documents import Documents
from indexer.history import HistoryIndex
from indexer.index import Index
from indexer.settings import DEFAULT_MODEL, EmbedEndpoint
from memory.outbox import Outbox
from memory.store import Memories

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from homeagent.config.loading import Settings
    from homeagent.events import Emitter, Sink
    from homeagent.ha.home import Home
    from indexer.process import ChildProcess

_LLM_SHARE = 0.9
"""Share of a turn's time that one answer of the model may take, so that its failure can still be told."""


_DRAIN_EVERY = timedelta(minutes=1)
_TEND_EVERY = timedelta(hours=6)
_RECORD_EVERY = timedelta(minutes=15)
"""So soon after midnight a day is summed up, and so old is at most what can be found of the running day."""
_TOLD = 1.0
"""Seconds that a tool has longer than the model it asks, so that the model's own failure is told."""


def make_home_assistant(settings: Settings) -> HomeAssistant:
    """The connection, not started. Raises ConfigError where address or token are not set."""
    chosen = settings.home_assistant
    if chosen.url is None or chosen.token is None:
        missing = "home_assistant.url" if chosen.url is None else "home_assistant.token"
        raise ConfigError(f"`{missing}` is not set.", hint="Run `homeagent setup`.")
    return HomeAssistant(
        chosen.url,
        chosen.token.get_secret_value(),
        verify=chosen.trust,
        timeout=chosen.timeout,
        fallback_domains=frozenset(chosen.fallback_domains or DEFAULT_EXPOSED_DOMAINS),
    )


def open_engine(settings: Settings) -> Engine:
    """The database, its schema up to date. Blocks. Raises DatabaseError."""
    engine = open_database(settings.database.url, settings.data_dir)
    try:
        upgrade(engine)
    except BaseException:
        engine.dispose()
        raise
    return engine


def make_sinks(settings: Settings, ha: HomeAssistant) -> list[Sink]:
    """Where events go, as set."""
    chosen = settings.events
    sinks: list[Sink] = []
    if chosen.log:
        sinks.append(LogSink(include_text=chosen.include_text))
    if chosen.jsonl is not None:
        sinks.append(JsonLinesSink(chosen.jsonl, include_text=chosen.include_text))
    if chosen.home_assistant_bus:
        sinks.append(HomeAssistantBusSink(ha.fire_event, include_text=chosen.include_text))
    return sinks


def make_index(settings: Settings, engine: Engine) -> Index:
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


def make_memories(settings: Settings, engine: Engine, index: Index) -> Memories:
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


def recording_jobs(recording: Recording | None) -> list[Job]:
    """Days that are over, the running day, and what is too old."""
    return [Job("keep the history", _RECORD_EVERY, recording.tick)] if recording else []


def make_confirmations(settings: Settings, engine: Engine) -> Confirmations:
    return Confirmations(engine, settings.agent.confirmation_ttl)


def make_conversations(settings: Settings, engine: Engine) -> Conversations:
    return Conversations(engine, idle=timedelta(seconds=settings.agent.conversation_idle))


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


def make_toolbox(
    settings: Settings,
    ha: HomeAssistant,
    confirmations: Confirmations,
    memories: Memories,
    external: ExternalModel | None,
    emitter: Emitter,
    retrieving: RetrieveKnowledge,
) -> Toolbox:
    """The tools that are offered, as set."""
    rules = [Rule(Decision(r.decision.value), r.action, r.target) for r in settings.policy.rules]
    tools: list[Tool] = [
        HaControl(ha, Policy(rules), confirmations, settle=settings.agent.settle_timeout),
        HaQuery(ha),
        retrieving,
        ExplainChange(ha, unexposed=settings.knowledge.unexposed),
    ]
    if settings.memory.enabled:
        judge = partial(why_not_worth_it, ha.home)
        tools += [StoreMemory(memories, judge), RecallMemory(memories), ForgetMemory(memories, confirmations)]
        tools += [GetUserProfile(memories), UpdateUserProfile(memories)]
    if external is not None:
        tools.append(QueryExternalLlm(external.complete, timeout=settings.external_llm.timeout + _TOLD))
    return Toolbox(tools, emitter)


def make_litellm(settings: Settings) -> ChildProcess:
    """The process that all models are asked through; it starts when it is needed."""
    keys = (settings.llm.api_key, settings.external_llm.api_key, settings.memory.api_key)
    return litellm_process(*(key.get_secret_value() for key in keys if key))


def make_external_model(settings: Settings, child: ChildProcess) -> ExternalModel | None:
    """The other model that may be asked; None where none is set."""
    chosen = settings.external_llm
    if chosen.model is None:
        return None
    model = LlmModel(
        name=chosen.model,
        base_url=chosen.base_url,
        api_key=chosen.api_key.get_secret_value() if chosen.api_key else None,
        timeout=chosen.timeout,
        max_tokens=chosen.max_tokens,
        options=chosen.options,
    )
    return ExternalModel(model, attempts=settings.llm.max_attempts, deadline=chosen.timeout, child=child)


def make_language_model(
    settings: Settings, home: Home, toolbox: Toolbox, emitter: Emitter, child: ChildProcess
) -> LanguageModel | None:
    """The model that is configured, not started; None where none is."""
    chosen = settings.llm
    if chosen.model is None:
        return None
    model = LlmModel(
        name=chosen.model,
        base_url=chosen.base_url,
        api_key=chosen.api_key.get_secret_value() if chosen.api_key else None,
        timeout=chosen.timeout,
        max_tokens=chosen.max_tokens,
        temperature=chosen.temperature,
        options=chosen.options,
    )
    options = LlmOptions(
        attempts=chosen.max_attempts,
        deadline=settings.agent.turn_timeout * _LLM_SHARE,
        requests_per_minute=chosen.requests_per_minute,
        stream=chosen.stream,
        context_window=chosen.context_window,
        entity_tokens=settings.agent.entity_tokens,
        memory_tokens=settings.agent.memory_tokens,
        history_tokens=settings.agent.history_tokens,
        strict_targets=settings.agent.strict_targets,
    )
    return LanguageModel(model, home, toolbox.schemas, emitter, options, child=child)


def make_remembering(
    settings: Settings,
    memories: Memories,
    engine: Engine,
    home: Home,
    emitter: Emitter,
    index: Index,
    toolbox: Toolbox,
    llm: LanguageModel | None,
    child: ChildProcess,
) -> Remembering | None:
    """What looks finished turns through, as set; None where nothing is remembered."""
    chosen = settings.memory
    if not chosen.enabled:
        return None
    complete: Complete | None = llm.ask if llm else None
    name = settings.llm.model
    if chosen.model is not None:
        own = LlmModel(
            name=chosen.model,
            base_url=chosen.base_url,
            api_key=chosen.api_key.get_secret_value() if chosen.api_key else None,
            timeout=settings.llm.timeout,
            max_tokens=settings.llm.max_tokens,
            temperature=settings.llm.temperature,
            options=settings.llm.options if chosen.base_url is None else {},
        )
        complete, name = MemoryModel(own, settings.llm.max_attempts, child).ask, chosen.model
    return Remembering(
        memories,
        Outbox(engine, memories.now),
        home,
        emitter,
        toolbox=toolbox if settings.agent.brain is not BrainMode.LLM else None,
        find=index.retrieve,
        complete=complete,
        model=name,
        extract=chosen.extract,
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


def limits(settings: Settings) -> Limits:
    return Limits(
        entities=settings.index.retrieve_limit,
        memories=settings.memory.recall_limit if settings.memory.enabled else 0,
        history_turns=settings.agent.history_turns,
        rounds=settings.agent.max_rounds,
        turn_timeout=settings.agent.turn_timeout,
    )
