"""Pronouns that are written to the end of a verb: "apágala", "ists"."""

from __future__ import annotations

from dataclasses import replace

from homeagent.languages.concepts import Role
from homeagent.languages.dictionary import base_form
from homeagent.understanding.home_names import HomeNames
from homeagent.understanding.tokeniser import Sentence, Token
from homeagent.understanding.word_meanings import deeds
from indexer.words import normalise

_MOST_CLITICS = 3
_SHORTEST_STEM = 4
"""Of a form of a verb that the pack does not hold itself: "ve-la" is a candle as well."""


def clitics_apart(sentence: Sentence, names: HomeNames) -> Sentence:
    """The sentence with pronouns split from the verbs that they are joined to ("apágala": "apága", "la")."""
    if not names.pack.clitics:
        return sentence
    return replace(sentence, tokens=tuple(part for token in sentence.tokens for part in _apart(token, names)))


def _apart(token: Token, names: HomeNames, most: int = _MOST_CLITICS) -> tuple[Token, ...]:
    word = token.text
    if token.quoted or not word.isalpha() or not most or _is_known(word, names):
        return (token,)
    for clitic in names.pack.clitics:
        size = len(token.raw) - len(clitic)
        if not word.endswith(clitic) or size < 1 or len(word) != len(token.raw):
            continue
        middle = token.start + size
        stem = replace(token, text=word.removesuffix(clitic), raw=token.raw[:size], end=middle)
        parts = (stem,) if _is_deed(stem, names) else _apart(stem, names, most - 1)
        if len(parts) > 1 or _is_deed(stem, names):
            return (*parts, Token(clitic, token.raw[size:], middle, token.end, gap="-"))
    return (token,)


def _is_known(word: str, names: HomeNames) -> bool:
    """Whether the whole word has a meaning."""
    known = word in names.pack.phrases or word in names.pack.kinds or word in names.places or word in names.no_places
    return known or bool(names.called(word)[0])


def _is_deed(token: Token, names: HomeNames) -> bool:
    """Whether a word is a form of one of the pack's verbs, or says how something is."""
    if any(deeds(token.text, names)) or Role.COPULA in names.pack.phrases.get(token.text, ()):
        return True
    forms = (token.raw, token.text) if len(token.text) >= _SHORTEST_STEM else ()
    return any(True for form in forms for _ in deeds(normalise(base_form(form, names.pack.language)), names))
