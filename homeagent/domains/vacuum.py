"""Vacuum cleaners."""

from __future__ import annotations

from enum import IntFlag

from homeagent.domains.profile import Choices, Measure, MeasureUnit, Profile, Simulation
from homeagent.domains.service import Effect, Service, chosen
from homeagent.languages.concepts import Verb


class Feature(IntFlag):
    """The bits of ``supported_features``."""

    PAUSE = 4
    STOP = 8
    RETURN_HOME = 16
    FAN_SPEED = 32
    BATTERY = 64
    STATUS = 128
    SEND_COMMAND = 256
    LOCATE = 512
    CLEAN_SPOT = 1024
    MAP = 2048
    STATE = 4096
    START = 8192


PROFILES = (
    Profile(
        "vacuum",
        actions={
            "start": Service("start", feature=Feature.START, reaches=("cleaning",)),
            "pause": Service("pause", feature=Feature.PAUSE, reaches=("paused", "idle", "docked")),
            "stop": Service("stop", feature=Feature.STOP, reaches=("idle", "paused", "docked")),
            "return_to_base": Service(
                "return_to_base", feature=Feature.RETURN_HOME, reaches=("docked",), under_way=("returning",)
            ),
            "clean_spot": Service("clean_spot", feature=Feature.CLEAN_SPOT, reaches=("cleaning",)),
            "locate": Service("locate", feature=Feature.LOCATE, effect=Effect.UNSEEN),
        },
        setters=(chosen("set_fan_speed", "fan_speed", "fan_speed_list", Feature.FAN_SPEED),),
        same={"turn_on": "start", "turn_off": "return_to_base", "dock": "return_to_base"},
        value="fan_speed",
        features=Feature,
        rank=8,
        meant={
            "turn_on": "start",
            "turn_off": "return_to_base",
            "play": "start",
            "close": "return_to_base",
            "press": "locate",
        },
        exposed=True,
        chore=Verb.CLEAN,
        at_work=("cleaning", "returning"),
        states=("cleaning", "docked", "returning", "paused", "idle", "error", "on"),
        running=("cleaning",),
        measures=(Measure("battery", "battery_level", unit=MeasureUnit.PERCENT),),
        choices=(Choices("fan_speed_list", "fan_speed"),),
        simulated=Simulation(
            start="docked",
            usual=Feature.START | Feature.STOP | Feature.PAUSE | Feature.RETURN_HOME | Feature.STATE,
            told_by={"fan_speed_list": Feature.FAN_SPEED},
            unrecorded=frozenset({"fan_speed_list"}),
        ),
    ),
)
