"""The names that a home has: of entities, areas, floors and labels, ready to be looked for in a sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from rapidfuzz import fuzz, process

from indexer.entity import Area, Entity, Floor
from indexer.mentions import MentionKind
from indexer.normalise import is_syllabic
from indexer.words import normalise, words

_LONGEST_NAME = 12
_SHORTEST_LIKE = 4
_LIKENESS = 80


class Vocabulary:
    """Names by their comparable spelling. Changes with the home, entity by entity.

    ``places`` are areas and floors by spelling, each with its id and the name as people wrote it.
    """

    def __init__(self) -> None:
        self.longest = 1
        self.areas: dict[str, Area] = {}
        self.floors: dict[str, Floor] = {}
        self.places: dict[str, list[tuple[MentionKind, str]]] = {}
        self._places_by_size: dict[int, list[str]] = {}
        self._names: dict[str, dict[str, None]] = {}
        self._labels: dict[str, Counter[str]] = {}
        self._words: Counter[str] = Counter()
        self._known: list[str] | None = None

    def set_places(self, areas: Iterable[Area], floors: Iterable[Floor]) -> None:
        """Take the areas and floors anew."""
        self.areas = {a.area_id: a for a in areas}
        self.floors = {f.floor_id: f for f in floors}
        self.places = {}
        self._places_by_size = {}
        for area in self.areas.values():
            self._add_place(MentionKind.AREA, area.area_id, (area.name, *area.aliases))
        for floor in self.floors.values():
            self._add_place(MentionKind.FLOOR, floor.floor_id, (floor.name, *floor.aliases))

    def add(self, entity: Entity) -> None:
        """Take in an entity's names and labels."""
        self._known = None
        for phrase in _phrases(entity):
            self._names.setdefault(phrase, {})[entity.entity_id] = None
            self._grow(phrase)
            self._words.update(phrase.split())
        for label in entity.labels:
            phrase = normalise(label)
            self._labels.setdefault(phrase, Counter())[label] += 1
            self._grow(phrase)

    def remove(self, entity: Entity) -> None:
        """Forget the names and labels of an entity that was added."""
        self._known = None
        for label in entity.labels:
            self._labels[normalise(label)][label] -= 1
        for phrase in _phrases(entity):
            owners = self._names.get(phrase)
            if owners is None or entity.entity_id not in owners:
                continue
            del owners[entity.entity_id]
            self._words.subtract(phrase.split())
            if not owners:
                del self._names[phrase]

    def look_up(self, phrase: str) -> Mapping[MentionKind, tuple[str, ...]]:
        """What is called exactly this: ids of entities, areas and floors, names of labels."""
        found: dict[MentionKind, tuple[str, ...]] = {}
        if owners := self._names.get(phrase):
            found[MentionKind.NAME] = tuple(owners)
        for kind, value in self.places.get(phrase, ()):
            found[kind] = (*found.get(kind, ()), value)
        if phrase in self._labels and (labels := tuple(+self._labels[phrase])):
            found[MentionKind.LABEL] = labels
        return found

    def knows_word(self, word: str) -> bool:
        """Whether any entity's name has this word in it."""
        return self._words[word] > 0

    def words_like(self, word: str) -> list[str]:
        """Words of names that a word is, nearly spells, or begins with ("Schreibtischlampe": "Schreibtisch")."""
        if word.isdigit():
            return [word]
        if is_syllabic(word):
            return [word[:end] for end in range(len(word), 0, -1) if self.knows_word(word[:end])]
        known = self._known_words()
        near = process.extract(word, known, scorer=fuzz.ratio, score_cutoff=_LIKENESS, limit=None)
        stems = [w for w in known if word.startswith(w)]
        return list(dict.fromkeys([word, *(w for w, _, _ in near), *stems]))

    def _known_words(self) -> list[str]:
        if self._known is None:
            self._known = [w for w, count in self._words.items() if count > 0 and len(w) >= _SHORTEST_LIKE]
        return self._known

    def place_names(self) -> list[str]:
        """The names of areas and floors, as people wrote them."""
        return [*(a.name for a in self.areas.values()), *(f.name for f in self.floors.values())]

    def spellings_of_places(self, size: int) -> list[str]:
        """Comparable names of places that have so many words."""
        return self._places_by_size.get(size, [])

    def _add_place(self, kind: MentionKind, value: str, names: tuple[str, ...]) -> None:
        for phrase in filter(None, map(normalise, names)):
            entry = (kind, value)
            if phrase not in self.places:
                self._places_by_size.setdefault(phrase.count(" ") + 1, []).append(phrase)
            if entry not in self.places.setdefault(phrase, []):
                self.places[phrase].append(entry)
            self._grow(phrase)

    def _grow(self, phrase: str) -> None:
        self.longest = max(self.longest, min(_LONGEST_NAME, phrase.count(" ") + 1))


def _phrases(entity: Entity) -> set[str]:
    """The spellings that mean the entity exactly: name, aliases, and the id's two halves as typed or spoken."""
    spoken = {normalise(name) for name in entity.names}
    spoken.add(normalise(entity.entity_id))
    slug = words(entity.object_id)
    if len(slug) > 1:
        spoken.add(" ".join(slug))
    return {p for p in spoken if len(p) > 1 or is_syllabic(p)}
