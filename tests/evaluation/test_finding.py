"""Retrieval sets: what is found, what that weighs, and the same in homes of thousands of entities."""

import pytest

from homeagent.demo.inventory import parse_inventory
from homeagent.errors import InvalidInput
from homeagent.evaluation.dataset import load
from homeagent.evaluation.grow import grow, grown
from homeagent.evaluation.report import summary
from homeagent.evaluation.runner import run

HOME = """
areas:
  - {name: Kitchen, id: kitchen_id, floor: Ground floor}
  - {name: Study, id: study_id, floor: Upstairs}
entities:
  - {name: Kitchen Ceiling, id: light.kitchen_ceiling, area: kitchen_id, state: "off", x-aliases: [big light]}
  - {name: Kitchen Counter, id: light.kitchen_counter, area: kitchen_id, state: "off"}
  - {name: Desk Lamp, id: light.desk, area: study_id, state: "on"}
  - {name: Study Window, id: binary_sensor.window, area: study_id, state: "on", attributes: {device_class: window}}
  - {name: Movie Night, id: scene.movie, state: unknown, x-scene: {light.desk: {state: "off"}}}
"""
LOOKUPS = """
category: light
retrieval:
  - {sentence: turn on the kitchen lights, targets: [light.kitchen_ceiling, light.kitchen_counter]}
  - {sentences: [desk lamp off, turn off the desk lamp], targets: light.desk}
  - {sentence: turn on the lights, targets: [light.desk], context_area: Study}
  - {sentence: turn on the desk lamp, targets: [binary_sensor.window], colour: red}
"""
TASKS = """
tests:
  - {sentences: [activate movie night], expect_changes: {light.desk: {state: "off"}}}
  - {sentences: ["is the desk lamp on?"], expect_response: "yes"}
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "_fixtures.yaml").write_text(HOME)
    (tmp_path / "lookups.yaml").write_text(LOOKUPS)
    return tmp_path


async def test_targets_that_are_not_shown_are_counted_and_named(folder, words_only):
    result = summary(await run(load([folder]), words_only), failures=True)
    found = result["retrieval"]
    assert found["total"] == 5
    assert found["all_targets"] == 0.8  # the desk lamp is no window
    assert found["over_limit"] == 0
    assert 1 <= found["shown_mean"] <= 3
    assert found["tokens_mean"] > 5
    assert found["ms"]["p95"] > 0
    [failure] = result["failures"]
    assert failure["sentence"] == "turn on the desk lamp"
    assert "binary_sensor.window" in failure["why"]
    assert any("'colour'" in problem for problem in result["problems"])
    assert result["total"] == 0  # look-ups are no tasks


async def test_tasks_have_retrieval_figures_too_and_a_scene_shows_what_it_sets(folder, words_only):
    (folder / "lookups.yaml").write_text(TASKS)
    result = summary(await run(load([folder]), words_only))
    assert result["success"] == 1.0
    assert result["retrieval"]["total"] == 1  # the question expects no change
    assert result["retrieval"]["all_targets"] == 1.0


def test_a_lookup_without_targets_is_no_lookup(folder):
    (folder / "lookups.yaml").write_text("retrieval: [{sentence: hello}]")
    with pytest.raises(InvalidInput, match=r"lookups\.yaml, retrieval 1"):
        load([folder])


@pytest.mark.parametrize("size", [5, 6, 23, 400])
def test_a_home_grows_to_the_size_by_things_of_other_names(folder, size):
    [raw] = load([folder]).homes.values()
    home = parse_inventory(grow(raw, size))
    assert len(home.entities) == size
    assert len({e.name for e in home.entities}) == size
    assert {e.id for e in parse_inventory(raw).entities} <= {e.id for e in home.entities}
    kitchens = [a for a in home.areas if a.name.endswith("Kitchen")]
    assert len({a.name for a in kitchens}) == len(kitchens)


async def test_in_a_large_home_a_set_is_one_line_and_a_name_is_still_found(folder, words_only):
    (folder / "lookups.yaml").write_text(
        "retrieval: [{sentence: turn off all the lights, targets: [light.desk, light.kitchen_counter]},"
        " {sentence: turn on the kitchen counter, targets: [light.kitchen_counter]}]"
    )
    (folder / "tasks.yaml").write_text(TASKS)
    dataset = grown(load([folder]), 400)
    assert dataset.cases == ()
    assert len(dataset.lookups) == 3
    result = summary(await run(dataset, words_only), failures=True)
    assert result["retrieval"]["all_targets"] == 1.0, result["failures"]
    assert result["retrieval"]["shown_mean"] <= 10
    assert result["retrieval"]["over_limit"] == 0
