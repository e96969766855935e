"""What a name says, word by word: lists of words and phrases, and the head of a name, in ten languages.

Words of ways in, and of what is harmless, stand in ``openings.yaml``; of what burns, floods, protects or cannot be
undone in ``effects.yaml``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from homeagent.languages.folder import read_words
from indexer.entity import Entity
from indexer.words import normalise, words

_FOLDER = Path(__file__).parent
_MOST_KNOWN = 20_000
_CASE_BORDER = re.compile(r"(?<=[a-zà-ÿ])(?=[A-Z])")
_SEGMENTS = re.compile(r"\s+[-–—|]\s+|[:;,()\[\]]|\s*->\s*")
_LANGUAGES = ("en", "de", "fr", "es", "nl", "it", "pt", "pl", "ru", "ko")


class Topic(StrEnum):
    """The lists of words, as they are called in the files."""

    OPENINGS = "openings"
    LOCKS = "locks"
    GARAGES = "garages"
    SHADES = "shades"
    WAYS_IN = "ways_in"
    OPENS = "opens"
    MOVES = "moves"
    HARMLESS = "harmless"
    TITLES = "titles"
    INSIDE = "inside"
    WORKED = "worked"
    OF = "of"
    NEITHER = "neither"
    FIRE = "fire"
    HEATERS = "heaters"
    WATER = "water"
    PROTECTION = "protection"
    IRREVERSIBLE = "irreversible"
    DRAINS = "drains"
    HIDING = "hiding"
    ENDING = "ending"
    CLOSES = "closes"
    NOT_MEANT = "not_meant"


class Head(StrEnum):
    """Where a language has the word that says what a thing is."""

    FIRST = "first"
    LAST = "last"
    EITHER = "either"


Called = tuple[str, ...]
"""The comparable words of a name, in order."""


@dataclass(frozen=True, slots=True)
class Terms:
    """A list of words: whole ones, how words begin and end, what they hold, patterns; and phrases of several words."""

    whole: frozenset[str]
    beginnings: tuple[str, ...]
    endings: tuple[str, ...]
    held: tuple[str, ...]
    patterns: re.Pattern[str] | None
    phrases: re.Pattern[str] | None
    known: dict[str, bool] = field(default_factory=dict, compare=False)
    """Words that were looked for before: names share most of theirs."""

    def has(self, word: str) -> bool:
        """Whether a word alone is in the list."""
        if (known := self.known.get(word)) is None:
            if len(self.known) > _MOST_KNOWN:
                self.known.clear()
            known = self.known[word] = self._looked_for(word)
        return known

    def _looked_for(self, word: str) -> bool:
        return (
            word in self.whole
            or word.startswith(self.beginnings)
            or word.endswith(self.endings)
            or any(piece in word for piece in self.held)
            or bool(self.patterns and self.patterns.fullmatch(word))
        )

    def at(self, called: Called) -> frozenset[int]:
        """The positions of the words that are in the list, alone or in a phrase."""
        found = {index for index, word in enumerate(called) if self.has(word)}
        if self.phrases:
            text, starts = _joined(called)
            for match in self.phrases.finditer(text):
                found |= {i for i, start in enumerate(starts) if match.start() <= start < match.end()}
        return frozenset(found)


@dataclass(frozen=True, slots=True)
class _Known:
    """The lists of all languages; ``harmless`` by where its languages have the head."""

    terms: Mapping[Topic, Terms]
    harmless: Mapping[Head, Terms]


@lru_cache(maxsize=32768)
def readings(text: str) -> tuple[Called, ...]:
    """The words of a name, as it is written and, where that differs, with "gatePulse" as two words."""
    return tuple(dict.fromkeys((words(text), split(text))))


def split(text: str) -> Called:
    """The comparable words of a name; "gatePulse" is two."""
    return words(_CASE_BORDER.sub(" ", text))


def ends(text: str) -> tuple[Called, ...]:
    """The first and the last part of a name that has several ("Camera: front door"), else nothing."""
    parts = [split(part) for part in _SEGMENTS.split(text) if part.strip()]
    return (parts[0], parts[-1]) if len(parts) > 1 else ()


def load() -> None:
    """Read the files of words, which takes a third of a second. Blocks."""
    _known()


def names_of(entity: Entity, says: Callable[[Called], bool]) -> tuple[str, ...]:
    """What an entity is called, each of which may tell what it is: name, aliases, its device's name before its own, as
    it belongs to that ("Oven" - "Power"), and its id. The id is only an older name: where a name already ``says``
    something of the matter ("Hob light"), ``light.hob`` adds nothing."""
    device = entity.device_name
    own = (f"{device} {entity.name}",) if device and device not in entity.name else ()
    names = (*entity.names, *own)
    return names if any(says(called) for name in names for called in readings(name)) else (*names, entity.object_id)


def hits(called: Called, topic: Topic) -> frozenset[int]:
    """The positions of the words of ``topic`` in a name."""
    return _known().terms[topic].at(called)


def is_about(text: str, topic: Topic) -> bool:
    """Whether a name holds a word of ``topic``, and its head is nothing else that is surely harmless.

    For what cannot be undone the head does not count: whatever is reset, it is ("Reset router").
    """
    for called in readings(text):
        meant = hits(called, topic) - hits(called, Topic.NOT_MEANT)
        if not meant or hits(called, Topic.TITLES):
            continue
        if topic is Topic.IRREVERSIBLE or not head_is_harmless(called, meant):
            return True
    return False


def unprotects(text: str) -> bool:
    """Whether a name says that something that protects is ended or hidden: "Disable alarm", "Privacy mode"."""
    for called in readings(text):
        if hits(called, Topic.HIDING) - hits(called, Topic.NOT_MEANT):
            return True
        if hits(called, Topic.ENDING) and hits(called, Topic.PROTECTION) - hits(called, Topic.NOT_MEANT):
            return True
    return False


def only_closes_by_name(text: str) -> bool:
    """Whether a name says that something is closed or locked, and nothing of opening: "Lock all"."""
    called = split(text)
    return bool(hits(called, Topic.CLOSES)) and not hits(called, Topic.OPENS)


def head_is_harmless(called: Called, meant: frozenset[int] = frozenset()) -> bool:
    """Whether the head of a name is surely harmless. The words at ``meant`` are what is asked about: never harmless."""
    known = _known()
    core = core_of(called)
    if not core:
        return False
    first, last = core[0], core[-1]
    prepositions = hits(called, Topic.OF)
    places = {head: terms.at(called) - meant for head, terms in known.harmless.items()}
    anywhere = frozenset[int]().union(*places.values())
    if any(index + 1 in prepositions for index in anywhere if index in (first, first + 1)):
        return True  # "light at the gate", whatever the language
    governed = bool(prepositions & set(range(first + 1, last)))
    if last in places[Head.LAST] | places[Head.EITHER] and not governed:
        return True
    if first in places[Head.FIRST] | places[Head.EITHER]:
        return True
    return last in anywhere and not governed


def core_of(called: Called) -> list[int]:
    """Positions of the words that say what a thing is, without numbers and words of how it is worked; of all words
    where that leaves none."""
    worked = hits(called, Topic.WORKED)
    spelt = [i for i, word in enumerate(called) if not word.isdigit()]
    return [i for i in spelt if i not in worked] or spelt


def tells_what_it_is(called: Called) -> bool:
    """Whether a name says more than how the thing is worked ("Relay 1")."""
    worked = hits(called, Topic.WORKED)
    return any(not word.isdigit() and len(word) > 1 and i not in worked for i, word in enumerate(called))


def read_file(name: str) -> Any:
    """The content of one of the policy's files of words."""
    return read_words((_FOLDER / name).read_text(encoding="utf-8"))


