"""What a stretch of words may say: a thing of the home, a concept of the language, or nothing that is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

from homeagent.history.when.find_times import When
from homeagent.languages import concepts as said
from indexer.lexicon import Concept as KindConcept

V = TypeVar("V")


class Source(StrEnum):
    """How a span was found."""

    EXACT = "exact"
    PART = "part"
    """By some of a name's words."""
    CORRECTED = "corrected"
    """By a word that is spelled otherwise, or sounds so."""
    ENDING = "ending"
    """By what hangs on the word."""
    PARTED = "parted"
    """By a verb of two words between which its thing stands: "shut … down"."""


@dataclass(frozen=True, slots=True)
class Named:
    """Things of one name, several where they share it. ``part``: the words are only part of the name."""

    entity_ids: tuple[str, ...]
    part: bool = False


@dataclass(frozen=True, slots=True)
class InArea:
    """A room of the home."""

    area_id: str


@dataclass(frozen=True, slots=True)
class OnFloor:
    """A floor of the home."""

    floor_id: str


@dataclass(frozen=True, slots=True)
class NoPlace:
    """A word for a room or a floor of a kind that the home does not have."""


@dataclass(frozen=True, slots=True)
class OfKind:
    """A kind of thing ("lamp"), with every concept that the word may stand for."""

    concepts: tuple[KindConcept, ...]
    plural: bool = False


@dataclass(frozen=True, slots=True)
class Choice:
    """What a thing can be set to: the parameter that sets it, and the value as the thing names it. ``by_word``: a word
    of the language was said for it, which means it only of a thing that is spoken of.
    """

    entity_id: str
    parameter: str
    value: str
    by_word: bool = False


@dataclass(frozen=True, slots=True)
class OfChoice:
    """A choice that things of the home offer: a source, an effect, an option of a select."""

    choices: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class TimeOfDay:
    """A time such as "7:30"."""

    text: str


@dataclass(frozen=True, slots=True)
class TimeGone:
    """A time in the past."""

    when: When


@dataclass(frozen=True, slots=True)
class Free:
    """A word without a known meaning. ``adverb``: its ending makes it an adverb. ``quoted``: it stands in quotation
    marks.
    """

    adverb: bool = False
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class Items:
    """What a list is to have, or no more: what is done with it, and each item as typed."""

    deed: said.ListAction
    texts: tuple[str, ...]


Meaning = Items | Named | InArea | OnFloor | NoPlace | OfKind | OfChoice | TimeOfDay | TimeGone | Free | said.Concept
"""What a span says. The type of the meaning is the sort of the span."""


EACH_CELL = 0.25
"""What each cell of a row costs: fewer, longer ones are likelier."""
OF_THE_PAST = (TimeGone, said.PastWord)
OF_SAFETY = (said.SafetyKind, said.SafetySign, said.SafetyState, said.SafetyWord)
OF_QUESTIONS = (*OF_THE_PAST, *OF_SAFETY)
"""Sorts that say something in a question about the past, or about safety only: for all else such a word is as good as
free."""


@dataclass(frozen=True, slots=True)
class Span:
    """One reading of the tokens from ``first`` up to ``end``, at a price."""

    first: int
    end: int
    meaning: Meaning
    cost: float = 0.0
    source: Source = Source.EXACT


class Cell:
    """One stretch of tokens with all its readings, cheapest first."""

    __slots__ = (
        "_by_type", "_own", "_said", "corrected", "cost", "end", "first", "free", "parted", "readings",
    )  # fmt: skip

    def __init__(self, first: int, end: int, readings: tuple[Span, ...]) -> None:
        self.first = first
        self.end = end
        self.readings = readings
        self.cost = min(r.cost for r in readings)
        own = [r for r in readings if r.source is not Source.ENDING and not isinstance(r.meaning, OF_QUESTIONS)]
        self.free = all(isinstance(r.meaning, Free) for r in own)
        self.corrected = not self.free and all(r.source is Source.CORRECTED for r in own)
        self.parted = frozenset(r.meaning for r in own if r.source is Source.PARTED)
        self._own = frozenset(r.meaning for r in own)
        self._said = frozenset(r.meaning for r in readings)
        by_type: dict[type, list[Meaning]] = {}
        for reading in readings:
            by_type.setdefault(type(reading.meaning), []).append(reading.meaning)
        self._by_type = by_type

    @property
    def of_past(self) -> bool:
        """Whether it has a meaning in questions about the past only."""
        return all(isinstance(r.meaning, OF_THE_PAST) for r in self.readings)

    @property
    def of_safety(self) -> bool:
        """Whether it has a meaning in questions about safety only."""
        return all(isinstance(r.meaning, OF_SAFETY) for r in self.readings)

    def get(self, sort: type[V]) -> V | None:
        """The cheapest reading of a sort; None where there is none."""
        found = self._by_type.get(sort)
        return found[0] if found else None  # type: ignore[return-value]

    def all(self, sort: type[V]) -> Sequence[V]:
        """The readings of a sort, cheapest first."""
        return self._by_type.get(sort, ())  # type: ignore[return-value]

    def has(self, *sorts: type) -> bool:
        """Whether there is a reading of one of these sorts."""
        return not self._by_type.keys().isdisjoint(sorts)

    def says(self, *meanings: said.Concept) -> bool:
        """Whether one of these concepts is among the readings, suffixes included."""
        return not self._said.isdisjoint(meanings)

    def means(self, *meanings: said.Concept) -> bool:
        """Whether the word itself has one of these concepts as a reading, suffixes aside."""
        return not self._own.isdisjoint(meanings)

    def named(self, domain: str) -> tuple[str, ...]:
        """The ids of the things of a domain that it names, each once."""
        ids = (i for named in self.all(Named) for i in named.entity_ids if i.startswith(f"{domain}."))
        return tuple(dict.fromkeys(ids))

    def is_of(self, domain: str) -> bool:
        """Whether it names a thing of a domain, or says a word for one."""
        return bool(self.named(domain)) or any(domain in c.domains for k in self.all(OfKind) for c in k.concepts)


def is_of_home(meaning: Meaning) -> bool:
    """Whether it names a thing, a kind or a place of the home."""
    return isinstance(meaning, Named | InArea | OnFloor | OfKind)


def reading_cost(cell: Cell) -> float:
    """The price of the cheapest known reading; 0.3 for an unexplained word."""
    return 0.3 if cell.free else min(r.cost for r in cell.readings if not isinstance(r.meaning, Free))
