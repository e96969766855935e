"""Asks a language model, through litellm in its child process."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any, Protocol, cast

from homeagent.errors import HomeAgentError, LlmAuthError, LlmError, LlmTimeout, LlmUnavailable
from homeagent.turn import Tokens
from indexer.errors import ChildDied, ChildError, ChildFailed, ChildTimeout
from indexer.process import ChildProcess

CHILD = "homeagent.brains.llm.litellm_child:make"
OnText = Callable[[str], Awaitable[None]]
_GRACE = 2.0
"""Seconds that the child may take beyond the request's own limit, to tell what happened."""
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Prices:
    """US dollars a token. ``cached``: of what the provider has in its cache."""

    prompt: float
    completion: float
    cached: float

    def of(self, tokens: Tokens) -> float:
        """What so many tokens cost."""
        fresh = tokens.prompt - tokens.cached
        return fresh * self.prompt + tokens.cached * self.cached + tokens.completion * self.completion


@dataclass(frozen=True, slots=True)
class LlmModel:
    """Which model, and how it is asked. ``timeout`` is in seconds, for one request.

    ``section``: where its settings stand, to name them in errors. ``missing_key``: the environment variable that should
    hold its key and is not set. ``prices`` None: what litellm knows.
    """

    name: str
    base_url: str | None = None
    api_key: str | None = field(default=None, repr=False)
    timeout: float = 60.0
    max_tokens: int = 1024
    temperature: float | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    section: str = "llm"
    missing_key: str | None = None
    prices: Prices | None = None

    @property
    def served_as(self) -> str:
        """What litellm is asked for. Its ``ollama/`` drops tools when it streams, its ``ollama_chat/`` does not."""
        if self.name.startswith("ollama/"):
            return "ollama_chat/" + self.name.removeprefix("ollama/")
        return self.name


@dataclass(frozen=True, slots=True)
class RawCall:
    """A tool call as the model wrote it: ``arguments`` is text that may not be JSON."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Completion:
    """A model's answer to one request. ``cost`` in US dollars, None where the price is not known; ``profile``: which of
    several models gave it."""

    text: str
    calls: tuple[RawCall, ...] = ()
    tokens: Tokens = field(default_factory=Tokens)
    cost: float | None = None
    ms: float = 0.0
    profile: str = ""


class StreamBroken(LlmError):
    """A stream that had begun and did not end as it should."""

    code = "stream_broken"


class LlmClient(Protocol):
    """One request to a model. With ``on_text`` the answer's text is handed over as it is made, too."""

    async def ask(
        self,
        messages: Sequence[Mapping[str, object]],
        tools: Sequence[Mapping[str, object]] = (),
        on_text: OnText | None = None,
    ) -> Completion:
        """The model's whole answer. ``messages`` and ``tools`` are in OpenAI's form. Raises LlmError."""


def litellm_process(*keys: str | None) -> ChildProcess:
    """litellm's process, not started; any number of clients may share it. ``keys`` are masked in what it logs."""
    env = {"LITELLM_LOCAL_MODEL_COST_MAP": "True"}
    return ChildProcess(CHILD, name="litellm", env=env, secrets=tuple(key for key in keys if key))


