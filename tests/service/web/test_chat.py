"""The chat as a person has it: sentences, answers, yes and no, why, and the conversations of before."""

from __future__ import annotations

import html
import re
from dataclasses import replace
from typing import Any

import pytest

from homeagent.app import App
from homeagent.demo.server import DemoServer
from homeagent.errors import DatabaseError
from homeagent.turn import Say
from homeagent.turns.reply import Reply
from tests.service.web.browser import Browser, Form, Seen

DOOR = "lock.front_door"


async def heard(browser: Browser, form: Form, text: str, **fields: str) -> tuple[list[str], Seen]:
    """What htmx gets for a sentence: the parts in their order, and all of it as it is seen."""
    response = await browser.post(form, headers={"HX-Request": "true"}, text=text, **fields)
    assert response.headers["content-type"].startswith("text/event-stream")
    parts = [
        "\n".join(line.removeprefix("data: ") for line in part.split("\n")) for part in response.text.split("\n\n")
    ]
    return [part for part in parts if part], Seen("\n".join(parts))


async def test_a_sentence_is_answered(browser: Browser, demo: DemoServer) -> None:
    seen = await browser.send((await browser.open("")).form("say"), text="turn on the kitchen lights")
    assert demo.state("light.kitchen_lights")["state"] == "on"
    assert "You: turn on the kitchen lights Kitchen lights are on." in seen.text


async def test_the_answer_comes_in_parts_that_say_where_they_go(browser: Browser) -> None:
    parts, _ = await heard(browser, (await browser.open("")).form("say"), "turn on the kitchen lights")
    begun, *pieces, answered, listed = parts
    (turn,) = re.findall(r'<article class="turn" id="(.+?)" aria-busy="true">', begun)
    assert 'hx-target="#log" hx-swap="beforeend' in begun
    assert pieces
    assert "Kitchen lights are on." in "".join(Seen(piece).text for piece in pieces)
    assert f'hx-target="#{turn}" hx-swap="outerHTML' in answered
    assert "aria-busy" not in answered
    assert 'hx-target="#conversations"' in listed
    assert '<hx-partial hx-target="#spoken" hx-swap="innerHTML">Kitchen lights are on.</hx-partial>' in answered


async def test_one_click_says_that_it_was_wrong(browser: Browser, demo: DemoServer, app: App) -> None:
    seen = await browser.send((await browser.open("")).form("say"), text="turn on the reading lamp")
    seen = await browser.send(seen.form("was-wrong"))
    assert demo.state("light.reading_lamp")["state"] == "off"
    assert "You: That was wrong. Reading lamp is off. I have kept “turn on the reading lamp” as a test." in seen.text
    assert [test.text for test in await app.own_tests.all()] == ["turn on the reading lamp"]


async def test_beside_the_answer_stands_why(browser: Browser) -> None:
    _, seen = await heard(browser, (await browser.open("")).form("say"), "turn on the kitchen lights")
    for told in (
        "kitchen lights a name",  # understood
        "Kitchen lights light.kitchen_lights 1.00 · name",  # found, with its reason
        'ha_control {"action": "turn_on"',  # called
        "Kitchen lights: off → on done",  # before and after
        "Tokens 0 (prompt 0, answer 0)",
    ):
        assert told in seen.text
    assert re.search(r"Time [\d.]+ ms .*searching [\d.]+ ms .*acting [\d.]+ ms", seen.text)


async def test_why_is_told_in_the_visitors_language(browser: Browser) -> None:
    browser.http.headers["Accept-Language"] = "de"
    _, seen = await heard(browser, (await browser.open("")).form("say"), "turn on the kitchen lights")
    assert "Kitchen lights: aus → an getan" in seen.text
    assert "kitchen lights ein Name" in seen.text


async def test_yes_opens_the_door_and_no_leaves_it(browser: Browser, demo: DemoServer) -> None:
    for button, state, answer in (
        ("no", "locked", "All right, I leave"),
        ("yes", "unlocked", "Front door is unlocked"),
    ):
        seen = await browser.send((await browser.open("")).form("say"), text="unlock the front door")
        assert "Shall I?" in seen.text
        assert demo.state(DOOR)["state"] == "locked"
        seen = await browser.send(seen.form("decide"), button=button)
        assert demo.state(DOOR)["state"] == state
        assert answer.lower() in seen.text.lower()
        assert not [form for form in seen.forms if form.action == "decide"]


