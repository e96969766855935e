"""The history index over the API, as people start it."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

from homeagent.app import App
from tests.service.conftest import Services


@pytest.mark.slow
async def test_history_is_indexed_once_and_progress_told(http: httpx.AsyncClient, app: App, call: Services) -> None:
    parts: list[tuple[str, Any]] = []
    async with http.stream("POST", "/api/services/index_history", json={"days": 3, "stream": True}) as response:
        event = ""
        async for line in response.aiter_lines():
            if line.startswith("event: "):
                event = line.removeprefix("event: ")
            elif line.startswith("data: "):
                parts.append((event, json.loads(line.removeprefix("data: "))))
    assert {data["phase"] for kind, data in parts if kind == "progress"} == {"days", "vectors"}
    kind, report = parts[-1]
    assert kind == "result"
    assert report["days"] == 2
    assert report["embedded"] > 0
    again = await call("index_history", days=3)
    assert (again["days"], again["embedded"]) == (0, 0)


async def test_days_out_of_range_are_refused(call: Services) -> None:
    status, error = await call.error("index_history", days=0)
    assert status == 422
    assert "days" in error["detail"]
