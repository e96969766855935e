"""`homeagent timers` against a running demo: as somebody who is new tries it."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

from homeagent.cli.show import clock_time
from tests.cli.command import Service

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def nothing_set(demo_service: Service) -> None:
    demo_service.run("timers", "cancel", "all")
    demo_service.run("timers")


def _list(demo: Service) -> list[dict[str, Any]]:
    done = demo.run("timers", "list", "--json")
    assert done.returncode == 0, done.stderr
    return list(json.loads(done.stdout)["timers"])


def _state(demo: Service, entity_id: str) -> str:
    done = demo.run("tool", "ha_query", json.dumps({"entity_id": entity_id}), "--json")
    return str(json.loads(done.stdout)["result"]["entities"][0]["state"])


def test_a_timer_is_set_shown_changed_paused_and_cancelled(demo_service: Service) -> None:
    done = demo_service.run("timers", "set", "pasta", "--in", "10m")
    assert done.returncode == 0, done.stderr
    shown = demo_service.run("timers").stdout
    assert "pasta" in shown
    assert "min" in shown
    assert demo_service.run("timers", "change", "pasta", "--add", "5m").returncode == 0
    (one,) = _list(demo_service)
    assert 14 * 60 < one["seconds_left"] <= 15 * 60
    assert demo_service.run("timers", "pause", one["id"]).returncode == 0
    assert _list(demo_service)[0]["state"] == "paused"
    assert demo_service.run("timers", "resume", "pasta").returncode == 0
    assert demo_service.run("timers", "cancel", "pasta").returncode == 0
    assert "Nothing is set." in demo_service.run("timers").stdout


def test_an_action_happens_at_its_time(demo_service: Service) -> None:
    demo_service.run("ask", "turn off the kitchen lights")
    do = json.dumps({"action": "turn_on", "entity_id": "light.kitchen_lights"})
    done = demo_service.run("timers", "set", "--in", "1s", "--do", do)
    assert done.returncode == 0, done.stderr
    until = time.monotonic() + 20
    while _state(demo_service, "light.kitchen_lights") != "on":
        assert time.monotonic() < until
        time.sleep(0.2)
    assert _list(demo_service) == []


def test_what_opens_the_house_is_asked_about_and_then_set(demo_service: Service) -> None:
    do = json.dumps({"action": "unlock", "entity_id": "lock.front_door"})
    done = demo_service.run("timers", "set", "--at", "04:00", "--do", do, "--json")
    assert done.returncode == 3, done.stderr
    assert _list(demo_service) == []
    number = str(json.loads(done.stdout)["confirmation"]["number"])
    assert demo_service.run("confirm", number).returncode == 0
    (one,) = _list(demo_service)
    assert one["kind"] == "action"
    assert one["due"][11:16] == "04:00"
    assert _state(demo_service, "lock.front_door") == "locked"


@pytest.mark.parametrize(
    "arguments",
    [
        ("set", "x"),
        ("set", "x", "--in", "soon"),
        ("set", "x", "--at", "2020-01-01T08:00"),
        ("set", "x", "--upon", "sensor.x"),
        ("set", "--in", "1m", "--do", "{"),
        ("cancel", "nothing of that name"),
    ],
)
def test_what_is_wrong_is_said_with_exit_code_2(demo_service: Service, arguments: tuple[str, ...]) -> None:
    done = demo_service.run("timers", *arguments)
    assert done.returncode == 2
    assert done.stderr.strip()


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (("--in", "banana"), ("--in", "90s, 10m")),
        (("--in", "5000d"), ("--in", "366 days")),
        (("--in", "5m", "--at", "07:30"), ("--in and --at",)),
        (("--days", "mon,tue"), ("--at or --sun",)),
        (("--at", "07:30", "--days", "monday,funday"), ("--days", "fun")),
        (("--at", "banana"), ("banana", "07:30")),
        (("--sun", "noon"), ("--sun", "sunset")),
        (("--kind", "banana", "--in", "5m"), ("--kind", "reminder")),
        (("--upon", "sensor.washer"), ("--upon", "sensor.washer=idle")),
        ((), ("--in", "--upon")),
    ],
)
def test_what_is_wrong_is_told_by_its_option(
    demo_service: Service, given: tuple[str, ...], told: tuple[str, ...]
) -> None:
    done = demo_service.run("timers", "set", "pasta", *given)
    assert done.returncode != 0
    assert all(words in done.stderr for words in told), done.stderr
    assert not any(field in done.stderr for field in ("in_seconds", "weekdays", "upon_", "yesterday", "ten years"))


def test_a_moment_is_shown_as_the_homes_clock_has_it() -> None:
    assert clock_time("2026-05-31T08:30:00+09:00") == "2026-05-31 08:30:00+09:00"
