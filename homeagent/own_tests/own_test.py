"""What is kept of a sentence that went wrong."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any


@dataclass(frozen=True, slots=True)
class Right:
    """What would have been right: the states that things are in behind it, by entity id, and a text of the answer.

    Without either it is not known: then anything is, but what was done.
    """

    states: Mapping[str, str] = field(default_factory=dict)
    says: str = ""

    @property
    def known(self) -> bool:
        """Whether it was said at all."""
        return bool(self.states or self.says)


@dataclass(frozen=True, slots=True)
class OwnTest:
    """A sentence that went wrong. ``id`` is 0 until it is kept; ``at`` is aware, UTC.

    ``led_up``: the sentences before it, oldest first. ``answer`` and ``calls`` (``name``, ``parameters``): what came of
    it. ``home``: the things that it may have meant, as an inventory of the simulated home, as they were before it.
    ``area``: where it was said.
    """

    id: int
    at: datetime
    turn_id: str
    language: str
    text: str
    answer: str
    calls: tuple[Mapping[str, Any], ...]
    home: Mapping[str, Any]
    led_up: tuple[str, ...] = ()
    area: str | None = None
    user_id: str | None = None
    right: Right = Right()
