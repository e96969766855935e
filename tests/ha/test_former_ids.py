"""Whose records those under an entity id are, after ids went from one thing to another."""

from __future__ import annotations

from datetime import UTC, datetime

from homeagent.ha.recorder import HistoryRow, its_rows
from indexer.entity import FormerId


def row(entity_id: str, state: str, at: int) -> HistoryRow:
    return HistoryRow(entity_id, state, datetime.fromtimestamp(at, UTC))


def test_an_id_that_two_things_had_tells_each_its_own() -> None:
    """X was a until 10, Y was c until 20, then a until 30, and is d."""
    rows = {
        "a": [row("a", "of X", 5), row("a", "of Y", 25), row("a", "of another", 35)],
        "b": [row("b", "of X", 15)],
        "c": [row("c", "of Y", 15)],
        "d": [row("d", "of Y", 40)],
    }
    ends = [("a", 10.0), ("c", 20.0), ("a", 30.0)]
    of_y = its_rows("d", rows, [FormerId("c", 20.0), FormerId("a", 30.0)], ends)
    assert [r.state for r in of_y] == ["of Y"] * 3
    assert {r.entity_id for r in of_y} == {"d"}
    assert [r.state for r in its_rows("b", rows, [FormerId("a", 10.0)], ends)] == ["of X"] * 2
    assert [r.state for r in its_rows("a", rows, [], ends)] == ["of another"]
