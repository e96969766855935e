"""What a phrase says in a home and a language, and what each reading costs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from homeagent.languages.concepts import Concept, Role
from homeagent.languages.pack import Pack
from homeagent.understanding.home_names import HomeNames
from homeagent.understanding.spans import EACH_CELL, Meaning, Named, NoPlace, OfKind, Source, Span
from homeagent.understanding.tokeniser import Token

NAME, CONCEPT, KIND = 0.35, 0.4, 0.4
_PLACE = 0.3
_PART, _MOST_OF_A_NAME = 0.6, 0.25
LONGER = 0.05
"""So much cheaper is a reading for each of its words: longer ones are likelier."""
_LEAST = 0.2
_TOGETHER = 0.01
"""So much dearer are words that only a question about safety reads together: apart they come first."""
_WORD = 0.4
"""The price of a word that is only read together with its neighbour."""
ROLES = {
    Role.FILLER: 0.55,
    Role.ARTICLE: 0.55,
    Role.COURTESY: 0.45,
    Role.ENSURE: 0.45,
    Role.PRONOUN: 0.5,
    Role.PLACE: 0.5,
    Role.STATEMENT: 0.55,
}
_WHOLE = 0.9


def spans_of(phrase: str, first: int, end: int, names: HomeNames) -> Iterator[Span]:
    """The spans for what a phrase means: names, places and kinds of the home, and concepts of the language."""
    size = end - first
    ids, share = names.called(phrase)
    if ids:
        part = share < _WHOLE
        dearer = 0.0 if share == 1 else _PART if part else _MOST_OF_A_NAME
        source = Source.PART if part else Source.EXACT
        yield Span(first, end, Named(ids, part), NAME + dearer - LONGER * size, source)
    for place in names.places.get(phrase, ()):
        yield Span(first, end, place, _PLACE - LONGER * size)
    if phrase in names.no_places:
        yield Span(first, end, NoPlace(), _PLACE - LONGER * size)
    if word := names.pack.kinds.get(phrase):
        kinds = OfKind(tuple(c for c in word.concepts if c.kinds), word.plural)
        yield Span(first, end, kinds, KIND - LONGER * size)
    for concept in names.pack.phrases.get(phrase, ()):
        yield phrase_span(first, end, concept)


def phrase_span(first: int, end: int, concept: Concept) -> Span:
    """A span of words that stand for a concept: longer ones are likelier."""
    size = end - first
    cost = ROLES.get(concept, CONCEPT) if isinstance(concept, Role) else CONCEPT
    return Span(first, end, concept, cost * (1 if size == 1 else max(_LEAST, 1.15 - 2 * LONGER * size)))


def of_safety(tokens: Sequence[Token], pack: Pack, found: Sequence[Sequence[Span]]) -> Iterator[Span]:
    """The spans with a meaning in questions about safety only. They cost no less than the spans ``found`` for the same
    words.
    """
    if (said := pack.safety) is None:
        return
    for first, token in enumerate(tokens):
        for end in range(first + 1, min(len(tokens), first + said.longest) + 1):
            stretch = tokens[first:end]
            if any(t.mark for t in stretch[1:]) or token.quoted:
                break
            for concept in said.at([t.text for t in stretch]):
                span = joined(first, end, concept, found)
                yield replace(span, cost=span.cost + _TOGETHER) if len(stretch) > 1 else span


def joined(first: int, end: int, meaning: Meaning, found: Sequence[Sequence[Span]]) -> Span:
    """A span at the price of the cheapest row of cells over the same words."""
    cheapest = {first: 0.0}
    for place in range(first, end):
        for span in found[place] if place in cheapest else ():
            if span.end <= end:
                cost = cheapest[place] + span.cost + EACH_CELL
                cheapest[span.end] = min(cost, cheapest.get(span.end, cost))
    return Span(first, end, meaning, cheapest[end] - EACH_CELL if end in cheapest else _WORD * (end - first))
