"""What a sentence is likely meant as, by its meaning: told, corrected, taken back, asked back, or said in passing.

The shares come from whoever reads sentences by meaning; memory only weighs them against the words.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass

from memory.act_contents import is_order
from memory.act_words import Part, tokens_of
from memory.memory_words import Language, language
from memory.statement_parts import Wording, wording
from memory.tokens import sentences

_LIKELY = 0.5
_TAKEN_BACK, _DOUBTED = 0.75, 0.3
_PASSING = 0.06
_TOLD = 0.6
"""Share of a statement from which it is told to be kept rather than said in passing."""
_OTHERWISE = 0.3
"""What an order or a question counts against a statement: which is meant the words of its beginning tell better. Both
were chosen over 406 turns that tell something, 469 that do not, and 1,112 sentences to a home."""
_LEAST = 2
"""Words and values that a statement has at least."""
_INNER = frozenset(",;:")
_MARKS = 3
"""Marks in a sentence beside which it is looked for what is told."""


@dataclass(frozen=True, slots=True)
class Purpose:
    """Shares of 0 to 1: ``passing`` concerns neither memory nor the home, ``order`` is to be done at once, ``later`` at
    a time or upon a condition. What is left to 1 are questions to the home and to nobody."""

    tell: float = 0.0
    correct: float = 0.0
    retract: float = 0.0
    recall: float = 0.0
    passing: float = 0.0
    order: float = 0.0
    later: float = 0.0
    knowledge: float = 0.0

    @property
    def statement(self) -> float:
        """How likely something is told, anew or otherwise than before."""
        return self.tell + self.correct

    @property
    def asks_back(self) -> bool:
        """Whether only what was told can answer it."""
        return self.recall >= _LIKELY

    @property
    def takes_back(self) -> bool:
        """Whether something that was told is to be forgotten."""
        return self.retract >= _TAKEN_BACK

    def only_tells(self, sentence: str, code: str | None) -> bool:
        """Whether the sentence as a whole tells something and orders nothing: then its parts need not be read."""
        return self.order <= _LIKELY and self.tells(sentence, code)

    def tells(self, sentence: str, code: str | None) -> bool:
        """Whether the sentence tells something that is worth keeping, by what it is likely meant as. What is ordered
        always or never is a wish for good, and so is what somebody likes to some degree or at some time."""
        its, known = wording(sentence, code), language(code)
        if its.question or self.takes_back or len(its.content) + len(its.values) < _LEAST:
            return False
        if known is not None and known.acts.has(tokens_of(sentence), Part.HYPOTHETICAL):
            return False
        if self.order >= _DOUBTED and self.statement < _LIKELY and _is_order(sentence, known):
            return False
        nothing = self.passing + self.retract
        against = nothing + _OTHERWISE * (1 - self.statement - nothing)
        return self.statement >= _TOLD * (self.statement + against) or self._for_good(its)

    def _for_good(self, its: Wording) -> bool:
        """Whether it is an order that is to hold always, or a liking to some degree or at some time."""
        if self.passing >= _PASSING:
            return False
        wish = (its.has("wish") or its.has("dislike")) and bool(its.conditions or its.values)
        lasts = self.order + self.statement > _LIKELY > self.later
        return lasts and (its.has("general") or wish) and not its.has("now")


def _is_order(sentence: str, known: Language | None) -> bool:
    tokens = tokens_of(sentence)
    return known is not None and is_order(tokens, len(tokens) - 1 if known.endings else 0, known)


def parts_of(sentence: str, known: Language) -> list[str]:
    """What of a sentence may be told for itself: what follows a word that joins clauses, and what stands before and
    behind a mark in it."""
    tokens = tokens_of(sentence)
    joins = [(place, known.acts.at(tokens, place, Part.JOIN)) for place in range(1, len(tokens) - _LEAST)]
    marks = [place + 1 for place, token in enumerate(tokens[:-1]) if not _INNER.isdisjoint(token.mark)][:_MARKS]
    tails = [min(place + length, len(tokens) - 1) for place, length in joins if length]
    tails += [place for place in marks if len(tokens) - place >= _LEAST]
    heads = [sentence[: tokens[place - 1].end] for place in reversed(marks) if place >= _LEAST]
    return list(dict.fromkeys([*(sentence[tokens[place].start :] for place in tails), *heads]))


Purposes = Mapping[str, Purpose]
"""Sentence -> what it is meant as; without those of which nothing is known."""
Guess = Callable[[Sequence[str]], Awaitable[Purposes]]
"""Sentences -> what each is meant as. Never raises."""


async def purposes_of(text: str, code: str | None, guess: Guess) -> Purposes:
    """What the sentences of a text are meant as, and the parts of those that do not only tell something."""
    whole = await guess(await asyncio.to_thread(sentences, text, code))
    parts = await asyncio.to_thread(_parts_to_read, whole, code)
    return {**whole, **await guess(parts)} if parts else whole


def _parts_to_read(whole: Purposes, code: str | None) -> list[str]:
    known = language(code)
    if known is None:
        return []
    unclear = [sentence for sentence, purpose in whole.items() if not purpose.only_tells(sentence, code)]
    return [part for sentence in unclear for part in parts_of(sentence, known)]


async def no_guess(sentences: Sequence[str]) -> Purposes:
    """Where nothing reads sentences by meaning: words alone decide."""
    return {}
