"""What the agent itself says, in the person's language. The words are data: ``agent`` in each answers.yaml."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache
from typing import Any

from homeagent.errors import (
    HomeAgentError,
    HomeAssistantError,
    LlmAuthError,
    LlmError,
    LlmQuotaUsedUp,
    LlmRateLimited,
    LlmTimeout,
    LlmUnavailable,
)
from homeagent.languages.folder import Part, languages_with, read_part
from homeagent.languages.language_codes import best_match

_FALLBACK = "en"


def phrase(key: str, language: str, **filled: object) -> str:
    """The phrase in the language, else in its base language, else in English; placeholders filled in."""
    return worded(_table(), key, language, **filled)


def worded(table: Mapping[str, Mapping[str, str]], key: str, language: str, **filled: object) -> str:
    """The same out of another table of phrases, language -> key -> words."""
    words = table[best_match(language, table) or _FALLBACK]
    return words[key].format(**filled)


def languages() -> tuple[str, ...]:
    """The languages that have phrases of their own."""
    return tuple(_table())


def error_phrase(error: HomeAgentError, language: str) -> str:
    """What a person is told about an error; what a program needs is in the error event."""
    if isinstance(error, LlmRateLimited) and error.retry_after is not None:
        return phrase("rate_limited", language, seconds=max(1, math.ceil(error.retry_after)))
    kinds: tuple[tuple[type[HomeAgentError], str], ...] = (
        (LlmRateLimited, "rate_limited_later"),
        (LlmTimeout, "llm_timeout"),
        (LlmAuthError, "llm_auth"),
        (LlmQuotaUsedUp, "llm_quota"),
        (LlmUnavailable, "llm_unavailable"),
        (LlmError, "llm_error"),
        (HomeAssistantError, "home_unavailable"),
    )
    return phrase(next((key for kind, key in kinds if isinstance(error, kind)), "went_wrong"), language)


@cache
def answers(section: str) -> dict[str, Any]:
    """A section of the answers of each language that has it, by its code."""
    found = (read_part(code, Part.ANSWERS) for code in languages_with(Part.ANSWERS))
    return {code: said[section] for code, said in filter(None, found) if section in said}


def _table() -> Mapping[str, Mapping[str, str]]:
    return answers("agent")


def memory_phrase(key: str, language: str, **filled: object) -> str:
    """The memory_phrase in the language, else in English; placeholders filled in."""
    return worded(answers("memories"), key, language, **filled)
