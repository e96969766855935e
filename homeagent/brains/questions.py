"""Whether a sentence is a question, so that nothing is done for it but to answer."""

from __future__ import annotations

from homeagent.brains.commands import asks_for_action, lexicon_of
from homeagent.brains.language.clauses import clauses
from homeagent.brains.language.reading import Reading, read
from homeagent.brains.local.meaning.understanding import is_question
from homeagent.claims.statements import QUESTION_MARKS
from homeagent.turn import Turn

_LOOSE = frozenset({"value", "other"})
"""Openings that begin suggestions too: "how about some light", "why don't you turn it on"."""


def asks(turn: Turn) -> bool:
    """Whether the sentence asks and orders nothing, as far as its words tell. Blocks: it may read language files."""
    parts = _parts(turn)
    return _only_marked(turn) if parts is None else all(is_question(part) for part in parts)


def only_asks(turn: Turn) -> bool:
    """True only where every part of the sentence surely asks. A polite order, a suggestion or "and the kitchen?" does
    not. Then no model may act upon it, whatever it makes of the words.

    Made for caution on both sides: where it errs, the model has to ask the person first, or is let through as ever.
    Blocks: it may read language files.
    """
    asked = turn.text.rstrip().endswith(QUESTION_MARKS)
    parts = _parts(turn)
    return _only_marked(turn) if parts is None else all(is_question(part) and _surely(part, asked) for part in parts)


def touchable(turn: Turn) -> frozenset[str] | None:
    """The entities that may be changed where the sentence is a question that holds no command, but may be meant as a
    wish ("how about some light in here?"): those that it may mean. None: any. Blocks: it may read language files.

    What the home, its lists or memories say to a model can so reach nothing that the person did not speak of.
    """
    if not turn.text.rstrip().endswith(QUESTION_MARKS) or asks_for_action(turn):
        return None
    return frozenset(entity.entity_id for entity in turn.gathered.retrieval.entities)


def _only_marked(turn: Turn) -> bool:
    """In a language whose words are not known."""
    return turn.text.rstrip().endswith(QUESTION_MARKS) and not asks_for_action(turn)


def _parts(turn: Turn) -> tuple[Reading, ...] | None:
    """The clauses of the sentence; None where the language's words are not known."""
    lexicon = lexicon_of(turn.language)
    if lexicon is None:
        return None
    names = [name for entity in turn.gathered.retrieval.entities for name in entity.names]
    return clauses(read(turn.gathered.retrieval.mentions, lexicon, names))


def _surely(part: Reading, asked: bool) -> bool:
    if part.has("copula"):
        return True
    opens = [spot.concept for spot in part.of("questions") if part.opening in spot.positions]
    return asked and bool(opens) and not set(opens) & _LOOSE
