"""The HTTP API: the services, the health of the parts, and the events as they happen."""

from __future__ import annotations

import asyncio
import difflib
import hmac
import threading
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from http import HTTPStatus
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import Body, FastAPI, HTTPException, Request
from fastapi.responses import JSONResponse, Response
from fastapi.routing import APIRoute
from starlette.routing import compile_path

import homeagent
from homeagent.access import NOBODY, OWNER, Identity, Scope
from homeagent.access_tokens import digest
from homeagent.client.running import PROOF, prove, usable
from homeagent.doctor import examine
from homeagent.errors import NotFound
from homeagent.events import ErrorOccurred
from homeagent.service import mcp_endpoint, request_fields, sse
from homeagent.service.answers.administration import DoctorAnswer, HealthAnswer
from homeagent.service.answers.finding import SearchAnswer
from homeagent.service.document import (
    DOCUMENT,
    STREAM,
    Tag,
    add_document,
    bearer,
    failures,
    needing,
)
from homeagent.service.errors import Failure, add_handlers, failure_of
from homeagent.service.event_stream import EVENTS, add_events
from homeagent.service.finding import search_entities
from homeagent.service.fronts import openai_api
from homeagent.service.health import health
from homeagent.service.ingress import Ingress
from homeagent.service.listeners import Listeners
from homeagent.service.metrics import METRICS, add_metrics
from homeagent.service.request_guard import Guard, caller_of
from homeagent.service.resources.registering import Resources
from homeagent.service.resources.remembered import add_audit, add_index, add_memories
from homeagent.service.resources.said import add_conversations
from homeagent.service.resources.waiting import add_questions, add_timers
from homeagent.service.services import SERVICES, Service
from homeagent.service.speakers import as_known
from homeagent.service.web import pages
from homeagent.service.while_there import CallerLeft, while_there
from homeagent.service.wrong_tokens import WrongTokens
from homeagent.values.jsonable import jsonable

if TYPE_CHECKING:
    from homeagent.app import App

_MAKING = threading.RLock()
"""A request and the document, which is made in a thread, may ask for one route at once."""


class LazyRoute(APIRoute):
    """A route that knows only its path and methods until a request comes, or the document asks for the rest."""

    def __init__(self, path: str, endpoint: Callable[..., Any], *, methods: Sequence[str], **options: Any) -> None:
        self.path, self.endpoint = path, endpoint
        self.path_regex, self.path_format, self.param_convertors = compile_path(path)
        self.methods = set(methods)
        self._options: dict[str, Any] | None = {"methods": methods, **options}

    def __getattr__(self, name: str) -> Any:
        with _MAKING:
            if name in self.__dict__:  # made while we waited
                return self.__dict__[name]
            options, self.__dict__["_options"] = self.__dict__.get("_options"), None
            if options is None:
                raise AttributeError(name)
            super().__init__(self.path, self.endpoint, **options)
        return getattr(self, name)


VIEWS: dict[str, tuple[Scope, ...]] = {
    "/health": (),
    DOCUMENT: (Scope.READ,),
    EVENTS: (Scope.READ,),
    METRICS: (Scope.READ,),
    "/api/search": (Scope.READ,),
    "/api/doctor": (Scope.ADMIN,),
}
"""What is no service, and the scopes that each needs. None: open to everybody who reaches the service."""


def create_api(app: App, *, token: str, secret: str | None = None, closing: asyncio.Event | None = None) -> Guard:
    """The API over a started app, behind its guard.

    ``token`` is the owner's. ``secret``: what the service proves to know before it is told a token. ``closing`` ends
    the event streams when the service stops.
    """
    api = FastAPI(title="homeagent", version=homeagent.__version__, openapi_url=None)
    api.router.route_class = LazyRoute
    add_handlers(api, _tell)
    add_document(api)
    for service in SERVICES.values():
        _add_service(api, app, service)
    _add_unknown_service(api)
    _add_views(api, app, secret)
    resources = Resources(api, app, partial(_answered, app))
    for add in (add_conversations, add_memories, add_questions, add_timers, add_index, add_audit):
        add(resources)
    closing = closing or asyncio.Event()
    listeners = Listeners(
        app.emitter, closing, app.settings.service.max_listeners, app.settings.data_dir / "latest-events.json"
    )
    add_events(api, app, listeners)
    add_metrics(api, app, listeners)
    openai_api.add_openai(api, app)
    mcp_endpoint.add_mcp(api, app, closing)
    identify, wrong_tokens = identifying(app, token), WrongTokens()
    return Guard(
        api,
        identify=identify,
        needs=VIEWS
        | openai_api.NEEDS
        | mcp_endpoint.NEEDS
        | pages.NEEDS
        | resources.needs
        | {service.path: service.needs for service in SERVICES.values()},
        allowed_hosts=app.settings.service.allowed_hosts,
        cors_origins=app.settings.service.cors_origins,
        most_bytes=openai_api.BYTES | {service.path: service.most_bytes for service in SERVICES.values()},
        pages=pages.add_pages(api, app, identify, wrong_tokens, listeners, closing),
        wrong_tokens=wrong_tokens,
        tell=_tell,
        ingress=_ingress(app),
    )


