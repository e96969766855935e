"""The fields of a home inventory that are understood; any other is reported, for it may be what a task relies on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

_HOME = {
    "areas", "devices", "entities", "floors", "language", "x-floors", "x-language", "x-name", "x-temperature-unit",
    "x-time-zone",
}  # fmt: skip
_PARTS = {
    "areas": {"name", "id", "floor", "x-aliases", "x-labels"},
    "floors": {"name", "id", "level", "aliases"},
    "x-floors": {"name", "id", "level", "aliases"},
    "devices": {"name", "id", "area", "info", "x-labels"},
    "entities": {
        "name", "id", "area", "device", "state", "attributes", "x-aliases", "x-automation", "x-behavior", "x-category",
        "x-code", "x-events", "x-exposed", "x-forecast", "x-hidden", "x-history", "x-items", "x-labels", "x-members",
        "x-registered", "x-scene", "x-script",
    },
}  # fmt: skip


def unknown_in_home(raw: Mapping[str, Any], where: str) -> Iterator[str]:
    """Each kind of field that is not understood, once, with how often it is there."""
    yield from (f"{where}: unknown field {name!r}" for name in raw if name not in _HOME)
    for part, known in _PARTS.items():
        items = raw.get(part) or ()
        for name in dict.fromkeys(name for item in items for name in item if name not in known):
            count = sum(name in item for item in items)
            yield f"{where}, {part}: unknown field {name!r} ({count} times)"
