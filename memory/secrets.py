"""Codes of locks and alarms: never kept, in whatever words they come."""

from __future__ import annotations

import re

from memory.wording import wording

_DIGITS = re.compile(r"(?<![\w.,:])\d(?:[ .\-]?\d){2,11}(?![\w%°]|[.,:]\d)")
_SPELT = 3
"""Number words in a row that make a code."""


def holds_a_secret(text: str, language: str | None) -> bool:
    """Whether the text tells a code: it speaks of one, and holds three digits or more, spelt out or not.

    That a code exists, or who knows it, is no secret.
    """
    its = wording(text, language)
    if not its.has("secret"):
        return False
    spelt = sum(kind == "number" for kind, _ in its.values)
    return bool(_DIGITS.search(text)) or spelt >= _SPELT or _tells_a_password(text)


def _tells_a_password(text: str) -> bool:
    """A word of letters and digits or signs together, as passwords are."""
    words = (word.strip(".,;:!?\"'()") for word in text.split())
    return any(len(word) > 5 and any(c.isdigit() for c in word) and any(c.isalpha() for c in word) for word in words)
