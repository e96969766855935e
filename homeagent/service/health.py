"""How the service and its parts are, in words for people and for monitoring."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Any

import homeagent

if TYPE_CHECKING:
    from homeagent.app import App


class Health(StrEnum):
    OK = "ok"
    WARMING_UP = "warming up"
    DEGRADED = "degraded"
    OFF = "off"
    """Not configured, which is no fault."""


Part = dict[str, Any]


def health(app: App) -> dict[str, Any]:
    """``status`` of the whole and ``parts``, each with its own ``status``, and ``error`` and ``hint`` where it has one.

    A part that is degraded makes the whole degraded, else one that warms up makes it warming up.
    """
    parts = {
        "home_assistant": _home_assistant(app),
        "index": _index(app),
        "embedder": _embedder(app),
        "llm": app.llm_health(),
        "database": app.database_health(),
        "memory": _memory(app),
    }
    return {"status": _whole(parts), "version": homeagent.__version__, "parts": parts}


def _whole(parts: dict[str, Part]) -> Health:
    statuses = {part["status"] for part in parts.values()}
    for status in (Health.DEGRADED, Health.WARMING_UP):
        if status in statuses:
            return status
    return Health.OK


def _home_assistant(app: App) -> Part:
    status = app.ha.status
    if status.error is not None:
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
        "status": _of_phase(status.phase),
        "phase": str(status.phase),
        "entities": status.entities,
        "vectors": status.vectors,
    }
    if status.detail:
        part["detail"] = status.detail
    return part


def _embedder(app: App) -> Part:
    status = app.index.status
    part: Part = {"status": _of_phase(status.phase), "model": status.embedder}
    if part["status"] is Health.DEGRADED:
        part |= {"error": status.detail or "The embedder does not run.", "hint": "Run `homeagent doctor` to see why."}
    return part


def _of_phase(phase: Any) -> Health:
    return {"ready": Health.OK, "degraded": Health.DEGRADED}.get(str(phase), Health.WARMING_UP)


def _memory(app: App) -> Part:
    """Memories are found by meaning, so they are as well as the embedder and the database are."""
    if app.database_health()["status"] is not Health.OK:
        return {"status": Health.DEGRADED, "error": "The database cannot be read."}
    return {"status": _of_phase(app.index.status.phase)}
