"""The home that `homeagent demo` shows: the inventory, what lives in it, and the month behind it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from homeagent.demo.inventory import Inventory, demo_home, parse_inventory, read_home

_HOMES = Path(__file__).with_name("homes")


def shown_home() -> tuple[Inventory, Mapping[str, Any]]:
    """The home, and what its past is made of (see `live_through`)."""
    lived = read_home(_HOMES / "lived.yaml")
    raw = read_home(demo_home())
    return parse_inventory({**raw, "entities": _merged(raw["entities"], lived["entities"])}), lived


def _merged(entities: list[dict[str, Any]], more: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The entities with what more is said of some, and with those that only the second list has."""
    said = {item["id"]: item for item in more}
    known = [_with(item, said.pop(item["id"], {})) for item in entities]
    return [*known, *said.values()]


def _with(item: Mapping[str, Any], more: Mapping[str, Any]) -> dict[str, Any]:
    both = {**item, **more}
    if "attributes" in item and "attributes" in more:
        both["attributes"] = {**item["attributes"], **more["attributes"]}
    return both
