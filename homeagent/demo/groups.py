"""What a group shows: its members taken together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from homeagent.demo.devices.base import Device
from homeagent.domains import profile_of


def group_state(domain: str, members: Sequence[Device]) -> tuple[str, dict[str, Any]]:
    """The state of a group of ``domain``, and what its members make of its attributes.

    On if any member is on; unavailable if all are.
    """
    reachable = [member for member in members if member.state != "unavailable"]
    if not reachable:
        return "unavailable", {}
    profile = profile_of(domain)
    on = [member for member in reachable if member.state == profile.active]
    attributes: dict[str, Any] = {}
    if domain == "light":
        attributes = _light(on)
    elif domain == "cover":
        positions = [m.attributes["current_position"] for m in reachable if "current_position" in m.attributes]
        attributes = {"current_position": round(sum(positions) / len(positions))} if positions else {}
    return (profile.active if on else profile.resting), attributes


def _light(on: Sequence[Device]) -> dict[str, Any]:
    levels = [member.attributes["brightness"] for member in on if member.attributes.get("brightness") is not None]
    attributes: dict[str, Any] = {"brightness": round(sum(levels) / len(levels))} if levels else {}
    for key in ("color_mode", "color_temp_kelvin", "hs_color"):
        values = [member.attributes[key] for member in on if member.attributes.get(key) is not None]
        if values:
            attributes[key] = max(values, key=values.count)
    return attributes
