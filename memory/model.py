"""A remembered statement, what makes two of them the same, and what can be remembered at all."""

from __future__ import annotations

import hashlib
import math
import re
import unicodedata
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from functools import lru_cache
from typing import Any

from memory.errors import InvalidMemory

MAX_CONTENT = 2000
"""Characters."""
MAX_SUBJECTS = 20
TOLD, INFERRED = 0.9, 0.6
"""Confidence in what somebody said, and in what was concluded."""
NICKNAME = "nickname "
"""What the key of a memory begins with that says what somebody calls a thing; the name follows."""
CATEGORIES = ("preference", "habit", "pattern", "fact")
"""Of keyed memories."""


class MemoryType(StrEnum):
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
        said = {"conversation_id": self.conversation_id, "turn_id": self.turn_id, "user_id": self.user_id}
        return {"channel": self.channel, **{key: value for key, value in said.items() if value is not None}}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Source:
        return cls(str(data.get("channel", "")), data.get("conversation_id"), data.get("turn_id"), data.get("user_id"))


class SubjectKind(StrEnum):
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
        return {"kind": str(self.kind), "id": self.id, "text": self.text}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Subject:
        return cls(SubjectKind(data["kind"]).value, str(data["id"]), str(data.get("text", "")))


class Sensitivity(StrEnum):
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
        return self.valid_to is None or self.valid_to > now

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
            language=data.get("language"),
            source=Source.from_dict(source) if isinstance(source, Mapping) else None,
            subjects=checked_subjects(data.get("subjects") or ()),
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
    """A memory that a query brought back. ``relevance_score`` is 0 to 1; ``reasons`` are short words for people."""

    memory: Memory
    relevance_score: float
    reasons: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {**self.memory.as_dict(), "relevance_score": self.relevance_score}


@dataclass(frozen=True, slots=True)
class Statement:
    """What is to be remembered, checked. Made by `statement`."""

    content: str
    type: MemoryType
    importance: float
    user_id: str | None
    language: str | None = None
    source: Source | None = None
    subjects: tuple[Subject, ...] = ()
    category: str | None = None
    key: str | None = None
    value: str | None = None
    confidence: float = TOLD
    inferred: bool = False
    sensitivity: str = Sensitivity.PUBLIC
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    id: str = field(default_factory=lambda: uuid.uuid4().hex)

    @property
    def identity(self) -> str:
        return identity(self.content, self.user_id)

    @property
    def slot(self) -> str | None:
        return slot(self.key, self.subjects, self.user_id)


def statement(
    content: str,
    *,
    type: str = MemoryType.FACT,
    importance: float = 0.5,
    user_id: str | None = None,
    language: str | None = None,
    source: Source | str | None = None,
    subjects: Sequence[Subject] = (),
    category: str | None = None,
    key: str | None = None,
    value: str | None = None,
    confidence: float = TOLD,
    inferred: bool = False,
    sensitivity: str = Sensitivity.PUBLIC,
    valid_from: datetime | None = None,
    valid_to: datetime | None = None,
) -> Statement:
    """Check what is to be remembered. Raises InvalidMemory with the field that does not fit."""
    kept_key = None if key is None else " ".join(str(key).casefold().split())
    return Statement(
        content=checked_content(content),
        type=checked_type(type),
        importance=checked_share("importance", importance),
        user_id=checked_id("user_id", user_id),
        language=language,
        source=Source(source) if isinstance(source, str) else source,
        subjects=tuple(subjects)[:MAX_SUBJECTS],
        category=checked_category(category),
        key=checked_id("key", kept_key),
        value=None if value is None else checked_content(value),
        confidence=checked_share("confidence", confidence),
        inferred=inferred,
        sensitivity=checked_sensitivity(sensitivity),
        valid_from=valid_from,
        valid_to=valid_to,
    )


def checked_content(content: str) -> str:
    """``content`` in one normal form, on one line. It may hold 1 to 2,000 characters that can be seen."""
    if not isinstance(content, str):
        raise InvalidMemory("content", "it must be text.")
    try:
        content.encode("utf-8")
    except UnicodeEncodeError:
        raise InvalidMemory("content", "it is not valid text.", hint="Send it as UTF-8.") from None
    text = " ".join(unicodedata.normalize("NFC", _UNSEEN.sub(" ", content)).split())
    if not any(character.isalnum() for character in text):
        raise InvalidMemory("content", "it says nothing.", hint="Write the statement to remember.")
    if len(text) > MAX_CONTENT:
        raise InvalidMemory(
            "content",
            f"it has {len(text)} characters, and {MAX_CONTENT} is the most.",
            hint="Remember the essential statements one by one.",
        )
    return text


