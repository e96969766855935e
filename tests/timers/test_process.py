"""The real service, killed and its clock moved: each timer happens once, or is told of."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from homeagent.database import open_database, upgrade
from homeagent.demo.inventory import Inventory
from homeagent.demo.server import DemoServer
from homeagent.timers.due import After, At, Due, Every, Weekday
from homeagent.timers.timer import SetBy, Timer, TimerKind, TimerState
from homeagent.timers.timer_store import TimerStore
from tests.chaos.victim import Victim
from tests.embedding_server import EmbeddingServer

pytestmark = pytest.mark.slow
_LIGHT = "light.kitchen_lights"
_FAKETIME = next(map(str, Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1")), "")
_MOVED = {"LD_PRELOAD": _FAKETIME, "FAKETIME_DONT_FAKE_MONOTONIC": "1", "FAKETIME_FORCE_MONOTONIC_FIX": "0"}
"""Moves the wall clock alone. The last switches off what an old C library needs: with it each timed wait of a thread
returns at once, and two busy threads of Python take a hundred times as long."""
_TURN_ON = {"action": "turn_on", "entity_id": [_LIGHT], "parameters": {}}


@pytest.fixture
async def demo(demo_inventory: Inventory) -> AsyncIterator[DemoServer]:
    async with DemoServer(demo_inventory, settle=0.05) as server:
        server.set_state(_LIGHT, "off")
        yield server


@pytest.fixture
def embedder() -> Iterator[EmbeddingServer]:
    server = EmbeddingServer()
    server.start()
    yield server
    server.stop()


@pytest.fixture
def victim(tmp_path: Path, demo: DemoServer, embedder: EmbeddingServer) -> Iterator[Victim]:
    service = Victim(tmp_path, _variables(demo, embedder))
    yield service
    service.end()


def _variables(demo: DemoServer, embedder: EmbeddingServer) -> dict[str, str]:
    return {
        "HOMEAGENT_HOME_ASSISTANT__URL": demo.url,
        "HOMEAGENT_HOME_ASSISTANT__TOKEN": demo.token,
        "HOMEAGENT_INDEX__ENDPOINT": embedder.url,
        "HOMEAGENT_INDEX__MODEL": "of-the-tests",
    }


class Heard:
    """What the home was asked to do, and what kills the service when it is."""

    def __init__(self, demo: DemoServer) -> None:
        self.said: Counter[str] = Counter()
        self.kill_at: int | None = None
        self.kill: Any = None
        demo.world.on_event(self._hear)

    def _hear(self, event: dict[str, Any]) -> None:
        data = event["data"]
        if event["event_type"] != "call_service" or data["domain"] not in ("persistent_notification", "light"):
            return
        if self.kill_at is not None and sum(self.said.values()) >= self.kill_at:
            self.kill_at = None
            self.kill()
            raise ConnectionError("the service is dead: nothing of this happens")
        self.said[data["service_data"].get("message") or data["service"]] += 1


async def _keep(folder: Path, *timers: tuple[TimerKind, str, Due, datetime]) -> None:
    """Timers in the service's own database, before it starts."""
    data = folder / "homeagent"
    data.mkdir(exist_ok=True)
    engine = open_database(None, data)
    upgrade(engine)
    store = TimerStore(engine)
    for kind, name, due, at in timers:
        calls = () if kind.rings else (_TURN_ON,)
        now = datetime.now(UTC)
        await store.add(Timer("", kind, name, due, at, TimerState.WAITING, SetBy(), now, calls))
    engine.dispose()


async def _wait(until: Any, seconds: float = 90) -> None:
    end = time.monotonic() + seconds
    while not until():
        assert time.monotonic() < end, "it does not come"
        await asyncio.sleep(0.1)


async def _home_is_read(victim: Victim) -> None:
    """Wait for it: on a machine that has much else to do the first request may come before, and is refused."""
    while (await asyncio.to_thread(victim.health))["parts"]["home_assistant"]["status"] != "ok":  # noqa: ASYNC110
        await asyncio.sleep(0.1)


async def _notes(victim: Victim) -> list[dict[str, Any]]:
    answer = await asyncio.to_thread(victim._http.post, "/api/services/list_timers", json={"notes": True})
    return list(answer.json()["notes"])


async def test_killed_between_the_claim_and_the_deed_it_is_not_done_again_and_told(
    victim: Victim, demo: DemoServer, tmp_path: Path
) -> None:
    heard = Heard(demo)
    heard.kill_at = 0
    await _keep(tmp_path, (TimerKind.ACTION, "", After(timedelta(seconds=1)), datetime.now(UTC)))
    dead = asyncio.Event()

    def kill() -> None:
        assert victim._service is not None
        os.kill(victim._service.process.pid, signal.SIGKILL)
        dead.set()

    heard.kill = kill
    await asyncio.to_thread(victim.start)
    await _wait(dead.is_set)
    await asyncio.to_thread(victim.kill)
    await asyncio.to_thread(victim.start)
    await _wait(lambda: any("interrupted" in said for said in heard.said))
    await asyncio.sleep(7)  # it looks every five seconds
    assert demo.calls == []
    (note,) = await _notes(victim)
    assert note["note"] == "uncertain"
    assert await _notes(victim) == []  # told once


