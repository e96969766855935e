"""The items of to-do lists, by the words that people use for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from homeagent.errors import HomeAssistantError, UnknownItem
from homeagent.ha.connection import HomeAssistant
from homeagent.values.name_matching import listed, near, plain

ITEM_ACTIONS = frozenset({"complete_item", "reopen_item", "update_item", "remove_item"})
"""Actions on an item that must be there."""


async def items_of(ha: HomeAssistant, entity_id: str) -> list[Mapping[str, Any]]:
    """All items of a list, done or not: ``summary``, ``status`` (needs_action, completed), ``due`` …"""
    statuses = ["needs_action", "completed"]
    answer = await ha.call_service(
        "todo", "get_items", entity_ids=[entity_id], data={"status": statuses}, return_response=True
    )
    return list(((answer or {}).get(entity_id) or {}).get("items") or ())


async def open_items(ha: HomeAssistant, list_ids: Sequence[str]) -> dict[str, list[str]]:
    """What is still open on each of these lists that is available; nothing where Home Assistant does not tell."""
    there = [i for i in list_ids if (state := ha.home.state(i)) is not None and state.available]
    if not there:
        return {}
    try:
        answer = await ha.call_service(
            "todo", "get_items", entity_ids=there, data={"status": ["needs_action"]}, return_response=True
        )
    except HomeAssistantError:
        return {}
    found = ((i, ((answer or {}).get(i) or {}).get("items") or ()) for i in there)
    return {i: [str(item.get("summary", "")) for item in items] for i, items in found}


async def with_real_items(ha: HomeAssistant, entity_id: str, parameters: Mapping[str, object]) -> dict[str, object]:
    """The parameters with each item named as the list has it. Raises UnknownItem, naming the nearest."""
    if "item" not in parameters:
        return dict(parameters)
    summaries = [str(item.get("summary", "")) for item in await items_of(ha, entity_id)]
    wanted = parameters["item"]
    if isinstance(wanted, list):
        return {**parameters, "item": [_real(str(text), summaries, entity_id) for text in wanted]}
    return {**parameters, "item": _real(str(wanted), summaries, entity_id)}


def _real(text: str, summaries: list[str], entity_id: str) -> str:
    if text in summaries:
        return text
    for summary in summaries:
        if plain(summary) == plain(text):
            return summary
    said = set(plain(text).split())
    told = [summary for summary in summaries if said and said < set(plain(summary).split())]
    if len(told) == 1:
        return told[0]
    nearest = near(text, summaries)
    hint = None if nearest else f"It has: {listed(summaries)}."
    raise UnknownItem(f"{entity_id} has no item {text!r}.", summaries, nearest=nearest, hint=hint)
