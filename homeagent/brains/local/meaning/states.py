"""The states that a clause says."""

from __future__ import annotations

from collections.abc import Sequence

from homeagent.brains.language.lexicon import Spot
from homeagent.brains.language.reading import Reading
from homeagent.domains.states import STATE
from indexer.mentions import MentionKind

_ACTION_STATE = {
    "turn_on": "on", "turn_off": "off", "open": "open", "close": "closed", "lock": "locked", "unlock": "unlocked",
    "pause": "paused", "play": "playing", "start": "cleaning",
}  # fmt: skip
_WAYS = frozenset({"up", "down"})
_PRESENCE = frozenset({"occupancy", "presence"})


def states_said(reading: Reading) -> dict[str, tuple[str, ...]]:
    """For each device class (and "default") the raw states that were said of it."""
    found: dict[str, tuple[str, ...]] = {}
    said = _state_spots(reading)
    for spot in said:
        if not any(set(spot.positions) < set(s.positions) for s in said):  # no "cerrada" in "cerrada con llave"
            kind = spot.section.removeprefix(STATE)
            found[kind] = (*found.get(kind, ()), spot.concept)
    if (
        _PRESENCE.isdisjoint(classes := {v for m in reading.of_kind(MentionKind.DEVICE_CLASS) for v in m.values})
        and classes
    ):
        # "did someone leave a window open": it is the window that is asked about
        found = {kind: raws for kind, raws in found.items() if kind not in _PRESENCE}
    if not found:
        meant = [_ACTION_STATE[s.concept] for s in reading.of("actions") if s.concept in _ACTION_STATE]
        if meant:
            found["default"] = tuple(meant)
    return found


def _state_spots(reading: Reading) -> Sequence[Spot]:
    """The words for states; "up" and "down" only of covers, "heating" not beside another one: "is the heating on"."""
    ways = [s for s in reading.of("adjust") if s.concept in _WAYS] if not _of_covers(reading) else []
    aside = {p for s in ways for p in s.positions}
    spots = [s for s in reading.spots if s.section.startswith(STATE) and not set(s.positions) & aside]
    return [s for s in spots if not all(reading.kinds_at(p) for p in s.positions)] or spots


def _of_covers(reading: Reading) -> bool:
    said = (v for m in reading.of_kind(MentionKind.NAME, MentionKind.DOMAIN) for v in m.values)
    return any(v.partition(".")[0] == "cover" for v in said)
