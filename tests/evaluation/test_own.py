"""One's own home: what is hard to find in it, why, and what helps. Nothing is touched."""

import pytest

from homeagent.demo.inventory import parse_inventory
from homeagent.demo.server import DemoServer
from homeagent.evaluation.own.check import check

HOME = {
    "areas": [{"name": "Kitchen", "id": "kitchen"}, {"name": "Study", "id": "study"}],
    "entities": [
        {"name": "Reading Lamp", "id": "light.reading", "area": "study", "state": "off"},
        {"name": "Ceiling", "id": "light.one", "area": "kitchen", "state": "off"},
        {"name": "Ceiling", "id": "light.two", "area": "kitchen", "state": "off"},
        {"name": "Radiator", "id": "climate.kitchen", "area": "kitchen", "state": "heat"},
        {"name": "Radiator", "id": "climate.study", "area": "study", "state": "heat"},
        {"name": "TS0121_2f7c", "id": "switch.plug", "area": "study", "state": "off"},
        {"name": "Kettle", "id": "switch.kettle", "state": "off"},
        {"name": "Study", "id": "light.study", "area": "study", "state": "off"},
        {"name": "Printer", "id": "switch.printer", "area": "study", "state": "off", "x-aliases": ["laser"]},
        {"name": "Secret", "id": "switch.secret", "area": "study", "state": "off", "x-exposed": False},
    ],
}


def own(settings, server):
    home = settings.home_assistant.model_copy(update={"url": server.url, "token": server.token})
    return settings.model_copy(update={"home_assistant": type(home).model_validate(home.model_dump())})


@pytest.fixture
async def result(words_only):
    async with DemoServer(parse_inventory(HOME)) as server:
        before = {e["id"]: server.state(e["id"]) for e in HOME["entities"]}
        result = await check(own(words_only, server))
        assert server.calls == []
        assert before == {e["id"]: server.state(e["id"]) for e in HOME["entities"]}
    return result


async def test_what_is_hard_to_find_is_told_with_the_reason_and_advice(result):
    hard = {e["entity_id"]: e for e in result["hard"]}
    assert "same_name_and_room" in hard["light.one"]["codes"]
    assert "same_name_and_room" in hard["light.two"]["codes"]
    assert "code" in hard["switch.plug"]["codes"]
    assert "no_area" in hard["switch.kettle"]["codes"]
    assert "name_of_a_place" in hard["light.study"]["codes"]
    assert "same_name" in hard["climate.kitchen"]["codes"]
    assert "light.two" in " ".join(hard["light.one"]["why"])
    assert "“Kitchen Radiator”" in " ".join(hard["climate.kitchen"]["advice"])
    assert all(e["why"] and len(e["why"]) == len(e["advice"]) for e in result["hard"])


async def test_what_is_easy_to_find_is_not_listed(result):
    assert not {"light.reading", "switch.printer", "switch.secret"} & {e["entity_id"] for e in result["hard"]}
    assert result["entities"] == 9
    assert result["total"] > result["entities"]
    assert 0.5 < result["found"] <= 1
    assert 0.3 < result["understood"] < 1


async def test_sentences_are_in_the_homes_language(words_only):
    german = {**HOME, "x-language": "de", "entities": [{**HOME["entities"][1], "name": "Decke"}] * 1}
    twin = {**german["entities"][0], "id": "light.other"}
    async with DemoServer(parse_inventory({**german, "entities": [german["entities"][0], twin]})) as server:
        result = await check(own(words_only, server))
    said = " ".join(s for e in result["hard"] for s in e["sentences"])
    assert "Decke" in said
    assert "turn on" not in said
