"""A remembered statement: what it says, whom it is about, where it came from."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from memory.checks import checked_content, checked_id, checked_share, checked_time
from memory.errors import InvalidMemory

MAX_SUBJECTS = 20
_MOST_USES = 2**31 - 1
"""What a column of the database holds."""
TOLD, INFERRED = 0.9, 0.6
"""Confidence in what somebody said, and in what was concluded."""
CATEGORIES = ("preference", "habit", "pattern", "fact")
"""Of keyed memories."""


class MemoryType(StrEnum):
    """What sort of statement a memory is."""

    FACT = "fact"
    """Concrete information."""
    PREFERENCE = "preference"
    CONTEXT = "context"
    """Background."""
    EVENT = "event"
    """Something that happened or will."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where a memory came from. ``channel``: tool, service, cli, …; the ids where it was said in a conversation."""

    channel: str
    conversation_id: str | None = None
    turn_id: str | None = None
    user_id: str | None = None
    """Who said it; not whose it is."""

    def as_dict(self) -> dict[str, str]:
        """For JSON; ids that are None are left out."""
        said = {"conversation_id": self.conversation_id, "turn_id": self.turn_id, "user_id": self.user_id}
        return {"channel": self.channel, **{key: value for key, value in said.items() if value is not None}}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Source:
        """From what `as_dict` gave; missing ids are None."""
        return cls(str(data.get("channel", "")), data.get("conversation_id"), data.get("turn_id"), data.get("user_id"))


class SubjectKind(StrEnum):
    """What sort of thing a memory is about."""

    ENTITY = "entity"
    AREA = "area"
    USER = "user"
    THING = "thing"
    """Whatever the home does not know by an id: the dog, the car."""


@dataclass(frozen=True, slots=True)
class Subject:
    """Who or what a memory is about. ``id`` is Home Assistant's; a thing's is its name. ``text``: as it was said."""

    kind: str
    id: str
    text: str = ""

    def as_dict(self) -> dict[str, str]:
        """For JSON."""
        return {"kind": str(self.kind), "id": self.id, "text": self.text}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Subject:
        """From what `as_dict` gave. Raises KeyError, ValueError for an unknown kind."""
        return cls(SubjectKind(data["kind"]).value, str(data["id"]), str(data.get("text", "")))


class Sensitivity(StrEnum):
    """How careful others have to be with a memory."""

    PUBLIC = "public"
    PRIVATE = "private"
    SENSITIVE = "sensitive"


