"""What a group shows: its members taken together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from homeagent.demo.devices.base import Device
from homeagent.domains import profile_of
from homeagent.domains.profile import Together


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
    for name, together in profile.simulated.together.items():
        counted = reachable if together is Together.MEAN else on
        values = [m.attributes[name] for m in counted if m.attributes.get(name) is not None]
        if values:
            most = together is Together.MOST_ACTIVE
            attributes[name] = max(values, key=values.count) if most else round(sum(values) / len(values))
    return (profile.active if on else profile.resting), attributes
