"""A clause without some of its words: what is said of time, or what an order waits for, taken out of it."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from homeagent.history.when.future_times import Piece
from homeagent.languages.concepts import DayWord
from homeagent.understanding.clauses import Clause, numbers_of
from homeagent.understanding.tokeniser import Token


def without(clause: Clause, places: Collection[int]) -> Clause | None:
    """The clause without the cells at these places; None where none is left."""
    cells = tuple(c for i, c in enumerate(clause.cells) if i not in places)
    if not cells:
        return None
    numbers = numbers_of(cells, clause.tokens, postpositions=clause.postpositions)
    return replace(clause, cells=cells, numbers=numbers)


def tokens_of(clause: Clause) -> tuple[Token, ...]:
    """The tokens from the first cell of a clause to its last."""
    return clause.tokens[clause.cells[0].first : clause.cells[-1].end]


def words_of(clause: Clause, places: Iterable[int]) -> set[int]:
    """The places among `tokens_of` a clause of the words of these cells."""
    offset = clause.cells[0].first
    return {p - offset for i in places for p in range(clause.cells[i].first, clause.cells[i].end)}


def pieces_in(clause: Clause, pieces: Iterable[Piece]) -> list[Piece]:
    """Those that a clause holds whole; none of one whose words are put together out of their order."""
    said = tokens_of(clause)
    if not said:
        return []
    start, end = said[0].start, said[-1].end
    return [p for p in pieces if start <= p.first and p.last <= end]


def places_of(clause: Clause, pieces: Iterable[Piece]) -> set[int] | None:
    """The places of the cells that say these; None where a cell says something else as well. A day with its part is one
    cell, whatever stands between them."""
    taken = list(pieces)
    found = set()
    for i, cell in enumerate(clause.cells):
        own = [any(t.start < p.last and p.first < t.end for p in taken) for t in clause.tokens[cell.first : cell.end]]
        if any(own):
            found.add(i)
            if not all(own) and not cell.has(DayWord):
                return None
    return found
