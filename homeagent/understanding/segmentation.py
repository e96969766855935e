"""The cheapest ways to read a sentence as a row of cells, and where it may fall into clauses."""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from homeagent.languages.concepts import (
    Colour,
    Complaint,
    Count,
    Courteous,
    DayWord,
    Dimension,
    Heading,
    Level,
    ListAction,
    Particle,
    Question,
    Reference,
    Role,
    SafetyWord,
    Share,
    ShoppingWord,
    Sky,
    StateWord,
    Verb,
    White,
)
from homeagent.understanding.courtesies import hangs_unasked
from homeagent.understanding.lattice import Lattice
from homeagent.understanding.spans import (
    EACH_CELL,
    OF_QUESTIONS,
    Cell,
    Free,
    InArea,
    Named,
    OfKind,
    OnFloor,
    Source,
    Span,
)
from homeagent.understanding.tokeniser import Token

_MOST_CUTS = 5
_WITHIN = 3.0
"""What a segmentation may cost at most above the cheapest."""
_ENDS_A_SENTENCE = frozenset(".!?")
_PREDICATES = (Verb, Heading, Particle, StateWord, Complaint, ListAction, Sky)
_ALSO_WITHIN = (Role.PRONOUN, Role.FILLER, Role.COURTESY, Role.REASON, Role.COPULA, Role.HERE)
_NAMING = (Named, InArea, OnFloor, OfKind, Dimension)
_TOLD = (Verb, Complaint, StateWord, Sky)
_EXCLAMATION = 3
"""Cells."""
_ALL_SUBSETS_UP_TO = 3
DEEDS = (Verb, Heading, Share, ListAction)
_CLOSING = (Role.REASON, Role.CONDITION)
_CLOSING_UNKNOWN = (*_CLOSING, Role.STATEMENT)


@dataclass(frozen=True, slots=True)
class Segmentation:
    """A row of cells that covers the sentence. ``cost``: above the cheapest one's. ``broken_names``: how many whole
    names of several words it splits.
    """

    cells: tuple[Cell, ...]
    cost: float
    broken_names: int = 0


def segmentations(lattice: Lattice, keep: int = 6) -> list[Segmentation]:
    """The ``keep`` cheapest segmentations that cost at most `_WITHIN` more than the cheapest, found by a beam search
    over extents.
    """
    count = len(lattice)
    cells = [_cells(spans) for spans in lattice]
    best: list[list[tuple[float, int, tuple[Cell, ...]]]] = [[] for _ in range(count + 1)]
    best[0] = [(0.0, 0, ())]
    order = itertools.count(1)
    for first in range(count):
        for cost, _, row in heapq.nsmallest(keep, best[first], key=_price):
            for cell in cells[first]:
                best[cell.end].append((cost + cell.cost + EACH_CELL, next(order), (*row, cell)))
    whole = heapq.nsmallest(keep, best[count], key=_price)
    least = whole[0][0] if whole else 0.0
    names = _whole_names(lattice)
    return [Segmentation(row, cost - least, _broken(names, row)) for cost, _, row in whole if cost - least <= _WITHIN]


def _whole_names(lattice: Lattice) -> list[tuple[int, int]]:
    """The extents of names of several words, without those inside a longer name."""
    found = [
        (s.first, s.end)
        for spans in lattice
        for s in spans
        if isinstance(s.meaning, Named) and s.source is Source.EXACT and not s.meaning.part and s.end - s.first > 1
    ]
    return [x for x in found if not any(y != x and y[0] <= x[0] and x[1] <= y[1] for y in found)]


def _broken(names: Sequence[tuple[int, int]], row: Sequence[Cell]) -> int:
    return sum(not any(c.first <= first and end <= c.end for c in row) for first, end in set(names))


def _price(kept: tuple[float, int, tuple[Cell, ...]]) -> tuple[float, int]:
    return kept[:2]


def _cells(spans: Sequence[Span]) -> list[Cell]:
    """The spans that begin at one token as cells, one for each extent. Where a word is known, that it may
    be unexplained is no reading.
    """
    by_end: dict[int, list[Span]] = {}
    for span in spans:
        by_end.setdefault(span.end, []).append(span)
    made = []
    for end, readings in by_end.items():
        own = (r for r in readings if r.source is not Source.ENDING)
        known = any(not isinstance(r.meaning, (Free, *OF_QUESTIONS)) for r in own)
        said = [r for r in readings if not isinstance(r.meaning, Free)] if known else readings
        made.append(Cell(said[0].first, end, tuple(sorted(said, key=lambda r: r.cost))))
    return made


