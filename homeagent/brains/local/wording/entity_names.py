"""What entities are called in an answer."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping

from homeagent.ha.home import Home
from indexer.entity import Entity

_ENTITY_ID = re.compile(r"\b[a-z_]+\.[a-z0-9_]+\b")
_LONGEST_ERROR = 200


def unique_names(entity_ids: Iterable[str], home: Home) -> list[str]:
    """Names to tell things apart by: with the room where two bear the same name. Unknown ids as they are."""
    ids = list(entity_ids)
    entities = [home.entity(i) for i in ids]
    names = [e.name if e is not None else i for e, i in zip(entities, ids, strict=True)]
    for way in (_with_room, _by_alias, _by_id):
        shared = {name for name, count in Counter(names).items() if count > 1}
        names = [
            way(e, name) if name in shared and e is not None else name for name, e in zip(names, entities, strict=True)
        ]
    return names


def telling_names(entity_ids: Iterable[str], home: Home) -> list[str]:
    """Names for things that the person did not name: with the room where any other of the kind bears the same name."""
    ids = list(entity_ids)
    return [
        _with_room(e, name) if (e := home.entity(i)) and name == e.name and _has_namesake(e, home) else name
        for i, name in zip(ids, unique_names(ids, home), strict=True)
    ]


def _has_namesake(entity: Entity, home: Home) -> bool:
    called = home.worked_out(_by_name).get(entity.name, ())
    return any(o.domain == entity.domain and o.area != entity.area for o in called if o.entity_id != entity.entity_id)


def _by_name(home: Home) -> Mapping[str, list[Entity]]:
    found: defaultdict[str, list[Entity]] = defaultdict(list)
    for entity in home.exposed():
        found[entity.name].append(entity)
    return found


def _with_room(entity: Entity, name: str) -> str:
    return f"{name} ({entity.area.name})" if entity.area is not None else name


def _by_alias(entity: Entity, name: str) -> str:
    return next((a for a in entity.aliases if a != entity.name), name)


def _by_id(entity: Entity, name: str) -> str:
    return f"{entity.name} ({entity.object_id.replace('_', ' ')})"


def spoken(text: str, home: Home) -> str:
    """A text for programs as people can hear it: names in place of entity ids, and not endless."""

    def name(found: re.Match[str]) -> str:
        entity = home.entity(found.group())
        return entity.name if entity is not None else found.group()

    return shortened(_ENTITY_ID.sub(name, text), _LONGEST_ERROR)


def shortened(text: str, longest: int = 60) -> str:
    """A text of at most so many characters, cut between words where it can be."""
    if len(text) <= longest:
        return text
    cut = text[: longest - 1]
    return f"{cut[: cut.rfind(' ')] if ' ' in cut[longest // 2 :] else cut}…"
