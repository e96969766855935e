"""The live home as memory looks at it: things by the names that people say, and whose name is whose."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from homeagent.ha.home import Home
from indexer.entity import Entity
from memory.extract import LiveThing, Subject
from memory.model import SubjectKind
from memory.words import tokens


def things_of(home: Home) -> list[LiveThing]:
    """What is exposed, as it is now. Of the event loop."""
    found = []
    for entity in home.exposed():
        state = home.state(entity.entity_id)
        found.append(
            LiveThing(
                entity_id=entity.entity_id,
                names=_names(entity),
                state=state.state if state else "",
                attributes=dict(state.attributes) if state else {},
                area=entity.area.name if entity.area else None,
            )
        )
    return found


def users_of(home: Home) -> dict[str, str]:
    """User id -> the name of the person in Home Assistant whose user it is."""
    found = {}
    for entity_id, entity in home.entities.items():
        state = home.state(entity_id) if entity.domain == "person" else None
        if state and isinstance(user := state.attributes.get("user_id"), str):
            found[user] = entity.name
    return found


class Linker:
    """Finds who and what a statement is about, by names. Made of plain values, so that a thread may use it."""

    def __init__(self, home: Home) -> None:
        self.users = users_of(home)
        self._names: dict[str, str] = {e.entity_id: e.name for e in home.exposed()}
        named = [(Subject(SubjectKind.ENTITY, e.entity_id, e.name), _names(e)) for e in home.exposed()]
        named += [(Subject(SubjectKind.AREA, a.area_id, a.name), (a.name, *a.aliases)) for a in home.areas.values()]
        named += [(Subject(SubjectKind.USER, i, name), (name,)) for i, name in self.users.items()]
        self._named = named
        self._by_first: dict[str, list[tuple[list[str], Subject]]] | None = None

    def subjects(self, text: str) -> tuple[Subject, ...]:
        """Those whose whole name stands in the text: entities, areas, users. Blocks: the first time it reads all
        names."""
        if self._by_first is None:
            self._by_first = _by_first_word(self._named)
        said = tokens(text)
        found = {
            (subject.kind, subject.id): subject
            for place, word in enumerate(said)
            for words, subject in self._by_first.get(word, ())
            if said[place : place + len(words)] == words
        }
        return tuple(found.values())

    def entity(self, entity_id: str) -> Subject | None:
        name = self._names.get(entity_id)
        return None if name is None else Subject(SubjectKind.ENTITY, entity_id, name)


def _by_first_word(named: Sequence[tuple[Subject, Sequence[str]]]) -> dict[str, list[tuple[list[str], Subject]]]:
    found: defaultdict[str, list[tuple[list[str], Subject]]] = defaultdict(list)
    for subject, names in named:
        for name in names:
            if words := tokens(name):
                found[words[0]].append((words, subject))
    return found


def _names(entity: Entity) -> tuple[str, ...]:
    names = entity.names if entity.device_name is None else (*entity.names, entity.device_name)
    return tuple(dict.fromkeys(name for name in names if name))