@dataclass(frozen=True, slots=True)
class Memory:
    """One remembered statement. Times are aware, UTC.

    ``user_id`` None: the household's, for everybody in it; else that user's alone. ``importance`` and ``confidence``
    are 0 to 1. ``valid_to`` None or still to come: current. ``superseded_by`` is the id of what replaced it. ``key``
    and ``value``: a keyed memory (``category``), of which a subject has one at a time. ``uses``: how often it was
    recalled for somebody, last at ``last_used_at``.
    """

    id: str
    content: str
    type: MemoryType
    importance: float
    user_id: str | None
    created_at: datetime
    updated_at: datetime
    valid_from: datetime
    valid_to: datetime | None = None
    superseded_by: str | None = None
    language: str | None = None
    source: Source | None = None
    subjects: tuple[Subject, ...] = ()
    category: str | None = None
    key: str | None = None
    value: str | None = None
    confidence: float = 0.9
    inferred: bool = False
    sensitivity: str = Sensitivity.PUBLIC
    uses: int = 0
    last_used_at: datetime | None = None

    def is_current(self, now: datetime) -> bool:
        """Whether it holds at ``now``: nothing took its place, and no end is set, or it is still to come."""
        return self.superseded_by is None and (self.valid_to is None or self.valid_to > now)

    def as_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "memory_id": self.id,
            "content": self.content,
            "type": self.type.value,
            "importance": self.importance,
            "user_id": self.user_id,
            "created_at": self.created_at.isoformat(),
            "updated_at": self.updated_at.isoformat(),
            "valid_from": self.valid_from.isoformat(),
            "valid_to": self.valid_to.isoformat() if self.valid_to else None,
            "superseded_by": self.superseded_by,
            "language": self.language,
            "source": self.source.as_dict() if self.source else None,
            "subjects": [subject.as_dict() for subject in self.subjects],
            "category": self.category,
            "key": self.key,
            "value": self.value,
            "confidence": self.confidence,
            "inferred": self.inferred,
            "sensitivity": str(self.sensitivity),
            "uses": self.uses,
            "last_used_at": self.last_used_at.isoformat() if self.last_used_at else None,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Memory:
        """The memory that `as_dict` gave. Raises InvalidMemory with the field that does not fit."""
        source = data.get("source")
        return cls(
            id=checked_id("memory_id", data.get("memory_id")) or uuid.uuid4().hex,
            content=checked_content(data.get("content", "")),
            type=checked_type(data.get("type", MemoryType.FACT)),
            importance=checked_share("importance", data.get("importance", 0.5)),
            user_id=checked_id("user_id", data.get("user_id")),
            created_at=checked_time("created_at", data.get("created_at")),
            updated_at=checked_time("updated_at", data.get("updated_at")),
            valid_from=checked_time("valid_from", data.get("valid_from")),
            valid_to=checked_time("valid_to", data["valid_to"]) if data.get("valid_to") else None,
            superseded_by=checked_id("superseded_by", data.get("superseded_by")),
            language=checked_id("language", data.get("language")),
            source=Source.from_dict(source) if isinstance(source, Mapping) else None,
            subjects=_checked_subjects(data.get("subjects") or ()),
            category=checked_category(data.get("category")),
            key=checked_id("key", data.get("key")),
            value=None if data.get("value") is None else str(data["value"]),
            confidence=checked_share("confidence", data.get("confidence", TOLD)),
            inferred=data.get("inferred") is True,
            sensitivity=checked_sensitivity(data.get("sensitivity", Sensitivity.PUBLIC)),
            uses=_count(data.get("uses", 0)),
            last_used_at=checked_time("last_used_at", data["last_used_at"]) if data.get("last_used_at") else None,
        )


@dataclass(frozen=True, slots=True)
class Recalled:
    """A memory that a query brought back. ``relevance_score`` (0 to 1) says whether it bears on the query; ``score``,
    without a bound, how it stands to the others; ``reasons`` are short words for people."""

    memory: Memory
    relevance_score: float
    reasons: tuple[str, ...] = ()
    score: float = 0.0

    def as_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {**self.memory.as_dict(), "relevance_score": self.relevance_score, "score": self.score}


def checked_type(value: str) -> MemoryType:
    """The type of this name. Raises InvalidMemory."""
    try:
        return MemoryType(value)
    except ValueError:
        known = ", ".join(MemoryType)
        raise InvalidMemory("type", f"there is no type {str(value)[:40]!r}.", hint=f"There is: {known}.") from None


def checked_category(value: str | None) -> str | None:
    """The category: one of `CATEGORIES`, or None. Raises InvalidMemory."""
    if value is not None and value not in CATEGORIES:
        raise InvalidMemory("category", f"there is no category {str(value)[:40]!r}.", hint=_known(CATEGORIES))
    return value


def checked_sensitivity(value: str) -> str:
    """The name of a `Sensitivity`. Raises InvalidMemory."""
    try:
        return Sensitivity(value).value
    except ValueError:
        raise InvalidMemory("sensitivity", "it is not known.", hint=_known(tuple(Sensitivity))) from None


def _checked_subjects(given: Sequence[Mapping[str, object]]) -> tuple[Subject, ...]:
    try:
        return tuple(Subject.from_dict(one) for one in given)[:MAX_SUBJECTS]
    except (KeyError, ValueError, TypeError):
        raise InvalidMemory("subjects", "each has a kind (entity, area, user, thing) and an id.") from None


def _known(names: Sequence[str]) -> str:
    return f"There is: {', '.join(names)}."


def _count(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _MOST_USES else 0
