"""The database: where it is, how it is opened, its schema, and its errors in words.

SQLite in the data folder by default; any SQLAlchemy URL otherwise. Calls block: use them in a thread.

Durability: a commit that returned survives a killed process. SQLite hands it to the operating system before it returns
(write-ahead log), and ``synchronous=NORMAL`` leaves out the flush to the disk itself after each commit, which costs
15 to 100 ms on the cards that small machines run from, on every turn. After a power cut the last moments may be
missing; the file is whole in any case.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Callable
from pathlib import Path

from sqlalchemy import Connection, Engine, create_engine, event, inspect, make_url, text
from sqlalchemy.engine import URL, ExceptionContext
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError
from sqlalchemy.pool import ConnectionPoolEntry

from homeagent.errors import DatabaseError
from homeagent.migrations import HEAD, REVISIONS, VERSION_TABLE

FILE_NAME = "homeagent.db"
_BUSY_MS = 10_000
_PRAGMAS = (
    f"PRAGMA busy_timeout={_BUSY_MS}",
    "PRAGMA journal_mode=WAL",
    "PRAGMA synchronous=NORMAL",
    "PRAGMA foreign_keys=ON",
    "PRAGMA secure_delete=ON",  # what a person has deleted is overwritten, not only unlinked
)


def open_database(url: str | None, folder: Path) -> Engine:
    """The engine for ``url`` (None: SQLite in ``folder``, made private to its owner), tried once.

    Every transaction on SQLite takes the write lock when it begins, so that reading and then writing cannot fail half
    way; give a connection ``execution_options(read_only=True)`` to read without waiting for writers.
    All errors of the engine that have a name here are raised as DatabaseError, wherever it is used.
    """
    target = _target(url, folder)
    is_sqlite = target.get_backend_name() == "sqlite"
    if is_sqlite:
        _make_private(target)
    try:
        engine = create_engine(target, pool_pre_ping=not is_sqlite)
    except (ImportError, NoSuchModuleError) as error:
        raise DatabaseError(
            f"database.url asks for {target.drivername}, and its driver is not installed: {error}.",
            hint="Install the driver beside homeagent, such as `pip install 'psycopg[binary]'`.",
        ) from None
    if is_sqlite:
        event.listen(engine, "connect", _set_up)
        event.listen(engine, "begin", _begin)
    event.listen(engine, "handle_error", _translator(target), retval=True)
    with engine.connect() as connection:
        inspect(connection).has_table(VERSION_TABLE)
    return engine


def upgrade(engine: Engine) -> bool:
    """Bring the schema to what this program needs; whether there was something to do.

    Whole or not at all, also when killed. Raises DatabaseError, also for a database that a newer program wrote or
    that belongs to another program.
    """
    with engine.connect() as connection:
        version = _version(connection)
    if version == HEAD:
        return False
    if version is not None and version not in REVISIONS:
        raise DatabaseError(
            f"The database was written by a newer version of homeagent (schema {version}; this one knows {HEAD}).",
            hint="Install that version again, or start with another data folder.",
        )
    with engine.begin() as connection:
        if version is None:
            _create(connection)
        else:
            from homeagent.migrations.steps import run  # Alembic: only where there is something to do

            run(connection)
    return True


def check(engine: Engine) -> list[str]:
    """What is wrong inside the database file, in SQLite's words; empty: nothing. Reads all of it."""
    if engine.dialect.name != "sqlite":
        return []
    with engine.connect().execution_options(read_only=True) as connection:
        found = [str(row[0]) for row in connection.execute(text("PRAGMA quick_check"))]
    return [] if found == ["ok"] else found


def _target(url: str | None, folder: Path) -> URL:
    if url is None:
        return URL.create("sqlite", database=str(folder / FILE_NAME))
    try:
        target = make_url(url)
    except ArgumentError:
        raise DatabaseError("database.url is not a database URL.", hint="Such as sqlite:////path/file.db.") from None
    if target.get_backend_name() == "sqlite" and target.database in (None, "", ":memory:"):
        raise DatabaseError("database.url names a database in memory: nothing would be kept.")
    return target


