"""Who may use the service: the guard before every request, tried on a small API of its own."""

from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from fastapi import FastAPI, Request

from homeagent.access import OWNER, Identity, Scope
from homeagent.errors import TooLarge
from homeagent.service.errors import Failure, add_handlers
from homeagent.service.request_guard import MAX_BODY, Guard, Pages, caller_of
from homeagent.service.wrong_tokens import WrongTokens
from tests.service.conftest import problem

TOKEN = "right-token"
ASKER = "token-that-may-ask"


@pytest.fixture
async def http() -> AsyncIterator[httpx.AsyncClient]:
    api = FastAPI()
    add_handlers(api)

    @api.get("/health")
    async def health() -> dict[str, str]:
        return {"status": "ok"}

    @api.post("/echo")
    async def echo(request: Request) -> dict[str, int]:
        return {"bytes": len(await request.body())}

    async def identify(token: bytes) -> Identity | None:
        return {TOKEN.encode(): OWNER, ASKER.encode(): Identity("asker", frozenset({Scope.ASK}))}.get(token)

    needs = {"/health": (), "/echo": (Scope.ASK,), "/admin": (Scope.ADMIN,)}

    @api.post("/admin")
    async def admin() -> None: ...

    @api.post("/whose")
    async def whose(request: Request) -> str | None:
        return caller.name if (caller := caller_of(request.scope)) else None

    api.post("/large")(echo)
    most = {"/large": MAX_BODY * 2}
    guard = Guard(api, identify=identify, needs=needs, allowed_hosts=["Agent.Example"], most_bytes=most)
    transport = httpx.ASGITransport(guard)
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
        yield client


def _bearer(token: str = TOKEN) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def _code(response: httpx.Response) -> str:
    return str(problem(response)["code"])


async def test_health_needs_no_token(http: httpx.AsyncClient) -> None:
    assert (await http.get("/health")).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {},
        _bearer("wrong"),
        _bearer(TOKEN + "x"),
        _bearer(""),
        {"Authorization": TOKEN},
        {"Authorization": f"Basic {TOKEN}"},
        {"Authorization": b"Bearer \xff\xfe"},
    ],
)
async def test_without_the_right_token_nothing_is_done(http: httpx.AsyncClient, headers: dict[str, str]) -> None:
    response = await http.post("/echo", headers=headers, content=b"x")
    assert response.status_code == 401
    assert _code(response) == "unauthorized"
    assert TOKEN not in response.text


async def test_a_token_opens_what_it_may_and_nothing_else(http: httpx.AsyncClient) -> None:
    assert (await http.post("/echo", headers=_bearer(ASKER), content=b"xyz")).status_code == 200
    refused = await http.post("/admin", headers=_bearer(ASKER))
    assert refused.status_code == 403
    assert _code(refused) == "missing_scope"
    assert "admin" in refused.json()["detail"]
    assert (await http.post("/admin", headers=_bearer())).status_code == 200


async def test_the_right_token_opens(http: httpx.AsyncClient) -> None:
    assert (await http.post("/echo", headers=_bearer(), content=b"xyz")).json() == {"bytes": 3}


@pytest.mark.parametrize(
    "host", ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "", "[::1", "a[b]"]
)
async def test_a_foreign_name_is_refused_even_with_the_token(http: httpx.AsyncClient, host: str) -> None:
    for path in ("/health", "/echo"):
        response = await http.request("POST", path, headers={**_bearer(), "Host": host})
        assert response.status_code == 403
        assert _code(response) == "forbidden_host"


@pytest.mark.parametrize("host", ["localhost:8765", "127.0.0.1:8765", "[::1]:8765", "192.168.1.5", "AGENT.example:1"])
async def test_addresses_and_allowed_names_are_answered(http: httpx.AsyncClient, host: str) -> None:
    assert (await http.get("/health", headers={"Host": host})).status_code == 200


async def test_a_page_of_another_site_is_refused(http: httpx.AsyncClient) -> None:
    for origin in ("https://evil.example", "null", "http://[bad"):
        response = await http.post("/echo", headers={**_bearer(), "Origin": origin})
        assert _code(response) == "forbidden_origin"
    response = await http.post("/echo", headers={**_bearer(), "Origin": "http://localhost:8765"})
    assert response.status_code == 200


