"""A new database gets every table as it is declared now, without walking the steps: Alembic takes long to import."""

from __future__ import annotations

from sqlalchemy import Column, Connection, MetaData, String, Table

from homeagent.migrations import HEAD, VERSION_TABLE


def all_metadata() -> list[MetaData]:
    """What the tables should be: each package declares its own."""
    from homeagent.tables import Base as AgentBase
    from indexer.tables import Base as IndexerBase
    from memory.tables import Base as MemoryBase

    return [IndexerBase.metadata, MemoryBase.metadata, AgentBase.metadata]


def create(connection: Connection) -> None:
    """Make all tables, and note that the schema is the newest, in the connection's own transaction."""
    for metadata in all_metadata():
        metadata.create_all(connection, checkfirst=False)
    version = Table(VERSION_TABLE, MetaData(), Column("version_num", String(32), primary_key=True))  # as Alembic's
    version.create(connection, checkfirst=True)
    connection.execute(version.insert().values(version_num=HEAD))
