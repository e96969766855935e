"""What can be remembered at all: each raises InvalidMemory with the field that does not fit."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from indexer.normalise import composed
from memory.errors import InvalidMemory

MAX_CONTENT = 2000
"""Characters."""
_UNSEEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff]+")


def checked_content(content: str) -> str:
    """``content`` in one normal form, on one line. It may hold 1 to 2,000 characters that can be seen."""
    if not isinstance(content, str):
        raise InvalidMemory("content", "it must be text.")
    try:
        content.encode("utf-8")
    except UnicodeEncodeError:
        raise InvalidMemory("content", "it is not valid text.", hint="Send it as UTF-8.") from None
    text = " ".join(composed(_UNSEEN.sub(" ", content)).split())
    if not any(character.isalnum() for character in text):
        raise InvalidMemory("content", "it says nothing.", hint="Write the statement to remember.")
    if len(text) > MAX_CONTENT:
        raise InvalidMemory(
            "content",
            f"it has {len(text)} characters, and {MAX_CONTENT} is the most.",
            hint="Remember the essential statements one by one.",
        )
    return text


def checked_time(name: str, value: object) -> datetime:
    """ISO 8601; without a zone it is UTC."""
    try:
        time = datetime.fromisoformat(str(value))
        return time.replace(tzinfo=UTC) if time.tzinfo is None else time.astimezone(UTC)
    except (ValueError, OverflowError):  # the last hours of the year 9999 have no time in UTC
        raise InvalidMemory(name, "it is no time.", hint="Write it as 2026-03-01T12:00:00+00:00.") from None


def checked_share(name: str, value: float) -> float:
    """The value as a float from 0 to 1; ``name`` is the field's, for the error."""
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or not 0 <= value <= 1:
        raise InvalidMemory(name, "it must be a number from 0 to 1.")
    return float(value)


def checked_limit(value: int, most: int) -> int:
    """The value: a whole number from 1 to ``most``."""
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= most:
        raise InvalidMemory("limit", f"it must be a whole number from 1 to {most}.")
    return value


def checked_id(name: str, value: str | None) -> str | None:
    """The id: 1 to 200 characters, or None; ``name`` is the field's, for the error."""
    if value is not None and (not isinstance(value, str) or not 1 <= len(value) <= 200):
        raise InvalidMemory(name, "it must be 1 to 200 characters, or absent.")
    return value


def checked_query(query: str) -> str:
    """What is looked for, cut to the length of a memory. Raises InvalidMemory."""
    if not isinstance(query, str) or not query.strip():
        raise InvalidMemory("query", "it is empty.", hint="Say what to look for.")
    return query[:MAX_CONTENT]
