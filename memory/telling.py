"""What of a sentence tells something that is worth keeping, by what it and its parts are meant as."""

from __future__ import annotations

from dataclasses import dataclass, field

from memory.act_reading import Act, ActKind, acts_in
from memory.act_words import Token, tokens_of
from memory.memory_words import Language
from memory.purposes import Purpose, Purposes, parts_of
from memory.told import without_confiding

_SURELY, _HINT = 0.5, 0.05
"""Shares from which a part of a sentence is told, and one that asks to keep something may be."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence without the words that it is for the speaker alone, with the requests that it may make."""

    text: str
    tokens: tuple[Token, ...] = ()
    acts: tuple[Act, ...] = ()
    in_confidence: bool = False
    purpose: Purpose = field(default_factory=Purpose)

    @property
    def asks(self) -> bool:
        """Whether it is a question."""
        return self.text.endswith(("?", "？"))


def read_sentence(text: str, known: Language) -> Sentence:
    """A sentence by its words."""
    bare, in_confidence = without_confiding(text, known)
    tokens = tokens_of(bare)
    question = bare.endswith(("?", "？"))
    acts = acts_in(tokens, known.acts, question=question, verb_last=bool(known.acts.endings))
    return Sentence(bare, tokens, tuple(acts), in_confidence)


def told_part(one: Sentence, known: Language, purposes: Purposes) -> str | None:
    """What of the sentence tells something: all of it, or its longest part that does; None: nothing does."""
    if one.purpose.only_tells(one.text, known.code):
        return one.text
    for part in sorted(parts_of(one.text, known), key=len, reverse=True):
        purpose = purposes.get(part, Purpose())
        if purpose.statement >= _SURELY and purpose.tells(part, known.code):
            return part
    wants = any(act.kind is ActKind.KEEP and not act.points for act in one.acts) and not one.asks
    return one.text if one.purpose.tells(one.text, known.code) or (wants and one.purpose.statement > _HINT) else None
