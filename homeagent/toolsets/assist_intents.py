"""Home Assistant's intents as it offers them to language models: a name, or an area or floor with kinds of things."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, field_validator

from homeagent.errors import InvalidParameters, UnknownTarget
from homeagent.ha.home import Home
from homeagent.targets.lookup import find_place, one_entity
from homeagent.toolsets.toolset import CONTROL, QUERY, FormTool, Toolset, tint
from homeagent.turn import Turn
from homeagent.values.name_matching import plain
from indexer.entity import Entity

_LOCKS = {"turn_on": "lock", "turn_off": "unlock"}
"""What on and off are for a lock, in Assist's words."""
_ON = (
    "Turns on/opens/presses a device or entity. For locks, this performs a 'lock' action. Use for requests like "
    "'turn on', 'activate', 'enable', or 'lock'."
)
_OFF = (
    "Turns off/closes a device or entity. For locks, this performs an 'unlock' action. Use for requests like "
    "'turn off', 'deactivate', 'disable', or 'unlock'."
)
_SET_TEMPERATURE = "Sets the target temperature of a climate device or entity"
_GET_TEMPERATURE = "Gets the current temperature of a climate device or entity"
Call = Callable[[Any, Turn], dict[str, Any]]


class _Slots(BaseModel):
    model_config = ConfigDict(extra="forbid")

    name: str | None = None
    area: str | None = None
    floor: str | None = None

    @field_validator("*", mode="before")
    @classmethod
    def _nothing_is_none(cls, value: object) -> object:
        """Models fill every slot: an empty text or list is none."""
        return None if value in ("", []) else value


class _KindSlots(_Slots):
    domain: str | list[str] | None = None
    device_class: str | list[str] | None = None


class _GetStateSlots(_KindSlots):
    state: str | list[str] | None = None


class _LightSlots(_Slots):
    color: str | None = None
    brightness: float | None = Field(default=None, ge=0, le=100, allow_inf_nan=False, description="%")


class _PositionSlots(_KindSlots):
    position: float = Field(ge=0, le=100, allow_inf_nan=False, description="%")


class _TemperatureSlots(_Slots):
    temperature: float = Field(allow_inf_nan=False)


class _ItemSlots(BaseModel):
    model_config = ConfigDict(extra="forbid")

    item: str = Field(min_length=1)
    name: str = Field(min_length=1, description="Of the list")


class _SpeedSlots(_Slots):
    percentage: float = Field(ge=0, le=100, allow_inf_nan=False, description="%")


class _HumiditySlots(_Slots):
    humidity: float = Field(ge=0, le=100, allow_inf_nan=False, description="%")


class _VolumeStepSlots(_Slots):
    volume_step: float = Field(ge=-100, le=100, allow_inf_nan=False, description="%, negative: quieter")


class _VolumeSlots(_Slots):
    volume_level: float = Field(ge=0, le=100, allow_inf_nan=False, description="%")


def _control(name: str, description: str, slots: type[BaseModel], call: Call) -> FormTool:
    return FormTool(name, description, slots, CONTROL, call)


def _query(name: str, description: str, slots: type[BaseModel], call: Call) -> FormTool:
    return FormTool(name, description, slots, QUERY, call)


def assist_toolset(home: Home) -> Toolset:
    """The seven intents that every home has, and those of kinds of things that are in this one, alone."""
    intents = _Intents(home)
    more = [replace(tool, domain=domain) for domain, tools in intents.of_domains().items() for tool in tools]
    return Toolset([*intents.seven(), *more], alone=True, has=lambda domain: _has(home, domain))


def _has(home: Home, domain: str) -> bool:
    return any(entity.exposed for entity in home.of_domain(domain))


