"""Phrases by rules of form: what many phrases of a list share is written once.

In such a list, ``(a|b)`` stands for one of these, ``[a|b]`` for one of these or for nothing, ``{name}`` for each phrase
of a form that the file names, and ``{section.concept}`` for each phrase that `words.yaml` has there, with the forms of
its verb: "{verbs.stop} _ {particles.off}". They may stand in one another, and within a word: "weck[e]".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum
from itertools import product

from homeagent.errors import InvalidLanguagePack
from homeagent.languages.concepts import (
    Attribute,
    Heading,
    ListAction,
    Particle,
    Question,
    Reference,
    Role,
    Verb,
    Way,
)
from homeagent.languages.pack import Pack

_SECTIONS: Mapping[str, type[Enum]] = {
    "verbs": Verb,
    "particles": Particle,
    "roles": Role,
    "references": Reference,
    "questions": Question,
    "attributes": Attribute,
    "lists": ListAction,
    "directions": Way,
}
"""The sections of `words.yaml` that forms may lean on."""
_CLOSES = {"(": ")", "[": "]", "{": "}"}


class PhraseForms:
    """The phrases that a list written by rules of form stands for, in one language."""

    def __init__(self, pack: Pack, forms: Mapping[str, Sequence[str]]) -> None:
        self._pack = pack
        self._forms = forms
        self._open: list[str] = []

    def phrases(self, written: Iterable[str]) -> tuple[str, ...]:
        """Each phrase once, in the order of the list. Raises `InvalidLanguagePack`, which tells what is wrong in it."""
        return tuple(dict.fromkeys(" ".join(p.split()) for text in written for p in self._expand(text)))

    def _expand(self, text: str) -> Iterator[str]:
        if not any(c in text for c in "([{)]}"):
            yield text
            return
        parts = [self._choices(part) for part in _parts(text)]
        yield from ("".join(chosen) for chosen in product(*parts))

    def _choices(self, part: str) -> list[str]:
        opening, inside = part[0], part[1:-1]
        if opening == "{":
            return list(self._named(inside))
        if opening not in _CLOSES:
            return [part]
        found = [p for choice in _split(inside) for p in self._expand(choice)]
        return [*found, ""] if opening == "[" else found

    def _named(self, name: str) -> Iterable[str]:
        if name in self._forms:
            if name in self._open:
                way = " → ".join((*self._open, name))
                raise InvalidLanguagePack(f"{self._pack.language}: the form “{name}” stands for itself: {way}.")
            self._open.append(name)
            try:
                return self.phrases(self._forms[name])
            finally:
                self._open.pop()
        section, _, concept = name.partition(".")
        try:
            meant = _SECTIONS[section](concept)
        except (KeyError, ValueError):
            raise InvalidLanguagePack(f"{self._pack.language}: no form and no concept is called “{name}”.") from None
        wanted = Heading(meant) if isinstance(meant, Way) else meant
        return [phrase for phrase, concepts in self._pack.phrases.items() if wanted in concepts]


def _parts(text: str) -> Iterator[str]:
    """The text cut where a bracket opens and behind where it closes."""
    plain, place = "", 0
    while place < len(text):
        if text[place] in _CLOSES:
            if plain:
                yield plain
            end = _end(text, place)
            yield text[place:end]
            plain, place = "", end
        elif text[place] in _CLOSES.values():
            raise InvalidLanguagePack(f"“{text}”: a bracket closes that was never opened.")
        else:
            plain, place = plain + text[place], place + 1
    if plain:
        yield plain


def _end(text: str, start: int) -> int:
    """Behind the bracket that closes the one that opens at ``start``."""
    awaited: list[str] = []
    for place in range(start, len(text)):
        if text[place] in _CLOSES:
            awaited.append(_CLOSES[text[place]])
        elif awaited and text[place] == awaited[-1]:
            awaited.pop()
            if not awaited:
                return place + 1
    raise InvalidLanguagePack(f"“{text}”: a bracket is never closed.")


def _split(inside: str) -> list[str]:
    """The choices between the bars that stand in no bracket of their own."""
    choices, depth = [""], 0
    for letter in inside:
        depth += (letter in _CLOSES) - (letter in _CLOSES.values())
        if letter == "|" and not depth:
            choices.append("")
        else:
            choices[-1] += letter
    return choices
