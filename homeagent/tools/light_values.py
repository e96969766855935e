"""What was asked of a light, in the one form that this light can take."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from homeagent.domains.light import COLOR_MODES
from homeagent.errors import InvalidParameters, UnsupportedAction
from homeagent.ha.home import State
from homeagent.tools.expected_state import TINT, Shown
from homeagent.tools.parameter_values import number
from homeagent.values.colors import Color, hue_and_saturation, kelvin_from_mireds, parse_color

_BRIGHTNESS = ("brightness", "brightness_pct", "brightness_step", "brightness_step_pct")
_TINTS = ("color_temp_kelvin", "color_temp", "color_temp_kelvin_step", "rgb_color", "color")
"""What sets the colour, the one that wins first."""


def light_parameters(parameters: Mapping[str, object], state: State, languages: tuple[str, ...]) -> dict[str, object]:
    """One brightness, one tint: colours as ``rgb_color``, white tones as ``color_temp_kelvin``.

    Raises InvalidParameters for two brightnesses or an unknown colour, UnsupportedAction for what the light lacks.
    """
    said = dict(parameters)
    levels = [name for name in _BRIGHTNESS if name in said]
    if len(levels) > 1:
        raise InvalidParameters(f"Give one of {', '.join(levels)}, not several.")
    if levels and "step" in levels[0] and state.state == "off" and number(levels[0], said[levels[0]]) < 0:
        raise UnsupportedAction(f"{state.entity_id} is off: it cannot be dimmed further.")
    for loser in [name for name in _TINTS if name in said][1:]:
        del said[loser]
    if "color_temp" in said:
        said["color_temp_kelvin"] = kelvin_from_mireds(number("color_temp", said.pop("color_temp")))
    if "color" in said:
        said |= _tint(parse_color(str(said.pop("color")), *languages), state)
    return said


def modes(state: State) -> frozenset[str]:
    """The colour modes that a light supports."""
    return frozenset(state.attributes.get("supported_color_modes") or ())


def abilities(state: State) -> str:
    """In words, what a light can do beyond on and off."""
    can = modes(state)
    words = ["on and off"]
    if can - {"onoff", "unknown"}:
        words.append("brightness")
    if "color_temp" in can:
        words.append("colour temperature")
    if can & COLOR_MODES:
        words.append("colour")
    if state.attributes.get("effect_list"):
        words.append("effects")
    return ", ".join(words)


def tint_shown(name: str, value: Any, state: State) -> Shown | None:
    """How the light's tint shows afterwards; None where it cannot be told (a tone that a colour lamp imitates)."""
    if name == "rgb_color":
        return Shown(TINT, hue_and_saturation((value[0], value[1], value[2])))
    if name == "color_temp_kelvin" and "color_temp" in modes(state):
        return Shown(name, value, tolerance=max(30.0, value * 0.02))
    return None


def _tint(color: Color, state: State) -> dict[str, object]:
    can = modes(state)
    if color.kelvin and "color_temp" in can:
        return {"color_temp_kelvin": _nearest(color, state)}
    if color.rgb and can & COLOR_MODES:
        return {"rgb_color": list(color.rgb)}
    if color.kelvin and can & COLOR_MODES:
        return {"color_temp_kelvin": _nearest(color, state)}
    raise UnsupportedAction(f"{state.entity_id} cannot show that colour.", hint=f"It can: {abilities(state)}.")


def _nearest(color: Color, state: State) -> int:
    """The tone; said in words ("warm"), the nearest that the lamp has."""
    assert color.kelvin is not None
    low, high = state.attributes.get("min_color_temp_kelvin"), state.attributes.get("max_color_temp_kelvin")
    if not color.approximate or not isinstance(low, int | float) or not isinstance(high, int | float):
        return color.kelvin
    return round(min(max(color.kelvin, low), high))
