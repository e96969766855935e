"""To-do lists (``x-items``: texts, or mappings of summary, status, due, description), calendars and updates."""

from __future__ import annotations

import uuid
from datetime import datetime, timedelta
from typing import Any

from homeagent.demo.devices.base import Data, Device, action, device
from homeagent.demo.failures import CallFailed, InvalidFormat, NotValid
from homeagent.demo.service_schema import (
    a_date,
    a_datetime,
    boolean,
    duration,
    mapping,
    one_of,
    optional,
    required,
    text,
    texts,
)
from homeagent.demo.supported_features import feature

_STATUSES = ("needs_action", "completed")
_DETAILS = {
    "due_date": optional(a_date, group="due"),
    "due_datetime": optional(a_datetime, group="due"),
    "description": optional(text),
}
_DETAIL_NEEDS = {
    "due_date": "SET_DUE_DATE_ON_ITEM",
    "due_datetime": "SET_DUE_DATETIME_ON_ITEM",
    "description": "SET_DESCRIPTION_ON_ITEM",
}


@device("todo")
class TodoList(Device):
    """Its state is the number of items that are open."""

    def __init__(self, spec: Any, world: Any) -> None:
        super().__init__(spec, world)
        told = [item if isinstance(item, dict) else {"summary": str(item)} for item in spec.extra.get("x-items") or ()]
        self.items = [{"uid": uuid.uuid4().hex, "status": "needs_action", **item} for item in told]
        if spec.state != "unavailable":
            self.state = self._open()

    def _open(self) -> str:
        return str(sum(item["status"] == "needs_action" for item in self.items))

    def changed(self) -> None:
        """Show the new number of open items."""
        self.become(self._open())

    def find(self, name: str) -> dict[str, Any]:
        """The item with this uid or summary. Raises NotValid."""
        for item in self.items:
            if name in (item["uid"], item["summary"]):
                return item
        raise NotValid(f"Unable to find to-do list item: {name}")

    def details(self, data: Data) -> dict[str, str]:
        """The due date and the description that come with an item. Raises NotValid where the list has none."""
        found = {}
        for field, name in _DETAIL_NEEDS.items():
            if field in data:
                if not self.features & feature("todo", name):
                    raise NotValid(f"Entity does not support setting field: {field}")
                value = data[field]
                found["due" if field != "description" else field] = str(
                    value if field == "description" else value.isoformat()
                )
        return found


def _todo(name: str) -> tuple[int, ...]:
    return (feature("todo", name),)


@action("todo", "add_item", {"item": required(text), **_DETAILS}, needs=_todo("CREATE_TODO_ITEM"))
def _add_item(todo: TodoList, data: Data) -> None:
    item = {"summary": data["item"], "uid": uuid.uuid4().hex, "status": "needs_action", **todo.details(data)}
    if todo.behavior.ignores:
        return
    todo.items.append(item)
    todo.changed()


@action(
    "todo",
    "update_item",
    {"item": required(text), "rename": optional(text), "status": optional(one_of(_STATUSES)), **_DETAILS},
    needs=_todo("UPDATE_TODO_ITEM"),
)
def _update_item(todo: TodoList, data: Data) -> None:
    if not data.keys() - {"item"}:
        raise InvalidFormat("must contain at least one of rename, status, due_date, due_datetime, description.")
    item = todo.find(data["item"])
    item.update(todo.details(data))
    if "rename" in data:
        item["summary"] = data["rename"]
    if "status" in data:
        item["status"] = data["status"]
    todo.changed()


@action("todo", "remove_item", {"item": required(texts)}, needs=_todo("DELETE_TODO_ITEM"))
def _remove_item(todo: TodoList, data: Data) -> None:
    gone = [todo.find(name) for name in data["item"]]
    todo.items = [item for item in todo.items if item not in gone]
    todo.changed()


@action("todo", "remove_completed_items", needs=_todo("DELETE_TODO_ITEM"))
def _remove_completed(todo: TodoList, data: Data) -> None:
    todo.items = [item for item in todo.items if item["status"] != "completed"]
    todo.changed()


