"""What a turn may leave behind: candidates for a memory, the turn they come from, and what became of each.

A candidate is a proposal, from a model or from what the sentence says outright. `worth` judges it against the turn and
the live home, `reconcile` against what is known, and `Memories.take` keeps what is left.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Protocol

from memory.model import Memory, Subject

__all__ = [
    "Call",
    "Candidate",
    "LiveThing",
    "LiveView",
    "NothingLive",
    "Outcome",
    "OutcomeKind",
    "Subject",
    "TurnFacts",
]


@dataclass(frozen=True, slots=True)
class Candidate:
    """Something that may be worth remembering.

    ``user_id`` None: the household's. ``key`` and ``value``: a keyed memory, where one key of one subject in one scope
    has one current value. ``importance`` and ``confidence`` 0 to 1. ``valid_to``: an event lives until then.
    ``inferred``: concluded, not told. ``replaces``: ids of memories that it takes the place of.
    """

    content: str
    type: str = "fact"
    importance: float = 0.5
    category: str | None = None
    """preference, habit, pattern or fact, where it is keyed."""
    key: str | None = None
    value: str | None = None
    subjects: tuple[Subject, ...] = ()
    user_id: str | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    confidence: float = 0.9
    inferred: bool = False
    sensitivity: str = "public"
    replaces: tuple[str, ...] = ()
    language: str | None = None
    heard: bool = False
    """In the words of the speaker, who tells it: it was read whether they only ask."""


@dataclass(frozen=True, slots=True)
class LiveThing:
    """A thing of the home as it is now. ``names``: name, aliases, with and without its area, as people say them."""

    entity_id: str
    names: tuple[str, ...]
    state: str
    attributes: Mapping[str, Any] = field(default_factory=dict)
    area: str | None = None


class LiveView(Protocol):
    """The live home, as far as judging a statement needs."""

    def named(self, text: str) -> Sequence[LiveThing]:
        """The things whose name stands in the text, and those whose area does."""
        ...


class NothingLive:
    """A home of which nothing is known."""

    def named(self, text: str) -> Sequence[LiveThing]:
        """Always nothing."""
        return ()


@dataclass(frozen=True, slots=True)
class Call:
    """A command of the turn, carried out or asked for."""

    action: str
    entity_ids: tuple[str, ...] = ()
    parameters: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TurnFacts:
    """The turn that candidates come from. Nothing in ``results``, ``recalled`` and ``answered`` is a source of
    memories: only ``said`` is.

    ``results``: texts of tool results; ``recalled``: contents of the memories that were shown in this turn.
    ``users``: the names by which the household's users are known, user id -> name.
    """

    said: str
    answered: str = ""
    before: tuple[str, ...] = ()
    """What was said and answered right before it."""
    turns_before: frozenset[str] = frozenset()
    """The turn right before it, where that asked nothing back."""
    user_id: str | None = None
    language: str = "en"
    at: datetime | None = None
    conversation_id: str = ""
    turn_id: str = ""
    calls: tuple[Call, ...] = ()
    results: tuple[str, ...] = ()
    recalled: tuple[str, ...] = ()
    live: LiveView = field(default_factory=NothingLive)
    users: Mapping[str, str] = field(default_factory=dict)


class OutcomeKind(StrEnum):
    """What a candidate came to."""

    STORED = "stored"
    REFRESHED = "refreshed"
    """It was known; one memory, newer."""
    SUPERSEDED = "superseded"
    """Stored in the place of ``replaced``."""
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one candidate. ``reason``: the code of a refusal, or the relation to what was replaced."""

    kind: OutcomeKind
    candidate: Candidate
    memory: Memory | None = None
    replaced: tuple[str, ...] = ()
    reason: str | None = None
