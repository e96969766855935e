"""Vacuum cleaners and lawn mowers."""

from __future__ import annotations

from typing import Any

from homeagent.demo.devices.base import Device, action
from homeagent.demo.features import feature
from homeagent.demo.schema import anything, optional, required, text


def _needs(domain: str, name: str) -> tuple[int, ...]:
    return (feature(domain, name),)


@action("vacuum", "start", needs=_needs("vacuum", "START"))
@action("vacuum", "clean_spot", needs=_needs("vacuum", "CLEAN_SPOT"))
def start(vacuum: Device, data: dict[str, Any]) -> None:
    vacuum.halt()
    vacuum.become("cleaning")


@action("vacuum", "pause", needs=_needs("vacuum", "PAUSE"))
@action("lawn_mower", "pause", needs=_needs("lawn_mower", "PAUSE"))
def pause(robot: Device, data: dict[str, Any]) -> None:
    robot.halt()
    robot.become("paused")


@action("vacuum", "stop", needs=_needs("vacuum", "STOP"))
def stop(vacuum: Device, data: dict[str, Any]) -> None:
    vacuum.halt()
    vacuum.become("idle")


@action("vacuum", "return_to_base", needs=_needs("vacuum", "RETURN_HOME"))
@action("lawn_mower", "dock", needs=_needs("lawn_mower", "DOCK"))
def return_home(robot: Device, data: dict[str, Any]) -> None:
    if robot.state != "docked":
        robot.move("returning", "docked")


@action("vacuum", "locate", needs=_needs("vacuum", "LOCATE"))
@action(
    "vacuum",
    "send_command",
    {"command": required(text), "params": optional(anything)},
    needs=_needs("vacuum", "SEND_COMMAND"),
)
def nothing_to_see(vacuum: Device, data: dict[str, Any]) -> None:
    """It beeps, or does what its maker thought of: nothing that the state shows."""


@action("vacuum", "set_fan_speed", {"fan_speed": required(text)}, needs=_needs("vacuum", "FAN_SPEED"))
def set_fan_speed(vacuum: Device, data: dict[str, Any]) -> None:
    vacuum.become(fan_speed=data["fan_speed"])


@action("lawn_mower", "start_mowing", needs=_needs("lawn_mower", "START_MOWING"))
def start_mowing(mower: Device, data: dict[str, Any]) -> None:
    mower.halt()
    mower.become("mowing")
