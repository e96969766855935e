"""What is kept, as resources: a page at a time, one by its id, deleted; each with the scopes that it needs."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest
from fastapi.routing import APIRoute
from sqlalchemy import text

from homeagent.access import Scope
from homeagent.app import App
from homeagent.demo.server import DemoServer
from homeagent.service.api import create_api
from tests.service.conftest import TOKEN, Services, as_documented, problem
from tests.service.test_tokens import As, as_

__all__ = ["as_"]


KEPT = ("The jam", "The blue vase", "Granny's clock", "A box of nails", "The world atlas")


class Resources:
    """Reads resources, and holds each answer to the document's model."""

    def __init__(self, http: httpx.AsyncClient, app: App) -> None:
        self.http = http
        routes = create_api(app, token=TOKEN)._app.routes  # type: ignore[attr-defined]
        self.routes = [route for route in routes if isinstance(route, APIRoute) and "/services" not in route.path]

    async def __call__(self, path: str, **query: Any) -> Any:
        response = await self.http.get(path, params=query)
        assert response.status_code == 200, response.text
        route = next(r for r in self.routes if "GET" in r.methods and r.path_regex.fullmatch(path))
        as_documented(route.response_model, response.json())
        return response.json()

    async def all(self, path: str, limit: int, **query: Any) -> list[Any]:
        """Every item, from all pages."""
        told = await self(path, limit=limit, **query)
        items = told["items"]
        while told["next"]:
            assert len(told["items"]) == limit
            told = await self(path, limit=limit, after=told["next"], **query)
            items += told["items"]
        return items


@pytest.fixture
async def read(http: httpx.AsyncClient, app: App) -> Resources:
    return Resources(http, app)


async def test_conversations_are_shown_page_by_page_and_forgotten(read: Resources, call: Services) -> None:
    said = [await call("process", text=f"is the front door locked? {'again ' * n}".strip()) for n in range(5)]
    ids = [one["conversation_id"] for one in said][::-1]
    assert [one["id"] for one in await read.all("/api/conversations", 2)] == ids
    assert [one["id"] for one in await read.all("/api/conversations", 5)] == ids
    one = await read(f"/api/conversations/{ids[0]}")
    assert (one["turns"], one["user_id"]) == (1, None)
    assert (await read.http.delete(f"/api/conversations/{ids[0]}")).status_code == 204
    missing = problem(await read.http.get(f"/api/conversations/{ids[0]}"))
    assert (missing["status"], missing["code"]) == (404, "not_found")
    assert problem(await read.http.delete(f"/api/conversations/{ids[1][:8]}"))["status"] == 404
    assert len(await read.all("/api/conversations", 50)) == 4


async def test_what_comes_meanwhile_moves_no_page(read: Resources, call: Services) -> None:
    ids = [(await call("process", text="is the front door locked?"))["conversation_id"] for _ in range(3)][::-1]
    first = await read("/api/conversations", limit=2)
    await call("process", text="are any windows open?")
    then = await read("/api/conversations", limit=2, after=first["next"])
    assert [one["id"] for one in first["items"] + then["items"]] == ids


async def test_a_turn_tells_how_it_went(read: Resources, call: Services, demo: DemoServer, app: App) -> None:
    first = await call("process", text="turn on the kitchen lights", trace=True)
    conversation = first["conversation_id"]
    await call("process", text="and off again", conversation_id=conversation)
    turns = await read.all(f"/api/conversations/{conversation}/turns", 1)
    assert [(turn["number"], turn["text"]) for turn in turns] == [
        (1, "turn on the kitchen lights"),
        (2, "and off again"),
    ]
    turn = await read(f"/api/turns/{first['turn_id']}")
    assert turns[0]["turn_id"] == turn["turn_id"] == first["turn_id"]
    assert turn["trace"]["brain"] == "local"
    (done,) = turn["trace"]["steps"]
    assert done["calls"] == first["trace"]["steps"][0]["calls"]
    assert turn["trace"]["retrieval"] == first["trace"]["retrieval"]
    assert turn["trace"]["timings_ms"]["total"] > 0

    # Turns of a data folder of before have none.
    with app.engine.begin() as connection:
        connection.execute(text("UPDATE turns SET trace = NULL"))
    assert (await read(f"/api/turns/{first['turn_id']}"))["trace"] is None


