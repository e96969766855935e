"""What happens when a timer is due: once, in time or told, and only what the policy and the yes allow."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any

import pytest

from homeagent.demo.server import DemoServer
from homeagent.events import Emitter, TimerFired
from homeagent.ha.connection import HomeAssistant
from homeagent.timers.awaiting import Awaiting
from homeagent.timers.due_clock import TimerClock
from homeagent.timers.firing import Firing
from homeagent.timers.timer import Note, TimerState
from homeagent.timers.timer_store import TimerStore
from homeagent.timers.timers import Timers
from tests.contract.houses import eventually
from tests.event_queue import EventQueue
from tests.examples import share
from tests.timers.conftest import Clock, Do, Told

Look = Callable[[], Awaitable[None]]
LIGHT = {"action": "turn_on", "entity_id": "light.kitchen_ceiling"}
UNLOCK = {"action": "unlock", "entity_id": "lock.front_door"}


@pytest.fixture(autouse=True)
def dark(demo: DemoServer) -> None:
    demo.set_state("light.kitchen_ceiling", "off")
    demo.set_state("lock.front_door", "locked")


def is_on(demo: DemoServer) -> bool:
    return bool(demo.state("light.kitchen_ceiling")["state"] == "on")


def calls(demo: DemoServer) -> list[tuple[str, str]]:
    return [(call.entity_id, call.service) for call in demo.calls]


async def test_an_action_is_done_when_it_is_due_and_once(
    timer: Do, look: Look, clock: Clock, demo: DemoServer, store: TimerStore
) -> None:
    await timer("set", kind="action", in_seconds=600, calls=[LIGHT])
    clock.pass_(minutes=9)
    await look()
    assert not is_on(demo)
    clock.pass_(minutes=1)
    await look()
    await look()
    assert calls(demo) == [("light.kitchen_ceiling", "turn_on")]
    assert await store.live() == []
    assert await store.untold() == []


@pytest.mark.parametrize(
    ("state", "done", "note"), [("unlocked", True, None), ("locked", False, None), ("unavailable", False, Note.MISSED)]
)
async def test_what_has_to_be_so_is_looked_at_when_it_is_due(
    timer: Do, look: Look, clock: Clock, demo: DemoServer, store: TimerStore, told: Told, home_assistant: HomeAssistant,
    state: str, done: bool, note: Note | None,
) -> None:  # fmt: skip
    only = {"only_entity_id": "lock.front_door", "only_state": "unlocked"}
    await timer("set", kind="action", in_seconds=60, calls=[LIGHT], **only)
    await timer("set", kind="reminder", in_seconds=60, name="the door is unlocked", **only)
    demo.set_state("lock.front_door", state)
    await eventually(lambda: home_assistant.home.state_text("lock.front_door") == state)
    clock.pass_(minutes=1)
    await look()
    assert is_on(demo) is done
    assert all(one.state is TimerState.RINGING for one in await store.live())
    assert [one.note for one in await store.untold()] == ([note, note] if note else [])
    assert ("Reminder: the door is unlocked" in " ".join(told.messages)) is done


async def test_it_is_claimed_in_the_table_before_anything_is_done(
    timer: Do, firing: Firing, clock: Clock, demo: DemoServer, store: TimerStore, make_clock: Callable[[], TimerClock]
) -> None:
    """A process that ends between the claim and the deed: never done twice, and told."""
    await timer("set", kind="action", in_seconds=60, calls=[LIGHT])
    clock.pass_(minutes=1)
    (due,) = await store.due(clock.now)
    assert await firing.claim(due) is not None
    assert await store.due(clock.now) == []
    # here the process is killed; another starts
    assert [one.id for one in await store.let_go()] == [due.id]
    after = make_clock()
    await after.look()
    await after.settled()
    assert calls(demo) == []
    (told,) = await store.untold()
    assert told.note is Note.UNCERTAIN


async def test_what_acts_finds_its_claim_in_the_table(
    timer: Do, look: Look, clock: Clock, store: TimerStore, firing: Firing, monkeypatch: pytest.MonkeyPatch
) -> None:
    await timer("set", kind="action", in_seconds=60, calls=[LIGHT])
    clock.pass_(minutes=1)
    seen: list[Any] = []

    async def act(acting: Any) -> None:
        kept = await store.get(acting.id)
        assert kept is not None
        seen.append((kept.claimed_at, kept.next_due, kept.note))

    monkeypatch.setattr(firing, "_act", act)
    await look()
    assert seen == [(clock.now, None, Note.UNCERTAIN)]


async def test_two_that_look_at_once_do_it_once(
    timer: Do, clock: Clock, demo: DemoServer, make_clock: Callable[[], TimerClock]
) -> None:
    await timer("set", kind="action", in_seconds=60, calls=[LIGHT])
    clock.pass_(minutes=1)
    looking = [make_clock() for _ in range(5)]
    await asyncio.gather(*(one.look() for one in looking))
    await asyncio.gather(*(one.settled() for one in looking))
    assert calls(demo) == [("light.kitchen_ceiling", "turn_on")]


async def test_a_late_one_is_done_and_told_and_a_later_one_is_missed_and_told(
    timer: Do, look: Look, clock: Clock, demo: DemoServer, store: TimerStore, told: Told
) -> None:
    await timer("set", kind="action", at="18:00", calls=[LIGHT])
    (kept,) = await store.live()
    assert kept.next_due is not None
    clock.now = kept.next_due + timedelta(minutes=5)
    await look()
    assert is_on(demo)
    assert [one.note for one in await store.untold()] == [Note.LATE]
    demo.set_state("light.kitchen_ceiling", "off")
    await timer("set", kind="action", at="21:00", calls=[LIGHT])
    (kept,) = await store.live()
    assert kept.next_due is not None
    clock.now = kept.next_due + timedelta(minutes=11)
    await look()
    assert not is_on(demo)
    assert [one.note for one in await store.untold()] == [Note.LATE, Note.MISSED]
    assert "missed" in told.messages[-1]


async def test_a_clock_put_ahead_a_day_and_back_lets_ten_minutes_be_ten_minutes(
    timer: Do, look: Look, clock: Clock, demo: DemoServer, store: TimerStore
) -> None:
    await timer("set", kind="action", in_seconds=600, calls=[LIGHT])
    await look()
    clock.jump(days=1)
    await look()
    assert not is_on(demo)
    clock.pass_(minutes=5)
    await look()
    clock.jump(days=-1)
    await look()
    assert not is_on(demo)
    clock.pass_(minutes=5)
    await look()
    assert is_on(demo)
    assert await store.untold() == []


async def test_a_daily_one_rings_once_a_day_though_the_clock_is_put_back(
    timer: Do, look: Look, clock: Clock, told: Told
) -> None:
    await timer("set", kind="alarm", name="up", at="13:00", weekdays=["mon", "tue", "wed"])
    (alarm,) = (await timer("list")).result["timers"]
    clock.pass_(seconds=alarm["seconds_left"] + 1)
    await look()
    assert len(told.messages) == 1
    clock.jump(minutes=-30)
    await look()
    clock.pass_(minutes=31)
    await look()
    assert len(told.messages) == 1
    clock.pass_(days=1)
    await look()
    assert len(told.messages) == 2


async def test_a_day_that_a_clock_put_ahead_has_missed_is_there_again_when_it_is_put_back(
    timer: Do, look: Look, clock: Clock, told: Told, store: TimerStore
) -> None:
    await timer("set", kind="alarm", name="up", at="13:00", weekdays=["mon", "tue", "wed", "thu", "fri"])
    (before,) = await store.live()
    await look()
    clock.jump(days=1)
    await look()
    assert [one.note for one in await store.untold()] == [Note.MISSED]
    clock.jump(days=-1)
    await look()
    (now,) = await store.live()
    assert now.next_due == before.next_due


async def test_a_yes_counts_when_it_fires_for_the_same_deed_alone(
    timer: Do, approve: Do, look: Look, clock: Clock, demo: DemoServer, store: TimerStore
) -> None:
    asked = await timer("set", kind="action", in_seconds=60, calls=[UNLOCK])
    assert (await approve(asked.result["confirmation"]["id"])).success
    clock.pass_(minutes=1)
    await look()
    assert demo.state("lock.front_door")["state"] == "unlocked"
    assert await store.untold() == []


async def test_without_a_yes_nothing_is_opened_and_it_is_told(
    timer: Do, look: Look, clock: Clock, demo: DemoServer, store: TimerStore, timers: Timers, told: Told
) -> None:
    """What was harmless when it was set and is not any more: the policy judges again when it fires."""
    await timer("set", kind="action", in_seconds=60, calls=[LIGHT])
    (kept,) = await store.live()
    await timers.change(kept, calls=[UNLOCK])
    clock.pass_(minutes=1)
    await look()
    assert demo.state("lock.front_door")["state"] == "locked"
    (untold,) = await store.untold()
    assert untold.note is Note.NEEDS_YES
    assert "yes" in told.messages[-1]


async def test_a_yes_to_another_deed_does_not_count(
    timer: Do, approve: Do, look: Look, clock: Clock, demo: DemoServer, store: TimerStore, timers: Timers
) -> None:
    asked = await timer("set", kind="action", in_seconds=60, calls=[{**UNLOCK, "entity_id": "lock.back_door"}])
    if not asked.result:  # the demo home has one lock: its garage door is as good
        asked = await timer(
            "set", kind="action", in_seconds=60, calls=[{"action": "open", "entity_id": "cover.garage_door"}]
        )
    assert (await approve(asked.result["confirmation"]["id"])).success
    (kept,) = await store.live()
    await timers.change(kept, calls=[UNLOCK])
    clock.pass_(minutes=1)
    await look()
    assert demo.state("lock.front_door")["state"] == "locked"
    assert [one.note for one in await store.untold()] == [Note.NEEDS_YES]


async def test_what_cannot_be_done_is_told(
    timer: Do, look: Look, clock: Clock, demo: DemoServer, store: TimerStore
) -> None:
    await timer("set", kind="action", in_seconds=60, calls=[LIGHT])
    demo.set_exposed("light.kitchen_ceiling", False)
    clock.pass_(minutes=1)
    await asyncio.sleep(2.1)  # what was asked about exposure is good for two seconds
    await look()
    assert calls(demo) == []
    assert [one.note for one in await store.untold()] == [Note.FAILED]


async def test_it_rings_where_it_was_set_can_be_put_off_and_silenced(
    timer: Do, look: Look, clock: Clock, told: Told, demo: DemoServer, home_assistant: HomeAssistant, turn: Any
) -> None:
    await at_satellite(demo, home_assistant, turn)
    await timer("set", kind="timer", name="pasta", in_seconds=60)
    clock.pass_(minutes=1)
    await look()
    assert told.said == [
        (
            "assist_satellite.announce",
            {"message": "Your timer is up: pasta.", "entity_id": ["assist_satellite.living_room"]},
        )
    ]
    assert (await timer("list")).result["timers"][0]["state"] == "ringing"
    assert (await timer("snooze", in_seconds=120)).success
    clock.pass_(minutes=2)
    await look()
    assert told.messages == ["Your timer is up: pasta."] * 2
    assert (await timer("dismiss")).success
    assert (await timer("list")).result["timers"] == []


async def at_satellite(demo: DemoServer, home_assistant: HomeAssistant, turn: Any) -> None:
    demo.set_state("assist_satellite.living_room", "idle", {"supported_features": 1})
    satellite = home_assistant.home.entity("assist_satellite.living_room")
    assert satellite is not None
    turn.device_id = satellite.device_id


@pytest.mark.parametrize("kind", ["timer", "alarm"])
async def test_it_rings_again_until_it_is_stopped(
    timer: Do,
    look: Look,
    clock: Clock,
    told: Told,
    demo: DemoServer,
    home_assistant: HomeAssistant,
    turn: Any,
    kind: str,
) -> None:
    await at_satellite(demo, home_assistant, turn)
    await timer("set", kind=kind, name="pasta", in_seconds=60)
    clock.pass_(minutes=1)
    for rung in (1, 2, 3):
        await look()
        await look()
        assert len(told.messages) == rung
        clock.pass_(seconds=15)
    assert len(set(told.messages)) == 1
    assert (await timer("dismiss")).success
    await look()
    assert len(told.messages) == 3


async def test_it_does_not_ring_on_for_ever(
    timer: Do, look: Look, clock: Clock, told: Told, demo: DemoServer, home_assistant: HomeAssistant, turn: Any
) -> None:
    await at_satellite(demo, home_assistant, turn)
    await timer("set", kind="alarm", in_seconds=60)
    clock.pass_(minutes=1)
    for _ in range(20):
        await look()
        clock.pass_(seconds=15)
    assert len(told.messages) == 1 + 120 // 15


async def test_it_does_not_ring_into_what_somebody_says_to_it(
    timer: Do, look: Look, clock: Clock, told: Told, demo: DemoServer, home_assistant: HomeAssistant, turn: Any
) -> None:
    await at_satellite(demo, home_assistant, turn)
    await timer("set", kind="timer", in_seconds=60)
    clock.pass_(minutes=1)
    await look()
    for state, rung in (("listening", 1), ("processing", 1), ("idle", 2)):
        demo.set_state("assist_satellite.living_room", state, {"supported_features": 1})
        await eventually(lambda state=state: home_assistant.home.state_text("assist_satellite.living_room") == state)
        clock.pass_(seconds=15)
        await look()
        assert len(told.messages) == rung


async def test_a_reminder_and_a_notification_are_told_once(
    timer: Do, look: Look, clock: Clock, told: Told, demo: DemoServer, home_assistant: HomeAssistant, turn: Any
) -> None:
    await timer("set", kind="alarm", in_seconds=60)
    await at_satellite(demo, home_assistant, turn)
    await timer("set", kind="reminder", name="bins", in_seconds=60)
    clock.pass_(minutes=1)
    for _ in range(3):
        await look()
        clock.pass_(seconds=15)
    assert [service for service, _ in told.said].count("persistent_notification.create") == 1
    assert [service for service, _ in told.said].count("assist_satellite.announce") == 1


async def test_without_a_satellite_it_is_a_notification_in_the_language_it_was_set_in(
    timer: Do, look: Look, clock: Clock, told: Told, turn: Any
) -> None:
    turn.language = "de"
    await timer("set", kind="reminder", name="Müll rausbringen", in_seconds=60)
    clock.pass_(minutes=1)
    await look()
    assert told.said[0][0] == "persistent_notification.create"
    assert told.messages == ["Erinnerung: Müll rausbringen."]


async def test_events_tell_what_happened_without_names(timer: Do, look: Look, clock: Clock, emitter: Emitter) -> None:
    queue = EventQueue()
    emitter.add(queue)
    await timer("set", kind="timer", name="secret surprise", in_seconds=60)
    clock.pass_(minutes=1)
    await look()
    await asyncio.sleep(0.05)
    happened = [event for event in (queue.get_nowait() for _ in range(queue.qsize())) if "timer." in event.type]
    assert [event.type for event in happened] == ["timer.set", "timer.fired"]
    assert "secret" not in str([event.as_dict() for event in happened])
    assert isinstance(happened[1], TimerFired)
    assert happened[1].outcome == "done"


@pytest.fixture
def awaiting(timers: Timers, home_assistant: HomeAssistant, make_clock: Callable[[], TimerClock]) -> Any:
    clock = make_clock()

    async def changed(demo: DemoServer, entity_id: str, state: str, attributes: dict[str, Any] | None = None) -> None:
        demo.set_state(entity_id, state, attributes)
        wanted = (attributes or {}).items()

        def arrived() -> bool:
            now = home_assistant.home.state(entity_id)
            return now is not None and now.state == state and wanted <= now.attributes.items()

        await home_assistant.home.wait_until(arrived, [entity_id], 2.0)
        await asyncio.sleep(0.02)
        await waiting.settle()
        await clock.settled()

    waiting = Awaiting(timers, home_assistant.home, clock)
    timers.listen(waiting._read_again)
    home_assistant.home.listen(waiting._on_change)
    return changed


async def test_upon_a_state_it_fires_once_when_the_thing_comes_into_it(
    timer: Do, awaiting: Any, demo: DemoServer, told: Told
) -> None:
    switch = "switch.coffee_machine"
    await awaiting(demo, switch, "off")
    made = await timer("set", kind="reminder", name="coffee", upon_entity_id=switch, upon_state="off")
    assert made.success, made.error
    await awaiting(demo, "light.kitchen_ceiling", "on")
    assert told.messages == []  # it is off already: that is no coming into it
    await awaiting(demo, switch, "unavailable")
    await awaiting(demo, switch, "off")
    assert told.messages == []  # nor is coming back
    await awaiting(demo, switch, "on")
    await awaiting(demo, switch, "off")
    assert told.messages == ["Reminder: coffee."]
    await awaiting(demo, switch, "on")
    await awaiting(demo, switch, "off")
    assert len(told.messages) == 1


async def test_what_is_set_for_sunset_moves_with_the_sun(
    timer: Do, awaiting: Any, demo: DemoServer, store: TimerStore, clock: Clock
) -> None:
    sunset = clock.now + timedelta(hours=5)
    await awaiting(demo, "sun.sun", "above_horizon", {"next_setting": sunset.isoformat()})
    assert (await timer("set", kind="action", sun="sunset", calls=[LIGHT])).success
    assert [one.next_due for one in await store.live()] == [sunset]
    moved = sunset + timedelta(minutes=3)
    await awaiting(demo, "sun.sun", "below_horizon", {"next_setting": moved.isoformat()})
    assert [one.next_due for one in await store.live()] == [moved]


@pytest.mark.dear
async def test_a_thousand_are_set_looked_at_and_done(
    engine: Any, timers: Timers, look: Look, clock: Clock, told: Told, store: TimerStore
) -> None:
    many = share(1000)
    store._most = many
    from homeagent.timers.due import After
    from homeagent.timers.timer import SetBy, TimerKind

    for number in range(many):
        await timers.set(TimerKind.REMINDER, After(timedelta(seconds=60 + number % 10)), SetBy(), name=str(number))
    clock.pass_(minutes=2)
    await look()
    assert sorted(told.messages) == sorted(f"Reminder: {n}." for n in range(many))
    assert all(one.state is TimerState.RINGING for one in await store.live())
