"""Named tokens over the whole app: what each opens, whom it speaks for, and that it is kept as a hash alone."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack

import httpx
import pytest
from fastapi.routing import APIRoute
from sqlalchemy import text
from starlette.routing import Route

from homeagent.access import OWNER, Identity, Scope
from homeagent.access_tokens import Tokens
from homeagent.app import App
from homeagent.client.asgi_transport import StreamingAsgiTransport
from homeagent.demo.server import DemoServer
from homeagent.errors import MissingScope, NotYourUser
from homeagent.service.api import VIEWS, create_api
from homeagent.service.fronts import openai_api
from homeagent.service.services import SERVICES
from homeagent.service.web import pages
from homeagent.turn import new_id
from homeagent.turns.agent_phrases import phrase
from tests.service.conftest import TOKEN, Services

As = Callable[..., Awaitable[Services]]


@pytest.fixture
async def as_(app: App) -> AsyncIterator[As]:
    """A caller with a new token of these scopes."""
    transport = StreamingAsgiTransport(create_api(app, token=TOKEN))
    async with AsyncExitStack() as stack:

        async def make(*scopes: Scope, user: str | None = None) -> Services:
            token = await app.tokens.add(new_id(), scopes, user)
            headers = {"Authorization": f"Bearer {token}"}
            client = httpx.AsyncClient(transport=transport, base_url="http://localhost", headers=headers)
            return Services(await stack.enter_async_context(client))

        yield make


async def test_every_service_and_view_says_which_scopes_it_needs(app: App) -> None:
    guard = create_api(app, token=TOKEN)
    paths = {route.path for route in guard._app.routes if isinstance(route, Route)}  # type: ignore[attr-defined]
    named = set(VIEWS) | set(openai_api.NEEDS) | {path for path in pages.NEEDS if not path.startswith("/static/")}
    resources = {path for path in paths if path.startswith("/api/") and path not in VIEWS} - {"/api/services/{name}"}
    services = {f"/api/services/{name}" for name in SERVICES}
    assert services <= resources
    assert paths == named | resources | {"/api/services/{name}", "/static/{name}"}
    rules = guard._needs
    for route in guard._app.routes:  # type: ignore[attr-defined]
        if isinstance(route, APIRoute) and route.path in resources - {SERVICES["pair"].path}:
            (method,) = route.methods
            assert rules.of(method, route.path.replace("{", "").replace("}", "")), route.path
    assert [name for name, service in SERVICES.items() if not service.needs] == ["pair"]
    assert [path for path, needs in VIEWS.items() if not needs] == ["/health"]


async def test_a_token_without_the_scope_is_refused_before_anything_is_read(as_: As) -> None:
    for service in (one for one in SERVICES.values() if one.needs):
        caller = await as_(*(set(Scope) - set(service.needs)))
        status, error = await caller.error(service.name, nonsense=True)
        assert (status, error["code"]) == (403, "missing_scope")
        assert all(scope in error["detail"] for scope in service.needs)
        assert "homeagent token add" in error["hint"]


async def test_no_spelling_of_a_path_gets_round_its_scopes(as_: As) -> None:
    for service in (one for one in SERVICES.values() if one.needs):
        caller = await as_(*(set(Scope) - set(service.needs)))
        for path in (f"{service.path}%0A", f"{service.path}/", f"/{service.path}", service.path.replace("s", "%73")):
            response = await caller.http.post(path, json=dict(service.example), follow_redirects=True)
            assert response.status_code in (403, 404), path


async def test_a_view_without_its_scope_is_refused(as_: As) -> None:
    for path in VIEWS.keys() - {"/health"}:
        caller = await as_(*(set(Scope) - set(VIEWS[path])))
        response = await caller.http.request("POST" if path == "/api/search" else "GET", path)
        assert response.json()["code"] == "missing_scope"


async def test_a_token_that_may_ask_asks_and_says_no_yes(as_: As, demo: DemoServer) -> None:
    caller = await as_(Scope.ASK)
    await caller("process", text="turn on the kitchen lights")
    assert demo.state("light.kitchen_lights")["state"] == "on"
    first = await caller("process", text="unlock the front door")
    (pending,) = first["pending"]
    assert (await caller.error("confirm", confirmation_id=pending["id"], approve=True))[0] == 403
    said = await caller("process", text="yes", conversation_id=first["conversation_id"])
    assert said["response"] == phrase("may_not_confirm", "en")
    assert demo.state("lock.front_door")["state"] == "locked"


async def test_a_token_that_may_confirm_says_yes(as_: As, demo: DemoServer) -> None:
    caller = await as_(Scope.ASK, Scope.CONFIRM)
    (pending,) = (await caller("process", text="unlock the front door"))["pending"]
    await caller("confirm", confirmation_id=pending["id"], approve=True)
    assert demo.state("lock.front_door")["state"] == "unlocked"


async def test_a_request_counts_as_the_tokens_own_user(as_: As) -> None:
    ada, bob = await as_(Scope.ASK, Scope.READ, user="ada"), await as_(Scope.ASK, Scope.READ, user="bob")
    added = await ada("add_memory", content="Ada hides the presents in the attic")
    assert (await ada("get_memory", memory_id=added["memory_id"], user_id="ada"))["memory"]["user_id"] == "ada"
    assert (await bob("search_memories", query="presents attic"))["memories"] == []
    status, error = await bob.error("search_memories", query="presents attic", user_id="ada")
    assert (status, error["code"]) == (403, "not_your_user")
    assert "speak_for_others" in error["hint"]
    status, error = await bob.error("process", text="what is in the attic?", user_id="ada", stream=True)
    assert (status, error["code"]) == (403, "not_your_user")


async def test_a_token_without_a_user_speaks_for_the_household(as_: As, call: Services) -> None:
    caller = await as_(Scope.ASK)
    added = await caller("add_memory", content="The bins go out on Thursday")
    assert (await call("get_memory", memory_id=added["memory_id"]))["memory"]["user_id"] is None
    assert (await caller.error("add_memory", content="x", user_id="ada"))[1]["code"] == "not_your_user"


async def test_one_that_speaks_for_others_says_for_whom(as_: As) -> None:
    bridge = await as_(Scope.ASK, Scope.READ, Scope.SPEAK_FOR_OTHERS, user="bridge")
    added = await bridge("add_memory", content="Ada likes tea", user_id="ada")
    assert (await bridge("get_memory", memory_id=added["memory_id"], user_id="ada"))["memory"]["user_id"] == "ada"
    assert (await bridge("list_memories"))["memories"] == []


async def test_what_others_keep_private_is_not_exported_without_the_right(as_: As, call: Services) -> None:
    await call("add_memory", content="Ada likes tea", user_id="ada")
    caller = await as_(Scope.ADMIN)
    assert (await caller("export_memories"))["memories"] == []
    assert (await caller.error("export_memories", everybody=True))[1]["code"] == "missing_scope"
    assert len((await call("export_memories", everybody=True))["memories"]) == 1


async def test_nobody_gives_away_more_than_they_have(as_: As) -> None:
    admin = await as_(Scope.ADMIN, Scope.READ, user="ada")
    assert (await admin.error("add_token", name="x", scopes=["confirm"]))[1]["code"] == "missing_scope"
    assert (await admin.error("add_token", name="x", scopes=["read"], user_id="bob"))[1]["code"] == "not_your_user"
    assert (await admin("add_token", name="x", scopes=["read"]))["user_id"] == "ada"


async def test_a_token_is_shown_once_kept_as_a_hash_and_worthless_once_revoked(call: Services, app: App) -> None:
    made = await call("add_token", name="tablet", scopes=["read", "ask", "ask"], user_id="ada")
    assert made["scopes"] == ["ask", "read"]
    (listed,) = (await call("list_tokens"))["tokens"]
    assert (listed["name"], listed["scopes"], listed["user_id"]) == ("tablet", ["ask", "read"], "ada")
    with app.engine.connect() as connection:
        kept = json.dumps([list(map(str, row)) for row in connection.execute(text("SELECT * FROM tokens"))])
    assert made["token"] not in kept + json.dumps(listed)
    assert (await call.error("add_token", name="tablet", scopes=["ask"]))[0] == 400

    headers = {"Authorization": f"Bearer {made['token']}"}
    wanted = {"headers": headers, "json": {}}
    assert (await call.http.post("/api/services/list_memories", **wanted)).status_code == 200
    await call("revoke_token", name="tablet")
    assert (await call.http.post("/api/services/list_memories", **wanted)).status_code == 401
    assert (await call.error("revoke_token", name="tablet"))[0] == 404


async def test_a_token_without_scope_or_name_is_refused(call: Services) -> None:
    for name, scopes in (("x", []), ("", ["ask"]), ("x", ["everything"]), ("a\nb", ["ask"])):
        assert (await call.error("add_token", name=name, scopes=scopes))[0] == 422


async def test_another_process_sees_a_revoked_token_before_long(app: App) -> None:
    now = 0.0
    here, there = Tokens(app.engine, clock=lambda: now), Tokens(app.engine, clock=lambda: now)
    token = (await here.add("tablet", [Scope.ASK], None)).encode()
    assert await there.identify(token) == Identity("tablet", frozenset({Scope.ASK}))
    await here.revoke("tablet")
    assert await here.identify(token) is None
    now = 60.0
    assert await there.identify(token) is None


async def test_the_owner_keeps_getting_in_without_the_database(
    app: App, call: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fails(_token: bytes) -> None:
        raise AssertionError("the owner's token is not looked up")

    monkeypatch.setattr(app.tokens, "identify", fails)
    assert await call("clear_history") == {"cleared": 0}


@pytest.mark.parametrize("claimed", [None, "ada", "bob"])
def test_whom_a_token_speaks_for(claimed: str | None) -> None:
    assert OWNER.speaks_as(claimed) == claimed
    mine = Identity("tablet", frozenset({Scope.ASK}), "ada")
    if claimed == "bob":
        with pytest.raises(NotYourUser):
            mine.speaks_as(claimed)
    else:
        assert mine.speaks_as(claimed) == "ada"
    with pytest.raises(MissingScope, match="confirm, admin"):
        mine.need(Scope.CONFIRM, Scope.ASK, Scope.ADMIN)
    mine.need()
    mine.need(Scope.ASK)


@pytest.mark.parametrize("scope", Scope)
def test_only_one_that_may_speak_for_others_is_taken_for_another(scope: Scope) -> None:
    for own in (None, "ada"):
        satellite = Identity("satellite", frozenset({scope}), own)
        assert [one for one in Scope if satellite.may(one)] == [scope]
        assert satellite.speaks_as(None) == own
        if scope is Scope.SPEAK_FOR_OTHERS:
            assert satellite.speaks_as("bob") == "bob"
        else:
            whose = "the household" if own is None else "'ada'"
            with pytest.raises(NotYourUser, match=f"satellite speaks for {whose}, not for the user"):
                satellite.speaks_as("bob")


async def test_sentences_are_on_no_stream_unless_asked_for_by_one_who_may(app: App, as_: As) -> None:
    reader, admin = await as_(Scope.READ, Scope.ASK), await as_(Scope.READ, Scope.ASK, Scope.ADMIN)
    refused = await reader.http.get("/api/events?text=true")
    assert refused.json()["code"] == "missing_scope"
    tool = {"tool_name": "ha_query", "parameters": {"entity_id": "light.kitchen_lights"}}
    for path, with_text in (("/api/events", False), ("/api/events?text=true", True)):
        heard = asyncio.create_task(_until_tool_ran(admin.http, path))
        await asyncio.sleep(0.1)
        await reader("execute_tool", **tool)
        assert ("kitchen_lights" in await asyncio.wait_for(heard, 10)) is with_text


async def test_with_the_setting_every_reader_hears_sentences(app: App, as_: As) -> None:
    events = app.settings.events.model_copy(update={"include_text": True})
    app.settings = app.settings.model_copy(update={"events": events})
    reader = await as_(Scope.READ, Scope.ASK)
    heard = asyncio.create_task(_until_tool_ran(reader.http, "/api/events"))
    await asyncio.sleep(0.1)
    await reader("execute_tool", tool_name="ha_query", parameters={"entity_id": "light.kitchen_lights"})
    assert "kitchen_lights" in await asyncio.wait_for(heard, 10)


async def _until_tool_ran(http: httpx.AsyncClient, path: str) -> str:
    async with http.stream("GET", path) as response:
        async for line in response.aiter_lines():
            if "tool.executed" in line:
                return line
    raise AssertionError("the stream ended")


async def test_the_document_tells_fields_scopes_and_how_to_get_in(http: httpx.AsyncClient) -> None:
    document = (await http.get("/openapi.json")).json()
    for name, service in SERVICES.items():
        told = document["paths"][f"/api/services/{name}"]["post"]
        assert all(f"`{scope}`" in told["description"] for scope in service.needs)
        needed = [{"HTTPBearer": [scope.value for scope in service.needs]}] if service.needs else None
        assert told.get("security") == needed
    confirm = document["components"]["schemas"]["Confirm"]["properties"]
    speaker = {"user_id", "device_id", "language", "may_see", "may_control"}
    assert {"confirmation_id", "approve", *speaker} == set(confirm)
