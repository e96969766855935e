"""The WebSocket commands that answer at once, by type. Each takes the world and the message and returns the result."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from homeagent.demo.devices.lists import TodoList
from homeagent.demo.devices.scripted import Scripted
from homeagent.demo.failures import CallFailed, InvalidFormat, NotFound, UnknownCommand
from homeagent.demo.state_machine import Context
from homeagent.demo.world import World

VERSION = "2025.4.4"
"""The release whose behaviour this server follows."""

USER_ID = "demo-user"

Message = dict[str, Any]
Command = Callable[[World, Message], Any]

COMMANDS: dict[str, Command] = {}
ADMIN_ONLY: set[str] = set()

_PERIODS = {"5minute": timedelta(minutes=5), "hour": timedelta(hours=1), "day": timedelta(days=1)}


class BadTime(CallFailed):
    """A start or end that is no ISO 8601 time."""

    code = "invalid_start_time"


def command(name: str, *, admin: bool = False) -> Callable[[Command], Command]:
    """Register what answers a command of this type. ``admin``: only an administrator's connection may send it."""

    def register(run: Command) -> Command:
        COMMANDS[name] = run
        if admin:
            ADMIN_ONLY.add(name)
        return run

    return register


def config(world: World) -> dict[str, Any]:
    """What Home Assistant says of itself (``/api/config``)."""
    metric = world.inventory.temperature_unit == "°C"
    parts = {"api", "websocket_api", "config", "history", "recorder", *world.domains}
    return {
        "location_name": world.inventory.name,
        "latitude": 52.37,
        "longitude": 4.89,
        "elevation": 2,
        "unit_system": {
            "length": "km" if metric else "mi",
            "accumulated_precipitation": "mm" if metric else "in",
            "mass": "g" if metric else "lb",
            "pressure": "Pa" if metric else "psi",
            "temperature": world.inventory.temperature_unit,
            "volume": "L" if metric else "gal",
            "wind_speed": "m/s" if metric else "mph",
        },
        "time_zone": world.inventory.time_zone,
        "components": sorted(parts if world.logbook is None else {*parts, "logbook"}),
        "config_dir": "/config",
        "allowlist_external_dirs": [],
        "allowlist_external_urls": [],
        "version": VERSION,
        "config_source": "yaml",
        "recovery_mode": False,
        "safe_mode": False,
        "state": "RUNNING",
        "external_url": None,
        "internal_url": None,
        "currency": "EUR",
        "country": "NL",
        "language": world.inventory.language,
        "radius": 100,
    }


@command("get_config")
def _get_config(world: World, message: Message) -> object:
    return config(world)


@command("get_states")
def _get_states(world: World, message: Message) -> object:
    return [state.as_dict() for state in world.states]


@command("get_services")
def _get_services(world: World, message: Message) -> object:
    return world.services.described()


@command("fire_event", admin=True)
def _fire_event(world: World, message: Message) -> object:
    context = Context(user_id=USER_ID)
    world.fire(text_of(message, "event_type"), message.get("event_data") or {}, context)
    return {"context": context.as_dict()}


@command("script/config")
def _script_config(world: World, message: Message) -> object:
    return {"config": _scripted(world, message, "script").config}


@command("automation/config")
def _automation_config(world: World, message: Message) -> object:
    return {"config": _scripted(world, message, "automation").config}


@command("todo/item/list")
def _todo_items(world: World, message: Message) -> object:
    todo = world.devices.get(text_of(message, "entity_id"))
    if not isinstance(todo, TodoList):
        raise NotFound("Entity not found")
    return {"items": todo.items}


@command("history/history_during_period")
def _history(world: World, message: Message) -> Any:
    start, end = _span(message)
    found = {}
    for entity_id in message["entity_ids"]:
        rows = world.recorder.rows(
            entity_id, start, end, changes_only=bool(message.get("significant_changes_only", True))
        )
        if rows:
            found[entity_id] = [
                {
                    "s": row.state,
                    "a": {} if message.get("no_attributes") else dict(row.attributes),
                    "lu": row.updated.timestamp(),
                }
                for row in rows
            ]
            if message.get("minimal_response"):
                found[entity_id][1:] = [{"s": row["s"], "lu": row["lu"]} for row in found[entity_id][1:]]
    return found


@command("logbook/get_events")
def _logbook(world: World, message: Message) -> object:
    if world.logbook is None:
        raise UnknownCommand("Unknown command.")
    start, end = _span(message)
    return world.logbook.told(start, end, message.get("entity_ids") or (), message.get("context_id"))


@command("recorder/statistics_during_period")
def _statistics(world: World, message: Message) -> object:
    start, end = _span(message)
    period = _PERIODS.get(message.get("period", ""))
    if period is None:
        raise InvalidFormat("value must be one of ['5minute', 'day', 'hour', 'month', 'week']")
    zone = world.time_zone if period.days else UTC
    first = _period_start(start.astimezone(zone), period)
    found = {}
    for entity_id in message.get("statistic_ids", ()):
        rows = [_statistics_row(row) for row in world.recorder.statistics(entity_id, first, end, period)]
        state = world.states.get(entity_id)
        if rows and state is not None and "state_class" in state.attributes:
            found[entity_id] = _of_class(rows, state.attributes["state_class"])
    return found


@command("recorder/info")
def _recorder_info(world: World, message: Message) -> object:
    return {
        "recording": True,
        "thread_running": True,
        "backlog": 0,
        "max_backlog": 65000,
        "migration_in_progress": False,
    }


def _statistics_row(row: Mapping[str, Any]) -> dict[str, object]:
    return {**row, "start": int(row["start"].timestamp() * 1000), "end": int(row["end"].timestamp() * 1000)}


def _of_class(rows: Sequence[dict[str, object]], state_class: str) -> list[dict[str, object]]:
    """What Home Assistant keeps of a measurement, or of a total."""
    if state_class == "measurement":
        return [{key: row[key] for key in ("start", "end", "mean", "min", "max")} for row in rows]
    changes = [row["rise" if state_class == "total_increasing" else "net"] for row in rows]
    return [
        {key: row[key] for key in ("start", "end", "state")} | {"sum": counted, "change": change}
        for row, change, counted in zip(rows, changes, itertools.accumulate(changes), strict=True)
    ]


def _period_start(moment: datetime, period: timedelta) -> datetime:
    midnight = moment.replace(hour=0, minute=0, second=0, microsecond=0)
    return midnight + (moment - midnight) // period * period


def _span(message: Message) -> tuple[datetime, datetime]:
    start = _time(message.get("start_time"))
    end = _time(message["end_time"]) if message.get("end_time") else datetime.now(UTC)
    return start, end


def _time(given: object) -> datetime:
    try:
        moment = datetime.fromisoformat(str(given))
    except ValueError as error:
        raise BadTime("Invalid start_time") from error
    return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)


def text_of(message: Message, key: str) -> str:
    """The text under ``key``. Raises InvalidFormat where there is none."""
    if not isinstance(message.get(key), str):
        raise InvalidFormat(f"required key not provided @ data['{key}']. Got None")
    return str(message[key])


def _scripted(world: World, message: Message, domain: str) -> Scripted:
    device = world.devices.get(text_of(message, "entity_id"))
    if not isinstance(device, Scripted) or device.domain != domain or device.config is None:
        raise NotFound("Entity not found")
    return device
