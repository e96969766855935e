"""The parts of a sentence that say the same in another one: its day, its time, its places and things, its title."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from homeagent.history.when.future_time_reader import pieces_of
from homeagent.history.when.future_times import Slot
from homeagent.languages.concepts import DayWord, Heading, Particle, Role, StateWord, Verb
from homeagent.understanding.clauses import Clause
from homeagent.understanding.compounds import apart
from homeagent.understanding.home_names import HomeNames
from homeagent.understanding.joined_pronouns import clitics_apart
from homeagent.understanding.lattice import lattice
from homeagent.understanding.segmentation import segmentations
from homeagent.understanding.spans import Free, InArea, Named, NoPlace, OnFloor, TimeGone
from homeagent.understanding.tokeniser import tokenise
from indexer.entity import Entity

_DAYS = frozenset({Slot.DAY, Slot.WEEKDAY, Slot.DATE, Slot.PART})
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
}
"""What is not meant where a verb says this."""


@dataclass(frozen=True, slots=True)
class SentenceParts:
    """What was said, each part in its own words; empty where there is none.

    ``named``: each name with the things that it fits; ``places``: the ids of areas and floors, by their words.
    ``title``: the words that nothing explains. ``elsewhere``: it speaks of a place that the home does not have.
    ``lengths``: how many lengths of time it has; ``clock``: it has a time of the clock.
    ``ahead``: the day is not this one; ``past``: it is over. ``conditional``: it holds a condition, ``directed`` a word
    for which way. ``unmeant``: the actions that its verbs say the opposite of.
    """

    named: tuple[tuple[str, tuple[Entity, ...]], ...] = ()
    places: tuple[tuple[str, tuple[str, ...]], ...] = ()
    day: str = ""
    duration: str = ""
    lengths: int = 0
    clock: bool = False
    title: str = ""
    elsewhere: bool = False
    ahead: bool = False
    past: bool = False
    conditional: bool = False
    directed: bool = False
    unmeant: frozenset[str] = frozenset()

    def at(self, entity: Entity) -> bool:
        """Whether a thing stands in each of the places that were said."""
        where = {entity.area.area_id if entity.area else None, entity.floor.floor_id if entity.floor else None}
        return all(where & {*ids} for _, ids in self.places)


def parts_of(text: str, names: HomeNames) -> SentenceParts:
    """The parts of a sentence, as the likeliest reading of its words has them."""
    sentence = apart(clitics_apart(tokenise(text), names), names)
    found = segmentations(lattice(sentence, names)) if sentence.tokens else []
    if not found:
        return SentenceParts()
    clause = Clause(found[0].cells, sentence.tokens, names, sentence.asks)
    pieces = pieces_of(sentence.text, names.pack.language)
    days = [(p.first, p.last) for p in pieces if p.slot in _DAYS and p.value not in _HALVES]
    lengths = [p for p in pieces if p.slot in _DURATIONS]
    tokens = sentence.tokens
    days += [(tokens[c.first].start, tokens[c.end - 1].end) for c in clause.cells if c.has(DayWord)]
    free = [i for i, c in enumerate(clause.cells) if c.free and not any(f.adverb for f in c.all(Free))]
    return SentenceParts(
        tuple(_named(clause)),
        tuple(_places(clause)),
        _together(sentence.text, days),
        next((_bare_length(sentence.text[p.first : p.last], names) for p in lengths), ""),
        len(lengths),
        any(p.slot is Slot.CLOCK for p in pieces),
        " ".join(clause.text(i) for i in free),
        bool(clause.of(NoPlace)) or any(clause.next_to(i, Role.PLACE) for i in free),
        bool(clause.of(DayWord) - clause.at(DayWord.TODAY)) or any(p.slot in _DAYS and p.value != 0 for p in pieces),
        bool(clause.of(TimeGone)) or bool(clause.at(DayWord.YESTERDAY, DayWord.LAST_WEEK)),
        bool(clause.at(Role.CONDITION)),
        bool(clause.of(Heading)),
        frozenset(_unmeant(clause)),
    )


def _unmeant(clause: Clause) -> Iterator[str]:
    for i, verb in clause.said(Verb):
        if not clause.cells[i].has(StateWord, Particle):
            yield from (against.value for against in _AGAINST.get(verb, ()))


def _named(clause: Clause) -> Iterator[tuple[str, tuple[Entity, ...]]]:
    """The names; part of one counts only where its word says nothing else."""
    for i, cell in enumerate(clause.cells):
        known = not cell.says(Role.FILLER) and not cell.has(InArea, OnFloor)
        for named in cell.all(Named) if known else ():
            if named.part and len({type(r.meaning) for r in cell.readings} - {Named, Free}) > 0:
                continue
            things = tuple(e for e in map(clause.names.by_id.get, named.entity_ids) if e is not None)
            yield clause.text(i), things
            break


def _places(clause: Clause) -> Iterator[tuple[str, tuple[str, ...]]]:
    for i, cell in enumerate(clause.cells):
        ids = tuple(a.area_id for a in cell.all(InArea)) + tuple(f.floor_id for f in cell.all(OnFloor))
        if ids and not cell.has(DayWord):
            yield clause.text(i), ids


def _together(text: str, extents: Sequence[tuple[int, int]]) -> str:
    """The first stretch that is made of these extents, with nothing but blanks between them."""
    first, end = min(extents, default=(0, 0))
    for start, last in sorted(extents):
        if not text[end:start].strip():
            end = max(end, last)
    return text[first:end]


def _bare_length(text: str, names: HomeNames) -> str:
    """Words for a length of time without those that tell what for: "after four minutes"."""
    tokens = tokenise(text).tokens
    for first in range(len(tokens)):
        for end in range(len(tokens), first, -1):
            said = text[tokens[first].start : tokens[end - 1].end]
            found = pieces_of(said, names.pack.language)
            if len(found) == 1 and found[0].slot is Slot.LENGTH and (found[0].first, found[0].last) == (0, len(said)):
                return said
    return ""
