"""Codes of locks and alarms: never kept, in whatever words they come."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Protocol

from memory.identity import NICKNAME
from memory.language import LANGUAGES
from memory.model import Subject, SubjectKind
from memory.wording import wording

_DIGITS = re.compile(r"(?<![\w.,:])\d(?:[ .\-]?\d){2,11}(?![\w%°]|[.,:]\d)")
_CLAUSE = re.compile(r"(?<=[,;:，；])\s*")
_SPELT = 3
"""Number words in a row that make a code."""


class Keeps(Protocol):
    """What would be kept: a statement, a candidate or a memory."""

    @property
    def content(self) -> str: ...
    @property
    def key(self) -> str | None: ...
    @property
    def value(self) -> str | None: ...
    @property
    def subjects(self) -> Sequence[Subject]: ...


def keeps_a_secret(kept: Keeps, language: str | None) -> bool:
    """Whether any part of what would be kept tells a code, or all of them together: "garage code" may be the key, and
    the code its value."""
    return holds_a_secret(" ; ".join(texts_of(kept)), language)


def texts_of(kept: Keeps) -> tuple[str, ...]:
    """All texts of people's that would be kept. What a nickname stands for are ids, and so are most subjects."""
    things = tuple(subject.text or subject.id for subject in kept.subjects if subject.kind == SubjectKind.THING)
    keyed = (kept.key or "",) if (kept.key or "").startswith(NICKNAME) else (kept.key or "", kept.value or "")
    return tuple(dict.fromkeys(text for text in (kept.content, *keyed, *things) if text))


def holds_a_secret(text: str, language: str | None) -> bool:
    """Whether the text tells a code: it speaks of one, and holds three digits or more, spelt out or not.

    That a code exists, or who knows it, is no secret. A text whose language nothing tells is read in all of them.
    """
    its = wording(text, language)
    read = [its] if its.language else [wording(text, code) for code in LANGUAGES]
    spelt = max(sum(kind == "number" for kind, _ in one.values) for one in read)
    if not any(one.has("secret") for one in read):
        return False
    return bool(_DIGITS.search(text)) or spelt >= _SPELT or _tells_a_password(text)


def without_secrets(sentence: str, language: str | None) -> str:
    """The clauses of the sentence that have nothing to do with the code that it tells; empty where that is not sure."""
    if not holds_a_secret(sentence, language):
        return sentence
    clauses = [one for one in _CLAUSE.split(sentence) if not wording(one, language).has("secret")]
    left = " ".join(clauses).strip(" ,;:")
    may_be_it = bool(wording(left, language).of("number")) or any(c.isdigit() for c in left)
    return "" if may_be_it else left


def _tells_a_password(text: str) -> bool:
    """A word of letters and digits or signs together, as passwords are."""
    words = (word.strip(".,;:!?\"'()") for word in text.split())
    return any(len(word) > 5 and any(c.isdigit() for c in word) and any(c.isalpha() for c in word) for word in words)
