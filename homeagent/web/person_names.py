"""Finds names of people in a question: by lists, by what stands beside them, and by how a full name is written."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from homeagent.languages.dictionary import is_word
from homeagent.web.first_names import known_names
from homeagent.web.private_words import NAME, private_words
from indexer.normalise import is_syllabic, unaccented

OWN_NAME = "own name"
"""The kind of what the people of this home are called."""
_NAME = "name"
_DICTIONARIES = ("en", "de", "fr", "es", "nl")
_CAPITALISED = re.compile(NAME)
_WORD = re.compile(r"[^\W\d_가-힣]+(?=[가-힣])|[^\W_]+(?:[-'’.][^\W_]+)*")
_WHOSE = re.compile(r"['’]s?$")
_LONGEST = 12
"""Letters of a name: what is longer is a word that was put together."""
_SHORTEST = 3


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a question, ``start`` to ``end`` without end, and the kind of what it is."""

    start: int
    end: int
    kind: str


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a question, and where it stands. ``bare``: without accents, case and whose it is."""

    text: str
    start: int
    end: int
    bare: str

    @property
    def capital(self) -> bool:
        """Whether it is written as a name is."""
        return bool(_CAPITALISED.match(self.text)) and not is_syllabic(self.text)

    @property
    def named(self) -> bool:
        """Whether it is written as a name is, and not as an abbreviation."""
        return self.capital and not (self.text.isupper() and len(self.text) > 1)


def words_of(text: str) -> list[Word]:
    """The words of a text. What is written in Latin letters ends where Hangul begins."""
    return [Word(m.group(), m.start(), m.end(), _WHOSE.sub("", unaccented(m.group()))) for m in _WORD.finditer(text)]


def names_in(text: str, words: Sequence[Word], people: Iterable[str]) -> Iterator[Span]:
    """Names of ``people``, who are of this home, and of anybody. Blocks at first: it reads word lists."""
    yield from own_names(text, people)
    known_to = 0
    for place, word in enumerate(words):
        if word.start < known_to:
            continue
        span = _korean_name(words, place) if is_syllabic(word.text) else _latin_name(text, words, place)
        if span is None and place >= 2 and words[place - 2].end == known_to:
            span = _joined_name(words, place)
        if span is not None:
            known_to = span.end
            yield span


def own_names(text: str, names: Iterable[str]) -> Iterator[Span]:
    """Where any of ``names``, or a word of it, stands."""
    for name in dict.fromkeys(part for whole in names for part in (whole, *whole.split()) if len(part) > 1):
        ending = "" if is_syllabic(name) else r"(?![^\W_가-힣])"
        pattern = rf"(?<![^\W_]){re.escape(unaccented(name))}(?:['’]?s)?{ending}"
        folded = unaccented(text)
        if len(folded) != len(text):  # a letter was taken apart: compared as it is written
            folded, pattern = text.casefold(), pattern.replace(re.escape(unaccented(name)), re.escape(name.casefold()))
        yield from (Span(m.start(), m.end(), OWN_NAME) for m in re.finditer(pattern, folded))


def _latin_name(text: str, words: Sequence[Word], place: int) -> Span | None:
    private, known = private_words(), known_names()
    word, before = words[place], words[place - 1].bare if place else ""
    surname = _surname(text, word, words[place + 1 : place + 4])
    name = Span(word.start, surname or word.end, _NAME)
    nobody = word.bare in private.no_names | private.common and word.bare not in private.linking
    listed = word.bare in known.first | known.last
    if before in private.titles and (word.capital or listed) and not nobody:
        return name
    if before in private.professions and word.capital and not nobody and (listed or _is_unknown(word.text)):
        return name
    if place and before in private.kin and word.capital and word.bare not in private.common:
        return name
    if place and word.capital and _is_initials(words[place - 1]) and word.bare in known.last:
        return Span(words[place - 1].start, word.end, _NAME)
    if nobody or (word.text.isupper() and len(word.text) > 1 and not text.isupper()):
        return None
    if word.bare in (known.first if word.capital else known.near):
        return name if word.bare not in private.words_too or _surely(words, place, surname, text) else None
    speaks_of_somebody = any(one.bare in private.others for one in words)
    if before in private.before_names and speaks_of_somebody and word.named and _is_unknown(word.text):
        return name
    return _full_name(text, words, place)


def _full_name(text: str, words: Sequence[Word], place: int) -> Span | None:
    """A run of words that are written as names, of which no dictionary knows the first: nobody's list has all names."""
    first, end = words[place], None
    if not _may_be_name(first) or not _is_unknown(first.text) or (place and _joined(text, words[place - 1], first)):
        return None
    at = first.end
    for after in words[place + 1 : place + 5]:
        if text[at : after.start].strip(" "):
            break
        at = after.end
        if after.bare in private_words().linking:
            continue
        if not _may_be_name(after) or not (_is_unknown(after.text) or after.bare in known_names().last):
            break
        end = after.end
    return Span(first.start, end, _NAME) if end is not None else None


