"""The names of one home, in the comparable spelling of one language: what a stretch of words may name there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from functools import cached_property
from typing import Any

from homeagent.languages.concepts import Chat, Particle, Role, ShoppingWord, Way
from homeagent.languages.pack import Pack
from homeagent.languages.sounds import NearSounds
from homeagent.understanding.spans import InArea, OnFloor
from indexer.entity import Area, Entity, Floor
from indexer.lexicon import Concept, EntityKind, domains_of
from indexer.normalise import decomposed
from indexer.selector import Selector
from indexer.words import normalise, words

LISTS, CALENDARS = "todo", "calendar"
"""Domains whose things hold what people plan."""
_LONGEST_PART = 5
"""Longer runs of a name's words are nothing that people call it by."""
_SHORTEST_ERRAND = 4
"""Letters of the beginning by which a list is known as one of what is to be bought: "boodschappenlijst"."""
_KEPT_SETS = 500
_MODES = "hvac_modes"


class HomeNames:
    """The names of the exposed things of a home for one language; a changed home needs a new one. ``attributes`` gives
    the present attributes of an entity by its id.
    """

    def __init__(
        self,
        entities: Iterable[Entity],
        areas: Iterable[Area],
        floors: Iterable[Floor],
        pack: Pack,
        attributes: Callable[[str], Mapping[str, Any]] = lambda _: {},
    ) -> None:
        self.pack = pack
        self.attributes = attributes
        self.entities = tuple(e for e in entities if e.exposed)
        self.by_id: Mapping[str, Entity] = {e.entity_id: e for e in self.entities}
        self.names: dict[str, dict[str, float]] = {}
        self.places: dict[str, list[InArea | OnFloor]] = {}
        self.owners: set[str] = set()
        """The places that are called by whom they belong to: they are meant behind a preposition only."""
        self._sets: dict[Selector, tuple[Entity, ...]] = {}
        self._kinds: dict[EntityKind, tuple[Entity, ...]] = {}
        self._of_concept: dict[tuple[str, bool], dict[str, Entity]] = {}
        self._said_of: dict[str, frozenset[str]] = {}
        self._domains = {e.entity_id: domains_of(e) for e in self.entities}
        self._by_area: dict[str, list[Entity]] = {}
        for entity in self.entities:
            if entity.area is not None:
                self._by_area.setdefault(entity.area.area_id, []).append(entity)
        self._name_places(tuple(areas), tuple(floors))
        spoken = frozenset().union(*pack.rooms, *pack.storeys.values())
        self.no_places = spoken - frozenset(self.places)
        for entity in self.entities:
            for name in entity.names:
                for called in self._otherwise(words(name)):
                    self._name(entity, called)
        known = (*self.names, *self.places)
        self.longest = max((p.count(" ") + 1 for p in known), default=1)
        self.vocabulary = frozenset(w for p in known for w in p.split()) | pack.vocabulary

    def called(self, phrase: str) -> tuple[tuple[str, ...], float]:
        """The ids of the best match for a phrase, and how much of their name it is: 1 all of it, 0.95 written as one
        word, 0.9 all but the area, 0.7 another part. Empty and 0 where nothing matches.
        """
        by_id = self.names.get(phrase)
        if not by_id:
            return (), 0.0
        best = max(by_id.values())
        return tuple(i for i, share in by_id.items() if share == best), best

    @cached_property
    def errands(self) -> tuple[str, ...]:
        """The phrases for buying."""
        return tuple(p for p, meant in self.pack.phrases.items() if ShoppingWord.BUY in meant)

    @cached_property
    def shopping_lists(self) -> tuple[str, ...]:
        """The ids of the lists with a word for buying in their name; else of the home's only list."""
        lists = self.of_domain(LISTS)
        bought = tuple(p for p in self.errands if len(decomposed(p)) >= _SHORTEST_ERRAND)
        found = [e for e in lists if any(w.startswith(bought) for n in e.names for w in words(n))]
        return tuple(e.entity_id for e in (found or (lists if len(lists) == 1 else ())))

    def warm(self) -> None:
        """Build what only some sentences need: the sounds of words, and the phrases for buying."""
        _ = self.pack.sounds.near, self._near, self.shopping_lists

    def sounding(self, word: str) -> tuple[str, ...]:
        """The words of the language and of the home with the same sound."""
        return self.of_sound(self.pack.sounds.of(word))

    def of_sound(self, sound: str) -> tuple[str, ...]:
        """The words of the language and of the home that sound so."""
        return (*self.pack.sounds.alike.get(sound, ()), *self._own_sounds.get(sound, ()))

    def near_sounds(self, sounds: Sequence[str]) -> list[list[tuple[str, float]]]:
        """For each sound the words that sound nearly so, with how far off they are, as in `NearSounds`."""
        near = zip(self.pack.sounds.near.of(sounds), self._near.of(sounds), strict=True)
        return [[(w, far) for s, far in (spoken | own).items() for w in self.of_sound(s)] for spoken, own in near]

    @cached_property
    def _own_sounds(self) -> Mapping[str, tuple[str, ...]]:
        """The words that only the home has, by their sound."""
        return self.pack.sounds.by_sound(self.vocabulary - self.pack.sounds.words)

    @cached_property
    def _near(self) -> NearSounds:
        return NearSounds(self._own_sounds.keys() - self.pack.sounds.alike.keys())

    @cached_property
    def transcribed(self) -> Mapping[str, tuple[str, ...]]:
        """The names in Latin letters by what they look like in the letters of the language."""
        return self.pack.transcribed.by_sound(n for n in (*self.names, *self.places) if n.isascii())

    def select(self, selector: Selector) -> tuple[Entity, ...]:
        """The things that a person means by a selector."""
        found = self._sets.get(selector)
        if found is None:
            if len(self._sets) >= _KEPT_SETS:
                self._sets.clear()
            self._sets[selector] = found = selector.select(self._pool(selector))
        return found

    def counts_as(self, entity: Entity, domains: Set[str]) -> bool:
        """Whether people count a thing under one of these domains."""
        return not domains.isdisjoint(self._domains[entity.entity_id])

    def domains(self, entities: Iterable[Entity]) -> frozenset[str]:
        """The domains that people count these things under."""
        return frozenset(d for e in entities for d in self._domains[e.entity_id])

    def of_domain(self, domain: str) -> tuple[Entity, ...]:
        """All things that people count under a domain."""
        return self._of(EntityKind(domain))

    def in_areas(self, areas: Iterable[str]) -> tuple[Entity, ...]:
        """The things in these areas, area by area."""
        return tuple(e for area in areas for e in self._by_area.get(area, ()))

    def of_kind(self, concept: Concept, *, near: bool = False) -> Mapping[str, Entity]:
        """The things of a kind by id, hidden ones too; with ``near`` also those of related kinds.

        A thing that has none of the kind's modes counts only if its name holds a word for the kind: no heater is meant
        by "air conditioning". A related kind's thing counts only if its device class is none or one of these kinds': no
        garage door is meant by "curtain".
        """
        key = (concept.concept_id, near)
        if key not in self._of_concept:
            found = {e.entity_id: e for kind in concept.kinds for e in self._of(kind)}
            classes = {k.device_class for k in (*concept.kinds, *concept.near)} | {None}
            if near:
                found |= {e.entity_id: e for k in concept.near for e in self._of(k) if e.device_class in classes}
            meant = {i: e for i, e in found.items() if not any(k.matches(e) for k in concept.unlike)}
            self._of_concept[key] = meant
        found = self._of_concept[key]
        return {i: e for i, e in found.items() if self._may_be(concept, e)} if concept.modes else found

    def _may_be(self, concept: Concept, entity: Entity) -> bool:
        """Whether a thing has one of the kind's modes, tells none at all, or has a word for the kind in its name."""
        modes = self.attributes(entity.entity_id).get(_MODES)
        if not modes or not set(concept.modes).isdisjoint(modes):
            return True
        if concept.concept_id not in self._said_of:
            said = (phrase for phrase, word in self.pack.kinds.items() if concept in word.concepts)
            self._said_of[concept.concept_id] = frozenset(w for phrase in said for w in phrase.split())
        said_of = self._said_of[concept.concept_id]
        return any(not said_of.isdisjoint(words(name)) for name in entity.names)

    def _pool(self, selector: Selector) -> Iterable[Entity]:
        """Some superset of the things that a selector selects, smaller than the home where it can be."""
        if selector.area_ids:
            return self.in_areas(selector.area_ids)
        if selector.domains:
            return {e.entity_id: e for d in selector.domains for e in self.of_domain(d)}.values()
        return self.entities

    def _of(self, kind: EntityKind) -> tuple[Entity, ...]:
        if kind not in self._kinds:
            self._kinds[kind] = tuple(e for e in self.entities if kind.matches(e))
        return self._kinds[kind]

    def _name_places(self, areas: tuple[Area, ...], floors: tuple[Floor, ...]) -> None:
        for area in areas:
            for name in (area.name, *area.aliases):
                self._place(normalise(name), InArea(area.area_id))
        self._name_by_parts(areas)
        self._name_by_owners(areas)
        own = frozenset(self.places)
        for group in self.pack.rooms:
            here = {place: None for word in sorted(group & own) for place in self.places[word]}
            for word in sorted(group - own):
                for place in here:
                    self._place(word, place)
        for floor in floors:
            for name in (floor.name, *floor.aliases):
                self._place(normalise(name), OnFloor(floor.floor_id))
        if len(floors) > 1:
            by_level = sorted(floors, key=lambda f: f.level or 0)
            for way, floor in ((Way.UP, by_level[-1]), (Way.DOWN, by_level[0])):
                for word in sorted(self.pack.storeys.get(way, frozenset()) - frozenset(self.places)):
                    self._place(word, OnFloor(floor.floor_id))

    def _name_by_parts(self, areas: tuple[Area, ...]) -> None:
        """Name areas also by a word that stands in no other area's name and means nothing else ("Anna" for "Anna's
        room").
        """
        spoken = frozenset(w for group in self.pack.rooms for name in group for w in name.split())
        by_word: dict[str, set[str]] = {}
        for area in areas:
            for word in words(area.name):
                by_word.setdefault(word, set()).add(area.area_id)
        for word, ids in by_word.items():
            known = word in self.pack.phrases or word in self.pack.kinds or word in spoken or word in self.places
            if len(ids) == 1 and len(word) > 2 and not known:
                for ending in ("", *self.pack.possessives):
                    self._place(word + ending, InArea(next(iter(ids))))

    def _name_by_owners(self, areas: tuple[Area, ...]) -> None:
        """Name areas also by whom their name says that they belong to: "los niños" for "Cuarto de los niños"."""
        by_tail: dict[str, set[str]] = {}
        for area in areas:
            called = words(area.name)
            leads = [i for i, w in enumerate(called) if Role.PLACE in self.pack.phrases.get(w, ())]
            tail = called[leads[-1] + 1 :] if leads else ()
            if self._are_people(tail):
                by_tail.setdefault(" ".join(tail), set()).add(area.area_id)
        for called_so, ids in by_tail.items():
            if len(ids) == 1:
                self.places[called_so] = [InArea(next(iter(ids)))]
                self.owners.add(called_so)

    def _are_people(self, name: tuple[str, ...]) -> bool:
        """Whether words, with an article before them or not, say who does something: "los niños", "enfants"."""
        phrases = self.pack.phrases
        said = [phrases.get(" ".join(name), ())] if name else []
        if len(name) == 1:
            articles = [p for p, meant in phrases.items() if Role.ARTICLE in meant and " " not in p]
            said = [found for a in articles if (found := phrases.get(f"{a} {name[0]}", ()))]
        return any(found and all(c is Role.STATEMENT for c in found) for found in said)

    def _place(self, name: str, place: InArea | OnFloor) -> None:
        forms = (name, name.replace(" ", "")) if name.count(" ") == 1 else (name,)
        for form in forms:
            known = self.places.setdefault(form, [])
            if form and place not in known:
                known.append(place)

    def unlinked(self, name: Sequence[str]) -> Iterator[str]:
        """A name without the prepositions and articles within it, and with what they join turned round ("backlight of
        the tv": "tv backlight"); nothing where it has no preposition ("lock the front door")."""
        prepositions, articles = self.pack.prepositions, self.pack.articles
        links = [i for i in range(1, len(name) - 1) if name[i] in prepositions or name[i] in articles]
        if any(name[i] in prepositions for i in links):
            yield " ".join(w for i, w in enumerate(name) if i not in links)
            if links[-1] - links[0] < len(links):
                yield " ".join((*name[links[-1] + 1 :], *name[: links[0]]))

    def _otherwise(self, name: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        """A name, and each variant with one word replaced by a synonym."""
        yield name
        for i, word in enumerate(name):
            others = (other for group in self.pack.alike if word in group for other in sorted(group - {word}))
            yield from ((*name[:i], other, *name[i + 1 :]) for other in others)

    def _name(self, entity: Entity, name: tuple[str, ...]) -> None:
        """Enter a whole name, and each of its parts that says more than a place or a kind."""
        if not name:
            return
        self.names.setdefault(" ".join(name), {})[entity.entity_id] = 1.0
        if len(name) > 1:
            self.names.setdefault("".join(name), {}).setdefault(entity.entity_id, 0.95)
        for bare in self.unlinked(name):
            self.names.setdefault(bare, {}).setdefault(entity.entity_id, 0.95)
        area = entity.area
        place = frozenset(w for n in ((area.name, *area.aliases) if area else ()) for w in words(n))
        for size in range(1, min(len(name), _LONGEST_PART + 1)):
            for first in range(len(name) - size + 1):
                part = name[first : first + size]
                if self._tells(part, place):
                    share = 0.9 if {w for w in name if w not in self.pack.prepositions} - set(part) <= place else 0.7
                    self.names.setdefault(" ".join(part), {}).setdefault(entity.entity_id, share)

    def _tells(self, part: tuple[str, ...], place: frozenset[str]) -> bool:
        """Whether part of a name says more than its place, its kind and words with another meaning."""
        kinds, phrases = self.pack.kinds, self.pack.phrases
        if part[0] in self.pack.prepositions or part[-1] in self.pack.prepositions:
            return False
        own = [w for w in part if w not in place and w not in kinds and _size(w) > 2]
        if not own or (len(part) == 1 and (self._is_said(part[0]) or part[0] in kinds)):
            return False
        if not all(self._is_said(w) for w in own) or any(w in kinds for w in part):
            return True
        # "hue play": each word says something else, both together do not
        telling = [w for w in part if w in own or (w not in place and w not in kinds and self._says_more(w))]
        return len(telling) > 1 and " ".join(part) not in phrases

    def _is_said(self, word: str) -> bool:
        """Whether a word has a meaning of its own in a sentence; small-talk words count only where they stand alone, so
        not here.
        """
        return any(not isinstance(c, Chat) for c in self.pack.phrases.get(word, ()))

    def _says_more(self, word: str) -> bool:
        """Whether a word has a meaning besides roles and particles."""
        return any(not isinstance(c, Role | Particle) for c in self.pack.phrases.get(word, ()))


def _size(word: str) -> int:
    """Length in letters; a syllable that is one character counts 2."""
    return sum(2 if len(decomposed(c)) > 1 else 1 for c in word)


def is_of(concept: Concept, entity: Entity) -> bool:
    """Whether a thing is of a kind and not one of its exceptions."""
    return any(k.matches(entity) for k in concept.kinds) and not any(k.matches(entity) for k in concept.unlike)