def _joined(called: Sequence[str]) -> tuple[str, list[int]]:
    """The words with a space around each, and where each begins."""
    starts, text = [], " "
    for word in called:
        starts.append(len(text))
        text += f"{word} "
    return text, starts


@cache
def _known() -> _Known:
    ways, effects = read_file("openings.yaml"), read_file("effects.yaml")
    lists: dict[Topic, list[str]] = {topic: [] for topic in Topic}
    harmless: dict[Head, list[str]] = {head: [] for head in Head}
    lists[Topic.LOCKS] += ways["brands"]
    for language in _LANGUAGES:
        for listed in (ways[language], effects["names"][language]):
            for name in listed.keys() - {"head"}:
                lists[Topic(name)] += listed[name]
        harmless[Head(ways[language]["head"])] += ways[language][Topic.HARMLESS]
    return _Known(
        {topic: _terms(terms) for topic, terms in lists.items()},
        {head: _terms(terms) for head, terms in harmless.items()},
    )


def _terms(listed: Iterable[str]) -> Terms:
    terms = list(listed)
    written = [term.strip("/") for term in terms if term.startswith("/")]
    bare = [(term, normalise(term).strip()) for term in terms if not term.startswith("/")]
    single = [(term, word) for term, word in bare if " " not in word]
    phrases = [re.escape(word) for _, word in bare if " " in word] + [text for text in written if " " in text]
    return Terms(
        whole=frozenset(word for term, word in single if not term.startswith("-") and not term.endswith("-")),
        beginnings=tuple(word for term, word in single if term.endswith("-") and not term.startswith("-")),
        endings=tuple(word for term, word in single if term.startswith("-") and not term.endswith("-")),
        held=tuple(word for term, word in single if term.startswith("-") and term.endswith("-")),
        patterns=_any_of([text for text in written if " " not in text]),
        phrases=_any_of(phrases, "(?<= )", "(?= )"),
    )


def _any_of(patterns: Sequence[str], before: str = "", after: str = "") -> re.Pattern[str] | None:
    if not patterns:
        return None
    return re.compile(f"{before}(?:{'|'.join(f'(?:{pattern})' for pattern in patterns)}){after}")
