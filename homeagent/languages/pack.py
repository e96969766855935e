"""A language pack made ready for look-ups: what each phrase can stand for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from homeagent.languages.concepts import (
    Colour,
    Concept,
    Count,
    Heading,
    Level,
    Purpose,
    StateWord,
    Way,
    White,
)
from homeagent.languages.schema import PackFile, read_pack
from indexer.concepts import ConceptWord, base_language
from indexer.concepts import lexicon as kind_words
from indexer.words import normalise

_FOLDER = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Pack:
    """All that is known of a language. Phrases are in comparable spelling, words joined by single spaces.

    ``common``: words that are no misspelling of others. ``digits``: number words as digits. ``vocabulary``: the words
    that a misspelt one may be meant for.
    """

    language: str
    phrases: Mapping[str, tuple[Concept, ...]]
    kinds: Mapping[str, ConceptWord]
    adverb_endings: tuple[str, ...] = ()
    rooms: tuple[frozenset[str], ...] = ()
    storeys: Mapping[Way, frozenset[str]] = field(default_factory=dict)
    things_for: Mapping[Purpose, frozenset[str]] = field(default_factory=dict)
    digits: Mapping[str, str] = field(default_factory=dict)
    common: frozenset[str] = frozenset()
    vocabulary: frozenset[str] = frozenset()
    longest: int = 1


def languages() -> tuple[str, ...]:
    """Languages that have a pack."""
    return tuple(sorted(p.stem for p in _FOLDER.glob("*.yaml")))


@cache
def load_pack(language: str) -> Pack | None:
    """The pack of a language; None where there is none. Raises `InvalidLanguagePack`."""
    base = base_language(language)
    if base not in languages():
        return None
    return make_pack(read_pack(_FOLDER / f"{base}.yaml"), _common(base))


def make_pack(file: PackFile, common: Iterable[str] = ()) -> Pack:
    """The pack of what was read."""
    phrases: dict[str, dict[Concept, None]] = {}
    for phrase, concept in _said(file):
        phrases.setdefault(normalise(phrase), {})[concept] = None
    phrases.pop("", None)
    states: dict[str, list[tuple[str, str]]] = {}
    for device_class, by_state in file.states.items():
        for raw, said in by_state.items():
            for phrase in map(normalise, said):
                states.setdefault(phrase, []).append((device_class, raw))
    for phrase, meant in states.items():
        phrases.setdefault(phrase, {})[StateWord(tuple(meant))] = None
    kinds = {p: w for p, w in kind_words(file.language).phrases.items() if any(c.kinds for c in w.concepts)}
    known = (*phrases, *kinds)
    return Pack(
        file.language,
        {phrase: tuple(concepts) for phrase, concepts in phrases.items()},
        kinds,
        tuple(file.adverb_endings),
        tuple(frozenset(map(normalise, group)) for group in file.rooms),
        {way: frozenset(map(normalise, said)) for way, said in file.storeys.items()},
        {purpose: frozenset(map(normalise, words.things)) for purpose, words in file.purposes.items()},
        {normalise(w): f"{value:g}" for value, said in file.numbers.items() for w in said},
        frozenset(common),
        frozenset(w for phrase in known for w in phrase.split()),
        max((phrase.count(" ") + 1 for phrase in known), default=1),
    )


def _said(file: PackFile) -> Iterator[tuple[str, Concept]]:
    """Each phrase with a concept that it stands for, forms of verbs included; states aside."""
    for verb, said in file.verbs.items():
        for phrase in said:
            yield phrase, verb
            yield from ((form, verb) for form in _forms(phrase, file))
    for dimension, by_way in file.comparatives.items():
        for way, said in by_way.items():
            yield from ((p, Heading(way, dimension)) for p in said)
    made = (
        {Heading(way): said for way, said in file.directions.items()},
        {Level(percent): said for percent, said in file.levels.items()},
        {White(kelvin): said for kelvin, said in file.whites.items()},
        {Colour(name): said for name, said in file.colours.items()},
        {Count(value): said for value, said in file.numbers.items()},
        {purpose: words.asked for purpose, words in file.purposes.items()},
    )
    plain = (
        *(file.particles, file.dimensions, file.modes, file.amounts, file.units, file.roles, file.questions),
        *(file.attributes, file.lists, file.topics, file.skies, file.days, file.clock, file.chat, file.complaints),
    )
    for section in (*plain, *made):
        for concept, phrases in section.items():
            yield from ((p, concept) for p in phrases)


def _forms(verb: str, file: PackFile) -> Iterator[str]:
    """The inflected forms of a verb of one word."""
    if " " in verb:
        return
    for form in file.inflections:
        if verb.endswith(form.cut):
            yield verb.removesuffix(form.cut) + form.add


def _common(language: str) -> frozenset[str]:
    path = _FOLDER / "common" / f"{language}.txt"
    if not path.exists():
        return frozenset()
    return frozenset(normalise(w) for w in path.read_text("utf-8").split("\n") if w and not w.startswith("#"))