def clause_boundaries(
    cells: Sequence[Cell],
    tokens: Sequence[Token],
    *,
    postpositions: bool = False,
    courteous: Mapping[str, frozenset[Courteous]] | None = None,
) -> Iterator[tuple[int, ...]]:
    """Sets of indexes at which clauses begin, from conjunctions, marks and reasons: with all of them first."""
    at = [
        i
        for i in range(1, len(cells))
        if _opens(cells[i], postpositions=postpositions)
        or _closes(cells[i - 1], postpositions=postpositions)
        or (postpositions and _stands_last(cells, i - 1))
        or (postpositions and (ends_an_order(cells, i - 1) or ends_a_refusal(cells, i - 1) or _calls(cells, i - 1)))
        or (not postpositions and _may_lead_a_condition(cells, tokens, i))
        or tokens[cells[i].first].mark
        or (not postpositions and _begins_anew(cells, i) and not _is_condition(cells[i - 1]))
        or (not postpositions and (orders_anew(cells, i) or ends_a_condition(cells, i) or _ends_a_state(cells, i)))
    ]
    # ", and": the mark before the joining word is the cut
    at = [i for i in at if not (i - 1 in at and cells[i - 1].says(Role.JOIN) and not cells[i - 1].has(*_PREDICATES))]
    at = [i for i in at if postpositions or not _hangs_on_what_is_told(cells, tokens, i)]
    at = [i for i in at if not hangs_unasked(cells, tokens, i, courteous or {})]
    at = [i for i in at if not _hangs_on_a_condition(cells, tokens, i) or _parts_a_state(cells, i)]
    stretches = itertools.pairwise((0, *at, len(cells)))
    at = [i for (first, i), (_, end) in itertools.pairwise(stretches) if not _adds_to_a_condition(cells, first, i, end)]
    if len(at) > _MOST_CUTS:
        at = [i for i in at if tokens[cells[i].first].mark][:_MOST_CUTS]
    if len(at) <= _ALL_SUBSETS_UP_TO:
        for size in range(len(at), -1, -1):
            yield from itertools.combinations(at, size)
        return
    yield tuple(at)
    yield ()
    for size in (1, 2, len(at) - 1):
        yield from itertools.combinations(at, size)


def _hangs_on_a_condition(cells: Sequence[Cell], tokens: Sequence[Token], place: int) -> bool:
    """Whether the part that begins at a cell belongs to a condition: it is one, or the sentence opened with one and has
    not ended.
    """
    behind = cells[place + 1 : place + 2] if cells[place].says(Role.JOIN) else ()
    if any(_is_condition(c) for c in (cells[place], *behind)):
        return True
    ended = any(_ENDS_A_SENTENCE & set(tokens[cells[i].first].mark) for i in range(1, place + 1))
    return not ended and _opens_with_a_condition(cells, tokens)


def _hangs_on_what_is_told(cells: Sequence[Cell], tokens: Sequence[Token], place: int) -> bool:
    """Whether the verb behind a mark depends on a verb of telling before it ("ich habe vergessen, das Licht
    auszuschalten"). A part that opens with its verb or holds a courtesy is an order.
    """
    before = next((c for c in reversed(cells[:place]) if not c.says(Role.FILLER) or c.says(Role.TOLD)), cells[0])
    ended = _ENDS_A_SENTENCE & set(tokens[cells[place].first].mark)
    if ended or not before.says(Role.TOLD) or before.says(Role.COURTESY):
        return False
    behind = cells[place:]
    opening = next((c for c in behind if not c.means(Role.FILLER, Role.JOIN)), behind[0])
    own = opening.has(Verb, Heading, ListAction) or any(c.says(Role.COURTESY) for c in behind)
    return not own and any(c.has(Verb, Heading, ListAction) for c in behind)


def asks_indirectly(cells: Sequence[Cell], tokens: Sequence[Token], place: int) -> bool:
    """Whether what stands before a word like "if", up to a mark, only tells what somebody knows or not, so that no
    condition follows ("I can't remember if I locked it").
    """
    first = next((i for i in range(place, 0, -1) if tokens[cells[i].first].mark), 0)
    before = cells[first:place]
    if any(c.says(SafetyWord.DOUBT) for c in before):
        return True
    return all(any(c.says(role) for c in before) for role in (Role.STATEMENT, Role.NEGATION))


def _may_lead_a_condition(cells: Sequence[Cell], tokens: Sequence[Token], place: int) -> bool:
    return _is_condition(cells[place]) and _parts_a_state(cells, place) and not asks_indirectly(cells, tokens, place)


def _parts_a_state(cells: Sequence[Cell], place: int) -> bool:
    """Whether the condition beside a cell names a state, so that the order beside it may be one
    that ends this state.
    """
    opens = any(_is_condition(c) for c in cells[place : place + 2])
    return any(_tells_how_it_is(c) for c in (cells[place:] if opens else cells[:place]))


