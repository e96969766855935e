"""Who listens to events: all hear the same, in order; a slow one misses some and holds up nobody."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from homeagent.errors import TooManyListeners
from homeagent.events import Emitter, Event, HistorySaved, ToolExecuted
from homeagent.service import listeners as room
from homeagent.service.listeners import Listeners

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


async def _listening(listeners: Listeners, *, with_text: bool = False) -> AsyncIterator[bytes]:
    listener = listeners.listen(with_text=with_text)
    assert await anext(listener) == b": watching\n\n"
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
        listeners.listen(with_text=False)
    await first.aclose()  # type: ignore[attr-defined]
    await _listening(listeners)
    await emitter.close()


async def test_who_leaves_is_gone_for_good() -> None:
    before, emitter = asyncio.all_tasks(), Emitter()
    listeners = Listeners(emitter, asyncio.Event(), 100)
    for _ in range(2):
        watching = [await _listening(listeners) for _ in range(20)]
        reading = [asyncio.create_task(anext(watcher)) for watcher in watching]  # type: ignore[arg-type]
        await asyncio.sleep(0.05)
        for task in reading:
            task.cancel()
        await asyncio.wait(reading)
        await asyncio.sleep(0.05)
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
    assert await asyncio.wait_for(anext(listener), 5) == b": still here\n\n"
    await emitter.close()
