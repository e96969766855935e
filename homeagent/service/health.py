"""How the service and its parts are, in words for people and for monitoring."""

from __future__ import annotations

import asyncio
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from sqlalchemy import text

import homeagent
from homeagent.brains.llm.breaker import Circuit
from homeagent.errors import DatabaseError
from indexer.status import IndexStatus, Phase

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from homeagent.app import App
    from homeagent.brains.llm.language_model import ModelStatus


class Health(StrEnum):
    """How the whole or a part is, as `/health` tells it."""

    OK = "ok"
    WARMING_UP = "warming up"
    DEGRADED = "degraded"
    OFF = "off"
    """Not configured, which is no fault."""


Part = dict[str, Any]
_PHASES = {Phase.READY: Health.OK, Phase.DEGRADED: Health.DEGRADED}


async def health(app: App) -> dict[str, Any]:
    """``status`` of the whole and ``parts``, each with its own ``status``, and ``error`` and ``hint`` where it has one;
    ``home_assistant_bus``: whether events are fired there, so that the integration need not.

    A part that is degraded makes the whole degraded, else one that warms up makes it warming up. Tells no secrets.
    """
    database = await _database(app)
    parts = {
        "home_assistant": _home_assistant(app),
        "index": _index(app),
        "embedder": _embedder(app),
        "llm": _llm(app),
        "database": database,
        "memory": await _memory(app, database),
    }
    return {
        "status": _whole(parts),
        "version": homeagent.__version__,
        "home_assistant_bus": app.settings.events.home_assistant_bus,
        "parts": parts,
    }


def _whole(parts: dict[str, Part]) -> Health:
    statuses = {part["status"] for part in parts.values()}
    for status in (Health.DEGRADED, Health.WARMING_UP):
        if status in statuses:
            return status
    return Health.OK


def _home_assistant(app: App) -> Part:
    status = app.ha.status
    if status.error is not None and not status.connected:
        return {"status": Health.DEGRADED, "error": status.error.message, "hint": status.error.hint}
    if not (status.connected and app.home.ready):
        return {"status": Health.WARMING_UP}
    part: Part = {
        "status": Health.OK,
        "version": status.version,
        "since": status.since,
        "entities": len(app.home.entities),
        "exposed": len(app.home.exposed()),
        "exposure": status.exposure,
    }
    if status.warnings:
        part["warnings"] = list(status.warnings)
    return part


def _index(app: App) -> Part:
    status = app.index.status
    part: Part = {
        "status": _PHASES.get(status.phase, Health.WARMING_UP),
        "phase": status.phase.value,
        "entities": status.entities,
        "vectors": status.vectors,
    }
    return part | _trouble(status)


def _embedder(app: App) -> Part:
    status = app.index.status
    return {"status": _PHASES.get(status.phase, Health.WARMING_UP), "model": status.embedder, **_trouble(status)}


def _trouble(status: IndexStatus) -> Part:
    """What is wrong, and what to do about it; nothing while it loads."""
    if status.phase is not Phase.DEGRADED:
        return {}
    return {"error": status.detail, "hint": "Run `homeagent doctor` to see why."}


def _llm(app: App) -> Part:
    if app.llm is None:
        return {"status": Health.OFF}
    models = app.llm.status()
    part: Part = {"model": app.llm.name, "models": [_model(model) for model in models]}
    if problems := [model.problem for model in models if model.problem]:
        part["warnings"] = problems
    if app.llm.ready:
        first = models[0]
        if first.circuit is not Circuit.CLOSED and first.error is not None:
            error = f"{first.profile.name} is left alone for a while: {first.error.code}"
            return {"status": Health.DEGRADED, **part, "error": error, "hint": first.error.hint}
        return {"status": Health.OK, **part}
    if app.llm.error is not None:
        return {"status": Health.DEGRADED, **part, "error": app.llm.error.message, "hint": app.llm.error.hint}
    return {"status": Health.WARMING_UP, **part}


def _model(model: ModelStatus) -> Part:
    """A model of the chain. ``retry_in``: seconds that it is left alone for. What its provider says is not for
    everybody who reaches the service: the log and the doctor tell it.
    """
    part: Part = {
        "profile": model.profile.name,
        "model": model.profile.model.name,
        "circuit": model.circuit.value,
        "window": model.window,
    }
    if model.error is not None:
        part |= {"code": model.error.code, "retry_in": round(model.seconds_left, 1)}
    return part


async def _database(app: App) -> Part:
    try:
        await asyncio.to_thread(_ask, app.engine)
    except DatabaseError as error:
        return {"status": Health.DEGRADED, "error": error.message, "hint": error.hint}
    return {"status": Health.OK}


def _ask(engine: Engine) -> None:
    with engine.connect().execution_options(read_only=True) as connection:
        connection.execute(text("SELECT 1"))


async def _memory(app: App, database: Part) -> Part:
    if database["status"] is not Health.OK:
        return {"status": Health.DEGRADED, "error": "The database cannot be read."}
    status = await app.memories.status()
    part: Part = {"memories": status.memories, "waiting_for_vectors": status.pending_vectors}
    if app.index.status.phase is Phase.LOADING:
        return {"status": Health.WARMING_UP, **part}
    if status.problem is not None:
        return {"status": Health.DEGRADED, **part, "error": status.problem}
    return {"status": Health.OK if status.by_meaning else Health.WARMING_UP, **part}
