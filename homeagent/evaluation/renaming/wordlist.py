"""The words that names are made of, in lists of those that can stand for each other; read from ``words/*.yaml``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from homeagent.languages.language_codes import base_language
from homeagent.values.yaml_text import read_yaml
from indexer.lexicon import lexicon
from indexer.words import words

_FOLDER = Path(__file__).with_name("words")
_ANY = "any"


@dataclass(frozen=True, slots=True)
class Word:
    """A word as it is written, and as it begins a compound ("Küche", "Küchen")."""

    text: str
    form: str

    @classmethod
    def read(cls, written: Any) -> Word:
        """From ``text`` or ``text|form``, as a file has it."""
        text, _, form = str(written).partition("|")
        return cls(text, form or text)


@dataclass(frozen=True, slots=True)
class WordList:
    """A language's words. Keys are in comparable spelling; a phrase's words are joined by spaces.

    ``groups`` gives the words that can stand for a word. ``kept`` say what a thing is, where it is, or nothing at all.
    """

    groups: Mapping[str, tuple[Word, ...]]
    phrases: Mapping[str, tuple[Word, ...]]
    unlisted: tuple[Word, ...]
    kept: frozenset[str]
    compounds: bool = False
    forms: Mapping[str, Word] = field(default_factory=dict)

    def keeps(self, token: str) -> bool:
        """Whether a word stays when names are changed: a kept one, a single letter, or one that is not all letters."""
        return token in self.kept or len(token) < 2 or not token.isalpha()


@cache
def word_list(language: str) -> WordList:
    """The words of a language; where it has no list, names of stars and what the index's lexicon knows."""
    code = base_language(language)
    raw = _file(code if (_FOLDER / f"{code}.yaml").exists() else _ANY)
    groups = _groups(raw.get("groups") or {})
    return WordList(
        groups,
        _groups({**(raw.get("phrases") or {}), **(raw.get("floors") or {})}),
        tuple(map(Word.read, raw["unlisted"])),
        frozenset(w for kept in raw.get("keep", ()) for w in words(kept)) | _lexicon_words(code),
        bool(raw.get("compounds")),
        {folded(word.form): word for group in groups.values() for word in group},
    )


def folded(text: str) -> str:
    """The words in comparable spelling, joined by blanks."""
    return " ".join(words(text))


def _groups(raw: Mapping[str, list[object]]) -> dict[str, tuple[Word, ...]]:
    groups: dict[str, tuple[Word, ...]] = {}
    for listed in raw.values():
        group = tuple(map(Word.read, listed))
        groups.update({folded(word.text): group for word in group})
    return groups


def _lexicon_words(language: str) -> frozenset[str]:
    known = lexicon(language)
    phrases = [*known.phrases, *known.number_words, *(p for listed in known.sets.values() for p in listed)]
    return frozenset(word for phrase in phrases for word in words(phrase))


@cache
def wing_names() -> tuple[str, ...]:
    """Names that tell the parts of a large home apart, the same in every language."""
    return tuple(_file(_ANY)["wings"])


def qualifier_after(language: str) -> bool:
    """Whether what narrows a noun follows it, as in French."""
    code = base_language(language)
    return (_FOLDER / f"{code}.yaml").exists() and _file(code).get("qualifier") == "after"


@cache
def _file(code: str) -> Mapping[str, Any]:
    content: Mapping[str, Any] = read_yaml((_FOLDER / f"{code}.yaml").read_text(encoding="utf-8"))
    return content