class _Intents:
    """Turns slots into calls of ours, in the home as it is at the call."""

    def __init__(self, home: Home) -> None:
        self._home = home

    def seven(self) -> list[FormTool]:
        """Those that every home has."""
        on, off = self._switch("turn_on"), self._switch("turn_off")
        there = self._about("climate")
        warmth = self._value("climate", lambda slots: {"temperature": slots.temperature})
        return [
            _control("HassTurnOn", _ON, _KindSlots, on),
            _control("HassTurnOff", _OFF, _KindSlots, off),
            _control("HassLightSet", "Sets the brightness percentage or color of a light", _LightSlots, self._light),
            _control("HassSetPosition", "Sets the position of a device or entity", _PositionSlots, self._position),
            _query("HassGetState", "Gets or checks the state of a device or entity", _GetStateSlots, self._state),
            _control("HassClimateSetTemperature", _SET_TEMPERATURE, _TemperatureSlots, warmth),
            _query("HassClimateGetTemperature", _GET_TEMPERATURE, _Slots, there),
        ]

    def of_domains(self) -> dict[str, list[FormTool]]:
        """Further intents by the kind of thing that they are for."""
        player, vacuum, item = self._do("media_player"), self._do("vacuum"), self._item
        volume = self._value("media_player", lambda slots: {"volume_level": slots.volume_level / 100})
        step = self._value("media_player", lambda slots: {"volume_step": slots.volume_step / 100})
        speed = self._value("fan", lambda slots: {"percentage": slots.percentage})
        humidity = self._value("humidifier", lambda slots: {"humidity": slots.humidity})
        weather = _query("HassGetWeather", "Gets the current weather", _Slots, self._about("weather"))
        return {
            "todo": [
                _control("HassListAddItem", "Add item to a todo list", _ItemSlots, item("add_item")),
                _control("HassListCompleteItem", "Complete item on a todo list", _ItemSlots, item("complete_item")),
            ],
            "media_player": [
                _control("HassMediaPause", "Pauses a media player", _Slots, player("pause")),
                _control("HassMediaUnpause", "Resumes a media player", _Slots, player("play")),
                _control("HassMediaNext", "Skips a media player to the next item", _Slots, player("next")),
                _control("HassMediaPrevious", "Replays the previous item", _Slots, player("previous")),
                _control("HassSetVolume", "Sets the volume percentage of a media player", _VolumeSlots, volume),
                _control("HassSetVolumeRelative", "Makes a media player louder or quieter", _VolumeStepSlots, step),
                _control("HassMediaPlayerMute", "Mutes a media player", _Slots, player("mute")),
                _control("HassMediaPlayerUnmute", "Unmutes a media player", _Slots, player("unmute")),
            ],
            "fan": [_control("HassFanSetSpeed", "Sets a fan's speed by percentage", _SpeedSlots, speed)],
            "humidifier": [_control("HassHumidifierSetpoint", "Sets the target humidity", _HumiditySlots, humidity)],
            "vacuum": [
                _control("HassVacuumStart", "Starts a vacuum", _Slots, vacuum("start")),
                _control("HassVacuumReturnToBase", "Returns a vacuum to base", _Slots, vacuum("return_to_base")),
            ],
            "weather": [weather],
        }

    def _switch(self, action: str) -> Call:
        def call(slots: _KindSlots, turn: Turn) -> dict[str, Any]:
            target = self._target(slots, turn, _texts(slots.domain), _texts(slots.device_class))
            kinds = {entity_id.partition(".")[0] for entity_id in target.get("entity_id", ())}
            locks = (kinds or set(target.get("domain", ()))) == {"lock"}
            return {"action": _LOCKS[action] if locks else action, **target}

        return call

    def _light(self, slots: _LightSlots, turn: Turn) -> dict[str, Any]:
        given: dict[str, object] = {}
        if slots.brightness is not None:
            given["brightness_pct"] = slots.brightness
        if slots.color:
            given |= tint(slots.color, turn.language)
        if not given:
            raise InvalidParameters("HassLightSet needs a brightness or a color.")
        return {"action": "turn_on", **self._target(slots, turn, ["light"]), "parameters": given}

    def _position(self, slots: _PositionSlots, turn: Turn) -> dict[str, Any]:
        domains = _texts(slots.domain) or ["cover", "valve"]
        target = self._target(slots, turn, domains, _texts(slots.device_class))
        return {"action": "set_value", **target, "parameters": {"position": slots.position}}

    def _state(self, slots: _GetStateSlots, turn: Turn) -> dict[str, Any]:
        target = self._target(slots, turn, _texts(slots.domain), _texts(slots.device_class))
        states = _texts(slots.state)
        return {**target, **({"state": states[0]} if len(states) == 1 else {})}

    def _value(self, domain: str, given: Callable[[Any], dict[str, object]]) -> Call:
        """Sets a value of something of a domain. ``given``: the parameters that the slots are."""
        return lambda slots, turn: {
            "action": "set_value",
            **self._nearby(slots, turn, domain),
            "parameters": given(slots),
        }

    def _item(self, action: str) -> Call:
        def call(slots: _ItemSlots, turn: Turn) -> dict[str, Any]:
            target = self._target(_Slots(name=slots.name), turn, ["todo"])
            return {"action": action, **target, "parameters": {"item": slots.item}}

        return call

    def _do(self, domain: str) -> Callable[[str], Call]:
        def of_action(action: str) -> Call:
            return lambda slots, turn: {"action": action, **self._nearby(slots, turn, domain)}

        return of_action

    def _about(self, domain: str) -> Call:
        return lambda slots, turn: self._nearby(slots, turn, domain)

    def _nearby(self, slots: _Slots, turn: Turn, domain: str) -> dict[str, Any]:
        """What is meant of a domain; where no slot says, what is in the speaker's area, else the only one there is."""
        if slots.name or slots.area or slots.floor:
            return self._target(slots, turn, [domain])
        there = [e for e in self._home.of_domain(domain) if e.exposed]
        if not there:
            raise UnknownTarget(f"There is nothing of {domain} in this home.")
        here = [e for e in there if turn.area_id and e.area and e.area.area_id == turn.area_id]
        if len(here or there) != 1:
            raise InvalidParameters(f"There are several of {domain}.", hint="Give a name or an area.")
        return {"entity_id": [(here or there)[0].entity_id]}

    def _target(
        self, slots: _Slots, turn: Turn, domains: Sequence[str] = (), device_classes: Sequence[str] = ()
    ) -> dict[str, Any]:
        """The target of our call. Raises InvalidParameters where the slots name none, UnknownTarget."""
        if slots.name:
            return {"entity_id": self._named(slots, turn, domains, device_classes)}
        if not (slots.area or slots.floor or (domains and device_classes)):
            raise InvalidParameters(
                "That names nothing.", hint="Give a name, an area, a floor, or domain and device_class."
            )
        sets = {"area": slots.area, "floor": slots.floor, "domain": list(domains), "device_class": list(device_classes)}
        return {key: value for key, value in sets.items() if value}

    def _named(self, slots: _Slots, turn: Turn, domains: Sequence[str], device_classes: Sequence[str]) -> list[str]:
        """The ids of what is called so and fits the other slots; of several the one in the speaker's area."""
        wanted = plain(slots.name or "")
        called = [e for e in self._home.exposed() if any(plain(name) == wanted for name in e.names)]
        fitting = [e for e in called if self._fits(e, slots, domains, device_classes)]
        if not fitting:
            if called:
                raise UnknownTarget(f"No {slots.name!r} fits the other slots.", hint="Give the name alone.")
            return [one_entity(self._home, slots.name or "").entity_id]  # an id, or the error that names what is near
        here = [e for e in fitting if turn.area_id and e.area and e.area.area_id == turn.area_id]
        chosen = here if len(fitting) > 1 and len(here) == 1 else fitting
        if len(chosen) > 1:
            places = ", ".join(e.area.name if e.area else e.entity_id for e in chosen[:10])
            raise UnknownTarget(f"{slots.name!r} is the name of several.", hint=f"Give the area, too: {places}.")
        return [chosen[0].entity_id]

    def _fits(self, entity: Entity, slots: _Slots, domains: Sequence[str], device_classes: Sequence[str]) -> bool:
        if domains and entity.domain not in (*domains, "group"):
            return False
        if device_classes and entity.device_class not in device_classes:
            return False
        area = find_place(slots.area, self._home.areas.values()) if slots.area else None
        floor = find_place(slots.floor, self._home.floors.values()) if slots.floor else None
        in_area = not slots.area or (entity.area is not None and entity.area.area_id == area)
        return in_area and (not slots.floor or (entity.floor is not None and entity.floor.floor_id == floor))


def _texts(value: str | list[str] | None) -> list[str]:
    return [value] if isinstance(value, str) else list(value or ())
