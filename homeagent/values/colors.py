"""Colours and white tones as people and models write them, turned into RGB or kelvin.

Understood: names (CSS in English, and those of the home's language from Home Assistant's own sentence lists),
``#RGB``, ``#RRGGBB``, ``rgb(…)``, ``hsl(…)``, ``2700K``, ``370 mired``, words for white tones ("warm white").
"""

from __future__ import annotations

import colorsys
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from homeagent.errors import InvalidParameters
from homeagent.languages.language_codes import best_match

Rgb = tuple[int, int, int]

_MIRED = 1_000_000
_TONES = {
    "candle": 1900,
    "candle light": 1900,
    "candlelight": 1900,
    "warm": 2700,
    "warm white": 2700,
    "soft white": 2700,
    "neutral": 3500,
    "neutral white": 3500,
    "cool": 4000,
    "cool white": 4000,
    "cold": 4000,
    "cold white": 4000,
    "daylight": 6500,
    "day light": 6500,
}
_WHITE_TONE = 4000
_NUMBER = r"[-+]?\d+(?:\.\d+)?"
_FUNCTION = re.compile(r"(rgb|hsl)a?\s*\(([^()]*)\)", re.IGNORECASE)
_WITH_UNIT = re.compile(rf"({_NUMBER})\s*(k|kelvin|mireds?)", re.IGNORECASE)
_HEX = re.compile(r"#(?:[0-9a-f]{3}|[0-9a-f]{6})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Color:
    """What a light should show: ``rgb`` (0 to 255 each), or a white tone in ``kelvin``, or (``white``) either.

    ``approximate``: the tone was said in words, so the nearest that the lamp can do is meant.
    """

    rgb: Rgb | None = None
    kelvin: int | None = None
    approximate: bool = False


def parse_color(text: str, *languages: str) -> Color:
    """What ``text`` means, in one of the languages or English.

    Raises InvalidParameters, which names what is understood.
    """
    said = " ".join(text.split()).casefold()
    found = _with_unit(said) or _written(said)
    for language in (*languages, "en"):
        found = found or _named(said, language)
    if found is None:
        raise InvalidParameters(
            f"{text!r} is not a colour that I know.",
            hint="Give a name such as red or warm white, #RRGGBB, rgb(255, 0, 0), hsl(0, 100%, 50%), or 2700K.",
        )
    if found.rgb == (0, 0, 0):
        raise InvalidParameters("A light cannot show black.", hint="Turn it off instead.")
    return found


def kelvin_from_mireds(mireds: float) -> int:
    """Colour temperature: kelvin = 1,000,000 / mireds. Raises InvalidParameters unless 50 to 1000."""
    if not 50 <= mireds <= 1000:
        raise InvalidParameters(f"color_temp must be 50 to 1000 mireds, not {mireds:g}.")
    return round(_MIRED / mireds)


def hue_and_saturation(rgb: Rgb) -> tuple[float, float]:
    """Hue 0 to 360 and saturation 0 to 100, as Home Assistant reports a light's ``hs_color``."""
    hue, saturation, _ = colorsys.rgb_to_hsv(*(part / 255 for part in rgb))
    return hue * 360, saturation * 100


def same_tint(one: tuple[float, float], other: tuple[float, float]) -> bool:
    """Whether two (hue, saturation) look alike: lamps round them, and the hue of a near-white means nothing."""
    turn = abs(one[0] - other[0]) % 360
    hue_apart = min(turn, 360 - turn) * min(one[1], other[1]) / 100
    return hue_apart <= 6 and abs(one[1] - other[1]) <= 8


def _with_unit(said: str) -> Color | None:
    match = _WITH_UNIT.fullmatch(said)
    if match is None:
        return None
    value = float(match[1])
    if match[2].startswith("m"):
        return Color(kelvin=kelvin_from_mireds(value))
    if not 1000 <= value <= 20_000:
        raise InvalidParameters(f"A colour temperature is 1000 to 20000 kelvin, not {value:g}.")
    return Color(kelvin=round(value))


def _written(said: str) -> Color | None:
    if _HEX.fullmatch(said):
        digits = said[1:] if len(said) == 7 else "".join(d * 2 for d in said[1:])
        return Color(rgb=(int(digits[0:2], 16), int(digits[2:4], 16), int(digits[4:6], 16)))
    match = _FUNCTION.fullmatch(said)
    if match is None:
        return None
    parts = [part for part in re.split(r"[\s,/]+", match[2].strip()) if part]
    if len(parts) not in (3, 4):
        raise InvalidParameters(f"{said} needs three numbers.")
    return Color(rgb=_rgb(parts) if match[1] == "rgb" else _hsl(parts))


def _rgb(parts: list[str]) -> Rgb:
    red, green, blue = (_part(p, "rgb", 255, percent_of=255) for p in parts[:3])
    return round(red), round(green), round(blue)


def _hsl(parts: list[str]) -> Rgb:
    hue = _part(parts[0].removesuffix("deg").removesuffix("°"), "hsl hue", 360)
    saturation, lightness = (_part(p, "hsl", 100, percent_of=100) for p in parts[1:3])
    red, green, blue = colorsys.hls_to_rgb(hue / 360, lightness / 100, saturation / 100)
    return round(red * 255), round(green * 255), round(blue * 255)


def _part(text: str, what: str, highest: float, *, percent_of: float | None = None) -> float:
    number = text.removesuffix("%") if percent_of is not None else text
    if not re.fullmatch(_NUMBER, number):
        raise InvalidParameters(f"{text!r} is not a number in {what}().")
    value = float(number)
    if number != text and percent_of is not None:
        value *= percent_of / 100
    if not 0 <= value <= highest:
        raise InvalidParameters(f"{text} is out of range in {what}(): 0 to {highest:g}.")
    return value


def _named(said: str, language: str) -> Color | None:
    tones, names = _language(language)
    if (tone := tones.get(said) or _TONES.get(said)) is not None:
        return Color(kelvin=tone, approximate=True)
    css = names.get(said) or said
    rgb = _css(css) or _css(css.replace(" ", "").replace("-", ""))
    if rgb == (255, 255, 255):
        return Color(rgb=rgb, kelvin=_WHITE_TONE, approximate=True)
    return Color(rgb=rgb) if rgb else None


def _css(name: str) -> Rgb | None:
    import webcolors  # type: ignore[import-untyped]

    try:
        found = webcolors.name_to_rgb(name)
    except ValueError:
        return None
    return found.red, found.green, found.blue


@cache
def _language(language: str) -> tuple[Mapping[str, int], Mapping[str, str]]:
    """White tones (word: kelvin) and colours (word: CSS name) of a language; empty where there is no list."""
    lists = _lists(language)
    tones = {word: int(kelvin) for word, kelvin in _words(lists.get("color_temperature_names"))}
    colors = {word: str(name) for word, name in _words(lists.get("color"))}
    return tones, colors


def _lists(language: str) -> Mapping[str, Any]:
    from home_assistant_intents import get_languages

    code = best_match(language, get_languages())
    if code is None:
        return {}
    file = resources.files("home_assistant_intents") / "data" / f"{code}.json"
    lists: Mapping[str, Any] = json.loads(file.read_text(encoding="utf-8")).get("lists", {})
    return lists


def _words(values: Mapping[str, Any] | None) -> Iterator[tuple[str, Any]]:
    for value in (values or {}).get("values", ()):
        if isinstance(value, dict) and "out" in value:
            for words in expand(value["in"]):
                yield " ".join(words.split()).casefold(), value["out"]


def expand(template: str) -> list[str]:
    """All texts that a template stands for: ``(a|b)`` is either, ``[a]`` is perhaps. Unbalanced brackets are text."""
    texts, rest = _alternatives(template, 0)
    return texts if rest == len(template) else [template]


def _alternatives(template: str, at: int) -> tuple[list[str], int]:
    """Expand up to the bracket that closes, or the end; returns the texts and where that is."""
    done: list[str] = []
    current = [""]
    while at < len(template) and template[at] not in ")]":
        letter = template[at]
        if letter in "([":
            inner, at = _alternatives(template, at + 1)
            choices = [*inner, ""] if letter == "[" else inner
            current = [head + tail for head in current for tail in choices]
        elif letter == "|":
            done += current
            current = [""]
        else:
            current = [head + letter for head in current]
        at += 1
    return done + current, at


_SHADE = 500
"""Kelvin of one step that the eye sees."""
_NEUTRAL, _WARMEST, _COLDEST = 3500, 2000, 6500
"""Kelvin, where a lamp does not tell what it is or can be."""


def another_white(lamps: Sequence[Mapping[str, Any]], *, warmer: bool) -> int | None:
    """Kelvin one step from what lamps with these attributes have now, within what all of them can; None where one has
    no such choice."""
    able = [lamp for lamp in lamps if _has_shades(lamp)]
    if not able or len(able) < len(lamps):
        return None
    now = next((int(a["color_temp_kelvin"]) for a in able if a.get("color_temp_kelvin")), _NEUTRAL)
    least = max(int(a.get("min_color_temp_kelvin") or _WARMEST) for a in able)
    most = min(int(a.get("max_color_temp_kelvin") or _COLDEST) for a in able)
    return max(least, min(most, now + (-_SHADE if warmer else _SHADE)))


def _has_shades(attributes: Mapping[str, Any]) -> bool:
    modes: Sequence[str] = attributes.get("supported_color_modes") or ()
    return bool(attributes.get("color_temp_kelvin")) or "color_temp" in modes
