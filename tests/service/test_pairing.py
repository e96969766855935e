"""Pairing: the code that the owner sees gets a token, once, for whoever has none."""

import httpx
import pytest

from homeagent.access import Scope
from homeagent.app import App
from homeagent.client.asgi_transport import StreamingAsgiTransport
from homeagent.errors import PairingFailed
from homeagent.pairing import Pairing
from homeagent.service.api import create_api
from tests.service.conftest import TOKEN, Services


@pytest.fixture
async def stranger(app: App):
    """A caller without any token."""
    transport = StreamingAsgiTransport(create_api(app, token=TOKEN))
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost", timeout=30) as client:
        yield Services(client)


async def test_the_code_gives_a_token_that_works_and_is_used_up(app: App, call: Services, stranger: Services) -> None:
    code = (await call("start_pairing"))["code"]
    given = await stranger("pair", code=code.lower().replace("-", " "), name="Home Assistant")
    stranger.http.headers["Authorization"] = f"Bearer {given['token']}"
    assert (await stranger("list_memories"))["memories"] == []
    assert [(t.name, set(t.scopes)) for t in await app.tokens.named()] == [("Home Assistant", set(Scope))]
    status, error = await stranger.error("pair", code=code)
    assert (status, error["code"]) == (403, "pairing_failed")


async def test_a_second_one_of_a_name_is_numbered(app: App, call: Services, stranger: Services) -> None:
    for _ in range(2):
        await stranger("pair", code=(await call("start_pairing"))["code"])
    assert [token.name for token in await app.tokens.named()] == ["Home Assistant", "Home Assistant 2"]


async def test_who_has_no_token_cannot_start_it(stranger: Services) -> None:
    status, _error = await stranger.error("start_pairing")
    assert status == 401


async def test_five_wrong_tries_close_it(app: App, call: Services, stranger: Services) -> None:
    code = (await call("start_pairing"))["code"]
    for _ in range(5):
        await stranger.error("pair", code="AAAA-AAAA")
    status, _error = await stranger.error("pair", code=code)
    assert status == 403
    assert await app.tokens.named() == []


async def test_a_code_is_good_for_ten_minutes(app: App) -> None:
    now = 0.0
    pairing = Pairing(app.tokens, clock=lambda: now)
    code = pairing.begin().code
    now = 601.0
    with pytest.raises(PairingFailed):
        await pairing.redeem(code, "late")
    assert await app.tokens.named() == []


async def test_nothing_is_open_before_it_was_begun(stranger: Services) -> None:
    status, _error = await stranger.error("pair", code="-")
    assert status == 403


async def test_nobody_gives_what_they_have_not(app: App, stranger: Services) -> None:
    """Whoever pairs gets every scope, so a token that lacks one cannot open it."""
    token = await app.tokens.add("looks after it", [Scope.ADMIN], None)
    stranger.http.headers["Authorization"] = f"Bearer {token}"
    status, error = await stranger.error("start_pairing")
    assert (status, error["code"]) == (403, "missing_scope")
