"""What a short answer to "Shall I?" means. A yes may open a door, so it is one only where every word of it agrees.

The words are data: ``consent.yaml`` in each language's folder.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Any

from homeagent.languages.folder import Part, languages_with, read_part
from homeagent.languages.language_codes import best_match
from homeagent.languages.pack import load_pack
from indexer.words import tokens

_FALLBACK = "en"
_IT = "_"
_SOMEBODY = "…"
"""In a phrase: whoever it is, with what may hang on the last word."""
_MOST_NAMING = 3
"""Words that tell who it is."""
_STEM = 5
"""A word that begins with a known one of so many letters is taken for a form of it."""
_CLAUSES = re.compile(r"[,.;:!…\n–—]+|\s-\s")
_ASKS = re.compile(r"[?？؟¿]")
_TRAILS_OFF = re.compile(r"(?:…|\.\.)\W*$")
_DRAWN_OUT = re.compile(r"([^\W\d])\1{2,}")
_ANSWERS = ("yes", "no", "deny", "polite", "reassuring", "unclear")
_DEED = "deed"
_SAID_AS = {"unlock": "open", "press": "start", "trigger": "start", "toggle": "turn_on"}
"""Actions that are said again as another is."""
_LONGEST = 30
"""Words of an answer; what is longer is about something else."""
Patterns = Sequence[tuple[str, tuple[str, ...]]]
"""Each with the kind of what it explains."""


class Reply(StrEnum):
    """How a sentence answers a question for a yes."""

    YES = "yes"
    NO = "no"
    UNCLEAR = "unclear"
    """It answers, and neither: doubt, a question back, a condition, a further wish with the yes. To be asked again."""
    OTHER = "other"
    """It is about something else."""


@dataclass(frozen=True, slots=True)
class About:
    """What the question was about: its text, the actions it asks for, and what the one thing is called that it is
    about. Without names no name may stand in a yes. ``others``: words that name what else is in the home."""

    question: str = ""
    actions: frozenset[str] = frozenset()
    names: tuple[str, ...] = ()
    others: frozenset[str] = frozenset()


_NOTHING = About()


def is_yes(text: str, language: str) -> bool:
    """Whether ``text`` agrees and says nothing more ("yes please", not "yes and open the garage")."""
    return judge(text, (language,)) is Reply.YES


def is_no(text: str, language: str) -> bool:
    """Whether ``text`` declines and says nothing more."""
    return judge(text, (language,)) is Reply.NO


def judge(text: str, languages: Iterable[str], about: About = _NOTHING) -> Reply:
    """What ``text`` answers, in one of the languages or, since people mix it in, in English.

    Where it is understood to the last word in two languages, and differently, it is unclear.
    """
    books = _books()
    codes = dict.fromkeys([*(best_match(code, books) for code in languages), _FALLBACK])
    known = [books[code] for code in codes if code is not None]
    read = [_read(text, book, about, () if book is known[0] else known[:1]) for book in known]
    whole = {reply for reply, understood in read if understood}
    if len(whole) == 1:
        return whole.pop()
    return Reply.UNCLEAR if whole or any(reply is Reply.UNCLEAR for reply, _ in read) else Reply.OTHER


def begins_with_no(text: str, language: str) -> bool:
    """Whether the first clause of ``text`` declines, and none behind it agrees ("no, leave it, I'll take the bike")."""
    book = _books()[best_match(language, _books()) or _FALLBACK]
    reader = _reader(book, _NOTHING)
    first, *more = [reader.kinds(clause) or () for clause in _clauses(text)] or [()]
    return "no" in first and not any("yes" in kinds for kinds in (first, *more))


def takes_back(text: str, language: str) -> bool:
    """Whether ``text`` declines and says so twice ("no, don't", "oh no, forget it"): so it is against what was done,
    where a bare no or a "never mind" may be meant for nothing.
    """
    book = _books()[best_match(language, _books()) or _FALLBACK]
    reader, said = _reader(book, _NOTHING), _words(text)
    if not is_no(text, language):
        return False
    for place, word in enumerate(said[:-1], start=1):
        first, kinds = reader.kinds((word,)), reader.kinds(said[place:]) or ()
        if "deny" in kinds or (first == ("no",) and "no" in kinds):
            return True
        if first not in (("no",), ("unclear",), ("polite",)):
            return False
    return False


def starts_with(text: str, language: str) -> Reply:
    """`Reply.YES` or `Reply.NO` where a text, such as an answer of ours, begins with one; else `Reply.OTHER`."""
    book = _books()[best_match(language, _books()) or _FALLBACK]
    known = {kind for first in _words(text)[:1] for kind, phrase in book.phrases.get(first, ()) if phrase == (first,)}
    return next((reply for reply in (Reply.YES, Reply.NO) if reply in known), Reply.OTHER)


@dataclass(frozen=True, slots=True)
class _Book:
    """The words of one language in comparable spelling; a phrase is a tuple of words."""

    phrases: Mapping[str, Patterns]
    """By their first word."""
    deeds: Mapping[str, tuple[tuple[str, ...], ...]]
    it: frozenset[str]
    particles: frozenset[str]
    name_endings: tuple[str, ...]
    ordinary: frozenset[str]
    """Words that say something in an order or a question, so that they tell nobody."""
    kinds: tuple[str, ...]
    """Words for kinds of things; what ends in one is such a thing, too."""


@dataclass(frozen=True, slots=True)
class _Reader:
    """Explains the words of one clause with a book and what the question was about."""

    book: _Book
    deeds: Patterns
    names: frozenset[str]
    others: frozenset[str]

    def kinds(self, words: Sequence[str]) -> tuple[str, ...] | None:
        """What the words are, in as few phrases as may be and rather without a yes; None where one is not known."""
        best: list[tuple[str, ...] | None] = [(), *[None] * len(words)]
        for start in range(len(words)):
            before = best[start]
            if before is None:
                continue
            for kind, pattern in (
                *self.book.phrases.get(words[start], ()),
                *self.book.phrases.get(_IT, ()),
                *self.deeds,
            ):
                for end in self._ends(pattern, words, start):
                    known, found = best[end], (*before, kind)
                    if end > start and (known is None or _cost(found) < _cost(known)):
                        best[end] = found
        return best[-1]

    def points(self, word: str) -> bool:
        """Whether a word only points at what the question was about, or names it."""
        endings = self.book.name_endings
        return word in self.book.it or word in self.names or any(word.removesuffix(e) in self.names for e in endings)

    def _ends(self, pattern: Sequence[str], words: Sequence[str], start: int) -> set[int]:
        """Where the pattern may end that begins at ``start``."""
        places = {start}
        for item in pattern:
            if item == _IT:
                places |= {end for place in places for end in self._pointing(words, place)}
            elif item.startswith(_SOMEBODY):
                ending = item.removeprefix(_SOMEBODY)
                places = {end for place in places for end in self._somebody(words, place, ending)}
            else:
                places = {place + 1 for place in places if place < len(words) and words[place] == item}
        return places

    def _somebody(self, words: Sequence[str], start: int, ending: str) -> Iterable[int]:
        """Where who it is may end, in words that the language knows for nothing else ("it's my *sister*")."""
        for place in range(start, min(len(words), start + _MOST_NAMING)):
            word = words[place]
            if not self._is_ordinary(word) and not self._is_ordinary(stem := word.removesuffix(ending)):
                if stem and word.endswith(ending):
                    yield place + 1
            else:
                return

    def _is_ordinary(self, word: str) -> bool:
        known = self.book.ordinary
        beginnings = any(word[:end] in known for end in range(_STEM, len(word)))
        return beginnings or word in known or word in self.others or word.endswith(self.book.kinds)

    def _pointing(self, words: Sequence[str], start: int) -> Iterable[int]:
        for place in range(start, len(words)):
            if not self.points(words[place]) and words[place] not in self.book.particles:
                return
            yield place + 1


def _read(text: str, book: _Book, about: About, own: Sequence[_Book]) -> tuple[Reply, bool]:
    """What the text answers, and whether that is understood to the last word. ``own``: the book of the language that is
    spoken, where that is another one."""
    clauses = _clauses(text)
    if sum(map(len, clauses)) > _LONGEST:
        return Reply.OTHER, False
    reader = _reader(book, about)
    read = [_denied(kinds) if (kinds := reader.kinds(clause)) else None for clause in clauses]
    if clauses and None not in read:
        found = {kind for kinds in read for kind in kinds or ()}
        return _answer(found, asks=_ASKS.search(text) is not None, trails=_TRAILS_OFF.search(text) is not None), True
    said = [word for clause in clauses for word in clause]
    answers = _is_about_it(said, reader, about) or _holds_yes(clauses, reader, own)
    return (Reply.UNCLEAR if answers else Reply.OTHER), False


def _answer(found: Set[str], *, asks: bool, trails: bool) -> Reply:
    """What an answer of these kinds of phrases comes to; ``trails``: it ends in dots."""
    agrees = "yes" in found or found >= {"reassuring", _DEED}
    if not agrees and not found & {"no", "unclear"} and _DEED in found:
        return Reply.OTHER  # the order once more, which is no answer: it may have been sent twice
    if asks:
        return Reply.UNCLEAR
    if agrees:
        return Reply.YES if not trails and not found & {"no", "unclear"} else Reply.UNCLEAR
    return Reply.NO if "no" in found and _DEED not in found else Reply.UNCLEAR


def _cost(kinds: tuple[str, ...]) -> tuple[int, bool]:
    return len(kinds), "yes" in kinds


def _denied(kinds: tuple[str, ...]) -> tuple[str, ...] | None:
    """The kinds of phrases, each denial joined with what it denies into a refusal; None where it denies anything else
    than a deed or nothing.
    """
    if "deny" not in kinds:
        return kinds
    place = kinds.index("deny")
    denied = [kind for kind in kinds[place + 1 :] if kind != "polite"]
    return (*kinds[:place], "no") if not denied or denied == [_DEED] else None


def _is_about_it(words: Sequence[str], reader: _Reader, about: About) -> bool:
    """Whether every word belongs to the question, such as the name in "The front door?"."""
    asked = set(_words(about.question))
    return bool(words) and all(word in asked or reader.points(word) for word in words)


def _holds_yes(clauses: Sequence[Sequence[str]], reader: _Reader, own: Sequence[_Book]) -> bool:
    """Whether what is not wholly understood begins or ends with a yes, and not with a word that is another one in its
    ``own`` language ("ya").
    """
    if not clauses:
        return False
    first, last = clauses[0], clauses[-1]
    parts = (*(first[:end] for end in range(1, len(first) + 1)), *(last[start:] for start in range(len(last))))
    agreeing = [part for part in parts if "yes" in (reader.kinds(part) or ())]
    return any(not any(_reader(book, _NOTHING).kinds(part) for book in own) for part in agreeing)


def _reader(book: _Book, about: About) -> _Reader:
    actions = {_SAID_AS.get(action, action) for action in about.actions}
    deeds = [(_DEED, pattern) for action in sorted(actions) for pattern in book.deeds.get(action, ())]
    names = frozenset(word for name in about.names for word in _words(name))
    return _Reader(book, deeds, names, about.others - names)


@cache
def _books() -> Mapping[str, _Book]:
    found = (read_part(code, Part.CONSENT) for code in languages_with(Part.CONSENT))
    return {code: _book(code, tables) for code, tables in filter(None, found)}


def _book(code: str, tables: Mapping[str, Any]) -> _Book:
    phrases: dict[str, list[tuple[str, tuple[str, ...]]]] = {}
    for kind in _ANSWERS:
        for phrase in _patterns(tables[kind]):
            first = _IT if phrase[0].startswith(_SOMEBODY) else phrase[0]
            phrases.setdefault(first, []).append((kind, phrase))
    pack = load_pack(code)
    kinds = tuple(word for word in (pack.kinds if pack is not None else ()) if " " not in word)
    known = {*phrases, *kinds, *(pack.phrases if pack is not None else ())}
    return _Book(
        phrases=phrases,
        deeds={action: _patterns(phrases) for action, phrases in tables["deeds"].items()},
        it=frozenset(word for phrase in _patterns(tables["it"]) for word in phrase),
        particles=frozenset(word for word, *more in _patterns(tables["polite"]) if not more),
        name_endings=tuple(ending for (ending,) in _patterns(tables.get("name_endings", ()))),
        ordinary=frozenset(word for word in known if " " not in word),
        kinds=kinds,
    )


def _patterns(phrases: Iterable[str]) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(_items(phrase)) for phrase in phrases)


def _items(phrase: str) -> Iterable[str]:
    for part in phrase.split():
        if part == _IT:
            yield part
        elif part.startswith(_SOMEBODY):
            yield _SOMEBODY + "".join(_words(part.removeprefix(_SOMEBODY)))
        else:
            yield from _words(part)


def _clauses(text: str) -> list[list[str]]:
    return [clause for part in _CLAUSES.split(text) if (clause := _words(part))]


def _words(text: str) -> list[str]:
    """The words in comparable spelling; a letter that is drawn out ("nooo") is one."""
    return [_DRAWN_OUT.sub(r"\1", word.text) for word in tokens(text)]
