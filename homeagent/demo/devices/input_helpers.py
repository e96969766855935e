"""Numbers, choices, texts, dates, counters and buttons, and the helpers that are like them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from homeagent.demo.devices.base import Data, Device, action
from homeagent.demo.failures import CallFailed, InvalidFormat, NotValid, UnknownError
from homeagent.demo.service_schema import (
    a_date,
    a_datetime,
    a_time,
    boolean,
    integer,
    number,
    optional,
    required,
    text,
    texts,
)

_CYCLE = {"cycle": optional(boolean, default=True)}


@action("number", "set_value", {"value": required(number())})
def _set_number(device: Device, data: Data) -> None:
    low, high, value = device.attributes["min"], device.attributes["max"], data["value"]
    if not low <= value <= high:
        raise NotValid(f"Value {value} for {device.entity_id} is outside valid range {low} - {high}.")
    device.become(_number(value))


@action("input_number", "set_value", {"value": required(number())})
def _set_input_number(device: Device, data: Data) -> None:
    low, high, value = device.attributes["min"], device.attributes["max"], data["value"]
    if not low <= value <= high:
        raise InvalidFormat(f"Invalid value for {device.entity_id}: {value} (range {low} - {high})")
    device.become(_number(value))


@action("input_number", "increment")
def _increment_number(device: Device, data: Data) -> None:
    device.become(_number(min(device.attributes["max"], _float(device) + device.attributes["step"])))


@action("input_number", "decrement")
def _decrement_number(device: Device, data: Data) -> None:
    device.become(_number(max(device.attributes["min"], _float(device) - device.attributes["step"])))


@action("select", "select_option", {"option": required(text)})
def _select_option(device: Device, data: Data) -> None:
    options, option = device.attributes.get("options", []), data["option"]
    if option not in options:
        raise NotValid(
            f"Option {option} is not valid for entity {device.entity_id}, valid options are: {', '.join(options)}."
        )
    device.become(option)


@action("input_select", "select_option", {"option": required(text)})
def _select_input_option(device: Device, data: Data) -> None:
    options, option = device.attributes.get("options", []), data["option"]
    if option not in options:
        raise CallFailed(f"Invalid option: {option} (possible options: {', '.join(options)})")
    device.become(option)


@action("select input_select", "select_first")
def _select_first(device: Device, data: Data) -> None:
    device.become(device.attributes["options"][0])


@action("select input_select", "select_last")
def _select_last(device: Device, data: Data) -> None:
    device.become(device.attributes["options"][-1])


@action("select input_select", "select_next", _CYCLE)
def _select_next(device: Device, data: Data) -> None:
    _select(device, 1, data["cycle"])


@action("select input_select", "select_previous", _CYCLE)
def _select_previous(device: Device, data: Data) -> None:
    _select(device, -1, data["cycle"])


@action("input_select", "set_options", {"options": required(texts)})
def _set_options(device: Device, data: Data) -> None:
    options = data["options"]
    device.become(device.state if device.state in options else options[0], options=options)


@action("text", "set_value", {"value": required(text)})
def _set_text(device: Device, data: Data) -> None:
    value, low, high = data["value"], device.attributes["min"], device.attributes["max"]
    if len(value) < low:
        raise UnknownError(f"Value {value} for {device.entity_id} is too short (minimum length {low})")
    if len(value) > high:
        raise UnknownError(f"Value {value} for {device.entity_id} is too long (maximum length {high})")
    device.become(value)


@action("input_text", "set_value", {"value": required(text)})
def _set_input_text(device: Device, data: Data) -> None:
    if device.attributes["min"] <= len(data["value"]) <= device.attributes["max"]:
        device.become(data["value"])


@action("date", "set_value", {"date": required(a_date)})
def _set_date(device: Device, data: Data) -> None:
    device.become(data["date"].isoformat())


@action("time", "set_value", {"time": required(a_time)})
def _set_time(device: Device, data: Data) -> None:
    device.become(data["time"].isoformat())


@action("datetime", "set_value", {"datetime": required(a_datetime)})
def _set_datetime(device: Device, data: Data) -> None:
    moment = data["datetime"]
    local = moment if moment.tzinfo else moment.replace(tzinfo=device.world.time_zone)
    device.become(local.astimezone(UTC).isoformat(timespec="seconds"))


@action(
    "input_datetime",
    "set_datetime",
    {
        "date": optional(a_date),
        "time": optional(a_time),
        "datetime": optional(a_datetime),
        "timestamp": optional(number()),
    },
)
def _set_input_datetime(device: Device, data: Data) -> None:
    moment = data.get("datetime")
    if "timestamp" in data:
        moment = datetime.fromtimestamp(data["timestamp"], device.world.time_zone)
    if moment is None and not data:
        raise InvalidFormat("Expected at least one of date, time, datetime or timestamp")
    day = moment.date() if moment else data.get("date")
    at = moment.time() if moment else data.get("time")
    device.become(_moment(device, day, at))


def _moment(device: Device, day: Any, at: Any) -> str:
    has_date, has_time = device.attributes.get("has_date", True), device.attributes.get("has_time", True)
    if (day and not has_date) or (at and not has_time and not day):
        raise InvalidFormat("Date and time values cannot be set: the helper has only one of them")
    before = device.state.split(" ")
    parts = [str(day) if day else before[0]] if has_date else []
    if has_time:
        parts.append(at.isoformat(timespec="seconds") if at else before[-1])
    return " ".join(parts)


@action("counter", "increment")
def _increment(counter: Device, data: Data) -> None:
    _count(counter, int(counter.state) + int(counter.attributes.get("step", 1)))


@action("counter", "decrement")
def _decrement(counter: Device, data: Data) -> None:
    _count(counter, int(counter.state) - int(counter.attributes.get("step", 1)))


@action("counter", "reset")
def _reset(counter: Device, data: Data) -> None:
    _count(counter, int(counter.attributes.get("initial", 0)))


@action("counter", "set_value", {"value": required(integer(0))})
def _set_counter(counter: Device, data: Data) -> None:
    value = data["value"]
    low, high = counter.attributes.get("minimum"), counter.attributes.get("maximum")
    if low is not None and value < low:
        raise UnknownError(f"Value {value} for {counter.entity_id} exceeding the minimum value of {low}")
    if high is not None and value > high:
        raise UnknownError(f"Value {value} for {counter.entity_id} exceeding the maximum value of {high}")
    counter.become(str(value))


@action("button input_button", "press")
def press(button: Device, data: Data) -> None:
    """A button's state is when it was last pressed."""
    button.become(datetime.now(UTC).isoformat())


def _float(device: Device) -> float:
    try:
        return float(device.state)
    except ValueError:
        return float(device.attributes["min"])


def _number(value: float) -> str:
    return str(float(value))


def _select(device: Device, by: int, cycle: bool) -> None:
    options = device.attributes["options"]
    place = (options.index(device.state) if device.state in options else 0) + by
    device.become(options[place % len(options) if cycle else max(0, min(len(options) - 1, place))])


def _count(counter: Device, value: int) -> None:
    low, high = counter.attributes.get("minimum"), counter.attributes.get("maximum")
    value = max(value, low) if low is not None else value
    counter.become(str(min(value, high) if high is not None else value))
