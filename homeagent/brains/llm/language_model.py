"""The language model, put together: its clients with what guards them, what it is shown, and the brain."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from homeagent.brains.llm.brain import LlmBrain, Schemas
from homeagent.brains.llm.breaker import Breaker, Circuit
from homeagent.brains.llm.chain import Chain, Link
from homeagent.brains.llm.client import Completion, LitellmClient, Prices, StreamBroken
from homeagent.brains.llm.current_turn import asked_for, stamped, time_left
from homeagent.brains.llm.profile import DEFAULT_WINDOW, Profile
from homeagent.brains.llm.readiness import Readiness
from homeagent.brains.llm.resilience import Deadline, guarded
from homeagent.claims.answer_checker import Checker
from homeagent.config.settings import Form
from homeagent.context import Budget
from homeagent.errors import LlmError
from homeagent.events import Emitter, ErrorOccurred, ModelCircuit, ModelSwitched, StreamingError
from homeagent.ha.home import Home
from homeagent.prompting.prompt import system_text
from homeagent.prompting.token_counting import Counter
from homeagent.toolsets.making import make_context, make_toolset
from indexer.process import ChildProcess

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class LlmOptions:
    """How the models are used. ``deadline``: seconds for all that is asked of them in one turn; ``reserve``: seconds of
    the turn's time that are kept, so that a failure can still be told."""

    deadline: float = 80.0
    reserve: float = 0.0
    breaker_failures: int = 3
    breaker_pause: float = 30.0
    entity_tokens: int = 600
    memory_tokens: int = 200
    history_tokens: int = 300
    history_turns: int = 10
    strict_targets: bool = False
    form: Form = Form.OWN
    keeps_back: bool = False


@dataclass(frozen=True, slots=True)
class ModelStatus:
    """How a model of the chain is. ``window``: tokens that it takes in all; ``problem``: what is wrong with that."""

    profile: Profile
    circuit: Circuit
    error: LlmError | None
    seconds_left: float
    window: int
    problem: str


