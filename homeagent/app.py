"""The whole, and what starts and ends it.

Start: the lock of the data folder, the database, the connection to Home Assistant; the rest loads in the background, so
that the first sentence is answered with words and grammar at once.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING

from homeagent.access_tokens import Tokens
from homeagent.agent import Agent
from homeagent.assembly import answering, asking, finding, foundation, later, models, reaching_out, remembering
from homeagent.background_tasks import ended, in_background
from homeagent.brains.language.grammar_cache import GrammarCache
from homeagent.brains.language.recognition import Recogniser
from homeagent.brains.local.brain import LocalBrain
from homeagent.claims.answer_checker import Checker
from homeagent.claims.thing_names import Names
from homeagent.errors import HomeAssistantUnavailable
from homeagent.events import Emitter
from homeagent.folder_lock import FolderLock
from homeagent.history.recording.day_search import HistoryFinder
from homeagent.index_keeper import IndexKeeper
from homeagent.own_tests.store import OwnTests
from homeagent.pairing import Pairing
from homeagent.past_turns import PastTurns
from homeagent.policy.audit import AuditLog
from homeagent.policy.name_words import load as load_names
from homeagent.private_folder import make_private, tighten
from homeagent.scheduler import Job, Scheduler
from homeagent.timers.timer_texts import TimerNews
from homeagent.tools.keep_own_test import KeepOwnTest
from homeagent.tools.todo_items import open_items
from homeagent.tools.toolbox import Tool
from indexer.retrieval import Retrieval, Situation

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from homeagent.config.loading import Settings
    from homeagent.ha.home import Home

_log = logging.getLogger(__name__)
_FIRST_READING = 10.0
"""Seconds that a request waits for the home's first reading."""
_FIRST_SENTENCE = 15.0
"""Seconds that the embedding model waits at most for the grammar: both at once make the first sentence late."""
_REREAD_EVERY = timedelta(minutes=30)
_TIDY_EVERY = timedelta(hours=6)


