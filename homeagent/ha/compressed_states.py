"""Home Assistant's compressed states, from its entity stream and its history, as the home's values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from homeagent.ha.home import State
from homeagent.ha.shapes import each, mapping, moment, state_text, texts


@dataclass(frozen=True, slots=True)
class Changes:
    """What one batch of the stream changed. ``described`` are those whose name, class, unit or members may differ."""

    states: tuple[State, ...]
    removed: tuple[str, ...]
    described: frozenset[str]


DESCRIBING = ("friendly_name", "device_class", "unit_of_measurement", "entity_id")
"""The attributes that the index knows an entity by."""


class StateStream:
    """The states of all entities, as ``subscribe_entities`` tells them: first all, then what changes."""

    def __init__(self) -> None:
        self.states: dict[str, State] = {}

    def apply(self, events: Iterable[object]) -> Changes:
        """Take events in order: ``a`` states added, ``c`` differences, ``r`` ids removed.

        What is said of an entity in another shape is left out: that entity stays as it was.
        """
        changed: dict[str, State] = {}
        removed: set[str] = set()
        described: set[str] = set()
        for event in map(mapping, events):
            for state in each("a state", mapping(event.get("a")).items(), _full):
                changed[state.entity_id] = self.states[state.entity_id] = state
                removed.discard(state.entity_id)
                described.add(state.entity_id)
            for now in each("a change of state", mapping(event.get("c")).items(), self._different):
                if now is not None:
                    before = self.states[now.entity_id]
                    changed[now.entity_id] = self.states[now.entity_id] = now
                    if any(before.attributes.get(name) != now.attributes.get(name) for name in DESCRIBING):
                        described.add(now.entity_id)
            for entity_id in texts(event.get("r")):
                self.states.pop(entity_id, None)
                changed.pop(entity_id, None)
                removed.add(entity_id)
        return Changes(tuple(changed.values()), tuple(removed), frozenset(described | removed))

    def _different(self, told: tuple[str, Any]) -> State | None:
        """The state after a difference; None for an entity that is not there."""
        entity_id, difference = told
        before = self.states.get(entity_id)
        return _changed(before, difference) if before else None


def _full(told: tuple[str, Any]) -> State:
    entity_id, compressed = told
    if "." not in entity_id:
        raise ValueError("an id without a domain")
    return full_state(entity_id, compressed)


def full_state(entity_id: str, compressed: Mapping[str, object]) -> State:
    """A compressed state: ``s`` state, ``a`` attributes, ``lc`` and ``lu`` epoch seconds, ``c`` context.

    Raises one of `MALFORMED` for another shape.
    """
    last_changed = compressed.get("lc", compressed.get("lu", 0.0))
    return State(
        entity_id=entity_id,
        state=state_text(compressed.get("s", "")),
        attributes=_attributes(compressed.get("a", {})),
        last_changed=moment(last_changed),
        last_updated=moment(compressed.get("lu", last_changed)),  # left out where both are the same
        context_id=_context_id(compressed.get("c")),
    )


def _changed(before: State, difference: Mapping[str, Any]) -> State:
    """``+`` has what is new or other, ``-`` the names of attributes that are gone."""
    new = difference.get("+", {})
    gone = difference.get("-", {}).get("a", ())
    attributes = before.attributes
    if gone or "a" in new:
        attributes = {k: v for k, v in attributes.items() if k not in gone} | _attributes(new.get("a", {}))
    last_changed = moment(new["lc"]) if "lc" in new else before.last_changed
    last_updated = moment(new["lu"]) if "lu" in new else last_changed if "lc" in new else before.last_updated
    return State(
        entity_id=before.entity_id,
        state=state_text(new.get("s", before.state)),
        attributes=attributes,
        last_changed=last_changed,
        last_updated=last_updated,
        context_id=_context_id(new.get("c")) or before.context_id,
    )


def _attributes(value: object) -> dict[str, object]:
    if not isinstance(value, dict):
        raise TypeError("attributes are no object")
    return value


def _context_id(context: object) -> str | None:
    """The context is its id, or a mapping once it has a parent or a user."""
    found = context.get("id") if isinstance(context, Mapping) else context
    return found if isinstance(found, str) else None
