"""One order for two things, or one question for a measure in two places, taken apart into one each: what is known of
the one does not wait for the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from homeagent.languages.concepts import (
    Attribute,
    Colour,
    Count,
    Heading,
    Level,
    ListAction,
    Particle,
    Purpose,
    Question,
    Role,
    Share,
    Verb,
)
from homeagent.understanding.clauses import THINGS
from homeagent.understanding.spans import Cell, NoPlace
from homeagent.understanding.tokeniser import Token

Half = tuple[Cell, ...]
_OWN = (Particle, Heading, Count, Level, Share, Colour)
"""What each of two things may have of its own."""
_LINKS = (Role.ARTICLE, Role.FILLER, Role.PLACE, Role.EVERY)


def halves(cells: Sequence[Cell], tokens: Sequence[Token]) -> Iterator[tuple[Half, Half]]:
    """The orders of a clause whose verb serves two things that are joined, where one of these holds a word that is not
    sure: "turn off [the lamp] and [the gizmo]". A verb of its own behind the joining word makes two clauses of it. Also
    the questions for a measure of two things: "how warm is it in [the hall] and [the kitchen]"."""
    measures = any(c.has(Attribute) for c in cells)
    for join in (i for i, c in enumerate(cells) if c.says(Role.JOIN) and not c.has(Verb, Heading)):
        hangs = not cells[join].means(Role.JOIN)  # on the first thing
        one = _before(cells, join + hangs)
        other = _behind(cells, tokens, join + 1)
        if not one or not other or not (measures or any(_is_unsure(cells[i]) for i in (*one, *other))):
            continue
        before, behind = cells[: one.start], cells[other.stop :]
        asked = (ListAction,) if measures else (ListAction, Question)
        if any(c.has(*asked) and not c.has(Verb) for c in (*before, *behind)):
            continue
        if any(c.has(Verb) for c in before) and any(c.has(Verb) and not c.has(Particle) for c in behind):
            continue
        between = cells[one.stop : join]
        if all(any(c.has(*_OWN) for c in part) for part in (between, behind)):
            continue  # "the lamp on and the gizmo off"
        yield (
            (*before, *cells[one.start : one.stop], *between, *behind),
            (*before, *between, *cells[other.start : other.stop], *behind),
        )


def _before(cells: Sequence[Cell], end: int) -> range:
    """The places of the last thing before a joining word; what says what to do with it may stand between."""
    last = end
    while last and not _is_of_a_thing(cells[last - 1]):
        last -= 1
    return _run(cells, last)


def _run(cells: Sequence[Cell], end: int) -> range:
    first = end
    while first and (_is_of_a_thing(cells[first - 1]) or (first < end and _links(cells[first - 1]))):
        first -= 1
    return range(first, end)


def _behind(cells: Sequence[Cell], tokens: Sequence[Token], first: int) -> range:
    """The places of the thing right behind a joining word."""
    end = said = first
    while end < len(cells) and (_is_of_a_thing(cells[end]) or _links(cells[end])):
        if end > first and tokens[cells[end].first].mark:
            break
        end += 1
        said = end if _is_of_a_thing(cells[end - 1]) else said
    return range(first, said)


def _links(cell: Cell) -> bool:
    return cell.says(*_LINKS) and not cell.has(Verb, Particle)


def _is_of_a_thing(cell: Cell) -> bool:
    return cell.free or (cell.has(*THINGS, NoPlace, Purpose) and not cell.has(Verb, Attribute))


def _is_unsure(cell: Cell) -> bool:
    made = cell.has(Purpose) and not cell.has(*THINGS)  # "coffee on and the lamp as well"
    return cell.free or cell.corrected or cell.has(NoPlace) or made
