"""The live home as memory looks at it: things by the names that people say, and whose name is whose."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from homeagent.ha.home import Home
from indexer.entity import Entity
from memory.extract import LiveThing, LiveView, Subject
from memory.live import KnownThings, bare
from memory.model import SubjectKind
from memory.tokens import tokens

_PEOPLE = ("person.", "device_tracker.")


class Things:
    """What is exposed, by its names. They are read when somebody first asks: most turns leave nothing to be judged,
    and a large home has many names. Made on the event loop; asked in a thread."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self._exposed = home.exposed()
        self._known: KnownThings | None = None

    def named(self, text: str) -> Sequence[LiveThing]:
        """The things whose name stands in the text, and those whose area does, as they were when first asked."""
        if self._known is None:
            self._known = KnownThings(map(self._thing, self._exposed))
        return self._known.named(text)

    def also(self, nicknames: Mapping[str, Sequence[str]]) -> LiveView:
        """The same view for somebody who calls things by other names too: nickname -> entity ids."""
        called = [
            replace(self._thing(entity), names=(nickname,))
            for nickname, ids in nicknames.items()
            for entity in self._exposed
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
        self._exposed = home.exposed()
        self._areas = tuple(home.areas.values())
        self._by_first: dict[str, list[tuple[list[str], Subject]]] | None = None

    def subjects(self, text: str) -> tuple[Subject, ...]:
        """Those whose whole name stands in the text: entities, areas, users. Blocks: the first time it reads all
        names."""
        names = self._names_read()
        said = tokens(text)
        found = {
            (subject.kind, subject.id): subject
            for place, word in enumerate(said)
            for words, subject in names.get(word, ())
            if said[place : place + len(words)] == words
        }
        return tuple(found.values())

    def things(self, phrase: str) -> list[Subject]:
        """What is called by the whole phrase, an article before it or not, and can be called something else: no people,
        no rooms."""
        names = self._names_read()
        return [
            subject
            for way in bare(tokens(phrase))
            for words, subject in names.get(way[0] if way else "", ())
            if tuple(words) == way and subject.kind == SubjectKind.ENTITY and not subject.id.startswith(_PEOPLE)
        ]

    def is_thing(self, phrase: str) -> bool:
        return bool(self.things(phrase))

    def entity(self, entity_id: str) -> Subject | None:
        entity = self._home.entity(entity_id)
        return Subject(SubjectKind.ENTITY, entity_id, entity.name) if entity and entity.exposed else None

    def _names_read(self) -> dict[str, list[tuple[list[str], Subject]]]:
        if self._by_first is None:
            self._by_first = _by_first_word(self._named())
        return self._by_first

    def _named(self) -> list[tuple[Subject, Sequence[str]]]:
        named: list[tuple[Subject, Sequence[str]]] = [
            (Subject(SubjectKind.ENTITY, e.entity_id, e.name), _names(e)) for e in self._exposed
        ]
        named += [(Subject(SubjectKind.AREA, a.area_id, a.name), (a.name, *a.aliases)) for a in self._areas]
        named += [(Subject(SubjectKind.USER, i, name), (name,)) for i, name in self.users.items()]
        return named


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
