"""What a pack has words for, and how rich it is beside the others."""

from __future__ import annotations

import typing
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache

from homeagent.intents.canonical import canonical_sentences
from homeagent.intents.intent import Intent
from homeagent.languages.folder import Part, languages_with
from homeagent.languages.pack import languages, path_of
from homeagent.languages.pack_schema import PackFile, read_pack
from indexer.lexicon import lexicon

KINDS = "kinds"
"""The words for kinds of things ("lamp"), which the index's lexicon of a language holds."""
_NO_WORDS = frozenset({"language", "examples", "inflections", "postpositions", "tens", "compounds"})
"""Sections that hold rules and no phrases, or examples."""
_OF_SOME_ONLY = frozenset({"positives", "qualities", "comparatives", "endings", "verb_endings"})
"""Sections that a language may well have for some of their concepts only, or not at all."""


@dataclass(frozen=True, slots=True)
class SectionSize:
    """How many phrases a section holds, and the most that any pack has there, and whose that is."""

    section: str
    phrases: int
    most: int
    richest: str


def missing_concepts(file: PackFile) -> Mapping[str, tuple[str, ...]]:
    """By section the concepts that the pack does not name. One with an empty list is named: the language has no word
    for it."""
    found = {section: _absent(getattr(file, section), keys) for section, keys in _keyed().items()}
    named = {code: _kinds_named(code) for code in (*languages(), file.language)}
    found[KINDS] = tuple(sorted(frozenset[str]().union(*named.values()) - named[file.language]))
    return {section: names for section, names in found.items() if names}


def missing_sentences(language: str) -> Mapping[str, tuple[str, ...]]:
    """What other languages have a plain sentence for, and this one not; nothing where it has no file for them. Raises
    `InvalidLanguagePack`."""
    if language not in languages_with(Part.CANONICAL):
        return {}
    told = {code: set(canonical_sentences(code)) for code in languages_with(Part.CANONICAL)}
    missing = sorted(intent.value for intent in set[Intent]().union(*told.values()) - told[language])
    return {Part.CANONICAL.value: tuple(missing)} if missing else {}


def _kinds_named(language: str) -> frozenset[str]:
    words = lexicon(language).phrases.values()
    return frozenset(c.concept_id for word in words for c in word.concepts if c.kinds)


def sizes(file: PackFile, others: Sequence[PackFile] | None = None) -> list[SectionSize]:
    """Every section with phrases, beside the richest of the packs."""
    beside = [p for p in (installed() if others is None else others) if p.language != file.language]
    found = []
    for section in (s for s in PackFile.model_fields if s not in _NO_WORDS):
        counts = [(_count(getattr(pack, section)), pack.language) for pack in (*beside, file)]
        most, richest = max(counts)
        if most:
            found.append(SectionSize(section, counts[-1][0], most, richest))
    return found


@cache
def installed() -> tuple[PackFile, ...]:
    """Every pack that comes with the package."""
    return tuple(read_pack(path_of(code)) for code in languages())


@cache
def _keyed() -> Mapping[str, tuple[Enum, ...]]:
    """The sections that are told by concepts of a closed set, and all of these."""
    keyed = {}
    for section, field in PackFile.model_fields.items():
        arguments = typing.get_args(field.annotation)
        key = arguments[0] if arguments else None
        if section not in _OF_SOME_ONLY and isinstance(key, type) and issubclass(key, Enum):
            keyed[section] = tuple(key)
    return keyed


def _absent(told: Mapping[object, object], keys: tuple[Enum, ...]) -> tuple[str, ...]:
    return tuple(str(key.value) for key in keys if key not in told)


def _count(told: object) -> int:
    return sum(1 for _ in _phrases(told))


def _phrases(told: object) -> Iterator[str]:
    """Every phrase in a section, however it is nested."""
    if isinstance(told, str):
        yield told
    elif isinstance(told, Mapping):
        for part in told.values():
            yield from _phrases(part)
    elif isinstance(told, list):
        for part in told:
            yield from _phrases(part)
    elif hasattr(told, "__pydantic_fields__"):
        yield from _phrases(dict(told))  # type: ignore[call-overload]
