"""The pages beside the chat, as a person has them: the home, memories, what waits, timers, what was done, how it is."""

from __future__ import annotations

import asyncio
import re

import httpx
import pytest

from homeagent.access import Scope
from homeagent.app import App
from homeagent.demo.server import DemoServer
from homeagent.languages.answers import load_answers
from homeagent.service.web.home_page import said_state
from tests.service.conftest import TOKEN, Services
from tests.service.web.browser import Browser, Seen
from tests.service.web.conftest import Visits


@pytest.fixture
async def call(browser: Browser) -> Services:
    """Services beside the page, over the same API."""
    browser.http.headers["Authorization"] = f"Bearer {TOKEN}"
    return Services(browser.http)


async def until(response: httpx.Response, wanted: str) -> str:
    """What a stream has sent when ``wanted`` is in it."""
    heard = ""
    async with asyncio.timeout(10):
        async for piece in response.aiter_text():
            heard += piece
            if wanted in heard:
                return heard
    raise AssertionError(f"{wanted} never came: {heard}")


async def test_the_home_is_shown_by_floors_and_rooms_with_states(browser: Browser, demo: DemoServer) -> None:
    seen = await browser.open("home")
    for said in ("Kitchen lights off", "Front door locked"):
        assert said in seen.text
    floors = [seen.text.index(name) for name in ("Basement", "Ground floor", "First floor", "Outside")]
    assert floors == sorted(floors)
    assert seen.text.index("Ground floor") < seen.text.index("Kitchen lights off") < seen.text.index("First floor")


async def test_what_is_not_exposed_is_not_shown(browser: Browser, app: App) -> None:
    seen = await browser.open("home")
    hidden = [one for one in app.home.entities.values() if not one.exposed]
    assert hidden
    names = {one.name for one in app.home.exposed()}
    assert not [one.name for one in hidden if one.name not in names and f"> {one.name} <" in seen.text]
    assert f"state-{hidden[0].entity_id.replace('.', '-')}" not in (await browser.http.get("home")).text


async def test_a_search_lights_up_what_it_finds(browser: Browser) -> None:
    form = (await browser.open("home")).form("home")
    response = await browser.http.get("home", params={**form.fields, "q": "kitchen lights"})
    assert "Kitchen lights off light.kitchen_lights 1.00 · name" in Seen(response.text).text
    lit = [line for line in response.text.split("\n") if '<li class="hit">' in line]
    assert any("Kitchen lights" in line for line in lit)
    assert not any("Bedroom" in line for line in lit)
    nothing = await browser.http.get("home", params={"q": "<script>"})
    assert "<script>" not in nothing.text
    assert "Found for “<script>”" in Seen(nothing.text).text


async def test_a_change_in_the_home_reaches_the_page(browser: Browser, demo: DemoServer, app: App) -> None:
    await app.need_home()
    async with browser.http.stream("GET", "home-changes") as response:
        assert response.headers["content-type"].startswith("text/event-stream")
        heard = asyncio.create_task(until(response, "state-light-hall"))
        await asyncio.sleep(0.1)
        demo.set_state("light.hall", "off")
        part = await heard
    assert '<hx-partial hx-target="#state-light-hall" hx-swap="innerHTML">off</hx-partial>' in part
    async with browser.http.stream("GET", "home-changes", headers={"Last-Event-ID": "1"}) as response:
        assert "locked" in await until(response, "state-lock-front_door")


async def test_nothing_hidden_goes_over_the_stream(browser: Browser, demo: DemoServer, app: App) -> None:
    await app.need_home()
    hidden = next(one for one in app.home.entities.values() if not one.exposed)
    async with browser.http.stream("GET", "home-changes") as response:
        heard = asyncio.create_task(until(response, "state-light-hall"))
        await asyncio.sleep(0.1)
        demo.set_state(hidden.entity_id, "hidden-state")
        demo.set_state("light.hall", "off")
        assert "hidden-state" not in await heard


async def test_states_are_said_in_words_and_with_units(app: App) -> None:
    await app.need_home()
    german = load_answers("de")
    window = app.home.entities["binary_sensor.kitchen_window"]
    assert said_state(window, "on", german) != "on"
    measured = next(one for one in app.home.exposed() if one.unit == "°C")
    assert said_state(measured, "21.5", german) == "21.5 °C"
    assert said_state(window, "on", None) == "on"


