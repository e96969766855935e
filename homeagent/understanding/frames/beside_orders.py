"""What stands beside an order as a clause of its own and asks for nothing: what calls somebody, or tells how it is to
be done or where somebody is.
"""

from __future__ import annotations

from dataclasses import replace

from homeagent.languages.concepts import (
    Attribute,
    Colour,
    Count,
    Dimension,
    Heading,
    Level,
    ListAction,
    Mode,
    Particle,
    Question,
    Role,
    StateWord,
    Unit,
    Verb,
    White,
)
from homeagent.understanding.clauses import THINGS, Clause
from homeagent.understanding.frame import ActKind, Feature, Frame
from homeagent.understanding.frames.relayed_orders import is_somebody
from homeagent.understanding.noun_phrases import Target, target_of
from homeagent.understanding.past_times import is_past
from homeagent.understanding.spans import Cell, Free, InArea, Named, OfKind, OnFloor, TimeGone

_VALUES = (Heading, Particle, Dimension, Level, Colour, White, Mode, Unit, StateWord)
_LONGEST = 6
"""Cells of a call."""
_OF_A_WAY = 2
"""Places: where somebody comes from, and where they go."""
_LED = 2
"""So many cells from its beginning stands what leads a clause."""
_BEFORE_A_CALL = (Role.COURTESY, Role.JOIN, Role.FILLER)


def calls_by_its_kind(clause: Clause) -> bool:
    """Whether it calls what answers by what that is ("my little house, …", "robot, …"): an order for another thing
    follows, with its verb first.
    """
    cells, tokens = clause.cells, clause.tokens
    if clause.postpositions or len(cells) > _LONGEST or not _goes_on(clause) or not tokens[cells[-1].end].mark:
        return False
    said = clause.names.pack.phrases
    led = all(any(r in said.get(t.text, ()) for r in _BEFORE_A_CALL) for t in tokens[: cells[0].first])
    if not led or clause.of(*_VALUES, Verb, Count, Question) - clause.at(Role.WHOLE_HOME, Role.ARTICLE):
        return False
    named = clause.of(*THINGS) - clause.at(Role.WHOLE_HOME)
    if not (named or clause.at(Role.WHOLE_HOME)) or clause.of(InArea, OnFloor) or not named <= clause.of(OfKind, Named):
        return False
    if any(n is not None and not n.part and not cells[i].has(OfKind) for i in named for n in [cells[i].get(Named)]):
        return False  # a thing that is called just so is meant
    return not clause.at(Role.PLACE, Role.JOIN, Role.EVERY) and _orders_for_another(clause, cells[-1].end)


def tells_the_manner(clause: Clause, content: list[int]) -> bool:
    """Whether it tells how to do what was ordered before: "without" and something done ("…, without dawdling")."""
    cells = clause.cells
    first = cells[content[0]]
    without = first.says(Role.EXCEPT) and first.end - first.first == 1  # "but not so bright" is no manner
    if not cells[0].first or not without or clause.of(*THINGS, *_VALUES, Count) or len(content) < 2:
        return False
    if any(cells[i].says(Role.ARTICLE) for i in range(content[0] + 1, content[1] + 1)):
        return False  # something is excluded
    said = clause.names.pack.phrases
    before = (c for t in clause.tokens[: cells[0].first] for c in said.get(t.text, ()))
    return not any(c in (Role.EVERY, Role.EVERYTHING, Role.WHOLE_HOME) for c in before)


def _goes_on(clause: Clause) -> bool:
    return clause.cells[-1].end < len(clause.tokens)


def _orders_for_another(clause: Clause, first: int) -> bool:
    """Whether a verb stands at a token and a thing behind it, with no pronoun between them for what was called."""
    tokens, names = clause.tokens[first:], clause.names
    said = [names.pack.phrases.get(t.text, ()) for t in tokens]
    if not any(isinstance(c, Verb) for c in said[0]):
        return False
    referred = len(tokens) > 1 and Role.PRONOUN in said[1] and (tokens[1].hangs or Role.ARTICLE not in said[1])
    return not referred and any(t.text in names.pack.kinds or names.called(t.text)[0] for t in tokens[1:])


