"""A domain of which nothing is known but its profile and what it is called works like every other one.

`sauna_stove.py` is put beside the profiles and its words into the English kinds, in a copy of the packages; then a day
is lived there (`made_up.py`).
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow  # it starts a process

_ROOT = Path(__file__).parents[2]
_WORDS = "concepts:\n  sauna_stove: [sauna stove]\n  sauna_stove+: [sauna stoves]\n"


@pytest.fixture(scope="module")
def day(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What came of the day, as `made_up.py` prints it."""
    copy, folder = tmp_path_factory.mktemp("copy"), tmp_path_factory.mktemp("day")
    for package in ("homeagent", "indexer", "memory"):
        shutil.copytree(_ROOT / package, copy / package)
    shutil.copy(Path(__file__).with_name("sauna_stove.py"), copy / "homeagent" / "domains")
    kinds = copy / "homeagent" / "languages" / "en" / "kinds.yaml"
    kinds.write_text(kinds.read_text("utf-8").replace("concepts:\n", _WORDS, 1), "utf-8")
    done = subprocess.run(
        [sys.executable, str(Path(__file__).with_name("made_up.py")), str(folder)],
        env={**os.environ, "PYTHONPATH": f"{copy}{os.pathsep}{_ROOT}"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    told: dict[str, Any] = json.loads(done.stdout)
    assert "sauna_stove" in told["known"]
    return told


def _behind(day: dict[str, Any], said: str) -> tuple[str, str, float]:
    """The answer to a sentence, or to the yes that it was asked for, and what the stove was in then."""
    turns = day["said"]
    place = next(i for i, turn in enumerate(turns) if turn["said"] == said)
    behind = turns[place + 1] if place + 1 < len(turns) and turns[place + 1]["said"] == "yes" else turns[place]
    return behind["answer"], behind["state"], behind["temperature"]


@pytest.mark.parametrize(
    ("said", "state", "target"),
    [
        ("turn on the sauna stove", "heating", 70),
        ("set it to 80 degrees", "heating", 80),
        ("set the sauna stove to 95", "heating", 95),
        ("make it 5 degrees cooler", "heating", 90),
        ("turn off the sauna stove", "off", 90),
    ],
)
def test_a_sentence_drives_it(day: dict[str, Any], said: str, state: str, target: float) -> None:
    assert _behind(day, said)[1:] == (state, target)


def test_what_may_start_a_fire_is_asked_about(day: dict[str, Any]) -> None:
    asked = [turn for turn, then in zip(day["said"], day["said"][1:], strict=False) if then["said"] == "yes"]
    assert len(asked) == 5
    assert all("can start a fire" in turn["answer"] for turn in asked)


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("is it on?", "Yes, Sauna stove is heating."),
        ("how hot is it?", "Sauna stove is 22 °C."),
        ("what is the sauna stove set to?", "Sauna stove is 90 °C."),
        ("is anything still on?", "Yes: Sauna stove."),
        ("which sauna stoves are off?", "Sauna stove."),
        ("set it to 200 degrees", "Sauna stove: only 40 °C to 110 °C is possible."),
    ],
)
def test_it_is_asked_about(day: dict[str, Any], said: str, answer: str) -> None:
    assert _behind(day, said)[0] == answer


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("how long was the sauna stove on yesterday?", "Sauna stove was heating for 2 hours"),
        ("how long did the sauna stove run yesterday?", "Sauna stove was heating for 2 hours"),
        ("was the sauna stove on yesterday?", "Yes. Sauna stove was heating once"),
        ("what was the average temperature of the sauna stove today?", "Sauna stove was 22 °C on average"),
        ("when was the sauna stove last turned on?", "Sauna stove was last heating at"),
    ],
)
def test_its_past_is_known(day: dict[str, Any], said: str, answer: str) -> None:
    assert answer in _behind(day, said)[0]


@pytest.mark.parametrize(
    ("claim", "heard"),
    [
        ("The sauna stove is off.", "The sauna stove is off."),
        ("The sauna stove is set to 60 degrees.", "The sauna stove is set to 60 degrees."),
        ("The sauna stove is on.", "Sauna stove is off."),
        ("The sauna stove is set to 90 degrees.", "Sauna stove is off, target temperature 60 °C."),
        ("I have turned on the sauna stove.", "Sauna stove is off."),
    ],
)
def test_nothing_is_claimed_of_it_that_is_not_so(day: dict[str, Any], claim: str, heard: str) -> None:
    assert day["claims"][claim] == heard


def test_a_tool_drives_it_and_a_model_is_shown_what_it_is_set_to(day: dict[str, Any]) -> None:
    assert day["line"].startswith("sauna_stove.spa | Sauna stove | Spa | off, now 22°C, set to 60°C")
    assert "can start a fire" in day["tool"]["asked"]
    assert day["tool"]["temperature"] == 70


@pytest.mark.parametrize("domain", ["baking_oven", "steam_oven"])
def test_whether_an_oven_was_left_on_is_known_of_any_domain(day: dict[str, Any], domain: str) -> None:
    on, off = day["ovens"][domain]
    assert (on[:3], off[:2]) == ("Yes", "No")
    assert "Oven" in on


def test_the_simulated_home_takes_only_what_such_a_stove_takes(day: dict[str, Any]) -> None:
    assert "Accepted range is 40 to 110" in day["refused"]
