"""What of a sentence tells something that is worth keeping, by what it and its parts are meant as."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import log

from memory.act_reading import Act, ActKind, acts_in
from memory.act_words import Part, Token, tokens_of
from memory.memory_words import Language
from memory.purposes import Purpose, Purposes, parts_of
from memory.statement_parts import wording
from memory.told import without_confiding

_SURELY = 0.5
"""Share from which a part of a sentence is told for itself."""
_LEAST, _MOST = 2, 8
"""Words and values that a statement has at least; from so many on more say nothing."""
_UNSEEN = 0.02
"""Added to each share before its logarithm is taken."""
_BIAS, _STATEMENT, _ORDER, _WORD = -3.0, 1.6, -0.5, 0.64
_KEEP, _IN_CONFIDENCE, _CHANGE, _CONDITION, _VALUE, _LIKING = 3.0, 1.9, 1.7, 1.0, 0.9, 1.4
_CONCEPTS = {"general": 1.8, "first": 1.1, "measure": -0.8, "now": -0.9, "action": -0.7}
"""A logistic regression over 2,050 sentences to a memory, half of which tell something that is to be kept, and 1,490 to
a home that do not; of sets that it has not seen it keeps 91 % of the ones and 2 % of the others. The weights are of the
logarithms of the shares, of each word that says something, and of what the sentence has."""


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

    @property
    def wants_kept(self) -> bool:
        """Whether a request to keep something may stand in it."""
        return any(act.kind is ActKind.KEEP for act in self.acts)


def read_sentence(text: str, known: Language) -> Sentence:
    """A sentence by its words."""
    bare, in_confidence = without_confiding(text, known)
    tokens = tokens_of(bare)
    question = bare.endswith(("?", "？"))
    acts = acts_in(tokens, known.acts, question=question, verb_last=bool(known.acts.endings))
    return Sentence(bare, tokens, tuple(acts), in_confidence)


def tells(one: Sentence, known: Language) -> bool:
    """Whether the sentence tells something that is worth keeping, by its words and by what it is likely meant as."""
    its, purpose = wording(one.text, known.code), one.purpose
    if not purpose.statement or purpose.takes_back or purpose.is_listed or len(its.content) + len(its.values) < _LEAST:
        return False
    if (one.asks and not one.wants_kept) or known.acts.has(one.tokens, Part.HYPOTHETICAL):
        return False
    return weight(one, known) >= 0


def weight(one: Sentence, known: Language) -> float:
    """How much speaks for its being told to be kept, as log odds."""
    its = wording(one.text, known.code)
    shares = ((_STATEMENT, one.purpose.statement), (_ORDER, one.purpose.order))
    signs = (
        (_KEEP, one.wants_kept),
        (_IN_CONFIDENCE, one.in_confidence),
        (_CHANGE, known.acts.has(one.tokens, Part.CHANGE)),
        (_CONDITION, bool(its.conditions)),
        (_VALUE, any(its.of(kind) for kind in ("day", "date", "number"))),
        (_LIKING, its.has("wish") or its.has("dislike")),
        *((by, its.has(concept)) for concept, by in _CONCEPTS.items()),
    )
    said = _WORD * min(_MOST, len(its.content) + len(its.values))
    score = _BIAS + said + sum(by * log(share + _UNSEEN) for by, share in shares)
    return score + sum(by for by, there in signs if there)


def told_part(one: Sentence, known: Language, purposes: Purposes) -> str | None:
    """What of the sentence tells something: all of it, or its longest part that does; None: nothing does."""
    whole = tells(one, known)
    if whole and one.purpose.only_tells:
        return one.text
    for part in sorted(parts_of(one.text, known), key=len, reverse=True):
        read = replace(read_sentence(part, known), purpose=purposes.get(part, Purpose()))
        if read.purpose.statement >= _SURELY and tells(read, known):
            return part
    return one.text if whole else None
