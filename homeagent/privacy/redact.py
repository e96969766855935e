"""Keeps secrets out of what is shown, logged, sent and kept: by a field's name, by a text's look, by known values."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar, cast

T = TypeVar("T")

MASK = "********"
FEWEST = 3
"""Characters of a code: anything shorter would hide half of a text."""
_SECRET_NAME = re.compile(
    r"(^|[_\-. ])(user)?(code|pin|pass(word|wd|code|phrase)?|secret|token|credentials?|authorization|bearer"
    r"|(access|account|api|client|encryption|endpoint|private|secret|shared|signing|subscription)[_\- ]?key)$"
)
_NEW_WORD = re.compile(r"(?<=[a-z])(?=[A-Z])")
# Each begins with something fixed and has an end in sight: long texts of any kind come through here.
_USERINFO = re.compile(r"(?P<front>://[^/\s:@]*):[^/\s@]+@")
_PARAMETER = re.compile(
    r"(?P<front>[?&;][a-z_\-]{0,40}(?:token|key|secret|password|code|auth)[a-z_]{0,40}=)[^&\s#]+", re.IGNORECASE
)
_LOOKS_SECRET = (
    re.compile(r"\beyJ[\w\-]{8,200}+\.[\w\-]{8,2000}+\.[\w\-]{8,}"),  # a JSON web token: what Home Assistant hands out
    re.compile(r"(?<=Bearer )[\w\-.~+/=]{8,}", re.IGNORECASE),
    re.compile(r"\b(?:sk|pk|gsk|xai)-[\w\-]{16,}"),
    re.compile(r"(?<!\d)\d{5,12}(?::|%3A)[\w\-]{30,64}+"),  # the token of a bot of Telegram, in its addresses, too
)


def is_secret_name(name: str) -> bool:
    """Whether a field of this name holds a secret: ``code``, ``accessToken``, ``api_key`` …; not ``token_count``."""
    return _SECRET_NAME.search(_NEW_WORD.sub("_", name).lower()) is not None


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


def scrubbed(text: str, secrets: set[str]) -> str:
    """``text`` with these values masked: Home Assistant's own error messages quote what they were given."""
    for secret in sorted(secrets, key=len, reverse=True):
        text = text.replace(secret, MASK)
    return text


def redacted(value: T) -> T:
    """A copy of nested values in which every secret field is masked."""
    return _masked(value, lambda text: text)


def mask(value: T) -> T:
    """A copy in which every secret field is masked, and in the texts whatever looks like a secret."""
    return _masked(value, mask_text)


def hidden(value: T, secrets: set[str]) -> T:
    """A copy in which every secret field is masked, and these secrets in the texts."""
    return _masked(value, lambda text: scrubbed(text, secrets))


def without_texts(value: T) -> T:
    """A copy in which every text is masked: for values of which even the names are somebody else's."""
    return _masked(value, lambda _: MASK)


def without_secrets(value: T) -> T:
    """A copy without the secret fields: what may be kept."""
    if isinstance(value, Mapping):
        return cast(T, {k: without_secrets(item) for k, item in value.items() if not is_secret_name(str(k))})
    if isinstance(value, list | tuple):
        return cast(T, [without_secrets(item) for item in value])
    return value


def secrets_in(value: object) -> set[str]:
    """The values of all secret fields, as texts."""
    if isinstance(value, Mapping):
        own = {t for k, item in value.items() if _is_secret(k, item) for t in _texts(item) if len(t) >= FEWEST}
        return own.union(*(secrets_in(item) for item in value.values()))
    if isinstance(value, list | tuple):
        return set().union(*(secrets_in(item) for item in value))
    return set()


def _masked(value: T, of_text: Callable[[str], str]) -> T:
    """A copy of nested mappings, lists and tuples (which become lists)."""
    if isinstance(value, str):
        return cast(T, of_text(value))
    if isinstance(value, Mapping):
        return cast(T, {k: MASK if _is_secret(k, item) else _masked(item, of_text) for k, item in value.items()})
    if isinstance(value, list | tuple):
        return cast(T, [_masked(item, of_text) for item in value])
    return value


def _is_secret(name: object, value: object) -> bool:
    return value is not None and not isinstance(value, bool) and is_secret_name(str(name))


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, list | tuple):
        for item in value:
            yield from _texts(item)
    elif value not in (None, "") and not isinstance(value, bool):
        yield str(value)
