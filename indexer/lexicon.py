"""What common words stand for ("lamp": lights, "pause": media players), read from data files, one a language.

``concepts.json`` says what a concept is in Home Assistant's terms; one without a row there is the domain of its name.
``kinds.yaml`` in each language's folder says which words say it. Taking a word out costs that word and nothing
else; a language without a file has no concept words and still has names, areas and numbers.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from rapidfuzz.distance import Prefix

from homeagent.languages.folder import Part, languages_with, read_part
from homeagent.languages.language_codes import best_match, parse
from indexer.entity import Entity
from indexer.words import forms_alike, normalise, words

_STEM = 4
"""Letters that the forms of a word for a kind begin with; shorter words are known as they are listed."""
_CONCEPTS = Path(__file__).with_name("concepts.json")


@dataclass(frozen=True, slots=True)
class EntityKind:
    """A domain, narrowed to a device class where one is given."""

    domain: str
    device_class: str | None = None

    def matches(self, entity: Entity) -> bool:
        """Whether people count the entity under the domain, and it has the device class, if one is named."""
        if self.device_class is not None and entity.device_class != self.device_class:
            return False
        return self.domain in domains_of(entity)


@dataclass(frozen=True, slots=True)
class Concept:
    """What a word stands for. ``kinds`` it names, ``near`` it may mean too; ``hints`` are kinds that a verb implies.

    ``states`` are the live states that make an entity the likelier one ("pause": what plays). ``narrows`` are the
    domains that a verb picks out of what a noun may mean ("set the temperature": a thermostat's). ``unlike`` are of
    ``kinds``, and not named all the same. ``modes``: of one of these a thing has to have one that is named.
    """

    concept_id: str
    kinds: tuple[EntityKind, ...] = ()
    near: tuple[EntityKind, ...] = ()
    hints: tuple[EntityKind, ...] = ()
    near_hints: tuple[EntityKind, ...] = ()
    states: tuple[str, ...] = ()
    narrows: tuple[str, ...] = ()
    unlike: tuple[EntityKind, ...] = ()
    modes: tuple[str, ...] = ()

    @property
    def domains(self) -> tuple[str, ...]:
        """The domains of ``kinds``, each once, in their order."""
        return tuple(dict.fromkeys(k.domain for k in self.kinds))

    @property
    def device_classes(self) -> tuple[str, ...]:
        """The classes, where every kind has one; else a selector must not narrow by class."""
        classes = [k.device_class for k in self.kinds if k.device_class is not None]
        return tuple(dict.fromkeys(classes)) if len(classes) == len(self.kinds) else ()


@dataclass(frozen=True, slots=True)
class ConceptWord:
    """A word or phrase of a language and the concepts that it can say."""

    concepts: tuple[Concept, ...]
    plural: bool


@dataclass(frozen=True, slots=True)
class Lexicon:
    """A language's words, in comparable spelling. Phrases are words joined by single spaces. ``head_first``: a name
    begins with the word that says what a thing is. ``inflected``: words have many forms, which begin alike."""

    language: str
    phrases: dict[str, ConceptWord] = field(default_factory=dict)
    sets: dict[str, frozenset[str]] = field(default_factory=dict)
    number_words: dict[str, str] = field(default_factory=dict)
    compounds: bool = False
    except_after: bool = False
    longest: int = 1
    head_first: bool = False
    inflected: bool = False

    def like(self, word: str) -> ConceptWord | None:
        """What a word says that is a form of a known one, where the language has so many that they are not listed."""
        if not self.inflected:
            return None
        known = [p for p in self.phrases if p[:_STEM] == word[:_STEM] and len(p) >= _STEM and forms_alike(word, p)]
        nearest = max(known, key=lambda phrase: Prefix.similarity(phrase, word), default=None)
        return self.phrases[nearest] if nearest is not None else None

    def has(self, name: str, phrase: str) -> bool:
        """Whether a phrase is in one of the file's lists (``every``, ``except``, ``here``, ``stop`` …)."""
        return phrase in self.sets.get(name, frozenset())


_LISTS = (
    "every", "which", "whole_home", "except", "here", "place", "sure_place", "place_endings", "not_places", "again",
    "stop", "units", "value_marks", "articles", "prefixes", "verbs", "before_verbs",
)  # fmt: skip


@cache
def concepts() -> dict[str, Concept]:
    """The concepts that are more or less than a domain, by id."""
    return {key: _concept(key, raw) for key, raw in json.loads(_CONCEPTS.read_text("utf-8")).items()}


@cache
def concept(concept_id: str) -> Concept:
    """A concept by its id; the domain of that name where there is no row for it."""
    return concepts().get(concept_id) or Concept(concept_id, (EntityKind(concept_id),))


@cache
def told_apart() -> frozenset[str]:
    """Domains of which each has several kinds of things that its classes do not tell, with words of their own."""
    return frozenset(k.domain for c in concepts().values() if c.modes or c.unlike for k in c.kinds)


def lexicon(language: str) -> Lexicon:
    """The language's words; an empty lexicon where there is no file for it."""
    code = best_match(language, languages())
    return _lexicon(code) if code is not None else Lexicon(parse(language).language)


def languages() -> tuple[str, ...]:
    """Languages that have a file."""
    return languages_with(Part.KINDS)


@cache
def _lexicon(language: str) -> Lexicon:
    found = read_part(language, Part.KINDS)
    raw: dict[str, Any] = found[1] if found is not None else {}
    phrases = _phrases(raw.get("concepts", {}))
    sets = {name: frozenset(normalise(p) for p in raw.get(name, ())) for name in _LISTS}
    longest = max((p.count(" ") + 1 for group in (phrases, *sets.values()) for p in group), default=1)
    return Lexicon(
        language,
        phrases,
        sets,
        {normalise(word): digits for word, digits in raw.get("numbers", {}).items()},
        raw.get("compounds") == "true",
        raw.get("except_after") == "true",
        longest,
        raw.get("head") == "first",
        raw.get("inflected") == "true",
    )


def _concept(concept_id: str, raw: dict[str, list[str]]) -> Concept:
    def kinds(part: str) -> tuple[EntityKind, ...]:
        return tuple(EntityKind(d, c or None) for d, _, c in (text.partition(":") for text in raw.get(part, ())))

    return Concept(
        concept_id,
        kinds("is"),
        kinds("near"),
        kinds("hint"),
        kinds("near_hint"),
        tuple(raw.get("states", ())),
        tuple(raw.get("narrows", ())),
        kinds("not"),
        tuple(raw.get("modes", ())),
    )


def _phrases(raw: dict[str, list[str]]) -> dict[str, ConceptWord]:
    """Phrase to concepts. A key that ends in ``+`` lists plural words."""
    collected: dict[str, tuple[list[Concept], bool]] = {}
    for key, spoken in raw.items():
        said, plural = concept(key.rstrip("+")), key.endswith("+")
        for phrase in map(normalise, spoken):
            meant, was_plural = collected.get(phrase, ([], False))
            collected[phrase] = ([*meant, said], was_plural or plural)
    return {phrase: ConceptWord(tuple(meant), plural) for phrase, (meant, plural) in collected.items()}


@cache
def _light_words() -> tuple[frozenset[str], frozenset[str]]:
    """Words for lights in every language: those that end a name ("desk lamp") and those that begin one ("lampe …")."""
    ends: set[str] = set()
    begins: set[str] = set()
    for language in languages():
        known = lexicon(language)
        where = begins if known.head_first else ends
        for phrase, word in known.phrases.items():
            if " " not in phrase and any(k.domain == "light" for c in word.concepts for k in c.kinds):
                where.add(phrase)
    return frozenset(ends), frozenset(begins)


@lru_cache(maxsize=50_000)
def _is_called_a_light(name: str) -> bool:
    ends, begins = _light_words()
    spoken = [w for w in words(name) if not w.isdigit()]
    if not spoken:
        return False
    last = spoken[-1]
    compound = any(len(end) >= 4 and last.endswith(end) for end in ends) and last.isalpha()
    return last in ends or spoken[0] in begins or compound


def domains_of(entity: Entity) -> tuple[str, ...]:
    """The domains that people count it under: its own, and ``light`` for a switch that is called a lamp."""
    if entity.domain == "switch" and any(_is_called_a_light(name) for name in entity.names):
        return ("switch", "light")
    return (entity.domain,)
