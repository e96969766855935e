"""What puts an end to a timer that rings: whoever hears it ring says little, and means what rings."""

from __future__ import annotations

from homeagent.languages.concepts import Chat, Particle, Role, Verb
from homeagent.timers.timer import TimerAction
from homeagent.understanding.clauses import Clause
from homeagent.understanding.frame import Frame
from homeagent.understanding.frames.clause_parts import words_of
from homeagent.understanding.frames.timed_orders import Ahead
from homeagent.understanding.frames.timer_clause import IDLE, TimerClause, timer_clause, timer_frame
from homeagent.understanding.request import Timing
from homeagent.understanding.timer_words import Doing

_ENDS = (Verb.TURN_OFF, Verb.STOP, Verb.MUTE, Verb.PAUSE, Particle.OFF, Particle.OUT)
_ENDED = frozenset({Doing.DISMISS, Doing.CANCEL, Doing.PAUSE})
_BESIDE = (*IDLE, Verb.DO, Role.PRONOUN, Role.HERE, Chat.RIGHT)
"""What may stand beside it and names nothing."""


def silenced(clause: Clause, ahead: Ahead, *, spoken_of: bool) -> Frame | None:
    """The frame that silences what rings, where the clause ends something and names nothing but it: "turn it off",
    "be quiet", "alarm off". None where nothing rings, and where a thing, a place or a time is named. ``spoken_of``:
    whether a thing was spoken of last, which "it" means, then.
    """
    if not ahead.rings or clause.asks or clause.at(Role.NEGATION, Verb.ARM, Verb.DISARM):
        return None
    if spoken_of and clause.at(Role.PRONOUN) and not clause.at(Verb.STOP):
        return None
    said = timer_clause(clause, ahead)
    if _is_heard(clause, said, ahead):
        return timer_frame(clause, Timing(TimerAction.DISMISS))
    ends = clause.at(*_ENDS)
    if said.pieces or not (ends or said.does & _ENDED) or _named(clause, said):
        return None
    return timer_frame(clause, Timing(TimerAction.DISMISS))


def _is_heard(clause: Clause, said: TimerClause, ahead: Ahead) -> bool:
    """Whether the whole sentence only says that it was heard: "ok, I heard it"."""
    if clause.cells[0].first or clause.cells[-1].end < len(clause.tokens):
        return False
    heard = {p for m in ahead.words.heard.matches([t.text for t in said.tokens]) for p in m.positions}
    return bool(heard) and heard.issuperset(set(range(len(said.tokens))) - said.small)


def _named(clause: Clause, said: TimerClause) -> bool:
    """Whether a word is left that may name something else."""
    return not words_of(clause, clause.at(*_ENDS, *_BESIDE)).issuperset(said.rest)
