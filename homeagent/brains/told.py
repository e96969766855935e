"""What is said to a question, from what ``ha_query`` returned."""

from __future__ import annotations

from collections.abc import Sequence

from homeagent.brains.phrases import Phrases
from homeagent.brains.request import Request
from homeagent.ha.home import Home
from homeagent.turn import ToolResult


def words(request: Request, results: Sequence[ToolResult], home: Home, phrases: Phrases) -> str:
    return " ".join(str(r.result or r.error) for r in results)
