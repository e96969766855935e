"""The errors of timers, within the tree of `homeagent.errors`."""

from __future__ import annotations

from collections.abc import Sequence

from homeagent.errors import InvalidInput, NotFound


class UnknownTimer(NotFound):
    """There is no such timer."""

    code = "unknown_timer"


class AmbiguousTimer(InvalidInput):
    """Several timers may be meant: those with these ``timer_ids``."""

    code = "ambiguous_timer"
    http_status = 409
    hint = "Say which one, by its id or name."

    def __init__(self, message: str, timer_ids: Sequence[str] = (), *, hint: str | None = None) -> None:
        super().__init__(message, hint=hint)
        self.timer_ids = tuple(timer_ids)


class InThePast(InvalidInput):
    """A timer was to be set for a time that is over."""

    code = "in_the_past"
    http_status = 422
    hint = "Give a time that is still to come."


class TooFarAhead(InvalidInput):
    """A timer was to be set for more than a year ahead."""

    code = "too_far_ahead"
    http_status = 422
    hint = "Timers reach a year ahead; the calendar reaches further."


class TooManyTimers(InvalidInput):
    """There are as many timers as may be."""

    code = "too_many_timers"
    http_status = 422
    hint = "Cancel some, or raise `timers.most`."


class NoSun(InvalidInput):
    """The home does not tell sunrise and sunset."""

    code = "no_sun"
    http_status = 422
    hint = "Switch on Home Assistant's integration Sun, or give a time."
