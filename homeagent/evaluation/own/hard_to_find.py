"""Why an entity is hard to find, from what it is called and where it is, and what its owner can do about it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from indexer.entity import Area, Entity, Floor
from indexer.lexicon import lexicon
from indexer.words import words

_PLACED = frozenset(
    {"climate", "cover", "fan", "humidifier", "light", "lock", "media_player", "switch", "valve"}
)  # what people speak of by its room
_LONG = 6
_CODE = re.compile(r"(?=\w*\d)(?=\w*[^\W\d])\w{4,}|^[\w-]*_[\w-]*$|0x[0-9a-f]+", re.IGNORECASE)
_MOST_NAMED = 3


@dataclass(frozen=True, slots=True)
class Reason:
    """``code`` is stable for programs; ``why`` and ``advice`` are for people."""

    code: str
    why: str
    advice: str


class Reasons:
    """Knows all names of a home. ``always``: reasons that count although the name itself is found."""

    always = frozenset({"code", "name_of_a_place", "no_area", "same_name_and_room"})

    def __init__(
        self, entities: Iterable[Entity], areas: Iterable[Area], floors: Iterable[Floor], language: str
    ) -> None:
        self._lexicon = lexicon(language)
        self._bearers: defaultdict[str, list[Entity]] = defaultdict(list)
        for entity in entities:
            for name in {_plain(name) for name in entity.names}:
                self._bearers[name].append(entity)
        self._places = {_plain(name): name for place in areas for name in (place.name, *place.aliases)}
        self._places |= {_plain(name): name for place in floors for name in (place.name, *place.aliases)}

    def of(self, entity: Entity) -> list[Reason]:
        """All reasons that make the entity hard to find; empty where there are none."""
        found = (
            self._shared(entity),
            self._is_a_code(entity),
            self._is_a_place(entity),
            self._only_a_kind(entity),
            self._begins_another(entity),
            self._nowhere(entity),
            self._long(entity),
        )
        return [reason for reason in found if reason is not None]

    def _shared(self, entity: Entity) -> Reason | None:
        others = [e for e in self._bearers[_plain(entity.name)] if e.entity_id != entity.entity_id]
        if not others:
            return None
        named = _listed(e.entity_id for e in others)
        together = [e for e in others if _area_id(e) == _area_id(entity)]
        if not together:
            advice = f"Say the room with it, or add it to the name: {_suggested(entity)}."
            return Reason("same_name", f"{named} bears the same name", advice)
        where = "in the same room" if entity.area else "and neither is in a room"
        advice = "Give each a name of its own, such as what it is beside or what it is for."
        return Reason("same_name_and_room", f"{named} bears the same name, {where}", advice)

    def _is_a_code(self, entity: Entity) -> Reason | None:
        if not all(_is_code(name) for name in entity.names):
            return None
        return Reason(
            "code", "its name is a code that nobody says", f"Rename it or give it an alias: {_suggested(entity)}."
        )

    def _is_a_place(self, entity: Entity) -> Reason | None:
        place = self._places.get(_plain(entity.name))
        if place is None:
            return None
        return Reason(
            "name_of_a_place",
            f"it is called like the place {place!r}, which then means everything there",
            f"Add what it is: {_suggested(entity)}.",
        )

    def _only_a_kind(self, entity: Entity) -> Reason | None:
        if _plain(entity.name) not in self._lexicon.phrases:
            return None
        return Reason(
            "name_of_a_kind",
            "its name is the word for all of its kind",
            f"Add where it is or what it is for: {_suggested(entity)}.",
        )

    def _begins_another(self, entity: Entity) -> Reason | None:
        mine = _plain(entity.name)
        longer = [e for name, bearers in self._bearers.items() if name.startswith(f"{mine} ") for e in bearers]
        if not longer:
            return None
        return Reason(
            "begins_another",
            f"the name of {_listed(e.entity_id for e in longer)} begins with its name",
            "Give it a name that no other begins with.",
        )

    def _nowhere(self, entity: Entity) -> Reason | None:
        if entity.area is not None or entity.domain not in _PLACED:
            return None
        return Reason("no_area", "it is in no area, so no room finds it", "Put it, or its device, into an area.")

    def _long(self, entity: Entity) -> Reason | None:
        if min(len(words(name)) for name in entity.names) <= _LONG:
            return None
        return Reason("long_name", "its name is longer than what people say", "Give it a short alias.")


def _plain(name: str) -> str:
    return " ".join(words(name))


def _is_code(name: str) -> bool:
    return any(_CODE.search(part) for part in name.split())


def _area_id(entity: Entity) -> str | None:
    return entity.area.area_id if entity.area else None


def _suggested(entity: Entity) -> str:
    kind = entity.domain.replace("_", " ")
    name = kind if _is_code(entity.name) else entity.name
    if entity.area and _plain(entity.area.name) not in _plain(name):
        return f"“{entity.area.name} {name}”"
    return f"“{name} {kind}”" if _plain(kind) not in _plain(name) else "what it is for, in a word or two"


def _listed(names: Iterable[str]) -> str:
    listed = list(names)
    more = f" and {len(listed) - _MOST_NAMED} more" if len(listed) > _MOST_NAMED else ""
    return ", ".join(listed[:_MOST_NAMED]) + more