def _joined_name(words: Sequence[Word], place: int) -> Span | None:
    """A name that no list has, behind one that is known and a word that joins: "Emma and Oluwaseyi"."""
    word, between = words[place], words[place - 1].bare
    joins = between in private_words().stop and len(between) <= _SHORTEST
    return Span(word.start, word.end, _NAME) if joins and _may_be_name(word) and _is_unknown(word.text) else None


def _joined(text: str, before: Word, word: Word) -> bool:
    """Whether a word goes on with a name that stands before it."""
    return before.named and not text[before.end : word.start].strip(" ") and before.bare in private_words().no_names


def _may_be_name(word: Word) -> bool:
    private = private_words()
    fits = word.named and word.text.replace("-", "").isalpha() and _SHORTEST <= len(word.text) <= _LONGEST
    return fits and word.bare not in private.no_names | private.common


def _is_unknown(word: str) -> bool:
    """Whether a word stands in no dictionary."""
    word = _WHOSE.sub("", word)
    return not any(is_word(form, code) for form in (word, word.lower(), word.capitalize()) for code in _DICTIONARIES)


def _surely(words: Sequence[Word], place: int, surname: int | None, text: str) -> bool:
    """Whether a word that may be another is a name here: by a surname, by what is theirs, by what it is for or does, or
    because nothing else in the question is written so."""
    word, private = words[place], private_words()
    if not word.capital:
        return False
    whose = re.match(r"['’]s\b", text[word.end :]) or word.text.endswith(("'s", "’s"))
    if surname is not None or (whose and place):
        return True
    does = place + 1 < len(words) and words[place + 1].bare in private.does
    if does or (place and words[place - 1].bare in private.before_names):
        return True
    others = [one for one in words[1:] if one is not word]
    alone = not any(one.capital or any(map(str.isdigit, one.text)) for one in others)
    return alone and (place > 0 or any(is_syllabic(one.text) for one in others))


def _surname(text: str, word: Word, following: Sequence[Word]) -> int | None:
    """Where the last name ends that stands behind a first one; None where none does.

    Behind a last name only another that a list or no dictionary has: German writes every noun as a name.
    """
    private, known = private_words(), known_names()
    end: int | None = None
    at = word.end
    for after in following:
        between = text[at : after.start]
        if between.strip(" ") or is_syllabic(after.text):
            break
        named = after.bare in known.last or after.bare in known.first
        if after.bare in private.linking and after is not following[-1]:
            at = after.end
            continue
        fits = after.named and word.capital and after.bare not in private.common
        fits = fits and (end is None or named or _is_unknown(after.text))
        unknown = not after.capital and end is None and _is_unknown(after.text)
        if not (fits or unknown or (named and after.bare not in private.words_too | private.common)):
            break
        end = at = after.end
    return end


def _is_initials(word: Word) -> bool:
    return len(word.text) == 1 and word.text.isupper()


def _korean_name(words: Sequence[Word], place: int) -> Span | None:
    """A family name with two syllables behind it, or a given name, where a list, an address form, a relative or the
    syllables themselves tell that it is one."""
    word, known, private = words[place], known_names(), private_words()
    bare = private.written_behind.sub("", word.text)
    related = _stands_beside_somebody(words, place)
    for candidate in dict.fromkeys((word.text, bare, *(word.text[:n] for n in (3, 2)))):
        rest = word.text[len(candidate) :]
        if rest and not private.written_behind.fullmatch(rest):
            continue
        whole = len(candidate) == 3 and candidate[0] in private.family | known.family
        listed = candidate[1:] in known.given if whole else candidate in known.given
        if candidate in private.words_too and not related:
            continue
        if listed or (whole and (related or _sounds_given(candidate[1:]))):
            return Span(word.start, word.start + len(candidate), _NAME)
    return None


def _stands_beside_somebody(words: Sequence[Word], place: int) -> bool:
    """Whether an address form or a relative stands before or behind a word, or at its end."""
    private = private_words()
    if words[place].text.endswith(private.address):
        return True
    beside = [*words[place - 1 : place], *words[place + 1 : place + 2]]
    return any(one.text.startswith((*private.address, *private.korean_kin)) for one in beside)


def _sounds_given(syllables: str) -> bool:
    private = private_words()
    return syllables[0] in private.given_first and syllables[1] in private.given_last
