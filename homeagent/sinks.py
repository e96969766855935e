"""Where events go: the log, a file of JSON lines, Home Assistant's bus. Who listens live is in `service/listeners.py`.

Every sink masks tokens and codes. Unless it is told to ``include_text``, it also leaves out what was said, answered,
asked for and returned: those fields of an event are in `TEXT_FIELDS`.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

from homeagent.errors import HomeAgentError, HomeAssistantAuthError
from homeagent.events import PREFIX, ErrorOccurred, Event, StreamingError
from homeagent.privacy.redact import mask
from homeagent.values.jsonable import jsonable

TEXT_FIELDS = frozenset(
    {"parameters", "result", "query", "vector_db_query", "error", "error_message", "context_text", "description"}
)
"""Fields that can hold what somebody said, or what the home answered."""
_ERROR_CONTEXT = "context"
"""Of an error; elsewhere this field holds counts and names of parts only."""
_log = logging.getLogger(__name__)
_events = logging.getLogger("homeagent.events")


def shown(event: Event, *, include_text: bool) -> dict[str, Any]:
    """The event as plain JSON values, flat, masked, and without text unless asked for."""
    data: dict[str, Any] = mask(jsonable(event.as_dict()))
    if include_text:
        return data
    hidden = TEXT_FIELDS | {_ERROR_CONTEXT} if isinstance(event, ErrorOccurred) else TEXT_FIELDS
    return {name: value for name, value in data.items() if name not in hidden}


class LogSink:
    """One line an event in the log ``homeagent.events``: its type, then ``name=value``."""

    name = "log"

    def __init__(self, *, include_text: bool = False) -> None:
        self._include_text = include_text

    async def handle(self, event: Event) -> None:
        """Write the event's line: errors as warnings, everything else as information."""
        level = logging.WARNING if isinstance(event, ErrorOccurred | StreamingError) else logging.INFO
        if _events.isEnabledFor(level):
            _events.log(level, "%s", self._line(event))

    def _line(self, event: Event) -> str:
        fields = shown(event, include_text=self._include_text)
        kind = str(fields.pop("event_type")).removeprefix(PREFIX)
        fields.pop("timestamp", None)  # the log has its own
        return " ".join([kind, *(f"{name}={_value(value)}" for name, value in fields.items())])


def _value(value: object) -> str:
    """A bare word where it is one; else JSON, which has neither line ends nor unquoted blanks in its texts."""
    if isinstance(value, str) and value and value.isascii() and not set(value) & set(' "=\\') and value.isprintable():
        return value
    return json.dumps(value)


class JsonLinesSink:
    """Appends one JSON object a line to ``path``, readable by its owner only.

    A file of ``max_bytes`` is put aside as ``path.1`` (and so on, ``keep`` of them) and a new one begun. A disk that
    does not take it costs these events and one line in the log.
    """

    name = "json lines"

    def __init__(self, path: Path, *, include_text: bool = False, max_bytes: int = 10_000_000, keep: int = 3) -> None:
        self._path = path
        self._include_text = include_text
        self._max_bytes = max_bytes
        self._keep = keep
        self._failing = False

    async def handle(self, event: Event) -> None:
        """Append the event's line. A disk that fails is told of once, until it works again."""
        line = json.dumps(shown(event, include_text=self._include_text), ensure_ascii=False) + "\n"
        try:
            await asyncio.to_thread(self._append, line.encode("utf-8", "replace"))
        except OSError as error:
            if not self._failing:
                _log.warning("events are not written to %s: %s", self._path, error.strerror or error)
            self._failing = True
        else:
            self._failing = False

    def _append(self, line: bytes) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(self._path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600)
        with os.fdopen(descriptor, "ab+") as file:
            size = file.seek(0, os.SEEK_END)
            if size and size + len(line) > self._max_bytes:
                self._rotate()
                return self._append(line)
            file.write(b"\n" + line if size and _cut_short(file, size) else line)
            return None

    def _rotate(self) -> None:
        names = [self._path, *(self._path.with_name(f"{self._path.name}.{n}") for n in range(1, self._keep + 1))]
        for older, newer in reversed(list(zip(names[1:], names[:-1], strict=True))):
            if newer.exists():
                os.replace(newer, older)
        if self._keep == 0:
            self._path.unlink()


def _cut_short(file: Any, size: int) -> bool:
    """Whether the last line has no end: the process that wrote it was killed. It must not swallow the next one."""
    file.seek(size - 1)
    return bool(file.read(1) != b"\n")


class HomeAssistantBusSink:
    """Fires events on Home Assistant's bus as ``home_agent.…``, through ``fire_event`` (event type, data).

    It stops for good at the first answer that the token may not do this. An event that does not get through is gone:
    no event is emitted about it, since that would be the next one to fail.
    """

    name = "home assistant bus"
    _LONGEST = 16_000
    """Characters of an event's data: Home Assistant's recorder keeps no more than 32 KB."""

    def __init__(
        self, fire_event: Callable[[str, Mapping[str, object]], Awaitable[None]], *, include_text: bool = False
    ) -> None:
        self._fire = fire_event
        self._include_text = include_text
        self._failing = False
        self.stopped = False

    async def handle(self, event: Event) -> None:
        """Fire the event; one whose data is too long goes without its texts, marked ``cut``."""
        if self.stopped:
            return
        data = shown(event, include_text=self._include_text)
        if len(json.dumps(data)) > self._LONGEST:
            data = shown(event, include_text=False) | {"cut": True}
        try:
            await self._fire(data.pop("event_type"), data)
        except HomeAssistantAuthError as error:
            self.stopped = True
            _log.warning("events go no longer to Home Assistant's bus: %s", error)
        except HomeAgentError as error:
            if not self._failing:
                _log.warning("events do not get through to Home Assistant's bus for now: %s", error)
            self._failing = True
        else:
            self._failing = False
