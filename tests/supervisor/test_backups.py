"""A backup that is taken while everything is written to, put back into a new folder."""

from __future__ import annotations

import shutil
import sqlite3
import threading
from pathlib import Path

import pytest
import yaml

from homeagent.database import FILE_NAME
from homeagent.errors import DatabaseError
from homeagent.supervisor.backups import COPY, finish, prepare, restore

APP = Path(__file__).parents[2] / "app"
EXCLUDED = yaml.safe_load((APP / "config.yaml").read_text())["backup_exclude"]


def backup(folder: Path, to: Path) -> None:
    """As the Supervisor does: everything, but what a pattern says, without going into folders that one says."""

    def left_out(place: str, names: list[str]) -> list[str]:
        return [name for name in names if any(Path(place, name).match(pattern) for pattern in EXCLUDED)]

    shutil.copytree(folder, to, ignore=left_out)


def live_database(folder: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(folder / FILE_NAME, check_same_thread=False, isolation_level=None)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("CREATE TABLE pairs (a INTEGER, b INTEGER)")
    return connection


def test_a_backup_amid_writing_holds_whole_transactions_and_all_that_were_done(tmp_path: Path) -> None:
    live, restored = tmp_path / "live", tmp_path / "new"
    (live / "chroma").mkdir(parents=True)
    (live / "chroma" / "vectors.bin").write_bytes(b"made anew")
    (live / "token").write_text("the owner's")
    connection, stop, written = live_database(live), threading.Event(), []

    def write() -> None:
        number = 0
        while not stop.is_set():
            number += 1
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("INSERT INTO pairs VALUES (?, 0)", (number,))
            connection.execute("INSERT INTO pairs VALUES (0, ?)", (number,))
            connection.execute("COMMIT")
            written.append(number)

    writer = threading.Thread(target=write)
    writer.start()
    while len(written) < 50:
        pass
    before = len(written)
    assert prepare(live)
    backup(live, restored)
    stop.set()
    writer.join()
    finish(live)
    assert sorted(p.name for p in restored.iterdir()) == ["backup", "token"]
    assert not (live / "backup").exists()

    assert restore(restored)
    copy = sqlite3.connect(restored / FILE_NAME)
    assert copy.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    first, second = (set(copy.execute(f"SELECT {c} FROM pairs WHERE {c} > 0").fetchall()) for c in "ab")
    assert first == second
    assert len(first) >= before
    assert (restored / FILE_NAME).stat().st_mode & 0o077 == 0


def test_a_copy_beside_a_database_is_of_an_old_backup_and_goes(tmp_path: Path) -> None:
    live_database(tmp_path).execute("INSERT INTO pairs VALUES (1, 1)")
    assert prepare(tmp_path)
    assert not restore(tmp_path)
    assert not (tmp_path / COPY).exists()
    assert sqlite3.connect(tmp_path / FILE_NAME).execute("SELECT count(*) FROM pairs").fetchone() == (1,)


def test_without_a_database_there_is_nothing_to_copy_or_restore(tmp_path: Path) -> None:
    assert not prepare(tmp_path)
    assert not restore(tmp_path)
    finish(tmp_path)


def test_a_database_that_cannot_be_read_fails_the_backup(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_bytes(b"this is no database, whatever its name says" * 100)
    with pytest.raises(DatabaseError, match="backup"):
        prepare(tmp_path)
    assert list((tmp_path / "backup").iterdir()) == []
