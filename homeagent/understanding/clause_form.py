"""What the form of a clause counts for or against a frame: a question, two orders in one, a mark in its midst."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator

from homeagent.languages.concepts import (
    Amount,
    Attribute,
    Chat,
    Clock,
    Colour,
    Count,
    Dimension,
    Heading,
    Particle,
    Question,
    Reference,
    Role,
    Sky,
    StateWord,
    Verb,
)
from homeagent.understanding.clauses import Clause
from homeagent.understanding.frame import ANSWERED, ORDERS, ActKind, Feature
from homeagent.understanding.spans import InArea, Named, OfKind, OnFloor
from homeagent.understanding.statement_clauses import describes, tells

_ASKED = (Question, Attribute, Clock, StateWord, Sky)
"""What a question holds that is complete before a conjunction."""
_ENDS = frozenset(".!?")
"""Marks that part sentences: a clause seldom goes on behind one."""
_BESIDE_A_VERB = (OfKind, Dimension, Question)
_BETWEEN_VERBS = (Named, OfKind, InArea, Count, Colour)


def form_features(clause: Clause, act: ActKind, explained: Collection[int]) -> Iterator[tuple[Feature, float]]:
    """The features of the form of a clause, for a frame that explains these cells."""
    if act in ORDERS:
        yield Feature.DESCRIBES, describes(clause) + tells(clause, explained) + clause.told
        yield Feature.NEGATED, float(clause.keeps)
        yield Feature.DESCRIBES, float(_is_of_what_is_told(clause, explained))
    if act in ORDERS or act is ActKind.UNKNOWN:
        yield Feature.SEVERAL_VERBS, _verbs_apart(clause, explained)
    if act in ANSWERED and not clause.postpositions:
        yield Feature.SEVERAL_VERBS, float(_asks_twice(clause))
    if act in ORDERS:
        yield Feature.ASKS, _asks(clause)
        if act in (ActKind.SETTING, ActKind.STEPPING):
            yield Feature.BROKEN_VERB, float(any(clause.cells[i].parted for i in explained))
    if act is not ActKind.CHAT:
        first = _behind_leading_words(clause)
        within = (i for i in range(first, len(clause.cells)) if i != clause.exception)
        marks = (clause.mark(i) for i in within)
        yield Feature.ACROSS_A_MARK, sum(2 if _ENDS & {*mark} else 1 for mark in marks if mark)


def _is_of_what_is_told(clause: Clause, explained: Collection[int]) -> bool:
    """Whether somebody tells what they do, and only a preposition of that would be the order ("ich gehe aus der
    Küche"), or the order stands behind a mark after that: then it is a clause of its own."""
    opening = clause.cells[clause.opening]
    if clause.postpositions or not (opening.says(Role.STATEMENT) or opening.has(Chat)):
        return False
    deeds = sorted(set(explained) & clause.of(Verb, Heading, Particle))
    tells = opening.means(Role.STATEMENT) and not opening.says(Role.COURTESY, Role.FILLER)
    if tells and deeds and all(clause.cells[i].has(Particle) and clause.leads_to_a_thing(i) for i in deeds):
        return True
    marks = (i for i in range(clause.opening + 1, min(deeds, default=0) + 1) if clause.mark(i))
    return any(tells or _names_only_places(clause, i) for i in marks)


def _names_only_places(clause: Clause, end: int) -> bool:
    """Whether of all that the home has only places are named before a cell."""
    before = clause.cells[:end]
    return any(c.has(InArea, OnFloor) for c in before) and not any(c.has(Named, OfKind) for c in before)


def _behind_leading_words(clause: Clause) -> int:
    """The index from which a mark counts against a frame. One behind a leading place ("in the hall, …") or behind words
    that only introduce the order ("would it be possible, …") does not.
    """
    mark = next((i for i in range(1, len(clause.cells)) if clause.mark(i)), 0)
    leading = clause.cells[:mark]
    if clause.cells[0].says(Role.PLACE) and not any(c.has(Verb) for c in leading):
        return mark + 1
    if mark and all(c.says(Role.COURTESY, Role.FILLER, Role.JOIN) or c.has(Question) for c in leading):
        return mark + 1
    return 1


def _verbs_apart(clause: Clause, explained: Collection[int]) -> float:
    """How often another constituent stands between two verbs, which then are two orders.

    A neutral verb ("make the fan go on") needs a conjunction or a mark between them, not just a thing.
    """
    excepted = clause.excepted
    verbs = [
        i
        for i, cell in enumerate(clause.cells)
        if i in explained
        and i not in excepted
        and (cell.has(Verb) or any(h.dimension is not None for h in cell.all(Heading)))
        and (not cell.has(*_BESIDE_A_VERB) or cell.parted or _opens_its_part(clause, i))
        and not cell.says(Role.PLACE, Role.TO)
    ]
    return sum(_parts_verbs(clause, one, other) for one, other in itertools.pairwise(verbs))


def _opens_its_part(clause: Clause, place: int) -> bool:
    """Whether a cell stands where a verb opens a part: behind a conjunction or a mark ("and switch on the TV")."""
    return place > 0 and (bool(clause.mark(place)) or clause.cells[place - 1].says(Role.JOIN))


def _parts_verbs(clause: Clause, one: int, other: int) -> bool:
    if _is_particle_of(clause, one, other) or clause.cells[one].parted & clause.cells[other].parted:
        return False
    between = clause.cells[one + 1 : other]
    if clause.mark(other) or any(c.says(Role.JOIN) for c in between):
        return True
    if set(clause.cells[one].all(Verb)) == set(clause.cells[other].all(Verb)):
        return False  # "send it back to its base": one order, said twice
    neutral = any(clause.cells[i].says(Verb.DO) for i in (one, other))
    return not neutral and any(c.has(*_BETWEEN_VERBS) for c in between)


def _asks_twice(clause: Clause) -> bool:
    """Whether another question begins behind a conjunction: with a question word, or with its verb and a pronoun
    ("… und regnet es morgen")."""
    joins = (i for i in clause.at(Role.JOIN) if 0 < i < len(clause.cells) - 1)
    return any(_opens_a_question(clause, i + 1) and any(c.has(*_ASKED) for c in clause.cells[:i]) for i in joins)


def _opens_a_question(clause: Clause, place: int) -> bool:
    opening, behind = clause.cells[place], clause.cells[place + 1 : place + 2]
    if opening.has(Question) and not opening.says(Role.FILLER, Role.PRONOUN, Role.COURTESY) and behind:
        return True
    return opening.has(Sky, Verb) and any(c.says(Role.PRONOUN) and not c.says(Role.ARTICLE) for c in behind)


def _is_particle_of(clause: Clause, verb: int, place: int) -> bool:
    """Whether the cell is the particle of a separable verb elsewhere in the clause."""
    cell = clause.cells[place]
    apart = clause.tokens[cell.first].text in clause.names.pack.separable
    return apart and not set(clause.cells[verb].all(Verb)).isdisjoint(cell.all(Verb))


def _asks(clause: Clause) -> float:
    """How much the form is that of a question; a courtesy ("could you …?") makes it an order."""
    polite = bool(clause.at(Role.COURTESY, Role.ENSURE))
    marked = 1.0 if clause.asks and not polite else 0.0
    return marked + 1.5 * _begins_as_question(clause) + 1.5 * _ends_as_question(clause)


def worded_as_question(clause: Clause) -> bool:
    """Whether its words are those of a question, whatever its mark: "is the lamp …", and not "the lamp?"."""
    return _begins_as_question(clause) or _ends_as_question(clause)


def _begins_as_question(clause: Clause) -> bool:
    first = next(
        (c for c in clause.cells if not c.says(Role.JOIN, Role.FILLER) or c.has(Question, Verb)), clause.cells[0]
    )
    handed = first.says(Role.DELEGATION) and hands_on(clause, clause.opening)
    small = first.says(Role.COURTESY, Role.TO, Role.ARTICLE)  # "à 40 pour cent", "un degré de plus"
    amount = first.has(Amount) and bool(clause.of(Heading) | clause.at(Reference.MORE)) and not clause.cells[0].first
    small = small or amount  # "iets feller"
    return first.has(Question) and not small and not first.has(Verb) and not handed


def _ends_as_question(clause: Clause) -> bool:
    last = clause.cells[-1]
    return clause.postpositions and last.has(Question) and not last.says(Role.COURTESY, Verb.LOCATE)


def hands_on(clause: Clause, place: int) -> bool:
    """Whether a thing and, behind it, a verb follow the cell."""
    behind = clause.cells[place + 1 :]
    thing = next((i for i, c in enumerate(behind) if c.has(Named, OfKind)), len(behind))
    return any(c.has(Verb) for c in behind[thing + 1 :])
