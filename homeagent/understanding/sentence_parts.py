"""The parts of a sentence that say the same in another one: its places, things, times, values and free words.

They are taken from the likeliest reading of its words, each with where it stands. So whoever writes another sentence
with them can tell what that one leaves out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from homeagent.history.when.future_time_reader import pieces_of
from homeagent.history.when.future_times import Clock, Piece, Slot
from homeagent.languages.concepts import (
    Amount,
    Colour,
    DayWord,
    Heading,
    Level,
    Particle,
    Question,
    Role,
    StateWord,
    Unit,
    Verb,
    White,
)
from homeagent.languages.concepts import Clock as ClockWord
from homeagent.understanding.clauses import UNITS_OF_TIME, Clause, Number, numbers_of
from homeagent.understanding.compounds import apart
from homeagent.understanding.home_names import HomeNames
from homeagent.understanding.joined_pronouns import clitics_apart
from homeagent.understanding.lattice import Choices, lattice
from homeagent.understanding.past_times import is_past
from homeagent.understanding.segmentation import segmentations
from homeagent.understanding.spans import Choice, Free, InArea, Named, NoPlace, OfChoice, OfKind, OnFloor, TimeGone
from homeagent.understanding.tokeniser import tokenise
from indexer.entity import Entity
from indexer.lexicon import Concept as KindConcept

_DAYS = frozenset({Slot.DAY, Slot.WEEKDAY, Slot.DATE, Slot.PART, Slot.DAYS})
_DURATIONS = frozenset({Slot.DELAY, Slot.LENGTH, Slot.SPAN})
_HALVES = ("am", "pm")
"""Parts of a day that alone are none: "am I"."""
_AGAINST: Mapping[Verb, tuple[Verb, ...]] = {
    Verb.TURN_ON: (Verb.TURN_OFF,),
    Verb.TURN_OFF: (Verb.TURN_ON,),
    Verb.OPEN: (Verb.CLOSE, Verb.LOCK),
    Verb.UNLOCK: (Verb.CLOSE, Verb.LOCK),
    Verb.CLOSE: (Verb.OPEN, Verb.UNLOCK),
    Verb.LOCK: (Verb.OPEN, Verb.UNLOCK),
    Verb.NEXT: (Verb.PREVIOUS,),
    Verb.PREVIOUS: (Verb.NEXT,),
    Verb.PLAY: (Verb.PAUSE, Verb.STOP),
    Verb.PAUSE: (Verb.PLAY,),
}
"""What is not meant where a verb says this."""
_SMALL = (Role.FILLER, Role.ARTICLE, Role.COURTESY, Role.JOIN, Role.PLACE, Role.TO, Role.AT)
_WITHIN_ITEMS = (Role.JOIN, Role.ARTICLE, Role.FILLER)
"""What may stand between the words of an item, or of several."""


@dataclass(frozen=True, slots=True)
class Part:
    """Words that were said, and from where to where they stand in the text."""

    words: str
    first: int
    last: int

    def overlaps(self, others: Sequence[Part]) -> bool:
        """Whether any of the others holds a letter of it."""
        return any(o.first < self.last and self.first < o.last for o in others)


@dataclass(frozen=True, slots=True)
class SentenceParts:
    """What was said; empty where there is none.

    ``named``: each name with the things that it fits; ``places``: words with the ids of areas and floors; ``kinds``:
    words for kinds of things. ``days``, ``lengths``, ``clocks``: times, the last as hours and minutes ("6:30");
    ``asked_days``: words that ask for a day.
    ``numbers``: those that are neither; ``levels``: shares in no number ("half"), in percent. ``choices``: what things
    of the home can be set to. ``free``: the words that nothing explains; ``items``: rows of such words.
    ``elsewhere``: it speaks of a place that the home does not have. ``ahead``: the day is not this one; ``past``: it is
    over. ``conditional``: it holds a condition, ``excepting`` an exception; ``hedged``: an alternative, or what was.
    ``advises``: it asks what had better be done.
    ``headings``: which way its words say that what is moved, but for those that say a mere "more". ``unmeant``: the
    actions that its verbs say the opposite of.
    """

    named: tuple[tuple[Part, tuple[Entity, ...]], ...] = ()
    places: tuple[tuple[Part, tuple[str, ...]], ...] = ()
    kinds: tuple[tuple[Part, tuple[KindConcept, ...]], ...] = ()
    days: tuple[Part, ...] = ()
    asked_days: tuple[Part, ...] = ()
    lengths: tuple[Part, ...] = ()
    clocks: tuple[Part, ...] = ()
    numbers: tuple[tuple[Part, Number], ...] = ()
    levels: tuple[tuple[Part, int], ...] = ()
    colours: tuple[Part, ...] = ()
    choices: tuple[tuple[Part, tuple[Choice, ...]], ...] = ()
    free: tuple[Part, ...] = ()
    items: tuple[Part, ...] = ()
    elsewhere: bool = False
    ahead: bool = False
    past: bool = False
    conditional: bool = False
    advises: bool = False
    excepting: bool = False
    hedged: bool = False
    headings: frozenset[Heading] = frozenset()
    told: tuple[Part, ...] = ()
    """Every word but the small ones."""
    unmeant: frozenset[str] = frozenset()

    def at(self, entity: Entity) -> bool:
        """Whether a thing stands in each of the places that were said."""
        where = {entity.area.area_id if entity.area else None, entity.floor.floor_id if entity.floor else None}
        return all(where & {*ids} for _, ids in self.places)


def parts_of(text: str, names: HomeNames, choices: Choices | None = None) -> SentenceParts:
    """The parts of a sentence, as the likeliest reading of its words has them. ``choices``: as of `lattice`."""
    sentence = apart(clitics_apart(tokenise(text), names), names)
    found = segmentations(lattice(sentence, names, choices)) if sentence.tokens else []
    if not found:
        return SentenceParts()
    clause = Clause(found[0].cells, sentence.tokens, names, sentence.asks)
    return _PartsOfClause(clause, sentence.text).all()


class _PartsOfClause:
    """Sorts the words of one sentence."""

    def __init__(self, clause: Clause, text: str) -> None:
        self._clause, self._text = clause, text
        named = [(part.first, part.last) for part in map(self._part, clause.of(Named, InArea, OnFloor))]
        self._pieces = pieces_of(text, clause.names.pack.language, named)

    def all(self) -> SentenceParts:
        clause = self._clause
        free = [i for i, c in enumerate(clause.cells) if c.free and not any(f.adverb for f in c.all(Free))]
        lengths = [p for p in self._pieces if p.slot in _DURATIONS]
        days = tuple(self._days())
        places = SentenceParts(places=tuple(self._places()))
        ahead = any(p.slot in _DAYS and p.value != 0 for p in self._pieces)
        return SentenceParts(
            named=tuple(self._named(places)),
            places=places.places,
            kinds=tuple((self._part(i), kind.concepts) for i, kind in clause.said(OfKind)),
            days=days,
            asked_days=tuple(self._part(i) for i in sorted(self._asked_days())),
            lengths=tuple(Part(self._bare_length(p), p.first, p.last) for p in lengths),
            clocks=tuple(self._clocks()),
            numbers=tuple(self._numbers([*lengths, *days])),
            levels=tuple((self._part(i), level.percent) for i, level in clause.said(Level)),
            colours=tuple(self._part(i) for i in sorted(clause.of(Colour, White))),
            choices=tuple(self._choices()),
            free=tuple(self._part(i) for i in free),
            items=tuple(self._items(free)),
            elsewhere=bool(clause.of(NoPlace)) or any(clause.next_to(i, Role.PLACE) for i in free),
            ahead=ahead or bool(clause.of(DayWord) - clause.at(DayWord.TODAY)),
            past=bool(clause.of(TimeGone)) or bool(clause.at(DayWord.YESTERDAY, DayWord.LAST_WEEK)),
            conditional=bool(clause.at(Role.CONDITION) - clause.of(Amount)),
            advises=bool(clause.at(Question.ADVICE)),
            excepting=clause.exception < len(clause.cells) or bool(clause.at(Role.NEGATION) and clause.at(Role.ONLY)),
            hedged=bool(clause.at(Role.OR)) or is_past(clause.tokens, clause.names.pack.language),
            headings=frozenset(heading for _, heading in clause.said(Heading) if heading.dimension is not None),
            unmeant=frozenset(self._unmeant()),
            told=tuple(self._part(i) for i, c in enumerate(clause.cells) if not c.means(*_SMALL)),
        )

    def _part(self, first: int, last: int | None = None) -> Part:
        cells, tokens = self._clause.cells, self._clause.tokens
        end = cells[first if last is None else last].end
        return Part(self._clause.text(first, last), tokens[cells[first].first].start, tokens[end - 1].end)

    def _named(self, places: SentenceParts) -> Iterator[tuple[Part, tuple[Entity, ...]]]:
        """The names; part of one counts only where its word says nothing else, and none of another place was said."""
        by_id = self._clause.names.by_id
        for i, cell in enumerate(self._clause.cells):
            known = not cell.says(Role.FILLER) and not cell.has(InArea, OnFloor)
            for named in cell.all(Named) if known else ():
                things = tuple(e for e in map(by_id.get, named.entity_ids) if e is not None)
                more = {type(r.meaning) for r in cell.readings} - {Named, Free}
                if named.part and (more or not any(map(places.at, things))):
                    continue
                yield self._part(i), things
                break

    def _places(self) -> Iterator[tuple[Part, tuple[str, ...]]]:
        for i, cell in enumerate(self._clause.cells):
            ids = tuple(a.area_id for a in cell.all(InArea)) + tuple(f.floor_id for f in cell.all(OnFloor))
            if ids and not cell.has(DayWord):
                yield self._part(i), ids

    def _days(self) -> Iterator[Part]:
        """The words for days in their order, each stretch of them once."""
        said = [(p.first, p.last) for p in self._pieces if p.slot in _DAYS and p.value not in _HALVES]
        said += [(p.first, p.last) for p in map(self._part, self._clause.of(DayWord))]
        stretches: list[tuple[int, int]] = []
        for first, last in sorted(said):
            before, end = stretches[-1] if stretches else (0, -1)
            if first <= end or (stretches and not self._text[end:first].strip()):
                stretches[-1] = (before, max(end, last))
            else:
                stretches.append((first, last))
        return (Part(self._text[first:last], first, last) for first, last in stretches)

    def _asked_days(self) -> set[int]:
        clause = self._clause
        which = clause.at(Unit.DAY) if clause.at(Question.WHICH) else set()
        return clause.at(ClockWord.DATE, Question.WHEN) | which

    def _clocks(self) -> Iterator[Part]:
        for piece in self._pieces:
            if piece.slot in (Slot.CLOCK, Slot.UNTIL) and isinstance(piece.value, Clock):
                yield Part("{}:{:02}".format(*divmod(piece.value.minutes, 60)), piece.first, piece.last)

    def _numbers(self, times: Sequence[Piece | Part]) -> Iterator[tuple[Part, Number]]:
        """The numbers that are no length of time and no day. Of what may be a time of the clock as well, both count."""
        clause = self._clause
        for number in numbers_of(clause.cells, clause.tokens, postpositions=clause.postpositions):
            part = self._part(min(number.cells), max(number.cells))
            if number.unit not in UNITS_OF_TIME and not part.overlaps([Part("", t.first, t.last) for t in times]):
                yield part, number

    def _items(self, free: Sequence[int]) -> Iterator[Part]:
        """Free words in a row, with small words and what a hyphen joins between them; a mark ends a row."""
        clause, at = self._clause, 0
        while at < len(free):
            first = last = free[at]
            for place in range(first + 1, len(clause.cells)):
                cell = clause.cells[place]
                joined = clause.tokens[cell.first].hangs
                if clause.mark(place) or not (place in free or joined or cell.says(*_WITHIN_ITEMS)):
                    break
                last = place if place in free or joined else last
            yield self._part(first, last)
            at = next((k for k, i in enumerate(free) if i > last), len(free))

    def _choices(self) -> Iterator[tuple[Part, tuple[Choice, ...]]]:
        """The choices that are said by their own names: a word of the language for one may say anything else."""
        for i, choice in self._clause.said(OfChoice):
            if named := tuple(c for c in choice.choices if not c.by_word):
                yield self._part(i), named

    def _unmeant(self) -> Iterator[str]:
        for i, verb in self._clause.said(Verb):
            if not self._clause.cells[i].has(StateWord, Particle):
                yield from (against.value for against in _AGAINST.get(verb, ()))

    def _bare_length(self, piece: Piece) -> str:
        """Words for a length of time without those that tell what for: "after four minutes"."""
        text = self._text[piece.first : piece.last]
        tokens = tokenise(text).tokens
        for first in range(len(tokens)):
            for end in range(len(tokens), first, -1):
                said = text[tokens[first].start : tokens[end - 1].end]
                found = pieces_of(said, self._clause.names.pack.language)
                whole = [p for p in found if p.slot is Slot.LENGTH and (p.first, p.last) == (0, len(said))]
                if len(found) == len(whole) == 1:
                    return said
        return ""


def percent_of(parts: SentenceParts) -> tuple[str, Part] | None:
    """The one share that was said, in percent: a number, else a word ("half"); None for none and for several."""
    numbers = [(f"{n.value:g}", part) for part, n in parts.numbers if _sets(n, Unit.PERCENT)]
    said = numbers or [(str(percent), part) for part, percent in parts.levels]
    return said[0] if len(said) == 1 else None


def degrees_of(parts: SentenceParts) -> tuple[str, Part] | None:
    """The one temperature that was said, in degrees; None for none and for several."""
    said = [(f"{n.value:g}", part) for part, n in parts.numbers if _sets(n, Unit.DEGREE)]
    return said[0] if len(said) == 1 else None


def _sets(number: Number, unit: Unit) -> bool:
    """Whether something may be set to a number: of this unit, or of none behind "to"; by others it is moved."""
    led = number.unit is None and number.lead in (Role.TO, Role.AT)
    return led or (number.unit is unit and number.lead is not Role.BY)
