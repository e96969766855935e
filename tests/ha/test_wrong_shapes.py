"""Whatever Home Assistant sends, the connection goes on and what is well-formed arrives."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from websockets.asyncio.server import ServerConnection, serve

from homeagent.errors import HomeAssistantError
from homeagent.ha import home_sync, recorder, shapes
from homeagent.ha.compressed_states import StateStream
from homeagent.ha.connection import HomeAssistant
from homeagent.ha.exposure import DEFAULT_EXPOSED_DOMAINS, Exposure
from homeagent.ha.home import State
from homeagent.ha.message_decoding import LARGE, decode
from homeagent.ha.registries import WHOLE, Registries
from homeagent.ha.rest import RestClient
from tests.contract.houses import eventually
from tests.examples import share

GOOD = "light.good"
STATE = {"s": "off", "a": {"friendly_name": "Good lamp"}, "c": "01", "lc": 1764288000.0}
ANSWERS: dict[str, Any] = {
    "get_config": {
        "state": "RUNNING",
        "time_zone": "Europe/Berlin",
        "location_name": "Home",
        "language": "en",
        "unit_system": {"temperature": "°C"},
        "version": "2026.11.3",
    },
    "config/floor_registry/list": [{"floor_id": "up", "name": "Up", "aliases": [], "level": 1}],
    "config/area_registry/list": [{"area_id": "hall", "name": "Hall", "aliases": [], "floor_id": "up", "labels": []}],
    "config/label_registry/list": [{"label_id": "night", "name": "Night"}],
    "config/device_registry/list": [{"id": "d1", "name": "Lamp", "area_id": "hall", "labels": ["night"]}],
    "config/entity_registry/get_entries": {GOOD: {"id": "r1", "device_id": "d1", "aliases": ["best lamp"]}},
    "homeassistant/expose_entity/list": {"exposed_entities": {GOOD: {"conversation": True}}},
    "auth/current_user": {"id": "u1", "is_admin": True},
}
KEYS = [
    *("a", "c", "r", "s", "lc", "lu", "+", "-", "id", "type", "event", "result", "success", "error", "message", "code"),
    *(
        "data",
        "entity_id",
        "old_entity_id",
        "floor_id",
        "area_id",
        "name",
        "aliases",
        "labels",
        "label_id",
        "device_id",
    ),
    *("level", "options", "conversation", "should_expose", "exposed_entities", "state", "time_zone", "unit_system"),
    *("temperature", "version", "is_admin", "timestamp", "start", "run_id", "when", "mean", "end", "friendly_name"),
]
scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from([GOOD, "light.x", "hall"])
)
values = st.recursive(
    scalars | st.sampled_from([1e308, 10**400, "x" * 100_000, "\ud800", "\x1b[2J"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from([*KEYS, GOOD, "light.x", "", "nodot"]), inner, max_size=6)
    ),
    max_leaves=12,
)
slow = settings(max_examples=share(60), deadline=None, suppress_health_check=list(HealthCheck))
quick = settings(max_examples=share(300), deadline=None)


@pytest.fixture(autouse=True)
def _nothing_told_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shapes, "_told", {})
    monkeypatch.setattr(shapes, "_untold", {})


class Wrong:
    """A Home Assistant that answers as it should, but for ``answers``, and sends ``frames`` of its own in between."""

    def __init__(
        self, answers: dict[str, Any] | None = None, frames: tuple[bytes, ...] = (), first: Any = None
    ) -> None:
        self.answers = {**ANSWERS, **(answers or {})}
        self.frames = frames
        self.first = first
        self.connections = 0

    async def __call__(self, connection: ServerConnection) -> None:
        self.connections += 1
        await connection.send(json.dumps({"type": "auth_required"}))
        await connection.recv()
        await connection.send(json.dumps({"type": "auth_ok"}))
        async for raw in connection:
            message = json.loads(raw)
            answer = {
                "id": message["id"],
                "type": "result",
                "success": True,
                "result": self.answers.get(message["type"]),
            }
            await connection.send(json.dumps(answer))
            if message["type"] == "subscribe_entities":
                await self._tell_states(connection, message["id"])

    async def _tell_states(self, connection: ServerConnection, number: int) -> None:
        async def send(event: Any) -> None:
            await connection.send(json.dumps({"id": number, "type": "event", "event": event}))

        await send(self.first if self.first is not None else {"a": {GOOD: STATE}})
        await send({"a": {GOOD: STATE}})
        for frame in self.frames:
            await connection.send(frame.decode("utf-8", "surrogateescape") if frame.isascii() else frame)
        await send({"c": {GOOD: {"+": {"s": "on", "lc": 1764288060.0}}}})


@contextlib.asynccontextmanager
async def connected(wrong: Wrong) -> AsyncIterator[HomeAssistant]:
    async with serve(wrong, "127.0.0.1", 0) as server:
        ha = HomeAssistant(f"http://127.0.0.1:{next(iter(server.sockets)).getsockname()[1]}", "token", timeout=2.0)
        await ha.start()
        try:
            assert await ha.wait_ready(10), ha.status
            await eventually(lambda: (s := ha.home.state(GOOD)) is not None and s.state == "on")
            yield ha
        finally:
            await ha.stop()


async def survives(wrong: Wrong) -> None:
    async with connected(wrong) as ha:
        await ha.reload()
        assert ha.status.connected
        assert ha.home.entity(GOOD) is not None
        assert wrong.connections == 1


@slow
@given(st.sampled_from(sorted(ANSWERS)), values)
def test_an_answer_of_any_shape_is_survived(kind: str, value: Any) -> None:
    if kind == "get_config" and isinstance(value, dict) and isinstance(value.get("state"), str):
        return  # a Home Assistant that says that it does not run is waited for
    asyncio.run(survives(Wrong({kind: value})))


@slow
@given(st.lists(values.map(lambda value: json.dumps(value).encode()) | st.binary(max_size=40), max_size=5), values)
def test_frames_of_any_shape_are_survived(frames: list[bytes], first: Any) -> None:
    asyncio.run(survives(Wrong(frames=tuple(frames), first=first)))


@pytest.mark.parametrize(
    "frame",
    [
        b"nope",
        b"[" * 100_000,
        b'{"id": 1, "type": "event", "event": ' + b"9" * 10_000 + b"}",
        b'{"id": [1], "type": "event"}',
        b'{"id": 1, "type": "result", "success": false, "error": "no object"}',
        b"[null, 5, []]",
        b"\xff\xfe\x00",
        b'{"x": "' + b"y" * 5_000_000 + b'"}',
    ],
    ids=["no json", "nested", "huge number", "wrong id", "wrong error", "no objects", "no utf-8", "huge"],
)
async def test_a_frame_that_is_none_is_skipped(frame: bytes) -> None:
    await survives(Wrong(frames=(frame, frame)))


async def test_a_list_of_exposed_entities_that_is_none_exposes_nothing_until_it_is_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(home_sync, "POLL_EXPOSURE", 0.1)
    monkeypatch.setattr(home_sync, "EXPOSURE_FRESH", 0.0)
    wrong = Wrong({"homeassistant/expose_entity/list": {"exposed_entities": {GOOD: {"conversation": "yes"}, "x": 1}}})
    async with connected(wrong) as ha:
        assert ha.home.exposed() == ()
        wrong.answers["homeassistant/expose_entity/list"] = ANSWERS["homeassistant/expose_entity/list"]
        await eventually(lambda: ha.home.exposed())
        wrong.answers["homeassistant/expose_entity/list"] = None
        await asyncio.sleep(0.5)
        assert [entity.entity_id for entity in ha.home.exposed()] == [GOOD]


async def test_the_log_is_not_filled(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    async with connected(Wrong(frames=(b"nope",) * 500)):
        pass
    assert len([r for r in caplog.records if "did not understand" in r.getMessage()]) == 1


@quick
@given(st.lists(values, max_size=4), values)
def test_states_that_are_understood_are_taken_beside_those_that_are_not(events: list[Any], about: Any) -> None:
    stream = StateStream()
    stream.apply([{"a": {"light.x": about, GOOD: STATE, "sensor.y": about}}])
    before = stream.states[GOOD]
    stream.apply([*events, {"c": {"light.x": about, GOOD: {"+": {"s": "on"}}}}, {"a": {GOOD: STATE}}])
    assert stream.states[GOOD] == before
    for state in stream.states.values():
        assert "." in state.entity_id
        assert isinstance(state.state, str)
        assert len(state.state) <= 255
        assert isinstance(state.attributes, dict)
        assert state.last_changed.tzinfo is UTC


class Answers:
    def __init__(self, **answers: Any) -> None:
        self.answers = answers

    async def command(self, kind: str, **_fields: Any) -> Any:
        return self.answers.get(kind)


@quick
@given(st.sampled_from(sorted(ANSWERS)), values)
def test_registry_rows_that_are_understood_are_taken(kind: str, row: Any) -> None:
    good = ANSWERS[kind]
    answer = [row, *good, row] if isinstance(good, list) else {**good, "light.x": row}
    registries, exposure = Registries(), Exposure(DEFAULT_EXPOSED_DOMAINS)

    async def read() -> None:
        commands = Answers(**{**ANSWERS, kind: answer})
        for registry in WHOLE:
            await registries.read(commands, registry)
        await registries.read_entries(commands, (GOOD, "light.x"))
        await exposure.read(commands)
        await exposure.read_few(commands, (GOOD, "light.x"))

    asyncio.run(read())
    now = datetime.now(UTC)
    made = [
        registries.entity(State(i, "on", {"friendly_name": row, "entity_id": row}, now, now)) for i in (GOOD, "light.x")
    ]
    assert made[0].area is not None
    assert made[0].area.name == "Hall"
    assert made[0].labels == ("Night",)
    for entity in made:
        assert hash(entity)
        assert all(isinstance(name, str) and len(name) <= 500 for name in (*entity.names, *entity.labels))


@quick
@given(values, values)
def test_recorded_rows_that_are_understood_are_taken(row: Any, answer: Any) -> None:
    start = datetime(2026, 11, 1, tzinfo=UTC)
    end = start + timedelta(days=1)
    at = start.timestamp()
    good_history = {"s": "on", "lu": at, "a": {}}
    good_statistics = {"start": at * 1000, "end": at * 1000 + 1, "mean": 5}
    good_run = {"run_id": "r", "timestamp": {"start": start.isoformat()}}

    async def read(**answers: Any) -> tuple[Any, ...]:
        commands = Answers(**answers)
        return (
            await recorder.read_history(commands, [GOOD], start, end, attributes=True),
            await recorder.read_statistics(commands, [GOOD], start, end, "hour"),
            await recorder.read_logbook(commands, start, end, {}),
            await recorder.read_trace(commands, "script", "s", start),
        )

    async def both() -> None:
        found = await read(
            **{
                "history/history_during_period": {GOOD: [row, good_history, row]},
                "recorder/statistics_during_period": {GOOD: [row, good_statistics]},
                "logbook/get_events": [row, {"when": at, "entity_id": GOOD}],
                "trace/list": [row, good_run],
                "trace/get": {"trace": {}},
            }
        )
        assert any(r.state == "on" and r.at == start for r in found[0][GOOD])
        assert any(r.mean == 5 for r in found[1][GOOD])
        assert any(r.get("entity_id") == GOOD for r in found[2])
        assert found[3] is not None
        await read(**dict.fromkeys(("history/history_during_period", "recorder/statistics_during_period"), answer))
        await read(**dict.fromkeys(("logbook/get_events", "trace/list", "trace/get"), answer))

    asyncio.run(both())


@quick
@given(values)
def test_what_is_decoded_can_be_written_down(value: Any) -> None:
    text = json.dumps(value)
    for padded in (text, text + " " * LARGE):
        decoded = asyncio.run(decode(padded.encode()))
        json.dumps(decoded, ensure_ascii=False).encode()
    escaped = json.dumps("\\ud800 \U0001f44d é").encode()
    assert asyncio.run(decode(escaped)) == "\\ud800 \U0001f44d é"


@quick
@given(st.sampled_from([200, 400, 401, 500]), values | st.binary())
def test_rest_answers_of_any_shape_are_a_value_or_a_named_error(status: int, body: Any) -> None:
    content = body if isinstance(body, bytes) else json.dumps(body).encode()

    async def ask() -> None:
        transport = httpx.MockTransport(lambda _: httpx.Response(status, content=content))
        async with httpx.AsyncClient(transport=transport, base_url="http://ha") as http:
            client = RestClient("http://ha", http)
            for call in (client.config(), client.scene_config("x"), client.fire_event("x", {})):
                with contextlib.suppress(HomeAssistantError):
                    await call

    asyncio.run(ask())
