"""What Alembic runs. The connection comes from `steps.configuration`, with its transaction begun."""

from __future__ import annotations

from typing import Literal

from alembic import context
from alembic.autogenerate.api import AutogenContext

from homeagent.migrations import VERSION_TABLE
from homeagent.migrations.fresh import all_metadata
from memory.tables import UtcDateTime


def _plain_types(kind: str, item: object, autogen_context: AutogenContext) -> str | Literal[False]:
    """A step is history: it must not change when our own column type does."""
    return "sa.DateTime(timezone=True)" if kind == "type" and isinstance(item, UtcDateTime) else False


context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=all_metadata(),
    version_table=VERSION_TABLE,
    render_item=_plain_types,
    render_as_batch=True,  # SQLite alters a table by making a new one
    transactional_ddl=True,
)
with context.begin_transaction():
    context.run_migrations()
