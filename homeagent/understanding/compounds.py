"""Words that are two written as one: a place and a thing, a thing and what is done with it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from homeagent.languages.concepts import Count, Role, Unit
from homeagent.understanding.endings import without_endings
from homeagent.understanding.home_names import HomeNames
from homeagent.understanding.spans import Meaning, Named
from homeagent.understanding.tokeniser import Sentence, Token
from homeagent.understanding.word_meanings import HEADS, MODIFIERS, PREDICATES, meanings

_SHORTEST_PART = 3


def apart(sentence: Sentence, names: HomeNames) -> Sentence:
    """The sentence with words split that were written together ("불꺼줘"), in languages where that is usual."""
    if not names.pack.written_together:
        return sentence
    found: list[Token] = []
    for token in sentence.tokens:
        whole = token.quoted or token.text in names.vocabulary or _known(token.text, names)
        parts = () if whole else _parts(token.text, names)
        if not parts:
            found.append(token)
        at = token.start
        for part in parts:
            mark, gap = (token.mark, token.gap) if at == token.start else ("", "")
            found.append(replace(token, text=part, raw=part, start=at, end=at + len(part), mark=mark, gap=gap))
            at += len(part)
    if len(found) == len(sentence.tokens):
        return sentence
    return Sentence(sentence.text, tuple(found), sentence.asks)


def _parts(word: str, names: HomeNames) -> tuple[str, ...]:
    """The two or three known words that a word consists of, the last with its suffixes; empty where there are none."""
    for at in range(len(word) - 1, 1, -1):
        if word[at:] in names.places and (before := _parts(word[:at], names)):
            return (*before, word[at:])  # "불켜줘거실"
    for at in range(len(word) - 1, 0, -1):
        first, rest = word[:at], word[at:]
        said = [m for m in meanings(first, names) if isinstance(m, (*MODIFIERS, *HEADS, Count))]
        if not said:
            continue
        if _tells(rest, names, number=any(isinstance(m, Count) for m in said)):
            return (first, rest)
        if more := _parts(rest, names):
            return (first, *more)
        please = next((p for p in _between(rest, names) if _tells(rest.removeprefix(p), names, number=False)), "")
        if please:
            return (first, please, rest.removeprefix(please))  # "불좀꺼줘"
    return ()


def _between(word: str, names: HomeNames) -> Iterator[str]:
    """The courtesies that a word begins with."""
    said = names.pack.phrases
    return (word[:end] for end in range(1, len(word)) if Role.COURTESY in said.get(word[:end], ()))


def _tells(word: str, names: HomeNames, *, number: bool) -> bool:
    """Whether a word may be the second part of a compound: behind a number a unit, else a thing or a predicate."""
    wanted = (Unit,) if number else (*HEADS, *PREDICATES, Named)
    forms = (word, *(stem for stem, _ in without_endings(word, names)))
    return any(isinstance(m, wanted) for form in forms for m in meanings(form, names))


def _known(word: str, names: HomeNames) -> bool:
    stems = (m for stem, _ in without_endings(word, names) for m in meanings(stem, names))
    return any(True for _ in meanings(word, names)) or any(not isinstance(m, Count) for m in stems)


def halves(word: str, names: HomeNames) -> tuple[Meaning, ...]:
    """The readings of both parts of a compound whose last part is a thing ("Küchenlampe"); empty for other words."""
    if not names.pack.compounds or not word.isalpha():
        return ()
    for at in range(_SHORTEST_PART, len(word) - _SHORTEST_PART + 1):
        heads = [m for m in meanings(word[at:], names) if isinstance(m, HEADS)]
        if not heads:
            continue
        for link in names.pack.compounds:
            first = word[:at].removesuffix(link) if link else word[:at]
            if (link and first == word[:at]) or len(first) < _SHORTEST_PART:
                continue
            # "Küche-n-lampe", but also "Schul-lampe" of a name that ends in "e"
            for modifier in (first, f"{first}e"):
                said = [m for m in meanings(modifier, names) if isinstance(m, MODIFIERS)]
                if said:
                    return (*said, *heads)
    return ()


def by_first_part(word: str, names: HomeNames) -> tuple[Meaning, ...]:
    """The things whose name is a compound of the word and a kind, of which people say only the first part: "aanrecht"
    of the "aanrechtlamp".
    """
    if not names.pack.compounds or not word.isalpha() or len(word) <= _SHORTEST_PART:
        return ()
    kinds = names.pack.kinds
    called = (n for n in names.names if " " not in n and n.startswith(word) and len(n) > len(word))
    whole = sorted(
        n for n in called if any(n[len(word) :].removeprefix(link) in kinds for link in names.pack.compounds)
    )
    ids = tuple(dict.fromkeys(i for n in whole for i in names.called(n)[0]))
    return (Named(ids, part=True),) if ids else ()


def by_another_head(word: str, names: HomeNames) -> tuple[Meaning, ...]:
    """The things whose names hold the compound with another word of the same kind as its last part ("ceiling lamp" for
    "ceiling light").
    """
    if not names.pack.compounds or not word.isalpha():
        return ()
    kinds = names.pack.kinds
    for at in range(_SHORTEST_PART, len(word) - _SHORTEST_PART + 1):
        said = kinds.get(word[at:])
        if said is None:
            continue
        same = {c.concept_id for c in said.concepts if c.kinds}
        called = [
            n
            for n in names.vocabulary
            if n.startswith(word[:at])
            and (k := kinds.get(n[at:]))
            and not same.isdisjoint(c.concept_id for c in k.concepts)
        ]
        ids = tuple(dict.fromkeys(i for n in sorted(called) for i in names.called(n)[0]))
        if ids:
            return (Named(ids),)
    return ()
