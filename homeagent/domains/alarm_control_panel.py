"""Alarm panels."""

from __future__ import annotations

from enum import IntFlag

from homeagent.domains.profile import Profile, Simulation
from homeagent.domains.service import Param, Service
from homeagent.languages.concepts import SafetyKind


class Feature(IntFlag):
    """The bits of ``supported_features``."""

    ARM_HOME = 1
    ARM_AWAY = 2
    ARM_NIGHT = 4
    TRIGGER = 8
    ARM_CUSTOM_BYPASS = 16
    ARM_VACATION = 32


_CODE = (Param("code"),)


def _arm(service: str, feature: Feature, state: str) -> Service:
    return Service(service, _CODE, feature=feature, reaches=(state,), under_way=("arming",), code=True)


PROFILES = (
    Profile(
        "alarm_control_panel",
        actions={
            "arm_home": _arm("alarm_arm_home", Feature.ARM_HOME, "armed_home"),
            "arm_away": _arm("alarm_arm_away", Feature.ARM_AWAY, "armed_away"),
            "arm_night": _arm("alarm_arm_night", Feature.ARM_NIGHT, "armed_night"),
            "arm_vacation": _arm("alarm_arm_vacation", Feature.ARM_VACATION, "armed_vacation"),
            "arm_custom_bypass": _arm("alarm_arm_custom_bypass", Feature.ARM_CUSTOM_BYPASS, "armed_custom_bypass"),
            "disarm": Service("alarm_disarm", _CODE, reaches=("disarmed",), under_way=("disarming",), code=True),
            "trigger": Service(
                "alarm_trigger", _CODE, feature=Feature.TRIGGER, reaches=("triggered",), under_way=("pending",)
            ),
        },
        features=Feature,
        rank=17,
        meant={"turn_off": "disarm", "turn_on": "arm_away"},
        states=(
            "armed_away",
            "armed_home",
            "armed_night",
            "armed_vacation",
            "armed_custom_bypass",
            "armed",
            "arming",
            "disarmed",
            "triggered",
            "pending",
        ),
        guards={"": frozenset({SafetyKind.ALARM})},
        alarmed=("triggered", "pending"),
        simulated=Simulation(start="disarmed", usual=Feature.ARM_HOME | Feature.ARM_AWAY | Feature.ARM_NIGHT),
    ),
)
