"""What is to be remembered, checked."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from memory.checks import checked_content, checked_id, checked_share
from memory.identity import identity, slot
from memory.model import (
    MAX_SUBJECTS,
    TOLD,
    MemoryType,
    Sensitivity,
    Source,
    Subject,
    checked_category,
    checked_sensitivity,
    checked_type,
)


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
        """Its fingerprint in its scope, see `memory.identity.identity`."""
        return identity(self.content, self.user_id)

    @property
    def slot(self) -> str | None:
        """The fingerprint of the question it answers, see `memory.identity.slot`; None: not keyed."""
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
