"""What has to be so now for an order: a condition is the question whether it is so, and is looked at as one."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from datetime import date

from homeagent.domains.states import OPPOSITES
from homeagent.languages.concepts import Role, Sky, StateWord, Verb
from homeagent.understanding.clauses import Clause
from homeagent.understanding.frame import ActKind, Feature, Frame
from homeagent.understanding.frames.awaited_states import asks_how_it_is
from homeagent.understanding.frames.clause_parts import tokens_of, without
from homeagent.understanding.frames.comparisons import against
from homeagent.understanding.frames.state_questions import asking
from homeagent.understanding.frames.weather_questions import weather
from homeagent.understanding.lattice import is_called_by_name
from homeagent.understanding.request import Act, Asked, Given, Request, Scope
from homeagent.understanding.segmentation import DEEDS
from homeagent.understanding.spans import Cell
from homeagent.understanding.timer_words import Noun, timer_words

_WHOLLY_UNDERSTOOD = frozenset(
    {
        *(Feature.EXPLAINED, Feature.LEFT_SMALL, Feature.LEFT_ADVERB, Feature.ACROSS_A_MARK, Feature.PART_OF_NAME),
        *(Feature.SET, Feature.INHERITED, Feature.UNSURE_SORT, Feature.GUARDED, Feature.WEAK_QUESTION),
    }
)
_TELLING = 3
"""Words before it within which a verb of telling stands."""
_LOOKED_AT = ("", "weather", "forecast")
"""What can be looked at: a state, the sky, and what is foretold of it."""


def conditional(clause: Clause, today: date) -> Iterator[Frame]:
    """The condition of an order as the question whose yes it needs, or whose no where it is denied. None for what
    comes about, which is waited for.
    """
    leads = clause.at(Role.CONDITION)
    if len(leads) != 1 or not (clause.postpositions or asks_how_it_is(clause, leads)):
        return
    hanging = {i for i in leads if not clause.cells[i].means(Role.CONDITION)}
    denied = clause.at(Role.NEGATION)
    rest = without(clause, (leads - hanging) | {i for i in denied if clause.cells[i].means(Role.NEGATION)})
    if rest is None or not _denies_once(clause, denied) or _hides_a_denial(clause):
        return
    if any(clause.cells[i].means(Role.JOIN) for i in clause.at(Role.JOIN) - clause.leading_joins) or _is_told(clause):
        return  # "if it is on and nobody is here", "tell me if it is on"
    whole = replace(rest, asks=True)
    for found in (*asking(whole), *against(whole), *weather(whole, today)):
        asked = found.request
        if asked is None or not can_be_looked_at(asked) or not found.features.keys() <= _WHOLLY_UNDERSTOOD:
            continue
        if not asked.attribute and asked.details.than is None and _is_of_nobody_named(whole, found):
            continue
        compares = bool(asked.attribute) or asked.details.than is not None
        if any(_is_a_deed(c) for i, c in enumerate(whole.cells) if not compares or i not in found.explained):
            continue  # what is done, or ordered, is no part of how it is
        request = Request(Act.SAY, given=given_of(asked, found.entity_ids, denied=bool(denied)))
        yield replace(found, act=ActKind.CONDITION, request=request, explained=frozenset(range(len(clause.cells))))


def _is_a_deed(cell: Cell) -> bool:
    return cell.has(*DEEDS) and not cell.has(StateWord) and not cell.says(Role.COPULA, Role.FILLER)


def _is_of_nobody_named(clause: Clause, asked: Frame) -> bool:
    """Whether it is asked of everybody although somebody is called by name: "Ben" is a verb in Dutch, too."""
    named = asked.target is not None and not asked.target.empty
    return not named and any(is_called_by_name(t, clause.names) for t in tokens_of(clause))


def _is_told(clause: Clause) -> bool:
    """Whether a verb of telling, or a joined word or two ("and see if"), stands right before it: that is to be told."""
    words, first = timer_words(clause.names.pack.language), clause.cells[0].first
    before = [t.text for t in clause.tokens[max(0, first - _TELLING) : first]]
    said = clause.names.pack.phrases
    told = words is not None and any(f.says is Noun.TELL for f in words.nouns.find(before))
    return told or any({Role.REPORT, Verb.HEAR, Role.TOLD, Role.JOIN} & {*said.get(t, ())} for t in before)


def _denies_once(clause: Clause, denied: set[int]) -> bool:
    """Whether it is denied by one word, or by two around the verb ("n'est pas", "ne pleut pas")."""
    first, last = min(denied, default=0), max(denied, default=0)
    around = len(denied) == 2 and first + 2 == last
    return len(denied) < 2 or (
        around and (clause.cells[first + 1].says(Role.COPULA) or clause.cells[first + 1].has(Sky))
    )


def _hides_a_denial(clause: Clause) -> bool:
    """Whether a word that denies is part of a phrase that says something else, and no state ("no está")."""
    said = clause.names.pack.phrases
    others = (c for c in clause.cells if not c.says(Role.NEGATION) and not c.has(StateWord))
    return any(Role.NEGATION in said.get(t.text, ()) for c in others for t in clause.tokens[c.first : c.end])


def given_of(asked: Request, ids: Collection[str], *, denied: bool) -> Given:
    """What has to be so; what is denied of one state as the other, so that one condition is always told alike."""
    scope = Scope(tuple((i,) for i in sorted(ids)), every=True) if ids else asked.scope
    turned = denied and bool(asked.states) and all(s in OPPOSITES for s in asked.states)
    states = tuple(sorted({OPPOSITES[s] for s in asked.states} if turned else {*asked.states}))
    form = Asked.YESNO if states else asked.asked
    return Given(replace(asked, scope=scope, states=states, asked=form), denied=denied and not turned)


def can_be_looked_at(asked: Request) -> bool:
    """Whether a question has a yes or a no that is known now, or foretold."""
    compares = asked.details.than is not None
    whether = asked.asked in (Asked.YESNO, Asked.ANY, Asked.ALL) and bool(asked.states)
    return asked.act is Act.QUERY and asked.safety is None and (compares or (whether and asked.attribute in _LOOKED_AT))


def otherwise(clause: Clause) -> Clause | None:
    """The clause without the "otherwise" that leads it behind another clause; None where none does."""
    leads = [i for i in clause.at(Role.OTHERWISE) if i <= clause.opening]
    return without(clause, set(range(leads[0] + 1))) if leads and clause.cells[0].first else None
