"""What is said after something was to be done: what is so now, what could not be done, what still needs a yes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from homeagent.brains.phrases import Phrases
from homeagent.brains.request import Request
from homeagent.ha.home import Home
from homeagent.turn import ToolCall, ToolResult


def words(
    request: Request | None, done: Sequence[tuple[ToolCall, ToolResult]], home: Home, phrases: Phrases
) -> Iterable[tuple[str, bool]]:
    return [(str(r.result or r.error), False) for _, r in done]
