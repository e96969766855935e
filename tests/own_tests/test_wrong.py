"""'That was wrong': what was done is taken back, and the sentence becomes a test of the owner's own."""

from __future__ import annotations

import datetime
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from homeagent.config.settings import Settings
from homeagent.errors import NotFound, TooManyOwnTests
from homeagent.evaluation.own.mine import try_mine
from homeagent.own_tests import store
from homeagent.own_tests.snapshot import inventory_of
from homeagent.own_tests.store import OwnTest, OwnTests, Right
from homeagent.values.jsonable import jsonable
from tests.databases import database
from tests.demo.showing import Shown, shown

pytestmark = pytest.mark.asyncio(loop_scope="module")

SAID = {
    "en": ("turn on the reading lamp", ["that was wrong", "no, that was wrong", "that was not what I wanted"]),
    "de": ("mach die Leselampe an", ["das war falsch", "nein, das war falsch", "das hast du falsch gemacht"]),
    "fr": ("allume la lampe de lecture", ["c'était faux", "non, c'était une erreur", "ce n'était pas ça"]),
    "es": ("enciende la lámpara de lectura", ["eso estuvo mal", "no, eso estuvo mal", "te has equivocado"]),
    "nl": ("doe de leeslamp aan", ["dat was fout", "nee, dat was fout", "je hebt je vergist"]),
    "ko": ("독서등 켜줘", ["틀렸어", "아니, 틀렸어", "그게 아니었어"]),
}
LAMP = "light.reading_lamp"


@pytest_asyncio.fixture(scope="module", loop_scope="module", params=sorted(SAID))
async def home(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Shown]:
    folder: Path = tmp_path_factory.mktemp("wrong")
    async with shown(folder, request.param) as home:
        yield home


async def said(home: Shown, *texts: str) -> Any:
    reply = None
    for text in texts:
        conversation = reply.conversation_id if reply else None
        reply = await home.app.agent.process(text, language=home.language, conversation_id=conversation)
    return reply


async def test_it_is_taken_back_and_kept(home: Shown) -> None:
    order, complaints = SAID[home.language]
    for complaint in complaints:
        for old in await home.app.own_tests.all():
            await home.app.own_tests.delete(old.id)
        home.server.set_state(LAMP, "off")
        await home.app.ha.home.wait_until(lambda: home.app.home.state_text(LAMP) == "off", [LAMP], 5)
        reply = await said(home, order, complaint)
        assert home.state(LAMP) == "off", complaint
        assert order in reply.response
        (kept,) = await home.app.own_tests.all()
        assert (kept.text, kept.language) == (order, home.language)
        assert kept.calls[0]["parameters"]["action"] == "turn_on"
        lamp = next(one for one in kept.home["entities"] if one["id"] == LAMP)
        assert lamp["state"] == "off"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def english(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Shown]:
    async with shown(tmp_path_factory.mktemp("wrong")) as home:
        yield home


async def test_what_takes_it_back_goes_through_the_policy(english: Shown) -> None:
    english.server.set_state("lock.front_door", "unlocked")
    await english.app.home.wait_until(
        lambda: english.app.home.state_text("lock.front_door") == "unlocked", ["lock.front_door"], 5
    )
    reply = await said(english, "lock the front door", "that was wrong")
    assert reply.pending
    assert english.state("lock.front_door") == "locked"


async def test_of_an_answer_nothing_is_taken_back(english: Shown) -> None:
    before = len(english.server.calls)
    reply = await said(english, "how warm is it outside?", "that was wrong")
    assert english.server.calls[before:] == []
    assert "I have kept “how warm is it outside?” as a test." in reply.response


async def test_the_sentence_that_a_yes_answered_is_the_one_that_is_kept(english: Shown) -> None:
    await said(english, "unlock the front door", "yes", "that was wrong")
    assert (await english.app.own_tests.all())[0].text == "unlock the front door"
    assert english.state("lock.front_door") == "locked"


