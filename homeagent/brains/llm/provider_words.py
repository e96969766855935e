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
_USED_UP_CODES = re.compile(
    r"\b(insufficient_(?:quota|balance|credits?|funds)|billing_(?:hard_limit_reached|not_active)|credits?_exhausted)\b",
    re.I,
)
_USED_UP_WORDS = re.compile(
    r"exceeded your current quota|billing hard limit|credit balance is too low|"
    r"(?:insufficient|not enough|out of|no) (?:account )?(?:credits?|balance|funds|quota)\b",
    re.I,
)
_PAYMENT_REQUIRED = 402
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


def quota_used_up(error: Exception) -> bool:
    """Whether the account's credit or quota is used up, which no waiting mends.

    By status and code, else by the words; these alone do not count where the provider says when to try again: some
    call a limit of requests a minute a quota.
    """
    if getattr(error, "status_code", None) == _PAYMENT_REQUIRED:
        return True
    body = getattr(error, "body", None)
    codes = [str(body.get(name) or "") for name in ("code", "type")] if isinstance(body, dict) else []
    said = " ".join([str(getattr(error, "message", None) or error), str(getattr(error, "code", None) or ""), *codes])
    if _USED_UP_CODES.search(said):
        return True
    return _USED_UP_WORDS.search(said) is not None and retry_after(error) is None


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
