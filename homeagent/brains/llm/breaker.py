"""A circuit breaker: what fails again and again is left alone for a while, then tried with one request."""

from __future__ import annotations

import time
from collections.abc import Callable
from enum import StrEnum

from homeagent.errors import LlmAuthError, LlmError, LlmNotFound, LlmQuotaUsedUp, LlmRateLimited

LASTING = (LlmAuthError, LlmQuotaUsedUp, LlmNotFound)
"""What no waiting mends: the owner must act."""
_LASTING_PAUSES = 10
"""How many times as long a model is left alone after such a failure."""
_LONGEST_PAUSE = 3600.0


class Circuit(StrEnum):
    """Whether requests get through."""

    CLOSED = "closed"
    OPEN = "open"
    """None does."""
    HALF_OPEN = "half open"
    """One may try."""


class Breaker:
    """Opens after ``failures`` in a row, or at once where the failure lasts, for ``pause`` seconds.

    After the pause one request may try: where it succeeds the breaker closes, where it fails the pause is doubled, up
    to an hour. A rate limit that says how long to wait opens it for as long. ``changed`` is told of every change.
    """

    def __init__(
        self,
        failures: int = 3,
        pause: float = 30.0,
        *,
        changed: Callable[[Circuit, LlmError | None], None] = lambda _state, _error: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._most = failures
        self._pause = pause
        self._changed = changed
        self._clock = clock
        self._failures = 0
        self._doubled = 0
        self._until = 0.0
        self._trying = False
        self.state = Circuit.CLOSED
        self.error: LlmError | None = None
        """Why it is open."""

    @property
    def seconds_left(self) -> float:
        """How long it stays open; 0.0 where a request gets through."""
        return max(0.0, self._until - self._clock()) if self.state is Circuit.OPEN else 0.0

    def reason(self) -> LlmError | None:
        """Why it is open, as it is told now: of a rate limit, with the seconds that are left of it."""
        if isinstance(self.error, LlmRateLimited) and self.error.retry_after is not None:
            return LlmRateLimited(self.error.message, retry_after=self.seconds_left, hint=self.error.hint)
        return self.error

    def admits(self) -> bool:
        """Whether a request would get through now. Changes nothing."""
        return self.state is Circuit.CLOSED or (not self._trying and self._clock() >= self._until)

    def enter(self) -> bool:
        """Whether this request gets through. Each that does ends in `succeeded`, `failed` or `left`."""
        if not self.admits():
            return False
        if self.state is not Circuit.CLOSED:
            self._trying = True
            self._set(Circuit.HALF_OPEN)
        return True

    def succeeded(self) -> None:
        """The model answered."""
        self._failures = self._doubled = 0
        self._trying = False
        self.error = None
        self._set(Circuit.CLOSED)

    def failed(self, error: LlmError) -> None:
        """The model did not answer, for want of the model or of its server."""
        self._failures += 1
        tried, self._trying = self._trying, False
        lasting, wait = isinstance(error, LASTING), getattr(error, "retry_after", None)
        if not (tried or lasting or wait or self._failures >= self._most):
            return
        self._doubled = self._doubled + 1 if tried else 0
        pause = min(self._pause * (_LASTING_PAUSES if lasting else 1) * 2**self._doubled, _LONGEST_PAUSE)
        self._until = self._clock() + (wait if isinstance(error, LlmRateLimited) and wait else pause)
        self.error = error
        self._set(Circuit.OPEN)

    def left(self) -> None:
        """The request ended without telling anything of the model: whoever asked went away, or it was refused for what
        it is."""
        self._trying = False
        if self.state is Circuit.HALF_OPEN:
            self._set(Circuit.OPEN)

    def _set(self, state: Circuit) -> None:
        if state is not self.state:
            self.state = state
            self._changed(state, self.error)