def says_it_is_done(clause: Clause, content: list[int]) -> bool:
    """Whether somebody says no more than that something, or they, are done: "fertig, kann wieder aus", "take the eggs
    off, I've got them".
    """
    end = clause.cells[-1].end
    goes_on = end < len(clause.tokens) and bool(clause.tokens[end].mark)
    behind = {i for i in clause.at(ListAction.COMPLETE) if clause.mark(0) and len(content) == 1}
    said = (clause.at(Attribute.FINISHED) if goes_on else set()) | {
        i for i in behind if clause.cells[i].end - clause.cells[i].first > 1
    }
    rest = [i for i in content if i not in said and not clause.cells[i].says(Role.STATEMENT, Role.HERE, Role.COPULA)]
    return bool(said) and not rest and not clause.asks


_BESIDE = (ActKind.ASIDE, ActKind.CHAT, ActKind.COMPLAINT)
"""What nothing is done for beside an order."""


def qualifying(clause: Clause, found: Frame) -> Frame:
    """The frame, of an aside or of nothing that the home has, as one that may change the order before it, or take that
    back: it is behind a word for that and not read ("but only for guests", "though I said no"), or says who gave the
    order ("…, my wife said").
    """
    order = clause.of(Verb, Heading, Count, Level, Colour, White, Mode) - clause.at(Role.CONTRAST)
    beside = found.act in _BESIDE and Feature.COURTESY not in found.features
    if not clause.cells[0].first or not (beside or (found.act is ActKind.UNKNOWN and not order)):
        return found
    said = [i for i, c in enumerate(clause.cells) if not c.means(*_BEFORE_A_CALL) and not _tells_how(c)]
    leads = {i for i in said if clause.cells[i].says(Role.EXCEPT, Role.ONLY)} | clause.at(Role.CONTRAST)
    reported = min(clause.at(Role.REPORT), default=len(clause.cells))
    led = leads if clause.postpositions else {i for i in leads if i < _LED or i > reported}
    unread = {*said} - leads
    if not unread or not (led or (beside and found.act is ActKind.ASIDE and _says_who_ordered(clause, unread))):
        return found
    return replace(found, act=ActKind.ASIDE, request=None, features={**found.features, Feature.QUALIFIED: 1.0})


def _tells_how(cell: Cell) -> bool:
    """Whether it is an adverb that nothing explains: "quickly"."""
    free = cell.get(Free)
    return free is not None and free.adverb


def _says_who_ordered(clause: Clause, unread: set[int]) -> bool:
    """Whether it only says that somebody said what was ordered."""
    said = clause.at(Role.REPORT) & unread
    who = [clause.cells[i] for i in unread - said]
    return bool(said and who) and all(is_somebody(c) or c.says(Role.ARTICLE) for c in who)


def where_told(clause: Clause) -> Target | None:
    """What is told of now and of within a place, and of a way only where it leads; None where nothing is: "I was in the
    den", "he is not in there", "I hate the den".
    """
    within = clause.postpositions or any(map(clause.leads_to_a_thing, clause.at(Role.PLACE)))
    over = clause.of(TimeGone) or is_past(
        clause.tokens[clause.cells[0].first : clause.cells[-1].end], clause.names.pack.language
    )
    if not within or clause.at(Role.NEGATION) or clause.times or over:
        return None
    places = sorted(clause.of(InArea, OnFloor))
    led = all(i and (clause.postpositions or clause.cells[i - 1].says(Role.PLACE, Role.TO)) for i in places[-2:])
    way = len(places) == _OF_A_WAY and led and not clause.at(Role.JOIN, Role.OR)
    return target_of(clause, (), first=places[-1] if way else 0)
