"""A language pack made ready for look-ups: what each phrase can stand for."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from homeagent.languages.concepts import (
    Attribute,
    Colour,
    Concept,
    Count,
    Courteous,
    Extreme,
    Heading,
    Level,
    Ordinal,
    Purpose,
    Quality,
    Question,
    Reference,
    Role,
    Share,
    StateWord,
    Way,
    White,
)
from homeagent.languages.folder import Part, file_of, languages_with
from homeagent.languages.language_codes import best_match
from homeagent.languages.pack_schema import Inflection, PackFile, TaskVerbs, read_pack
from homeagent.languages.safety import OfSafety, Said, safety_words
from homeagent.languages.sounds import Sounds, sounds_of
from indexer.lexicon import ConceptWord
from indexer.lexicon import lexicon as kind_words
from indexer.normalise import composed, decomposed, unaccented
from indexer.words import normalise

_FIRST_COMPOSED = 21
_UMLAUT = "ä"
"""A letter that only languages have in which vowels with two dots are letters of their own."""
_Endings = dict[str, tuple[Role | Question | Reference, ...]]


@dataclass(frozen=True, slots=True)
class Pack:
    """All that is known of a language. Phrases are in comparable spelling, words joined by single spaces.

    ``digits``: number words as digits. ``vocabulary``: the words that a misspelt one may be meant for. ``endings``,
    ``verb_endings``: what may hang on a word, with its role, in decomposed letters. ``possessives``, ``separable``,
    ``infixes``, ``compounds``, ``postpositions``, ``inflections``, ``alike``, ``adjectives_behind``, ``subject_tells``,
    ``clitics``, ``told_endings``, ``written_together``, ``after_vowel``, ``after_consonant``: as in `PackFile`.
    ``contractions``, ``gerunds``, ``pasts``, ``third_person``, ``vocatives``, ``partitives``, too.
    ``courteous``: what a word may do in a courtesy. ``safety``: what phrases say where safety is asked about.
    ``spelled``: what single words say that are written with accents, by that spelling in lower case.
    ``misread``: what words do not say that others do, which would be the same to who types umlauts without their key;
    None where the language has umlauts.
    ``prepositions`` of place and ``articles``: the words that are nothing else in a sentence than small ones.
    ``sounds``: how words sound; ``transcribed``: how names in Latin letters do. ``settled``: as in `PackFile`.
    """

    language: str
    phrases: Mapping[str, tuple[Concept, ...]]
    kinds: Mapping[str, ConceptWord]
    adverb_endings: tuple[str, ...] = ()
    contractions: frozenset[str] = frozenset()
    gerunds: tuple[str, ...] = ()
    pasts: tuple[str, ...] = ()
    third_person: tuple[str, ...] = ()
    rooms: tuple[frozenset[str], ...] = ()
    storeys: Mapping[Way, frozenset[str]] = field(default_factory=dict)
    alike: tuple[frozenset[str], ...] = ()
    things_for: Mapping[Purpose, frozenset[str]] = field(default_factory=dict)
    options: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    tasks: TaskVerbs | None = None
    genres: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    digits: Mapping[str, str] = field(default_factory=dict)
    endings: Mapping[str, tuple[Role | Question | Reference, ...]] = field(default_factory=dict)
    possessives: tuple[str, ...] = ()
    verb_endings: Mapping[str, tuple[Role | Question | Reference, ...]] = field(default_factory=dict)
    separable: tuple[str, ...] = ()
    infixes: tuple[str, ...] = ()
    compounds: tuple[str, ...] = ()
    postpositions: bool = False
    written_together: bool = False
    vocabulary: frozenset[str] = frozenset()
    longest: int = 1
    inflections: tuple[Inflection, ...] = ()
    after_vowel: frozenset[str] = frozenset()
    after_consonant: frozenset[str] = frozenset()
    adjectives_behind: bool = False
    subject_tells: bool = False
    clitics: tuple[str, ...] = ()
    told_endings: tuple[str, ...] = ()
    vocatives: tuple[str, ...] = ()
    spelled: Mapping[str, frozenset[Concept]] = field(default_factory=dict)
    misread: Mapping[str, frozenset[Concept]] | None = None
    outdoor_rooms: frozenset[str] = frozenset()
    outside: frozenset[str] = frozenset()
    of_wind: frozenset[str] = frozenset()
    partitives: frozenset[str] = frozenset()
    than: frozenset[str] = frozenset()
    courteous: Mapping[str, frozenset[Courteous]] = field(default_factory=dict)
    safety: Said[OfSafety] | None = None
    sounds: Sounds = field(default_factory=Sounds)
    transcribed: Sounds = field(default_factory=Sounds)
    settled: frozenset[str] = frozenset()
    prepositions: frozenset[str] = frozenset()
    articles: frozenset[str] = frozenset()


def languages() -> tuple[str, ...]:
    """Languages that have a pack."""
    return languages_with(Part.WORDS)


@cache
def load_pack(language: str) -> Pack | None:
    """The pack of a language; None where there is none. Raises `InvalidLanguagePack`."""
    code = best_match(language, languages())
    return make_pack(read_pack(path_of(code))) if code is not None else None


def path_of(code: str) -> Path:
    """The file of one of the `languages`."""
    return file_of(code, Part.WORDS)


def make_pack(file: PackFile) -> Pack:
    """The pack of what was read."""
    phrases: dict[str, dict[Concept, None]] = {}
    for phrase, concept in _said(file):
        phrases.setdefault(normalise(phrase), {})[concept] = None
        if elided := _elided(phrase, file):
            phrases.setdefault(normalise(elided), {})[concept] = None
    for ending, roles in _by_ending(file.verb_endings).items():
        if Role.COURTESY in roles and "\u1100" <= ending[0] <= "\u1112":
            phrases.setdefault(composed(ending), {})[Role.COURTESY] = None
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
    vocabulary = frozenset(w for phrase in known for w in phrase.split())
    small = [w for w, meant in phrases.items() if w not in kinds and all(isinstance(c, Role) for c in meant)]
    numbers = _numbers(file)
    letters = {normalise(letter): normalise(called) for letter, called in file.letters.items()}
    return Pack(
        language=file.language,
        phrases={phrase: tuple(concepts) for phrase, concepts in phrases.items()},
        kinds=kinds,
        adverb_endings=tuple(file.adverb_endings),
        contractions=frozenset(map(normalise, file.contractions)),
        gerunds=tuple(map(normalise, file.gerunds)),
        pasts=tuple(map(normalise, file.pasts)),
        third_person=tuple(map(normalise, file.third_person)),
        rooms=tuple(frozenset(map(normalise, group)) for group in file.rooms),
        storeys={way: frozenset(map(normalise, said)) for way, said in file.storeys.items()},
        alike=tuple(frozenset(map(normalise, group)) for group in file.alike),
        things_for={purpose: frozenset(map(normalise, words.things)) for purpose, words in file.purposes.items()},
        options={v: tuple(map(normalise, said)) for values, said in file.options.items() for v in values.split("|")},
        tasks=file.tasks,
        genres={normalise(w): tuple(map(normalise, said)) for ws, said in file.genres.items() for w in ws.split("|")},
        digits={normalise(w): f"{value:g}" for value, said in numbers.items() for w in said},
        endings=_by_ending(file.endings),
        possessives=tuple(map(normalise, file.possessives)),
        verb_endings=_by_ending(file.verb_endings),
        separable=tuple(map(normalise, file.separable)),
        infixes=tuple(map(normalise, file.infixes)),
        compounds=tuple(map(normalise, file.compounds)),
        postpositions=file.postpositions,
        written_together=file.written_together,
        vocabulary=vocabulary,
        longest=max((phrase.count(" ") + 1 for phrase in known), default=1),
        inflections=tuple(file.inflections),
        after_vowel=frozenset(file.after_vowel),
        after_consonant=frozenset(file.after_consonant),
        adjectives_behind=file.adjectives_behind,
        subject_tells=file.subject_tells,
        clitics=tuple(sorted(map(normalise, file.clitics), key=len, reverse=True)),
        told_endings=tuple(decomposed(e) if file.postpositions else e for e in file.told_endings),
        vocatives=tuple(file.vocatives),
        spelled=_spelled(file),
        misread=_misread(file),
        outdoor_rooms=frozenset(map(normalise, file.outdoor_rooms)),
        outside=frozenset(map(normalise, file.outside)),
        of_wind=frozenset(map(normalise, file.of_wind)),
        partitives=frozenset(map(normalise, file.partitives)),
        than=frozenset(map(normalise, file.than)),
        courteous=_courteous(file),
        safety=safety.said if (safety := safety_words(file.language)) is not None else None,
        sounds=sounds_of(file.sounds, vocabulary, frozenset(p for p in known if " " in p), letters),
        transcribed=sounds_of(file.transcribed),
        settled=frozenset(map(normalise, file.settled)),
        prepositions=frozenset(w for w in small if Role.PLACE in phrases[w]),
        articles=frozenset(w for w in small if Role.ARTICLE in phrases[w]),
    )


def _spelled(file: PackFile) -> dict[str, frozenset[Concept]]:
    """What the words with accents say, by their spelling: "sí" is no "si". Only where accents tell forms apart."""
    found: dict[str, set[Concept]] = {}
    for phrase, concept in _said(file) if file.told_endings else ():
        spelling = phrase.casefold()
        if " " not in spelling and spelling != normalise(spelling):
            found.setdefault(spelling, set()).add(concept)
    return {spelling: frozenset(concepts) for spelling, concepts in found.items()}


def _misread(file: PackFile) -> dict[str, frozenset[Concept]] | None:
    """What the words with letters for which umlauts are typed without an umlaut key do not say, by their spelling
    without accents: "guests" are no "gusts". None where such letters may stand for umlauts.
    """
    said: dict[str, dict[str, set[Concept]]] = {}
    for phrase, concept in _said(file):
        if _UMLAUT in (spelling := phrase.casefold()):
            return None
        if " " not in spelling:
            said.setdefault(normalise(spelling), {}).setdefault(unaccented(spelling), set()).add(concept)
    return {
        spelling: frozenset(set().union(*alike.values()) - own)
        for normal, alike in said.items()
        for spelling, own in alike.items()
        if spelling != normal and len(alike) > 1
    }


def _courteous(file: PackFile) -> dict[str, frozenset[Courteous]]:
    """What the words of courtesies do in one."""
    found: dict[str, set[Courteous]] = {}
    for part, words in file.courtesies.items():
        for word in words:
            found.setdefault(normalise(word), set()).add(part)
    return {word: frozenset(parts) for word, parts in found.items()}


def _said(file: PackFile) -> Iterator[tuple[str, Concept]]:
    """Each phrase with a concept that it stands for, states aside; with their forms those that say what to do. A form
    that the file lists for what opens a question ("läuft …") orders nothing; nor does one in the third
    person that it lists for a state ("saugt …").
    """
    asking = {normalise(phrase) for phrase in file.questions.get(Question.YESNO, ())}
    states = (p for by_state in file.states.values() for said in by_state.values() for p in said)
    asking |= {normalise(p) for p in states if p.endswith(tuple(file.third_person))}
    doing: list[tuple[Concept, Iterable[str]]] = [*file.verbs.items(), *file.lists.items()]
    doing += [*file.draughts.items(), *file.playback.items()]
    doing += [(Heading(way), said) for way, said in file.directions.items()]
    doing += [(Heading(way, d), said) for d, by_way in file.comparatives.items() for way, said in by_way.items()]
    for concept, phrases in doing:
        for phrase in phrases:
            yield phrase, concept
            yield from ((form, concept) for form in _forms(phrase, file) if normalise(form) not in asking)
    for way, by_attribute in file.extremes.items():
        for attribute, said in by_attribute.items():
            yield from ((p, Extreme(way, attribute if isinstance(attribute, Attribute) else None)) for p in said)
    made = (
        {Level(percent): said for percent, said in file.levels.items()},
        _shares(file),
        {Quality(attribute): said for attribute, said in file.qualities.items()},
        {White(kelvin): said for kelvin, said in file.whites.items()},
        {Colour(name): said for name, said in file.colours.items()},
        {Count(value): said for value, said in _numbers(file).items()},
        {Ordinal(place): said for place, said in file.ordinals.items()},
        {purpose: words.asked for purpose, words in file.purposes.items()},
    )
    plain = (
        *(file.particles, file.dimensions, file.modes, file.choices, file.guards, file.amounts, file.units, file.roles),
        *(
            file.references,
            file.questions,
            file.attributes,
            file.topics,
            file.errands,
            file.skies,
            file.days,
            file.clock,
            file.chat,
            file.complaints,
            file.sunlight,
        ),
    )
    for section in (*plain, *made):
        for concept, phrases in section.items():
            yield from ((p, concept) for p in phrases)


def _shares(file: PackFile) -> Mapping[Concept, Sequence[str]]:
    """The phrases for shares of what something is now, with each adjective that may stand behind one."""
    found: dict[Concept, Sequence[str]] = {}
    for percent, said in file.shares.items():
        forms = [form for phrase in said.does for form in _forms(phrase, file)]
        found[Share(percent)] = [*said.does, *forms]
        for dimension, adjectives in file.positives.items():
            found[Share(percent, dimension)] = [f"{lead} {word}" for lead in said.leads for word in adjectives]
    return found


def _forms(phrase: str, file: PackFile) -> Iterator[str]:
    """The forms of a word, or of the first word of several where that is the verb."""
    verb, space, others = phrase.partition(" ")
    if space and not file.verb_first:
        return
    for form in file.inflections:
        if verb.endswith(form.cut):
            yield f"{verb.removesuffix(form.cut)}{form.add}{space}{others}"


def _elided(phrase: str, file: PackFile) -> str:
    """A phrase of several words as it is before a vowel; empty where that is the same."""
    before, _, last = phrase.rpartition(" ")
    short = file.elisions.get(last)
    return f"{before} {short}" if before and short else ""


def _by_ending(
    endings: Mapping[Role | Reference, Iterable[str]] | Mapping[Role | Question, Iterable[str]],
) -> _Endings:
    """Endings with their roles, in decomposed letters, the longest first."""
    found: _Endings = {}
    for role, said in endings.items():
        for ending in (decomposed(normalise(e) if e.isascii() else e) for e in said):
            found[ending] = (*found.get(ending, ()), role)
    return dict(sorted(found.items(), key=lambda pair: -len(pair[0])))


def _numbers(file: PackFile) -> dict[float, list[str]]:
    """The number words of a pack, those that are made of several included."""
    numbers = {value: list(said) for value, said in file.numbers.items()}
    for value in range(_FIRST_COMPOSED, 100) if file.tens is not None else ():
        ten, unit = float(value // 10 * 10), float(value % 10)
        if unit and value not in numbers and file.tens is not None:
            pairs = itertools.product(file.numbers.get(ten, []), file.numbers.get(unit, []))
            numbers[float(value)] = list(dict.fromkeys(file.tens.format(ten=t, unit=u) for t, u in pairs))
    halves = [h for h in file.roles.get(Role.HALF, []) if " " not in h and file.compounds]
    for whole in [v for v in numbers if halves and v.is_integer()]:
        numbers.setdefault(whole + 0.5, []).extend(n + h for n in numbers[whole] for h in halves if " " not in n)
    for power, forms in sorted(file.powers.items()):
        for count in range(2, 10):
            said = [form.format(n=n) for form in forms for n in file.numbers.get(count, [])]
            numbers.setdefault(float(count * power), said)
    for thousands, hundreds in itertools.product(range(1000, 10_000, 1000), range(100, 1000, 100)):
        pairs = itertools.product(numbers.get(thousands, []), numbers.get(hundreds, []))
        said = [f"{t}{gap}{h}" for t, h in pairs for gap in ((" ",) if " " in t else ("", " "))]
        numbers.setdefault(float(thousands + hundreds), said)
    return numbers
