"""The services about what can be found: the home read anew, the index, the past summed up, and a search."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from homeagent.errors import InvalidParameters, NotExposed, UnknownTarget
from homeagent.service import request_fields
from homeagent.service.sse import Send
from homeagent.values.jsonable import jsonable
from indexer.words import nearest

if TYPE_CHECKING:
    from homeagent.app import App


async def reload_context(app: App, _fields: request_fields.ReloadContext) -> dict[str, Any]:
    """Read the home anew from Home Assistant; what was found."""
    return dict(await app.ha.reload())


async def reindex_entities(
    app: App, fields: request_fields.ReindexEntities, send: Send | None = None
) -> dict[str, Any]:
    """Bring the index in line with the home; what changed, and the seconds it took."""
    started = time.perf_counter()
    await app.need_home()
    report = await app.index.sync(force=fields.force, progress=_progress_to(send))
    return {**jsonable(report), "seconds": round(time.perf_counter() - started, 3)}


async def index_entity(app: App, fields: request_fields.IndexEntity) -> Any:
    """Bring the index of one exposed entity in line with the home."""
    await app.need_home()
    entity = app.home.entity(fields.entity_id)
    if entity is None:
        near = nearest(fields.entity_id, tuple(app.home.entities), 3)
        raise UnknownTarget(f"There is no entity {fields.entity_id}.", nearest=near)
    if not entity.exposed:
        raise NotExposed(f"{fields.entity_id} is not exposed, so it is not in the index.")
    return jsonable(await app.index.sync_entity(fields.entity_id))


async def index_history(app: App, fields: request_fields.IndexHistory, send: Send | None = None) -> object:
    """Sum up what is missing of the last days, and make it findable; what is there already is not done again."""
    await app.need_home()
    if app.recording is None:
        raise InvalidParameters("History is switched off.", hint="Set `history.enabled` to true.")

    def progress(phase: str, done: int, total: int) -> None:
        if send is not None:
            send("progress", {"phase": phase, "done": done, "total": total})

    return jsonable(await app.recording.fill(fields.days, progress))


async def search_entities(app: App, fields: request_fields.SearchEntities) -> dict[str, object]:
    """What retrieval finds for a text, with scores and reasons, and the states of what it found."""
    await app.need_home()
    retrieval = await app.search(fields.text, limit=fields.limit, language=fields.language, device_id=fields.device_id)
    found = [
        {
            "entity_id": f.entity.entity_id,
            "name": f.entity.name,
            "area": f.entity.area.name if f.entity.area else None,
            "state": app.home.state_text(f.entity.entity_id),
            "score": round(f.score, 4),
            "reasons": list(f.reasons),
        }
        for f in retrieval.found
    ]
    return {
        "query": retrieval.query,
        "found": found,
        "total": retrieval.total,
        "selector": jsonable(retrieval.selector),
        "also": jsonable(retrieval.also),
        "embedded": retrieval.embedded,
        "degraded": retrieval.degraded,
        "duration_ms": round(retrieval.duration_ms, 2),
    }


def _progress_to(send: Send | None) -> Callable[[int, int], None] | None:
    if send is None:
        return None
    return lambda done, total: send("progress", {"done": done, "total": total})
