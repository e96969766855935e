"""Lights: brightness, colour, colour temperature, effects. Converts colours as Home Assistant does."""

from __future__ import annotations

from typing import Any

from homeagent.demo.devices import color_conversion
from homeagent.demo.devices.base import Data, Device, action, device
from homeagent.demo.service_schema import integer, number, numbers, one_of, optional, text, words
from homeagent.demo.supported_features import feature

_BYTE = integer(0, 255)
_COLOR = "Color descriptors"
_TRANSITION = optional(number(0, 6553, clamp=True))
_FLASH = optional(one_of(("short", "long")))

TURN_ON = {
    "transition": _TRANSITION,
    "brightness": optional(integer(0, 255, clamp=True), group="brightness"),
    "brightness_pct": optional(number(0, 100), group="brightness"),
    "brightness_step": optional(integer(-255, 255, clamp=True), group="brightness"),
    "brightness_step_pct": optional(number(-100, 100, clamp=True), group="brightness"),
    "color_name": optional(text, group=_COLOR),
    "color_temp": optional(integer(1), group=_COLOR),
    "color_temp_kelvin": optional(integer(0), group=_COLOR),
    "kelvin": optional(integer(0), group=_COLOR),
    "hs_color": optional(numbers(number(0, 360), number(0, 100)), group=_COLOR),
    "rgb_color": optional(numbers(*[_BYTE] * 3), group=_COLOR),
    "rgbw_color": optional(numbers(*[_BYTE] * 4), group=_COLOR),
    "rgbww_color": optional(numbers(*[_BYTE] * 5), group=_COLOR),
    "xy_color": optional(numbers(number(0, 1), number(0, 1)), group=_COLOR),
    "white": optional(lambda value: value if value is True else _BYTE(value), group=_COLOR),
    "flash": _FLASH,
    "effect": optional(text),
    "profile": optional(text, group=_COLOR),
}

_DIMMABLE = words("brightness color_temp hs xy rgb rgbw rgbww white")
_COLORED = words("hs xy rgb rgbw rgbww")
_VALUES = ("brightness", "color_temp_kelvin", "hs_color", "rgb_color", "rgbw_color", "rgbww_color", "xy_color")


@device("light")
class Light(Device):
    """Remembers brightness and colour while it is off; shows them only while it is on."""

    @property
    def modes(self) -> frozenset[str]:
        """The colour modes that count: ``onoff`` and ``brightness`` only where there are no others, as in HA."""
        modes = frozenset(str(mode) for mode in self.attributes.get("supported_color_modes") or ("onoff",))
        return modes - {"onoff", "brightness"} or modes

    @property
    def mode(self) -> str:
        """The mode that it is in, or will be in when it is turned on."""
        mode = self.attributes.get("color_mode")
        if mode in self.modes:
            return str(mode)
        return "color_temp" if "color_temp" in self.modes else min(self.modes)

    def shown(self) -> dict[str, Any]:
        """Brightness and colour of the present mode, in every colour space HA shows; None while it is off."""
        attributes = {k: v for k, v in self.attributes.items() if k not in (*_VALUES, "color_mode", "effect")}
        attributes["supported_color_modes"] = sorted(self.modes)
        mode = self.mode if self.state == "on" else None
        attributes["color_mode"] = mode
        if self.modes & _DIMMABLE:
            attributes["brightness"] = self.attributes.get("brightness", 255) if mode in _DIMMABLE else None
        if "color_temp" in self.modes:
            attributes.setdefault("min_color_temp_kelvin", 2000)
            attributes.setdefault("max_color_temp_kelvin", 6500)
            attributes["color_temp_kelvin"] = self._kelvin() if mode == "color_temp" else None
        if self.features & feature("light", "EFFECT"):
            attributes["effect"] = self.attributes.get("effect") if mode else None
        if "color_temp" in self.modes or self.modes & _COLORED:
            attributes.update(hs_color=None, rgb_color=None, xy_color=None)
            attributes.update(self._color(mode))
        return attributes

    def _kelvin(self) -> int:
        return int(self.attributes.get("color_temp_kelvin") or 2700)

    def _color(self, mode: str | None) -> dict[str, object]:
        if mode == "color_temp":
            hue, saturation = color_conversion.kelvin_to_hs(self._kelvin())
        elif mode in ("hs", "rgb", "rgbw", "rgbww", "xy"):
            hue, saturation = self.attributes.get("hs_color") or self._told_color(mode)
        else:
            return {}
        rgb = self._rgb(mode) or color_conversion.hs_to_rgb(hue, saturation)
        shown: dict[str, Any] = {
            "hs_color": [round(hue, 3), round(saturation, 3)],
            "rgb_color": list(rgb),
            "xy_color": list(color_conversion.rgb_to_xy(*rgb)),
        }
        if mode in ("rgbw", "rgbww"):
            shown[f"{mode}_color"] = self.attributes.get(f"{mode}_color") or [*rgb, 0, 0][: len(mode)]
        return shown

    def _rgb(self, mode: str | None) -> color_conversion.Rgb | None:
        """The colour as it was set, dark ones too, where the light is told it that way."""
        told = self.attributes.get("rgb_color") if mode == "rgb" else None
        return (told[0], told[1], told[2]) if told else None

    def _told_color(self, mode: str) -> tuple[float, float]:
        """The colour that the inventory tells; a warm white if it tells none."""
        told = self.attributes.get(f"{mode}_color")
        if told and mode == "xy":
            return color_conversion.rgb_to_hs(*color_conversion.xy_to_rgb(*told))
        if told and mode != "hs":
            return color_conversion.rgb_to_hs(*told[:3])
        return (30.0, 50.0)


