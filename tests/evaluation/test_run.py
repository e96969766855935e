"""A small data set, read and run through the whole app."""

import pytest

from homeagent.config.settings import Settings
from homeagent.errors import InvalidInput
from homeagent.evaluation.dataset import load
from homeagent.evaluation.report import summary
from homeagent.evaluation.runner import run

HOME = """
areas: [{name: Kitchen, id: kitchen}, {name: Study, id: study}]
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


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "_fixtures.yaml").write_text(HOME)
    (tmp_path / "tasks.yaml").write_text(TASKS)
    return tmp_path


@pytest.fixture
def words_only():
    """No embedder: its address leads nowhere."""
    return Settings.model_validate(
        {"agent": {"brain": "local"}, "index": {"endpoint": "http://127.0.0.1:9", "model": "none"}}
    )


async def test_a_run_counts_what_the_home_shows(folder, words_only):
    result = summary(await run(load([folder]), words_only), failures=True)
    assert result["total"] == 7
    # The expectation of the desk lamp is wrong on purpose: the right light went on, so it must count as a wrong action.
    assert [f["sentence"] for f in result["failures"]] == ["Turn on the desk lamp"]
    assert result["wrong_actions"] == pytest.approx(1 / 7, abs=1e-4)
    assert result["by_category"]["question"] == {"success": 1.0, "wrong_actions": 0.0, "total": 1}
    assert "x-colour" in result["problems"][0]


@pytest.mark.parametrize("real_policy", [False, True])
async def test_what_must_be_confirmed_is_right_once_it_was_asked_and_done(folder, words_only, real_policy):
    (folder / "tasks.yaml").write_text(DOOR)
    result = summary(await run(load([folder]), words_only, real_policy=real_policy))
    assert result["success"] == 1.0


@pytest.mark.parametrize("tasks", ["tests: [{sentences: [x]}]", "- a list", "{"])
def test_what_is_no_data_set_is_said(folder, tasks):
    (folder / "tasks.yaml").write_text(tasks)
    with pytest.raises(InvalidInput, match=r"tasks\.yaml"):
        load([folder])
