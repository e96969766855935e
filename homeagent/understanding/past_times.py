"""The times gone by that a sentence names, and the words that ask what was then, as spans of the lattice.

Such a span costs hardly less than the words that it covers cost apart: whether they are read so, the frames decide.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from itertools import groupby
from zoneinfo import ZoneInfo

from homeagent.history.when.find_times import When, find_times
from homeagent.languages.concepts import DayWord, PastWord, Role
from homeagent.languages.folder import Part, read_part
from homeagent.languages.matching import PhraseMatcher
from homeagent.understanding.phrase_readings import joined
from homeagent.understanding.spans import InArea, Items, Named, OnFloor, Source, Span, TimeGone
from homeagent.understanding.tokeniser import Sentence, Token

_TIMELESS = frozenset(
    {
        *(PastWord.FIRST, PastWord.LAST, PastWord.WHY, PastWord.WHO, PastWord.DOES),
        *(PastWord.ALL_AWAY, PastWord.SPEAKER_AWAY),
        *(PastWord.BY_AUTOMATION, PastWord.BY_SCRIPT, PastWord.BY_SCENE),
    }
)
"""What may be asked without a time: the last time is meant."""


@dataclass(frozen=True, slots=True)
class Now:
    """The moment at which a sentence is said (aware), and the zone of the home's clock."""

    moment: datetime
    zone: ZoneInfo


def of_the_past(sentence: Sentence, language: str, now: Now, found: Sequence[Sequence[Span]]) -> Iterator[Span]:
    """The spans with a meaning about the past, besides those ``found``; none where the sentence says nothing of it."""
    tokens = sentence.tokens
    words = past_words(language)
    if words is None:
        return
    named = named_places(found)
    texts = [t.text for t in tokens]
    days = {p for s in words.matches(texts, named) if s.concept == PastWord.WHICH_DAY.value for p in s.positions}
    times = _times(sentence, language, now, named, days)
    timed = {p for first, end in times for p in range(first, end)}
    matched = ((PastWord(s.concept), s.positions) for s in words.matches(texts, timed))
    spots = [
        (word, positions) for word, positions in matched if not named >= {*positions}
    ]  # "came home", with a "Home"
    concepts = {said for said, _ in spots}
    if PastWord.WILL in concepts or not (times or concepts & _TIMELESS):
        return
    for (first, end), when in times.items():
        for opening, closing in {(first, end), *_wider(first, end, found)}:
            yield joined(opening, closing, TimeGone(when), found)
    for said, positions in spots:
        for first, end in _stretches(positions):
            yield joined(first, end, said, found)


def is_past(tokens: Sequence[Token], language: str) -> bool:
    """Whether a word tells that something is past ("was")."""
    words = past_words(language)
    return words is not None and any(s.concept == PastWord.WAS.value for s in words.matches([t.text for t in tokens]))


@cache
def past_words(language: str) -> PhraseMatcher | None:
    """The past words of a language; None where it has none."""
    part = read_part(language, Part.TIMES)
    if part is None or "asked" not in part[1]:
        return None
    asked, tenses = part[1]["asked"], {t.value: part[1].get(t.value, ()) for t in (PastWord.WAS, PastWord.WILL)}
    return PhraseMatcher({"asked": asked, "tenses": tenses})


def named_places(found: Sequence[Sequence[Span]]) -> set[int]:
    """The indexes of tokens that belong to a thing's or a place's whole name, or to an item of a list."""
    whole = [
        s
        for spans in found
        for s in spans
        if s.source is Source.EXACT and isinstance(s.meaning, Items | Named | InArea | OnFloor)
        if not (isinstance(s.meaning, Named) and s.meaning.part)
    ]
    return {p for s in whole for p in range(s.first, s.end)}


def _times(
    sentence: Sentence, language: str, now: Now, named: Set[int], days: Collection[int]
) -> Mapping[tuple[int, int], When]:
    """Past times by first token and the one behind the last. A stretch that is all part of a name is none, nor is a
    word that asks for the day.
    """
    tokens = sentence.tokens

    def read(taken: Collection[int]) -> dict[tuple[int, int], When]:
        masked = [(tokens[i].start, tokens[i].end) for i in taken]
        return {_covered(w, tokens): w for w in find_times(sentence.text, language, now.moment, now.zone, masked)}

    times = read(days)
    names = {p for first, end in times for p in range(first, end) if named >= set(range(first, end))}
    return read({*days, *names}) if names else times


def _wider(first: int, end: int, found: Sequence[Sequence[Span]]) -> Iterator[tuple[int, int]]:
    """The extents with the phrase that introduces a time or holds it ("on saturday", "the year 2020")."""
    for span in (s for spans in found[:first] for s in spans if first < s.end <= end):
        if isinstance(span.meaning, DayWord | Role):
            yield span.first, end


def _covered(when: When, tokens: Sequence[Token]) -> tuple[int, int]:
    inside = [i for i, t in enumerate(tokens) if t.start < when.last and t.end > when.first]
    return inside[0], inside[-1] + 1


def _stretches(positions: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The runs of consecutive indexes."""
    for _, run in groupby(enumerate(positions), lambda pair: pair[1] - pair[0]):
        places = [place for _, place in run]
        yield places[0], places[-1] + 1
