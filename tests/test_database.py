"""The database as people meet it: it is made once, private, and every fault says what to do and loses nothing."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, event, inspect, select, text
from sqlalchemy.orm import Session

from homeagent.confirmations import Confirmations
from homeagent.database import FILE_NAME, check, open_database, upgrade
from homeagent.errors import DatabaseError
from homeagent.migrations import REVISIONS, VERSION_TABLE
from homeagent.migrations.fresh import all_metadata
from homeagent.migrations.steps import configuration, run
from homeagent.tables import ConversationRow
from indexer.tables import CachedVector

NOW = datetime(2026, 11, 28, 12, 0, tzinfo=UTC)


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    engine = open_database(None, tmp_path)
    upgrade(engine)
    yield engine
    engine.dispose()


def vector(name: str, size: int = 10) -> CachedVector:
    return CachedVector(text_hash=name, embedder="e", vector=b"x" * size)


def names(engine: Engine) -> list[str]:
    with Session(engine) as session:
        return sorted(session.scalars(select(CachedVector.text_hash)))


@pytest.fixture
def stepped(tmp_path: Path) -> Iterator[Engine]:
    """A database that has come through all steps, one after the other."""
    engine = open_database(None, tmp_path / "stepped")
    with engine.begin() as connection:
        run(connection)
    yield engine
    engine.dispose()


def test_the_schema_is_exactly_what_the_tables_declare(stepped: Engine) -> None:
    with stepped.connect() as connection:
        context = MigrationContext.configure(connection, opts={"version_table": VERSION_TABLE})
        assert compare_metadata(context, all_metadata()) == []


def test_a_new_database_is_like_one_that_came_through_all_steps(engine: Engine, stepped: Engine) -> None:
    assert schema(engine) == schema(stepped)
    assert not upgrade(stepped)


def schema(engine: Engine) -> dict[str, object]:
    """Tables with their columns, keys and indexes, whatever order those came in."""
    found: dict[str, object] = {}
    with engine.connect() as connection:
        for table in inspect(connection).get_table_names():
            pragmas = [f"SELECT * FROM pragma_{what}('{table}')" for what in ("table_info", "foreign_key_list")]
            columns, keys = ([tuple(row) for row in connection.execute(text(pragma))] for pragma in pragmas)
            indexes = inspect(connection).get_indexes(table)
            found[table] = sorted(c[1:] for c in columns), sorted(keys), sorted(map(str, indexes))
        found["versions"] = connection.scalars(text(f"SELECT version_num FROM {VERSION_TABLE}")).all()
    return found


def test_the_known_steps_are_those_in_the_folder(engine: Engine) -> None:
    with engine.connect() as connection:
        steps = ScriptDirectory.from_config(configuration(connection)).walk_revisions()
        assert tuple(reversed([step.revision for step in steps])) == REVISIONS


def test_a_step_back_leaves_nothing(engine: Engine) -> None:
    from alembic import command

    with engine.begin() as connection:
        command.downgrade(configuration(connection), "base")
    with engine.connect() as connection:
        left = set(connection.scalars(text("SELECT name FROM sqlite_master WHERE type = 'table'")))
    assert left <= {VERSION_TABLE}
    assert upgrade(engine)


async def test_what_waited_before_yeses_were_bound_waits_still(tmp_path: Path) -> None:
    from alembic import command

    engine = open_database(None, tmp_path)
    with engine.begin() as connection:
        command.upgrade(configuration(connection), "0004")
        connection.execute(
            text(
                "INSERT INTO confirmations (id, conversation_id, user_id, tool_name, parameters, targets, description, "
                "created_at, expires_at) VALUES ('old', 'talk', 'anna', 'ha_control', :call, '[\"lock.door\"]', "
                "'unlock Door', '2026-11-01 12:00:00.000000', '2999-01-01 12:00:00.000000')"
            ),
            {"call": '{"action": "unlock"}'},
        )
    assert upgrade(engine)
    confirmations = Confirmations(engine, 90.0)
    (waiting,) = await confirmations.open("talk")
    assert (waiting.number, waiting.consequences, waiting.digest) == (None, (), "")
    taken = await confirmations.take("old", "anna", "hall")
    assert taken.targets == ("lock.door",)
    engine.dispose()


def test_a_start_without_a_step_to_take_loads_no_alembic(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from homeagent.database import open_database, upgrade\n"
        f"print(upgrade(open_database(None, Path({str(tmp_path)!r}))), 'alembic' in sys.modules)"
    )
    runs = [subprocess.check_output([sys.executable, "-c", code], text=True).strip() for _ in range(2)]
    assert runs == ["True False", "False False"]


def test_the_file_is_private_and_so_are_its_logs(engine: Engine, tmp_path: Path) -> None:
    with Session(engine) as session:
        session.add(vector("a"))
        session.commit()
        modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
    assert modes[FILE_NAME] == 0o600
    assert set(modes.values()) == {0o600}


def test_times_come_back_aware_and_in_utc(engine: Engine) -> None:
    there = NOW.astimezone(timezone(timedelta(hours=-7)))
    with Session(engine) as session:
        session.add(ConversationRow(id="c", created_at=there, updated_at=there))
        session.commit()
    with Session(engine) as session:
        row = session.get_one(ConversationRow, "c")
        assert (row.created_at, row.created_at.tzinfo) == (NOW, UTC)


def test_a_file_that_is_no_database_is_named_and_left_alone(tmp_path: Path) -> None:
    file = tmp_path / FILE_NAME
    file.write_text("my holiday notes, not a database at all\n" * 50)
    with pytest.raises(DatabaseError, match="not a SQLite database") as raised:
        open_database(None, tmp_path)
    assert str(file) in str(raised.value)
    assert file.read_text().startswith("my holiday notes")


def test_a_damaged_file_is_named_and_left_alone(engine: Engine, tmp_path: Path) -> None:
    with Session(engine) as session:
        session.add_all(vector(str(i), 3000) for i in range(50))
        session.commit()
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.exec_driver_sql("COMMIT")
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    engine.dispose()
    file = tmp_path / FILE_NAME
    content = bytearray(file.read_bytes())
    content[4096 * 3 :] = b"\x55" * len(content[4096 * 3 :])
    file.write_bytes(content)
    size = file.stat().st_size
    with pytest.raises(DatabaseError, match="damaged"):
        names(open_database(None, tmp_path))
    assert file.stat().st_size == size


def test_damage_is_found_by_the_check(engine: Engine, tmp_path: Path) -> None:
    assert check(engine) == []
    with Session(engine) as session:
        session.add(ConversationRow(id="c", created_at=NOW, updated_at=NOW))
        session.commit()
    engine.dispose()
    with sqlite3.connect(tmp_path / FILE_NAME) as raw:
        raw.execute("PRAGMA writable_schema=ON")
        raw.execute("UPDATE sqlite_master SET rootpage=2 WHERE name='ix_conversations_updated_at'")
    raw.close()
    assert check(open_database(None, tmp_path)) != []


def test_a_full_disk_is_named_and_nothing_is_lost(engine: Engine) -> None:
    with Session(engine) as session:
        session.add(vector("kept"))
        session.commit()
    with engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA max_page_count=1")  # as small as the file is now
        big = CachedVector.__table__.insert().values(text_hash="b", embedder="e", vector=b"x" * 500_000)
        with pytest.raises(DatabaseError, match="disk is full"):
            connection.execute(big)
    engine.dispose()
    assert names(engine) == ["kept"]
    with Session(engine) as session:
        session.add(vector("later"))
        session.commit()
    assert names(engine) == ["kept", "later"]


def _write_under_a_size_limit(folder: str) -> None:
    import resource

    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, 300_000))
    engine = open_database(None, Path(folder))
    try:
        with Session(engine) as session:
            session.add(vector("big", 2_000_000))
            session.commit()
    except DatabaseError as error:
        os._exit(7 if "disk" in str(error) else 8)
    os._exit(0)


def test_a_disk_that_takes_no_more_is_named_and_nothing_is_lost(engine: Engine, tmp_path: Path) -> None:
    with Session(engine) as session:
        session.add(vector("kept"))
        session.commit()
    child = multiprocessing.get_context("spawn").Process(target=_write_under_a_size_limit, args=(str(tmp_path),))
    child.start()
    child.join(60)
    assert child.exitcode == 7
    assert names(engine) == ["kept"]
    assert check(engine) == []


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(DatabaseError, match="cannot be opened"):
        open_database(None, tmp_path / "file" / "below")


def test_a_read_only_file_is_named(engine: Engine, tmp_path: Path) -> None:
    engine.dispose()
    readable = open_database(f"sqlite:///file:{tmp_path / FILE_NAME}?mode=ro&uri=true", tmp_path)
    with Session(readable) as session:
        session.add(vector("a"))
        with pytest.raises(DatabaseError, match="read-only"):
            session.commit()


def test_a_newer_schema_is_refused_and_left_alone(engine: Engine, tmp_path: Path) -> None:
    with engine.begin() as connection:
        connection.execute(text(f"UPDATE {VERSION_TABLE} SET version_num = '9999'"))
    with pytest.raises(DatabaseError, match="newer version of homeagent"):
        upgrade(open_database(None, tmp_path))
    with engine.connect() as connection:
        assert connection.scalar(text(f"SELECT version_num FROM {VERSION_TABLE}")) == "9999"


def test_the_database_of_another_program_is_not_taken_over(tmp_path: Path) -> None:
    engine = open_database(None, tmp_path)
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE turns (id INTEGER)"))
    with pytest.raises(DatabaseError, match="turns"):
        upgrade(engine)


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("not a url", "not a database URL"),
        ("sqlite://", "in memory"),
        ("oracle+nothing://x/y", "driver"),
        ("postgresql+psycopg://me:hunter2@127.0.0.1:1/x", "driver"),
    ],
)
def test_a_url_that_cannot_be_used_is_named_without_its_password(tmp_path: Path, url: str, said: str) -> None:
    with pytest.raises(DatabaseError, match=said) as raised:
        open_database(url, tmp_path)
    assert "hunter2" not in str(raised.value)


def test_a_step_that_fails_half_way_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from alembic import command
    from alembic.operations import Operations

    engine = open_database(None, tmp_path)
    with engine.begin() as connection:
        command.upgrade(configuration(connection), REVISIONS[0])
    before = schema(engine)
    really = Operations.create_table

    def failing(self: Operations, name: str, *columns: object, **more: object) -> object:
        if name == "memory_subjects":
            raise RuntimeError("killed here")
        return really(self, name, *columns, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(Operations, "create_table", failing)
    with pytest.raises(RuntimeError):
        upgrade(engine)
    assert schema(engine) == before
    monkeypatch.undo()
    assert upgrade(engine)
    assert schema(engine) != before


def test_a_new_database_that_fails_half_way_leaves_nothing_behind(tmp_path: Path) -> None:
    engine = open_database(None, tmp_path)

    def fail(statement: str) -> None:
        if statement.strip().startswith(f"CREATE TABLE {ConversationRow.__tablename__}"):
            raise RuntimeError("killed here")

    event.listen(engine, "before_cursor_execute", lambda *given: fail(given[2]), named=False)
    with pytest.raises(RuntimeError):
        upgrade(engine)
    with engine.connect() as connection:
        assert connection.scalar(text("SELECT count(*) FROM sqlite_master")) == 0
    engine.dispose()
    assert upgrade(open_database(None, tmp_path))


def _write_and_say(folder: str, said: str) -> None:
    engine = open_database(None, Path(folder))
    with open(said, "a", buffering=1) as told:
        for number in range(10_000):
            with Session(engine) as session:
                session.add(vector(f"{os.getpid()}-{number}", 2000))
                session.commit()
            told.write(f"{os.getpid()}-{number}\n")


@pytest.mark.slow
def test_what_was_acknowledged_survives_kill_9(engine: Engine, tmp_path: Path) -> None:
    said = tmp_path / "said"
    for _ in range(3):
        child = multiprocessing.get_context("spawn").Process(target=_write_and_say, args=(str(tmp_path), str(said)))
        child.start()
        before = said.read_text() if said.exists() else ""
        for _ in range(600):
            if said.exists() and said.read_text().count("\n") > before.count("\n") + 20:
                break
            threading.Event().wait(0.05)
        assert child.pid
        os.kill(child.pid, signal.SIGKILL)
        child.join()
    acknowledged = set(said.read_text().splitlines()[:-1])
    assert len(acknowledged) > 50
    assert acknowledged <= set(names(engine))
    assert check(engine) == []


def test_threads_that_read_and_then_write_wait_for_each_other(engine: Engine) -> None:
    with Session(engine) as session:
        session.add(ConversationRow(id="c", device_id="0", created_at=NOW, updated_at=NOW))
        session.commit()
    failures: list[BaseException] = []

    def count_up() -> None:
        try:
            for _ in range(20):
                with Session(engine) as session:
                    row = session.get_one(ConversationRow, "c")
                    row.device_id = str(int(row.device_id or 0) + 1)
                    session.commit()
        except Exception as error:  # noqa: BLE001 - shown by the test
            failures.append(error)

    threads = [threading.Thread(target=count_up) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    with Session(engine) as session:
        assert session.get_one(ConversationRow, "c").device_id == "80"


def test_reading_does_not_wait_for_a_writer(engine: Engine) -> None:
    with engine.begin() as writer:
        writer.execute(CachedVector.__table__.insert().values(text_hash="a", embedder="e", vector=b"x"))
        with engine.connect().execution_options(read_only=True) as reader:
            assert reader.scalars(select(CachedVector.text_hash)).all() == []