async def test_a_decided_question_gives_way_to_its_answer(browser: Browser, demo: DemoServer) -> None:
    _, seen = await heard(browser, (await browser.open("")).form("say"), "unlock the front door")
    assert seen.text.count("Shall I?") == 3  # streamed, answered, spoken; the buttons do not say it again
    form = seen.form("decide")
    response = await browser.post(form, "yes", {"HX-Request": "true"})
    assert f'hx-target="#asked-{form.fields["confirmation_id"]}" hx-swap="outerHTML"' in response.text
    told = Seen(response.text).text
    assert "Front door is unlocked" in told
    assert "Front door: locked → unlocked" in told
    again = await browser.post(form, "yes", {"HX-Request": "true"})
    assert (again.status_code, Seen(again.text).tags) == (404, ["p"])


async def test_conversations_are_kept_gone_on_with_and_forgotten(browser: Browser) -> None:
    seen = await browser.send((await browser.open("")).form("say"), text="turn on the kitchen lights")
    seen = await browser.send(seen.form("say"), text="turn them off")
    assert "Kitchen lights are off." in seen.text
    start = await browser.open("")
    (link,) = [link for link in start.links if "conversation=" in link]
    assert start.text.count("turn on the kitchen lights") == 1
    kept = await browser.open(link)
    assert "Kitchen lights are on." in kept.text
    assert "turn them off" in kept.text
    seen = await browser.send(kept.form("forget-conversation"))
    assert not [link for link in seen.links if "conversation=" in link]
    await browser.open(link, status=404)


async def test_what_is_said_is_text_and_nothing_else(browser: Browser) -> None:
    hostile = '<script>alert(1)</script><hx-partial hx-target="body">x</hx-partial> turn on "the\' kitchen lights'
    parts, seen = await heard(browser, (await browser.open("")).form("say"), hostile)
    assert "script" not in seen.tags
    assert html.escape(hostile, quote=True).replace("&#x27;", "&#39;").replace("&quot;", "&#34;") in parts[0]
    assert not any('hx-target="body"' in part for part in parts)
    kept = await browser.open("")
    assert all("static/" in one for one in kept.loaded)
    assert hostile in kept.text


async def test_the_homes_names_are_text_and_nothing_else(browser: Browser, app: App) -> None:
    await app.need_home()
    lights = app.home.entities["light.kitchen_lights"]
    app.home.put_entities([replace(lights, name="Lamp<script>alert(1)</script>")])
    _, seen = await heard(browser, (await browser.open("")).form("say"), "turn on light.kitchen_lights")
    assert "Lamp<script>alert(1)</script>" in seen.text
    assert "script" not in seen.tags


async def test_an_empty_or_endless_sentence_is_refused_in_words(browser: Browser) -> None:
    form = (await browser.open("")).form("say")
    for text, status in ((" ", 400), ("x" * 20_000, 413), ("a\0b", 400)):
        seen = await browser.send(form, status=status, text=text)
        assert seen.tags.count("h1") == 1


async def test_an_answer_comes_though_the_list_cannot_be_read(
    browser: Browser, app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fails(*_: object, **__: object) -> list[object]:
        raise DatabaseError("The database is locked.")

    form = (await browser.open("")).form("say")
    monkeypatch.setattr(app.past_turns, "conversations", fails)
    parts, seen = await heard(browser, form, "turn on the kitchen lights")
    assert "Kitchen lights are on." in seen.text
    assert not any("#conversations" in part for part in parts)
    response = await browser.http.get("")
    assert (response.status_code, "The database is locked." in response.text) == (503, True)


async def test_what_fails_on_the_way_is_told_where_the_answer_would_be(
    browser: Browser, app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fails(*_: object, **__: object) -> None:
        raise DatabaseError("The <database> is locked.")

    form = (await browser.open("")).form("say")
    monkeypatch.setattr(app.agent, "process", fails)
    parts, _ = await heard(browser, form, "turn on the kitchen lights")
    assert 'role="alert"' in parts[-1]
    assert "The &lt;database&gt; is locked." in parts[-1]
    assert "aria-busy" not in parts[-1]
    await browser.send(form, status=503, text="turn on the kitchen lights")


async def test_a_models_pieces_are_shown_as_they_come(
    browser: Browser, app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    process = app.agent.process

    async def spoken(text: str, *, say: Say, **more: Any) -> Reply:
        for piece in ("It", " is <b>", "\n", "bright</b>"):
            await say(piece)
        return replace(await process(text, **more), response="It is <b>\nbright</b> now.")

    form = (await browser.open("")).form("say")
    monkeypatch.setattr(app.agent, "process", spoken)
    parts, seen = await heard(browser, form, "turn on the kitchen lights")
    pieces = [re.sub(r"^<hx-partial[^>]*><span>|</span></hx-partial>$", "", part) for part in parts[1:-2]]
    assert pieces == ["It", " is &lt;b&gt;", "\n", "bright&lt;/b&gt;"]
    assert "b" not in seen.tags