def _make_private(target: URL) -> None:
    """Make the file before SQLite does, readable by its owner only; its log files take over that mode."""
    path = Path(str(target.database))
    if str(path).startswith("file:"):  # SQLite's own way of naming a file with options: the owner knows
        return
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    except OSError as error:
        reason = f"The database {path} cannot be opened: {error.strerror}."
        raise DatabaseError(reason) from error


def _set_up(connection: sqlite3.Connection, _entry: ConnectionPoolEntry) -> None:
    connection.isolation_level = None  # transactions begin where _begin says, schema changes included
    cursor = connection.cursor()
    with contextlib.closing(cursor):
        for pragma in _PRAGMAS:
            cursor.execute(pragma)


def _begin(connection: Connection) -> None:
    reading = connection.get_execution_options().get("read_only", False)
    connection.exec_driver_sql("BEGIN" if reading else "BEGIN IMMEDIATE")


def _version(connection: Connection) -> str | None:
    if not inspect(connection).has_table(VERSION_TABLE):
        return None
    version = connection.scalar(text(f"SELECT version_num FROM {VERSION_TABLE}"))
    return None if version is None else str(version)


def _create(connection: Connection) -> None:
    from homeagent.migrations.fresh import all_metadata, create

    ours = {name for metadata in all_metadata() for name in metadata.tables}
    if taken := sorted(ours & set(inspect(connection).get_table_names())):
        raise DatabaseError(
            f"The database already has tables of these names that homeagent did not make: {', '.join(taken)}.",
            hint="Give homeagent a database of its own in `database.url`.",
        )
    create(connection)


def _translator(target: URL) -> Callable[[ExceptionContext], BaseException | None]:
    is_sqlite = target.get_backend_name() == "sqlite"
    name = str(target.database) if is_sqlite else target.render_as_string(hide_password=True)

    def translate(context: ExceptionContext) -> BaseException | None:
        original = context.original_exception
        if isinstance(original, sqlite3.Error):
            return _sqlite_error(original, name)
        known = context.sqlalchemy_exception
        if isinstance(known, DBAPIError) and (known.connection_invalidated or type(known).__name__ in _OTHER_SIDE):
            return DatabaseError(f"The database {name} does not answer: {original}".strip())
        return None

    return translate


_OTHER_SIDE = ("OperationalError", "InterfaceError")
_SQLITE: dict[int, tuple[str, str]] = {
    sqlite3.SQLITE_FULL: ("the disk is full", "Free some space; nothing that was kept before is lost."),
    sqlite3.SQLITE_READONLY: ("it is read-only", "Make the file and its folder writable for this user."),
    sqlite3.SQLITE_PERM: ("its rights forbid it", "Make the file and its folder writable for this user."),
    sqlite3.SQLITE_CANTOPEN: ("it cannot be opened", "Check that its folder exists and is writable for this user."),
    sqlite3.SQLITE_IOERR: ("the disk failed to read or write", "Check the disk and its free space."),
    sqlite3.SQLITE_BUSY: ("another process holds it", "Stop what else has the file open."),
    sqlite3.SQLITE_LOCKED: ("another process holds it", "Stop what else has the file open."),
    sqlite3.SQLITE_NOTADB: (
        "it is not a SQLite database",
        "Look at `database.url`; or move the file away, and a new one is made. It is left untouched.",
    ),
    sqlite3.SQLITE_CORRUPT: (
        "the file is damaged",
        "Move it away and put a backup in its place (or what `sqlite3 FILE .recover` saves). It is left untouched.",
    ),
}


def _sqlite_error(error: sqlite3.Error, name: str) -> DatabaseError | None:
    code = getattr(error, "sqlite_errorcode", None)
    known = _SQLITE.get(code & 0xFF) if code is not None else None
    if known is None:
        return None
    reason, hint = known
    return DatabaseError(f"The database {name} failed: {reason} ({error}).", hint=hint)
