"""The live home as memory looks at it: things by the names that people say, and whose name is whose."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from homeagent.ha.home import Home
from indexer.entity import Entity
from memory.extract import LiveThing, LiveView, Subject
from memory.model import SubjectKind
from memory.name_index import ByName, KnownThings, bare
from memory.tokens import tokens

_PEOPLE = ("person.", "device_tracker.")


class _Names:
    """What is exposed and the rooms, by name. Made on the event loop, once for the home as it is; a thread may ask it,
    and the first who does has all names read."""

    def __init__(self, home: Home) -> None:
        self.exposed = home.exposed()
        self._areas = tuple(home.areas.values())

    @cached_property
    def things(self) -> ByName[Entity]:
        """By its own names and its room's."""
        return ByName((name, e) for e in self.exposed for name in (*_names(e), e.area.name if e.area else ""))

    @cached_property
    def subjects(self) -> ByName[Subject]:
        named = [(n, Subject(SubjectKind.ENTITY, e.entity_id, e.name)) for e in self.exposed for n in _names(e)]
        named += [(n, Subject(SubjectKind.AREA, a.area_id, a.name)) for a in self._areas for n in (a.name, *a.aliases)]
        return ByName(named)


class Things:
    """What is exposed, by its names. Made on the event loop; asked in a thread."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self._names = home.worked_out(_Names)

    def named(self, text: str) -> Sequence[LiveThing]:
        """The things whose name stands in the text, and those whose area does, as they are now."""
        found = {entity.entity_id: entity for entity in self._names.things.within(text)}
        return tuple(map(self._thing, found.values()))

    def also(self, nicknames: Mapping[str, Sequence[str]]) -> LiveView:
        """The same view for somebody who calls things by other names too: nickname -> entity ids."""
        called = [
            replace(self._thing(entity), names=(nickname,))
            for nickname, ids in nicknames.items()
            for entity in self._names.exposed
            if entity.entity_id in ids
        ]
        return _Both(self, KnownThings(called)) if called else self

    def _thing(self, entity: Entity) -> LiveThing:
        state = self._home.state(entity.entity_id)
        return LiveThing(
            entity_id=entity.entity_id,
            names=_names(entity),
            state=state.state if state else "",
            attributes=dict(state.attributes) if state else {},
            area=entity.area.name if entity.area else None,
        )


@dataclass(frozen=True, slots=True)
class _Both:
    """Things by their own names and by those that somebody gave them."""

    own: Things
    given: KnownThings

    def named(self, text: str) -> Sequence[LiveThing]:
        found = {thing.entity_id: thing for thing in self.own.named(text)}
        for thing in self.given.named(text):
            known = found.get(thing.entity_id)
            found[thing.entity_id] = replace(thing, names=(*known.names, *thing.names)) if known else thing
        return tuple(found.values())


def users_of(home: Home) -> dict[str, str]:
    """User id -> the name of the person in Home Assistant whose user it is."""
    found = {}
    for entity in home.of_domain("person"):
        state = home.state(entity.entity_id)
        if state and isinstance(user := state.attributes.get("user_id"), str):
            found[user] = entity.name
    return found


class Linker:
    """Finds who and what a statement is about, by names. Made on the event loop; a thread may use it."""

    def __init__(self, home: Home) -> None:
        self.users = users_of(home)
        self._home = home
        self._names = home.worked_out(_Names)
        self._people = ByName((name, Subject(SubjectKind.USER, i, name)) for i, name in self.users.items())
        firsts = ((name.split()[0], Subject(SubjectKind.USER, i, name)) for i, name in self.users.items() if name)
        self._first_names = ByName(firsts)

    def subjects(self, text: str) -> tuple[Subject, ...]:
        """Those whose whole name stands in the text: entities, areas, users. Blocks: the first time all names of the
        home are read."""
        said = tokens(text)
        found = {
            (subject.kind, subject.id): subject
            for place in range(len(said))
            for names in (self._names.subjects, self._people)
            for subject in names.at(said, place)
        }
        return tuple(found.values())

    def people_called(self, name: str) -> Sequence[Subject]:
        """The users who are called by this name, the whole of it or its first word, whatever its case."""
        said = tuple(tokens(name))
        return self._people.called(said) or self._first_names.called(said)

    def things(self, phrase: str) -> list[Subject]:
        """What is called by the whole phrase, an article before it or not, and can be called something else: no people,
        no rooms."""
        return [
            subject
            for words in bare(tokens(phrase))
            for subject in self._names.subjects.called(words)
            if subject.kind == SubjectKind.ENTITY and not subject.id.startswith(_PEOPLE)
        ]

    def is_thing(self, phrase: str) -> bool:
        """Whether something of the home is called by the whole phrase, see `things`."""
        return bool(self.things(phrase))

    def entity(self, entity_id: str) -> Subject | None:
        """The exposed entity of this id, as a subject; None where there is none."""
        entity = self._home.entity(entity_id)
        return Subject(SubjectKind.ENTITY, entity_id, entity.name) if entity and entity.exposed else None


def _names(entity: Entity) -> tuple[str, ...]:
    names = entity.names if entity.device_name is None else (*entity.names, entity.device_name)
    return tuple(dict.fromkeys(name for name in names if name))
