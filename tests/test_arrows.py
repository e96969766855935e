"""Which part may import which: the arrows of docs/architecture.md, imports within functions included."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = ("homeagent", "memory", "indexer")
SHARED = {"homeagent.languages.folder", "homeagent.languages.language_codes"}
"""What the lower packages may take from the upper one: the words of languages."""
ROOMS = ("homeagent.demo", "homeagent.evaluation")
DOORS = {
    "homeagent.service.demo",
    "homeagent.cli.evaluation",
    "homeagent.cli.memory_evaluation",
    "homeagent.cli.language",
}
"""What opens these rooms, when a person asks for it."""
SERVICE = ("homeagent.app", "homeagent.service.api", "homeagent.assembly.answering")


def test_arrows_only_lead_downwards() -> None:
    ranks = {package: rank for rank, package in enumerate(PACKAGES)}
    upwards = {
        (module, used)
        for module, uses in _imports().items()
        for used in uses - SHARED
        if ranks[_package(used)] < ranks[_package(module)]
    }
    assert not upwards
    assert not {used for module in SHARED for used in _imports()[module]} - SHARED, "they bring in nothing else"


def test_nothing_imports_itself_by_way_of_others() -> None:
    try:
        TopologicalSorter(_imports()).prepare()
    except CycleError as error:
        raise AssertionError(" → ".join(error.args[1])) from None


def test_the_simulated_home_and_the_evaluation_are_rooms_that_the_service_never_enters() -> None:
    entering = {m for m, uses in _imports().items() if not _in_rooms(m) and any(map(_in_rooms, uses))}
    assert entering == DOORS
    reached = _reached(SERVICE)
    assert "homeagent.brains.local.brain" in reached
    assert not {module for module in reached if _in_rooms(module)}


def test_letters_are_folded_in_one_place() -> None:
    files = {_name(f): f.read_text("utf-8") for package in PACKAGES for f in (ROOT / package).rglob("*.py")}
    assert {name for name, text in files.items() if "unicodedata.normalize(" in text} == {"indexer.normalise"}


def _in_rooms(module: str) -> bool:
    return module.startswith(tuple(f"{room}." for room in ROOMS)) or module in ROOMS


def _package(module: str) -> str:
    return module.partition(".")[0]


def _reached(starts: Iterable[str]) -> set[str]:
    found: set[str] = set()
    left = list(starts)
    while left:
        module = left.pop()
        if module not in found:
            found.add(module)
            left += _imports()[module]
    return found


@cache
def _imports() -> Mapping[str, set[str]]:
    """Our modules with those of ours that they import, anywhere in them; what is for types alone left out."""
    files = {_name(file): file for package in PACKAGES for file in (ROOT / package).rglob("*.py")}
    return {
        name: {used for used in _used(ast.parse(file.read_text("utf-8")), files) if used in files}
        for name, file in files.items()
    }


def _name(file: Path) -> str:
    parts = file.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _used(node: ast.AST, known: Mapping[str, Path]) -> Iterator[str]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
            continue
        if isinstance(child, ast.Import):
            yield from (alias.name for alias in child.names)
        elif isinstance(child, ast.ImportFrom):
            whole = (f"{child.module}.{alias.name}" for alias in child.names)
            yield from (name if name in known else str(child.module) for name in whole)
        yield from _used(child, known)
