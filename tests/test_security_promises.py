"""SECURITY.md promises nothing that no test holds."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "SECURITY.md").read_text()
PROMISES = [row for row in re.findall(r"^\| (.+) \|$", TEXT, re.M) if not row.startswith(("promise |", "---"))]
_NAMED = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")


@cache
def found_in(file: str) -> frozenset[str]:
    """The tests of a file, without running it."""
    path = ROOT / file
    tree = ast.parse(path.read_text()) if path.is_file() else ast.Module([], [])
    made = [node for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    skipped = {node.name for node in made for mark in node.decorator_list if "skip" in ast.unparse(mark)}
    return frozenset(node.name for node in made if node.name.startswith("test_")) - skipped


def test_there_are_promises() -> None:
    assert len(PROMISES) > 25


@pytest.mark.parametrize("row", PROMISES, ids=[row.partition(" |")[0] for row in PROMISES])
def test_each_is_held_by_tests_that_exist(row: str) -> None:
    _, _, held_by = row.partition(" | ")
    named = _NAMED.findall(held_by)
    assert named, "no test is named"
    assert re.sub(r"[,\s]", "", _NAMED.sub("", held_by)) == "", "something else stands where tests are named"
    assert [f"{file}::{name}" for file, name in named if name not in found_in(file)] == []


def test_it_says_how_to_report_and_what_is_not_promised() -> None:
    assert re.findall(r"^## (.+)", TEXT, re.M) == ["Reporting", "What is promised", "What is not promised"]


def test_the_readme_leads_to_it() -> None:
    assert "(SECURITY.md)" in (ROOT / "README.md").read_text()
