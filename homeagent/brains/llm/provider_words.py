"""What a provider says in an error: its own words, and how long it asks to wait."""

from __future__ import annotations

import email.utils
import re
import time

from homeagent.privacy.redact import MASK

_LONGEST_MESSAGE = 300
_WAIT_IN_TEXT = re.compile(r"(?:try again in|retry(?:Delay)?\W+(?:after|in)?\W*)\s*(\d+(?:\.\d+)?)\s*(ms|s|m)?", re.I)
_PREFIXES = re.compile(r"^(?:(?:litellm\.)?\w+(?:Error|Exception)(?:: | - ))+")
"""What litellm puts before the provider's own words."""
_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "": 1.0}


def retry_after(error: Exception) -> float | None:
    """Seconds that the provider asks to wait, from its headers, else from its words."""
    headers = getattr(error, "litellm_response_headers", None) or getattr(error, "headers", None)
    if not headers:
        headers = getattr(getattr(error, "response", None), "headers", None) or {}
    if (milliseconds := headers.get("retry-after-ms")) and str(milliseconds).replace(".", "", 1).isdigit():
        return float(milliseconds) / 1000
    if (value := headers.get("retry-after")) is not None:
        return _seconds(str(value))
    found = _WAIT_IN_TEXT.search(str(error))
    return float(found[1]) * _SECONDS[(found[2] or "").lower()] if found else None


def _seconds(value: str) -> float | None:
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        return max(0.0, email.utils.parsedate_to_datetime(value).timestamp() - time.time())
    except ValueError:
        return None


def words(error: Exception, key: str) -> str:
    """The provider's words, short and without the key."""
    text = str(getattr(error, "message", None) or error)
    text = _PREFIXES.sub("", text).split("\n")[0]
    if key:
        text = text.replace(key, MASK)
    return text[:_LONGEST_MESSAGE]
