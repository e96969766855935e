"""The page by Home Assistant's ingress: who is believed, and what each user of Home Assistant may do there."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import httpx
import pytest

from homeagent.app import App
from homeagent.client.asgi_transport import StreamingAsgiTransport
from homeagent.config.loading import Settings
from homeagent.ha.users import speaker_of, users_in
from homeagent.service.api import create_api
from tests.service.conftest import TOKEN, embeddings
from tests.service.web.browser import Browser

__all__ = ["embeddings"]
SUPERVISOR = "172.30.32.2"


def told(id: str, name: str, *groups: str, **more: object) -> dict[str, object]:
    return {"id": id, "name": name, "is_active": True, "is_owner": False, "group_ids": list(groups), **more}


USERS = users_in(
    [
        told("1" * 32, "Anna", "system-admin"),
        told("2" * 32, "Ben", "system-users"),
        told("3" * 32, "Cleo", "system-read-only"),
        told("4" * 32, "Dan", "system-users", is_active=False),
        told("5" * 32, "Eve", "system-admin", system_generated=True),
        told("6" * 32, "ben ", "system-users"),
        told("7" * 32, "Olga", is_owner=True),
    ]
)


@pytest.fixture
async def app(settings: Settings) -> AsyncIterator[App]:
    app = App(
        settings.model_copy(update={"supervisor": settings.supervisor.model_validate({"ingress_from": SUPERVISOR})})
    )
    await app.start()
    yield app
    await app.stop()


class Ingress:
    """Requests as the Supervisor hands them on; ``address``: where they come from."""

    def __init__(self, app: App, stack: AsyncExitStack) -> None:
        self._api = create_api(app, token=TOKEN)
        self._stack = stack

    async def browser(self, user: str | None, address: str = SUPERVISOR, **more: str) -> Browser:
        async def arriving(scope, receive, send):
            scope["client"] = (address, 4711)
            await self._api(scope, receive, send)

        headers = {"X-Ingress-Path": "/api/hassio_ingress/abc", "Host": "my-home.example", **more}
        if user is not None:
            headers["X-Remote-User-Id"] = user
        http = httpx.AsyncClient(
            transport=StreamingAsgiTransport(arriving), base_url="http://my-home.example", headers=headers, timeout=30
        )
        return Browser(await self._stack.enter_async_context(http))


@pytest.fixture
async def ingress(app: App, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Ingress]:
    async def users():
        return USERS

    monkeypatch.setattr(app.ha, "users", users)
    async with AsyncExitStack() as stack:
        yield Ingress(app, stack)


async def test_an_administrator_may_do_everything_and_signs_out_at_home_assistant(ingress: Ingress) -> None:
    for id in ("1" * 32, "7" * 32):
        browser = await ingress.browser(id)
        seen = await browser.open("/")
        assert {"log", "settings", "memories"} <= set(seen.links)
        assert "sign-out" not in [form.action for form in seen.forms]
        await browser.open("/settings")


async def test_a_plain_user_talks_and_looks_but_looks_after_nothing(ingress: Ingress) -> None:
    browser = await ingress.browser("2" * 32)
    seen = await browser.open("/")
    assert seen.form("say")
    assert not {"log", "settings"} & set(seen.links)
    await browser.open("/log", status=403)
    await browser.open("/settings", status=403)


async def test_who_may_only_look_is_inactive_unknown_or_no_person_gets_nothing(ingress: Ingress) -> None:
    for id in ("3" * 32, "4" * 32, "5" * 32, "8" * 32, "", None):
        browser = await ingress.browser(id)
        await browser.open("/", status=403)
        await browser.open("/home", status=403)


async def test_what_one_tells_in_private_is_theirs(ingress: Ingress, app: App) -> None:
    anna, ben = await ingress.browser("1" * 32), await ingress.browser("2" * 32)
    seen = await anna.open("/")
    await anna.send(seen.form("say"), status=303, text="Remember just for me that the present is in the attic.")
    assert "attic" in (await anna.open("/memories")).text
    assert "attic" not in (await ben.open("/memories")).text
    assert [one.user_id for one in await app.memories.list(user_id="anna", limit=5)] == ["anna"]


async def test_only_the_supervisors_address_is_believed(ingress: Ingress) -> None:
    elsewhere = await ingress.browser("1" * 32, address="172.30.33.7")
    await elsewhere.open("/", status=403)  # the name is foreign there
    named = await ingress.browser("1" * 32, address="172.30.33.7", Host="localhost")
    assert (await named.http.get("/home")).headers["location"] == "sign-in"
    without = await ingress.browser("1" * 32)
    del without.http.headers["X-Ingress-Path"]
    await without.open("/", status=403)


async def test_it_opens_the_pages_and_no_api(ingress: Ingress) -> None:
    browser = await ingress.browser("1" * 32)
    for path in ("/api/services/process", "/api/events", "/metrics", "/openapi.json", "/v1/models"):
        assert (await browser.http.get(path)).status_code == 404, path
        assert (await browser.http.post(path, json={"text": "hi"})).status_code == 404, path


async def test_a_form_of_somebody_else_or_of_nobody_is_refused(ingress: Ingress) -> None:
    anna, ben = await ingress.browser("1" * 32), await ingress.browser("2" * 32)
    form = (await anna.open("/")).form("say")
    await ben.send(form, status=403, text="turn on the kitchen lights")
    form.fields["form_key"] = ""
    await anna.send(form, status=403, text="turn on the kitchen lights")


async def test_home_assistant_may_show_it_in_a_frame_and_nobody_else(ingress: Ingress) -> None:
    inside = await (await ingress.browser("1" * 32)).http.get("/")
    assert "frame-ancestors 'self'" in inside.headers["content-security-policy"]
    outside = await (await ingress.browser("1" * 32, address="10.0.0.9", Host="localhost")).http.get("/sign-in")
    assert "frame-ancestors 'none'" in outside.headers["content-security-policy"]


def test_users_are_called_as_the_integration_calls_them() -> None:
    assert [speaker_of(user, USERS) for user in USERS if user.active] == [
        "anna",
        "ben-22222222",
        "cleo",
        "ben-66666666",
        "olga",
    ]
    nameless = users_in([told("9" * 32, "", "system-users")])
    assert speaker_of(nameless[0], nameless) == "99999999"
    assert users_in(None) == ()
