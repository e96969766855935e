"""Signing in at the page, and what keeps others from using it: the same guard, the same scopes."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest
from starlette.datastructures import Headers

from homeagent.access import Scope
from homeagent.access_tokens import TokenDigest, digest
from homeagent.app import App
from homeagent.client.asgi_transport import StreamingAsgiTransport
from homeagent.demo.server import DemoServer
from homeagent.service.api import create_api
from homeagent.service.services import SERVICES
from homeagent.service.web import pages
from homeagent.service.web.session import Sessions, session_in
from homeagent.service.wrong_tokens import WrongTokens
from tests.service.conftest import TOKEN
from tests.service.web.browser import Browser
from tests.service.web.conftest import Visits


async def test_who_has_not_signed_in_is_shown_where_to(visit: Visits) -> None:
    seen = await (await visit()).open("")
    assert seen.form("sign-in").fields == {"token": ""}
    assert "homeagent token show" in seen.text
    assert seen.links == ["#main"]


async def test_the_token_opens_the_page_once_and_for_all(visit: Visits) -> None:
    browser = await visit()
    seen = await browser.sign_in(f" {TOKEN}\n")
    assert seen.form("say")
    assert (await browser.open("")).form("say")


async def test_the_cookie_is_out_of_reach_and_is_no_token(visit: Visits) -> None:
    http = (await visit()).http
    response = await http.post("sign-in", data={"token": TOKEN}, follow_redirects=False)
    assert (response.status_code, response.headers["location"]) == (303, "./")
    said = response.headers["set-cookie"]
    assert "HttpOnly" in said
    assert "SameSite=strict" in said
    assert "Path" not in said
    assert "Secure" not in said
    assert TOKEN not in said
    tls = await http.post("sign-in", data={"token": TOKEN}, headers={"X-Forwarded-Proto": "https"})
    assert "Secure" in tls.history[0].headers["set-cookie"]


async def test_a_wrong_token_opens_nothing(visit: Visits) -> None:
    browser = await visit()
    for token in ("wrong", "", "wrông", TOKEN[:-1], f"{TOKEN}x"):
        form = (await browser.open("sign-in")).form("sign-in")
        seen = await browser.send(form, status=401, token=token)
        assert "wrong" in seen.text
    assert browser.http.cookies.jar.__len__() == 0
    assert (await browser.open("")).form("sign-in")


async def test_who_tries_many_tokens_waits(visit: Visits, monkeypatch: pytest.MonkeyPatch) -> None:
    delays: list[float] = []
    counted = WrongTokens.delay

    def delay(self: WrongTokens, address: str) -> float:
        delays.append(counted(self, address))
        return delays[-1]

    monkeypatch.setattr(WrongTokens, "delay", delay)
    browser = await visit()
    for _ in range(5):
        await browser.http.post("sign-in", data={"token": "wrong"})
    assert delays == [0, 0, 0, 0.1, 0.2]
    for _ in range(5):
        await browser.open("")  # who has not signed in has tried none
    assert len(delays) == 5


async def test_signing_out_ends_it_on_the_server(browser: Browser) -> None:
    kept = dict(browser.http.cookies)
    seen = await browser.send((await browser.open("")).form("sign-out"))
    assert seen.form("sign-in")
    assert not browser.http.cookies
    browser.http.cookies.update(kept)
    assert (await browser.open("")).form("sign-in")


async def test_a_revoked_token_ends_what_was_signed_in_with_it(visit: Visits, app: App) -> None:
    browser = await visit()
    await browser.sign_in(await app.tokens.add("tablet", [Scope.ASK], None))
    assert (await browser.open("")).form("say")
    await app.tokens.revoke("tablet")
    response = await browser.http.get("")
    assert "sign-in" in str(response.url) or response.status_code == 401


async def test_the_cookie_counts_on_pages_alone(browser: Browser) -> None:
    for path in ("/api/services/list_memories", "/v1/chat/completions"):
        response = await browser.http.post(path, json={})
        told = response.json()
        assert (response.status_code, told.get("error", told)["code"]) == (401, "unauthorized")
    assert (await browser.http.get("/api/events")).status_code == 401


async def test_a_page_that_there_is_not_is_told_as_that(browser: Browser, visit: Visits, app: App) -> None:
    for path in ("no-such-page", "api/no-such", "static"):
        assert (await browser.http.get(path)).status_code == 404
    seen = await browser.http.get("no-such-page")
    assert "There is no such page." in seen.text
    assert "<nav" in seen.text
    stranger = await visit()
    assert (await stranger.http.get("no-such-page")).status_code == 401
    guest = await visit()
    await guest.sign_in(await app.tokens.add("guest", [Scope.ASK], None))
    await app.tokens.revoke("guest")
    assert (await guest.http.get("no-such-page")).status_code == 401


async def test_a_form_of_no_session_does_nothing(browser: Browser, visit: Visits, demo: DemoServer) -> None:
    theirs = (await (await visit(Scope.ASK)).open("")).form("say").fields["form_key"]
    form = (await browser.open("")).form("say")
    for key in ("", "x", "ü", theirs):
        seen = await browser.send(form, status=403, form_key=key, text="turn on the kitchen lights")
        assert "not of this session" in seen.text
    del form.fields["form_key"]
    await browser.send(form, status=403, text="turn on the kitchen lights")
    assert demo.state("light.kitchen_lights")["state"] == "off"


async def test_a_form_of_another_site_does_nothing(browser: Browser, demo: DemoServer) -> None:
    form = (await browser.open("")).form("say")
    for headers in (
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": "http://evil.example"},
    ):
        response = await browser.post(form, headers=headers, text="turn on the kitchen lights")
        assert response.status_code == 403
    assert demo.state("light.kitchen_lights")["state"] == "off"
    foreign = await browser.http.post("sign-in", data={"token": TOKEN}, headers={"Sec-Fetch-Site": "cross-site"})
    assert foreign.status_code == 403


async def test_each_page_needs_the_scopes_it_says(visit: Visits) -> None:
    lacking = {scope: await visit(*(set(Scope) - {scope})) for scope in Scope}
    for path, needs in pages.NEEDS.items():
        for scope in needs:
            response = await lacking[scope].http.get(path)
            assert response.status_code == 403, path
            assert scope in response.text
            assert "text/html" in response.headers["content-type"]


async def test_only_signing_in_and_files_are_open() -> None:
    assert {path for path, needs in pages.NEEDS.items() if not needs and not path.startswith("/static/")} == {
        "/sign-in",
        "/sign-out",
    }
    assert not set(pages.NEEDS) & {f"/api/services/{name}" for name in SERVICES}


async def test_who_may_ask_and_no_more_sees_no_conversations_and_decides_nothing(visit: Visits) -> None:
    browser = await visit(Scope.ASK)
    form = (await browser.open("")).form("say")
    response = await browser.post(form, headers={"HX-Request": "true"}, text="unlock the front door")
    assert "may not decide" in response.text
    assert 'value="yes"' not in response.text
    assert "?conversation=" not in response.text
    refused = await browser.http.post("decide", data={"form_key": form.fields["form_key"], "approve": "yes"})
    assert refused.status_code == 403


async def test_every_answer_lets_only_our_own_files_load(browser: Browser) -> None:
    for path in ("", "sign-in", "static/page.css", "nothing-of-the-kind"):
        response = await browser.http.get(path)
        if path != "nothing-of-the-kind":
            rules = response.headers["content-security-policy"]
            assert rules.startswith("default-src 'none'; script-src 'self'; style-src 'self';")
            assert "unsafe" not in rules
            assert "frame-ancestors 'none'" in rules
            assert response.headers["x-content-type-options"] == "nosniff"


async def test_a_session_ends_after_a_month_and_there_are_not_endlessly_many() -> None:
    now = 0.0
    sessions = Sessions(clock=lambda: now)

    def headers(session: str) -> Headers:
        return Headers({"host": "localhost:8765", "cookie": f"other=1; homeagent-8765={session}"})

    first = sessions.open(b"token")
    assert session_in(headers(first)) == first
    assert sessions.token(headers(first)) == TokenDigest(digest(b"token"))
    assert sessions.token(Headers({"host": "localhost", "cookie": f"homeagent-8765={first}"})) == b""
    now = 31 * 24 * 3600.0
    assert sessions.token(headers(first)) == b""
    second = sessions.open(b"token")
    for _ in range(255):
        sessions.open(b"another")
    assert sessions.token(headers(second)) == TokenDigest(digest(b"token"))
    sessions.open(b"another")
    assert sessions.token(headers(second)) == b""


async def test_htmx_is_led_to_signing_in(visit: Visits) -> None:
    response = await (await visit()).http.post("say", headers={"HX-Request": "true"})
    assert (response.status_code, response.headers["hx-redirect"]) == (401, "sign-in")
    assert isinstance(response, httpx.Response)


async def test_a_new_start_signs_nobody_out_and_the_file_tells_no_token(browser: Browser, app: App) -> None:
    file = app.settings.data_dir / "page-sessions.json"
    assert file.stat().st_mode & 0o077 == 0
    cookie = str(next(iter(browser.http.cookies.jar)).value)
    assert TOKEN not in file.read_text()
    assert cookie not in file.read_text()
    headers = Headers({"host": "localhost", "cookie": f"homeagent={cookie}"})
    assert Sessions(file).token(headers) == digest(TOKEN.encode())  # the service anew knows the file alone
    async with httpx.AsyncClient(
        transport=StreamingAsgiTransport(create_api(app, token=TOKEN)), base_url="http://localhost"
    ) as later:
        later.cookies.update(browser.http.cookies)
        assert (await later.get("home")).status_code == 200
    async with httpx.AsyncClient(
        transport=StreamingAsgiTransport(create_api(app, token="another")), base_url="http://localhost"
    ) as later:
        later.cookies.update(browser.http.cookies)
        assert (await later.get("home")).status_code == 303, "with the token the session goes, too"
    await browser.send((await browser.open("home")).form("sign-out"))
    assert file.read_text() == "[]"


async def test_what_stands_in_the_file_opens_nothing_as_a_token(browser: Browser, app: App) -> None:
    stolen = (app.settings.data_dir / "page-sessions.json").read_text().split('"')
    for given in (part for part in stolen if len(part) == 64):
        refused = await browser.http.get("api/doctor", headers={"Authorization": f"Bearer {given}"})
        assert refused.status_code == 401
        browser.http.cookies.clear()
        shown = await browser.http.get("home", headers={"Cookie": f"homeagent={given}"})
        assert shown.url.path.endswith("sign-in")


def test_a_file_that_cannot_be_read_means_that_nobody_has_signed_in(tmp_path: Path) -> None:
    for broken in ("", "{", "[1]", '[["xx", "yy", 1]]', "7"):
        (tmp_path / "s.json").write_text(broken)
        assert Sessions(tmp_path / "s.json").token(Headers({"host": "h", "cookie": "homeagent=x"})) == b""
