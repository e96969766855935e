"""The virtual entities of further domains."""
from __future__ import annotations

import datetime as dt
import uuid

from homeassistant.components.calendar import CalendarEntity, CalendarEntityFeature, CalendarEvent
from homeassistant.components.camera import Camera, CameraEntityFeature
from homeassistant.components.date import DateEntity
from homeassistant.components.datetime import DateTimeEntity
from homeassistant.components.device_tracker import ScannerEntity
from homeassistant.components.event import EventEntity
from homeassistant.components.lawn_mower import LawnMowerActivity, LawnMowerEntity, LawnMowerEntityFeature
from homeassistant.components.notify import NotifyEntity
from homeassistant.components.remote import RemoteEntity, RemoteEntityFeature
from homeassistant.components.siren import SirenEntity, SirenEntityFeature
from homeassistant.components.text import TextEntity
from homeassistant.components.time import TimeEntity
from homeassistant.components.todo import TodoItem, TodoItemStatus, TodoListEntity, TodoListEntityFeature
from homeassistant.components.update import UpdateEntity, UpdateEntityFeature
from homeassistant.components.water_heater import WaterHeaterEntity, WaterHeaterEntityFeature
from homeassistant.components.weather import WeatherEntity, WeatherEntityFeature
from homeassistant.const import UnitOfTemperature
from homeassistant.util import dt as dt_util

from .base import Base


class SMower(Base, LawnMowerEntity):
    DEFAULT = {"activity": LawnMowerActivity.DOCKED}
    FLAGS = LawnMowerEntityFeature
    _attr_supported_features = (LawnMowerEntityFeature.START_MOWING | LawnMowerEntityFeature.PAUSE
                                | LawnMowerEntityFeature.DOCK)

    async def async_start_mowing(self):
        self.did("start_mowing", activity=LawnMowerActivity.MOWING)

    async def async_pause(self):
        self.did("pause", activity=LawnMowerActivity.PAUSED)

    async def async_dock(self):
        self.did("dock", activity=LawnMowerActivity(self.spec.get("returns_as", "returning")))


class SSiren(Base, SirenEntity):
    DEFAULT = {"is_on": False}
    FLAGS = SirenEntityFeature
    _attr_supported_features = SirenEntityFeature.TURN_ON | SirenEntityFeature.TURN_OFF

    async def async_turn_on(self, **kw):
        self.did("turn_on", is_on=True)

    async def async_turn_off(self, **kw):
        self.did("turn_off", is_on=False)


class SWaterHeater(Base, WaterHeaterEntity):
    DEFAULT = {"current_operation": "eco", "target_temperature": 55, "current_temperature": 50}
    FLAGS = WaterHeaterEntityFeature
    _attr_temperature_unit = UnitOfTemperature.CELSIUS
    _attr_operation_list = ["off", "eco", "performance"]
    _attr_min_temp, _attr_max_temp = 40, 65
    _attr_supported_features = WaterHeaterEntityFeature.TARGET_TEMPERATURE | WaterHeaterEntityFeature.OPERATION_MODE

    async def async_set_temperature(self, **kw):
        values = {"target_temperature": kw["temperature"]}
        if kw.get("operation_mode"):
            values["current_operation"] = kw["operation_mode"]
        self.did("set_temperature", **values)

    async def async_set_operation_mode(self, operation_mode):
        self.did("set_operation_mode", current_operation=operation_mode)

    async def async_turn_away_mode_on(self):
        self.did("set_away_mode", is_away_mode_on=True)

    async def async_turn_away_mode_off(self):
        self.did("set_away_mode", is_away_mode_on=False)

    async def async_turn_on(self, **kw):
        first = next(mode for mode in self._attr_operation_list if mode != "off")
        self.did("turn_on", current_operation=first)

    async def async_turn_off(self, **kw):
        self.did("turn_off", current_operation="off")


class SWeather(Base, WeatherEntity):
    """spec "forecast": days from today on."""

    DEFAULT = {"condition": "sunny"}
    FLAGS = WeatherEntityFeature
    _attr_supported_features = WeatherEntityFeature.FORECAST_DAILY | WeatherEntityFeature.FORECAST_HOURLY

    def _days(self, step):
        start = dt_util.start_of_local_day()
        return [
            {"datetime": (start + step * i).isoformat(), "condition": day["condition"],
             "native_temperature": day.get("temperature"), "native_templow": day.get("templow"),
             "precipitation_probability": day.get("precipitation_probability")}
            for i, day in enumerate(self.spec.get("forecast", []))
        ]

    async def async_forecast_daily(self):
        return self._days(dt.timedelta(days=1))

    async def async_forecast_hourly(self):
        return self._days(dt.timedelta(hours=1))


