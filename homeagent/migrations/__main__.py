"""``python -m homeagent.migrations "what changes"``: write the step from the newest one to what the tables now are."""

from __future__ import annotations

import sys

from alembic import command
from sqlalchemy import create_engine

from homeagent.migrations import REVISIONS
from homeagent.migrations.steps import configuration


def main() -> None:
    """Writes the file beside the others; its id then belongs into ``REVISIONS``, after a look at what it says."""
    with create_engine("sqlite://").begin() as connection:
        config = configuration(connection)
        if REVISIONS:
            command.upgrade(config, "head")
        command.revision(config, sys.argv[1], autogenerate=True, rev_id=f"{len(REVISIONS) + 1:04d}")


if __name__ == "__main__":
    main()
