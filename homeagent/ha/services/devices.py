"""Lights, switches, fans, heating, humidity, cleaners: what can be asked of them."""

from __future__ import annotations

from homeagent.ha.services.model import Abilities, Effect, Kind, Param, Service, on_off

_DIMMED = frozenset({"brightness", "color_temp", "hs", "rgb", "rgbw", "rgbww", "xy", "white"})
COLOR_MODES = frozenset({"hs", "rgb", "rgbw", "rgbww", "xy"})
_TINTED = COLOR_MODES | {"color_temp"}

_TRANSITION = Param("transition", Kind.NUMBER, low=0, high=6553, feature=32)
_FLASH = Param("flash", Kind.OPTION, options=("short", "long"), feature=8)
_LIGHT = (
    Param("brightness", Kind.INTEGER, low=0, high=255, modes=_DIMMED, reads="brightness", tolerance=3),
    Param(
        "brightness_pct", Kind.NUMBER, low=0, high=100, modes=_DIMMED, reads="brightness", shown_scale=2.55, tolerance=3
    ),
    Param(
        "brightness_step",
        Kind.INTEGER,
        field="brightness",
        low=1,
        high=255,
        modes=_DIMMED,
        reads="brightness",
        tolerance=3,
        step=True,
        base=0,
    ),
    Param(
        "brightness_step_pct",
        Kind.NUMBER,
        field="brightness_pct",
        low=1,
        high=100,
        modes=_DIMMED,
        reads="brightness",
        shown_scale=2.55,
        tolerance=3,
        step=True,
        base=0,
    ),
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
    Param("effect", Kind.OPTION, options="effect_list", feature=4, reads="effect"),
    _TRANSITION,
    _FLASH,
)

LIGHT = Abilities(
    actions={
        "turn_on": Service("turn_on", _LIGHT, reaches=("on",)),
        "turn_off": Service("turn_off", (_TRANSITION, _FLASH), reaches=("off",)),
        "toggle": Service("toggle", effect=Effect.CHANGE),
    },
    setters=(Service("turn_on", _LIGHT, reaches=("on",)),),
)

SWITCH = Abilities(actions=on_off())

SIREN = Abilities(
    actions=on_off(
        Param("tone", Kind.OPTION, options="available_tones", feature=4),
        Param("volume_level", Kind.NUMBER, low=0, high=1, feature=8),
        Param("duration", Kind.INTEGER, low=1, feature=16),
        on=1,
        off=2,
    )
)

_PERCENTAGE = Param(
    "percentage", Kind.NUMBER, low=0, high=100, feature=1, reads="percentage", tolerance="percentage_step"
)
_FAN_PRESET = Param("preset_mode", Kind.OPTION, options="preset_modes", feature=8, reads="preset_mode")
FAN = Abilities(
    actions={
        **on_off(_PERCENTAGE, _FAN_PRESET, on=32, off=16),
        "increase_speed": Service(
            "increase_speed", (Param("percentage_step", Kind.INTEGER, low=0, high=100),), feature=1, reaches=("on",)
        ),
        "decrease_speed": Service(
            "decrease_speed",
            (Param("percentage_step", Kind.INTEGER, low=0, high=100),),
            feature=1,
            effect=Effect.CHANGE,
        ),
    },
    setters=(
        Service(
            "set_percentage",
            (
                _PERCENTAGE,
                Param(
                    "percentage_step",
                    Kind.NUMBER,
                    field="percentage",
                    low=0,
                    high=100,
                    feature=1,
                    reads="percentage",
                    tolerance="percentage_step",
                    step=True,
                    base=0,
                ),
            ),
        ),
        Service("set_preset_mode", (_FAN_PRESET,)),
        Service("oscillate", (Param("oscillating", Kind.FLAG, feature=2, reads="oscillating"),)),
        Service(
            "set_direction",
            (Param("direction", Kind.OPTION, options=("forward", "reverse"), feature=4, reads="direction"),),
        ),
    ),
    value="percentage",
)


def _temperature(name: str, feature: int, reads: str = "", *, step: bool = False, field: str = "") -> Param:
    return Param(
        name,
        Kind.NUMBER,
        field=field,
        low="min_temp",
        high="max_temp",
        feature=feature,
        reads=reads or name,
        tolerance=0.3,
        step=step,
    )


def _mode(service: str, name: str, options: str, feature: int, reads: str = "") -> Service:
    return Service(service, (Param(name, Kind.OPTION, options=options, feature=feature, reads=reads or name),))


