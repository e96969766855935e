"""Why something changed: the chain of what caused it, as far as Home Assistant knows it.

Home Assistant gives every change a context; what an automation does has that of its run, whose parent is the context
of what triggered it. The logbook tells what happened in a context, a run's trace tells the parent. Where there is no
trace (they are few, and for administrators), what the logbook names as the trigger is followed by its time.
"""

from __future__ import annotations

import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any

from homeagent.ha.connection import HomeAssistant
from homeagent.history.sums import GAPS, stretches
from homeagent.values.timespan import Span

_LONGEST = 8
"""Links of a chain: automations may trigger each other in a circle."""
_NEAR = timedelta(seconds=2)
"""How far the recorder's and the logbook's times of one change may lie apart."""
_LONGEST_RUN = timedelta(hours=24)
_LOOKED_BACK = (timedelta(days=1), timedelta(days=10))
_MOST_RUNS = 20
_INSTANT = timedelta(milliseconds=1)
_ON_THE_WAY = frozenset({"opening", "closing", "locking", "unlocking", "arming", "disarming", "pending"})
_ENTITY = re.compile(r"\b[a-z_]+\.[a-z0-9_]+\b")

Entry = Mapping[str, Any]


class LinkKind(StrEnum):
    """What kind of thing caused a change."""

    AUTOMATION = "automation"
    SCRIPT = "script"
    SERVICE = "service"
    """A service was called: by a person where ``user_id`` is set."""
    CHANGE = "change"
    """Another entity changed."""
    TRIGGER = "trigger"
    """A time, an event: what has no entity."""


@dataclass(frozen=True, slots=True)
class Link:
    """One cause. ``at`` is when it happened (aware, UTC). ``detail``: the state of a change, the name of a service, the
    words of a trigger. ``user_id``: who did it, where a person did."""

    kind: LinkKind
    entity_id: str | None
    at: datetime
    detail: str = ""
    user_id: str | None = None


@dataclass(frozen=True, slots=True)
class Why:
    """What ``entity_id`` was at the time that was asked for, since when, and why: the nearest cause first.

    ``state`` is None where nothing is recorded. ``since_before``: it held since before anything is recorded.
    ``logbook``: whether Home Assistant has one. No links: Home Assistant does not know.
    """

    entity_id: str
    state: str | None
    since: datetime | None = None
    since_before: bool = False
    links: tuple[Link, ...] = ()
    logbook: bool = True


async def why(
    ha: HomeAssistant, entity_id: str, at: datetime, states: Container[str] = (), earliest: datetime | None = None
) -> Why:
    """Why the entity is in the state that it had at ``at`` (aware); with ``states`` the last time from ``earliest`` to
    then that it was in one of these, where there was one. Raises HomeAssistantError."""
    if states:
        at = await _last_in(ha, entity_id, Span(earliest or at - _LOOKED_BACK[-1], at), states) or at
    state, since, before = await _state_at(ha, entity_id, at)
    if state is None or since is None or before:
        return Why(entity_id, state, since, before)
    links = await _caused(ha, entity_id, state, since)
    if links is None:
        return Why(entity_id, state, since, logbook=False)
    if not links:
        # a door that was sent off opens for some seconds, after which Home Assistant no longer says who sent it
        on_the_way, sent, unknown = await _state_at(ha, entity_id, since - _INSTANT)
        if on_the_way in _ON_THE_WAY and sent is not None and not unknown:
            links = await _caused(ha, entity_id, on_the_way, sent) or ()
    return Why(entity_id, state, since, links=tuple(links))


async def _caused(ha: HomeAssistant, entity_id: str, state: str, since: datetime) -> Sequence[Link] | None:
    """What caused a change, the nearest first; None where there is no logbook."""
    entries = await ha.logbook(since - _NEAR, since + _NEAR, entity_ids=[entity_id])
    if entries is None:
        return None
    entry = _nearest(entries, entity_id, since, state)
    return await _Chain(ha).follow(entry, since) if entry else ()


async def _last_in(ha: HomeAssistant, entity_id: str, span: Span, states: Container[str]) -> datetime | None:
    """The last moment of the span at which the entity was in one of the states."""
    live = ha.home.state(entity_id)
    if live is not None and live.state in states and live.last_changed <= span.end:
        return span.end
    whole = Span(span.start, span.end + _INSTANT)
    rows = (await ha.history([entity_id], whole.start, whole.end)).get(entity_id, [])
    parts = [part for part in stretches(rows, whole) if part.state in states]
    return min(parts[-1].end - _INSTANT, span.end) if parts else None


async def _state_at(ha: HomeAssistant, entity_id: str, at: datetime) -> tuple[str | None, datetime | None, bool]:
    """The state at a time, since when it held, and whether it did so since before what was looked at."""
    state, since = None, None
    for back in _LOOKED_BACK:
        rows = (await ha.history([entity_id], at - back, at + _INSTANT)).get(entity_id, [])
        rows = [row for row in rows if row.at <= at]
        if not rows:
            continue
        state, since, others = rows[-1].state, rows[-1].at, False
        for row in reversed(rows):
            others = row.state not in (state, *GAPS)
            if others:
                break
            since = row.at if row.state == state else since  # a restart of Home Assistant changes nothing
        if others or state in GAPS:
            return state, since, False
        live = ha.home.state(entity_id)
        if len(rows) == 1 and live is not None and live.state == state and live.last_changed <= at:
            return state, live.last_changed, False
    return state, since, state is not None


