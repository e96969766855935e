"""One process owns a data folder, and a killed one leaves nothing behind."""

import os
import signal
import stat
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from homeagent.client.running import RunningService, announce, bearer_token, find, withdraw
from homeagent.errors import DatabaseError, DataFolderLocked
from homeagent.folder_lock import FolderLock

_HOLD = """
import sys, time
from pathlib import Path
from homeagent.folder_lock import FolderLock
lock = FolderLock(Path(sys.argv[1]))
lock.acquire()
print("held", flush=True)
time.sleep(60)
"""


def _holder(folder: Path) -> subprocess.Popen[str]:
    process = subprocess.Popen([sys.executable, "-c", _HOLD, str(folder)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


@pytest.mark.slow
def test_a_second_process_is_refused_and_told_who_has_the_folder(tmp_path: Path) -> None:
    holder = _holder(tmp_path)
    try:
        with pytest.raises(DataFolderLocked, match=str(holder.pid)):
            FolderLock(tmp_path).acquire()
    finally:
        holder.kill()
        holder.wait()


@pytest.mark.slow
def test_a_killed_owner_leaves_no_stale_lock(tmp_path: Path) -> None:
    holder = _holder(tmp_path)
    os.kill(holder.pid, signal.SIGKILL)
    holder.wait()
    lock = FolderLock(tmp_path)
    lock.acquire()
    lock.release()


def test_two_locks_in_one_process_exclude_each_other(tmp_path: Path) -> None:
    first, second = FolderLock(tmp_path), FolderLock(tmp_path)
    first.acquire()
    with pytest.raises(DataFolderLocked):
        second.acquire()
    first.release()
    second.acquire()
    second.release()


def test_the_refused_one_does_not_hide_who_owns_the_folder(tmp_path: Path) -> None:
    owner = FolderLock(tmp_path)
    owner.acquire()
    for _ in range(2):
        with pytest.raises(DataFolderLocked, match=str(os.getpid())):
            FolderLock(tmp_path).acquire()
    owner.release()


def test_the_same_folder_by_another_name_is_locked_too(tmp_path: Path) -> None:
    folder, other = tmp_path / "data", tmp_path / "link"
    owner = FolderLock(folder)
    owner.acquire()
    other.symlink_to(folder)
    with pytest.raises(DataFolderLocked):
        FolderLock(other).acquire()
    owner.release()


def test_a_folder_that_cannot_be_made_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(DatabaseError, match="file"):
        FolderLock(tmp_path / "file" / "data").acquire()


def test_the_token_is_made_once_and_private(tmp_path: Path) -> None:
    token = bearer_token(tmp_path)
    assert len(token) >= 32
    assert bearer_token(tmp_path) == token
    assert stat.S_IMODE((tmp_path / "token").stat().st_mode) == 0o600


def test_a_service_is_found_while_its_process_lives(tmp_path: Path) -> None:
    service = RunningService.of_this_process("http://127.0.0.1:1", "token")
    announce(tmp_path, service)
    assert find(tmp_path) == service
    assert stat.S_IMODE((tmp_path / "service.json").stat().st_mode) == 0o600
    withdraw(tmp_path)
    assert find(tmp_path) is None


@pytest.mark.slow
def test_what_a_dead_service_left_behind_does_not_count(tmp_path: Path) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    mine = RunningService.of_this_process("http://127.0.0.1:1", "token")
    announce(tmp_path, replace(mine, pid=gone.pid))
    assert find(tmp_path) is None


def test_a_later_process_with_the_same_id_does_not_count(tmp_path: Path) -> None:
    mine = RunningService.of_this_process("http://127.0.0.1:1", "token")
    assert mine.started
    announce(tmp_path, replace(mine, started=f"{int(mine.started) - 1}"))
    assert find(tmp_path) is None


@pytest.mark.parametrize("content", ["", "{", "[]", '{"url": 1}', '{"url": "x", "token": "y", "pid": "z"}', "\xff"])
def test_a_broken_service_file_does_not_count(tmp_path: Path, content: str) -> None:
    (tmp_path / "service.json").write_bytes(content.encode("latin-1"))
    assert find(tmp_path) is None
