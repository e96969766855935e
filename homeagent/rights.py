"""What whoever is served at the moment may see and control, where that is less than the agent itself may.

It holds for all that is done on the way, in other tasks and threads too: it is asked where things are looked at
(`HomeAssistant.is_exposed`) and where deeds are judged (`Policy.judge`), whoever leads there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rights:
    """Ids of entities; None: all that the agent may."""

    sees: frozenset[str] | None = None
    controls: frozenset[str] | None = None

    @classmethod
    def of(cls, sees: Iterable[str] | None, controls: Iterable[str] | None) -> Rights:
        """As a request lists them. Nobody controls what they may not see."""
        seen = None if sees is None else frozenset(sees)
        controlled = seen if controls is None else frozenset(controls)
        return cls(seen, controlled if seen is None or controlled is None else controlled & seen)

    def may_see(self, entity_id: str) -> bool:
        """Whether its state may be told."""
        return self.sees is None or entity_id in self.sees

    def may_control(self, entity_id: str) -> bool:
        """Whether it may be changed."""
        return self.controls is None or entity_id in self.controls


ALL = Rights()
LOOKING = Rights(controls=frozenset())
"""To see what the agent sees, and to change nothing."""
_now: ContextVar[Rights] = ContextVar("rights", default=ALL)


def rights() -> Rights:
    """Of whoever is served at the moment."""
    return _now.get()


@contextmanager
def within(given: Rights) -> Iterator[None]:
    """For what is done inside; nothing inside gets back what was taken outside."""
    outer = _now.get()
    token = _now.set(Rights(_both(outer.sees, given.sees), _both(outer.controls, given.controls)))
    try:
        yield
    finally:
        _now.reset(token)


def _both(one: frozenset[str] | None, other: frozenset[str] | None) -> frozenset[str] | None:
    if one is None or other is None:
        return other if one is None else one
    return one & other
