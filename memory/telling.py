"""What of a sentence tells something that is worth keeping, by what it and its parts are meant as."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from memory.act_contents import is_order
from memory.act_reading import Act, ActKind, acts_in
from memory.act_words import Part, Token, tokens_of
from memory.memory_words import Language
from memory.purposes import Purpose, Purposes, parts_of
from memory.statement_parts import wording
from memory.told import without_confiding

_SURELY, _LIKELY, _HINT = 0.5, 0.3, 0.05
"""Shares from which a part of a sentence is told, what stands before a request is, and one that asks to keep something
may be."""
_CLAUSE = 8
"""Words of a clause that only asks to keep what stands before it."""
_LEAST = 2
"""Words that tell something by themselves."""


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
    """What of the sentence tells something: all of it, or a part of it that stands alone; None: nothing does."""
    if one.purpose.only_tells(one.text, known.code):
        return one.text
    for part in sorted(parts_of(one.text, known), key=len, reverse=True):
        purpose = purposes.get(part, Purpose())
        if purpose.statement >= _SURELY and purpose.tells(part, known.code) and _stands_alone(part, one.text, known):
            return part
    if (told := _pointed_at(one, known, purposes)) is not None:
        return told
    wants = any(act.kind is ActKind.KEEP and not act.points for act in one.acts) and not one.asks
    return one.text if one.purpose.tells(one.text, known.code) or (wants and one.purpose.statement > _HINT) else None


def pointing_clause(one: Sentence, known: Language) -> int:
    """Where the last clause begins that points at what stands before it, said to the agent where it asks: "…, can you
    hang on to that?"; 0: there is none."""
    starts = [i + 1 for i, token in enumerate(one.tokens[:-1]) if token.mark and _points(one.tokens[i + 1 :], known)]
    place = max(starts, default=0)
    return place if not one.asks or known.acts.has(one.tokens[place:], Part.YOU) else 0


def _pointed_at(one: Sentence, known: Language, purposes: Purposes) -> str | None:
    place = pointing_clause(one, known)
    if not place or known.acts.has(one.tokens, Part.HYPOTHETICAL) or is_order(one.tokens, 0, known):
        return None
    part = one.text[: one.tokens[place - 1].end]
    purpose, its = purposes.get(part, Purpose()), wording(part, known.code)
    likes = its.has("dislike") or its.has("wish")
    tells = purpose.statement >= max(_LIKELY, purpose.passing, purpose.order)
    return part if (tells or likes) and not its.question else None


def _points(clause: Sequence[Token], known: Language) -> bool:
    """Whether a clause points at something, and orders nothing of the home."""
    return len(clause) <= _CLAUSE and known.acts.has(clause, Part.POINT) and not is_order(clause, 0, known)


def _stands_alone(part: str, sentence: str, known: Language) -> bool:
    """Whether a part of a sentence tells all of it: no order follows it; one stands before it, or little else."""
    if sentence.startswith(part):
        return not is_order(tokens_of(sentence.removeprefix(part)), 0, known)
    before = tokens_of(sentence.removesuffix(part))
    joined = bool(known.acts.ending_at(before, len(before), Part.JOIN))
    said = wording(sentence.removesuffix(part), known.code)
    return joined or is_order(before, 0, known) or len(said.content) + len(said.values) < _LEAST