async def test_a_thousand_of_which_some_are_cut_off_ring_once_each_or_are_told(
    victim: Victim, demo: DemoServer, tmp_path: Path
) -> None:
    heard = Heard(demo)
    now = datetime.now(UTC)
    await _keep(tmp_path, *((TimerKind.REMINDER, f"n{n}", After(timedelta(seconds=1)), now) for n in range(1000)))
    heard.kill_at = 400
    dead = asyncio.Event()

    def kill() -> None:
        assert victim._service is not None
        os.kill(victim._service.process.pid, signal.SIGKILL)
        dead.set()

    heard.kill = kill
    await asyncio.to_thread(victim.start)
    await _wait(dead.is_set)
    await asyncio.to_thread(victim.kill)
    await asyncio.to_thread(victim.start)

    def rang() -> dict[str, int]:
        return {said: times for said, times in heard.said.items() if said.startswith("Reminder: n")}

    def told() -> set[str]:
        return {said for said in heard.said if "interrupted" in said}

    await _wait(lambda: len(rang()) + len(told()) >= 1000, 180)
    assert set(rang().values()) == {1}
    notes = {note["name"] for note in await _notes(victim) if note["note"] == "uncertain"}
    assert notes  # those under way when it was killed
    silent = {f"n{n}" for n in range(1000)} - {said.removeprefix("Reminder: ").removesuffix(".") for said in rang()}
    assert silent <= notes


@pytest.mark.skipif(not _FAKETIME, reason="faketime is not installed")
@pytest.mark.parametrize("days", [1, -1])
async def test_under_a_clock_that_is_a_day_off_nothing_happens_twice(
    victim: Victim, demo: DemoServer, tmp_path: Path, days: int
) -> None:
    """Stopped, started with the clock a day ahead or back, and again with the right one."""
    heard = Heard(demo)
    soon = datetime.now(UTC) + timedelta(hours=2)
    clock = soon.time().replace(microsecond=0)
    await _keep(tmp_path, (TimerKind.ALARM, "up", At(clock, soon.date()), soon))
    moved = _MOVED | {"FAKETIME": f"{days:+d}d"}
    right = dict(victim._variables)
    victim._variables = right | moved
    await asyncio.to_thread(victim.start)
    if days > 0:
        await _wait(lambda: any("missed" in said for said in heard.said))
    else:
        await asyncio.sleep(7)
        assert not heard.said
    await asyncio.to_thread(victim.kill)
    victim._variables = right
    await asyncio.to_thread(victim.start)
    await asyncio.sleep(7)
    answer = await asyncio.to_thread(victim._http.post, "/api/services/list_timers", json={"notes": True})
    listed = answer.json()
    if days > 0:
        assert listed["timers"] == []
        assert [note["note"] for note in listed["notes"]] == ["missed"]
    else:
        assert [one["state"] for one in listed["timers"]] == ["waiting"]
        assert listed["notes"] == []
    assert sum(heard.said.values()) == (1 if days > 0 else 0), json.dumps(heard.said)


@pytest.mark.skipif(not _FAKETIME, reason="faketime is not installed")
async def test_a_clock_that_is_moved_while_it_runs_moves_no_countdown_and_repeats_nothing(
    victim: Victim, demo: DemoServer, tmp_path: Path
) -> None:
    """A day ahead and back again: twenty seconds stay twenty; today's alarm is told as missed and rings no more."""
    heard = Heard(demo)
    now = datetime.now(UTC)
    alarm = (now + timedelta(hours=2)).replace(microsecond=0)
    clock = tmp_path / "clock"
    clock.write_text("+0d")
    victim._variables |= _MOVED | {"FAKETIME_TIMESTAMP_FILE": str(clock), "FAKETIME_NO_CACHE": "1"}
    await _keep(tmp_path, (TimerKind.ALARM, "up", At(alarm.time(), alarm.date()), alarm))
    await asyncio.to_thread(victim.start)
    await _home_is_read(victim)
    set_at = time.monotonic()
    answer = await asyncio.to_thread(
        victim._http.post, "/api/services/set_timer", json={"name": "eggs", "in_seconds": 20}
    )
    assert answer.status_code == 200, answer.text
    await asyncio.sleep(6)
    clock.write_text("+1d")
    await _wait(lambda: any("missed" in said for said in heard.said), 15)
    assert not any("eggs" in said for said in heard.said)
    clock.write_text("+0d")
    await _wait(lambda: any("eggs" in said for said in heard.said), 40)
    assert time.monotonic() - set_at > 19
    await asyncio.sleep(7)
    assert sorted(heard.said.values()) == [1, 1], heard.said


@pytest.mark.skipif(not _FAKETIME, reason="faketime is not installed")
async def test_a_time_that_comes_twice_in_the_night_of_the_change_rings_once(
    demo_inventory: Inventory, embedder: EmbeddingServer, tmp_path: Path
) -> None:
    clock = tmp_path / "clock"

    def put(moment: datetime) -> None:
        clock.write_text(f"{round((moment - datetime.now(UTC)).total_seconds()):+d}s")

    first = datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
    """02:30 in summer time; an hour later it is 02:30 again."""
    put(first - timedelta(seconds=15))
    async with DemoServer(replace(demo_inventory, time_zone="Europe/Berlin"), settle=0.05) as demo:
        heard = Heard(demo)
        await _keep(
            tmp_path, (TimerKind.ALARM, "night", Every(first.time().replace(hour=2), frozenset(Weekday)), first)
        )
        moved = _MOVED | {"FAKETIME_TIMESTAMP_FILE": str(clock), "FAKETIME_NO_CACHE": "1"}
        service = Victim(tmp_path, _variables(demo, embedder) | moved)
        try:
            await asyncio.to_thread(service.start)
            await _wait(lambda: bool(heard.said), 60)
            put(first + timedelta(minutes=59, seconds=50))
            await asyncio.sleep(20)
            assert sum(heard.said.values()) == 1, heard.said
            answer = await asyncio.to_thread(service._http.post, "/api/services/list_timers", json={})
            assert [one["due"] for one in answer.json()["timers"]] == ["2026-10-26T02:30:00+01:00"]
        finally:
            service.end()