CLIMATE = Abilities(
    actions={
        "turn_on": Service("turn_on", feature=256, leaves=("off",)),
        "turn_off": Service("turn_off", feature=128, reaches=("off",)),
        "toggle": Service("toggle", feature=128, effect=Effect.CHANGE),
    },
    setters=(
        Service("set_hvac_mode", (Param("hvac_mode", Kind.OPTION, options="hvac_modes", reads="state"),)),
        _mode("set_preset_mode", "preset_mode", "preset_modes", 16),
        Service(
            "set_temperature",
            (
                _temperature("temperature", 1),
                _temperature("temperature_step", 1, "temperature", step=True, field="temperature"),
                _temperature("target_temp_low", 2),
                _temperature("target_temp_high", 2),
            ),
        ),
        _mode("set_fan_mode", "fan_mode", "fan_modes", 8),
        _mode("set_swing_mode", "swing_mode", "swing_modes", 32),
        _mode("set_swing_horizontal_mode", "swing_horizontal_mode", "swing_horizontal_modes", 512),
        Service(
            "set_humidity",
            (Param("humidity", Kind.INTEGER, low="min_humidity", high="max_humidity", feature=4, reads="humidity"),),
        ),
    ),
    value="temperature",
)

WATER_HEATER = Abilities(
    actions={
        "turn_on": Service("turn_on", feature=8, leaves=("off",)),
        "turn_off": Service("turn_off", feature=8, reaches=("off",)),
    },
    setters=(
        Service(
            "set_operation_mode",
            (Param("operation_mode", Kind.OPTION, options="operation_list", feature=2, reads="operation_mode"),),
        ),
        Service(
            "set_temperature",
            (
                _temperature("temperature", 1),
                _temperature("temperature_step", 1, "temperature", step=True, field="temperature"),
            ),
        ),
        Service("set_away_mode", (Param("away_mode", Kind.FLAG, feature=4),), effect=Effect.CHANGE),
    ),
    value="temperature",
)

HUMIDIFIER = Abilities(
    actions=on_off(),
    setters=(
        Service(
            "set_humidity",
            (
                Param("humidity", Kind.INTEGER, low="min_humidity", high="max_humidity", reads="humidity"),
                Param(
                    "humidity_step",
                    Kind.INTEGER,
                    field="humidity",
                    low="min_humidity",
                    high="max_humidity",
                    reads="humidity",
                    step=True,
                ),
            ),
        ),
        _mode("set_mode", "mode", "available_modes", 1),
    ),
    value="humidity",
)

VACUUM = Abilities(
    actions={
        "start": Service("start", feature=8192, reaches=("cleaning",)),
        "pause": Service("pause", feature=4, reaches=("paused", "idle", "docked")),
        "stop": Service("stop", feature=8, reaches=("idle", "paused", "docked")),
        "return_to_base": Service("return_to_base", feature=16, reaches=("docked",), under_way=("returning",)),
        "clean_spot": Service("clean_spot", feature=1024, reaches=("cleaning",)),
        "locate": Service("locate", feature=512, effect=Effect.UNSEEN),
    },
    setters=(_mode("set_fan_speed", "fan_speed", "fan_speed_list", 32),),
    same={"turn_on": "start", "turn_off": "return_to_base", "dock": "return_to_base"},
    value="fan_speed",
)

LAWN_MOWER = Abilities(
    actions={
        "start": Service("start_mowing", feature=1, reaches=("mowing",)),
        "pause": Service("pause", feature=2, reaches=("paused", "docked")),
        "return_to_base": Service("dock", feature=4, reaches=("docked",), under_way=("returning",)),
    },
    same={"turn_on": "start", "turn_off": "return_to_base"},
)

REMOTE = Abilities(
    actions={
        **on_off(Param("activity", Kind.OPTION, options="activity_list", feature=4, reads="current_activity")),
        "send_command": Service(
            "send_command",
            (
                Param("command", Kind.TEXTS, required=True),
                Param("device"),
                Param("num_repeats", Kind.INTEGER, low=1, high=255),
                Param("delay_secs", Kind.NUMBER, low=0, high=60),
            ),
            effect=Effect.UNSEEN,
        ),
    }
)

CAMERA = Abilities(
    actions={
        "turn_on": Service("turn_on", feature=1, leaves=("off",)),
        "turn_off": Service("turn_off", feature=1, reaches=("off",)),
        "enable_motion_detection": Service("enable_motion_detection", shows={"motion_detection": True}),
        "disable_motion_detection": Service("disable_motion_detection", shows={"motion_detection": False}),
    }
)