def checked_type(value: str) -> MemoryType:
    try:
        return MemoryType(value)
    except ValueError:
        known = ", ".join(MemoryType)
        raise InvalidMemory("type", f"there is no type {str(value)[:40]!r}.", hint=f"There is: {known}.") from None


def checked_category(value: str | None) -> str | None:
    if value is not None and value not in CATEGORIES:
        raise InvalidMemory("category", f"there is no category {str(value)[:40]!r}.", hint=_known(CATEGORIES))
    return value


def checked_sensitivity(value: str) -> str:
    try:
        return Sensitivity(value).value
    except ValueError:
        raise InvalidMemory("sensitivity", "it is not known.", hint=_known(tuple(Sensitivity))) from None


def checked_subjects(given: Sequence[Mapping[str, Any]]) -> tuple[Subject, ...]:
    try:
        return tuple(Subject.from_dict(one) for one in given)[:MAX_SUBJECTS]
    except (KeyError, ValueError, TypeError):
        raise InvalidMemory("subjects", "each has a kind (entity, area, user, thing) and an id.") from None


def checked_time(name: str, value: object) -> datetime:
    """ISO 8601; without a zone it is UTC."""
    try:
        time = datetime.fromisoformat(str(value))
    except ValueError:
        raise InvalidMemory(name, "it is no time.", hint="Write it as 2026-03-01T12:00:00+00:00.") from None
    return time.replace(tzinfo=UTC) if time.tzinfo is None else time.astimezone(UTC)


def _known(names: Sequence[str]) -> str:
    return f"There is: {', '.join(names)}."


def _count(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else 0


def checked_share(name: str, value: float) -> float:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or not math.isfinite(value) or not 0 <= value <= 1:
        raise InvalidMemory(name, "it must be a number from 0 to 1.")
    return float(value)


def checked_limit(value: int, most: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= most:
        raise InvalidMemory("limit", f"it must be a whole number from 1 to {most}.")
    return value


def checked_id(name: str, value: str | None) -> str | None:
    if value is not None and (not isinstance(value, str) or not 1 <= len(value) <= 200):
        raise InvalidMemory(name, "it must be 1 to 200 characters, or absent.")
    return value


_DIGIT = re.compile("[0-9]")
_UNSEEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff]+")
_QUOTES = str.maketrans({"\u2019": "'", "\u2018": "'", "\u201c": '"', "\u201d": '"', "\u00a0": " "})
_END = ".!\u2026\u3002\uff01 \t"


def identity(content: str, user_id: str | None) -> str:
    """The fingerprint of a statement in its scope: equal for the same statement, 64 hexadecimal digits.

    Only case, blanks, the shape of quotes and the full stop do not count. Every letter and digit does: a number, a date
    or a "not" makes another statement. Case counts beside a number, where it tells units apart (mW, MW).
    """
    scope = "household" if user_id is None else f"user:{user_id}"
    return hashlib.sha256(f"{scope}\n{_same(content)}".encode()).hexdigest()


def same_statement(one: str, other: str) -> bool:
    """Whether two texts have one identity, in whatever scope."""
    return one == other or _same(one) == _same(other)


def slot(key: str | None, subjects: Sequence[Subject], user_id: str | None) -> str | None:
    """The fingerprint of a keyed memory's question: scope, who or what it is about, and key. None: not keyed."""
    if key is None:
        return None
    scope = "household" if user_id is None else f"user:{user_id}"
    # What a nickname stands for is its answer, not its question.
    named = () if key.startswith(NICKNAME) else subjects
    about = sorted(f"{subject.kind}:{subject.id.casefold()}" for subject in named)
    return hashlib.sha256("\n".join((scope, *about, key)).encode()).hexdigest()


@lru_cache(maxsize=4096)
def _same(content: str) -> str:
    words = unicodedata.normalize("NFC", content).translate(_QUOTES).rstrip(_END).split()
    if content.isascii() and not _DIGIT.search(content):
        return " ".join(words).lower()
    return " ".join(
        word if _has_digit(word) or (before and _has_digit(before)) else word.lower()
        for before, word in zip(["", *words], words, strict=False)
    )


def _has_digit(word: str) -> bool:
    return any(character.isdigit() for character in word)
