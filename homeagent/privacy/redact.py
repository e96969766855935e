"""Codes and the like, taken out of what is logged, shown or kept."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

T = TypeVar("T")

SECRETS = frozenset({"code", "pin", "password", "passcode", "token", "access_token", "api_key"})
"""Names of fields whose values are never stored or logged."""
HIDDEN = "***"
FEWEST = 3
"""Characters of a code: anything shorter would hide half of a text."""


def redacted(value: Any) -> Any:
    """A copy in which every secret field, at any depth, is ``***``."""
    if isinstance(value, Mapping):
        return {
            key: HIDDEN if str(key).casefold() in SECRETS and item is not None else redacted(item)
            for key, item in value.items()
        }
    if isinstance(value, list | tuple):
        return [redacted(item) for item in value]
    return value


def without_secrets(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters without codes at any depth: what may be kept."""
    kept = {}
    for name, value in parameters.items():
        if name.casefold() not in SECRETS:
            kept[name] = without_secrets(value) if isinstance(value, Mapping) else value
    return kept


def secrets_in(value: Any) -> set[str]:
    """The values of all secret fields, as texts."""
    if isinstance(value, Mapping):
        own = {str(v) for k, v in value.items() if str(k).casefold() in SECRETS and v not in (None, "")}
        return own.union(*(secrets_in(item) for item in value.values()))
    if isinstance(value, list | tuple):
        return set().union(*(secrets_in(item) for item in value))
    return set()


def scrubbed(text: str, secrets: set[str]) -> str:
    """A text without these values: Home Assistant's own error messages quote what they were given."""
    for secret in sorted(secrets, key=len, reverse=True):
        text = text.replace(secret, HIDDEN)
    return text


def hidden(value: T, secrets: set[str]) -> T:
    """A copy of nested values in which no text holds one of these secrets, and no secret field its value."""
    if not secrets:
        return cast(T, redacted(value))
    return cast(T, _scrubbed_within(redacted(value), secrets))


def _scrubbed_within(value: Any, secrets: set[str]) -> Any:
    if isinstance(value, str):
        return scrubbed(value, secrets)
    if isinstance(value, Mapping):
        return {key: _scrubbed_within(item, secrets) for key, item in value.items()}
    if isinstance(value, list):
        return [_scrubbed_within(item, secrets) for item in value]
    return value