@action("light", "turn_on", TURN_ON)
def _turn_on(light: Light, data: Data) -> None:
    change = _level(light, data)
    if change.get("brightness") == 0:
        light.become("off")
        return
    light.become("on", **change, **_color_change(light, data), **_effect(light, data))


@action("light", "turn_off", {"transition": _TRANSITION, "flash": _FLASH})
def _turn_off(light: Light, data: Data) -> None:
    light.become("off")


@action("light", "toggle", TURN_ON)
def _toggle(light: Light, data: Data) -> None:
    (_turn_off if light.state == "on" else _turn_on)(light, data)


def _level(light: Light, data: Data) -> dict[str, int]:
    if "brightness" in data:
        level = data["brightness"]
    elif "brightness_pct" in data:
        level = round(255 * data["brightness_pct"] / 100)
    elif "brightness_step" in data or "brightness_step_pct" in data:
        now = (light.attributes.get("brightness") or 255) if light.state == "on" else 0
        step = data.get("brightness_step", round(data.get("brightness_step_pct", 0) / 100 * 255))
        level = max(0, min(255, now + step))
    else:
        return {}
    # A light that cannot be dimmed still goes off at 0, as in HA.
    return {"brightness": level} if light.modes & _DIMMABLE or level == 0 else {}


def _color_change(light: Light, data: Data) -> dict[str, object]:
    kelvin = data.get("color_temp_kelvin", data.get("kelvin"))
    if kelvin is None and "color_temp" in data:
        kelvin = 1_000_000 // data["color_temp"]
    if kelvin is not None:
        if "color_temp" in light.modes:
            return {"color_temp_kelvin": int(kelvin), "color_mode": "color_temp"}
        return _colored(light, color_conversion.kelvin_to_hs(kelvin))
    hs = _given_hs(data)
    if hs is None:
        return {}
    if light.modes & _COLORED:
        return _colored(light, hs, data)
    if "color_temp" in light.modes:
        xy = color_conversion.rgb_to_xy(*color_conversion.hs_to_rgb(*hs))
        return {"color_temp_kelvin": color_conversion.xy_to_kelvin(*xy), "color_mode": "color_temp"}
    return {}


def _colored(light: Light, hs: tuple[float, float], data: Data | None = None) -> dict[str, object]:
    mode = next((mode for mode in ("hs", "rgb", "xy", "rgbw", "rgbww") if mode in light.modes), None)
    if mode is None:
        return {}
    change: dict[str, Any] = {"hs_color": hs, "color_mode": mode}
    if mode == "rgb":
        change["rgb_color"] = list((data or {}).get("rgb_color") or color_conversion.hs_to_rgb(*hs))
    if mode in ("rgbw", "rgbww"):
        given = (data or {}).get(f"{mode}_color")
        change[f"{mode}_color"] = list(given) if given else [*color_conversion.hs_to_rgb(*hs), 0, 0][: len(mode)]
    return change


def _given_hs(data: Data) -> tuple[float, float] | None:
    if "hs_color" in data:
        hue, saturation = data["hs_color"]
        return hue, saturation
    if "color_name" in data:
        return color_conversion.rgb_to_hs(*color_conversion.named(data["color_name"]))
    if "xy_color" in data:
        return color_conversion.rgb_to_hs(*color_conversion.xy_to_rgb(*data["xy_color"]))
    for key in ("rgb_color", "rgbw_color", "rgbww_color"):
        if key in data:
            return color_conversion.rgb_to_hs(*data[key][:3])
    return None


def _effect(light: Light, data: Data) -> dict[str, Any]:
    if "effect" in data and light.features & feature("light", "EFFECT"):
        return {"effect": data["effect"]}
    return {}
