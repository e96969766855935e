"""Measuring on a real Home Assistant gives the verdicts that it gives on the demo home."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pytest
import yaml
from websockets.sync.client import connect

from homeagent.config.settings import Settings
from homeagent.demo.inventory import load_inventory
from homeagent.errors import InvalidInput
from homeagent.evaluation.dataset import load
from homeagent.evaluation.report import summary
from homeagent.evaluation.runner import How, run
from tests.e2e import real

FOLDER = Path(__file__).parent / "measured"
NOT_THEMSELVES = {"binary_sensor", "sensor", "weather", "scene", "script"}
"""What is only asked about, or changes other things."""


@pytest.fixture(scope="module")
def instance(tmp_path_factory):
    inventory = load_inventory(FOLDER / "_fixtures.yaml")
    started = real.start(inventory, tmp_path_factory.mktemp("measured"))
    _expose(started, [e.id for e in inventory.entities])
    yield started
    real.stop(started, for_good=True)


def _expose(instance, entity_ids):
    """As an owner does: of helpers and scripts Home Assistant exposes none by itself."""
    with connect(instance.url.replace("http", "ws", 1) + "/api/websocket") as socket:
        socket.recv()
        socket.send(json.dumps({"type": "auth", "access_token": instance.token}))
        socket.recv()
        command = {"id": 1, "type": "homeassistant/expose_entity", "assistants": ["conversation"]}
        socket.send(json.dumps({**command, "entity_ids": entity_ids, "should_expose": True}))
        assert json.loads(socket.recv())["success"]


@pytest.fixture
def settings():
    return Settings.model_validate(
        {"agent": {"brain": "local"}, "index": {"endpoint": "http://127.0.0.1:9", "model": "none"}}
    )


def verdicts(done):
    return {m.case.case_id: (m.say.text, str(m.judgement.verdict), m.judgement.why) for m in done.measured}


async def test_thirty_sentences_get_the_same_verdict_on_the_demo_home_and_on_a_real_one(instance, settings):
    dataset = load([FOLDER])
    there = await run(dataset, settings, How(url=instance.url, token=instance.token))
    here = await run(dataset, settings)
    assert there.problems == []
    assert there.policy == "everything allowed"  # for it says that it is a test home
    assert {k: v[:2] for k, v in verdicts(there).items()} == {k: v[:2] for k, v in verdicts(here).items()}
    assert len(verdicts(here)) >= 30
    acted_upon = {i.partition(".")[0] for m in there.measured for o in m.say.acceptable for i in o.changes}
    assert acted_upon == {e.domain for e in instance.inventory.entities} - NOT_THEMSELVES
    *others, last = verdicts(there).values()
    assert [v for v in others if v[1] != "right"] == []
    assert last[1] == "wrong action"


async def test_home_assistants_own_agent_is_judged_in_the_same_way(instance, settings):
    done = await run(load([FOLDER]), settings, How(url=instance.url, token=instance.token, home_assistant=True))
    found = verdicts(done)
    assert len(found) >= 30
    assert found[next(iter(found))][1] == "right"  # "turn off the kitchen light"
    assert 0 < summary(done)["success"] < 1
    assert any("speaker's room" in problem for problem in done.problems)


async def test_a_home_without_the_sets_entities_is_refused_with_their_names(instance, settings, tmp_path):
    raw = yaml.safe_load((FOLDER / "_fixtures.yaml").read_text())
    raw["entities"].append({"name": "Sauna", "id": "switch.sauna", "state": "off"})
    (tmp_path / "_fixtures.yaml").write_text(yaml.safe_dump(raw, allow_unicode=True))
    (tmp_path / "tasks.yaml").write_text("tests: [{sentences: [sauna on], x-expect: refuse}]")
    with pytest.raises(InvalidInput, match=r"switch\.sauna"):
        await run(load([tmp_path]), settings, How(url=instance.url, token=instance.token))


async def test_a_home_that_is_no_test_home_gets_the_real_policy_and_is_never_reset(settings, demo, tmp_path):
    """The demo server has no such service, and may stand for anybody's home."""
    inventory = demo.world.inventory
    named = [{"name": e.name or e.id, "id": e.id, "state": e.state} for e in inventory.entities if e.domain == "lock"]
    (tmp_path / "_fixtures.yaml").write_text(yaml.safe_dump({"entities": named}, allow_unicode=True))
    (tmp_path / "tasks.yaml").write_text(
        "tests: [{sentences: [unlock the front door], expect_changes: {lock.front_door: {state: unlocked}}},"
        " {sentences: [lock the front door], setup: {lock.front_door: {state: jammed}}, x-expect: refuse}]"
    )
    done = await run(load([tmp_path]), settings, How(url=demo.url, token=demo.token))
    assert done.policy == "as delivered"
    assert any("needs lock.front_door to be otherwise" in problem for problem in done.problems)
    [measured] = done.measured
    assert measured.reply.pending
    assert dataclasses.asdict(measured.judgement)["verdict"] == "right"  # asked, agreed, done