def _ingress(app: App) -> Ingress | None:
    address = app.settings.supervisor.ingress_from
    return Ingress(str(address), app.ha.users) if address is not None else None


def _tell(connection: Mapping[str, Any], failure: Failure) -> Response:
    """A failure in our shape; in OpenAI's where its clients are."""
    return openai_api.refused(failure) if connection["path"].startswith("/v1/") else failure.response()


def identifying(app: App, owners: str) -> Callable[[bytes], Awaitable[Identity | None]]:
    """Whose a token is. The owner's works without the database, too."""
    owners_digest = digest(owners.encode())

    async def identify(token: bytes) -> Identity | None:
        if hmac.compare_digest(digest(token), owners_digest):
            return OWNER
        return await app.tokens.identify(token)

    return identify


def _caller(request: Request) -> Identity:
    return caller_of(request.scope) or NOBODY  # what is open to all is reached without a token


def _add_service(api: FastAPI, app: App, service: Service) -> None:
    async def answer(request: Request, fields: Any) -> Response:
        caller = _caller(request)
        caller.need(*service.needs)  # once more, whichever way led here
        fields = await as_known(app, fields.sent_by(caller))
        if service.streams and fields.stream:
            work = partial(service.run, app, fields)
            return sse.respond(sse.streamed(work, partial(_failed, app, service.name)))
        if service.streams:  # what takes long ends with its caller, streamed or not
            return await _answered(app, service.name, lambda: while_there(request, service.run(app, fields)))
        return await _answered(app, service.name, lambda: service.run(app, fields))

    # FastAPI reads the body's model from the annotation, which is known only now.
    answer.__annotations__["fields"] = service.fields
    examples = [dict(service.example)]
    optional = _all_optional(service)
    answer.__defaults__ = (
        Body(default_factory=service.fields, examples=examples) if optional else Body(examples=examples),
    )
    doc = (service.run.__doc__ or service.name.replace("_", " ")).strip()
    post = api.post(
        service.path,
        operation_id=service.name,
        tags=[service.tag],
        summary=doc.partition("\n")[0],
        description=f"{doc}\n\n{needing(service.needs)}",
        response_model=service.answer,
        response_description=f"{(service.answer.__doc__ or doc).strip()}",
        responses=failures(*service.fails) | ({200: STREAM} if service.streams else {}),
        dependencies=bearer(service.needs),
    )
    post(answer)


def _all_optional(service: Service) -> bool:
    return not any(field.is_required() for field in service.fields.model_fields.values())


async def _answered(app: App, component: str, run: Callable[[], Awaitable[object]]) -> Response:
    """The boundary of a request: whatever goes wrong in it becomes an answer in the one shape, and an event."""
    try:
        answer = await run()
        return await asyncio.to_thread(_as_response, answer)
    except CallerLeft:
        return Response(status_code=HTTPStatus.NO_CONTENT)  # to nobody
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


def _as_response(answer: object) -> Response:
    """Not for the event loop: thousands of memories are written out here."""
    return JSONResponse(jsonable(answer))


def _add_unknown_service(api: FastAPI) -> None:
    @api.api_route("/api/services/{name}", methods=["POST", "GET", "PUT", "PATCH", "DELETE"], include_in_schema=False)
    async def unknown_service(name: str) -> Response:
        if name in SERVICES:
            raise HTTPException(405, f"The service {name} is called with POST.", {"Allow": "POST"})
        near = difflib.get_close_matches(name, SERVICES, n=3, cutoff=0.4)
        hint = "Did you mean: " + ", ".join(near) + "?" if near else "Services: " + ", ".join(SERVICES) + "."
        return failure_of(NotFound(f"There is no service {name[:100]}.", hint=hint)).response()


def _add_views(api: FastAPI, app: App, secret: str | None) -> None:
    @api.get(
        "/health",
        operation_id="health",
        tags=[Tag.MONITORING],
        summary="How each part is",
        response_model=HealthAnswer,
        responses=failures(),
    )
    async def show_health(nonce: str = "") -> Response:
        """How each part is. Needs no token and tells no secrets. For a ``nonce`` there is a proof in the headers."""
        proof = {PROOF: prove(secret, nonce)} if secret is not None and usable(nonce) else None
        return JSONResponse(jsonable(await health(app)), headers=proof)

    @api.get(
        "/api/doctor",
        operation_id="doctor",
        tags=[Tag.MONITORING],
        response_model=DoctorAnswer,
        responses=failures(),
        dependencies=bearer(VIEWS["/api/doctor"]),
    )
    async def doctor() -> Response:
        """Each part tried for real. Needs `admin`."""
        return await _answered(app, "doctor", lambda: _doctor(app))

    @api.post(
        "/api/search",
        operation_id="search",
        tags=[Tag.HOME],
        response_model=SearchAnswer,
        responses=failures(),
        dependencies=bearer(VIEWS["/api/search"]),
    )
    async def search(
        fields: Annotated[request_fields.SearchEntities, Body(examples=[{"text": "something to read by"}])],
    ) -> Response:
        """What retrieval finds for a text, and why. Needs `read`."""
        return await _answered(app, "search", lambda: search_entities(app, fields))


async def _doctor(app: App) -> dict[str, object]:
    return {"checks": [jsonable(check) for check in await examine(app)]}
