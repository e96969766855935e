"""Every file and folder that the documentation names is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DOCS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])
ROOTS = (ROOT, ROOT / "homeagent", ROOT / "homeagent/languages/en", ROOT / "docs")
PATH = re.compile(r"`([\w-][\w./-]*(?:/|\.(?:py|ya?ml|toml|json|md|txt)))(?:::\w+)?`")
MADE_LATER = {"service.json", ".venv/", "mutants/", "build/app/"}


def is_there(path: str) -> bool:
    """From the root or a room; a bare name anywhere in the packages."""
    if any((root / path).exists() for root in ROOTS):
        return True
    return any(p.as_posix().endswith(f"/{path.rstrip('/')}") for p in every_path())


def every_path() -> list[Path]:
    return [p for package in ("homeagent", "memory", "indexer", "tests", "data") for p in (ROOT / package).rglob("*")]


@pytest.mark.parametrize("document", DOCS, ids=lambda p: p.name)
def test_what_is_named_is_there(document: Path) -> None:
    named = set(PATH.findall(document.read_text(encoding="utf-8"))) - MADE_LATER
    assert [path for path in sorted(named) if not is_there(path)] == []
