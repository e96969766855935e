"""JSON of Home Assistant's WebSocket, decoded without holding up the event loop.

The C decoder keeps the interpreter lock until it is done: 75 ms for the 3 MB that 5,000 devices are, in a thread or
not. So a large frame is decoded record by record, in a thread, and the loop gets its turn between two records.
"""

from __future__ import annotations

import asyncio
import json
import re

LARGE = 100_000
"""Bytes from which a frame is decoded in a thread; below, the C decoder takes under 4 ms."""

_scan = json.JSONDecoder().raw_decode
_space = re.compile(r"[ \t\n\r]*").match
_holds_containers = re.compile(r'[\[{]\s*(?:"(?:[^"\\]|\\.)*"\s*:\s*)?[\[{]').match
_SURROGATE, _SURROGATE_UPPER = rb"\ud", rb"\uD"
_escapes = re.compile(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(?P<half>u[dD][89a-fA-F][0-9a-fA-F]{2})|.)"
)
"""Each escape in a JSON text: a whole pair, half of one, or another."""
_ENVELOPE = 2  # a message, and the list of messages that a coalesced frame is


async def decode(data: bytes) -> object:
    """Decode one frame. Raises ValueError where it is no JSON, RecursionError where it is nested without end.

    Half characters, which neither a database nor an answer can hold, become U+FFFD.
    """
    if len(data) < LARGE:
        return json.loads(_whole_characters(data))
    return await asyncio.to_thread(decode_in_slices, data)


def _whole_characters(data: bytes) -> str:
    text = data.decode("utf-8", "replace")
    return _escapes.sub(_paired, text) if _SURROGATE in data or _SURROGATE_UPPER in data else text


def _paired(escape: re.Match[str]) -> str:
    return "\ufffd" if escape["half"] else escape[0]


def decode_in_slices(data: bytes) -> object:
    """As ``json.loads``, with the interpreter lock free for others between two records."""
    text = _whole_characters(data)
    try:
        value, end = _value(text, 0, _ENVELOPE)
    except IndexError:
        raise ValueError("not JSON: it ends early") from None
    if text[end:].strip():
        raise ValueError(f"more than one JSON value, the second at {end}")
    return value


def _value(text: str, at: int, envelope: int) -> tuple[object, int]:
    """The value at ``at``. Containers of containers are walked here; a record (scalars first) is scanned whole."""
    at = _after_space(text, at)
    if text[at] not in "[{" or (envelope <= 0 and not _holds_containers(text, at)):
        return _scan(text, at)
    walk = _array if text[at] == "[" else _object
    return walk(text, at + 1, envelope - 1)


def _array(text: str, at: int, envelope: int) -> tuple[list[object], int]:
    values: list[object] = []
    at = _after_space(text, at)
    while text[at] != "]":
        value, at = _value(text, at, envelope)
        values.append(value)
        at = _next(text, at, "]")
    return values, at + 1


def _object(text: str, at: int, envelope: int) -> tuple[dict[str, object], int]:
    members: dict[str, object] = {}
    at = _after_space(text, at)
    while text[at] != "}":
        key, at = _scan(text, at)
        at = _after_space(text, at)
        if text[at] != ":":
            raise ValueError(f"no colon at {at}")
        members[key], at = _value(text, at + 1, envelope)
        at = _next(text, at, "}")
    return members, at + 1


def _next(text: str, at: int, closing: str) -> int:
    """Where the next member starts, or the closing bracket is."""
    at = _after_space(text, at)
    if text[at] == ",":
        return _after_space(text, at + 1)
    if text[at] != closing:
        raise ValueError(f"no comma at {at}")
    return at


def _after_space(text: str, at: int) -> int:
    match = _space(text, at)
    return match.end() if match else at
