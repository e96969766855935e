"""A statement taken apart: its words by what they stand for, its numbers, dates and negations.

Only structure and word lists (`memory.memory_words`) are used, so that it works the same in every language that has a
list, and by numbers and words alone in the others.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import lru_cache

from indexer.normalise import caseless, straight, unaccented
from memory.clock_phrases import letter_of, phrase_at
from memory.function_words import function_words, function_words_of, guess
from memory.memory_words import Language, language

_PIECE = re.compile(
    r"(?P<iso>\d{4}-\d{2}-\d{2})"
    r"|(?P<time>\d{1,2}(?::|h)\d{2})(?!\d)"
    r"|(?P<number>(?<![\w.])[-\u2212]?\d+(?:[.,]\d+)*)"
    r"|(?P<symbol>°\s?[cf]?\b|[%€$£])"
    r"|(?P<word>[^\W\d_][^\W_]*(?:'[^\W\d_]+)?)"
    r"|(?P<stop>[,;:.!?()])"
)
_SYMBOLS = {"°": "deg", "°c": "deg", "°f": "fahrenheit", "%": "percent"}
_BARE_UNITS = frozenset(
    re.findall(
        r"\w+", "ppm kg g mg lb lbs oz ft km m cm mm l ml w kw kwh wh v a hz khz mhz ghz mb gb tb lux lx db bar psi k"
    )
)
_PARTS_OF: Mapping[str, tuple[str, str]] = {
    "kw": ("w", "1000"), "kwh": ("wh", "1000"), "kg": ("g", "1000"), "mg": ("g", "0.001"), "km": ("m", "1000"),
    "cm": ("m", "0.01"), "mm": ("m", "0.001"), "ml": ("l", "0.001"),
}  # fmt: skip
"""Unit -> the one that it is told in here, and how many of them it is: 0.24 kW are 240 W."""
_NO_NOUN = frozenset(
    {"copula", "wish", "dislike", "called", "place", "condition", "negation", "general", "action", "filler"}
)
_YEAR = 4
"""Digits of a year."""
_DENIED = 2
"""Words that a "not … but" may stand before."""


@dataclass(frozen=True, slots=True)
class Word:
    """``text`` as compared; ``concepts``: what it may stand for; ``bare``: without its ending."""

    text: str
    bare: str
    concepts: frozenset[str] = frozenset()
    function: bool = False

    def has(self, *concepts: str) -> bool:
        """Whether it may stand for one of these concepts."""
        return not self.concepts.isdisjoint(concepts)


@dataclass(frozen=True, slots=True)
class Wording:
    """``values``: what can change while the question stays: (kind, text) with the kinds number, time, date, day.

    ``denied``: values and words that are said not to hold ("not 19 but 20"). ``negated``: whether anything else is.
    """

    words: tuple[Word, ...]
    values: frozenset[tuple[str, str]]
    denied: frozenset[tuple[str, str]]
    negated: bool
    question: bool
    language: str | None
    content: tuple[Word, ...] = field(default=())
    """The words that say something by themselves, in order: no values, negations, conditions, fillers."""
    conditions: frozenset[str] = frozenset()

    def of(self, kind: str) -> frozenset[str]:
        """The values of one kind: number, time, date or day."""
        return frozenset(text for key, text in self.values if key == kind)

    def has(self, concept: str) -> bool:
        """Whether a word may stand for this concept."""
        return any(word.has(concept) for word in self.words)


def wording(text: str, code: str | None = None) -> Wording:
    """Take ``text`` apart, in the language ``code``, or the one that it seems to be in."""
    return _wording(text, code)


@lru_cache(maxsize=4096)
def _wording(text: str, code: str | None) -> Wording:
    known = language(code)
    known = language(guess(text, known.code if known else None)) or known
    reading = _Reading(known)
    for piece in _PIECE.finditer(_expanded(text, known)):
        reading.take(piece.lastgroup or "", piece.group())
    return reading.done(text.rstrip().endswith(("?", "？")))


def _expanded(text: str, known: Language | None) -> str:
    written = caseless(straight(text))
    for short, long in known.contractions.items() if known else ():
        written = re.sub(rf"{re.escape(short)}\b", f" {long} ", written)
    return written.replace("-\u2009", "-")


@dataclass(frozen=True, slots=True)
class Beside:
    """What stands beside a number: the ``kind`` of piece (empty: nothing), what a word may stand for, and whether it is
    a function word."""

    kind: str
    concepts: frozenset[str] = frozenset()
    function: bool = False

    @property
    def is_unit(self) -> bool:
        """Whether it is the unit of a number before it."""
        return self.kind == "symbol" or any(c.startswith("units:") for c in self.concepts)


def names_one(around: Sequence[Beside], *, compounds: bool) -> bool:
    """Whether a number tells which one is meant: behind "number", before a counter, or between a noun and the verb.

    ``around``: the two pieces before the number and the one behind it. ``compounds``: of a language in which an object
    may stand right behind the subject, before the verb.
    """
    opening, before, behind = around
    if "counter" in behind.concepts or "numbering" in before.concepts:
        return True
    if before.kind != "word" or before.function or not before.concepts.isdisjoint(_NO_NOUN):
        return False
    if "attribute" in before.concepts or "indefinite" in behind.concepts:
        return False  # "size 34 in shoes", "gets 12 an hour"
    if behind.is_unit or behind.kind not in ("word", "number"):
        return False
    verb = behind.kind == "word" and (
        "copula" in behind.concepts or (behind.function and "place" not in behind.concepts)
    )
    opens = opening.kind in ("", "stop") or opening.function or "place" in opening.concepts
    return verb or (opens and (not compounds or behind.kind == "number" or "place" in behind.concepts))


class _Reading:
    def __init__(self, known: Language | None) -> None:
        self._known = known
        self._function = function_words_of(known.code) if known else function_words()
        self._parts: list[tuple[str, str]] = []

    def take(self, kind: str, text: str) -> None:
        if kind == "word":
            self._parts += [("word", part) for part in unaccented(text).split("'") if part]
        else:
            self._parts.append((kind, text.strip()))

    def done(self, question: bool) -> Wording:
        words: list[Word] = []
        values: set[tuple[str, str]] = set()
        denied: set[tuple[str, str]] = set()
        spots: list[tuple[str, object]] = []
        texts = [text if kind == "word" else "\0" for kind, text in self._parts]
        concepts = [
            self._concepts(place) if kind == "word" else frozenset[str]() for place, (kind, _) in enumerate(self._parts)
        ]
        letters = [letter_of(c, is_number=kind == "number") for c, (kind, _) in zip(concepts, self._parts, strict=True)]
        place = 0
        while place < len(self._parts):
            kind, text = self._parts[place]
            if clock := phrase_at(letters, place):
                spots.append(("value", ("number", self._clock(concepts[place : place + clock], place))))
                place += clock
                continue
            length, found = self._known.at(texts, place) if kind == "word" and self._known else (1, frozenset[str]())
            if kind != "word":
                spots += self._value(place, kind, text)
            elif (value := _value_word(found)) is not None:
                spots.append(("value", value))
            elif not self._is_unit(place, found):
                joined = " ".join(texts[place : place + length])
                bare = self._known.bare(joined) if self._known else joined
                spots.append(("word", Word(joined, bare, _plain_concepts(found), joined in self._function)))
            place += length
        _deny(spots, values, denied, words)
        return _whole(words, values, denied, question, self._known.code if self._known else None)

    def _clock(self, concepts: Sequence[frozenset[str]], place: int) -> str:
        """A time of day with its hour first, and in what words it is more or less than that."""
        bare = self._known.bare if self._known else str
        said = [((_value_word(c) or ("", ""))[1] or bare(self._parts[place + i][1])) for i, c in enumerate(concepts)]
        numbers = [text for text in said if text[:1].isdigit()]
        return " ".join([*numbers, *(text for text in said if text not in numbers)])

    def _value(self, place: int, kind: str, text: str) -> list[tuple[str, object]]:
        if kind == "iso":
            year, month, day = text.split("-")
            return [
                ("value", ("date", f"m{int(month)}")),
                ("value", ("date", f"d{int(day)}")),
                ("value", ("date", year)),
            ]
        if kind == "time":
            hours, minutes = re.split("[:h]", text)
            return [("value", ("time", f"{int(hours)}:{minutes}"))]
        if kind == "number":
            value = self._number(place, text)
            return [("word", Word(text, text))] if self._is_part_of_a_name(place, value) else [("value", value)]
        return [("stop", text)] if kind == "stop" else []

    def _number(self, place: int, text: str) -> tuple[str, str]:
        amount = _amount(text)
        if self._beside_month(place):
            return ("date", amount if len(amount) == _YEAR else f"d{amount}")
        unit = self._unit_after(place)
        if unit == "month":
            return ("date", f"m{amount}")
        if unit == "hourly":
            return ("time", f"{amount}:00")
        if unit == "pm":
            hour = int(Decimal(amount)) % 12 + 12
            return ("time", f"{hour}:00")
        return ("number", " ".join(_in_one_unit(amount, unit)).strip())

    def _is_part_of_a_name(self, place: int, value: tuple[str, str]) -> bool:
        """Whether a bare number tells which one of several things is meant ("Sensor 2 is", "in drawer 5 are")."""
        if value[0] != "number" or " " in value[1]:
            return False
        return names_one([self._around(p) for p in (place - 2, place - 1, place + 1)], compounds=self._compounds)

    @property
    def _compounds(self) -> bool:
        return self._known is not None and (self._known.compounds or bool(self._known.endings))

    def _around(self, place: int) -> Beside:
        if not 0 <= place < len(self._parts):
            return Beside("")
        kind, text = self._parts[place]
        return Beside(kind, self._concepts(place) if kind == "word" else frozenset(), text in self._function)

    def _beside_month(self, place: int) -> bool:
        near = [p for p in (place - 2, place - 1, place + 1, place + 2, place + 3) if 0 <= p < len(self._parts)]
        named = any(
            concept.startswith("months:") for p in near if self._parts[p][0] == "word" for concept in self._concepts(p)
        )
        return named or (self._unit_after(place) == "day" and self._unit_after(place - 2) == "month")

    def _unit_after(self, place: int) -> str:
        after = place + 1
        if not 0 < after < len(self._parts):
            return ""
        kind, text = self._parts[after]
        if kind == "symbol":
            return _SYMBOLS.get(text.replace(" ", ""), text)
        if kind != "word":
            return ""
        units = sorted(c.removeprefix("units:") for c in self._concepts(after) if c.startswith("units:"))
        return units[0] if units else text if text in _BARE_UNITS else ""

    def _is_unit(self, place: int, found: frozenset[str]) -> bool:
        """Whether the word is the unit of the number before it."""
        if place == 0 or self._parts[place - 1][0] not in ("number", "time"):
            return False
        return any(c.startswith("units:") for c in found) or self._parts[place][1] in _BARE_UNITS

    def _concepts(self, place: int) -> frozenset[str]:
        return self._known.at([self._parts[place][1]], 0)[1] if self._known else frozenset()


def _amount(text: str) -> str:
    number = text.replace("\u2212", "-").replace(",", ".")
    if number.count(".") > 1:
        return number.replace(".", "")
    whole, _, part = number.partition(".")
    return f"{whole}.{part.rstrip('0')}".rstrip(".") if part else format(Decimal(whole), "f")


def _in_one_unit(amount: str, unit: str) -> tuple[str, str]:
    if unit not in _PARTS_OF:
        return amount, unit
    base, times = _PARTS_OF[unit]
    return _amount(format(Decimal(amount) * Decimal(times), "f")), base


def _value_word(found: frozenset[str]) -> tuple[str, str] | None:
    """A weekday, a month or a number that is a word."""
    for concept in sorted(found):
        kind, _, value = concept.partition(":")
        if kind == "days":
            return ("day", value)
        if kind == "months":
            return ("date", f"m{value}")
        if kind == "numbers":
            return ("number", value)
    return None


def _plain_concepts(found: frozenset[str]) -> frozenset[str]:
    return frozenset(concept for concept in found if ":" not in concept)


def _deny(
    spots: list[tuple[str, object]],
    values: set[tuple[str, str]],
    denied: set[tuple[str, str]],
    words: list[Word],
) -> None:
    """Sort into what is said and what is denied: what a negation stands right before, up to a stop or a "but"."""
    place = 0
    while place < len(spots):
        kind, spot = spots[place]
        end = _end_of_denial(spots, place) if isinstance(spot, Word) and spot.has("negation") else None
        if end is not None:
            for _, inner in spots[place + 1 : end]:
                if isinstance(inner, Word):
                    denied.update(() if inner.function else {("word", inner.bare)})
                elif isinstance(inner, tuple):
                    denied.add(inner)
            place = end
            continue
        if kind == "value" and isinstance(spot, tuple):
            values.add(spot)
        elif isinstance(spot, Word):
            words.append(spot)
        place += 1


def _end_of_denial(spots: list[tuple[str, object]], place: int) -> int | None:
    """Where "not X" ends, if it is one: at a "but", or at the end after a comma; None where it negates the sentence."""
    after_stop = place > 0 and spots[place - 1][0] == "stop"
    inner = 0
    for end in range(place + 1, len(spots)):
        kind, spot = spots[end]
        if _is_instead(spot):
            return end + 1 if inner else None
        if kind == "stop":
            if inner and end + 1 < len(spots) and _is_instead(spots[end + 1][1]):
                return end + 2
            return end if inner and after_stop else None
        inner += not (isinstance(spot, Word) and spot.function)
        if inner > _DENIED:
            return None
    return len(spots) if inner and after_stop else None


def _is_instead(spot: object) -> bool:
    return isinstance(spot, Word) and spot.has("instead")


_ASIDE = ("filler", "correction", "negation", "instead", "copula")


def _whole(
    words: list[Word],
    values: set[tuple[str, str]],
    denied: set[tuple[str, str]],
    question: bool,
    code: str | None,
) -> Wording:
    negated = any(word.has("negation", "dislike") for word in words)
    content = tuple(
        word
        for word in words
        if not word.has(*_ASIDE, "condition", "person", "first") and (word.has("wish", "dislike") or not word.function)
    )
    conditions = frozenset(word.bare for word in words if word.has("condition") and not word.has("negation"))
    return Wording(tuple(words), frozenset(values), frozenset(denied), negated, question, code, content, conditions)
