"""A child process from the caller's side: results, errors, streams, and every way to end."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import psutil
import pytest

from indexer.errors import ChildDied, ChildFailed, ChildTimeout, StoreCorrupt
from indexer.process import ChildProcess

pytestmark = pytest.mark.slow  # it starts processes

TARGETS = "tests.indexer.process_targets"


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    return tmp_path / "notes"


@pytest.fixture
async def child(notes: Path) -> AsyncIterator[ChildProcess]:
    process = ChildProcess(f"{TARGETS}:Target", "Hello", str(notes), name="test", secrets=("s3cret",))
    await process.start()
    yield process
    await process.stop()


async def test_a_call_returns_the_result(child: ChildProcess) -> None:
    assert await child.call("greet", "Ada") == "Hello, Ada"


async def test_several_calls_are_in_flight_at_once(child: ChildProcess) -> None:
    waiting = asyncio.create_task(child.call("wait"))
    assert await child.call("greet", "Ada") == "Hello, Ada"
    assert not waiting.done()
    await child.call("release")
    assert await waiting == "released"


async def test_a_large_result_arrives_whole(child: ChildProcess) -> None:
    name = "x" * 5_000_000
    assert await child.call("greet", name) == f"Hello, {name}"


@pytest.mark.parametrize("method", ["count", "count_async"])
async def test_a_generator_streams(child: ChildProcess, method: str) -> None:
    assert [i async for i in child.stream(method, 3)] == [0, 1, 2]


@pytest.mark.parametrize(("method", "note"), [("count", "closed"), ("count_async", "closed async")])
async def test_leaving_a_stream_ends_it_in_the_child(child: ChildProcess, notes: Path, method: str, note: str) -> None:
    stream = child.stream(method, 10_000)
    async for i in stream:
        if i == 2:
            break
    await stream.aclose()  # type: ignore[attr-defined]
    await until(lambda: text(notes) == f"{note}\n")


async def test_cancelling_a_call_cancels_it_in_the_child(child: ChildProcess, notes: Path) -> None:
    task = asyncio.create_task(child.call("slow_async", 30))
    await until(lambda: text(notes) == "started\n")
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await until(lambda: text(notes) == "started\ncancelled\n")


async def test_own_errors_are_made_again_with_their_hint(child: ChildProcess) -> None:
    with pytest.raises(StoreCorrupt, match="damaged") as caught:
        await child.call("fail", "ours")
    assert caught.value.hint == "mend it"


@pytest.mark.parametrize(("how", "said"), [("library", "LibraryError: inner trouble"), ("builtin", "ValueError: bad")])
async def test_any_other_error_keeps_its_name_and_text(child: ChildProcess, how: str, said: str) -> None:
    with pytest.raises(ChildFailed, match=said) as caught:
        await child.call("fail", how)
    assert caught.value.type_name == said.partition(":")[0]


async def test_an_unknown_or_private_method_is_an_error(child: ChildProcess) -> None:
    for method in ("nothing", "_note"):
        with pytest.raises(ChildFailed, match=method):
            await child.call(method)


async def test_an_object_of_a_foreign_library_cannot_cross(child: ChildProcess) -> None:
    with pytest.raises(ChildFailed, match="fractions"):
        await child.call("foreign_value")
    assert await child.call("greet", "Ada") == "Hello, Ada"


async def test_a_call_that_takes_too_long_times_out_and_others_go_on(child: ChildProcess) -> None:
    with pytest.raises(ChildTimeout, match=r"within 0\.1 s"):
        await child.call("wait", timeout=0.1)
    assert await child.call("greet", "Ada") == "Hello, Ada"


async def test_death_ends_every_open_call(child: ChildProcess) -> None:
    waiting = asyncio.create_task(child.call("wait"))
    await child.call("greet", "Ada")
    with pytest.raises(ChildDied, match="ended with 7"):
        await child.call("die")
    with pytest.raises(ChildDied):
        await waiting
    assert not child.alive
    with pytest.raises(ChildDied):
        await child.call("greet", "Ada")


async def test_it_can_be_started_again_after_a_death(child: ChildProcess) -> None:
    with pytest.raises(ChildDied):
        await child.call("die")
    await child.kill()
    await child.start()
    assert await child.call("greet", "Ada") == "Hello, Ada"


async def test_prints_do_not_disturb_and_secrets_are_masked(
    child: ChildProcess, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO):
        assert await child.call("print_noise") == ""
        await until(lambda: "raw noise" in caplog.text and "the token is ***" in caplog.text)
    assert "s3cret" not in caplog.text


async def test_settings_reach_the_child_neither_by_environment_nor_command_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HOMEAGENT_HOME_ASSISTANT__TOKEN", "tok-123")
    child = ChildProcess(f"{TARGETS}:Target", "tok-456", name="test", env={"EXTRA": "1"})
    await child.start()
    try:
        environment = await child.call("environment")
        command = await child.call("command_line")
    finally:
        await child.stop()
    assert environment["EXTRA"] == "1"
    assert "tok-123" not in str(environment)
    assert "tok-456" not in command


async def test_stop_closes_the_target_and_leaves_no_process(child: ChildProcess, notes: Path) -> None:
    pid = child.pid
    await child.stop()
    assert text(notes) == "target closed\n"
    assert not psutil.pid_exists(pid or 0)
    await child.stop()  # twice is fine


async def test_a_factory_that_fails_raises_in_start() -> None:
    child = ChildProcess(f"{TARGETS}:broken", "x", name="test")
    with pytest.raises(StoreCorrupt, match="cannot be made"):
        await child.start()
    assert not child.alive


async def test_a_factory_that_hangs_is_ended() -> None:
    child = ChildProcess(f"{TARGETS}:hanging", name="test", start_timeout=0.5)
    with pytest.raises(ChildTimeout):
        await child.start()
    assert not child.alive


async def test_a_child_that_cannot_be_started_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    child = ChildProcess(f"{TARGETS}:Target", "Hello", name="test")
    with pytest.raises(ChildDied, match=r"cannot be started.*/nowhere/python"):
        await child.start()
    await child.stop()


def test_the_child_dies_with_a_killed_parent(tmp_path: Path) -> None:
    script = textwrap.dedent(
        f"""
        import asyncio, sys
        sys.path.insert(0, {str(Path(__file__).parent)!r})
        from indexer.process import ChildProcess
        async def main():
            child = ChildProcess("{TARGETS}:Target", "Hello", name="test")
            await child.start()
            print(child.pid, flush=True)
            await child.call("wait")
        asyncio.run(main())
        """
    )
    parent = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    pid = int(parent.stdout.readline())
    os.kill(parent.pid, signal.SIGKILL)
    parent.wait()
    parent.stdout.close()
    deadline = time.monotonic() + 5
    while _runs(pid) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not _runs(pid)


def _runs(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def text(file: Path) -> str:
    return file.read_text() if file.exists() else ""


async def until(condition: Callable[[], bool], seconds: float = 5.0) -> None:
    async with asyncio.timeout(seconds):
        while not condition():  # noqa: ASYNC110  what is waited for happens in another process
            await asyncio.sleep(0.01)
