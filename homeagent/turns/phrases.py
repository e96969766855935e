"""What the agent itself says, in the person's language. The words are data: ``phrases.toml``."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources

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
from homeagent.languages.codes import best_match

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
def _table() -> dict[str, dict[str, str]]:
    return tomllib.loads((resources.files("homeagent.turns") / "phrases.toml").read_text("utf-8"))
