"""Covers, valves, locks, alarms: what can be asked of them."""

from __future__ import annotations

from homeagent.ha.services.model import Abilities, Effect, Kind, Param, Service


def _position(name: str, feature: int, reads: str, *, step: bool = False, field: str = "", tolerance: int = 3) -> Param:
    return Param(
        name,
        Kind.INTEGER,
        field=field,
        low=0,
        high=100,
        feature=feature,
        reads=reads,
        tolerance=tolerance,
        step=step,
    )


_MOVING = ("opening", "closing")

COVER = Abilities(
    actions={
        "open": Service(
            "open_cover", feature=1, reaches=("open",), under_way=("opening",), shows={"current_position": 100}
        ),
        "close": Service("close_cover", feature=2, reaches=("closed",), under_way=("closing",)),
        "stop": Service("stop_cover", feature=8, leaves=_MOVING),
        "toggle": Service("toggle", feature=3, effect=Effect.CHANGE),
        "open_tilt": Service("open_cover_tilt", feature=16, shows={"current_tilt_position": 100}),
        "close_tilt": Service("close_cover_tilt", feature=32, shows={"current_tilt_position": 0}),
        "stop_tilt": Service("stop_cover_tilt", feature=64, effect=Effect.UNSEEN),
        "toggle_tilt": Service("toggle_cover_tilt", feature=48, effect=Effect.CHANGE),
    },
    setters=(
        Service(
            "set_cover_position",
            (
                _position("position", 4, "current_position"),
                _position("position_step", 4, "current_position", step=True, field="position"),
            ),
            under_way=_MOVING,
        ),
        Service("set_cover_tilt_position", (_position("tilt_position", 128, "current_tilt_position"),)),
    ),
    same={"turn_on": "open", "turn_off": "close", "set_position": "set_value", "set_tilt": "set_value"},
    value="position",
)

VALVE = Abilities(
    actions={
        "open": Service(
            "open_valve", feature=1, reaches=("open",), under_way=("opening",), shows={"current_position": 100}
        ),
        "close": Service("close_valve", feature=2, reaches=("closed",), under_way=("closing",)),
        "stop": Service("stop_valve", feature=8, leaves=_MOVING),
        "toggle": Service("toggle", feature=3, effect=Effect.CHANGE),
    },
    setters=(
        Service(
            "set_valve_position",
            (
                _position("position", 4, "current_position"),
                _position("position_step", 4, "current_position", step=True, field="position"),
            ),
            under_way=_MOVING,
        ),
    ),
    same={"turn_on": "open", "turn_off": "close", "set_position": "set_value"},
    value="position",
)

_CODE = (Param("code"),)

LOCK = Abilities(
    actions={
        "lock": Service("lock", _CODE, reaches=("locked",), under_way=("locking",), code=True),
        "unlock": Service("unlock", _CODE, reaches=("unlocked", "open"), under_way=("unlocking",), code=True),
        "open": Service("open", _CODE, feature=1, reaches=("open",), under_way=("opening",), code=True),
    }
)


def _arm(service: str, feature: int, state: str) -> Service:
    return Service(service, _CODE, feature=feature, reaches=(state,), under_way=("arming",), code=True)


ALARM_CONTROL_PANEL = Abilities(
    actions={
        "arm_home": _arm("alarm_arm_home", 1, "armed_home"),
        "arm_away": _arm("alarm_arm_away", 2, "armed_away"),
        "arm_night": _arm("alarm_arm_night", 4, "armed_night"),
        "arm_vacation": _arm("alarm_arm_vacation", 32, "armed_vacation"),
        "arm_custom_bypass": _arm("alarm_arm_custom_bypass", 16, "armed_custom_bypass"),
        "disarm": Service("alarm_disarm", _CODE, reaches=("disarmed",), under_way=("disarming",), code=True),
        "trigger": Service("alarm_trigger", _CODE, feature=8, reaches=("triggered",), under_way=("pending",)),
    }
)