DASHBOARD = "https://dashboard.example"


@pytest.fixture
async def shared() -> AsyncIterator[httpx.AsyncClient]:
    """An API that the pages of one other site may use, with a page of its own."""
    api = FastAPI()
    add_handlers(api)

    @api.post("/echo")
    async def echo(request: Request) -> dict[str, int]:
        return {"bytes": len(await request.body())}

    @api.post("/page")
    async def page() -> None: ...

    async def identify(token: bytes) -> Identity | None:
        return OWNER if token == TOKEN.encode() else None

    own = Pages(frozenset({"/page"}), lambda _: TOKEN.encode(), lambda _, failure: failure.response())
    needs = {"/echo": (Scope.ASK,), "/page": (Scope.ASK,)}
    guard = Guard(api, identify=identify, needs=needs, pages=own, cors_origins=[DASHBOARD])
    async with httpx.AsyncClient(transport=httpx.ASGITransport(guard), base_url="http://localhost") as client:
        yield client


async def test_a_page_that_is_let_in_may_use_the_api_with_a_token(shared: httpx.AsyncClient) -> None:
    asks = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization,content-type"}
    allowed = await shared.options("/echo", headers={"Origin": DASHBOARD, **asks})
    assert allowed.status_code == 200
    assert allowed.headers["access-control-allow-origin"] == DASHBOARD
    assert "POST" in allowed.headers["access-control-allow-methods"]
    assert "Authorization" in allowed.headers["access-control-allow-headers"]
    assert "access-control-allow-credentials" not in allowed.headers
    done = await shared.post("/echo", headers={**_bearer(), "Origin": DASHBOARD}, content=b"xyz")
    assert (done.json(), done.headers["access-control-allow-origin"]) == ({"bytes": 3}, DASHBOARD)
    refused = await shared.post("/echo", headers={"Origin": DASHBOARD})
    assert (_code(refused), refused.headers["access-control-allow-origin"]) == ("unauthorized", DASHBOARD)


async def test_it_may_not_use_our_own_pages_nor_come_under_a_foreign_name(shared: httpx.AsyncClient) -> None:
    assert (await shared.post("/page")).status_code == 200
    for path, host in (("/page", "localhost"), ("/echo", "evil.example")):
        headers = {**_bearer(), "Origin": DASHBOARD, "Host": host}
        for response in (await shared.post(path, headers=headers), await shared.options(path, headers=headers)):
            assert response.status_code == 403
            assert "access-control-allow-origin" not in response.headers


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "http://dashboard.example", "https://dashboard.example:8443", "null", "*"]
)
async def test_no_other_page_is_let_in(shared: httpx.AsyncClient, origin: str) -> None:
    preflight = {"Origin": origin, "Access-Control-Request-Method": "POST"}
    for response in (
        await shared.post("/echo", headers={**_bearer(), "Origin": origin}),
        await shared.options("/echo", headers=preflight),
    ):
        assert _code(response) == "forbidden_origin"
        assert "access-control-allow-origin" not in response.headers


async def test_a_large_body_is_refused(http: httpx.AsyncClient) -> None:
    response = await http.post("/echo", headers=_bearer(), content=b"x" * (MAX_BODY + 1))
    assert response.status_code == 413
    assert _code(response) == "too_large"