class _Chain:
    """Follows causes back; nothing twice."""

    def __init__(self, ha: HomeAssistant) -> None:
        self._ha = ha
        self._links: list[Link] = []
        self._seen: set[tuple[str | None, datetime]] = set()

    async def follow(self, entry: Entry, at: datetime) -> Sequence[Link]:
        """The causes of a logbook entry, the nearest first."""
        while len(self._links) < _LONGEST:
            following = await self._step(entry, at)
            if following is None:
                break
            entry, at = following
        return self._links

    async def _step(self, entry: Entry, at: datetime) -> tuple[Entry, datetime] | None:
        """Add what the entry says caused it; returns the entry to go on with."""
        cause, kind = entry.get("context_entity_id"), entry.get("context_event_type")
        user = entry.get("context_user_id")
        if kind == "automation_triggered" and isinstance(cause, str):
            return await self._run(cause, at, str(entry.get("entity_id")))
        if kind == "script_started" and isinstance(cause, str):
            self._add(Link(LinkKind.SCRIPT, cause, at, user_id=user))
            return None
        if kind == "call_service":
            domain, service = str(entry.get("context_domain")), str(entry.get("context_service"))
            script = f"script.{service}" if domain == "script" else None
            if script and self._ha.home.entity(script):
                self._add(Link(LinkKind.SCRIPT, script, at))
            self._add(Link(LinkKind.SERVICE, None, at, f"{domain}.{service}", user))
            return None
        if isinstance(cause, str) and cause != entry.get("entity_id"):
            return await self._change(cause, at)
        if user:
            self._add(Link(LinkKind.SERVICE, None, at, user_id=user))
        return None

    async def _run(self, automation: str, at: datetime, changed: str) -> tuple[Entry, datetime] | None:
        """The run of an automation that changed something ``at``: its scripts, itself, what triggered it."""
        entries = await self._ha.logbook(at - _LONGEST_RUN, at + _NEAR, entity_ids=[automation]) or []
        runs = [e for e in entries if e.get("context_id") and _when(e) <= at + _NEAR][-_MOST_RUNS:]
        for run in reversed(runs):
            context = str(run["context_id"])
            rows = await self._ha.logbook(_when(run) - _NEAR, at + _NEAR, context_id=context) or []
            if not any(r.get("entity_id") == changed and abs(_when(r) - at) <= _NEAR for r in rows):
                continue
            for row in reversed(rows):
                if row.get("domain") == "script" and row.get("context_id") == context and _when(row) <= at:
                    self._add(Link(LinkKind.SCRIPT, row.get("entity_id"), _when(row)))
            self._add(Link(LinkKind.AUTOMATION, automation, _when(run), user_id=run.get("context_user_id")))
            return await self._trigger(automation, run)
        self._add(Link(LinkKind.AUTOMATION, automation, at))
        return None

    async def _trigger(self, automation: str, run: Entry) -> tuple[Entry, datetime] | None:
        """What triggered a run: by its trace, else by what the logbook calls its source."""
        at = _when(run)
        trace = await self._trace(automation, at)
        context = trace.get("context") if trace else None
        parent = context.get("parent_id") if isinstance(context, Mapping) else None
        source = str(run.get("source") or "")
        entity = next((i for i in _ENTITY.findall(source) if self._ha.home.entity(i)), None)
        if entity is not None:
            return await self._change(entity, at)
        if parent and (cause := await self._in_context(str(parent), at)):
            return cause
        if run.get("context_event_type"):
            return run, at
        if source:
            self._add(Link(LinkKind.TRIGGER, None, at, source))
        return None

    async def _in_context(self, context: str, at: datetime) -> tuple[Entry, datetime] | None:
        """What happened in a context until then: a run of an automation or a script, or a change."""
        rows = await self._ha.logbook(at - _LONGEST_RUN, at + _NEAR, context_id=context) or []
        for row in rows:
            if row.get("context_id") == context and row.get("domain") == "automation":
                self._add(Link(LinkKind.AUTOMATION, row.get("entity_id"), _when(row)))
                return await self._trigger(str(row.get("entity_id")), row)
        for row in rows:
            if row.get("context_id") == context and row.get("domain") == "script":
                self._add(Link(LinkKind.SCRIPT, row.get("entity_id"), _when(row)))
                return row, _when(row)
        if rows and rows[0].get("state") is not None:
            return await self._change(str(rows[0].get("entity_id")), at)
        return None

    async def _change(self, entity_id: str, at: datetime) -> tuple[Entry, datetime] | None:
        """The latest change of another entity until then, and what caused that."""
        state, since, before = await _state_at(self._ha, entity_id, at + timedelta(milliseconds=50))
        if state is None or since is None:
            return None
        if not self._add(Link(LinkKind.CHANGE, entity_id, since, state)) or before:
            return None
        entries = await self._ha.logbook(since - _NEAR, since + _NEAR, entity_ids=[entity_id]) or []
        entry = _nearest(entries, entity_id, since, state)
        return (entry, since) if entry else None

    async def _trace(self, automation: str, at: datetime) -> Mapping[str, object] | None:
        state = self._ha.home.state(automation)
        key = state.attributes.get("id") if state else None
        return await self._ha.trace("automation", str(key), at) if key else None

    def _add(self, link: Link) -> bool:
        """Whether it is new."""
        key = (link.entity_id or link.detail, link.at)
        if key in self._seen:
            return False
        self._seen.add(key)
        self._links.append(link)
        return True


def _nearest(entries: Sequence[Entry], entity_id: str, at: datetime, state: str) -> Entry | None:
    mine = [e for e in entries if e.get("entity_id") == entity_id and e.get("state") == state]
    return min(mine, key=lambda e: abs(_when(e) - at), default=None)


def _when(entry: Entry) -> datetime:
    return datetime.fromtimestamp(float(entry.get("when") or 0.0), UTC)
