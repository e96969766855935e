"""Covers and valves: they take their time, and can be stopped on the way."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from homeagent.demo.devices.base import Data, Device, action, becomes, device
from homeagent.demo.service_schema import integer, required
from homeagent.demo.supported_features import feature

_POSITION = required(integer(0, 100))


@device("cover valve")
class Opening(Device):
    """Knows its position even where it does not tell it (``current_position`` is then not shown)."""

    def __init__(self, spec: Any, world: Any) -> None:
        super().__init__(spec, world)
        self.tells_position = bool(self.features & feature(self.domain, "SET_POSITION"))
        told = self.attributes.pop("current_position", None)
        if told is None and self.state != "unavailable":
            told = 100 if self.state == "open" else 0
        self.position = int(told or 0)
        self.went_open = True
        self._from, self._since, self._span, self._to = self.position, 0.0, 0.0, self.position
        if self.domain == "cover" and self.features & feature("cover", "SET_TILT_POSITION"):
            self.attributes.setdefault("current_tilt_position", 0)

    def shown(self) -> dict[str, Any]:
        """Adds ``current_position`` (0 closed to 100 open) where it tells its position."""
        attributes = dict(self.attributes)
        if self.tells_position and "current_position" not in attributes:
            attributes["current_position"] = self.position
        return attributes

    def put(self, state: str | None, attributes: Any) -> None:
        """A change on the device's side, or its arrival: the position follows the state, or is told."""
        changed = dict(attributes)
        told = changed.pop("current_position", None)
        if told is not None:
            self.position = int(told)
            state = state or ("closed" if self.position == 0 else "open")
        elif state in ("open", "closed") and not self.members and not self._arrived(state):
            self.position = 100 if state == "open" else 0
        super().put(state, changed)

    def _arrived(self, state: str) -> bool:
        return (state == "closed") == (self.position == 0)

    def go(self, position: int) -> None:
        """Move to a position of 0 to 100, from wherever it is now, in time in proportion to the way."""
        here = self.where()
        self.went_open = position > here
        self._from, self._to = here, position
        self._span = self.world.travel_time(self.behavior) * abs(position - here) / 100
        self._since = self.world.monotonic()
        end = "closed" if position == 0 else "open"
        if here == position:
            self.halt()
            self.become(end, current_position=position)
            return
        self.move("closing" if position < here else "opening", end, self._span, current_position=position)

    def where(self) -> int:
        """The position now, also while it moves."""
        if self.state not in ("opening", "closing") or self._span <= 0:
            return self.position
        done = min(1.0, (self.world.monotonic() - self._since) / self._span)
        return round(self._from + (self._to - self._from) * done)

    def stop(self) -> None:
        """Stay where it is now; does nothing where it does not move."""
        here = self.where()
        if self.halt():
            self.become("closed" if here == 0 else "open", current_position=here)


def _both(name: str) -> Callable[[str], tuple[int, ...]]:
    return lambda domain: (feature(domain, name),)


def _toggles(domain: str) -> tuple[int, ...]:
    return (feature(domain, "OPEN", "CLOSE"),)


@action("cover", "open_cover", needs=_both("OPEN"))
@action("valve", "open_valve", needs=_both("OPEN"))
def _open(opening: Opening, data: Data) -> None:
    opening.go(100)


@action("cover", "close_cover", needs=_both("CLOSE"))
@action("valve", "close_valve", needs=_both("CLOSE"))
def _close(opening: Opening, data: Data) -> None:
    opening.go(0)


@action("cover", "set_cover_position", {"position": _POSITION}, needs=_both("SET_POSITION"))
@action("valve", "set_valve_position", {"position": _POSITION}, needs=_both("SET_POSITION"))
def _set_position(opening: Opening, data: Data) -> None:
    opening.go(data["position"])


@action("cover", "stop_cover", needs=_both("STOP"))
@action("valve", "stop_valve", needs=_both("STOP"))
def _stop(opening: Opening, data: Data) -> None:
    opening.stop()


@action("cover valve", "toggle", needs=_toggles)
def toggle(opening: Opening, data: Data) -> None:
    """Stop if it moves and can be stopped; else the other way, as HA works it out."""
    if opening.state in ("opening", "closing") and opening.features & feature(opening.domain, "STOP"):
        opening.stop()
    elif opening.state in ("closed", "closing"):
        opening.go(100)
    else:
        opening.go(0 if opening.position == 100 or opening.state == "opening" or opening.went_open else 100)


becomes("cover", "open_cover_tilt", needs=(feature("cover", "OPEN_TILT"),), current_tilt_position=100)
becomes("cover", "close_cover_tilt", needs=(feature("cover", "CLOSE_TILT"),), current_tilt_position=0)


@action(
    "cover",
    "set_cover_tilt_position",
    {"tilt_position": _POSITION},
    needs=(feature("cover", "SET_TILT_POSITION"),),
)
def _set_tilt(cover: Opening, data: Data) -> None:
    cover.become(current_tilt_position=data["tilt_position"])


@action("cover", "toggle_cover_tilt", needs=(feature("cover", "OPEN_TILT", "CLOSE_TILT"),))
def _toggle_tilt(cover: Opening, data: Data) -> None:
    cover.become(current_tilt_position=0 if cover.attributes.get("current_tilt_position") else 100)


@action("cover", "stop_cover_tilt", needs=(feature("cover", "STOP_TILT"),))
def stop_tilt(cover: Opening, data: Data) -> None:
    """Tilting is done at once: there is nothing to stop."""
