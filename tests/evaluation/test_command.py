"""`homeagent eval` as it is typed."""

import json

import pytest

from tests.cli import command

pytestmark = pytest.mark.slow  # it starts processes

TASKS = """
tests:
  - {sentences: [turn on the desk lamp], expect_changes: {light.desk: {state: "on"}}}
  - {sentences: [turn on the sauna], expect_changes: {light.desk: {state: "on"}}}
"""


@pytest.fixture
def folder(tmp_path):
    lamp = "{name: Desk Lamp, id: light.desk, area: study, state: 'off', attributes: {supported_color_modes: [onoff]}}"
    (tmp_path / "_fixtures.yaml").write_text(f"areas: [{{name: Study, id: study}}]\nentities: [{lamp}]")
    (tmp_path / "tasks.yaml").write_text(TASKS)
    return tmp_path


NO_EMBEDDER = {"HOMEAGENT_INDEX__ENDPOINT": "http://127.0.0.1:9", "HOMEAGENT_INDEX__MODEL": "none"}


@pytest.fixture
def invoke(tmp_path):
    return lambda *arguments: command.run(tmp_path, "eval", *map(str, arguments), **NO_EMBEDDER)


def test_one_object_with_all_figures(invoke, folder):
    result = invoke(folder, "--json", "--failures", "--rename", 3)
    told = json.loads(result.stdout)
    assert told["renamed"] == 3
    assert told["success"] == 0.5
    assert told["total"] == 2
    assert told["cost"] == 0
    assert set(told) >= {"wrong_actions", "refusals", "retrieval", "latency_ms", "tokens", "by_category", "by_language"}
    assert set(told["retrieval"]) >= {"all_targets", "shown_mean", "tokens_mean"}
    assert [f["sentence"] for f in told["failures"]] == ["turn on the sauna"]


def test_the_table_says_which_policy_it_was(invoke, folder):
    result = invoke(folder)
    assert "50.0% right" in result.stdout
    assert "everything allowed" in result.stdout


def test_a_comparison_is_a_table_and_a_page(invoke, folder, tmp_path):
    result = invoke(folder, "--model", "local", "--report", tmp_path / "report.html")
    assert "50.0%" in result.stdout
    page = (tmp_path / "report.html").read_text("utf-8")
    assert "up to 50 entities" in page
    assert "<svg" in page


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([], "Which data set?"),
        (["nowhere"], "no data set at nowhere"),
        (["--brain", "cat"], "--brain is one of"),
        (["SET", "--brain", "home_assistant"], "--ha"),
        (["SET", "--brain", "llm"], "needs a language model"),
        (["SET", "--format", "assist", "--format", "own"], "A comparison needs models"),
        (["SET", "--format", "cat"], "--format is one of"),
        (["SET", "--model", "local", "--report", "/nowhere/report.html"], "cannot be written"),
        (["SET", "--ha", "http://127.0.0.1:9"], "token"),
    ],
)
def test_what_cannot_be_measured_is_said(invoke, folder, arguments, says):
    result = invoke(*(folder if a == "SET" else a for a in arguments))
    assert says in result.stderr
    assert result.returncode == 2
    assert not result.stdout
