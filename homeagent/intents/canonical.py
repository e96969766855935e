"""The plain sentence for what somebody wants: what the frames read in place of words that they do not know.

Each language's ``canonical.yaml`` has for an intent one sentence or several, the one that tells most first. ``{slot}``
stands for words of what was said; a part in brackets is left out where its slot has none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from functools import cache
from typing import Annotated

from pydantic import AfterValidator, Field, RootModel

from homeagent.domains import PROFILES
from homeagent.intents.intent import Intent
from homeagent.languages.folder import Part
from homeagent.languages.pack_schema import read_part_as


class Slot(StrEnum):
    """What of a sentence is said in another one, besides things. Times and values are written in digits."""

    THING = "thing"
    PLACE = "place"
    DAY = "day"
    WHICH_DAY = "which_day"
    """Words that ask for a day. Nothing is written for them: a sentence that has them tells of several days."""
    CLOCK = "clock"
    DURATION = "duration"
    PERCENT = "percent"
    TEMPERATURE = "temperature"
    COLOUR = "colour"
    SOURCE = "source"
    """What a thing of the home can be set to."""
    ITEM = "item"
    """Words in a row that nothing explains."""
    TITLE = "title"
    """All the words that nothing explains."""


SLOTS = frozenset({*Slot, *PROFILES})
"""What a sentence can be filled with: those, and a thing of a domain by its name."""
Fill = Callable[[str], str | None]
"""The words for a slot; None where nothing of that was said."""
_SLOT = re.compile(r"\{(\w+)\}")
_OPTIONAL = re.compile(r"\[([^\[\]]*)\]")


def _known_slots(sentence: str) -> str:
    unknown = sorted({*_SLOT.findall(sentence)} - SLOTS)
    if unknown:
        raise ValueError(f"no such slot: {', '.join(unknown)}")
    if any(c in "[]{}" for c in _SLOT.sub("", _OPTIONAL.sub(r"\1", sentence))):
        raise ValueError("a bracket or a brace is not closed, or stands within another")
    return sentence


Canonical = Annotated[str, Field(min_length=1), AfterValidator(_known_slots)]


class CanonicalFile(RootModel[dict[Intent, Annotated[list[Canonical], Field(min_length=1)]]]):
    """The file of a language."""


@cache
def canonical_sentences(language: str) -> Mapping[Intent, Sequence[str]]:
    """The sentences of the language that fits best; none where it has no file. Blocks. Raises `InvalidLanguagePack`."""
    found = read_part_as(language, Part.CANONICAL, CanonicalFile)
    return found[1].root if found is not None else {}


def slots_of(sentence: str) -> frozenset[str]:
    """The slots of a sentence."""
    return frozenset(_SLOT.findall(sentence))


def filled(sentence: str, fill: Fill) -> str | None:
    """The sentence with its slots filled; None where one has no words that is in no brackets."""

    def part(found: re.Match[str]) -> str:
        return _all_of(found[1], fill) or ""

    return _all_of(_OPTIONAL.sub(part, sentence), fill)


def _all_of(text: str, fill: Fill) -> str | None:
    words = {slot: fill(slot) for slot in _SLOT.findall(text)}
    if any(said is None for said in words.values()):
        return None
    return _SLOT.sub(lambda found: str(words[found[1]]), text)
