"""The database's schema, step by step (Alembic). ``python -m homeagent.migrations "what changes"`` makes a step.

Here is only what the start needs to know without loading Alembic: the steps there are, oldest first.
"""

from __future__ import annotations

REVISIONS: tuple[str, ...] = (
    "0001",
    "0002",
    "0003",
    "0004",
    "0005",
    "0006",
    "0007",
    "0008",
    "0011",
    "0010",
    "0009",
    "0013",
)
HEAD = REVISIONS[-1]
VERSION_TABLE = "homeagent_version"
"""Of its own name, so that a database shared with another program that uses Alembic is told apart."""
