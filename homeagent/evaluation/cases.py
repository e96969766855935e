"""A data set as values: conversations to try, sentences to look up, and the homes that they are about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any


class OutcomeKind(StrEnum):
    """What a right reaction is: the home changes, or it does not and the person hears something."""

    CHANGES = "changes"
    RESPONSE = "response"
    REFUSE = "refuse"
    ASK = "ask"
    ANYTHING = "anything"
    """Whatever comes of it: it only leads up to another sentence, or is judged otherwise."""


@dataclass(frozen=True, slots=True)
class Change:
    """The state and the attributes of one entity, as far as they are said."""

    state: str | None = None
    attributes: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Outcome:
    """One right reaction. ``ignored`` names attributes by entity id (``*``: all of them, and the state)."""

    kind: OutcomeKind
    changes: Mapping[str, Change] = field(default_factory=dict)
    ignored: Mapping[str, frozenset[str]] = field(default_factory=dict)
    responses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Say:
    """A sentence and the reactions to it that are right."""

    text: str
    acceptable: tuple[Outcome, ...]


@dataclass(frozen=True, slots=True)
class Case:
    """One conversation to try on a fresh home: the first sentence and those that follow it."""

    case_id: str
    home: Path
    categories: tuple[str, ...]
    language: str
    says: tuple[Say, ...]
    setup: Mapping[str, Change] = field(default_factory=dict)
    context_device: str | None = None


@dataclass(frozen=True, slots=True)
class Lookup:
    """A sentence, and the entities that must be among those found. ``context_area``: the
    speaker's room, by name or id."""

    lookup_id: str
    home: Path
    categories: tuple[str, ...]
    language: str
    sentence: str
    targets: frozenset[str]
    context_area: str | None = None


@dataclass(frozen=True, slots=True)
class DataSet:
    """All of one or several folders. ``homes`` holds each home as its file does; ``problems``: what was
    not understood."""

    cases: tuple[Case, ...]
    problems: tuple[str, ...] = ()
    lookups: tuple[Lookup, ...] = ()
    homes: Mapping[Path, Mapping[str, Any]] = field(default_factory=dict)

    @property
    def total(self) -> int:
        """How many cases and lookups there are to try."""
        return len(self.cases) + len(self.lookups)
