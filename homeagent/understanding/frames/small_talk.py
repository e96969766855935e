"""What is answered in kind: a greeting, whether something was right, that it does not matter, a wish for a joke."""

from __future__ import annotations

from collections.abc import Iterator

from homeagent.languages.concepts import (
    Chat,
    Colour,
    Count,
    Heading,
    Level,
    Particle,
    Question,
    Reference,
    Role,
    Sky,
    Verb,
)
from homeagent.understanding.clauses import Clause
from homeagent.understanding.frame import ActKind, Feature, Frame
from homeagent.understanding.frame_costs import frame
from homeagent.understanding.previous_turn import PreviousTurn
from homeagent.understanding.request import Act, Request
from homeagent.understanding.spans import Free, InArea, Named, NoPlace, OfKind, OnFloor

_OF_TALK = frozenset({Chat.RIGHT, Chat.WRONG, Chat.MATTERS, Chat.JOKE})
_OF_A_HOME = (*(Named, InArea, OnFloor, NoPlace, OfKind), *(Heading, Particle, Count, Level, Colour, Sky))
_NO_DEEDS = (Verb.DO, Verb.MAKE)
_EACH_STRANGER = 0.4
"""What is said of the talk is said in many words."""


def chat(clause: Clause) -> Iterator[Frame]:
    """Frames for greetings and the like, and for remarks on the conversation itself."""
    for place, said in clause.said(Chat):
        if clause.asks and said is Chat.NOTHING:
            continue  # "is it done?" is no "that is all"
        undoes = clause.at(Reference.UNDO) and clause.last is not None and clause.last.undo is not None
        if said not in _OF_TALK and not (undoes and said is Chat.NOTHING):
            cells = {place} | clause.at(Role.COURTESY, Role.FILLER)
            yield frame(clause, ActKind.CHAT, Request(Act.SAY, say=said.value), cells)
    about = _said_of_the_talk(clause)
    if about is not None:
        strangers = {Feature.STRANGER: _EACH_STRANGER * sum(c.free for c in clause.cells)}
        request = _about(about, clause.last)
        yield frame(clause, ActKind.CHAT, request, range(len(clause.cells)), extra=strangers)


def _about(said: Chat, last: PreviousTurn | None) -> Request:
    """What was said of the talk: that it was wrong is said of what was done before, where there was anything."""
    if said is not Chat.WRONG or last is None:
        return Request(Act.SAY, say=said.value)
    undo = last.undo
    undoes = () if undo is None else undo.undoes if undo.act is Act.UNDO else (undo,) if undo.act is Act.CONTROL else ()
    return Request(Act.WRONG, undoes=undoes, stays=bool(last.changed) and not undoes)


def _said_of_the_talk(clause: Clause) -> Chat | None:
    """What a clause that speaks of nothing in the home says of the talk; None where it says nothing of it.

    A negation turns what was right into what was wrong, but not one that stands alone before a comma: "no, that was
    wrong". What is right whatever it is does not matter.
    """
    said = {c for _, c in clause.said(Chat)} & _OF_TALK
    doing = clause.of(Verb) - clause.at(*_NO_DEEDS) - (clause.at(Verb.HEAR) if Chat.JOKE in said else set())
    if not said or doing or (clause.of(*_OF_A_HOME) - clause.at(Role.PRONOUN)) or clause.at(Role.CONDITION, Role.TIMER):
        return None
    if any(free.quoted for _, free in clause.said(Free)):
        return None
    if Chat.JOKE in said:
        return Chat.JOKE
    if clause.asks or not _tells(clause):
        return None
    if clause.at(Chat.NOTHING):
        return Chat.NOTHING
    negations = clause.at(Role.NEGATION)
    negated = bool(negations - {0} if len(clause.cells) > 1 and clause.mark(1) else negations)
    if (Chat.MATTERS in said and negated) or (clause.at(Question.ANY) and said == {Chat.RIGHT}):
        return Chat.NOTHING
    if said == {Chat.MATTERS}:
        return None
    return Chat.WRONG if (Chat.WRONG in said) is not negated else Chat.RIGHT


def _tells(clause: Clause) -> bool:
    """Whether it opens like a statement: "anything is fine" tells, "anything fine" asks."""
    first, *behind = clause.cells[clause.opening :]
    if not first.has(Question) or first.says(Role.COURTESY, Role.STATEMENT):
        return True
    return first.says(Question.ANY) and bool(behind) and not behind[0].has(Chat)