async def test_before_anything_was_said_there_is_nothing_to_keep(english: Shown) -> None:
    kept = await english.app.own_tests.all()
    reply = await said(english, "that was wrong")
    assert reply.response == "I am sorry. Please tell me again what I should do."
    assert await english.app.own_tests.all() == kept


async def test_no_model_is_offered_it(english: Shown) -> None:
    toolbox = english.app.toolbox
    offered = {schema["function"]["name"] for schema in toolbox.schemas()}  # type: ignore[index]
    assert set(toolbox.names) - offered == {"keep_own_test"}


async def test_nothing_that_gives_access_or_tells_where_somebody_is_is_kept(english: Shown) -> None:
    secret = {"access_token": "s3cr3t", "entity_picture": "/api/x?token=s3cr3t", "latitude": 52.1, "code": "4321"}
    for entity_id in ("camera.front_door", "person.anna", "media_player.tv", "alarm_control_panel.home"):
        english.server.set_state(entity_id, None, secret)
    await english.app.home.wait_until(
        lambda: "latitude" in english.app.home.state("person.anna").attributes,  # type: ignore[union-attr]
        ["person.anna"],
        5,
    )
    kept = inventory_of(english.app.home, [*english.app.home.entities], {})
    text = str(kept)
    assert "Reading lamp" in text
    for told in ("s3cr3t", "latitude", "4321", "switch.server_rack"):
        assert told not in text, told


async def test_the_tests_are_run_in_the_home_that_was_kept(english: Shown, tmp_path: Path) -> None:
    tests = english.app.own_tests
    await said(english, "turn on the study light", "turn off the study light", "that was wrong")
    wrong = (await tests.all())[0]
    assert wrong.led_up == ("turn on the study light",)

    async def tried() -> Any:
        told = [jsonable(await tests.get(wrong.id))]
        (one,) = await try_mine(
            told,
            Settings.model_validate(
                {"data_dir": tmp_path, "index": {"endpoint": "http://127.0.0.1:9", "model": "none"}}
            ),
        )
        return one

    assert (await tried()).why == "the same again"
    await tests.say_right(wrong.id, Right({"light.study": "off"}))
    assert (await tried()).passed
    await tests.say_right(wrong.id, Right({"light.study": "on"}))
    assert "light.study" in (await tried()).why
    await tests.say_right(wrong.id, Right({"light.study": "off"}, says="Study light is off"))
    assert (await tried()).passed
    for wanted in (Right({"light.study": "off"}, says="light is o"), Right({"light.study": "off"}, says="tudy light")):
        await tests.say_right(wrong.id, wanted)
        assert (await tried()).passed is wanted.says.startswith("light")  # texts begin at a word's edge, here too
    await tests.say_right(wrong.id, Right(says="I leave it"))
    assert not (await tried()).passed


async def test_what_is_kept_is_told_changed_deleted_and_bounded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:

    tests = OwnTests(database(tmp_path))
    at = datetime.datetime(2026, 5, 1, 12, tzinfo=datetime.UTC)
    one = OwnTest(0, at, "t1", "en", "on", "On.", ({"name": "ha_control", "parameters": {}},), {"entities": []})
    kept = await tests.keep(one)
    assert await tests.get(kept.id) == kept
    again = await tests.keep(one)
    assert [test.turn_id for test in await tests.all()] == ["t1"]
    assert (await tests.say_right(again.id, Right({"light.x": "on"}, "On"))).right == Right({"light.x": "on"}, "On")
    monkeypatch.setattr(store, "MOST", 1)
    with pytest.raises(TooManyOwnTests):
        await tests.keep(OwnTest(0, at, "t2", "en", "on", "On.", (), {}))
    await tests.delete(again.id)
    for call in (tests.get(again.id), tests.delete(again.id), tests.say_right(again.id, Right())):
        with pytest.raises(NotFound):
            await call
