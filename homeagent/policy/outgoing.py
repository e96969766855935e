"""What goes out of the home with a call, in short and without secrets: a message's words, an address's host."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from homeagent.privacy.redact import is_secret_name, mask_text, scrubbed
from memory.secrets import may_be_secrets, speaks_of_a_secret

_LONGEST = 200
_ADDRESS = "media_content_id"
_TOLD = ("title", "message", _ADDRESS)
"""Fields that are told, in this order; of a call that has none of them, all texts."""
_PLAIN = re.compile(r"[a-z][a-z0-9+.-]*://([a-z0-9.-]+)(?::\d+)?(?:[/?#][^\\\s@]*)?", re.IGNORECASE)
"""An address of which every program takes the same for the host."""


def outgoing(data: Mapping[str, object]) -> str:
    """What of a call's data goes out, of at most 200 characters; empty where it holds no text."""
    known = {name: data[name] for name in _TOLD if data.get(name)}
    texts = dict.fromkeys(
        _host(text) if name == _ADDRESS else _masked(text)
        for name, value in (known or data).items()
        if not is_secret_name(name)
        for text in _texts(value)
    )
    whole = "; ".join(text for text in texts if text)
    return whole if len(whole) <= _LONGEST else f"{whole[: _LONGEST - 1]}…"


def _host(address: str) -> str:
    """The host where that is beyond doubt, else the address."""
    plain = _PLAIN.fullmatch(address)
    return plain[1] if plain and address.count("://") == 1 else mask_text(address)


def _masked(text: str) -> str:
    secrets = {found.text for found in may_be_secrets(text, None)} if speaks_of_a_secret(text, None) else set()
    return mask_text(scrubbed(text, secrets))


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, Mapping):
        value = [inner for name, inner in value.items() if not is_secret_name(str(name))]
    if isinstance(value, list | tuple):
        for inner in value:
            yield from _texts(inner)
    elif value not in (None, "") and not isinstance(value, bool):
        yield str(value)