async def test_a_large_body_of_undeclared_length_is_refused(http: httpx.AsyncClient) -> None:
    async def pieces() -> AsyncIterator[bytes]:
        for _ in range(MAX_BODY // 1000 + 2):
            yield b"x" * 1000

    response = await http.post("/echo", headers=_bearer(), content=pieces())
    assert response.status_code == 413
    assert _code(response) == "too_large"


async def test_a_path_that_nobody_named_needs_a_right_token_of_any_kind(http: httpx.AsyncClient) -> None:
    for path in ("/whose", "/no-such-path"):
        assert (await http.post(path)).status_code == 401
        assert (await http.post(path, headers=_bearer("wrong"))).status_code == 401
    assert (await http.post("/no-such-path", headers=_bearer(ASKER))).status_code == 404


@pytest.mark.parametrize("end", ["%0A", "%0D", "%00", "%E2%80%A8"])
async def test_a_path_with_something_unseen_behind_it_is_no_path(http: httpx.AsyncClient, end: str) -> None:
    for path in ("/admin", "/echo", "/health", "/whose"):
        for token in (TOKEN, ASKER):
            response = await http.post(path + end, headers=_bearer(token))
            assert (response.status_code, _code(response)) == (404, "not_found")


async def test_the_request_is_of_the_one_whose_token_it_brings(http: httpx.AsyncClient) -> None:
    for header in (f"Bearer {ASKER}", f"bearer {ASKER}", f"BEARER   {ASKER}  "):
        assert (await http.post("/whose", headers={"Authorization": header})).json() == "asker"


def test_without_a_right_token_a_request_is_nobodys() -> None:
    for state in ({}, {"state": {}}, {"state": {"caller": "owner"}}):
        assert caller_of(state) is None


async def test_a_body_may_be_as_large_as_its_path_allows_to_the_byte(http: httpx.AsyncClient) -> None:
    async def twice(half: int) -> AsyncIterator[bytes]:
        yield b"x" * half
        yield b"x" * half

    for path, most in (("/echo", MAX_BODY), ("/large", MAX_BODY * 2)):
        for content in (b"x" * most, twice(most // 2)):
            assert (await http.post(path, headers=_bearer(), content=content)).json() == {"bytes": most}
        for content in (b"x" * (most + 1), twice(most // 2 + 1)):
            refused = await http.post(path, headers=_bearer(), content=content)
            assert (refused.status_code, _code(refused)) == (413, "too_large")
            assert f"{most // 1024} KB" in refused.text


async def test_a_length_that_is_no_number_is_counted_as_it_comes(http: httpx.AsyncClient) -> None:
    headers = {**_bearer(), "Content-Length": "many"}
    assert (await http.post("/echo", headers=headers, content=b"x" * (MAX_BODY + 1))).status_code == 413
    assert (await http.post("/echo", headers=headers, content=b"x")).status_code == 200


async def test_what_had_begun_to_be_answered_is_not_answered_anew() -> None:
    sent: list[Any] = []

    async def early(_: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await receive()

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"x" * (MAX_BODY + 1)}

    async def send(message: Any) -> None:
        sent.append(message["type"])

    async def nobody(_: bytes) -> None: ...

    connection = {"type": "http", "path": "/", "headers": [(b"host", b"localhost")], "method": "POST"}
    with pytest.raises(TooLarge):
        await Guard(early, identify=nobody, needs={"/": ()})(connection, receive, send)
    assert sent == ["http.response.start"]


async def test_an_app_that_does_not_answer_for_a_large_body_itself_is_answered_for() -> None:
    async def bare(_: Any, receive: Any, send: Any) -> None:
        while (await receive()).get("more_body"):
            pass

    async def nobody(_: bytes) -> None: ...

    async def pieces() -> AsyncIterator[bytes]:
        for _ in range(2):
            yield b"x" * MAX_BODY

    transport = httpx.ASGITransport(Guard(bare, identify=nobody, needs={"/": ()}))
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
        refused = await client.post("/", content=pieces())
    assert (refused.status_code, _code(refused)) == (413, "too_large")
    assert "Send less" in refused.json()["hint"]


async def test_guessing_is_slowed_for_the_one_who_guesses(http: httpx.AsyncClient) -> None:
    waited: list[str] = []

    async def slow(_: Any, address: str) -> Any:
        waited.append(address)
        return Failure(401, "unauthorized", "No.")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(WrongTokens, "answered", slow)
        await http.post("/echo", headers=_bearer("wrong"))
        await http.post("/echo", headers=_bearer(ASKER))
        unnamed = httpx.ASGITransport(http._transport.app, client=None)  # type: ignore[attr-defined,arg-type]
        async with httpx.AsyncClient(transport=unnamed, base_url="http://localhost") as client:
            await client.post("/echo")
    assert waited == ["127.0.0.1", "an unnamed socket"]


async def test_what_is_no_request_goes_to_the_app_as_it_came() -> None:
    came: list[Any] = []

    async def app(*what: Any) -> None:
        came.extend(what)

    async def nobody(_: bytes) -> None: ...

    starting = {"type": "lifespan"}
    await Guard(app, identify=nobody, needs={})(starting, nobody, app)  # type: ignore[arg-type]
    assert came == [starting, nobody, app]
