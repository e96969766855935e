"""A warmer or a colder white of lamps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from homeagent.ha.home import State

_SHADE = 500
"""Kelvin of one step that the eye sees."""
_NEUTRAL, _WARMEST, _COLDEST = 3500, 2000, 6500
"""Kelvin, where a lamp does not tell what it is or can be."""


def another_white(lamps: Sequence[State], *, warmer: bool) -> int | None:
    """Kelvin one step from what the lamps have now, within what all of them can; None where one has no such choice."""
    able = [lamp.attributes for lamp in lamps if _has_shades(lamp.attributes)]
    if not able or len(able) < len(lamps):
        return None
    now = next((int(a["color_temp_kelvin"]) for a in able if a.get("color_temp_kelvin")), _NEUTRAL)
    least = max(int(a.get("min_color_temp_kelvin") or _WARMEST) for a in able)
    most = min(int(a.get("max_color_temp_kelvin") or _COLDEST) for a in able)
    return max(least, min(most, now + (-_SHADE if warmer else _SHADE)))


def _has_shades(attributes: Mapping[str, Any]) -> bool:
    modes: Sequence[str] = attributes.get("supported_color_modes") or ()
    return bool(attributes.get("color_temp_kelvin")) or "color_temp" in modes
