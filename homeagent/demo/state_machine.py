"""The state machine: states with Home Assistant's times and contexts, and who is told of changes."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any


@dataclass(frozen=True, slots=True)
class Context:
    """Who caused a change: HA's context."""

    id: str = field(default_factory=lambda: uuid.uuid4().hex)
    user_id: str | None = None
    parent_id: str | None = None

    def as_dict(self) -> dict[str, str | None]:
        """As HA writes it in JSON."""
        return {"id": self.id, "parent_id": self.parent_id, "user_id": self.user_id}


acting: ContextVar[Context | None] = ContextVar("acting", default=None)
"""The context of the call that is being carried out; a timer that it starts keeps it."""


@dataclass(frozen=True, slots=True)
class State:
    """A state. ``last_changed`` moves with the state alone, ``last_updated`` with the attributes too. Aware, UTC."""

    entity_id: str
    state: str
    attributes: Mapping[str, Any]
    last_changed: datetime
    last_updated: datetime
    context: Context

    def as_dict(self) -> dict[str, Any]:
        """As HA writes it in JSON; times in ISO 8601."""
        return {
            "entity_id": self.entity_id,
            "state": self.state,
            "attributes": dict(self.attributes),
            "last_changed": self.last_changed.isoformat(),
            "last_reported": self.last_updated.isoformat(),
            "last_updated": self.last_updated.isoformat(),
            "context": self.context.as_dict(),
        }


StateListener = Callable[[State | None, State | None], None]
"""Called with the old and the new state; None where there was or is none."""


class States:
    """All states by entity id, in the order in which they came."""

    def __init__(self) -> None:
        self._states: dict[str, State] = {}
        self._listeners: list[StateListener] = []

    def __iter__(self) -> Iterator[State]:
        return iter(self._states.values())

    def get(self, entity_id: str) -> State | None:
        """The state of an entity; None where it has none."""
        return self._states.get(entity_id)

    def set(
        self, entity_id: str, state: str, attributes: Mapping[str, Any], *, at: datetime | None = None
    ) -> State | None:
        """Take a new state; a state that says what the old one said changes nothing. Returns the change, if any."""
        old = self._states.get(entity_id)
        same_state = old is not None and old.state == state
        if old is not None and same_state and old.attributes == attributes:
            return None
        now = at or datetime.now(UTC)
        new = State(
            entity_id,
            state,
            MappingProxyType(dict(attributes)),
            old.last_changed if old is not None and same_state else now,
            now,
            acting.get() or Context(),
        )
        self._states[entity_id] = new
        self._tell(old, new)
        return new

    def backdate(self, entity_id: str, changed: datetime, updated: datetime, context: Context | None = None) -> None:
        """Say when, and in which context, an entity came to be as it is. Nobody is told: nothing changed now."""
        old = self._states[entity_id]
        aged = replace(old, last_changed=changed, last_updated=updated, context=context or old.context)
        self._states[entity_id] = aged

    def remove(self, entity_id: str) -> bool:
        """Take a state away; whether there was one."""
        old = self._states.pop(entity_id, None)
        if old is not None:
            self._tell(old, None)
        return old is not None

    def listen(self, listener: StateListener) -> Callable[[], None]:
        """Have ``listener`` called with every change, until the function that is returned is called."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def _tell(self, old: State | None, new: State | None) -> None:
        for listener in tuple(self._listeners):
            listener(old, new)
