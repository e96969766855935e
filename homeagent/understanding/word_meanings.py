"""What a single word may say: what it names, a place, a kind, a concept."""

from __future__ import annotations

from collections.abc import Iterator

from homeagent.languages.concepts import (
    Attribute,
    Complaint,
    Dimension,
    FanMotion,
    Heading,
    ListAction,
    Particle,
    Playback,
    Question,
    ShoppingWord,
    Sky,
    StateWord,
    Topic,
    Verb,
)
from homeagent.languages.dictionary import base_form
from homeagent.understanding.home_names import HomeNames
from homeagent.understanding.spans import InArea, Meaning, Named, NoPlace, OfKind, OnFloor
from homeagent.understanding.tokeniser import Token
from indexer.words import normalise

HEADS = (OfKind, Dimension, Attribute, Topic)
MODIFIERS = (Named, InArea, OnFloor, NoPlace, OfKind, Topic)
PREDICATES = (
    Verb,
    Heading,
    Particle,
    StateWord,
    Complaint,
    Sky,
    ListAction,
    Question,
    FanMotion,
    Playback,
    ShoppingWord,
)


def base_of(token: Token, names: HomeNames) -> str | None:
    """The base form in comparable spelling; None where the word is its own."""
    base = normalise(base_form(token.raw, names.pack.language))
    return base if base not in ("", token.text) else None


def verb_forms(token: Token, names: HomeNames) -> tuple[str, ...]:
    """A word, its base form, and the base forms that the pack's inflections give it as a verb."""
    found = [token.text]
    if token.text.isalpha():
        found += [token.text.removesuffix(i.add) + i.cut for i in names.pack.inflections if token.text.endswith(i.add)]
        base = base_of(token, names)
        found += [base] if base is not None else []
    return tuple(dict.fromkeys(found))


def deeds(word: str, names: HomeNames) -> Iterator[Meaning]:
    """The readings of a word as something to do."""
    yield from (c for c in names.pack.phrases.get(word, ()) if isinstance(c, Verb | Heading | ListAction | Topic))


def meanings(word: str, names: HomeNames) -> Iterator[Meaning]:
    """The readings of a single word: names, places, kinds and concepts."""
    ids, share = names.called(word)
    if ids:
        yield Named(ids, share < 1)
    yield from names.places.get(word, ())
    if word in names.no_places:
        yield NoPlace()
    if kind := names.pack.kinds.get(word):
        yield OfKind(tuple(c for c in kind.concepts if c.kinds), kind.plural)
    yield from names.pack.phrases.get(word, ())
