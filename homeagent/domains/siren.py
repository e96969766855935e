"""Sirens."""

from __future__ import annotations

from enum import IntFlag

from homeagent.domains.profile import Profile, Simulation
from homeagent.domains.service import Kind, Param, on_off
from homeagent.languages.concepts import SafetyKind


class Feature(IntFlag):
    """The bits of ``supported_features``."""

    TURN_ON = 1
    TURN_OFF = 2
    TONES = 4
    VOLUME_SET = 8
    DURATION = 16


PROFILES = (
    Profile(
        "siren",
        actions=on_off(
            Param("tone", Kind.OPTION, options="available_tones", feature=Feature.TONES),
            Param("volume_level", Kind.NUMBER, low=0, high=1, feature=Feature.VOLUME_SET),
            Param("duration", Kind.INTEGER, low=1, feature=Feature.DURATION),
            on=Feature.TURN_ON,
            off=Feature.TURN_OFF,
        ),
        features=Feature,
        rank=16,
        meant={"start": "turn_on", "stop": "turn_off"},
        switched=True,
        guards={"": frozenset({SafetyKind.SIREN})},
        simulated=Simulation(
            start="off", usual=Feature.TURN_ON | Feature.TURN_OFF, told_by={"available_tones": Feature.TONES}
        ),
    ),
)
