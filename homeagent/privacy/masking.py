"""Keeps secrets out of what is shown, logged and sent: by the name of a field, and by the look of a text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

MASK = "********"
_SECRET_NAME = re.compile(
    r"(^|[_\-. ])(code|pin|pass(word|wd|code|phrase)?|secret|token|api[_-]?key|credentials?|authorization|bearer)$",
    re.IGNORECASE,
)
# Each begins with something fixed and has an end in sight: long texts of any kind come through here.
_USERINFO = re.compile(r"(?P<front>://[^/\s:@]*):[^/\s@]+@")
_PARAMETER = re.compile(
    r"(?P<front>[?&;][a-z_\-]{0,40}(?:token|key|secret|password|code|auth)[a-z_]{0,40}=)[^&\s#]+", re.IGNORECASE
)
_LOOKS_SECRET = (
    re.compile(r"\beyJ[\w\-]{8,200}+\.[\w\-]{8,2000}+\.[\w\-]{8,}"),  # a JSON web token: what Home Assistant hands out
    re.compile(r"(?<=Bearer )[\w\-.~+/=]{8,}", re.IGNORECASE),
    re.compile(r"\b(?:sk|pk|gsk|xai)-[\w\-]{16,}"),
)


def is_secret_name(name: str) -> bool:
    """Whether a field of this name holds a secret: ``code``, ``access_token``, ``api_key`` …; not ``token_count``."""
    return _SECRET_NAME.search(name) is not None


def mask_url(text: str) -> str:
    """``text`` with the passwords and keys of any address in it masked."""
    text = _USERINFO.sub(rf"\g<front>:{MASK}@", text)
    return _PARAMETER.sub(rf"\g<front>{MASK}", text)


def mask_text(text: str) -> str:
    """``text`` with everything masked that looks like a token, a key, or an address with a password."""
    text = mask_url(text)
    for pattern in _LOOKS_SECRET:
        text = pattern.sub(MASK, text)
    return text


def mask(value: Any) -> Any:
    """Plain JSON values with every secret in them masked, at any depth."""
    if isinstance(value, str):
        return mask_text(value)
    if isinstance(value, Mapping):
        return {key: _masked_field(str(key), item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [mask(item) for item in value]
    return value


def _masked_field(name: str, value: Any) -> Any:
    if value is None or isinstance(value, bool) or not is_secret_name(name):
        return mask(value)
    return MASK
