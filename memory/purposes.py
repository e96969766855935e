"""What a sentence is likely meant as, by its meaning: told, corrected, taken back, asked back, or said in passing.

The shares come from whoever reads sentences by meaning; memory only weighs them against the words.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass

from memory.act_words import Part, tokens_of
from memory.memory_words import Language, language
from memory.tokens import sentences

_LIKELY = 0.5
_TAKEN_BACK = 0.75
_LEAST = 2
"""Words that are read for themselves, at least."""
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
    listed: float = 0.0
    """Of the orders: to put something on a list or take it off, or to remind somebody."""

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

    @property
    def is_listed(self) -> bool:
        """Whether what it asks to note is for a list or a reminder."""
        return self.listed - self.statement >= _LIKELY

    @property
    def only_tells(self) -> bool:
        """Whether something is told and nothing ordered: then the parts of the sentence need not be read."""
        return self.statement >= _LIKELY >= self.order


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
    unclear = [sentence for sentence, purpose in whole.items() if not purpose.only_tells]
    return [part for sentence in unclear for part in parts_of(sentence, known)]


async def no_guess(sentences: Sequence[str]) -> Purposes:
    """Where nothing reads sentences by meaning: words alone decide."""
    return {}
