"""The logbook: what changed, which automation or script ran, and what caused each, as Home Assistant tells it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from homeagent.demo.state_machine import Context, State

LIMIT = 20_000
"""Entries, and causes, that are kept."""

_CONTINUOUS = ("state_class", "unit_of_measurement")
"""A sensor with one of these changes all the time, and stays out of the logbook."""
_RUNS = {"automation_triggered": "automation", "script_started": "script"}


@dataclass(frozen=True, slots=True)
class Entry:
    """A change of state, or the run of an automation or a script (``state`` None). ``when`` is aware, UTC.

    ``source``: what triggered a run, in Home Assistant's words: ``state of binary_sensor.door``, ``time``.
    """

    when: datetime
    entity_id: str
    context: Context
    state: str | None = None
    source: str | None = None

    @property
    def message(self) -> str:
        """What Home Assistant says of a run."""
        if self.entity_id.startswith("script."):
            return "started"
        return f"triggered by {self.source}" if self.source else "triggered"


@dataclass(frozen=True, slots=True)
class ServiceCall:
    """A service that was called, as a cause of what changed in its context."""

    domain: str
    service: str


Cause = Entry | ServiceCall


class Logbook:
    """``name``: what an entity is called."""

    def __init__(self, name: Callable[[str], str]) -> None:
        self._name = name
        self._entries: deque[Entry] = deque(maxlen=LIMIT)
        self._causes: dict[str, Cause] = {}

    def put(self, entries: Iterable[Entry]) -> None:
        """Write down entries, the oldest first."""
        for entry in entries:
            self._entries.append(entry)
            self._note(entry.context, entry)

    def put_call(self, context: Context, domain: str, service: str) -> None:
        """A service was called in this context."""
        self._note(context, ServiceCall(domain, service))

    def take(self, new: State | None, old: State | None) -> None:
        """Write down a new state; what only changed attributes, or changes all the time, stays out."""
        if new is None or old is None or old.state == new.state or is_continuous(new.entity_id, new.attributes):
            return
        self.put([Entry(new.last_changed, new.entity_id, new.context, new.state)])

    def take_event(self, event_type: str, data: Mapping[str, Any], context: Context, when: datetime) -> None:
        """Write down what an event says of who caused what."""
        if event_type == "call_service":
            self.put_call(context, str(data["domain"]), str(data["service"]))
        elif event_type in _RUNS:
            self.put([Entry(when, str(data["entity_id"]), context, source=data.get("source"))])

    def told(
        self, start: datetime, end: datetime, entity_ids: Collection[str] = (), context_id: str | None = None
    ) -> list[dict[str, Any]]:
        """The entries of a span, oldest first, as ``logbook/get_events`` answers; of these entities or this context."""
        found = (e for e in tuple(self._entries) if start <= e.when <= end)
        if context_id is not None:
            found = (e for e in found if e.context.id == context_id)
        elif entity_ids:
            found = (e for e in found if e.entity_id in entity_ids)
        return [self._row(entry) for entry in sorted(found, key=lambda e: e.when)]

    def _note(self, context: Context, cause: Cause) -> None:
        """The first that happens in a context is what caused the rest."""
        self._causes.setdefault(context.id, cause)
        if len(self._causes) > LIMIT:
            del self._causes[next(iter(self._causes))]

    def _row(self, entry: Entry) -> dict[str, Any]:
        row: dict[str, Any] = {
            "when": entry.when.timestamp(),
            "name": self._name(entry.entity_id),
            "entity_id": entry.entity_id,
        }
        if entry.state is not None:
            row["state"] = entry.state
        else:
            row |= {"message": entry.message, "domain": entry.entity_id.partition(".")[0]}
            row |= {"source": entry.source, "context_id": entry.context.id}
        if entry.context.user_id:
            row["context_user_id"] = entry.context.user_id
        cause = self._causes.get(entry.context.id)
        if cause is entry:
            cause = self._causes.get(entry.context.parent_id or "")
        return row | (self._cause(cause) if cause is not None else {})

    def _cause(self, cause: Cause) -> dict[str, Any]:
        if isinstance(cause, ServiceCall):
            return {
                "context_event_type": "call_service",
                "context_domain": cause.domain,
                "context_service": cause.service,
            }
        told = {"context_entity_id": cause.entity_id, "context_entity_id_name": self._name(cause.entity_id)}
        if cause.state is not None:
            return {**told, "context_state": cause.state}
        domain = cause.entity_id.partition(".")[0]
        kind = next(kind for kind, of in _RUNS.items() if of == domain)
        return {
            **told,
            "context_event_type": kind,
            "context_domain": domain,
            "context_name": self._name(cause.entity_id),
            "context_message": cause.message,
            **({"context_source": cause.source} if cause.source else {}),
        }


def is_continuous(entity_id: str, attributes: Mapping[str, Any]) -> bool:
    """Whether it is a sensor that measures."""
    return entity_id.startswith("sensor.") and any(name in attributes for name in _CONTINUOUS)
