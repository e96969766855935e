"""What comes of orders, refusals, conditions, what is told of others, sets and exceptions in six languages."""

from __future__ import annotations

from pathlib import Path

import pytest

from homeagent.values.yaml_text import read_yaml
from tests.understanding.reading import deeds, outcome

_TABLES = [
    read_yaml(Path(__file__).with_name(name).read_text("utf-8"))
    for name in ("outcomes.yaml", "spoken_outcomes.yaml", "everyday_outcomes.yaml")
]


@pytest.mark.parametrize(
    ("language", "wanted", "text"),
    [
        (language, wanted, text)
        for table in _TABLES
        for language, rows in table.items()
        for text, wanted in rows.items()
    ],
)
def test_this_comes_of_it(language: str, wanted: str, text: str) -> None:
    if wanted:
        assert (outcome(text, language) or "-") == wanted
    else:
        assert deeds(text, language=language) == []
