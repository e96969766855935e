"""A database of a test's own.

Its schema is made once in a run and copied, and each statement is compiled once: both take longer than most tests.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from sqlalchemy import Engine, create_engine
from sqlalchemy.engine import URL, Dialect

import homeagent.database
from homeagent.database import FILE_NAME, open_database, upgrade


def database(folder: Path) -> Engine:
    """The database in ``folder``, opened as the service opens it. Made again on the same folder it is the same one."""
    lay_database(folder)
    engine = open_database(None, folder)
    assert not upgrade(engine)
    return engine


def lay_database(folder: Path) -> None:
    """Put a fresh database into ``folder``, where there is none: a service that starts there finds it."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / FILE_NAME
    if not file.exists():
        file.touch(0o600)
        file.write_bytes(_fresh())


@cache
def _fresh() -> bytes:
    with TemporaryDirectory() as folder:
        engine = open_database(None, Path(folder))
        assert upgrade(engine)
        engine.dispose()
        return (Path(folder) / FILE_NAME).read_bytes()


def compile_statements_once(patch: pytest.MonkeyPatch) -> None:
    """Each engine on SQLite takes what earlier ones have compiled, and their dialect, which that is kept for."""
    compiled: dict[object, object] = {}
    shared: Dialect | None = None

    def create(url: URL, **options: Any) -> Engine:
        nonlocal shared
        engine = create_engine(url, **options)
        if engine.dialect.name == "sqlite":
            shared = shared or engine.dialect
            engine.dialect = shared
            engine.update_execution_options(compiled_cache=compiled)
        return engine

    patch.setattr(homeagent.database, "create_engine", create)
