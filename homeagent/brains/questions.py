"""Whether a sentence surely is a question. Then no model may act upon it, whatever it makes of the words."""

from __future__ import annotations

from homeagent.brains.claims import QUESTION_MARKS, asks_for_action, lexicon_of
from homeagent.brains.language.clauses import clauses
from homeagent.brains.language.reading import Reading, read
from homeagent.brains.local.meaning.understanding import is_question
from homeagent.turn import Turn

_LOOSE = frozenset({"value", "other"})
"""Openings that begin suggestions too: "how about some light", "why don't you turn it on"."""


def only_asks(turn: Turn) -> bool:
    """True only where every part of the sentence asks. A polite order, a suggestion or "and the kitchen?" does not.

    Made for caution on both sides: where it errs, the model has to ask the person first, or is let through as ever.
    Blocks: it may read language files.
    """
    asked = turn.text.rstrip().endswith(QUESTION_MARKS)
    lexicon = lexicon_of(turn.language)
    if lexicon is None:
        return asked and not asks_for_action(turn)
    names = [name for entity in turn.gathered.retrieval.entities for name in entity.names]
    whole = read(turn.gathered.retrieval.mentions, lexicon, names)
    return all(is_question(part) and _surely(part, asked) for part in clauses(whole))


def _surely(part: Reading, asked: bool) -> bool:
    if part.has("copula"):
        return True
    opens = [spot.concept for spot in part.of("questions") if part.opening in spot.positions]
    return asked and bool(opens) and not set(opens) & _LOOSE
