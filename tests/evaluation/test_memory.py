"""Measuring the memory: dialogues are played through the product's own remembering, and what fails is told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from homeagent.config.settings import Settings
from homeagent.errors import InvalidInput
from homeagent.evaluation.memory.dialogues import load, pattern
from homeagent.evaluation.memory.memory_run import run_dialogues
from tests.cli import command

DATA = Path(__file__).parents[2] / "data"


def test_key_words_fit_what_is_said_and_no_more() -> None:
    assert pattern(["living room", 72]).fits("Anna likes the Living Room at 72 degrees")
    assert not pattern([72]).fits("it costs 720 euros, or 1.72")
    assert pattern(["1.8|1,8"]).fits("1,8 bar")
    assert not pattern(["1.8"]).fits("11.85 bar")
    assert not pattern(["no"]).fits("Noah eats fish")
    assert pattern(["no|not"]).fits("Noah does not eat fish")
    assert pattern(["alergica"]).fits("Lena es alérgica")
    assert pattern(["스탠드"]).fits("스탠드를 켰다")
    assert not pattern(["fish"], ["not"]).fits("Ben does not eat fish")


def test_the_dialogues_of_the_project_can_be_read() -> None:
    dialogues = load([DATA / "eval" / "memory"])
    assert len(dialogues) >= 40
    assert {d.language for d in dialogues} == {"en", "de", "fr", "es", "nl", "ko"}
    assert len({d.id for d in dialogues}) == len(dialogues)
    assert sum(len({turn.session for turn in d.turns}) > 1 for d in dialogues) >= 40
    assert {d.mode.value for d in dialogues} == {"told", "extracted"}


@pytest.fixture
def dialogue() -> dict[str, Any]:
    return {
        "id": "tea",
        "mode": "extracted",
        "kinds": ["correction"],
        "sessions": [
            {
                "at": "2025-03-03T08:00",
                "turns": [
                    {
                        "who": "anna",
                        "say": "The tea is kept in the green tin.",
                        "candidates": [
                            {"content": "The tea is kept in the green tin"},
                            {"content": "The hall light is on", "junk": "transient"},
                        ],
                    },
                ],
            },
            {
                "at": "2025-03-04T08:00",
                "turns": [
                    {
                        "who": "anna",
                        "say": "The bins are emptied on Friday.",
                        "candidates": [{"content": "The bins are emptied on Friday"}],
                    }
                ],
            },
        ],
        "expect": {
            "must_store": [{"has": ["tea", "green tin"]}],
            "recall": [{"ask": "Where is the tea kept?", "user": "ben", "first": [["green tin"]]}],
            "unrelated": ["Lock the front door"],
        },
    }


def write(folder: Path, *dialogues: dict[str, Any]) -> Path:
    path = folder / "some.yaml"
    top = {
        "language": "en",
        "home": str(DATA / "homes" / "demo.yaml"),
        "users": {"anna": "Anna", "ben": "Ben"},
        "background": ["Uncle Frank cannot stand cilantro"],
        "dialogues": list(dialogues),
    }
    path.write_text(yaml.safe_dump(top, allow_unicode=True), encoding="utf-8")
    return path


async def measured(path: Path, folder: Path) -> dict[str, Any]:
    return await run_dialogues(load([path]), Settings(data_dir=folder), by_meaning=False)


async def test_what_is_kept_and_found_counts(tmp_path: Path, dialogue: dict[str, Any]) -> None:
    result = await measured(write(tmp_path, dialogue), tmp_path)
    assert result["stored_what_must"] == 1.0
    assert result["junk_stored"] == 0.0
    assert result["recalled"] == 1.0
    assert result["unrelated_injected_none"] == 1.0
    assert result["cross_user_leaks"] == 0
    assert result["others_untouched"] == 1.0
    assert result["failures"] == []


async def test_what_is_missing_junk_or_not_replaced_is_told(tmp_path: Path, dialogue: dict[str, Any]) -> None:
    dialogue["sessions"][1]["turns"][0]["candidates"][0]["junk"] = "invented"
    dialogue["expect"] |= {
        "must_store": [{"has": ["tea", "red tin"]}, {"has": ["tea"], "for": "anna"}],
        "replaced": [{"has": ["tea", "green tin"]}],
        "unrelated": ["Where is the tea kept in the green tin?"],
    }
    result = await measured(write(tmp_path, dialogue), tmp_path)
    assert result["stored_what_must"] == 0.0
    assert result["junk_stored"] == 0.5
    assert result["replaced"] == 0.0
    assert result["unrelated_injected_none"] == 0.0
    why = {(f["figure"], f["what"]): f["why"] for f in result["failures"]}
    assert why["stored_what_must", "tea, red tin"] == "missing; never proposed"
    assert "wrong scope" in why["stored_what_must", "tea"]
    assert "stored" in why["junk_stored", "The bins are emptied on Friday"]
    assert "still current" in why["replaced", "tea, green tin"]


async def test_without_a_model_only_what_is_said_outright_counts(tmp_path: Path, dialogue: dict[str, Any]) -> None:
    told = dialogue | {"mode": "told"}
    result = await measured(write(tmp_path, told), tmp_path)
    assert result["stored_what_must"] == 0.0
    told["sessions"][0]["turns"][0]["say"] = "Remember that the tea is kept in the green tin."
    result = await measured(write(tmp_path, told), tmp_path)
    assert result["stored_what_must"] == 1.0


async def test_a_recorded_answer_replaces_what_it_was_shown(tmp_path: Path, dialogue: dict[str, Any]) -> None:
    dialogue["sessions"][1]["turns"] = [
        {
            "who": "ben",
            "say": "The tea is no longer kept in the green tin but in the blue jar.",
            "candidates": [{"content": "The tea is kept in the blue jar", "replaces": ["green tin"]}],
        }
    ]
    dialogue["expect"] |= {
        "must_store": [{"has": ["tea", "blue jar"]}],
        "replaced": [{"has": ["green tin"]}],
        "recall": [
            {
                "ask": "Where is the tea kept?",
                "user": "ben",
                "first": [["blue jar"]],
                "not": [["green tin"]],
                "after": "correction",
            }
        ],
    }
    result = await measured(write(tmp_path, dialogue), tmp_path)
    assert (result["stored_what_must"], result["replaced"], result["current_recalled"]) == (1.0, 1.0, 1.0)


def test_a_misspelt_expectation_is_an_error(tmp_path: Path, dialogue: dict[str, Any]) -> None:
    dialogue["expect"]["must_stor"] = []
    with pytest.raises(InvalidInput, match="must_stor"):
        load([write(tmp_path, dialogue)])


@pytest.mark.slow
def test_the_command_prints_the_figures(tmp_path: Path, dialogue: dict[str, Any]) -> None:
    path = write(tmp_path, dialogue)
    answer = command.run(tmp_path, "eval", "memory", str(path), "--words", "--json")
    assert answer.returncode == 0, answer.stderr
    assert json.loads(answer.stdout)["counts"]["stored_what_must"] == 1
