"""A small data set, read and run through the whole app."""

import pytest

from homeagent.config.settings import PolicySettings
from homeagent.errors import InvalidInput
from homeagent.evaluation.dataset import load
from homeagent.evaluation.report import summary
from homeagent.evaluation.runner import How, run

HOME = """
areas: [{name: Kitchen, id: kitchen, smell: nice}, {name: Study, id: study}]
entities:
  - {name: Kitchen Light, id: light.kitchen, area: kitchen, state: "off", attributes: {supported_color_modes: [onoff]}}
  - {name: Desk Lamp, id: light.desk, area: study, state: "off", attributes: {supported_color_modes: [onoff]}}
  - {name: Front Door, id: lock.front_door, state: locked}
"""
TASKS = """
category: light
tests:
  - sentences: [Turn on the kitchen light, kitchen light on]
    expect_changes: {light.kitchen: {state: "on"}}
    x-follow-ups: [{say: turn it off again, expect_changes: {light.kitchen: {state: "off"}}}]
  - sentences: [Turn on the desk lamp]
    expect_changes: {light.kitchen: {state: "on"}}
  - sentences: ["Is the desk lamp on?"]
    category: question
    setup: {light.desk: {state: "on"}}
    expect_response: "yes"
  - sentences: [Turn on the sauna]
    x-expect: refuse
    x-colour: unknown
"""
DOOR = "tests: [{sentences: [Unlock the front door], expect_changes: {lock.front_door: {state: unlocked}}}]"


DENY = {"action": "unlock", "target": "lock.*", "decision": "deny"}


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "_fixtures.yaml").write_text(HOME)
    (tmp_path / "tasks.yaml").write_text(TASKS)
    return tmp_path


async def test_a_run_counts_what_the_home_shows(folder, words_only):
    result = summary(await run(load([folder]), words_only), failures=True)
    assert result["total"] == 7
    # The expectation of the desk lamp is wrong on purpose: the right light went on, so it must count as a wrong action.
    assert [f["sentence"] for f in result["failures"]] == ["Turn on the desk lamp"]
    assert result["wrong_actions"] == pytest.approx(1 / 7, abs=1e-4)
    assert result["by_category"]["question"] == {"success": 1.0, "wrong_actions": 0.0, "total": 1}
    assert any("x-colour" in problem for problem in result["problems"])
    assert any("'smell' (1 times)" in problem for problem in result["problems"])


@pytest.mark.parametrize("real_policy", [False, True])
async def test_what_must_be_confirmed_is_right_once_it_was_asked_and_done(folder, words_only, real_policy):
    (folder / "tasks.yaml").write_text(DOOR)
    result = summary(await run(load([folder]), words_only, How(real_policy=real_policy)))
    assert result["success"] == 1.0


async def test_nobody_says_yes_where_a_question_back_is_what_is_right(folder, words_only):
    (folder / "tasks.yaml").write_text("tests: [{sentences: [Unlock the front door], x-expect: ask}]")
    result = summary(await run(load([folder]), words_only, How(real_policy=True)), failures=True)
    assert result["failures"] == []


@pytest.mark.parametrize("tasks", ["tests: [{sentences: [x]}]", "- a list", "{"])
def test_what_is_no_data_set_is_said(folder, tasks):
    (folder / "tasks.yaml").write_text(tasks)
    with pytest.raises(InvalidInput, match=r"tasks\.yaml"):
        load([folder])


async def test_what_asks_for_a_yes_is_not_right_where_no_yes_was_asked_for(folder, words_only):
    """With the real policy: a rule that allows the lock makes it right without; one that denies makes it missed."""
    (folder / "tasks.yaml").write_text(DOOR)
    denied = words_only.model_copy(update={"policy": PolicySettings.model_validate({"rules": [DENY]})})
    result = summary(await run(load([folder]), denied, How(real_policy=True)), failures=True)
    assert result["success"] == 0
    assert result["wrong_actions"] == 0
    assert result["policy"] == "as delivered"
