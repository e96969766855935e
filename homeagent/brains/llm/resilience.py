"""Wrappers around a client, each for one way in which a model's server fails."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tenacity import AsyncRetrying, RetryCallState, retry_if_exception, stop_after_attempt, wait_random_exponential

from homeagent.brains.llm.client import Completion, LlmClient, OnText, StreamBroken
from homeagent.errors import LlmQuotaUsedUp, LlmRateLimited, LlmTimeout, LlmUnavailable

Messages = Sequence[Mapping[str, Any]]
BrokenStream = Callable[[StreamBroken], None]
_DAY = 24 * 3600.0
PATIENCE = 10.0
"""Seconds. A person does not wait longer for a second try: a provider that asks for more is reported instead."""


class Retrying:
    """Tries again what fails for the moment, at most ``attempts`` times in all.

    Waits as long as the provider asks (`LlmRateLimited.retry_after`), else a little longer each time.
    """

    def __init__(self, inner: LlmClient, attempts: int = 3, *, patience: float = PATIENCE) -> None:
        self._inner = inner
        self._attempts = attempts
        self._patience = patience
        self._back_off = wait_random_exponential(multiplier=0.5, max=patience)

    async def ask(self, messages: Messages, tools: Messages = (), on_text: OnText | None = None) -> Completion:
        """As the inner client. Tried again: LlmUnavailable, and LlmRateLimited up to the patience; the last error is
        raised.
        """
        retrying = AsyncRetrying(
            stop=stop_after_attempt(self._attempts),
            retry=retry_if_exception(self._worth_another_try),
            wait=self._wait,
            reraise=True,
        )
        result: Completion = await retrying(self._inner.ask, messages, tools, on_text)
        return result

    def _worth_another_try(self, error: BaseException) -> bool:
        if isinstance(error, LlmRateLimited):
            return (error.retry_after or 0.0) <= self._patience
        return isinstance(error, LlmUnavailable)

    def _wait(self, state: RetryCallState) -> float:
        error = state.outcome.exception() if state.outcome else None
        if isinstance(error, LlmRateLimited) and error.retry_after is not None:
            return error.retry_after
        return self._back_off(state)


class StreamFallback:
    """Asks again without streaming where a stream broke off, and tells ``on_broken``.

    What had been handed to ``on_text`` is not handed over again: the completion is the whole answer.
    """

    def __init__(self, inner: LlmClient, on_broken: BrokenStream) -> None:
        self._inner = inner
        self._on_broken = on_broken

    async def ask(self, messages: Messages, tools: Messages = (), on_text: OnText | None = None) -> Completion:
        """As the inner client; a StreamBroken is raised only where the second request breaks too."""
        try:
            return await self._inner.ask(messages, tools, on_text)
        except StreamBroken as error:
            self._on_broken(error)
            return await self._inner.ask(messages, tools, None)


class Deadline:
    """An end to a request with all its tries; ``seconds`` from its beginning."""

    def __init__(self, inner: LlmClient, seconds: float) -> None:
        self._inner = inner
        self._seconds = seconds

    async def ask(self, messages: Messages, tools: Messages = (), on_text: OnText | None = None) -> Completion:
        """As the inner client. Raises LlmTimeout at the end of the time."""
        try:
            async with asyncio.timeout(self._seconds):
                return await self._inner.ask(messages, tools, on_text)
        except TimeoutError as error:
            raise LlmTimeout(f"The language model did not answer within {round(self._seconds, 2):g} s.") from error


class RateLimit:
    """At most ``per_minute`` requests in any minute. One that would have to wait is refused, with how long."""

    def __init__(self, inner: LlmClient, per_minute: int, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._inner = inner
        self._per_minute = per_minute
        self._clock = clock
        self._sent: deque[float] = deque()

    async def ask(self, messages: Messages, tools: Messages = (), on_text: OnText | None = None) -> Completion:
        """As the inner client. Raises LlmRateLimited with the seconds to wait, without sending anything."""
        now = self._clock()
        while self._sent and now - self._sent[0] >= 60.0:
            self._sent.popleft()
        if len(self._sent) >= self._per_minute:
            wait = 60.0 - (now - self._sent[0])
            raise LlmRateLimited("Your own limit of requests a minute is reached.", retry_after=wait)
        self._sent.append(now)
        return await self._inner.ask(messages, tools, on_text)


class TokenLimit:
    """At most ``per_day`` tokens in any 24 hours, requests and answers together."""

    def __init__(
        self, inner: LlmClient, per_day: int, section: str = "llm", *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._inner = inner
        self._per_day = per_day
        self._section = section
        self._clock = clock
        self._used: deque[tuple[float, int]] = deque()

    async def ask(self, messages: Messages, tools: Messages = (), on_text: OnText | None = None) -> Completion:
        """As the inner client. Raises LlmQuotaUsedUp, without sending anything, where the day's tokens are used up."""
        now = self._clock()
        while self._used and now - self._used[0][0] >= _DAY:
            self._used.popleft()
        if sum(tokens for _, tokens in self._used) >= self._per_day:
            raise LlmQuotaUsedUp(
                f"Your own limit of {self._per_day} tokens a day is used up.",
                hint=f"Wait, or raise `{self._section}.tokens_per_day`.",
            )
        completion = await self._inner.ask(messages, tools, on_text)
        self._used.append((now, completion.tokens.total))
        return completion


def guarded(
    client: LlmClient,
    *,
    attempts: int,
    per_minute: int | None = None,
    per_day: int | None = None,
    section: str = "llm",
    on_broken: BrokenStream = lambda _: None,
    stream: bool = True,
) -> LlmClient:
    """The client with its limits innermost, so that every request counts, and its tries around them."""
    limited: LlmClient = TokenLimit(client, per_day, section) if per_day else client
    limited = RateLimit(limited, per_minute) if per_minute else limited
    unbroken: LlmClient = StreamFallback(Retrying(limited, attempts), on_broken)
    return unbroken if stream else Whole(unbroken)


class Whole:
    """Never streams."""

    def __init__(self, inner: LlmClient) -> None:
        self._inner = inner

    async def ask(self, messages: Messages, tools: Messages = (), on_text: OnText | None = None) -> Completion:
        """As the inner client; ``on_text`` is never called."""
        return await self._inner.ask(messages, tools, None)
