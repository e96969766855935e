"""`GET /api/events`: what happens, as it happens; filtered where that is asked for, and gone on with after a break."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from fastapi import FastAPI, Header, Query, Request
from fastapi.responses import Response
from pydantic import AfterValidator, Field, WithJsonSchema

from homeagent import events
from homeagent.access import Scope
from homeagent.service import sse
from homeagent.service.document import Tag, bearer, failures
from homeagent.service.listeners import Listeners, Wanted
from homeagent.service.request_fields import Fields, ShortId
from homeagent.service.resources.registering import who_asks
from homeagent.values.subclasses import subclasses

if TYPE_CHECKING:
    from homeagent.app import App

EVENTS = "/api/events"
_MOST_ID = 40


class EventStream(Response):
    """Names the media type of what `sse.respond` answers; FastAPI's own class makes it look for a generator."""

    media_type = "text/event-stream"


TYPES = tuple(sorted({kind.type for kind in subclasses(events.Event)}))
_ANSWER: dict[str, Any] = {
    "content": {
        "text/event-stream": {
            "schema": sse.SERVER_SENT,
            "example": (
                'event: event\ndata: {"event_type": "home_agent.history.saved", "message_count": 2, …}\n'
                "id: 5c0ffee1-42\n\n"
            ),
        }
    },
    "description": (
        "Server-sent events, until the reader goes or the service ends: each an `event` with `event_type` and the "
        "fields of its type. `home_agent.dropped` tells how many (`count`, where it is known) were missed. Every 15 "
        "quiet seconds there is a sign of life."
    ),
}


def _known(type_: str) -> str:
    """The type without prefix. Raises ValueError."""
    plain = type_.removeprefix(events.PREFIX)
    if plain not in TYPES:
        raise ValueError(f"there is no such type of event; there are {', '.join(TYPES)}")
    return plain


EventType = Annotated[str, AfterValidator(_known), WithJsonSchema({"type": "string", "enum": list(TYPES)})]


class EventsQuery(Fields):
    """Which events. ``text``: with what was said, asked for and returned."""

    text: bool = False
    type: Annotated[list[EventType], Field(default_factory=list, max_length=100)]
    conversation_id: ShortId | None = None


def add_events(api: FastAPI, app: App, listeners: Listeners) -> None:
    """The stream, for programs."""

    @api.get(
        EVENTS,
        operation_id="events",
        tags=[Tag.MONITORING],
        summary="Everything that happens from now on, as server-sent events",
        response_model=None,
        response_class=EventStream,
        responses=failures() | {200: _ANSWER},
        dependencies=bearer((Scope.READ,)),
    )
    async def stream(
        request: Request,
        query: Annotated[EventsQuery, Query()],
        last_event_id: Annotated[str | None, Header(max_length=_MOST_ID)] = None,
    ) -> Response:
        """Needs `read`. With `type` (several: given several times) and `conversation_id` only such events.

        Each has an id; with that of the last one in the header `Last-Event-ID` the stream goes on behind it, as far as
        the last 1,000 events reach. What was said, asked for and returned goes along where `events.include_text` says
        so, and where `text` asks for it; asking needs `admin` as well.
        """
        always = app.settings.events.include_text
        if query.text and not always:
            who_asks(request).need(Scope.ADMIN)
        wanted = Wanted(always or query.text, frozenset(query.type), query.conversation_id)
        return sse.respond(listeners.listen(wanted, last_event_id))
