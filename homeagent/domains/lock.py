"""Locks."""

from __future__ import annotations

from enum import IntFlag

from homeagent.domains.profile import Profile, Simulation
from homeagent.domains.service import Param, Service
from homeagent.languages.concepts import SafetyKind


class Feature(IntFlag):
    """The bits of ``supported_features``."""

    OPEN = 1


_CODE = (Param("code"),)


PROFILES = (
    Profile(
        "lock",
        actions={
            "lock": Service("lock", _CODE, reaches=("locked",), under_way=("locking",), code=True),
            "unlock": Service("unlock", _CODE, reaches=("unlocked", "open"), under_way=("unlocking",), code=True),
            "open": Service("open", _CODE, feature=Feature.OPEN, reaches=("open",), under_way=("opening",), code=True),
        },
        features=Feature,
        rank=7,
        meant={"turn_on": "lock", "turn_off": "unlock", "open": "unlock"},
        only_by_grammar=frozenset({"turn_on", "turn_off"}),
        states=("locked", "unlocked", "locking", "unlocking", "jammed"),
        active="unlocked",
        resting="locked",
        guards={"": frozenset({SafetyKind.LOCK})},
        simulated=Simulation(start="locked", yes_no=("locked", "unlocked")),
    ),
)
