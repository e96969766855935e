"""Lights."""

from __future__ import annotations

from dataclasses import replace
from enum import IntFlag

from homeagent.domains.profile import (
    WIRED_TO_ANYTHING,
    Choices,
    Measure,
    MeasureUnit,
    Profile,
    Remedy,
    Simulation,
    Together,
)
from homeagent.domains.service import Effect, Kind, Param, Service
from homeagent.languages.concepts import Complaint


class Feature(IntFlag):
    """The bits of ``supported_features``."""

    EFFECT = 4
    FLASH = 8
    TRANSITION = 32


_DIMMED = frozenset({"brightness", "color_temp", "hs", "rgb", "rgbw", "rgbww", "xy", "white"})


COLOR_MODES = frozenset({"hs", "rgb", "rgbw", "rgbww", "xy"})


_TINTED = COLOR_MODES | {"color_temp"}


_TRANSITION = Param("transition", Kind.NUMBER, low=0, high=6553, feature=Feature.TRANSITION)


_FLASH = Param("flash", Kind.OPTION, options=("short", "long"), feature=Feature.FLASH)


_BRIGHTNESS = Param("brightness", Kind.INTEGER, low=0, high=255, modes=_DIMMED, reads="brightness", tolerance=3)
_PERCENT = replace(_BRIGHTNESS, name="brightness_pct", kind=Kind.NUMBER, high=100, shown_scale=2.55)


def _step(param: Param) -> Param:
    return replace(
        param, name=param.name.replace("brightness", "brightness_step"), field=param.name, low=1, step=True, base=0
    )


_LIGHT = (
    _BRIGHTNESS,
    _PERCENT,
    _step(_BRIGHTNESS),
    _step(_PERCENT),
    Param("rgb_color", Kind.RGB, modes=COLOR_MODES),
    Param("color", Kind.COLOR, modes=_TINTED),
    Param(
        "color_temp_kelvin",
        Kind.INTEGER,
        low="min_color_temp_kelvin",
        high="max_color_temp_kelvin",
        modes=_TINTED,
        reads="color_temp_kelvin",
        tolerance=80,
    ),
    Param("color_temp", Kind.NUMBER, modes=_TINTED),
    Param(
        "color_temp_kelvin_step",
        Kind.INTEGER,
        field="color_temp_kelvin",
        low="min_color_temp_kelvin",
        high="max_color_temp_kelvin",
        modes=frozenset({"color_temp"}),
        reads="color_temp_kelvin",
        tolerance=80,
        step=True,
    ),
    Param("effect", Kind.OPTION, options="effect_list", feature=Feature.EFFECT, reads="effect"),
    _TRANSITION,
    _FLASH,
)


PROFILES = (
    Profile(
        "light",
        actions={
            "turn_on": Service("turn_on", _LIGHT, reaches=("on",)),
            "turn_off": Service("turn_off", (_TRANSITION, _FLASH), reaches=("off",)),
            "toggle": Service("toggle", effect=Effect.CHANGE),
        },
        setters=(Service("turn_on", _LIGHT, reaches=("on",)),),
        features=Feature,
        rank=1,
        in_everything=True,
        exposed=True,
        left_on=True,
        bare_numbers=True,
        remedies=(Remedy(Complaint.DARK, "turn_on"), Remedy(Complaint.BRIGHT, "turn_on", {"brightness_step_pct": -10})),
        switched=True,
        measures=(
            Measure("brightness", "brightness", unit=MeasureUnit.PERCENT, whole=255),
            Measure("color", "hs_color"),
            Measure("color_temp", "color_temp_kelvin", unit=MeasureUnit.KELVIN),
        ),
        choices=(Choices("effect_list", "effect"),),
        name_tells=WIRED_TO_ANYTHING,
        simulated=Simulation(
            start="off",
            attributes={"supported_color_modes": ["onoff"]},
            told_by={"effect_list": Feature.EFFECT},
            active_by=("brightness", "rgbw_color"),
            together={
                "brightness": Together.MEAN_ACTIVE,
                **dict.fromkeys(("color_mode", "color_temp_kelvin", "hs_color"), Together.MOST_ACTIVE),
            },
            unrecorded=frozenset(
                {
                    "supported_color_modes",
                    "effect_list",
                    "min_color_temp_kelvin",
                    "max_color_temp_kelvin",
                    "brightness",
                    "color_mode",
                    "color_temp_kelvin",
                    "hs_color",
                    "rgb_color",
                    "rgbw_color",
                    "rgbww_color",
                    "xy_color",
                    "effect",
                }
            ),
        ),
    ),
)
