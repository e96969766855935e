"""Colour conversions with Home Assistant's formulas (homeassistant/util/color.py)."""

from __future__ import annotations

import colorsys
import math

Rgb = tuple[int, int, int]


def rgb_to_hs(red: float, green: float, blue: float) -> tuple[float, float]:
    """Hue 0–360 and saturation 0–100 of a colour of 0–255."""
    hue, saturation, _ = colorsys.rgb_to_hsv(red / 255, green / 255, blue / 255)
    return round(hue * 360, 3), round(saturation * 100, 3)


def hs_to_rgb(hue: float, saturation: float) -> Rgb:
    """The colour in 0–255 at full brightness, of hue 0–360 and saturation 0–100."""
    red, green, blue = colorsys.hsv_to_rgb(hue / 360, saturation / 100, 1)
    return round(red * 255), round(green * 255), round(blue * 255)


def named(name: str) -> Rgb:
    """The colour of a CSS name; white for an unknown one, as in HA."""
    import webcolors  # type: ignore[import-untyped]

    try:
        found = webcolors.name_to_rgb(name.replace(" ", "").lower())
    except ValueError:
        return (255, 255, 255)
    return (found.red, found.green, found.blue)


def kelvin_to_hs(kelvin: float) -> tuple[float, float]:
    """Tanner Helland's approximation, as in HA."""
    hundred = max(1000, min(40000, kelvin)) / 100
    red = 255.0 if hundred <= 66 else 329.698727446 * math.pow(hundred - 60, -0.1332047592)
    if hundred <= 66:
        green = 99.4708025861 * math.log(hundred) - 161.1195681661
    else:
        green = 288.1221695283 * math.pow(hundred - 60, -0.0755148492)
    if hundred >= 66:
        blue = 255.0
    elif hundred <= 19:
        blue = 0.0
    else:
        blue = 138.5177312231 * math.log(hundred - 10) - 305.0447927307
    return rgb_to_hs(*(max(0.0, min(255.0, part)) for part in (red, green, blue)))


def rgb_to_xy(red: float, green: float, blue: float) -> tuple[float, float]:
    """CIE 1931 xy with the wide gamut matrix that Philips Hue publishes."""
    if red + green + blue == 0:
        return 0.0, 0.0
    r, g, b = (_linear(part / 255) for part in (red, green, blue))
    x = r * 0.664511 + g * 0.154324 + b * 0.162028
    y = r * 0.283881 + g * 0.668433 + b * 0.047685
    z = r * 0.000088 + g * 0.072310 + b * 0.986039
    total = x + y + z
    return round(x / total, 3), round(y / total, 3)


def xy_to_rgb(x: float, y: float) -> Rgb:
    """The colour in 0–255 at full brightness, with the inverse of the matrix of `rgb_to_xy`; what lies outside sRGB is
    clipped.
    """
    y = y or 0.00000000001
    big_x, big_z = x / y, (1 - x - y) / y
    linear = (
        big_x * 1.656492 - 0.354851 - big_z * 0.255038,
        -big_x * 0.707196 + 1.655397 + big_z * 0.036152,
        big_x * 0.051713 - 0.121364 + big_z * 1.011530,
    )
    parts = [max(0.0, _gamma(part)) for part in linear]
    highest = max(parts)
    red, green, blue = (int(255 * (part / highest if highest > 1 else part)) for part in parts)
    return red, green, blue


def xy_to_kelvin(x: float, y: float) -> int:
    """McCamy's approximation."""
    n = (x - 0.3320) / (0.1858 - y)
    return int(437 * n**3 + 3601 * n**2 + 6861 * n + 5517)


def _linear(part: float) -> float:
    return math.pow((part + 0.055) / 1.055, 2.4) if part > 0.04045 else part / 12.92


def _gamma(part: float) -> float:
    return 12.92 * part if part <= 0.0031308 else 1.055 * math.pow(part, 1 / 2.4) - 0.055