async def test_memories_are_told_found_changed_and_forgotten(browser: Browser) -> None:
    seen = await browser.send(
        (await browser.open("memories")).form("add-memory"), content="The bins go out on <b>Thursday</b>"
    )
    assert "The bins go out on <b>Thursday</b>" in seen.text
    assert "b" not in seen.tags
    (link,) = [link for link in seen.links if link.startswith("memory?id=")]
    assert link in (await browser.open("memories?q=bins")).links
    one = await browser.open(link)
    form = one.form("edit-memory")
    assert form.fields["importance"] == "0.5"
    changed = await browser.send(form, content="The bins go out on Friday", importance="0.9", type="fact")
    assert "Friday" in changed.text
    assert "Friday" in (await browser.open("memories")).text
    gone = await browser.send(changed.form("forget-memory"))
    assert "Nothing is remembered." in gone.text
    await browser.open(link, status=404)


async def test_the_history_of_a_fact_is_shown(browser: Browser, call: Services) -> None:
    await call("add_memory", content="The bins go out on Thursday")
    new = await call("add_memory", content="The bins go out on Friday")
    told = await call("get_memory", memory_id=new["memory_id"])
    seen = await browser.open(f"memory?id={new['memory_id']}")
    assert told["history"]
    for one in told["history"]:
        assert one["content"] in seen.text


async def test_the_life_of_a_memory_is_shown(browser: Browser, call: Services) -> None:
    said = "Remember that the boiler should be at 60 degrees"
    await call("process", text=said, language="en")
    [kept] = (await call("list_memories"))["memories"]
    page = f"memory?id={kept['id']}"
    assert "Not used yet." in (await browser.open(page)).text
    await call("process", text="What did I say about the boiler?", language="en")
    seen = (await browser.open(page)).text
    assert said in seen
    assert "What did I say about the boiler?" in seen


async def test_what_is_anothers_alone_is_not_there(visit: Visits, call: Services) -> None:
    added = await call("add_memory", content="Ada hides the presents", user_id="ada")
    bob = await visit(Scope.READ, Scope.ASK, user="bob")
    assert "presents" not in (await bob.open("memories")).text
    await bob.open(f"memory?id={added['memory_id']}", status=404)
    form = (await bob.open("memories")).form("add-memory")
    form.action = "forget-memory"
    del form.fields["content"]
    await bob.send(form, status=404, memory_id=added["memory_id"])
    await bob.send(form, status=403, memory_id=added["memory_id"], user_id="ada")
    ada = await visit(Scope.READ, user="ada")
    seen = await ada.open(f"memory?id={added['memory_id']}")
    assert "presents" in seen.text
    assert not [form for form in seen.forms if form.action != "sign-out"]


async def test_what_waits_is_asked_on_its_page_too(browser: Browser, demo: DemoServer) -> None:
    assert "Nothing waits" in (await browser.open("waiting")).text
    await browser.send((await browser.open("")).form("say"), text="unlock the front door")
    form = (await browser.open("waiting")).form("decide")
    await browser.post(form, "yes", {"HX-Request": "true"})
    assert demo.state("lock.front_door")["state"] == "unlocked"
    assert "Nothing waits" in (await browser.open("waiting")).text


async def test_timers_are_shown_paused_and_cancelled(browser: Browser, call: Services) -> None:
    assert "Nothing is set." in (await browser.open("timers")).text
    await call("set_timer", kind="timer", name="Pizza <i>", in_seconds=600)
    seen = await browser.open("timers")
    assert "Pizza <i>" in seen.text
    assert "i" not in seen.tags
    seen = await browser.send(seen.form("steer-timer"), button="pause")
    assert "paused" in seen.text
    seen = await browser.send(seen.form("steer-timer"), button="resume")
    seen = await browser.send(seen.form("steer-timer"), button="cancel")
    assert "Nothing is set." in seen.text


async def test_the_log_says_what_was_done_with_which_yes(browser: Browser, app: App) -> None:
    seen = await browser.send((await browser.open("")).form("say"), text="unlock the front door")
    await browser.send(seen.form("decide"), button="yes")
    seen = await browser.open("log")
    assert "Front door: locked → unlocked" in seen.text
    assert "with a yes" in seen.text
    assert f"unlock the front door {app.home.now():%Y-%m-%d %H:}" in seen.text


