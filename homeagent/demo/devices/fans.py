"""Fans: speed in percent, preset modes, oscillation, direction."""

from __future__ import annotations

from typing import Any

from homeagent.demo.devices.base import Data, Device, action, device, takes
from homeagent.demo.failures import NotValid
from homeagent.demo.service_schema import boolean, integer, optional, required, text
from homeagent.demo.supported_features import feature

_PERCENT = integer(0, 100)
_STEP = {"percentage_step": optional(_PERCENT)}
_SPEED = feature("fan", "SET_SPEED")
_PRESET = feature("fan", "PRESET_MODE")


@device("fan")
class Fan(Device):
    """Remembers its speed while it is off; a preset mode ends with it."""

    def shown(self) -> dict[str, Any]:
        """Speed and preset mode, as far as it supports them; the preset mode is None while it is off."""
        attributes = dict(self.attributes)
        if self.features & (_SPEED | _PRESET):
            attributes["preset_modes"] = attributes.get("preset_modes")
            attributes["preset_mode"] = attributes.get("preset_mode") if self.state == "on" else None
        if self.features & _SPEED:
            attributes["percentage"] = self.percentage
        else:
            attributes.pop("percentage", None)
            attributes.pop("percentage_step", None)
        return attributes

    @property
    def percentage(self) -> int:
        """Speed 0 to 100; 0 while it is off, 100 where it runs and no speed is known."""
        if self.state != "on":
            return 0
        return int(self.attributes.get("percentage") or 100)

    def spin(self, percentage: int) -> None:
        """Turn at this speed; 0 is off. The last speed above 0 is remembered."""
        if percentage:
            self.become("on", percentage=percentage, preset_mode=None)
        else:
            self.become("off", preset_mode=None)

    def preset(self, mode: str) -> None:
        """Run in a preset mode. Raises NotValid for one it does not have."""
        modes = self.attributes.get("preset_modes") or []
        if mode not in modes:
            raise NotValid(f"Preset mode {mode} is not valid, valid preset modes are: {', '.join(modes)}.")
        self.become("on", preset_mode=mode)


@action(
    "fan",
    "turn_on",
    {"percentage": optional(_PERCENT), "preset_mode": optional(text)},
    needs=(feature("fan", "TURN_ON"),),
)
def _turn_on(fan: Fan, data: Data) -> None:
    if data.get("preset_mode") is not None:
        fan.preset(data["preset_mode"])
    elif data.get("percentage") is not None:
        fan.spin(data["percentage"])
    else:
        fan.become("on")


@action("fan", "turn_off", needs=(feature("fan", "TURN_OFF"),))
def _turn_off(fan: Fan, data: Data) -> None:
    fan.become("off", preset_mode=None)


@action("fan", "toggle", needs=(feature("fan", "TURN_OFF"), feature("fan", "TURN_ON")))
def _toggle(fan: Fan, data: Data) -> None:
    (_turn_off if fan.state == "on" else _turn_on)(fan, {})


@action("fan", "set_percentage", {"percentage": required(_PERCENT)}, needs=(_SPEED,))
def _set_percentage(fan: Fan, data: Data) -> None:
    fan.spin(data["percentage"])


@action("fan", "increase_speed", _STEP, needs=(_SPEED,))
def _increase_speed(fan: Fan, data: Data) -> None:
    fan.spin(min(100, round(fan.percentage + _step(fan, data))))


@action("fan", "decrease_speed", _STEP, needs=(_SPEED,))
def _decrease_speed(fan: Fan, data: Data) -> None:
    fan.spin(max(0, round(fan.percentage - _step(fan, data))))


@action("fan", "set_preset_mode", {"preset_mode": required(text)}, needs=(_SPEED, _PRESET))
def _set_preset_mode(fan: Fan, data: Data) -> None:
    fan.preset(data["preset_mode"])


takes("fan", "oscillate", "oscillating", required(boolean), needs=(feature("fan", "OSCILLATE"),))
takes("fan", "set_direction", "direction", optional(text), needs=(feature("fan", "DIRECTION"),))


def _step(fan: Fan, data: Data) -> float:
    given = data.get("percentage_step")
    return float(given if given is not None else fan.attributes.get("percentage_step", 1.0))