class LitellmClient:
    """The client at the bottom: one request, no second try.

    The child is started on first use (or by `start`), and once more where it died.
    """

    def __init__(self, model: LlmModel, child: ChildProcess | None = None) -> None:
        self.model = model
        self._child = child or litellm_process(model.api_key)
        self._starting = asyncio.Lock()
        self.num_ctx: int | None = None
        """The window that Ollama is asked for with each request."""
        if model.served_as != model.name:
            _log.warning(
                "%s.model: %s drops tools when it streams; using %s", model.section, model.name, model.served_as
            )

    @property
    def ready(self) -> bool:
        """Whether litellm is loaded, so that a request is sent at once."""
        return self._child.alive and not self._starting.locked()

    async def start(self) -> None:
        """Load litellm (some seconds). Raises `LlmUnavailable`."""
        async with self._starting:
            if self._child.alive:
                return
            try:
                await self._child.start()
            except ChildError as error:
                raise LlmUnavailable(f"litellm could not be loaded: {error}") from error

    async def stop(self) -> None:
        """End the child, and with it the requests of every client that shares it."""
        await self._child.stop()

    async def warm(self) -> None:
        """Let litellm load what it loads with its first request, and open a connection. Takes no token."""
        await self._with_child("warm", self._request([{"role": "user", "content": "ready?"}], ()))

    async def fill_cache(self, front: Sequence[Mapping[str, object]], tools: Sequence[Mapping[str, object]]) -> None:
        """Ask for one token after the fixed part of the prompt, which the provider then has in its cache."""
        request = self._request([*front, {"role": "user", "content": "ready?"}], tools) | {"max_tokens": 1}
        await self._with_child("complete", request)

    async def window(self) -> int | None:
        """Tokens that the model takes in all, as litellm knows it."""
        window: int | None = await self._with_child("window", self.model.served_as)
        return window

    async def prices(self) -> Prices | None:
        """What it costs, as set, else as litellm knows it; None: it does not."""
        if self.model.prices is not None:
            return self.model.prices
        known: dict[str, float] | None = await self._with_child("prices", self.model.name)
        return Prices(**known) if known else None

    async def ask(
        self,
        messages: Sequence[Mapping[str, object]],
        tools: Sequence[Mapping[str, object]] = (),
        on_text: OnText | None = None,
    ) -> Completion:
        """See `LlmClient.ask`; starts the child where it does not run."""
        model = self.model
        if model.missing_key:
            raise LlmAuthError(
                f"The environment variable {model.missing_key} is not set, which should hold the language model's key.",
                hint=f"Set it, or `{model.section}.api_key`.",
            )
        request = self._request(messages, tools)
        started = time.perf_counter()
        try:
            reply = await (self._with_child("complete", request) if on_text is None else self._stream(request, on_text))
        except LlmError as error:
            error.hint = error.hint.replace("`llm.", f"`{model.section}.")
            raise
        return self._completion(reply, (time.perf_counter() - started) * 1000)

    def _completion(self, reply: Mapping[str, Any], ms: float) -> Completion:
        tokens = Tokens(**reply["tokens"])
        return Completion(
            text=reply["text"],
            calls=tuple(RawCall(c["id"] or "", c["name"], c["arguments"]) for c in reply["calls"]),
            tokens=tokens,
            cost=self.model.prices.of(tokens) if self.model.prices else reply["cost"],
            ms=ms,
        )

    def _request(
        self, messages: Sequence[Mapping[str, object]], tools: Sequence[Mapping[str, object]]
    ) -> dict[str, Any]:
        model = self.model
        wanted = {
            "model": model.served_as,
            "messages": [dict(m) for m in messages],
            "tools": [dict(t) for t in tools] or None,
            "max_tokens": model.max_tokens,
            "temperature": model.temperature,
            "base_url": model.base_url,
            "api_key": model.api_key,
            "timeout": model.timeout,
            "num_ctx": self.num_ctx,
        }
        return {key: value for key, value in {**wanted, **model.options}.items() if value is not None}

    async def _with_child(self, method: str, argument: object) -> Any:
        for last_try in (False, True):
            await self.start()
            try:
                return await self._child.call(method, argument, timeout=self.model.timeout + _GRACE)
            except ChildDied as error:
                if last_try:
                    raise LlmUnavailable(f"litellm's process ended: {error}") from error
                _log.warning("%s; starting it again", error)
            except ChildTimeout as error:
                raise LlmTimeout("The language model did not answer in time.") from error
            except ChildFailed as error:
                raise LlmError(f"litellm failed: {error}") from error
        raise AssertionError("unreachable")

    async def _stream(self, request: dict[str, object], on_text: OnText) -> dict[str, Any]:
        await self.start()
        begun = False
        try:
            pieces = cast(
                AsyncGenerator[dict[str, Any], None],
                self._child.stream("stream", request, timeout=self.model.timeout + _GRACE),
            )
            async with aclosing(pieces):
                async for item in pieces:
                    begun = True
                    if "text" in item:
                        await on_text(item["text"])
                    elif "reply" in item:
                        reply: dict[str, Any] = item["reply"]
                        return reply
            raise LlmUnavailable("The language model's stream held no answer.")
        except ChildTimeout as error:
            raise self._broken(LlmTimeout("The language model did not answer in time."), begun) from error
        except (ChildDied, ChildFailed) as error:
            raise self._broken(LlmUnavailable(f"litellm failed: {error}"), begun) from error
        except LlmError as error:
            raise self._broken(error, begun) from error

    @staticmethod
    def _broken(error: HomeAgentError, begun: bool) -> HomeAgentError:
        return StreamBroken(f"The stream broke: {error.message}") if begun else error