async def test_events_come_as_they_happen(browser: Browser) -> None:
    assert "event-stream" in (await browser.http.get("events")).text
    form = (await browser.open("")).form("say")
    async with browser.http.stream("GET", "event-stream") as response:
        heard = asyncio.create_task(until(response, "conversation.finished"))
        await asyncio.sleep(0.1)
        await browser.send(form, text="turn on the kitchen lights")
        part = Seen((await heard).replace("data: ", ""))
    assert "conversation.finished" in part.text
    assert "kitchen lights" not in part.text  # what is said is on no stream unless the settings say so


async def test_a_code_to_pair_with_is_shown_and_works(browser: Browser, app: App) -> None:
    seen = await browser.send((await browser.open("settings")).form("start-pairing"))
    (code,) = re.findall(r"\b[A-Z2-9]{4}-[A-Z2-9]{4}\b", seen.text)
    await app.pairing.redeem(code, "the hall's tablet")
    assert [token.name for token in await app.tokens.named()] == ["the hall's tablet"]


async def test_health_and_settings_are_told_without_secrets(browser: Browser, demo: DemoServer, app: App) -> None:
    await app.need_home()
    assert "home_assistant: ok" in (await browser.open("status")).text
    seen = await browser.open("settings")
    assert f"home_assistant.url{demo.url}" in seen.text
    assert demo.token not in seen.text
    assert "home_assistant.token***" in seen.text


async def test_a_timer_is_set_by_minutes_and_silenced_when_it_rings(browser: Browser, app: App) -> None:
    seen = await browser.send((await browser.open("timers")).form("set-timer"), minutes="0,001", name="Tea")
    assert "Tea" in seen.text
    async with asyncio.timeout(10):
        while not any(form.buttons.get("dismiss") for form in seen.forms):
            await asyncio.sleep(0.1)
            seen = await browser.open("timers")
    assert "ringing" in seen.text
    async with asyncio.timeout(10):  # while it is being told that it rings it cannot be put off
        while (answer := await browser.post(seen.form("steer-timer"), "snooze")).status_code == 404:
            seen = await browser.open("timers")
    assert "Timer · set ·" in Seen(answer.text).text
    seen = await browser.open("timers")
    for minutes in ("soon", "", "-1", "nan", "1e999"):
        await browser.send(seen.form("set-timer"), status=400, minutes=minutes, name="Never")
    assert "Never" not in (await browser.open("timers")).text


async def test_there_are_not_endlessly_many_who_watch(browser: Browser, app: App) -> None:
    service = app.settings.service.model_copy(update={"max_listeners": 1})
    app.settings = app.settings.model_copy(update={"service": service})
    await app.need_home()
    everything = {"Last-Event-ID": "1"}
    async with browser.http.stream("GET", "home-changes", headers=everything) as response:
        await until(response, "state-light-hall")
        refused = await browser.http.get("home-changes", headers={"HX-Request": "true"})
        assert refused.status_code == 503
        assert "listeners" in refused.text
    async with browser.http.stream("GET", "home-changes", headers=everything) as response:
        await until(response, "state-light-hall")


async def test_the_api_is_documented_without_loading_anything(browser: Browser) -> None:
    page = (await browser.http.get("docs")).text
    seen = Seen(page)
    document = (await browser.http.get("openapi.json", headers={"Authorization": f"Bearer {TOKEN}"})).json()
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            assert f"{method.upper()} {path}" in seen.text
            assert f'id="{operation["operationId"]}"' in page
    assert "list of Question" in seen.text
    assert """-d '{"text": "are any windows open?", "language": "en"}'""" in seen.text
    loaded = re.findall(r'(?:src|href)="([^"]+)"', page)
    assert not [address for address in loaded if "//" in address]
    assert "`" not in seen.text


async def test_the_api_is_documented_for_those_who_may_read(visit: Visits) -> None:
    assert (await (await visit(Scope.ASK)).http.get("docs")).status_code == 403
    stranger = await visit()
    assert str((await stranger.http.get("docs")).url).endswith("sign-in")
