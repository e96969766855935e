"""Who listens to events: all hear the same, in order; a slow one misses some and holds up nobody."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from homeagent.errors import TooManyListeners
from homeagent.events import Emitter, Event, HistorySaved, MemoryExtracted, ToolExecuted
from homeagent.service import listeners as room
from homeagent.service.listeners import ALL, Listeners, Wanted

SAID = "unlock the front door please"


@pytest.fixture
def encoded(monkeypatch: pytest.MonkeyPatch) -> list[Event]:
    """Every event each time that it is prepared for the wire."""
    seen: list[Event] = []
    shown = room.shown

    def counted(event: Event, *, include_text: bool) -> dict[str, Any]:
        seen.append(event)
        return shown(event, include_text=include_text)

    monkeypatch.setattr(room, "shown", counted)
    return seen


async def _listening(
    listeners: Listeners, wanted: Wanted = ALL, last_id: str | None = None, *, with_text: bool = False
) -> AsyncIterator[bytes]:
    listener = listeners.listen(Wanted(with_text=True) if with_text else wanted, last_id)
    first = await anext(listener)
    assert first.endswith(b": watching\n\n")
    assert first.startswith(b"id: ")
    return listener


async def _heard(listener: AsyncIterator[bytes], count: int) -> list[dict[str, Any]]:
    events: list[dict[str, Any]] = []
    async with asyncio.timeout(10):
        while len(events) < count:
            piece = await anext(listener)
            events += [json.loads(line[6:]) for line in piece.decode().splitlines() if line.startswith("data: ")]
    return events


async def test_an_event_is_encoded_once_however_many_listen(encoded: list[Event]) -> None:
    emitter = Emitter()
    listeners = Listeners(emitter, asyncio.Event(), 100)
    everybody = [await _listening(listeners) for _ in range(50)]
    emitter.emit(HistorySaved(message_count=1))
    emitter.emit(HistorySaved(message_count=2))
    heard = await asyncio.gather(*(_heard(listener, 2) for listener in everybody))
    assert [[event["message_count"] for event in events] for events in heard] == [[1, 2]] * 50
    assert len(encoded) == 2
    await emitter.close()


async def test_with_text_and_without_are_two_streams() -> None:
    emitter = Emitter()
    listeners = Listeners(emitter, asyncio.Event(), 10)
    plain, full = await _listening(listeners), await _listening(listeners, with_text=True)
    emitter.emit(ToolExecuted(tool_name="t", parameters={"note": SAID}, result=SAID, success=True, duration_ms=1))
    assert SAID not in json.dumps(await _heard(plain, 1))
    assert SAID in json.dumps(await _heard(full, 1))
    await emitter.close()


async def test_one_that_reads_nothing_holds_up_nobody_and_is_told_what_it_missed() -> None:
    emitter = Emitter()
    listeners = Listeners(emitter, asyncio.Event(), 10)
    slow, quick = await _listening(listeners), await _listening(listeners)
    for number in range(1200):
        emitter.emit(HistorySaved(message_count=number))
        if number % 100 == 99:
            heard = [event["message_count"] for event in await _heard(quick, 100)]
            assert heard == list(range(number - 99, number + 1))
    events = await _heard(slow, 1001)
    assert events[0] == {"event_type": "home_agent.dropped", "count": 200}
    assert [event["message_count"] for event in events[1:]] == list(range(200, 1200))
    await emitter.close()


async def test_there_are_no_more_than_allowed() -> None:
    emitter = Emitter()
    listeners = Listeners(emitter, asyncio.Event(), 2)
    first, _second = await _listening(listeners), await _listening(listeners, with_text=True)
    with pytest.raises(TooManyListeners):
        listeners.listen()
    await first.aclose()  # type: ignore[attr-defined]
    await _listening(listeners)
    await emitter.close()


async def test_who_leaves_is_gone_for_good() -> None:
    emitter = Emitter()
    listeners = Listeners(emitter, asyncio.Event(), 100)
    before = asyncio.all_tasks()
    for _ in range(2):
        watching = [await _listening(listeners) for _ in range(20)]
        reading = [asyncio.create_task(anext(watcher)) for watcher in watching]  # type: ignore[arg-type]
        await asyncio.sleep(0.05)
        for task in reading:
            task.cancel()
        await asyncio.wait(reading)
        await asyncio.sleep(0.05)
        assert listeners.count == 0
        left = asyncio.all_tasks() - before
        assert [task.get_name() for task in left] == ["events:listeners"]  # keeps what happens for who comes back
    await emitter.close()
    assert asyncio.all_tasks() <= before


async def test_the_end_of_the_service_ends_all_streams() -> None:
    emitter, closing = Emitter(), asyncio.Event()
    listeners = Listeners(emitter, closing, 100)
    watching = [await _listening(listeners) for _ in range(20)]
    reading = [asyncio.create_task(_heard(watcher, 1)) for watcher in watching]
    await asyncio.sleep(0.05)
    closing.set()
    ended = await asyncio.wait_for(asyncio.gather(*reading, return_exceptions=True), 5)
    assert all(isinstance(one, StopAsyncIteration) for one in ended)


async def test_a_quiet_stream_says_that_it_is_still_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "_KEEP_ALIVE", 0.05)
    emitter = Emitter()
    listener = await _listening(Listeners(emitter, asyncio.Event(), 1))
    sign = await asyncio.wait_for(anext(listener), 5)
    assert sign.startswith(b"id: ")
    assert sign.endswith(b"-0\n: still here\n\n")
    await emitter.close()


def _ids(pieces: list[bytes]) -> list[str]:
    return [line[4:] for piece in pieces for line in piece.decode().splitlines() if line.startswith("id: ")]


async def _pieces(listener: AsyncIterator[bytes], count: int) -> list[bytes]:
    pieces: list[bytes] = []
    async with asyncio.timeout(10):
        while len(_ids(pieces)) < count:
            pieces.append(await anext(listener))
    return pieces


async def test_one_that_was_away_goes_on_where_it_was() -> None:
    emitter = Emitter()
    listeners = Listeners(emitter, asyncio.Event(), 10)
    listener = await _listening(listeners)
    for number in range(3):
        emitter.emit(HistorySaved(message_count=number))
    first, second, _third = _ids(await _pieces(listener, 3))
    assert first != second
    await listener.aclose()  # type: ignore[attr-defined]
    emitter.emit(HistorySaved(message_count=3))
    await asyncio.sleep(0.05)
    back = await _listening(listeners, last_id=second)
    assert [event["message_count"] for event in await _heard(back, 2)] == [2, 3]
    emitter.emit(HistorySaved(message_count=4))
    assert [event["message_count"] for event in await _heard(back, 1)] == [4]
    await emitter.close()


@pytest.mark.parametrize("last_id", ["", "x", "0-1", "00000000-5", "ü-1", "-", "1" * 40])
async def test_one_that_comes_back_to_another_run_is_told_that_it_may_have_missed_some(last_id: str) -> None:
    emitter = Emitter()
    listeners = Listeners(emitter, asyncio.Event(), 10)
    here = await _listening(listeners)
    emitter.emit(HistorySaved(message_count=1))
    await _heard(here, 1)
    back = listeners.listen(last_id=last_id)
    events = await _heard(back, 2)
    assert events[0] == {"event_type": "home_agent.dropped"}
    assert events[1]["message_count"] == 1
    await emitter.close()


async def test_an_id_that_is_still_to_come_is_the_end() -> None:
    emitter = Emitter()
    listeners = Listeners(emitter, asyncio.Event(), 10)
    here = await _listening(listeners)
    emitter.emit(HistorySaved(message_count=1))
    (id_,) = _ids(await _pieces(here, 1))
    back = await _listening(listeners, last_id=id_.replace("-1", "-999"))
    emitter.emit(HistorySaved(message_count=2))
    assert [event["message_count"] for event in await _heard(back, 1)] == [2]
    await emitter.close()


async def test_only_what_is_wanted_is_heard_and_what_is_not_is_not_looked_through_again() -> None:
    emitter = Emitter()
    listeners = Listeners(emitter, asyncio.Event(), 10)
    of_type = await _listening(listeners, Wanted(types=frozenset({"memory.extracted"})))
    of_one = await _listening(listeners, Wanted(conversation_id="a"))
    for number in range(200):
        emitter.emit(HistorySaved(message_count=number, conversation_id="a" if number % 100 == 0 else "b"))
    emitter.emit(MemoryExtracted(memories_extracted=7, conversation_id="b"))
    assert [event["memories_extracted"] for event in await _heard(of_type, 1)] == [7]
    assert [event["message_count"] for event in await _heard(of_one, 2)] == [0, 100]
    await emitter.close()


async def test_one_that_hears_little_has_signs_of_life_with_the_place_to_come_back_to(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(room, "_KEEP_ALIVE", 0.1)
    emitter = Emitter()
    listeners = Listeners(emitter, asyncio.Event(), 10)
    listener = await _listening(listeners, Wanted(types=frozenset({"memory.extracted"})))

    async def busy() -> None:
        for number in range(100):
            emitter.emit(HistorySaved(message_count=number))
            await asyncio.sleep(0.01)

    talking = asyncio.create_task(busy())
    sign = await asyncio.wait_for(anext(listener), 5)
    assert sign.endswith(b": still here\n\n")
    (id_,) = _ids([sign])
    assert int(id_.rpartition("-")[2]) > 0
    talking.cancel()
    await emitter.close()


async def test_a_listener_goes_on_over_a_new_start_of_the_service_without_a_gap(tmp_path: Path) -> None:
    file = tmp_path / "latest-events.json"
    before, closing = Emitter(), asyncio.Event()
    listeners = Listeners(before, closing, 100, file)
    listener = await _listening(listeners, with_text=True)
    before.emit(HistorySaved(message_count=1))
    assert [e["message_count"] for e in await _heard(listener, 1)] == [1]
    last = _last_id(listeners)
    closing.set()
    before.emit(HistorySaved(message_count=2))  # while it ends, and nobody listens any more
    before.emit(_spoken(SAID))
    await before.close()
    assert SAID not in file.read_text()
    assert file.stat().st_mode & 0o077 == 0

    after = Emitter()
    listeners = Listeners(after, asyncio.Event(), 100, file)
    after.emit(HistorySaved(message_count=3))  # before anybody listens
    await asyncio.sleep(0)
    listener = await _listening(listeners, last_id=last)
    heard = await _heard(listener, 3)
    assert [e.get("message_count") for e in heard] == [2, None, 3]
    only = await _listening(listeners, Wanted(types=frozenset({"history.saved"})), last)
    assert [e["message_count"] for e in await _heard(only, 2)] == [2, 3]
    await after.close()


async def test_after_a_kill_it_is_told_that_nobody_knows_what_was_lost(tmp_path: Path) -> None:
    file = tmp_path / "latest-events.json"
    before = Emitter()
    listeners = Listeners(before, asyncio.Event(), 100, file)
    last = _last_id(listeners)
    await before.close()
    killed = Listeners(Emitter(), asyncio.Event(), 100, file)  # takes the file over, and leaves none
    assert not file.exists()
    assert _last_id(killed) == last
    after = Emitter()
    listener = await _listening_lost(Listeners(after, asyncio.Event(), 100, file), last)
    assert listener == [{"event_type": "home_agent.dropped"}]


async def test_a_file_that_holds_something_else_is_passed_over(tmp_path: Path) -> None:
    file = tmp_path / "latest-events.json"
    for text in ("", "[]", '{"run": "a", "end": "x", "events": []}', '{"run": "a", "end": 1, "events": [1]}'):
        file.write_text(text)
        assert _last_id(Listeners(Emitter(), asyncio.Event(), 100, file)).endswith("-0")


def _last_id(listeners: Listeners) -> str:
    return listeners._id(listeners._end)


def _spoken(text: str) -> Event:
    return ToolExecuted(tool_name="ha_control", parameters={"said": text}, result=None, success=True, duration_ms=1.0)


async def _listening_lost(listeners: Listeners, last_id: str) -> list[dict[str, Any]]:
    piece = (await anext(listeners.listen(ALL, last_id))).decode()
    return [json.loads(line[6:]) for line in piece.splitlines() if line.startswith("data: ")]
