"""What a sentence may have been before it was written down: rows of words that sound like it, the likeliest first.

A recogniser of speech writes words that exist, and puts the gaps between them where it likes: "paws the music", "start
the room bar", "mute the tea vee". So a stretch of one to three written words is held against each word that the
language and the home know, by its sound (`languages/sounds.py`). Nothing here decides: each row is read as any other
sentence is, and what counts of it is told by `brains/local/second_hearing.py`.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from homeagent.languages.concepts import Count, DayWord, Heading, ListAction, Particle, Question, Role, Verb
from homeagent.languages.dictionary import has_dictionary, is_word
from homeagent.languages.sounds import FAR
from homeagent.understanding.endings import without_endings
from homeagent.understanding.home_names import HomeNames
from homeagent.understanding.lattice import lattice
from homeagent.understanding.mishearing import whole_words
from homeagent.understanding.phrase_readings import spans_of
from homeagent.understanding.spans import EACH_CELL, Free, InArea, Items, Meaning, Named, Source, Span, is_of_home
from homeagent.understanding.tokeniser import Sentence, Token

_STRETCH = 3
"""So many written words one word may have been taken for."""
_AROUND = 2
"""So many words on each side of it a phrase with it may have."""
_FREE = 3.0
"""The price of a word that nothing knows."""
_ALIKE, _NEAR = 0.4, 1.4
"""The price of a word that sounds the same, and of one that sounds nearly so, for each sound that differs."""
_CUT = 0.7
"""How far off a word is of which only the end was recorded."""
_JOINT = 1.0
"""The price of each gap that was written where nobody paused."""
_KEPT, _MOST = 8, 3
_DEARER = 1.8
"""So much dearer than the sentence as it is written another row may be."""
_MOST_UNKNOWN = 4
"""A sentence with more words that nothing knows is about something else."""
_LEAST, _SMALL = 2, 3
"""Sounds: of fewer nothing is heard. Letters: with as many a word that only leads or joins others stays."""
_LONG = 6
"""Sounds: of fewer in several words nothing is heard that is only near."""
_LEADING = frozenset({Role.TO, Role.BY, Role.AT, Role.PLACE, Role.JOIN})
"""Of the words that only hold a sentence together those that a number may have been."""
_FIRM = frozenset(
    {
        *(Role.NEGATION, Role.CONDITION, Role.TIME, Role.OTHERWISE, Role.EXCEPT, Role.OR, Role.REPORT, Role.TOLD),
        *(Role.COPULA, Role.AUXILIARY),
    }
)
"""What keeps an order from being carried out as it stands, or makes a statement ("the lamp is new"), is never heard as
something else."""
_Meanings = frozenset[Meaning]


@dataclass(frozen=True, slots=True)
class Hearing:
    """A sentence that sounds like the one that was written. ``alike``: exactly so. ``cost``: how much dearer its words
    are; below 0 where they explain more."""

    text: str
    alike: bool
    cost: float


@dataclass(frozen=True, slots=True)
class _Heard:
    """Words, one or two, in place of the tokens from ``first`` up to ``end``; ``distance``: 0 for the same sound."""

    first: int
    end: int
    words: tuple[str, ...]
    distance: float = 0.0


@dataclass(frozen=True, slots=True)
class _Row:
    cost: float
    heard: tuple[_Heard, ...] = ()

    @property
    def alike(self) -> bool:
        """Whether all of it sounds the same."""
        return not any(h.distance for h in self.heard)


def hearings(sentence: Sentence, names: HomeNames) -> list[Hearing]:
    """The likeliest other rows of words for a sentence, those that sound exactly like it first; empty where no rules
    tell how the language sounds.
    """
    tokens = sentence.tokens
    if not names.pack.sounds.rules or any(t.quoted for t in tokens):
        return []
    said: list[list[Span]] = [[s for s in spans if _is_written(s)] for spans in lattice(sentence, names)]
    unknown = [True] * len(tokens)
    for span in itertools.chain.from_iterable(said):
        unknown[span.first : span.end] = [False] * (span.end - span.first)
    if sum(unknown) > _MOST_UNKNOWN:
        return []
    steps = [
        [(i + 1, _Row(_FREE)), *((s.end, _Row(s.cost + EACH_CELL)) for s in spans)] for i, spans in enumerate(said)
    ]
    for (first, end, *_), (cost, heard) in _phrases(tokens, said, unknown, names).items():
        price = (_NEAR * heard.distance or _ALIKE) + _JOINT * (heard.end - heard.first - len(heard.words))
        if "".join(heard.words) == "".join(t.text for t in tokens[heard.first : heard.end]):
            price = _ALIKE  # only the gap is another
        steps[first].append((end, _Row(cost + EACH_CELL + price, (heard,))))
    plain, *rows = _cheapest(steps)
    found: dict[str, Hearing] = {}
    told: list[frozenset[_Heard]] = []
    for row in rows:
        more = any(less < frozenset(row.heard) for less in told)
        if row.cost <= plain.cost + _DEARER and not more:
            told.append(frozenset(row.heard))
            text = _written(sentence, row.heard)
            found.setdefault(text, Hearing(text, row.alike, row.cost - plain.cost))
    alike, near = ([h for h in found.values() if h.alike is sort][:_MOST] for sort in (True, False))
    return alike + near


def _is_written(span: Span) -> bool:
    """Whether a span tells what words say as they are written."""
    return not isinstance(span.meaning, Free | Items) and span.source is not Source.CORRECTED


def _phrases(
    tokens: Sequence[Token], said: Sequence[Sequence[Span]], unknown: Sequence[bool], names: HomeNames
) -> dict[tuple[int, int, _Meanings, bool], tuple[float, _Heard]]:
    """The cheapest of the phrases that hold something heard, by where they begin and end, what they say, and whether
    all of it sounds alike. None that says only what is written there; what is only near, where the home is spoken of;
    in place of a number alone only what leads another word.
    """
    written = [{(s.end, s.meaning) for s in spans} for spans in said]
    counts = {s.first for spans in said for s in spans if isinstance(s.meaning, Count)}
    home = [(s.first, s.end) for spans in said for s in spans if is_of_home(s.meaning)]
    found: dict[tuple[int, int, _Meanings, bool], tuple[float, _Heard]] = {}
    for heard in _heard(tokens, said, unknown, names):
        for first, end, cost, meanings in _within(tokens, heard, names):
            key = (first, end, meanings, not heard.distance)
            new = any((end, m) not in written[first] for m in meanings)
            leads, counted = all(isinstance(m, Role) for m in meanings), heard.first in counts
            new = new and (counted and bool(meanings & _LEADING) if leads else not counted or end - first > 1)
            if heard.distance and not any(map(is_of_home, meanings)):
                new = new and any(isinstance(m, Verb | ListAction | Particle | Heading) for m in meanings)
                new = new and any(e <= heard.first or heard.end <= f for f, e in home)
            if new and (key not in found or cost < found[key][0]):
                found[key] = (cost, heard)
    return found


def _cheapest(steps: Sequence[Sequence[tuple[int, _Row]]]) -> list[_Row]:
    """The row as it is written, and the cheapest others, at most one word of which only nearly sounds alike."""
    best: list[dict[tuple[_Heard, ...], float]] = [{} for _ in range(len(steps) + 1)]
    best[0][()] = 0.0
    for place, onward in enumerate(steps):
        for heard, cost in _kept(best[place]):
            near = any(h.distance for h in heard)
            for end, step in onward:
                if not (near and not step.alike):
                    row = (*heard, *step.heard)
                    best[end][row] = min(cost + step.cost, best[end].get(row, cost + step.cost))
    return [_Row(cost, heard) for heard, cost in _kept(best[-1])]


def _kept(rows: Mapping[tuple[_Heard, ...], float]) -> list[tuple[tuple[_Heard, ...], float]]:
    """The row without heard words, the cheapest of those alike, and of those of which a word is only near."""
    by_sort: tuple[list[tuple[tuple[_Heard, ...], float]], ...] = ([], [], [])
    for heard, cost in rows.items():
        by_sort[0 if not heard else 2 if any(h.distance for h in heard) else 1].append((heard, cost))
    return [row for sort in by_sort for row in heapq.nsmallest(_KEPT, sort, key=lambda r: r[1])]


def _heard(
    tokens: Sequence[Token], said: Sequence[Sequence[Span]], unknown: Sequence[bool], names: HomeNames
) -> Iterator[_Heard]:
    """The words that stretches may be: with the same sound anywhere, and where nothing knows a word also
    two of them, and one with nearly the same sound; the first word with a beginning.
    """
    asked: list[tuple[int, int, str]] = []
    for first in range(len(tokens)):
        for end in range(first + 1, min(len(tokens), first + _STRETCH) + 1):
            stretch = tokens[first:end]
            if any(t.mark for t in stretch[1:]) or not all(t.text.isalpha() for t in stretch):
                break
            strange = any(unknown[first:end])
            if not strange and _stays(stretch, said[first:end]):
                continue
            if strange and end - first == 1:
                yield from (_Heard(first, end, pair) for pair in _halves(stretch[0].text, names))
            written = tuple(t.text for t in stretch)
            for sound, hanging in _sounds(written, names).items():
                for word in names.of_sound(sound):
                    if word + hanging != "".join(written) or (not strange and len(written) > 1):
                        yield _Heard(first, end, (word + hanging,))
                if strange and not hanging:
                    if end - first == 1 or len(sound) >= _LONG:
                        asked.append((first, end, sound))
                    if end - first > 1:
                        yield from (_Heard(first, end, pair) for pair in _pairs(sound, names) if pair != written)
    cut = whole_words(tokens[0].text, names.vocabulary) if not tokens[0].quoted else ()
    yield from (_Heard(0, 1, (word,), _CUT) for word in cut)
    for (first, end, _), near in zip(asked, names.near_sounds([sound for *_, sound in asked]), strict=True):
        yield from (_Heard(first, end, (word,), distance) for word, distance in near)


def _stays(stretch: Sequence[Token], said: Sequence[Sequence[Span]]) -> bool:
    """Whether known words are meant as they are written: one denies something or tells a condition or a time, one
    of several asks something, or a single one names something of the home, or is short and only leads others.
    """
    own = [{s.meaning for s in spans if s.end == s.first + 1} for spans in said]
    alone = len(stretch) == 1
    if any(m & _FIRM or any(isinstance(c, DayWord) or (not alone and isinstance(c, Question)) for c in m) for m in own):
        return True
    if alone and any(map(is_of_home, own[0])):
        return True
    small = alone and len(stretch[0].text) <= _SMALL
    return small and bool(own[0]) and all(isinstance(meaning, Role | Question) for meaning in own[0])


def _sounds(written: Sequence[str], names: HomeNames) -> Mapping[str, str]:
    """The sounds of a stretch, each with the ending that hangs on it: word by word, as one word, without its ending."""
    of = names.pack.sounds.of
    found = {of(" ".join(written)): "", of("".join(written)): ""}
    *before, last = written
    for stem, _ in without_endings(last, names) if names.pack.postpositions else ():
        if stem and last.startswith(stem):
            found.setdefault(of(" ".join((*before, stem))), last[len(stem) :])
    return {sound: hanging for sound, hanging in found.items() if len(sound) >= _LEAST}


def _halves(word: str, names: HomeNames) -> Iterator[tuple[str, str]]:
    """Two words that were written as one that does not exist."""
    exists = has_dictionary(names.pack.language) and is_word(word, names.pack.language)
    for at in range(1, len(word)) if len(word) > _SMALL and not exists else ():
        if {word[:at], word[at:]} <= names.vocabulary:
            yield word[:at], word[at:]


def _pairs(sound: str, names: HomeNames) -> Iterator[tuple[str, str]]:
    """Two words that together sound so."""
    for at in range(_SMALL, len(sound) - _SMALL + 1):
        yield from itertools.product(names.of_sound(sound[:at]), names.of_sound(sound[at:]))


def _within(tokens: Sequence[Token], heard: _Heard, names: HomeNames) -> Iterator[tuple[int, int, float, _Meanings]]:
    """The phrases that hold what is heard: where they begin and end, what they cost, and what they say. Of two words
    the first ends one, and the second begins one.
    """
    firsts = range(heard.first, max(-1, heard.first - _AROUND - 1), -1)
    ends = range(heard.end, min(len(tokens), heard.end + _AROUND) + 1)
    *one, last = heard.words
    for first, end in itertools.product(firsts, ends):
        if any(t.mark for t in tokens[first + 1 : end]):
            continue
        before, behind = [t.text for t in tokens[first : heard.first]], [t.text for t in tokens[heard.end : end]]
        parts = [[*before, *one], [last, *behind]] if one else [[*before, last, *behind]]
        spans = [list(spans_of(" ".join(part), first, end, names)) for part in parts]
        supported = heard.distance < FAR or (end - first > heard.end - heard.first and _names(spans[0]))
        if all(spans) and supported:
            cost = sum(min(s.cost for s in part) for part in spans) + EACH_CELL * (len(parts) - 1)
            yield first, end, cost, frozenset(s.meaning for part in spans for s in part)


def _names(spans: Sequence[Span]) -> bool:
    """Whether words name a thing or a room of the home."""
    return any(isinstance(s.meaning, Named | InArea) for s in spans)


def _written(sentence: Sentence, heard: Sequence[_Heard]) -> str:
    """The sentence with the heard words in their places."""
    parts, done = [], 0
    for one in heard:
        parts += [sentence.text[done : sentence.tokens[one.first].start], " ".join(one.words)]
        done = sentence.tokens[one.end - 1].end
    return "".join((*parts, sentence.text[done:]))
