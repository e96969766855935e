"""Lists: what is to be added, taken off or checked off, and what is on them. The item is said in no known words."""

from __future__ import annotations

from dataclasses import replace

from homeagent.brains.language.lexicon import fold
from homeagent.brains.language.reading import Reading
from homeagent.understanding.request import Request

ACTIONS = {"add": "add_item", "remove": "remove_item", "complete": "complete_item"}
"""What is done with a list, by the concept of the verb."""


def bare_item(request: Request, reading: Reading) -> Request:
    """The request with its item as it stands on a list: without the article or the "some" before it."""
    item = request.parameters.get("item")
    if request.action not in ACTIONS.values() or not isinstance(item, str):
        return request
    words = item.split()
    first = next((i for i, w in enumerate(words) if not reading.lexicon.is_filler(fold(w))), 0)
    return replace(request, parameters={**request.parameters, "item": " ".join(words[first:])})