class STodo(Base, TodoListEntity):
    FLAGS = TodoListEntityFeature

    def __init__(self, spec):
        super().__init__(spec)
        self._attr_todo_items = [
            TodoItem(summary=item["summary"], uid=uuid.uuid4().hex,
                     status=TodoItemStatus(item.get("status", "needs_action")))
            for item in spec.get("items", [])
        ]

    async def async_create_todo_item(self, item):
        item.uid = uuid.uuid4().hex
        self._attr_todo_items = [*self._attr_todo_items, item]
        self.did("add_item")

    async def async_update_todo_item(self, item):
        self._attr_todo_items = [item if old.uid == item.uid else old for old in self._attr_todo_items]
        self.did("update_item")

    async def async_delete_todo_items(self, uids):
        self._attr_todo_items = [item for item in self._attr_todo_items if item.uid not in uids]
        self.did("remove_item")


class SCalendar(Base, CalendarEntity):
    """spec "events": summary, start ("1d 09:30": day from today, local time), hours."""

    FLAGS = CalendarEntityFeature
    _attr_supported_features = CalendarEntityFeature.CREATE_EVENT

    def __init__(self, spec):
        super().__init__(spec)
        self.events = [self._event(told) for told in spec.get("events", [])]

    def _event(self, told):
        day, at = told["start"].split()
        hour, minute = at.split(":")
        start = dt_util.start_of_local_day() + dt.timedelta(days=int(day[:-1]), hours=int(hour), minutes=int(minute))
        return CalendarEvent(start=start, end=start + dt.timedelta(hours=told.get("hours", 1)),
                             summary=told["summary"], location=told.get("location"))

    @property
    def event(self):
        return min((e for e in self.events if e.end > dt_util.now()), key=lambda e: e.start, default=None)

    async def async_get_events(self, hass, start_date, end_date):
        return sorted((e for e in self.events if e.start < end_date and e.end > start_date), key=lambda e: e.start)

    async def async_create_event(self, **kw):
        self.events.append(CalendarEvent(start=kw["dtstart"], end=kw["dtend"], summary=kw["summary"]))
        self.did("create_event")


class SUpdate(Base, UpdateEntity):
    FLAGS = UpdateEntityFeature
    _attr_supported_features = UpdateEntityFeature.INSTALL

    async def async_install(self, version, backup, **kw):
        self.did("install", installed_version=version or self._attr_latest_version)


class SText(Base, TextEntity):
    DEFAULT = {"native_value": ""}

    async def async_set_value(self, value):
        self.did("set_value", native_value=value)


class SDate(Base, DateEntity):
    def apply(self):
        value = self.s.get("native_value")
        self._attr_native_value = dt.date.fromisoformat(value) if isinstance(value, str) else value

    async def async_set_value(self, value):
        self.did("set_value", native_value=value)


class STime(Base, TimeEntity):
    def apply(self):
        value = self.s.get("native_value")
        self._attr_native_value = dt.time.fromisoformat(value) if isinstance(value, str) else value

    async def async_set_value(self, value):
        self.did("set_value", native_value=value)


class SDateTime(Base, DateTimeEntity):
    def apply(self):
        value = self.s.get("native_value")
        self._attr_native_value = dt.datetime.fromisoformat(value) if isinstance(value, str) else value

    async def async_set_value(self, value):
        self.did("set_value", native_value=value)


class SRemote(Base, RemoteEntity):
    DEFAULT = {"is_on": False}
    FLAGS = RemoteEntityFeature

    async def async_turn_on(self, **kw):
        self.did("turn_on", is_on=True)

    async def async_turn_off(self, **kw):
        self.did("turn_off", is_on=False)

    async def async_send_command(self, command, **kw):
        self.did("send_command")


class SCamera(Base, Camera):
    DEFAULT = {"is_on": True}
    FLAGS = CameraEntityFeature
    _attr_supported_features = CameraEntityFeature.ON_OFF

    def __init__(self, spec):
        Camera.__init__(self)
        Base.__init__(self, spec)

    async def async_camera_image(self, width=None, height=None):
        return b""

    async def async_turn_on(self):
        self.did("turn_on", is_on=True)

    async def async_turn_off(self):
        self.did("turn_off", is_on=False)

    async def async_enable_motion_detection(self):
        self.did("enable_motion_detection")

    async def async_disable_motion_detection(self):
        self.did("disable_motion_detection")


class SEvent(Base, EventEntity):
    _attr_event_types = ["ring"]


class SNotify(Base, NotifyEntity):
    async def async_send_message(self, message, title=None):
        self.did("send_message")


class STracker(Base, ScannerEntity):
    """Home or not: spec state {"home": bool}."""

    DEFAULT = {"home": False}
    _attr_entity_category = None

    @property
    def is_connected(self):
        return self.s["home"]

    @property
    def source_type(self):
        return "router"

    @property
    def entity_registry_enabled_default(self):
        return True


CLASSES = {
    "calendar": SCalendar, "camera": SCamera, "date": SDate, "datetime": SDateTime, "device_tracker": STracker,
    "event": SEvent, "lawn_mower": SMower, "notify": SNotify, "remote": SRemote, "siren": SSiren, "text": SText,
    "time": STime, "todo": STodo, "update": SUpdate, "water_heater": SWaterHeater, "weather": SWeather,
}
