"""Whether what is said of an alarm orders it, or only asks, tells or denies it: then none is set and none moved."""

from __future__ import annotations

from itertools import pairwise

from homeagent.languages.concepts import Question, Reference, Role
from homeagent.languages.pack import Pack
from homeagent.understanding.clause_form import worded_as_question
from homeagent.understanding.clauses import Clause
from homeagent.understanding.frames.clause_parts import words_of
from homeagent.understanding.frames.timed_orders import Ahead
from homeagent.understanding.frames.timer_clause import TimerClause
from homeagent.understanding.spans import Named
from homeagent.understanding.timer_words import Doing, Noun
from homeagent.understanding.tokeniser import Token

_PERSON = "person."
_SETS = frozenset({Doing.SET, Doing.GIVE, Doing.CHANGE, Doing.ADD, Doing.LESS, Doing.LATER, Doing.EARLIER})
_LONGEST = 4
"""Words of the longest phrase that puts right what was said before it."""


def asks_of_an_alarm(clause: Clause, said: TimerClause, ahead: Ahead) -> bool:
    """Whether it asks how an alarm is set ("is my alarm set for six?"), and does not order one ("could you …?")."""
    texts = [t.text for t in said.tokens]
    if clause.at(Role.NEGATION, Role.AUXILIARY) or _matches_alone(ahead, texts):
        return False
    worded = worded_as_question(clause)
    if said.noun is Noun.WAKE:
        return worded
    sets = bool((said.does | said.more) & _SETS)
    polite = clause.at(Role.COURTESY) and not clause.cells[-1].has(Question)
    return worded or (not sets and clause.asks and not polite)


def orders_an_alarm(clause: Clause, said: TimerClause, ahead: Ahead) -> bool:
    """Whether it orders an alarm: it is not denied, put right without another time, or asked, nor told of the past, a
    habit, of what is only supposed, or of what somebody else does."""
    texts = [t.text for t in said.tokens]
    if _matches_alone(ahead, texts) or clause.at(Role.AUXILIARY) - clause.at(Role.COURTESY):
        return False
    if _is_supposed(clause, said) or is_denied(clause, said) or is_taken_back(clause, said):
        return False
    if asks_of_an_alarm(clause, said, ahead):
        return False
    if said.noun is Noun.WAKE:
        return not _somebody_else_wakes(clause, said, ahead)
    tells = bool(clause.at(Role.COPULA)) or bool(ahead.words.rings.matches(texts, said.timed))
    return bool((said.does | said.more) & _SETS) or not tells


def wakes_somebody_else(clause: Clause) -> bool:
    """Whether it names who is to be woken: what the home keeps is the time of who lives there, not of one of them."""
    return any(i.startswith(_PERSON) for _, n in clause.said(Named) for i in n.entity_ids)


def is_for_once(clause: Clause) -> bool:
    """Whether the sentence says that a day is the only one ("but only tomorrow")."""
    phrases = clause.names.pack.phrases
    return bool(clause.at(Role.ONLY)) or any(Role.ONLY in phrases.get(t.text, ()) for t in clause.tokens)


def _matches_alone(ahead: Ahead, texts: list[str]) -> bool:
    """Whether it tells how it was or is as a rule; "earlier than as a rule" only compares with that."""
    compared = {p for s in ahead.words.small.matches(texts) if len(s.positions) > 1 for p in s.positions}
    return bool(ahead.words.told.matches(texts, compared))


def is_denied(clause: Clause, said: TimerClause) -> bool:
    """Whether a "not" is there, or a "no" that no mark parts from what it denies; others put right what was said."""
    corrects = clause.at(Reference.INSTEAD, Reference.CORRECTS)
    if clause.at(Role.NEGATION) - corrects - clause.at(Role.JOIN):
        return True
    if clause.postpositions:
        return False
    beside = {i for i in corrects if i + 1 < len(clause.cells) and not clause.mark(i + 1)}
    no = words_of(clause, beside & clause.at(Reference.INSTEAD) & clause.at(Reference.CORRECTS))
    return bool(beside & clause.at(Role.NEGATION)) or any(p - 1 in no for p in said.noun_at[:1])


def _is_supposed(clause: Clause, said: TimerClause) -> bool:
    """Whether it stands under a condition, also one of what the speaker would do ("if I asked you to …")."""
    says = [clause.names.pack.phrases.get(t.text, ()) for t in clause.tokens[: clause.cells[-1].end]]
    own = any(Role.CONDITION in one and Role.STATEMENT in other for one, other in pairwise(says))
    leads = clause.at(Role.CONDITION) - clause.at(Role.COURTESY)
    return own or any(said.doing.isdisjoint(words_of(clause, {i})) for i in leads)  # "antes de lo normal" is earlier


def is_taken_back(clause: Clause, said: TimerClause) -> bool:
    """Whether the sentence goes on behind a "no" without another time ("…, no, I am on holiday")."""
    last = max(said.timed | {*said.noun_at}, default=-1)
    behind = clause.tokens[clause.cells[0].first + last + 1 :]
    pack = clause.names.pack
    for i, token in enumerate(behind):
        for end in range(i + 1, min(i + _LONGEST, len(behind) - 1) + 1) if token.mark else ():
            says = pack.phrases.get(" ".join(t.text for t in behind[i:end]), ())
            if Reference.CORRECTS in says and behind[end].mark:
                return _tells_no_other(behind[end:], pack)
    return False


def _tells_no_other(tokens: tuple[Token, ...], pack: Pack) -> bool:
    """Whether no other time stands there: "no, at eight" puts it right."""
    return not any(t.text[:1].isdigit() or t.text in pack.digits for t in tokens)


def _somebody_else_wakes(clause: Clause, said: TimerClause, ahead: Ahead) -> bool:
    """Whether another subject, which no word for what it is for leads, stands before the verb ("the hotel wakes me"),
    or, where the verb comes last, something behind that."""
    if clause.of(Question) - clause.at(Role.COURTESY) and clause.cells[clause.opening].has(Question):
        return not clause.cells[clause.opening].says(Role.COURTESY)
    if clause.postpositions:
        return any(i > max(said.noun_at) for i in said.rest)
    verb = min(said.noun_at)
    marks = [i for i in range(1, verb + 1) if said.tokens[i].mark]
    labels = ahead.words.label
    before = [i for i in said.rest if max(marks, default=0) <= i < verb and said.tokens[i].text not in labels]
    led = any(t.text in labels and not _is_article(t, clause) for t in said.tokens[: min(before, default=0)])
    return bool(before) and not led


def _is_article(token: Token, clause: Clause) -> bool:
    return Role.ARTICLE in clause.names.pack.phrases.get(token.text, ())
