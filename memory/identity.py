"""What makes two statements the same, and what makes two of them answers to one question."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Protocol

from indexer.normalise import straight

NICKNAME = "nickname "
"""What the key of a memory begins with that says what somebody calls a thing; the name follows."""


class Named(Protocol):
    """Who or what a statement is about."""

    @property
    def kind(self) -> str:
        """A `memory.model.SubjectKind`, as text."""

    @property
    def id(self) -> str:
        """Home Assistant's id, or the name of what has none."""


_DIGIT = re.compile("[0-9]")
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


def slot(key: str | None, subjects: Sequence[Named], user_id: str | None) -> str | None:
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
    words = straight(content).rstrip(_END).split()
    if content.isascii() and not _DIGIT.search(content):
        return " ".join(words).lower()
    return " ".join(
        word if _has_digit(word) or (before and _has_digit(before)) else word.lower()
        for before, word in zip(["", *words], words, strict=False)
    )


def _has_digit(word: str) -> bool:
    return any(character.isdigit() for character in word)
