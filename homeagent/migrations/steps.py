"""Runs Alembic on a connection. Loaded only where a step is missing, or in development."""

from __future__ import annotations

import importlib.resources

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection


def configuration(connection: Connection) -> Config:
    """Alembic's configuration for the open ``connection``; needs no file, so it works from an installed wheel."""
    config = Config()
    config.set_main_option("script_location", str(importlib.resources.files("homeagent.migrations")).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    return config


def run(connection: Connection) -> None:
    """Bring the schema to the newest step, in the connection's own transaction: whole or not at all."""
    command.upgrade(configuration(connection), "head")