@action("todo", "get_items", {"status": optional(texts)}, response="only")
def _get_items(todo: TodoList, data: Data) -> dict[str, Any]:
    wanted = data.get("status", _STATUSES)
    return {"items": [dict(item) for item in todo.items if item["status"] in wanted]}


@device("calendar")
class Calendar(Device):
    """``x-events``: mappings of summary, start (``+1d 09:00``: day from today, local time), hours."""

    def __init__(self, spec: Any, world: Any) -> None:
        super().__init__(spec, world)
        self.events = [self._event(told) for told in spec.extra.get("x-events") or ()]

    def _event(self, told: dict[str, Any]) -> dict[str, Any]:
        day, at = str(told["start"]).split()
        hour, minute = at.split(":")
        start = self.world.now().replace(hour=int(hour), minute=int(minute), second=0, microsecond=0)
        start += timedelta(days=int(day.removesuffix("d")))
        return {
            "summary": told["summary"],
            "start": start,
            "end": start + timedelta(hours=told.get("hours", 1)),
            **{key: told[key] for key in ("description", "location") if key in told},
        }


@action(
    "calendar",
    "get_events",
    {
        "start_date_time": optional(a_datetime),
        "end_date_time": optional(a_datetime, group="end"),
        "duration": optional(duration, group="end"),
    },
    response="only",
)
def _get_events(calendar: Calendar, data: Data) -> dict[str, Any]:
    if not data.keys() & {"end_date_time", "duration"}:
        raise InvalidFormat("must contain at least one of end_date_time, duration.")
    start = _local(calendar, data.get("start_date_time") or calendar.world.now())
    end = _local(calendar, data["end_date_time"]) if "end_date_time" in data else start + data["duration"]
    found = [event for event in calendar.events if event["start"] < end and event["end"] > start]
    found.sort(key=lambda event: event["start"])
    return {"events": [{k: v.isoformat() if isinstance(v, datetime) else v for k, v in e.items()} for e in found]}


@action(
    "calendar",
    "create_event",
    {
        "summary": required(text),
        "description": optional(text),
        "location": optional(text),
        "start_date": optional(a_date),
        "end_date": optional(a_date),
        "start_date_time": optional(a_datetime),
        "end_date_time": optional(a_datetime),
        "in": optional(mapping),
    },
    needs=(feature("calendar", "CREATE_EVENT"),),
)
def _create_event(calendar: Calendar, data: Data) -> None:
    start, end = (
        data.get("start_date_time") or data.get("start_date"),
        data.get("end_date_time") or data.get("end_date"),
    )
    if start is None or end is None:
        raise InvalidFormat("must contain at least one of start_date, start_date_time, in.")
    rest: dict[str, Any] = {key: data[key] for key in ("summary", "description", "location") if key in data}
    calendar.events.append({**rest, "start": _local(calendar, start), "end": _local(calendar, end)})
    calendar.become()


def _local(device: Device, moment: Any) -> datetime:
    at = moment if isinstance(moment, datetime) else datetime.combine(moment, datetime.min.time())
    return at if at.tzinfo else at.replace(tzinfo=device.world.time_zone)


@device("update")
class Update(Device):
    """On while the installed version is not the latest one."""

    def shown(self) -> dict[str, Any]:
        """With HA's defaults for what the inventory does not say."""
        return {"in_progress": False, "skipped_version": None, "auto_update": False, **self.attributes}


@action(
    "update",
    "install",
    {"version": optional(text), "backup": optional(boolean)},
    needs=(feature("update", "INSTALL"),),
)
def _install(update: Update, data: Data) -> None:
    if update.state != "on":
        raise CallFailed(f"No update available for {update.entity_id}")
    update.become("off", installed_version=update.attributes.get("latest_version"))


@action("update", "skip")
def _skip(update: Update, data: Data) -> None:
    update.become("off", skipped_version=update.attributes.get("latest_version"))


@action("update", "clear_skipped")
def _clear_skipped(update: Update, data: Data) -> None:
    newer = update.attributes.get("latest_version") != update.attributes.get("installed_version")
    update.become("on" if newer else "off", skipped_version=None)
