"""Words of a phrase that nothing explains: they tell which thing is meant, and must not be dropped."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING

from homeagent.languages.concepts import (
    Chat,
    Count,
    Dimension,
    Heading,
    Level,
    Particle,
    Purpose,
    Reference,
    Role,
    Share,
    Unit,
    Verb,
)
from homeagent.understanding.clauses import THINGS, Clause
from homeagent.understanding.spans import Cell, Free, InArea, Named, NoPlace, OfKind, OnFloor

if TYPE_CHECKING:
    from homeagent.understanding.noun_phrases import Phrase


_ORDERING = (Verb, Particle, Heading, Count, Level, Share, Unit)
_SERVED = tuple(p for p in Purpose if p is not Purpose.WAKING)


def other_names(clause: Clause, group: Sequence[int]) -> Iterator[int]:
    """The indexes of names in one phrase that share no thing with the names before them, so that they say something
    else; and of parts of names of which no thing is of the kind that is said.
    """
    known: set[str] = set()
    kinds = [c for i in group if (kind := clause.cells[i].get(OfKind)) is not None for c in kind.concepts]
    of_kinds = {e for kind in kinds for e in clause.names.of_kind(kind)}
    for i in group:
        named = clause.cells[i].get(Named)
        if named is None or clause.cells[i].has(InArea, OnFloor, OfKind):
            continue
        if (known and known.isdisjoint(named.entity_ids)) or (
            kinds and named.part and of_kinds.isdisjoint(named.entity_ids)
        ):
            yield i
        known |= set(named.entity_ids)


def unknown_within(clause: Clause, phrases: Sequence[Phrase], first: int, taken: Collection[int]) -> Iterator[int]:
    """The indexes of unexplained words right before a phrase or inside it, which say which thing is meant.

    In languages with adjectives behind the noun, also right behind it; and a bare number behind a kind ("lamp 3").
    """
    for phrase in phrases:
        for i in range(max(first, min(phrase.cells) - 1), max(phrase.cells)):
            cell = clause.cells[i]
            which = _tells_which(cell) or is_an_adjective(clause, i)
            if which and i not in taken and not clause.mark(i + 1):
                yield i
        behind = max(phrase.cells) + 1
        if phrase.kinds and not phrase.plural and _numbers_it(clause, behind) and behind not in taken:
            yield behind  # "lamp 3"
        elif behind < len(clause.cells) and clause.tokens[clause.cells[behind].first].glued:
            yield behind  # "fan08"
        elif _may_go_on(clause, phrase) and _follows(clause, behind) and behind not in taken:
            yield behind


def _may_go_on(clause: Clause, phrase: Phrase) -> bool:
    """Whether a phrase may continue behind its last cell: in languages with adjectives there, or, with postpositions,
    behind part of a name that has no kind yet.
    """
    pack = clause.names.pack
    return pack.adjectives_behind or (pack.postpositions and phrase.part and not phrase.kinds)


def _numbers_it(clause: Clause, place: int) -> bool:
    """Whether the cell is a bare number, without a unit or a word that leads it."""
    return any(n.cells == (place,) and n.unit is None for n in clause.numbers) and not clause.mark(place)


def _tells_which(cell: Cell) -> bool:
    """Whether a word may say which thing is meant: an unexplained one, one for a purpose, or one like "right"."""
    told = (*_SERVED, Chat.RIGHT, Chat.WRONG, Chat.JOKE)
    return cell.free or (cell.means(*told) and not cell.has(Named, OfKind))


def is_an_adjective(clause: Clause, place: int) -> bool:
    """Whether a word like "back" stands between an article and what is named: "the back door" is another door."""
    return clause.cells[place].means(Reference.AGAIN) and place > 0 and clause.cells[place - 1].says(Role.ARTICLE)


def at_a_thing(clause: Clause, phrases: Sequence[Phrase]) -> Iterator[int]:
    """The indexes of a mere kind with a preposition, an article and a thing of another kind behind it, unjoined ("the
    light on the TV"): it is one at that thing, and not all of the kind.
    """
    for one, other in itertools.pairwise(phrases):
        between = clause.cells[max(one.cells) + 1 : min(other.cells)]
        mere = one.kinds and not (one.entity_ids or one.areas or one.floors)
        marked = any(clause.mark(i) for i in range(max(one.cells) + 1, min(other.cells) + 1))
        if not mere or not other.entity_ids or marked or len(between) < 2:
            continue
        if between[0].says(Role.PLACE) and all(c.says(Role.ARTICLE) for c in between[1:]):
            yield from one.cells


def _is_an_owner(clause: Clause, place: int) -> bool:
    """Whether somebody is named behind a preposition of place: "la luz de los niños"."""
    cell = clause.cells[place]
    led = place > 0 and clause.cells[place - 1].says(Role.PLACE)
    if (
        clause.postpositions
        or not led
        or clause.cells[place - 1].says(Role.SERVED)
        or not cell.means(Role.STATEMENT)
        or cell.has(Named, InArea)
    ):
        return False
    last = clause.names.pack.phrases.get(clause.tokens[cell.end - 1].text, ())
    return not {Role.PRONOUN, Role.ARTICLE, Role.HERE, Role.COPULA, Role.AUXILIARY} & {*last}  # "of my speakers"


def _follows(clause: Clause, place: int) -> bool:
    """Whether an unexplained word that is no adverb stands here without a mark before it."""
    return place < len(clause.cells) and not clause.mark(place) and _is_unknown(clause.cells[place])


def _is_unknown(cell: Cell) -> bool:
    free = cell.get(Free)
    return free is not None and cell.free and not free.adverb


def unknown_in_place(
    clause: Clause, phrases: Sequence[Phrase], first: int, stop: int, taken: Collection[int]
) -> Iterator[int]:
    """The indexes of unexplained words beside a place where nothing else is named: "the kettle in the study" is no lamp
    there.

    Small words may stand between it and the place behind it, none between the place and a word behind that.
    """
    for phrase in phrases if all(p.is_place for p in phrases) else ():
        for i in range(min(phrase.cells) - 1, first - 1, -1):
            if i in taken or clause.mark(i + 1):
                break
            if _is_unknown(clause.cells[i]):
                yield i
            elif not clause.cells[i].says(Role.FILLER, Role.PLACE, Role.EVERY, Role.COURTESY):
                break
        behind = max(phrase.cells) + 1
        if behind < stop and behind not in taken and _follows(clause, behind):
            yield behind


def unknown_object(clause: Clause, phrases: Sequence[Phrase], first: int, taken: Collection[int]) -> Iterator[int]:
    """The indexes of unexplained nouns with an article before everything that is named: the order is for them ("put the
    teapot on the TV").
    """
    if clause.postpositions or not phrases:
        return
    for i in range(min(min(p.cells) for p in phrases if p.cells) - 1, first, -1):
        if clause.mark(i + 1) or clause.cells[i].says(Role.JOIN):
            return
        if i not in taken and _is_unknown(clause.cells[i]) and clause.cells[i - 1].says(Role.ARTICLE):
            yield i


def unknown_beside(clause: Clause, phrases: Sequence[Phrase], taken: Collection[int]) -> Iterator[int]:
    """The indexes of unexplained nouns joined to what is named, for which the order is too ("the lamp and the wibble").
    Words that say what to do may stand between.
    """
    cells = clause.cells
    for last in (max(p.cells) for p in phrases if p.cells):
        if clause.postpositions:
            behind = range(last + 1, min(last + 2, len(cells))) if cells[last].says(Role.JOIN) else ()
            yield from (i for i in behind if i not in taken and _is_unknown(cells[i]))
            continue
        join = last + 1
        while join < len(cells) and cells[join].has(*_ORDERING) and not cells[join].says(Role.JOIN):
            join += 1
        for i in range(join + 2, len(cells)) if join < len(cells) and cells[join].says(Role.JOIN) else ():
            if not cells[i - 1].says(Role.ARTICLE) and not cells[i - 1].free:
                break
            if i not in taken and _is_unknown(cells[i]):
                yield i
    first = min((min(p.cells) for p in phrases if p.cells), default=0) - 1
    while first > 0 and cells[first].says(Role.ARTICLE):
        first -= 1
    if first > 0 and cells[first].says(Role.JOIN) and not clause.postpositions:
        noun = first - 1
        while noun and cells[noun].has(*_ORDERING):
            noun -= 1  # "coffee on and the lamp"
        unknown = noun > 0 and _is_unknown(cells[noun]) and cells[noun - 1].says(Role.ARTICLE)
        if unknown or (cells[noun].has(Purpose) and not cells[noun].has(*THINGS)):
            yield from {noun} - {*taken}


def behind_its_end(clause: Clause, phrases: Sequence[Phrase]) -> Iterator[int]:
    """The indexes of a phrase behind the particle that ended the order and a mark: it addresses somebody ("mach das
    Licht aus, mein Roboter").
    """
    for one, other in itertools.pairwise(phrases) if clause.names.pack.separable else ():
        between = range(max(one.cells) + 1, min(other.cells))
        ends = [i for i in between if clause.cells[i].has(Particle) and clause.mark(i + 1)]
        if ends and not any(clause.cells[i].says(Role.JOIN, Role.OR, Role.EXCEPT) for i in between):
            yield from other.cells


def unknown_owners(clause: Clause, first: int, stop: int, taken: Collection[int]) -> Iterator[int]:
    """The indexes of unexplained words right before a dimension, in languages with the verb last: they say whose it is
    ("the sauna temperature").
    """
    for i in range(first, stop - 1) if clause.postpositions else ():
        cell = clause.cells[i]
        owned = clause.cells[i + 1].has(Dimension) and not clause.cells[i + 1].has(Heading)
        if cell.free and owned and i not in taken and not clause.mark(i + 1):
            yield i


def unknown_places(clause: Clause, first: int, stop: int, taken: Collection[int]) -> Iterator[int]:
    """The indexes of unexplained words that a preposition of place leads."""
    for i in range(first, stop):
        cell = clause.cells[i]
        if cell.has(NoPlace) and not cell.has(Named, InArea, OnFloor) and i not in taken:
            yield i
        if not (_tells_which(cell) or _is_an_owner(clause, i)) or i in taken:
            continue
        if clause.postpositions:
            behind = clause.cells[i + 1] if i + 1 < stop and not clause.mark(i + 1) else cell
            if cell.says(Role.PLACE) or behind.means(Role.PLACE):
                yield i
            continue
        before = i - 1
        while before >= first and not clause.mark(before + 1):
            cell = clause.cells[before]
            if cell.says(Role.PLACE):
                if before not in taken:
                    yield i
                break
            if not (cell.free or cell.says(Role.FILLER, Role.EVERY)):
                break
            before -= 1
