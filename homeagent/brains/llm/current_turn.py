"""The turn that a model is asked for: what below the brain is told with its ids and kept within its time."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

from homeagent.events import Event
from homeagent.turn import Turn

E = TypeVar("E", bound=Event)
_CURRENT: ContextVar[Turn | None] = ContextVar("turn", default=None)


@contextmanager
def asked_for(turn: Turn | None) -> Iterator[None]:
    """Within the block models are asked for this turn; None: for none."""
    token = _CURRENT.set(turn)
    try:
        yield
    finally:
        _CURRENT.reset(token)


def stamped(event: E) -> E:
    """The event with the turn's ids, where there is one."""
    turn = _CURRENT.get()
    return turn.stamp(event) if turn is not None else event


def time_left() -> float | None:
    """Seconds until the turn's time is over; None where it has no end."""
    turn = _CURRENT.get()
    return None if turn is None or turn.ends is None else turn.ends - asyncio.get_running_loop().time()
