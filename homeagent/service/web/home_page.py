"""The home as it is now: floors and rooms with what is exposed in them, and what a search finds lit up."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from fastapi import FastAPI, Request
from starlette.responses import Response

from homeagent.access import Scope
from homeagent.errors import TooManyListeners
from homeagent.ha.home import ChangeKind, Home, HomeChange
from homeagent.languages.answers import Answers, load_answers
from homeagent.service import request_fields
from homeagent.service.finding import search_entities
from homeagent.service.sse import respond
from homeagent.service.web.calling import checked
from homeagent.service.web.rendering import Renderer, as_event, shown, visitor
from indexer.entity import Area, Entity, Floor

if TYPE_CHECKING:
    from homeagent.app import App

NEEDS: dict[str, tuple[Scope, ...]] = {"/home": (Scope.READ,), "/home-changes": (Scope.READ,)}
_TOGETHER = 0.3
"""Seconds that changes are gathered for before they are shown."""
_LOOK = 1.0
"""Seconds after which a quiet stream looks whether the service ends."""
_STILL_HERE = 15
"""So many looks until it says that it is still there."""


@dataclass(frozen=True, slots=True)
class Thing:
    """An entity with its state in words. ``score`` and ``reasons`` where a search found it."""

    entity_id: str
    name: str
    state: str
    score: float | None = None
    reasons: tuple[str, ...] = ()

    @property
    def element(self) -> str:
        """The id of the element with its state."""
        return "state-" + self.entity_id.replace(".", "-")


@dataclass(frozen=True, slots=True)
class Room:
    """A room, or what is in none (``name`` empty)."""

    name: str
    things: tuple[Thing, ...]


@dataclass(frozen=True, slots=True)
class Storey:
    """A floor, or the rooms that are on none (``name`` empty)."""

    name: str
    rooms: tuple[Room, ...]


Hits = Mapping[str, tuple[float, tuple[str, ...]]]


def add_home(api: FastAPI, app: App, renderer: Renderer, closing: asyncio.Event) -> None:
    """`/home`, and the stream of what changes in it."""
    watching = 0

    @api.get("/home", response_model=None, include_in_schema=False)
    @shown(renderer)
    async def show(request: Request) -> Response:
        await app.need_home()
        query = request.query_params.get("q", "").strip()
        hits = await _hits(app, request, query) if query else {}
        answers = await asyncio.to_thread(load_answers, renderer.language(request))
        storeys = await asyncio.to_thread(_storeys, app.home.exposed(), app.home, answers, hits)
        every = {thing.entity_id: thing for floor in storeys for room in floor.rooms for thing in room.things}
        found = [every[entity_id] for entity_id in hits if entity_id in every]
        # Of thousands of things this takes long.
        make = partial(renderer.page, request, "home.html", storeys=storeys, query=query, found=found)
        return await asyncio.to_thread(make)

    @api.get("/home-changes", response_model=None, include_in_schema=False)
    @shown(renderer)
    async def changes(request: Request) -> Response:
        if watching >= app.settings.service.max_listeners:
            raise TooManyListeners(f"There are {watching} listeners already.")
        answers = await asyncio.to_thread(load_answers, renderer.language(request))
        return respond(stream(request, answers))

    async def stream(request: Request, answers: Answers | None) -> AsyncIterator[bytes]:
        nonlocal watching
        watching += 1
        try:
            # Who comes back has missed something: they are shown all of it.
            missed = "last-event-id" in request.headers
            yield b"id: 1\n\n"
            async for ids in _changed(app.home, closing, everything=missed):
                entities = (app.home.entity(entity_id) for entity_id in sorted(ids))
                things = [_thing(one, app.home, answers, {}) for one in entities if one is not None and one.exposed]
                yield as_event(renderer.part(request, "states.html", things=things)) if things else b": still here\n\n"
        finally:
            watching -= 1


async def _hits(app: App, request: Request, query: str) -> Hits:
    """What a text finds, the best first."""
    found = await search_entities(app, checked(visitor(request), request_fields.SearchEntities, text=query))
    listed = found["found"]
    assert isinstance(listed, list)
    return {one["entity_id"]: (one["score"], tuple(one["reasons"])) for one in listed}


async def _changed(home: Home, closing: asyncio.Event, *, everything: bool) -> AsyncIterator[frozenset[str]]:
    """Ids of what changed since the last time; none where nothing has for long."""
    changed = {one.entity_id for one in home.exposed()} if everything else set()
    news = asyncio.Event()

    def hear(change: HomeChange) -> None:
        if change.kind is ChangeKind.STATES:
            changed.update(change.entity_ids)
            news.set()

    if changed:
        news.set()
    stop, quiet = home.listen(hear), 0
    try:
        while not closing.is_set():
            try:
                async with asyncio.timeout(_LOOK):
                    await news.wait()
            except TimeoutError:
                quiet += 1
                if quiet % _STILL_HERE == 0:
                    yield frozenset()
                continue
            await asyncio.sleep(_TOGETHER)
            now = frozenset(changed)
            changed.clear()
            news.clear()
            yield now
    finally:
        stop()


def _storeys(entities: Iterable[Entity], home: Home, answers: Answers | None, hits: Hits) -> list[Storey]:
    """From the ground up; what has no floor or room comes last."""
    rooms: dict[Floor | None, dict[Area | None, list[Thing]]] = {}
    for entity in sorted(entities, key=lambda one: one.name.casefold()):
        things = rooms.setdefault(entity.floor, {}).setdefault(entity.area, [])
        things.append(_thing(entity, home, answers, hits))
    return [
        Storey(
            floor.name if floor else "",
            tuple(
                Room(area.name if area else "", tuple(rooms[floor][area])) for area in sorted(rooms[floor], key=_name)
            ),
        )
        for floor in sorted(rooms, key=_level)
    ]


def _level(floor: Floor | None) -> tuple[bool, bool, int, str]:
    level = floor.level if floor else None
    return floor is None, level is None, level or 0, floor.name if floor else ""


def _name(area: Area | None) -> tuple[bool, str]:
    return area is None, area.name.casefold() if area else ""


def _thing(entity: Entity, home: Home, answers: Answers | None, hits: Hits) -> Thing:
    score, reasons = hits.get(entity.entity_id, (None, ()))
    raw = home.state_text(entity.entity_id) or "unknown"
    return Thing(entity.entity_id, entity.name, said_state(entity, raw, answers), score, reasons)


def said_state(entity: Entity, raw: str, answers: Answers | None) -> str:
    """A state as people say it: "open" for a window that is on, and a figure with its unit."""
    said = answers.state(kind_of(entity), raw) if answers else raw
    return f"{raw} {entity.unit}" if said == raw and entity.unit else said


def kind_of(entity: Entity) -> str:
    """The kind that a state's words are of: the device class where on and off are said otherwise, else nothing."""
    return (entity.device_class or "") if entity.domain == "binary_sensor" else ""
