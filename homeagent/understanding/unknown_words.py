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
    Role,
    Unit,
    Verb,
)
from homeagent.understanding.clauses import Clause
from homeagent.understanding.spans import Cell, Free, InArea, Named, NoPlace, OfKind, OnFloor

if TYPE_CHECKING:
    from homeagent.understanding.noun_phrases import Phrase


_ORDERING = (Verb, Particle, Heading, Count, Level, Unit)
_SERVED = tuple(p for p in Purpose if p is not Purpose.WAKING)


def other_names(clause: Clause, group: Sequence[int]) -> Iterator[int]:
    """Names within one phrase that no thing has together: one of them says something else."""
    known: set[str] = set()
    for i in group:
        named = clause.cells[i].get(Named)
        if named is None or clause.cells[i].has(InArea, OnFloor, OfKind):
            continue
        if known and known.isdisjoint(named.entity_ids):
            yield i
        known |= set(named.entity_ids)


def unknown_within(clause: Clause, phrases: Sequence[Phrase], first: int, taken: Collection[int]) -> Iterator[int]:
    """Words that nothing explains right before a phrase or within it: they tell which one is meant.

    In a language that has its adjectives behind the noun, right behind it, too.
    """
    for phrase in phrases:
        for i in range(max(first, min(phrase.cells) - 1), max(phrase.cells)):
            cell = clause.cells[i]
            heard_in_it = cell.heard and i in phrase.cells
            if _tells_which(cell) and i not in taken and not clause.mark(i + 1) and not heard_in_it:
                yield i
        behind = max(phrase.cells) + 1
        if phrase.kinds and not phrase.plural and _numbers_it(clause, behind) and behind not in taken:
            yield behind  # "lamp 3"
        elif behind < len(clause.cells) and clause.tokens[clause.cells[behind].first].glued:
            yield behind  # "fan08"
        elif _may_go_on(clause, phrase) and _follows(clause, behind) and behind not in taken:
            yield behind


def _may_go_on(clause: Clause, phrase: Phrase) -> bool:
    """Whether a word behind a phrase may be of it: where adjectives stand there, or, where the kind stands last, behind
    a part of a name that says none."""
    pack = clause.names.pack
    return pack.adjectives_behind or (pack.postpositions and phrase.part and not phrase.kinds)


def _numbers_it(clause: Clause, place: int) -> bool:
    """Whether a mere number stands here that no unit and no other word takes for something else."""
    return any(n.cells == (place,) and n.unit is None for n in clause.numbers) and not clause.mark(place)


def _tells_which(cell: Cell) -> bool:
    """Whether a word beside a thing tells which: nothing explains it, or it is what the thing is
    there for, or says whether it is the right one."""
    told = (*_SERVED, Chat.RIGHT, Chat.WRONG, Chat.JOKE)
    return cell.free or cell.heard or (cell.means(*told) and not cell.has(Named, OfKind))


def _follows(clause: Clause, place: int) -> bool:
    """Whether a word that nothing explains, and that does not say how, goes on with what is before it."""
    return place < len(clause.cells) and not clause.mark(place) and _is_unknown(clause.cells[place])


def _is_unknown(cell: Cell) -> bool:
    free = cell.get(Free)
    return cell.heard or (free is not None and cell.free and not free.adverb)


def unknown_in_place(
    clause: Clause, phrases: Sequence[Phrase], first: int, stop: int, taken: Collection[int]
) -> Iterator[int]:
    """Words that nothing explains beside a place that is all that is named: "the kettle in the study" is no lamp there.

    Before the place small words may stand between; behind it nothing may.
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
    """A noun that nothing explains before all that is named: what is ordered is for that, and the rest only tells
    where ("put the teapot on the TV")."""
    if clause.postpositions or not phrases:
        return
    for i in range(min(min(p.cells) for p in phrases if p.cells) - 1, first, -1):
        if clause.mark(i + 1) or clause.cells[i].says(Role.JOIN):
            return
        if i not in taken and _is_unknown(clause.cells[i]) and clause.cells[i - 1].says(Role.ARTICLE):
            yield i


def unknown_beside(clause: Clause, phrases: Sequence[Phrase], taken: Collection[int]) -> Iterator[int]:
    """Nouns that nothing explains and that are joined to what is named: the order is for them, too ("the lamp and the
    wibble"). What says what is to be done may stand between."""
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
    if first > 1 and cells[first].says(Role.JOIN) and not clause.postpositions:
        noun = _is_unknown(cells[first - 1]) and cells[first - 2].says(Role.ARTICLE)
        yield from {first - 1} - {*taken} if noun else ()


def behind_its_end(clause: Clause, phrases: Sequence[Phrase]) -> Iterator[int]:
    """The words of a phrase behind a mark and the particle that ended the order before it: it is no further one ("mach
    das Licht aus, mein Roboter")."""
    for one, other in itertools.pairwise(phrases) if clause.names.pack.separable else ():
        between = range(max(one.cells) + 1, min(other.cells))
        ends = [i for i in between if clause.cells[i].has(Particle) and clause.mark(i + 1)]
        if ends and not any(clause.cells[i].says(Role.JOIN, Role.OR, Role.EXCEPT) for i in between):
            yield from other.cells


def unknown_owners(clause: Clause, first: int, stop: int, taken: Collection[int]) -> Iterator[int]:
    """Words that nothing explains right before what can be set of a thing ("the sauna temperature"), where a verb ends
    the clause: they tell whose it is."""
    for i in range(first, stop - 1) if clause.postpositions else ():
        cell = clause.cells[i]
        owned = clause.cells[i + 1].has(Dimension) and not clause.cells[i + 1].has(Heading)
        if cell.free and owned and i not in taken and not clause.mark(i + 1):
            yield i


def unknown_places(clause: Clause, first: int, stop: int, taken: Collection[int]) -> Iterator[int]:
    """Words that nothing explains and that a word for a place leads."""
    for i in range(first, stop):
        cell = clause.cells[i]
        if cell.has(NoPlace) and not cell.has(Named, InArea, OnFloor) and i not in taken:
            yield i
        if not _tells_which(cell) or i in taken:
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
