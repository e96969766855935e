"""Nobody but the owner can read what lies in the data folder, whoever made it and when."""

from __future__ import annotations

import asyncio
import logging
import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from homeagent.app import App
from homeagent.config.loading import Settings
from homeagent.demo.server import DemoServer
from homeagent.private_folder import make_private, tighten
from indexer.process import ChildProcess


@pytest.fixture(autouse=True)
def _umask() -> Iterator[None]:
    """As in most shells; tests may leave another one behind."""
    before = os.umask(0o022)
    yield
    os.umask(before)


def modes(folder: Path) -> dict[str, str]:
    """Path -> mode of everything in the folder and of itself."""
    paths = [folder, *folder.rglob("*")]
    return {str(p.relative_to(folder)): oct(stat.S_IMODE(p.lstat().st_mode)) for p in paths if not p.is_symlink()}


def open_to_others(folder: Path) -> dict[str, str]:
    """What is not as promised: folders 0700, files 0600."""
    return {
        name: mode for name, mode in modes(folder).items() if mode != ("0o700" if (folder / name).is_dir() else "0o600")
    }


@pytest.fixture
def left_open(tmp_path: Path) -> Path:
    """A data folder of an earlier release."""
    folder = tmp_path / "data"
    (folder / "index" / "generation-1" / "segment").mkdir(parents=True)
    for name in (
        "homeagent.db",
        "homeagent.db-wal",
        "homeagent.lock",
        "index/generation-1/segment/data_level0.bin",
    ):
        (folder / name).write_bytes(b"")
    (folder / "run.sh").write_bytes(b"")
    (folder / "run.sh").chmod(0o755)
    assert len(open_to_others(folder)) == 9
    return folder


def test_a_folder_of_before_is_tightened(left_open: Path) -> None:
    assert tighten(left_open) == []
    assert open_to_others(left_open) == {}


def test_a_folder_behind_a_link_is_tightened_too(left_open: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(left_open)
    assert tighten(tmp_path / "link") == []
    assert open_to_others(left_open) == {}


def test_links_in_it_are_not_followed(left_open: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "file").write_text("x")
    (left_open / "link").symlink_to(other)
    (left_open / "file").symlink_to(other / "file")
    tighten(left_open)
    assert modes(other) == {".": "0o755", "file": "0o644"}


def test_what_holds_more_than_ours_is_left_as_it_is(
    left_open: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    before = modes(left_open)
    monkeypatch.setenv("HOME", str(left_open / "index"))
    assert tighten(left_open) == [left_open]
    assert modes(left_open) == before
    assert "data_dir" in caplog.text
    monkeypatch.setenv("HOME", "/root")
    left_open.chmod(0o1777)  # as /tmp is
    assert tighten(left_open) == [left_open]


@pytest.mark.parametrize("refuses", [True, False], ids=["refuses", "does nothing"])
def test_a_mount_without_modes_is_a_warning(
    left_open: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, refuses: bool
) -> None:
    def chmod(self: Path, mode: int, **_: object) -> None:
        if refuses:
            raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(Path, "chmod", chmod)
    caplog.set_level(logging.WARNING)
    assert len(tighten(left_open)) == 9
    assert len(caplog.records) == 1
    assert str(left_open) in caplog.text


@pytest.mark.slow
def test_a_child_makes_files_for_their_owner_only(tmp_path: Path) -> None:
    async def run() -> None:
        child = ChildProcess(f"{__name__}:Maker", str(tmp_path / "made"), name="maker")
        await child.start()
        await child.call("make")
        await child.stop()

    asyncio.run(run())
    assert stat.S_IMODE((tmp_path / "made").stat().st_mode) == 0o600


class Maker:
    """Lives in a child."""

    def __init__(self, path: str) -> None:
        self._path = path

    def make(self) -> None:
        Path(self._path).write_text("x")


def test_so_do_processes_that_are_started_later(tmp_path: Path) -> None:
    make_private(tmp_path / "deep" / "data")
    subprocess.run([sys.executable, "-c", "open('made', 'w')"], cwd=tmp_path / "deep" / "data", check=True)
    assert open_to_others(tmp_path / "deep" / "data") == {}


@pytest.mark.slow
async def test_after_a_run_nothing_is_open_to_others(left_open: Path, demo: DemoServer) -> None:
    """With the packaged model, Chroma and the write-ahead log: looked at while all of it runs."""
    settings = Settings.model_validate(
        {
            "data_dir": left_open,
            "home_assistant": {"url": demo.url, "token": demo.token},
            "events": {"jsonl": left_open / "logs" / "events.jsonl"},
        }
    )
    app = App(settings)
    await app.start()
    try:
        await app.need_home()
        await app.agent.process("turn on the kitchen lights")
        await app.index.sync()
        running = modes(left_open)
        assert open_to_others(left_open) == {}
    finally:
        await app.stop()
    assert {"homeagent.db", "homeagent.db-wal", "homeagent.lock", "homeagent.pid"} <= set(running)
    assert any("chroma.sqlite3" in name for name in running), running
    assert "logs/events.jsonl" in running
    assert open_to_others(left_open) == {}
