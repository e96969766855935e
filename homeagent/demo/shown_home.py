"""The home that `homeagent demo` shows: the inventory, what lives in it, its names in a language, its past.

A file of names (``demo.<language>.yaml``) has, by id, lists of the name and what else a thing is called: ``floors``,
``areas``, ``entities``; ``devices`` with their names; ``more``, what else of an entity is said in words; ``try``, the
sentences to begin with: a command, a question, something that is asked about first, a why, and one about the past.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from homeagent.demo.inventory import Inventory, demo_home, parse_inventory, read_home

_HOMES = Path(__file__).with_name("homes")
OWN_LANGUAGE = "en"
"""That of the inventory itself."""

Item = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ShownHome:
    """The home; what its past is made of (see `live_through`); sentences to try in its language."""

    inventory: Inventory
    past: Mapping[str, Any]
    to_try: tuple[str, ...]


def shown_languages() -> tuple[str, ...]:
    """The languages that the home can be shown in, by code."""
    return tuple(sorted({OWN_LANGUAGE, *(path.stem.partition(".")[2] for path in _HOMES.glob("demo.*.yaml"))}))


def shown_home(language: str = OWN_LANGUAGE) -> ShownHome:
    """The home in a language; in its own where there are no names in that one. Raises InventoryError."""
    raw, lived = read_home(demo_home()), read_home(_HOMES / "lived.yaml")
    raw = {**raw, "entities": _merged(raw["entities"], lived["entities"])}
    to_try = lived["try"]
    if language != OWN_LANGUAGE and language in shown_languages():
        named = read_home(_HOMES / f"demo.{language}.yaml")
        raw, to_try = _named(raw, named), named["try"]
    return ShownHome(parse_inventory(raw), lived, tuple(to_try))


def _named(raw: Item, named: Item) -> dict[str, Any]:
    top = {key: named[key] for key in ("x-name", "x-time-zone") if key in named}
    devices = [{"id": device_id, "name": name} for device_id, name in named["devices"].items()]
    return {
        **raw,
        **top,
        "x-language": named["language"],
        "x-floors": _merged(raw["x-floors"], _called(named["floors"], "aliases")),
        "areas": _merged(raw["areas"], _called(named["areas"], "x-aliases")),
        "devices": _merged(raw["devices"], devices),
        "entities": _merged(_merged(raw["entities"], _called(named["entities"], "x-aliases")), named["more"]),
    }


def _called(names: Mapping[str, list[str]], aliases: str) -> list[dict[str, Any]]:
    return [{"id": thing, "name": name, aliases: others} for thing, (name, *others) in names.items()]


def _merged(items: Iterable[Item], more: Iterable[Item]) -> list[dict[str, Any]]:
    """The items with what more is said of some, and with those that only the second list has."""
    said = {item["id"]: item for item in more}
    known = [_with(item, said.pop(item["id"], {})) for item in items]
    return [*known, *(dict(item) for item in said.values())]


def _with(item: Item, more: Item) -> dict[str, Any]:
    both = {**item, **more}
    if "attributes" in item and "attributes" in more:
        both["attributes"] = {**item["attributes"], **more["attributes"]}
    return both