def _tells_how_it_is(cell: Cell) -> bool:
    """Whether it says a state, the sky, or what something measured is held against ("over", "colder")."""
    compares = cell.says(Role.ABOVE, Role.BELOW) or (cell.has(Heading) and not cell.has(Verb))
    return compares or cell.has(StateWord, Sky)


def ends_a_condition(cells: Sequence[Cell], place: int) -> bool:
    """Whether an order begins right behind the state that a condition names ("if the lamp is on turn it off")."""
    if not any(_is_condition(c) for c in cells[:2]) or not cells[place].has(*DEEDS) or cells[place].has(StateWord):
        return False
    if any(c.says(Role.ABOVE, Role.BELOW) for c in cells[1:place]):
        return any(c.has(Count) for c in cells[2:place])
    # where it is so may stand behind the state: "if a light is on in the kitchen turn it off"
    beside = (Role.COPULA, Role.FILLER, Role.COURTESY, Role.PLACE)
    where = (InArea, OnFloor, DayWord)
    told = (c for c in reversed(cells[2:place]) if c.has(StateWord, Sky) or not (c.says(*beside) or c.has(*where)))
    state = next(told, None)
    return state is not None and state.has(StateWord, Sky)


def _ends_a_state(cells: Sequence[Cell], place: int) -> bool:
    """Whether an order begins right behind what is told of a thing ("the blinds they are still open close them")."""
    if not cells[place].has(*DEEDS) or cells[place].has(StateWord, Particle, *_NAMING) or cells[0].has(Question):
        return False
    before, behind = cells[1:place], cells[place + 1 :]
    told = any(c.says(Role.COPULA, Role.STATEMENT) or c.has(ShoppingWord) for c in before)
    last = next((c for c in reversed(before) if not c.says(Role.COPULA, Role.FILLER, Role.COURTESY)), cells[0])
    return bool(told and behind) and (last.has(StateWord, Complaint) or last.says(Role.NEGATION))


def _adds_to_a_condition(cells: Sequence[Cell], first: int, place: int, end: int) -> bool:
    """Whether the part joined to a condition adds to it and orders nothing ("if the TV is on and it is dark, …")."""
    joined = cells[place:end]
    if not joined[0].says(Role.JOIN) or not any(_is_condition(c) for c in cells[first : first + 2]):
        return False
    opening = next((c for c in joined if not c.means(Role.JOIN, Role.FILLER)), joined[0])
    told = any(c.says(Role.COPULA, Role.STATEMENT, Role.AUXILIARY) for c in joined)
    return told and not opening.has(Verb, Heading, ListAction) and not any(c.says(Role.COURTESY) for c in joined)


def is_part_of_a_condition(cells: Sequence[Cell], tokens: Sequence[Token], *, postpositions: bool) -> bool:
    """Whether a clause opens, or with postpositions ends, with a condition whose main clause is another clause."""
    if postpositions and cells[-1].says(Role.CONDITION) and not cells[-1].says(Role.COURTESY):
        return cells[-1].end < len(tokens)
    if not _opens_with_a_condition(cells, tokens):
        return False
    end = cells[-1].end
    begins = not cells[0].first or bool(_ENDS_A_SENTENCE & set(tokens[cells[0].first].mark))
    return not (begins and (end == len(tokens) or bool(_ENDS_A_SENTENCE & set(tokens[end].mark))))


def _opens_with_a_condition(cells: Sequence[Cell], tokens: Sequence[Token]) -> bool:
    return any(_is_condition(c) and not asks_indirectly(cells, tokens, i) for i, c in enumerate(cells[:2]))


def _is_condition(cell: Cell) -> bool:
    return (
        cell.says(Role.CONDITION)
        and not cell.says(Role.COURTESY, Role.TO, Role.PLACE, Role.REASON)
        and not cell.has(*_PREDICATES)
    )


def _begins_anew(cells: Sequence[Cell], place: int) -> bool:
    """Whether a new clause begins without a mark: a courtesy with its verb, or the opening of a statement, behind a
    predicate ("it is dark please turn on the light").
    """
    if place + 1 == len(cells):
        return False
    if cells[place].has(Verb) and not cells[place].has(Complaint) and cells[place - 1].has(Complaint):
        return True
    if cells[place].means(Role.STATEMENT) and not cells[place].says(*_ALSO_WITHIN):
        if cells[place - 1].says(Role.PLACE) and not cells[place - 1].has(Particle):
            return False  # "het licht van de kinderen"
        joined = max((i for i in range(place) if cells[i].says(Role.JOIN)), default=0)
        return any(c.has(*_TOLD) for c in cells[joined:place])  # "y en la cocina hace frío" begins with "y"
    if not cells[place].means(Role.COURTESY) or cells[place - 1].says(Role.COURTESY):
        return False
    ordering = next((c for c in cells[place:] if not c.says(Role.COURTESY) or c.has(Verb)), cells[place])
    return ordering.has(Verb, Heading, ListAction) and any(c.has(*_TOLD) for c in cells[:place])


