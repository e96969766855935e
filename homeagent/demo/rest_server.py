"""The REST API: what is under ``/api/``."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from homeagent.demo.commands import USER_ID, config
from homeagent.demo.devices.scripted import Scene, Scripted
from homeagent.demo.failures import CallFailed, InvalidFormat, NotFound, NotValid
from homeagent.demo.state_machine import Context, State, acting
from homeagent.demo.world import World

Handler = Callable[[World, Request], Awaitable[Response]]


def routes(world: Callable[[], World], token: str) -> list[Route]:
    """The routes, over the world that there is when a request comes."""

    def guarded(handler: Handler) -> Callable[[Request], Awaitable[Response]]:
        async def endpoint(request: Request) -> Response:
            if request.headers.get("authorization") != f"Bearer {token}":
                return PlainTextResponse("401: Unauthorized", 401)
            try:
                return await handler(world(), request)
            except json.JSONDecodeError:
                return JSONResponse({"message": "Invalid JSON specified."}, 400)

        return endpoint

    table: list[tuple[str, str, Handler]] = [
        ("GET", "/api/", _running),
        ("GET", "/api/config", _get_config),
        ("GET", "/api/states", _get_states),
        ("GET", "/api/states/{entity_id}", _get_state),
        ("POST", "/api/states/{entity_id}", post_state),
        ("DELETE", "/api/states/{entity_id}", _delete_state),
        ("GET", "/api/services", _get_services),
        ("POST", "/api/services/{domain}/{service}", call_service),
        ("POST", "/api/events/{event_type}", _fire_event),
        ("GET", "/api/history/period", _history),
        ("GET", "/api/history/period/{start:path}", _history),
        ("GET", "/api/config/{domain}/config/{key}", scripted_config),
        ("GET", "/api/error_log", _error_log),
    ]
    return [Route(path, guarded(handler), methods=[method]) for method, path, handler in table]


async def _running(world: World, request: Request) -> Response:
    return JSONResponse({"message": "API running."})


async def _get_config(world: World, request: Request) -> Response:
    return JSONResponse(config(world))


async def _get_states(world: World, request: Request) -> Response:
    return JSONResponse([state.as_dict() for state in world.states])


async def _get_state(world: World, request: Request) -> Response:
    state = world.states.get(request.path_params["entity_id"])
    if state is None:
        return JSONResponse({"message": "Entity not found."}, 404)
    return JSONResponse(state.as_dict())


async def post_state(world: World, request: Request) -> Response:
    """Shows a state, and touches no device, as in HA."""
    entity_id = request.path_params["entity_id"]
    body = await request.json()
    if "state" not in body:
        return JSONResponse({"message": "No state specified."}, 400)
    new = world.states.get(entity_id) is None
    acting.set(Context(user_id=USER_ID))
    world.states.set(entity_id, str(body["state"]), body.get("attributes") or {})
    state = world.states.get(entity_id)
    assert state is not None
    return JSONResponse(state.as_dict(), 201 if new else 200)


async def _delete_state(world: World, request: Request) -> Response:
    if not world.states.remove(request.path_params["entity_id"]):
        return JSONResponse({"message": "Entity not found."}, 404)
    return JSONResponse({"message": "Entity removed."})


async def _get_services(world: World, request: Request) -> Response:
    described = world.services.described()
    return JSONResponse([{"domain": domain, "services": services} for domain, services in described.items()])


async def call_service(world: World, request: Request) -> Response:
    """Answers with the states that changed; with ``?return_response`` also with the response."""
    body = await request.body()
    data = json.loads(body) if body else {}
    wants_response = "return_response" in request.query_params
    changed: dict[str, State] = {}

    def note(old: State | None, new: State | None) -> None:
        if new is not None:
            changed[new.entity_id] = new

    stop = world.states.listen(note)
    acting.set(Context(user_id=USER_ID))
    try:
        if "target" in data:
            raise InvalidFormat("extra keys not allowed @ data['target']")
        domain, service = request.path_params["domain"], request.path_params["service"]
        response = await world.services.call(domain, service, data, return_response=wants_response)
    except (InvalidFormat, NotFound):
        return PlainTextResponse("400: Bad Request", 400)
    except NotValid as failure:
        return JSONResponse({"message": str(failure)}, 400 if "return_response" in str(failure) else 500)
    except CallFailed as failure:
        return PlainTextResponse(f"500: {failure}", 500)
    finally:
        stop()
    states = [state.as_dict() for state in changed.values()]
    if wants_response:
        return JSONResponse({"changed_states": states, "service_response": response})
    return JSONResponse(states)


async def _fire_event(world: World, request: Request) -> Response:
    body = await request.body()
    data = json.loads(body) if body else {}
    if not isinstance(data, dict):
        return JSONResponse({"message": "Event data should be a JSON object"}, 400)
    event_type = request.path_params["event_type"]
    world.fire(event_type, data, Context(user_id=USER_ID))
    return JSONResponse({"message": f"Event {event_type} fired."})


async def _history(world: World, request: Request) -> Response:
    query = request.query_params
    if not query.get("filter_entity_id"):
        return JSONResponse({"message": "filter_entity_id is missing"}, 400)
    try:
        start = _moment(request.path_params.get("start")) or datetime.now(UTC) - timedelta(days=1)
        end = _moment(query.get("end_time")) or start + timedelta(days=1)
    except ValueError:
        return JSONResponse({"message": "Invalid datetime"}, 400)
    changes_only = query.get("significant_changes_only", "1") != "0"
    found = []
    for entity_id in query["filter_entity_id"].split(","):
        rows = world.recorder.rows(entity_id, start, min(end, datetime.now(UTC)), changes_only=changes_only)
        full = [_row(entity_id, row, "no_attributes" in query) for row in rows]
        if "minimal_response" in query:
            full[1:] = [{"state": row["state"], "last_changed": row["last_changed"]} for row in full[1:]]
        if full:
            found.append(full)
    return JSONResponse(found)


async def scripted_config(world: World, request: Request) -> Response:
    """What a script, a scene or an automation does, by its id."""
    domain, key = request.path_params["domain"], request.path_params["key"]
    device = world.devices.get(f"{domain}.{key}")
    if isinstance(device, Scripted) and device.config is not None:
        return JSONResponse({"id": key, **device.config} if domain == "automation" else device.config)
    if isinstance(device, Scene) and device.applies:
        return JSONResponse({"id": key, "name": world.registries.entity_name(device.spec), "entities": device.applies})
    return JSONResponse({"message": "Resource not found"}, 404)


async def _error_log(world: World, request: Request) -> Response:
    return PlainTextResponse("")


def _row(entity_id: str, row: Any, bare: bool) -> Mapping[str, Any]:
    full = {
        "entity_id": entity_id,
        "state": row.state,
        "last_changed": row.updated.isoformat(),
        "last_updated": row.updated.isoformat(),
    }
    return full if bare else {**full, "attributes": dict(row.attributes)}


def _moment(text: str | None) -> datetime | None:
    if not text:
        return None
    moment = datetime.fromisoformat(text)
    return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
