"""Recorded days in the tables of Home Assistant's recorder, and what plain SQL over these tells.

The statements work on the recorder's own database as on one made here. They share nothing with what `ha_query` does.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from homeagent.ha.recorder import HistoryRow

_TABLES = """
CREATE TABLE states_meta (metadata_id INTEGER PRIMARY KEY, entity_id TEXT);
CREATE TABLE state_attributes (attributes_id INTEGER PRIMARY KEY, shared_attrs TEXT);
CREATE TABLE states (state_id INTEGER PRIMARY KEY, metadata_id INTEGER, state TEXT, attributes_id INTEGER,
                     last_updated_ts FLOAT, last_changed_ts FLOAT, origin_idx INTEGER);
CREATE INDEX states_of ON states (metadata_id, last_updated_ts);
"""

_SHOWN = """
WITH shown AS (
  SELECT s.last_updated_ts AS ts,
         CASE WHEN :attribute IS NULL THEN s.state
              ELSE COALESCE(json_extract(a.shared_attrs, '$.' || :attribute), 'unknown') END AS state
  FROM states s JOIN states_meta m USING (metadata_id) LEFT JOIN state_attributes a USING (attributes_id)
  WHERE m.entity_id = :entity AND s.last_updated_ts < :end
),
held AS (
  SELECT state, ts, COALESCE(LEAD(ts) OVER (ORDER BY ts), :end) AS next FROM shown
),
within AS (
  SELECT state, MAX(ts, :start) AS since, next, ts > :start AS entered, next - MAX(ts, :start) AS seconds
  FROM held WHERE next > :start AND state NOT IN ('unavailable', 'unknown')
),
told AS (
  SELECT *, LAG(state) OVER (ORDER BY since) AS before FROM within
)
"""

_ENTERED = "FROM told WHERE state IN ({states}) AND entered AND COALESCE(before, '') NOT IN ({states})"
_SELECT = {
    "time": "SELECT COALESCE(SUM(seconds), 0) FROM told WHERE state IN ({states})",
    "count": f"SELECT COUNT(*) {_ENTERED}",
    "first": f"SELECT MIN(since) {_ENTERED}",
    "last": f"SELECT MAX(since) {_ENTERED}",
    "whether": "SELECT COUNT(*) > 0 FROM told WHERE state IN ({states})",
    "changes": "SELECT COUNT(*) FROM told WHERE entered AND state IS NOT before",
    "avg": "SELECT SUM(CAST(state AS REAL) * seconds) / SUM(seconds) FROM told",
    "min": "SELECT MIN(CAST(state AS REAL)) FROM told",
    "max": "SELECT MAX(CAST(state AS REAL)) FROM told",
    "when_max": "SELECT since FROM told ORDER BY CAST(state AS REAL) DESC, since LIMIT 1",
    "sum": "SELECT SUM(CASE WHEN before IS NULL THEN 0"
    " WHEN CAST(state AS REAL) < 0.9 * CAST(before AS REAL) THEN CAST(state AS REAL)"
    " ELSE CAST(state AS REAL) - CAST(before AS REAL) END) FROM told",
    "gone": "SELECT MIN(s.last_updated_ts) FROM states s JOIN states_meta m USING (metadata_id)"
    " WHERE m.entity_id = :entity",
}
TELLS = frozenset(_SELECT)


@dataclass(frozen=True, slots=True)
class Expected:
    """What a question asks: ``tell`` is a key of the statements; ``start`` and ``end`` are seconds since 1970."""

    tell: str
    entity: str
    start: float
    end: float
    states: tuple[str, ...] = ()
    attribute: str | None = None


def database(rows: Mapping[str, Sequence[HistoryRow]]) -> sqlite3.Connection:
    """The days as a recorder's tables, in memory."""
    made = sqlite3.connect(":memory:")
    made.executescript(_TABLES)
    write(made, rows)
    return made


def write(into: sqlite3.Connection, rows: Mapping[str, Sequence[HistoryRow]]) -> None:
    """Put the days into tables that have at least these columns, such as a real recorder's own."""
    for entity_id, several in rows.items():
        number = _number(into, entity_id)
        ids: dict[str, int | None] = {}
        changed: HistoryRow | None = None
        for row in several:
            text = json.dumps(dict(row.attributes), sort_keys=True)
            if text not in ids:
                ids[text] = into.execute("INSERT INTO state_attributes (shared_attrs) VALUES (?)", (text,)).lastrowid
            changed = changed if changed is not None and changed.state == row.state else row
            # as the recorder has it: no time of the change where that is the update's
            since = None if changed is row else changed.at.timestamp()
            into.execute(
                "INSERT INTO states (metadata_id, state, attributes_id, last_updated_ts, last_changed_ts, origin_idx)"
                " VALUES (?, ?, ?, ?, ?, 0)",
                (number, row.state, ids[text], row.at.timestamp(), since),
            )
    into.commit()


def _number(into: sqlite3.Connection, entity_id: str) -> int | None:
    known = into.execute("SELECT metadata_id FROM states_meta WHERE entity_id = ?", (entity_id,)).fetchone()
    if known:
        return int(known[0])
    return into.execute("INSERT INTO states_meta (entity_id) VALUES (?)", (entity_id,)).lastrowid


def answer(records: sqlite3.Connection, expected: Expected) -> float | None:
    """The figure: seconds, a number, a count, 0 or 1, or a moment in seconds since 1970; None where there is none."""
    marks = ", ".join(f":s{i}" for i in range(len(expected.states)))
    given = {"entity": expected.entity, "attribute": expected.attribute, "start": expected.start, "end": expected.end}
    given |= {f"s{i}": state for i, state in enumerate(expected.states)}
    statement = _SHOWN + _SELECT[expected.tell].format(states=marks)
    (found,) = records.execute(statement, given).fetchone()
    return None if found is None else float(found)
