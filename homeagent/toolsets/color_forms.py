"""Colours as the compatible tools take them, as `ha_control` does."""

from __future__ import annotations

import re

from homeagent.values.colors import parse_color

_NUMBER = r"\d+(?:\.\d+)?"
_BARE_HSL = re.compile(rf"\s*({_NUMBER})\s*,\s*({_NUMBER})\s*%?\s*,\s*({_NUMBER})\s*%?\s*")
_BARE_HEX = re.compile(r"[0-9a-fA-F]{6}")
_NAMED_IN = ("ko",)
"""Languages whose names of colours are taken whatever is spoken, beside English."""


def tint(color: str, language: str) -> dict[str, object]:
    """The parameter of `ha_control` for a colour: a name, `#RRGGBB`, `RRGGBB`, `hsl(h, s, l)`, `h, s, l`,
    `rgb(r, g, b)`. Raises InvalidParameters.
    """
    if _BARE_HEX.fullmatch(color.strip()):
        color = f"#{color.strip()}"
    elif bare := _BARE_HSL.fullmatch(color):
        color = f"hsl({', '.join(bare.groups())})"
    found = parse_color(color, language, *_NAMED_IN)
    if found.rgb is None or found.kelvin is not None:  # a white tone: the lamp takes it as it can
        return {"color": color} if found.rgb is not None else {"color_temp_kelvin": found.kelvin}
    return {"color": "#{:02x}{:02x}{:02x}".format(*found.rgb)}
