"""What is to be bought, where no list is named: it is asked for, or told that none of it is left."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from homeagent.languages.concepts import (
    Colour,
    DayWord,
    Heading,
    ListAction,
    Purpose,
    Question,
    Reference,
    Role,
    ShoppingWord,
    Sky,
    Topic,
    Verb,
)
from homeagent.understanding.clauses import Clause
from homeagent.understanding.frame import ActKind, Feature, Frame
from homeagent.understanding.frame_costs import OPEN_WORD, frame
from homeagent.understanding.frames.list_items import said_items
from homeagent.understanding.grounding import Grounded, TargetFit
from homeagent.understanding.noun_phrases import Phrase, Target
from homeagent.understanding.request import Act, Asked, Details, Request, Scope
from homeagent.understanding.spans import Cell, Free, InArea, Named, NoPlace, OfKind, OnFloor

_MOST_WORDS = 4
_SMALL = (
    *(Role.FILLER, Role.ARTICLE, Role.STATEMENT, Role.COPULA, Role.AUXILIARY, Role.COURTESY, Role.PLACE, Role.TO),
    *(Role.PRONOUN, Role.JOIN, Role.NEGATION, ListAction.ITEM),
)


def shopping(clause: Clause) -> Iterator[Frame]:
    """Frames for what is to be bought, and for the offer to put something on the list that is used up."""
    said = clause.of(ShoppingWord)
    lists = clause.names.shopping_lists if said else ()
    if not lists or clause.at(Role.CONDITION, Topic.WEATHER, Topic.CALENDAR, Question.OTHER) or clause.of(Sky):
        return
    items = _items(clause, said)
    item = [i for run in items for i in run]
    if any(
        i not in item and c.has(Named, OfKind, InArea, OnFloor, NoPlace) and i not in said for i, c in _cells(clause)
    ):
        return
    grounded = Grounded(Scope((lists,)), TargetFit.EXACT, frozenset(lists))
    if clause.asks or _opens_a_question(clause):
        yield from _asked(clause, said, item if len(items) == 1 else [], grounded)
    elif item and _is_wanting(clause):
        yield from _told(clause, said, items, grounded)


def _opens_a_question(clause: Clause) -> bool:
    """Whether it opens with a question word, or has one that never stands inside a statement."""
    asked = {q for _, q in clause.said(Question)} - {Question.YESNO, Question.ANY}
    first = next(c for c in (*(c for c in clause.cells if not c.says(Role.JOIN)), clause.cells[0]))
    return bool(asked) or first.has(Question)


def _is_wanting(clause: Clause) -> bool:
    """Whether something is needed or used up; "more" says so only with a negation ("keine Butter mehr")."""
    more = clause.of(Heading)
    denied = not more or bool(clause.at(Role.NEGATION))
    needed = clause.at(ShoppingWord.NEED) and not clause.at(Role.NEGATION)
    return bool(needed or (clause.at(ShoppingWord.GONE) and (denied or clause.at(ShoppingWord.GONE) - more)))


def _cells(clause: Clause) -> Iterator[tuple[int, Cell]]:
    return iter(enumerate(clause.cells))


def _items(clause: Clause, said: set[int]) -> list[list[int]]:
    """The indexes of each thing that is to be bought: the runs of cells that nothing else explains, conjunctions within
    them; of several each is told of by itself ("rice is out, and flour too").
    """
    runs: list[list[int]] = []
    for i, cell in _cells(clause):
        if i in said or not _may_be_bought(cell):
            continue
        between = clause.cells[runs[-1][-1] + 1 : i] if runs else ()
        if runs and all(c.means(Role.JOIN) for c in between) and not (clause.mark(i) and not between):
            runs[-1].extend(range(runs[-1][-1] + 1, i + 1))
        else:
            runs.append([i])
    gaps = (clause.cells[one[-1] + 1 : other[0]] for one, other in itertools.pairwise(runs))
    joined = all(any(c.says(Role.JOIN) for c in gap) for gap in gaps)
    told = len(clause.at(ShoppingWord.GONE, Reference.TOO)) >= len(runs)
    short = all(len(run) <= _MOST_WORDS for run in runs)
    return runs if short and (len(runs) == 1 or (joined and told)) else []


def _may_be_bought(cell: Cell) -> bool:
    named, free = cell.get(Named), cell.get(Free)
    return (
        (cell.free and not (free is not None and free.adverb))
        or (cell.has(NoPlace) and not named)
        or (not cell.has(OfKind, InArea, OnFloor) and (cell.has(Purpose, Colour) or bool(named and named.part)))
    )


def _asked(clause: Clause, said: set[int], item: list[int], grounded: Grounded) -> Iterator[Frame]:
    """What there is to buy, or whether something is among it; "need" asks that about the speaker too."""
    questions = clause.of(Question)
    cells = said | questions | clause.of(DayWord) | clause.neutral | clause.at(*_SMALL)
    if clause.of(Verb) - cells or any(c.free for i, c in _cells(clause) if i not in item and i not in cells):
        return
    asked, details = Asked.VALUE, Details()
    if item:
        closed = clause.at(Question.YESNO, Question.ANY) or (clause.asks and not questions)
        if not closed or clause.of(DayWord) or not clause.at(ShoppingWord.NEED, ShoppingWord.BUY):
            return  # whether there is any left, no list tells
        asked, details = Asked.YESNO, Details(item=clause.text(item[0], item[-1]))
    request = Request(Act.QUERY, grounded.scope, asked=asked, attribute="items", details=details)
    spoken = Target(phrases=(Phrase(entity_ids=next(iter(grounded.scope.named))),))
    extra = {Feature.OPEN_TEXT: OPEN_WORD * len(item), Feature.WEAK_QUESTION: 0.0 if questions else 0.2}
    yield frame(clause, ActKind.ASKING, request, cells | set(item), spoken, grounded, extra)


def _told(clause: Clause, said: set[int], items: list[list[int]], grounded: Grounded) -> Iterator[Frame]:
    """The offer to put on the list what is said to be used up."""
    if clause.of(Verb, ListAction) - said - clause.neutral - clause.at(*_SMALL) or clause.numbers:
        return
    item = {i for run in items for i in run}
    each = [said_items(clause, run) for run in items]
    parameters = {
        "item": each[0]
        if len(each) == 1
        else [t for texts in each for t in ([texts] if isinstance(texts, str) else texts)]
    }
    request = Request(Act.SAY, grounded.scope, action="add_item", parameters=parameters, say="suggest")
    cells = said | set(item) | clause.neutral | clause.of(DayWord) | clause.at(*_SMALL)
    extra = {Feature.OPEN_TEXT: OPEN_WORD * len(item)}
    yield frame(clause, ActKind.COMPLAINT, request, cells, None, grounded, extra)