class LanguageModel:
    """Owns litellm's process. ``start`` returns at once and loads in the background; a sentence meanwhile waits.

    ``profiles``: the model that answers, then those that are asked where it fails, in order. ``offered``: the names of
    the tools that ``schemas`` gives; None: all that there are.
    """

    def __init__(
        self,
        profiles: Sequence[Profile],
        home: Home,
        schemas: Schemas,
        emitter: Emitter,
        options: LlmOptions | None = None,
        *,
        child: ChildProcess | None = None,
        checker: Checker | None = None,
        offered: Collection[str] | None = None,
    ) -> None:
        self.profiles = tuple(profiles)
        self._options = options or LlmOptions()
        self._emitter = emitter
        self._bottoms = {p.name: LitellmClient(p.model, child) for p in self.profiles}
        self.chain = Chain([self._link(profile) for profile in self.profiles], self._time_left, self._switched)
        self._count = Counter()
        self._readiness = {p.name: Readiness(p, self._bottoms[p.name]) for p in self.profiles}
        budget = Budget(
            window=self.profiles[0].window or DEFAULT_WINDOW,
            answer=max(profile.model.max_tokens for profile in self.profiles),
            entities=self._options.entity_tokens,
            memories=self._options.memory_tokens,
            days=self._options.history_tokens,
            turns=self._options.history_turns,
        )
        toolset = make_toolset(self._options.form, home)
        self._schemas = schemas if toolset is None else lambda ids: toolset.schemas(schemas(None), ids)
        self.context = make_context(
            toolset, self._options.form, home, self._count, emitter, budget, system_text(offered)
        )
        self.brain = LlmBrain(
            self.chain,
            self.context,
            schemas,
            emitter,
            checker or Checker(home),
            strict_targets=self._options.strict_targets,
            text_calls=frozenset(profile.name for profile in self.profiles if profile.text_calls),
            toolset=toolset,
            keeps_back=self._options.keeps_back,
        )
        self._loading: asyncio.Task[None] | None = None
        self.error: LlmError | None = None
        """Why litellm could not be loaded."""

    @property
    def name(self) -> str:
        """The model that answers, as litellm names it."""
        return self.profiles[0].model.name

    @property
    def ready(self) -> bool:
        """Whether it is loaded, so that a request is sent at once."""
        return self._bottoms[self.profiles[0].name].ready and (self._loading is None or self._loading.done())

    def status(self) -> list[ModelStatus]:
        """How each model is, in the order in which they are asked."""
        found = []
        for profile, link in zip(self.profiles, self.chain.links, strict=True):
            ready, breaker = self._readiness[profile.name], link.breaker
            found.append(
                ModelStatus(
                    profile, breaker.state, breaker.error, breaker.seconds_left, ready.window.tokens, ready.problem
                )
            )
        return found

    def start(self) -> None:
        """Load in the background."""
        self._loading = asyncio.create_task(self._load(), name="language model")

    async def loaded(self) -> None:
        """Wait until it is loaded, or could not be."""
        if self._loading is not None:
            await asyncio.shield(self._loading)

    async def stop(self) -> None:
        """End its child process, also while it loads."""
        if self._loading is not None:
            self._loading.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._loading
        for bottom in self._bottoms.values():
            await bottom.stop()

    async def ask(
        self, messages: Sequence[Mapping[str, object]], tools: Sequence[Mapping[str, object]] = ()
    ) -> Completion:
        """One request outside of a turn's own steps, guarded like those. Raises `LlmError`."""
        with asked_for(None):
            return await self.chain.ask(messages, tools)

    async def try_out(self, name: str) -> Completion:
        """Ask the model of this profile whatever its breaker says, which learns from it. Raises `LlmError`."""
        link = next(link for link in self.chain.links if link.name == name)
        try:
            completion = await Deadline(self._bottoms[name], self._options.deadline).ask(TRIAL)
        except LlmError as error:
            link.breaker.failed(error)
            raise
        link.breaker.succeeded()
        return completion

    async def prices(self) -> Prices | None:
        """What the model that answers costs; None where it is not known."""
        return await self._bottoms[self.profiles[0].name].prices()

    def _link(self, profile: Profile) -> Link:
        client = guarded(
            self._bottoms[profile.name],
            attempts=profile.attempts,
            per_minute=profile.requests_per_minute,
            per_day=profile.tokens_per_day,
            section=profile.model.section,
            stream=profile.stream,
            on_broken=self._stream_broke,
        )
        breaker = Breaker(
            self._options.breaker_failures,
            self._options.breaker_pause,
            changed=lambda state, error: self._circuit(profile, state, error),
        )
        return Link(profile.name, client, breaker)

    async def _load(self) -> None:
        try:
            await asyncio.to_thread(self._count.load)
            for profile in self.profiles:
                await self._bottoms[profile.name].start()
            tools = await asyncio.to_thread(self._schemas, None)
            needed = self.context.largest(json.dumps(tools, ensure_ascii=False))
            await asyncio.gather(*(ready.find_out(needed) for ready in self._readiness.values()))
            smallest = min(ready.window.tokens for ready in self._readiness.values())
            self.context.budget = replace(self.context.budget, window=smallest)
            await self._warm(tools)
        except LlmError as error:
            self.error = error
            _log.warning("the language model cannot be used: %s", error)
            self._emitter.emit(ErrorOccurred(error_type=error.code, error_message=str(error), component="llm"))

    async def _warm(self, tools: Sequence[Mapping[str, Any]]) -> None:
        """Have the first model ready for its first sentence; those behind it take the time when they are needed."""
        await self._readiness[self.profiles[0].name].warm(self.context.front(), tools)
        for ready in self._readiness.values():
            if ready.problem:
                _log.warning("language model %s: %s", ready.profile.name, ready.problem)

    def _time_left(self) -> float:
        left = time_left()
        whole = self._options.deadline
        return whole if left is None else min(whole, left - self._options.reserve)

    def _stream_broke(self, error: StreamBroken) -> None:
        self._emitter.emit(stamped(StreamingError(error=error.message, error_type=error.code, fallback=True)))

    def _switched(self, failed: Link, error: LlmError, instead: Link) -> None:
        _log.warning("language model %s failed (%s); asking %s", failed.name, error.code, instead.name)
        event = ModelSwitched(
            profile=failed.name, instead=instead.name, error_type=error.code, error_message=error.message
        )
        self._emitter.emit(stamped(event))

    def _circuit(self, profile: Profile, state: Circuit, error: LlmError | None) -> None:
        link = next(link for link in self.chain.links if link.name == profile.name)
        event = ModelCircuit(
            profile=profile.name,
            state=state.value,
            pause_seconds=round(link.breaker.seconds_left, 1),
            error_type=error.code if error else None,
            error_message=error.message if error else None,
            hint=(error.hint or None) if error else None,
        )
        level = logging.WARNING if state is Circuit.OPEN else logging.INFO
        _log.log(level, "language model %s: circuit %s%s", profile.name, state.value, f" ({error})" if error else "")
        self._emitter.emit(stamped(event))


TRIAL = ({"role": "user", "content": "Answer with the one word: ready"},)
"""What a model is asked by `homeagent doctor`."""
