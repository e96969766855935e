"""Locks and alarm panels. ``x-code`` of the inventory is the code that they want."""

from __future__ import annotations

from typing import Any

from homeagent.demo.devices.base import Data, Device, action, becomes, device
from homeagent.demo.failures import CallFailed, NotValid
from homeagent.demo.service_schema import optional, text
from homeagent.demo.supported_features import feature

_CODE = {"code": optional(text)}


class Coded(Device):
    """What may want a code."""

    @property
    def code(self) -> str | None:
        """The code it wants; None where it wants none."""
        given = self.spec.extra.get("x-code")
        return None if given is None else str(given)

    @property
    def code_format(self) -> str | None:
        """HA's ``code_format`` of an alarm panel: number or text; None without a code."""
        if self.code is None:
            return None
        return "number" if self.code.isdigit() else "text"


@device("lock")
class Lock(Coded):
    """Any of its actions needs the code, where it has one."""

    def shown(self) -> dict[str, Any]:
        """``code_format`` is a pattern that a code must match, as HA has it for locks."""
        attributes = dict(self.attributes)
        if self.code is not None:
            attributes["code_format"] = self._pattern
        return attributes

    @property
    def _pattern(self) -> str:
        return rf"^\d{{{len(self.code or '')}}}$" if self.code_format == "number" else "^.+$"

    def check(self, code: str | None) -> None:
        """Locks take any action only with the right code, if they have one."""
        if self.code is None or code == self.code:
            return
        if not code:
            raise NotValid(f"The code for {self.entity_id} doesn't match pattern {self._pattern}.")
        raise CallFailed("Invalid code specified")


@action("lock", "lock", _CODE)
def _lock(lock: Lock, data: Data) -> None:
    lock.check(data.get("code"))
    lock.move("locking", "locked", _turn_time(lock))


@action("lock", "unlock", _CODE)
def _unlock(lock: Lock, data: Data) -> None:
    lock.check(data.get("code"))
    lock.move("unlocking", "unlocked", _turn_time(lock))


@action("lock", "open", _CODE, needs=(feature("lock", "OPEN"),))
def _open(lock: Lock, data: Data) -> None:
    lock.check(data.get("code"))
    lock.move("opening", "open", _turn_time(lock))


def _turn_time(lock: Lock) -> float:
    """A lock turns at once unless the inventory gives it a time."""
    return 0.0 if lock.behavior.travel is None else lock.world.travel_time(lock.behavior)


@device("alarm_control_panel")
class Panel(Coded):
    """Disarming needs the code; arming does where ``code_arm_required`` says so."""

    def shown(self) -> dict[str, Any]:
        """With HA's defaults for what the inventory does not say, and ``code_format``."""
        return {
            "changed_by": None,
            "code_arm_required": self.attributes.get("code_arm_required", False),
            **self.attributes,
            "code_format": self.code_format,
        }

    def check(self, code: str | None) -> None:
        """Raises NotValid for a wrong code, or none where one is wanted."""
        if self.code is None or code == self.code:
            return
        raise NotValid("Invalid alarm code provided")

    def arm(self, state: str, code: str | None) -> None:
        """Become ``state``, an armed one, after the exit delay. Raises NotValid where the code is missing or wrong."""
        if self.attributes.get("code_arm_required"):
            if not code:
                raise NotValid(f"Arming requires a code but none was given for {self.entity_id}.")
            self.check(code)
        seconds = 0.0 if self.behavior.travel is None else self.world.travel_time(self.behavior)
        self.move("arming", state, seconds)


@action("alarm_control_panel", "alarm_disarm", _CODE)
def _disarm(panel: Panel, data: Data) -> None:
    panel.check(data.get("code"))
    panel.halt()
    panel.become("disarmed")


becomes("alarm_control_panel", "alarm_trigger", "triggered", _CODE, needs=(feature("alarm_control_panel", "TRIGGER"),))


def _arming(way: str) -> None:
    @action(
        "alarm_control_panel", f"alarm_arm_{way}", _CODE, needs=(feature("alarm_control_panel", f"ARM_{way.upper()}"),)
    )
    def arm(panel: Panel, data: Data) -> None:
        panel.arm(f"armed_{way}", data.get("code"))


for _way in ("home", "away", "night", "vacation", "custom_bypass"):
    _arming(_way)
