"""What waits and what is to come, what was done and happens, and how the service is and is set."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from fastapi import FastAPI, Request
from starlette.responses import RedirectResponse, Response

from homeagent.access import Scope
from homeagent.config.loading import masked
from homeagent.errors import InvalidInput
from homeagent.pairing import SCOPES
from homeagent.service.health import health
from homeagent.service.listeners import Listeners, Wanted
from homeagent.service.sse import respond
from homeagent.service.web.calling import call
from homeagent.service.web.rendering import HEADERS, Renderer, as_event, shown, visitor
from homeagent.service.web.session import posted
from homeagent.timers.timer import TimerKind, TimerState
from homeagent.values.jsonable import jsonable

if TYPE_CHECKING:
    from homeagent.app import App

NEEDS: dict[str, tuple[Scope, ...]] = {
    "/waiting": (Scope.READ,),
    "/timers": (Scope.READ,),
    "/set-timer": (Scope.ASK,),
    "/steer-timer": (Scope.ASK,),
    "/log": (Scope.ADMIN,),
    "/events": (Scope.READ,),
    "/event-stream": (Scope.READ,),
    "/status": (Scope.READ,),
    "/settings": (Scope.ADMIN,),
    "/start-pairing": SCOPES,
}
_HIDDEN = ("event_type", "timestamp", "turn_id", "conversation_id")


def add_looking_after(api: FastAPI, app: App, renderer: Renderer, listeners: Listeners) -> None:
    """All of these pages."""
    _add_waiting_and_timers(api, app, renderer)
    _add_log_and_events(api, app, renderer, listeners)

    @api.get("/status", response_model=None, include_in_schema=False)
    @shown(renderer)
    async def show_health(request: Request) -> Response:
        return renderer.page(request, "status.html", health=jsonable(await health(app)))

    @api.get("/settings", response_model=None, include_in_schema=False)
    @shown(renderer)
    async def show_settings(request: Request) -> Response:
        return renderer.page(request, "settings.html", settings=settings(), code=None)

    @api.post("/start-pairing", response_model=None, include_in_schema=False)
    @shown(renderer)
    async def start_pairing(request: Request) -> Response:
        await posted(request)
        told = await call(app, visitor(request), "start_pairing")
        minutes = round(told["seconds"] / 60)
        return renderer.page(request, "settings.html", settings=settings(), code=told["code"], minutes=minutes)

    def settings() -> list[tuple[str, Any]]:
        return list(_flat(jsonable(masked(app.settings))))


def _add_waiting_and_timers(api: FastAPI, app: App, renderer: Renderer) -> None:
    @api.get("/waiting", response_model=None, include_in_schema=False)
    @shown(renderer)
    async def show_waiting(request: Request) -> Response:
        told = await call(app, visitor(request), "list_pending")
        return renderer.page(request, "waiting.html", waiting=told["pending"])

    @api.get("/timers", response_model=None, include_in_schema=False)
    @shown(renderer)
    async def show_timers(request: Request) -> Response:
        told = await call(app, visitor(request), "list_timers")
        return renderer.page(request, "timers.html", timers=[(one, _steps(one)) for one in told["timers"]])

    @api.post("/set-timer", response_model=None, include_in_schema=False)
    @shown(renderer)
    async def set_timer(request: Request) -> Response:
        given = await posted(request)
        seconds = _seconds(given.get("minutes", ""))
        name = given.get("name") or None
        await call(app, visitor(request), "set_timer", kind=TimerKind.TIMER, name=name, in_seconds=seconds)
        return RedirectResponse("timers", 303, HEADERS)

    @api.post("/steer-timer", response_model=None, include_in_schema=False)
    @shown(renderer)
    async def steer(request: Request) -> Response:
        given = await posted(request)
        action = given.pop("action", "")
        if action in ("cancel", "snooze"):
            await call(app, visitor(request), f"{action}_timer", **given)
        else:
            await call(app, visitor(request), "steer_timer", action=action, **given)
        return RedirectResponse("timers", 303, HEADERS)


def _add_log_and_events(api: FastAPI, app: App, renderer: Renderer, listeners: Listeners) -> None:
    @api.get("/log", response_model=None, include_in_schema=False)
    @shown(renderer)
    async def show_log(request: Request) -> Response:
        told = await call(app, visitor(request), "list_audit", limit=100)
        return renderer.page(request, "log.html", entries=told["entries"])

    @api.get("/events", response_model=None, include_in_schema=False)
    @shown(renderer)
    async def show_events(request: Request) -> Response:
        return renderer.page(request, "events.html")

    @api.get("/event-stream", response_model=None, include_in_schema=False)
    @shown(renderer)
    async def stream(request: Request) -> Response:
        last_id = request.headers.get("last-event-id")
        heard = listeners.listen(Wanted(with_text=app.settings.events.include_text), last_id)
        return respond(_as_lines(renderer, request, heard))


async def _as_lines(renderer: Renderer, request: Request, heard: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """What listeners are sent as JSON, as lines of the page; what keeps the connection goes through."""
    async for part in heard:
        for block in part.split(b"\n\n"):
            lines = dict(line.split(b": ", 1) for line in block.split(b"\n") if b": " in line)
            if b"data" in lines:
                event = json.loads(lines[b"data"])
                told = {name: value for name, value in event.items() if name not in _HIDDEN}
                seen = b"id: %b\n" % lines[b"id"] if b"id" in lines else b""
                yield seen + as_event(renderer.part(request, "event.html", event=event, told=told))
            elif block:
                yield block + b"\n\n"


def _steps(timer: Mapping[str, Any]) -> tuple[str, ...]:
    """What can be done with a timer as it is now."""
    match timer["state"]:
        case TimerState.RINGING:
            return ("dismiss", "snooze")
        case TimerState.PAUSED:
            return ("resume", "cancel")
        case _:
            return ("pause", "cancel") if timer["kind"] == TimerKind.TIMER else ("cancel",)


def _seconds(minutes: str) -> float:
    """Raises InvalidInput."""
    try:
        return float(minutes.replace(",", ".")) * 60
    except ValueError:
        raise InvalidInput("The minutes are no number.") from None


def _flat(values: Mapping[str, Any], front: str = "") -> Iterator[tuple[str, str]]:
    """Settings by their whole names, what is not set as an empty text."""
    for name, value in values.items():
        if isinstance(value, Mapping) and value:
            yield from _flat(value, f"{front}{name}.")
        else:
            yield front + name, "" if value in (None, {}, []) else str(value)