async def test_a_trace_keeps_no_word_of_what_was_forgotten(read: Resources, call: Services, app: App) -> None:
    added = await call("add_memory", content="The paper bin goes out on Thursdays")
    asked = await call("process", text="when does the paper bin go out?", trace=True)
    assert [one["memory_id"] for one in asked["trace"]["memories"]] == [added["memory_id"]]
    path = f"/api/turns/{asked['turn_id']}"
    assert (await read(path))["trace"]["memories"] == asked["trace"]["memories"]
    with app.engine.connect() as connection:
        kept = json.dumps(connection.execute(text("SELECT trace FROM turns")).scalar())
    assert added["memory_id"] in kept
    recalled = json.loads(json.loads(kept))["memories"]
    assert "content" not in recalled[0]
    await call("delete_memory", memory_id=added["memory_id"])
    assert (await read(path))["trace"]["memories"][0]["content"] == ""


async def test_memories_are_shown_page_by_page_and_forgotten(read: Resources, call: Services) -> None:
    ids = [(await call("add_memory", content=f"{what} is on the top shelf"))["memory_id"] for what in KEPT]
    found = await read.all("/api/memories", 2)
    assert {one["id"] for one in found} == set(ids)
    assert len(found) == 5
    whole = await read(f"/api/memories/{ids[0]}")
    assert whole["memory"]["content"] == "The jam is on the top shelf"
    assert (await read.http.delete(f"/api/memories/{ids[0]}")).status_code == 204
    assert problem(await read.http.get(f"/api/memories/{ids[0]}"))["status"] == 404
    assert problem(await read.http.delete(f"/api/memories/{ids[1][:8]}"))["status"] == 404
    assert {one["id"] for one in await read.all("/api/memories", 50, type="fact")} == set(ids[1:])
    assert await read.all("/api/memories", 50, type="event") == []


async def test_questions_are_shown_and_refused(read: Resources, call: Services, demo: DemoServer) -> None:
    await call("process", text="unlock the front door")
    await call("process", text="unlock the front door", user_id="ada")
    (one,) = await read.all("/api/pending", 1)
    assert "Front door" in one["question"]
    both = await read.all("/api/pending", 1, everybody=True)
    assert [pending["user_id"] for pending in both] == [None, "ada"]
    assert await read(f"/api/pending/{one['id']}") == one
    assert problem(await read.http.get(f"/api/pending/{both[1]['id']}"))["status"] == 404
    assert (await read.http.delete(f"/api/pending/{one['id']}")).status_code == 204
    assert await read.all("/api/pending", 1) == []
    assert problem(await read.http.delete(f"/api/pending/{one['id']}"))["status"] == 404
    assert demo.state("lock.front_door")["state"] == "locked"


async def test_timers_are_shown_and_cancelled(read: Resources, call: Services) -> None:
    for name, seconds in (("tea", 300), ("pasta", 480), ("cake", 2400)):
        await call("set_timer", kind="timer", name=name, in_seconds=seconds)
    found = await read.all("/api/timers", 1)
    assert [one["name"] for one in found] == ["tea", "pasta", "cake"]
    assert await read.all("/api/timers", 1, kind="alarm") == []
    one = await read(f"/api/timers/{found[1]['id']}")
    assert (one["name"], one["in_seconds"]) == ("pasta", 480)
    assert problem(await read.http.delete("/api/timers/all"))["status"] == 404
    assert (await read.http.delete(f"/api/timers/{one['id']}")).status_code == 204
    assert problem(await read.http.get(f"/api/timers/{one['id']}"))["status"] == 404
    assert [one["name"] for one in await read.all("/api/timers", 50)] == ["tea", "cake"]