class App:
    """Everything that runs, from ``start`` to ``stop``. The parts behind the database are there once it is started.

    Raises ConfigError where no home is configured.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.emitter = Emitter()
        self.ha = foundation.make_home_assistant(settings)
        self._lock = FolderLock(settings.data_dir)
        self._ending = contextlib.AsyncExitStack()
        self._can_answer = asyncio.Event()

    @property
    def home(self) -> Home:
        """The live home."""
        return self.ha.home

    @property
    def language(self) -> str:
        """The language that is set, else Home Assistant's."""
        return self.settings.agent.language or self.home.config.language

    async def start(self) -> None:
        """Start everything; what is slow goes on in the background.

        Raises DataFolderLocked, DatabaseError. What was started until then is stopped again.
        """
        try:
            await self._start()
        except BaseException:
            await self.stop()
            raise

    async def stop(self) -> None:
        """End everything in the opposite order of its start, child processes included."""
        await self._ending.aclose()

    async def _start(self) -> None:
        make_private(self.settings.data_dir)
        self._lock.acquire()
        self._ending.callback(self._lock.release)
        await asyncio.to_thread(tighten, self.settings.data_dir)
        # What uses the database may not block the loop, and neither may opening it.
        self.engine = await asyncio.to_thread(foundation.open_engine, self.settings)
        self._ending.callback(self.engine.dispose)
        self.tokens = Tokens(self.engine)
        self.pairing = Pairing(self.tokens)
        await self._start_events()
        self._phones = asking.make_phones(self.settings, self.ha)
        await self.ha.start()
        self._ending.push_async_callback(self.ha.stop)
        await self._start_finding()
        self._start_answering()
        await self._start_asking()
        self._start_jobs()

    async def _start_events(self) -> None:
        for sink in foundation.make_sinks(self.settings, self.ha):
            self.emitter.add(sink)
        self._ending.push_async_callback(self.emitter.close)

    async def _start_finding(self) -> None:
        self.index = finding.make_index(self.settings, self.engine)
        await self.index.start(after=self._first_sentence)
        self._ending.push_async_callback(self.index.stop)
        self.keeper = IndexKeeper(self.home, self.index, self.emitter)
        self.keeper.start()
        self._ending.push_async_callback(self.keeper.stop)
        self.intents = finding.make_intents(self.index)
        self.memories = finding.make_memories(self.settings, self.engine, self.index)
        await self.memories.start()
        self._ending.push_async_callback(self.memories.stop)
        self.recording = finding.make_recording(self.settings, self.ha, self.engine, self.index, self.memories)
        if self.recording is not None:
            self.recording.start()
            self._ending.push_async_callback(self.recording.stop)
        self.knowledge = finding.make_knowledge(self.settings, self.ha, self.engine, self.index, self.memories)
        if self.knowledge is not None:
            self.knowledge.start()
            self._ending.push_async_callback(self.knowledge.stop)

    def _start_answering(self) -> None:
        self.confirmations = answering.make_confirmations(self.settings, self.engine)
        self.audit = AuditLog(self.engine)
        self.own_tests = OwnTests(self.engine)
        self.conversations = answering.make_conversations(self.settings, self.engine)
        self.past_turns = PastTurns(self.engine)
        litellm = models.make_litellm(self.settings)
        self.external = models.make_external_model(self.settings, litellm)
        if self.external is not None:
            self._ending.push_async_callback(self.external.stop)
        self.timers = later.make_timers(self.settings, self.engine, self.ha, self.emitter)
        days = HistoryFinder(self.ha, self.recording) if self.recording else None
        retrieving = finding.make_retrieving(self.settings, self.ha, self.index, self.memories, days, self.knowledge)
        self.toolbox = answering.make_toolbox(
            self.settings,
            self.ha,
            self.confirmations,
            self.memories,
            self.external,
            self.emitter,
            retrieving,
            self.audit,
            self.timers,
            KeepOwnTest(self.own_tests, self.home, self.index),
            self._web_tools(),
        )
        self.foreign = reaching_out.make_foreign_tools(self.settings, self.toolbox)
        self._ending.push_async_callback(self.foreign.stop)
        self._in_background(self.foreign.find(), "find the tools of other servers")
        self._in_background(reaching_out.add_plugins(self.settings, self.toolbox), "load plugins")
        names = Names(self.home)
        recogniser = Recogniser(lambda word: bool(names.with_word(word)))
        checker = Checker(self.home, names, recogniser.of)
        self.llm = models.make_language_model(self.settings, self.home, self.toolbox, self.emitter, litellm, checker)
        self.memory_model = models.make_memory_model(self.settings, litellm)
        self.remembering = remembering.make_remembering(
            self.settings,
            self.memories,
            self.engine,
            self.home,
            self.emitter,
            self.index,
            self.toolbox,
            self.llm,
            self.memory_model,
            self.intents,
        )
        cache = GrammarCache(self.settings.data_dir / "cache")
        local = LocalBrain(self.home, cache, self.timers.find, self.intents, partial(open_items, self.ha))
        self.agent = Agent(
            self.ha,
            self.index,
            self.memories if self.settings.memory.enabled else None,
            {"local": local, "llm": self.llm.brain if self.llm else None},
            self.settings.agent.brain.value,
            self.toolbox,
            self.confirmations,
            self.conversations,
            self.emitter,
            answering.limits(self.settings),
            language=lambda: self.language,
            context_mode=self.llm.context.mode if self.llm else lambda: "vector_db",
            remembering=self.remembering,
            days=days,
            recognise=recogniser.of,
            news=TimerNews(self.timers, self.home),
        )
        if self.llm is not None:
            self.llm.start()
            self._ending.push_async_callback(self.llm.stop)
            self._in_background(asyncio.to_thread(self.toolbox.warm), "describe the tools")
        if self.remembering is not None:
            self.remembering.start()
            self._ending.push_async_callback(self.remembering.stop)
        self._in_background(self._warm(local, checker if self.llm is not None else None), "warm the grammar")
        self._in_background(asyncio.to_thread(load_names), "read what ways in are called")

    def _web_tools(self) -> list[Tool]:
        tools, provider = reaching_out.make_web_tools(self.settings, self.ha, self.audit)
        if provider is not None:
            self._ending.push_async_callback(provider.stop)
        return tools

    async def _start_asking(self) -> None:
        """Ask for a yes on phones and in chats, too."""
        made = (self._phones, asking.make_telegram(self.settings, self.audit))
        channels = self.channels = [channel for channel in made if channel is not None]
        self.asking = asking.make_asking(
            channels, self.ha, self.engine, self.confirmations, self.agent, self.audit, lambda: self.language
        )
        for channel in channels:
            channel.start(self.asking)
            self._ending.push_async_callback(channel.stop)
        await self.asking.start()
        self._ending.push_async_callback(self.asking.stop)

    def _start_jobs(self) -> None:
        jobs = Scheduler(
            Job("read the registries anew", _REREAD_EVERY, self._reread),
            Job("delete what is too old", _TIDY_EVERY, self.conversations.expire),
            *remembering.memory_jobs(self.settings, self.memories, self.remembering, self.emitter),
            *finding.recording_jobs(self.recording),
        )
        jobs.start()
        self._ending.callback(jobs.stop)
        clock, awaiting = later.make_timer_clock(
            self.settings, self.ha, self.timers, self.toolbox, self.emitter, jobs, self.asking.tell
        )
        clock.start()
        self._ending.push_async_callback(clock.stop)
        awaiting.start()
        self._ending.push_async_callback(awaiting.stop)

    async def _warm(self, local: LocalBrain, checker: Checker | None) -> None:
        """Load the grammar before somebody speaks: what is set at once, else what the home says. Then what secrets are
        known by, and what the answers of a model are judged by."""
        try:
            if self.settings.agent.language:
                await _load(local, self.settings.agent.language)
            await self.ha.wait_ready(_FIRST_READING)
            await _load(local, self.language)
        finally:
            self._can_answer.set()
        if self.settings.memory.enabled:
            await asyncio.to_thread(self.memories.secrets.warm, self.language)
        if checker is not None:
            await asyncio.to_thread(checker.warm, self.language)

    async def _first_sentence(self) -> None:
        """Wait until a sentence can be answered, or that takes long anyway."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._can_answer.wait(), _FIRST_SENTENCE)

    async def _reread(self) -> None:
        """Registry changes come as events; this catches what sends none."""
        if self.ha.status.connected:
            await self.ha.reload()

    def _in_background(self, work: Coroutine[object, object, None], name: str) -> None:
        self._ending.push_async_callback(ended, in_background(work, name))

    async def wait_for_home(self, timeout: float = _FIRST_READING) -> bool:
        """Wait for the home's first reading, unless it is known already that it will not come soon."""
        if self.home.ready:
            return True
        for _ in range(int(timeout / 0.1)):
            if await self.ha.wait_ready(0.1):
                return True
            if self.ha.status.error is not None:
                return False
        return False

    async def need_home(self) -> None:
        """Raises what keeps Home Assistant from being read, where it never was."""
        if not await self.wait_for_home():
            raise self.ha.status.error or HomeAssistantUnavailable("Home Assistant has not answered yet.")

    async def search(self, text: str, *, limit: int, language: str | None, device_id: str | None) -> Retrieval:
        """What retrieval finds for a text, outside of any conversation."""
        situation = Situation(
            language=language or self.language,
            state_of=self.home.state_text,
            area_id=self.home.area_of_device(device_id),
        )
        return await self.index.retrieve(text, situation, limit=limit)


async def _load(local: LocalBrain, language: str) -> None:
    """Load without the garbage collector, which would stop every thread; what is loaded stays, and is not looked at."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        await local.warm(language)
        gc.freeze()
    finally:
        if collecting:
            gc.enable()
