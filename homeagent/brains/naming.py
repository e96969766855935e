"""What entities are called in an answer."""

from __future__ import annotations

from collections.abc import Iterable

from homeagent.ha.home import Home


def unique_names(entity_ids: Iterable[str], home: Home) -> list[str]:
    """Names to tell things apart by: with the room where two bear the same name. Unknown ids as they are."""
    ids = list(entity_ids)
    entities = [home.entity(i) for i in ids]
    bare = [e.name if e is not None else i for e, i in zip(entities, ids, strict=True)]
    return [
        f"{name} ({e.area.name})" if bare.count(name) > 1 and e is not None and e.area is not None else name
        for name, e in zip(bare, entities, strict=True)
    ]
