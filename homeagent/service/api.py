"""The HTTP API: the services, the health of the parts, and the events as they happen."""

from __future__ import annotations

import asyncio
import difflib
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from fastapi import Body, FastAPI
from fastapi.responses import JSONResponse, Response

import homeagent
from homeagent.doctor import examine
from homeagent.errors import NotFound
from homeagent.events import ErrorOccurred
from homeagent.service import models, sse
from homeagent.service.errors import Failure, add_handlers, failure_of
from homeagent.service.guard import Guard
from homeagent.service.health import health
from homeagent.service.services import SERVICES, Service, index_history, process, reindex_entities, search_entities
from homeagent.values.jsonable import jsonable

if TYPE_CHECKING:
    from homeagent.app import App


def create_api(app: App, *, token: str, closing: asyncio.Event | None = None) -> Guard:
    """The API over a started app, behind its guard. ``closing`` ends the event streams when the service stops."""
    api = FastAPI(title="homeagent", version=homeagent.__version__, docs_url=None, redoc_url=None)
    add_handlers(api)
    for service in SERVICES.values():
        _add_service(api, app, service)
    _add_unknown_service(api)
    _add_views(api, app, closing or asyncio.Event())
    most_bytes = {_path(service): service.most_bytes for service in SERVICES.values()}
    return Guard(api, token=token, allowed_hosts=app.settings.service.allowed_hosts, most_bytes=most_bytes)


def _path(service: Service) -> str:
    return f"/api/services/{service.name}"


def _add_service(api: FastAPI, app: App, service: Service) -> None:
    async def answer(fields: Any) -> Response:
        if getattr(fields, "stream", False):
            work = partial(_STREAMED[service.name], app, fields)
            return sse.respond(sse.streamed(work, partial(_failed, app, service.name)))
        return await _answered(app, service.name, lambda: service.run(app, fields))

    # FastAPI reads the body's model from the annotation, which is known only now.
    answer.__annotations__["fields"] = service.fields
    answer.__defaults__ = (Body(default_factory=service.fields) if _all_optional(service) else Body(),)
    doc = (service.run.__doc__ or service.name.replace("_", " ")).strip()
    api.post(_path(service), name=service.name, summary=doc, response_model=None)(answer)


def _all_optional(service: Service) -> bool:
    return not any(field.is_required() for field in service.fields.model_fields.values())


_STREAMED: dict[str, Callable[..., Awaitable[Any]]] = {
    "process": process,
    "reindex_entities": reindex_entities,
    "index_history": index_history,
}


async def _answered(app: App, component: str, run: Callable[[], Awaitable[Any]]) -> Response:
    """The boundary of a request: whatever goes wrong in it becomes an answer in the one shape, and an event."""
    try:
        answer = await run()
        return await asyncio.to_thread(_as_response, answer)
    except Exception as error:  # noqa: BLE001 - answering a request
        return _failed(app, component, error).response()


def _failed(app: App, component: str, error: Exception) -> Failure:
    """What the caller is told; a failure of ours is an event too."""
    failure = failure_of(error)
    if failure.status >= 500:
        app.emitter.emit(
            ErrorOccurred(error_type=failure.code, error_message=failure.message, component=f"service.{component}")
        )
    return failure


def _as_response(answer: Any) -> Response:
    """Not for the event loop: thousands of memories are written out here."""
    return JSONResponse(jsonable(answer))


def _add_unknown_service(api: FastAPI) -> None:
    @api.api_route("/api/services/{name}", methods=["POST", "GET", "PUT", "DELETE"], include_in_schema=False)
    async def unknown_service(name: str) -> Response:
        if name in SERVICES:
            return failure_of(NotFound(f"The service {name} is called with POST.")).response()
        near = difflib.get_close_matches(name, SERVICES, n=3, cutoff=0.4)
        hint = "Did you mean: " + ", ".join(near) + "?" if near else "Services: " + ", ".join(SERVICES) + "."
        return failure_of(NotFound(f"There is no service {name[:100]}.", hint=hint)).response()


def _add_views(api: FastAPI, app: App, closing: asyncio.Event) -> None:
    @api.get("/health", response_model=None)
    async def show_health() -> Response:
        """How each part is. Needs no token and tells no secrets."""
        return JSONResponse(jsonable(await health(app)))

    @api.get("/api/events", response_model=None)
    async def events() -> Response:
        """Everything that happens from now on, as server-sent events."""
        return sse.respond(sse.watch(app.emitter, closing))

    @api.get("/api/doctor", response_model=None)
    async def doctor() -> Response:
        """Each part tried for real."""
        return await _answered(app, "doctor", lambda: _doctor(app))

    @api.post("/api/search", response_model=None)
    async def search(fields: models.SearchEntities) -> Response:
        """What retrieval finds for a text, and why."""
        return await _answered(app, "search", lambda: search_entities(app, fields))


async def _doctor(app: App) -> dict[str, Any]:
    return {"checks": [jsonable(check) for check in await examine(app)]}