def orders_anew(cells: Sequence[Cell], place: int) -> bool:
    """Whether a new order begins without a mark: a verb with its thing behind a complete order or an exclamation ("turn
    on the hall light turn off the TV").
    """
    whole = cells[place].end - cells[place].first > 1
    if not _is_deed(cells[place]) or not (whole or any(c.has(*_NAMING) for c in cells[place + 1 :])):
        return False
    *before, last = cells[:place]
    if last.says(Role.NEGATION, Role.TO, Role.BY, Role.OR, Role.DELEGATION) or _is_condition(last):
        return False
    before.append(last)
    deeds = [i for i, c in enumerate(before) if _is_deed(c) or c.has(Particle)]
    if not deeds:
        return 1 < len(before) <= _EXCLAMATION and before[0].means(Role.COURTESY) and all(c.free for c in before[1:])
    neutral = all(c.says(Verb.DO, Verb.KEEP) for c in before if _is_deed(c))
    said = (Particle, Heading, Count, Level, Share, Colour, White)
    return any(c.has(*_NAMING) for c in before[deeds[0] :]) and not (neutral and not any(c.has(*said) for c in before))


def _is_deed(cell: Cell) -> bool:
    """Whether a cell says what to do, and can be neither a thing nor a small word."""
    small = cell.says(
        *(Role.STATEMENT, Role.AUXILIARY, Role.COPULA, Role.FILLER, Role.COURTESY, Role.PLACE, Role.JOIN, Role.BY)
    )
    return cell.has(Verb, Heading) and not small and not cell.has(*_NAMING, Particle, Question)


def _opens(cell: Cell, *, postpositions: bool) -> bool:
    """Whether a clause may begin with a cell."""
    opening = (Role.JOIN, Role.OTHERWISE) if postpositions else (Role.JOIN, Role.REASON, Role.OTHERWISE)
    return cell.means(*opening) and not _closes(cell, postpositions=postpositions)


def _closes(cell: Cell, *, postpositions: bool) -> bool:
    """Whether a clause may end with the cell: a predicate with a connective suffix; with postpositions also the
    connective itself.
    """
    if postpositions and (
        cell.means(Role.REASON, Role.CONDITION, Role.STATEMENT) or (cell.free and cell.says(*_CLOSING_UNKNOWN))
    ):
        return True
    return cell.says(Role.JOIN, *_CLOSING) and cell.has(*_PREDICATES) and cell.end - cell.first <= 2


def ends_a_refusal(cells: Sequence[Cell], place: int) -> bool:
    """Whether "instead" stands here right behind a verb that is denied ("끄지 말고 …")."""
    before = cells[max(0, place - 1) : place]
    return cells[place].says(Reference.INSTEAD) and any(c.has(*DEEDS) and c.says(Role.NEGATION) for c in before)


def ends_an_order(cells: Sequence[Cell], place: int) -> bool:
    """Whether a courtesy ends an order here, as a suffix of its verb or right behind it."""
    cell = cells[place]
    if not cell.says(Role.COURTESY):
        return False
    behind = cells[place + 1 : place + 2]
    if any(c.means(Role.COURTESY, Role.FILLER) for c in behind):
        return False
    ended = (c for c in reversed(cells[:place]) if c.has(*DEEDS) or not c.means(Role.COURTESY, Role.FILLER))
    return cell.has(*DEEDS) or next(ended, cell).has(*DEEDS)


def _stands_last(cells: Sequence[Cell], place: int) -> bool:
    """Whether a verb ends its clause here, in languages that put it last: something else than a verb or a small word
    follows ("멈춰봐 전화 왔어").
    """
    cell, behind = cells[place], cells[place + 1]
    goes_on = behind.has(*DEEDS, Question) or behind.says(Role.COURTESY, Role.FILLER, Role.COPULA, Role.NEGATION)
    named = any(c.has(*_NAMING) for c in cells[:place])
    return _is_deed(cell) and named and not goes_on and not cell.says(Role.NEGATION, Role.REASON, Role.CONDITION)


def _calls(cells: Sequence[Cell], place: int) -> bool:
    """Whether somebody is called by an unexplained word here, before anything is said ("집사야, …")."""
    called = cells[place].free and cells[place].says(Role.COURTESY)
    return called and all(c.means(Role.COURTESY, Role.FILLER) for c in cells[:place])