async def test_the_audit_log_and_the_index(read: Resources, call: Services, demo: DemoServer) -> None:
    for text_ in ("turn on the kitchen lights", "turn off the kitchen lights", "turn on the hall lights"):
        await call("process", text=text_)
    entries = await read.all("/api/audit", 1)
    assert [one["text"] for one in entries][-1] == "turn on the kitchen lights"
    assert [one["id"] for one in entries] == sorted((one["id"] for one in entries), reverse=True)
    assert await read(f"/api/audit/{entries[0]['id']}") == entries[0]
    of_one = await read.all("/api/audit", 1, entity_id="light.kitchen_lights")
    assert len(of_one) == 2
    assert problem(await read.http.get("/api/audit/4711"))["status"] == 404
    index = await read("/api/index")
    assert index["entities"] > 0


@pytest.mark.parametrize("after", ["x", "eA==", "WyJ4Il0=", "bnVsbA==", "e30=", "WzEsIDIsIDNd", "é"])
@pytest.mark.asyncio(loop_scope="module")
async def test_a_page_that_there_is_not(unchanged: httpx.AsyncClient, after: str) -> None:
    for path in ("/api/conversations", "/api/memories", "/api/audit"):
        assert problem(await unchanged.get(path, params={"after": after}))["status"] == 400


async def test_queries_are_checked(read: Resources) -> None:
    for path, query in (
        ("/api/memories", {"limit": 0}),
        ("/api/memories", {"limit": 1000}),
        ("/api/memories", {"type": "rumour"}),
        ("/api/conversations", {"nonsense": 1}),
        ("/api/audit/x", {}),
        (f"/api/turns/{'x' * 65}", {}),
    ):
        assert problem(await read.http.get(path, params=query))["status"] == 422


async def test_each_needs_its_scope(read: Resources, as_: As) -> None:
    resources = [route for route in read.routes if route.dependencies and route.path.startswith("/api/")]
    assert len(resources) > 14
    for route in resources:
        (method,) = route.methods
        (needed,) = {scope for one in route.dependencies for scope in getattr(one, "scopes", ())}
        caller = await as_(*(set(Scope) - {Scope(needed)}))
        path = route.path.replace("{", "").replace("}", "")
        refused = problem(await caller.http.request(method, path))
        assert (refused["status"], refused["code"]) == (403, "missing_scope"), path
        assert needed in refused["detail"]


async def test_what_is_anothers_is_not_there(as_: As, call: Services, read: Resources) -> None:
    said = await call("process", text="unlock the front door", user_id="bob")
    memory = (await call("add_memory", content="Bob hides the presents in the attic", user_id="bob"))["memory_id"]
    ada = await as_(*(set(Scope) - {Scope.SPEAK_FOR_OTHERS}), user="ada")
    conversation, question = said["conversation_id"], said["pending"][0]["id"]
    paths = (
        f"/api/conversations/{conversation}",
        f"/api/conversations/{conversation}/turns",
        f"/api/turns/{said['turn_id']}",
        f"/api/memories/{memory}",
        f"/api/pending/{question}",
    )
    for path in paths:
        assert problem(await ada.http.get(path))["status"] == 404
        for query in ({"user_id": "bob"}, {"everybody": True}):
            told = problem(await ada.http.get(path, params=query))
            assert told["status"] in (403, 422), path
        if not path.endswith("turns") and "/turns/" not in path:
            assert problem(await ada.http.delete(path))["status"] == 404
        assert (await call.http.get(path, params={"user_id": "bob"})).status_code == 200
    for path in ("/api/conversations", "/api/memories", "/api/pending"):
        assert (await ada.http.get(path)).json()["items"] == []
    assert problem(await ada.http.post("/api/services/list_pending", json={"everybody": True}))["status"] == 403
