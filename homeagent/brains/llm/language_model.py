"""The language model, put together: its client with what guards it, what it is shown, and the brain."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from homeagent.brains.llm.brain import CURRENT, LlmBrain, Schemas
from homeagent.brains.llm.client import Completion, LitellmClient, LlmModel, StreamBroken
from homeagent.brains.llm.resilience import wrapped
from homeagent.claims.answer_checker import Checker
from homeagent.context import DEFAULT_WINDOW, Budget, ContextBuilder
from homeagent.errors import LlmError
from homeagent.events import Emitter, ErrorOccurred, StreamingError
from homeagent.ha.home import Home
from homeagent.prompting.token_counting import Counter
from indexer.process import ChildProcess

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class LlmOptions:
    """How the model is used. ``context_window``: tokens, None for what litellm knows of the model; ``deadline``:
    seconds for one answer with all its tries."""

    attempts: int = 3
    deadline: float = 80.0
    requests_per_minute: int | None = None
    stream: bool = True
    context_window: int | None = None
    entity_tokens: int = 600
    memory_tokens: int = 200
    history_tokens: int = 300
    history_turns: int = 10
    strict_targets: bool = False
    text_tool_calls: bool = False


class LanguageModel:
    """Owns litellm's process. ``start`` returns at once and loads in the background; a sentence meanwhile waits."""

    def __init__(
        self,
        model: LlmModel,
        home: Home,
        schemas: Schemas,
        emitter: Emitter,
        options: LlmOptions | None = None,
        *,
        child: ChildProcess | None = None,
        checker: Checker | None = None,
    ) -> None:
        self._options = options or LlmOptions()
        self._emitter = emitter
        self._bottom = LitellmClient(model, child)
        self._client = wrapped(
            self._bottom,
            attempts=self._options.attempts,
            deadline=self._options.deadline,
            per_minute=self._options.requests_per_minute,
            stream=self._options.stream,
            on_broken=self._stream_broke,
        )
        self._count = Counter()
        budget = Budget(
            window=self._options.context_window or DEFAULT_WINDOW,
            answer=model.max_tokens,
            entities=self._options.entity_tokens,
            memories=self._options.memory_tokens,
            days=self._options.history_tokens,
            turns=self._options.history_turns,
        )
        self.context = ContextBuilder(home, self._count, emitter, budget)
        self.brain = LlmBrain(
            self._client,
            self.context,
            schemas,
            emitter,
            checker or Checker(home),
            strict_targets=self._options.strict_targets,
            text_calls=self._options.text_tool_calls,
        )
        self._loading: asyncio.Task[None] | None = None
        self.error: LlmError | None = None
        """Why litellm could not be loaded."""

    @property
    def ready(self) -> bool:
        """Whether it is loaded, so that a request is sent at once."""
        return self._bottom.ready

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
        await self._bottom.stop()

    async def ask(
        self, messages: Sequence[Mapping[str, object]], tools: Sequence[Mapping[str, object]] = ()
    ) -> Completion:
        """One request outside of a turn's own steps, guarded like those. Raises `LlmError`."""
        return await self._client.ask(messages, tools)

    async def prices(self) -> dict[str, float] | None:
        """US dollars a token (``prompt``, ``cached``, ``completion``); None where the price is not known."""
        return await self._bottom.prices()

    async def _load(self) -> None:
        try:
            await asyncio.to_thread(self._count.load)
            await self._bottom.start()
            if self._options.context_window is None and (window := await self._bottom.window()):
                self.context.budget = replace(self.context.budget, window=window)
        except LlmError as error:
            self.error = error
            _log.warning("the language model cannot be used: %s", error)
            self._emitter.emit(ErrorOccurred(error_type=error.code, error_message=str(error), component="llm"))

    def _stream_broke(self, error: StreamBroken) -> None:
        event = StreamingError(error=error.message, error_type=error.code, fallback=True)
        turn = CURRENT.get()
        self._emitter.emit(turn.stamp(event) if turn else event)
