"""`homeagent language check`, as a real process and without a home."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.command import run
from tests.languages.test_pack_check import SMALL

pytestmark = pytest.mark.slow


def test_a_whole_pack(tmp_path: Path) -> None:
    done = run(tmp_path, "language", "check", "en-GB")
    assert done.returncode == 0, done.stdout
    assert "Every concept has words." in done.stdout or "kinds" in done.stdout
    assert "examples are understood." in done.stdout


def test_what_is_wrong_is_shown_and_exits_1(tmp_path: Path) -> None:
    path = tmp_path / "small.yaml"
    path.write_text(SMALL, "utf-8")
    done = run(tmp_path, "language", "check", "--file", str(path))
    assert done.returncode == 1
    assert "2 of 3 examples are understood." in done.stdout
    assert "turn off the lamp" in done.stdout
    assert "negation" in done.stdout
    assert "--all shows them." in done.stdout
    whole = run(tmp_path, "language", "check", "--all", "--file", str(path))
    assert "--all shows them." not in whole.stdout
    assert len(whole.stdout.splitlines()) > len(done.stdout.splitlines())


def test_for_programs(tmp_path: Path) -> None:
    path = tmp_path / "small.yaml"
    path.write_text(SMALL, "utf-8")
    done = run(tmp_path, "language", "check", "--file", str(path), "--json")
    assert done.returncode == 1
    (told,) = json.loads(done.stdout)
    assert told["failing"] == [{"sentence": "turn off the lamp", "wanted": "turn_on lamp", "found": "turn_off lamp"}]
    assert told["whole"] is False
    assert told["unknown"][0]["sentences"] > 1


def test_wrong_use_exits_2(tmp_path: Path) -> None:
    path = tmp_path / "bad.yaml"
    path.write_text("language: en\nverbs:\n  do: [turn]\n  fly: [fly]\n", "utf-8")
    done = run(tmp_path, "language", "check", "--file", str(path))
    assert done.returncode == 2
    assert f"{path}, line 4" in done.stderr
    for arguments in (["xx"], ["--file", str(tmp_path / "none.yaml")], ["en", "--file", str(path)]):
        done = run(tmp_path, "language", "check", *arguments)
        assert done.returncode == 2, arguments
        assert done.stderr.strip()
