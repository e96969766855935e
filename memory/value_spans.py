"""Where in a text its values stand: numbers with their units, times of day, weekdays and dates."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from indexer.normalise import straight, unaccented
from memory.clock_phrases import letter_of, phrase_at
from memory.function_words import function_words_of
from memory.memory_words import Language
from memory.statement_parts import Beside, names_one

_PIECE = re.compile(
    r"(?P<time>\d{1,2}(?::|h)\d{2})(?!\d)"
    r"|(?P<number>(?<![\w.])\d+(?:[.,]\d+)*)"
    r"|(?P<symbol>°\s?[cfCF]?\b|[%€$£])"
    r"|(?P<word>[^\W\d_]+)"
)
_BETWEEN = 3
"""Pieces between a day and its month, at most."""


class ValueKind(StrEnum):
    """What sort of value it is. A weekday and a date answer one question."""

    NUMBER = "number"
    TIME = "time"
    DAY = "day"


@dataclass(frozen=True, slots=True)
class Value:
    """``text`` as compared; ``unit`` of a number, where it has one. ``start``, ``end``: its place in the text."""

    kind: ValueKind
    text: str
    unit: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Piece:
    kind: str
    text: str
    start: int
    end: int
    concepts: frozenset[str]

    def of(self, kind: str) -> str:
        """The value of a concept of this kind that the word stands for; empty: it stands for none."""
        return next((c.partition(":")[2] for c in sorted(self.concepts) if c.startswith(f"{kind}:")), "")


def value_spans(text: str, known: Language) -> tuple[Value, ...]:
    """The values of a text in the order in which they stand there. A number that tells which one of several things is
    meant ("lamp 3", "drawer number 5") is none."""
    pieces = [
        _Piece(m.lastgroup or "", m.group(), m.start(), m.end(), _concepts(m, known))
        for m in _PIECE.finditer(straight(text))
    ]
    letters = [letter_of(piece.concepts, is_number=piece.kind == "number") for piece in pieces]
    found: list[Value] = []
    place = 0
    while place < len(pieces):
        if used := phrase_at(letters, place):
            value: Value | None = _clock(pieces[place : place + used], known)
        else:
            value, used = _value(pieces, place, text, known)
        found += [value] if value is not None else []
        place += used
    return tuple(found)


def _clock(pieces: list[_Piece], known: Language) -> Value:
    said = " ".join(piece.of("numbers") or known.bare(unaccented(piece.text)) for piece in pieces)
    return Value(ValueKind.TIME, said, "", pieces[0].start, _stem_end(pieces[-1], known, "clock_after"))


def _concepts(match: re.Match[str], known: Language) -> frozenset[str]:
    return known.at([unaccented(match.group())], 0)[1] if match.lastgroup == "word" else frozenset()


def _value(pieces: list[_Piece], place: int, text: str, known: Language) -> tuple[Value | None, int]:
    piece = pieces[place]
    if date := _date(pieces, place):
        first, last = pieces[place], pieces[place + date - 1]
        words = " ".join(
            unaccented(p.text) for p in pieces[place : place + date] if p.kind == "number" or p.of("months")
        )
        return Value(ValueKind.DAY, words, "", first.start, last.end), date
    if piece.kind == "time":
        return Value(ValueKind.TIME, piece.text.replace("h", ":"), "", piece.start, piece.end), 1
    if day := piece.of("days"):
        return Value(ValueKind.DAY, day, "", piece.start, _stem_end(piece, known, f"days:{day}")), 1
    number = piece.text if piece.kind == "number" else piece.of("numbers")
    if not number:
        return None, 1
    unit = _unit(pieces, place)
    if not unit and (_is_name_number(pieces, place, text, known) or (piece.kind == "word" and number in ("1", "0.5"))):
        return None, 1
    if unit in ("hourly", "pm"):
        return Value(ValueKind.TIME, number, "", piece.start, _stem_end(pieces[place + 1], known, f"units:{unit}")), 2
    return Value(ValueKind.NUMBER, number.replace(",", "."), unit, piece.start, piece.end), 1


def _date(pieces: list[_Piece], place: int) -> int:
    """How many pieces make a date here; 0: none."""
    if pieces[place].kind != "number" and not pieces[place].of("months"):
        return 0
    month = number = None
    for end in range(place, min(place + _BETWEEN + 1, len(pieces))):
        if pieces[end].of("months"):
            month = end if month is None else month
        elif pieces[end].kind == "number":
            number = end if number is None else number
        if month is not None and number is not None:
            return max(month, number) - place + 1
        if end > place and pieces[end].kind == "word" and pieces[end].concepts & {"copula"}:
            break
    if pieces[place].kind == "number" and _unit(pieces, place) == "month":
        days = [p for p in range(place + 2, min(place + 5, len(pieces))) if _unit(pieces, p) == "day"]
        return days[0] + 2 - place if days else 0
    return 0


def _unit(pieces: list[_Piece], place: int) -> str:
    if place + 1 >= len(pieces):
        return ""
    behind = pieces[place + 1]
    return unaccented(behind.text) if behind.kind == "symbol" else behind.of("units")


def _is_name_number(pieces: list[_Piece], place: int, text: str, known: Language) -> bool:
    def beside(at: int) -> Beside:
        if not 0 <= at < len(pieces):
            return Beside("")
        piece = pieces[at]
        if at > place and any(mark in text[pieces[place].end : piece.start] for mark in ",;:."):
            return Beside("stop")
        return Beside(piece.kind, piece.concepts, unaccented(piece.text) in function_words_of(known.code))

    return names_one(
        [beside(at) for at in (place - 2, place - 1, place + 1)], compounds=known.compounds or bool(known.endings)
    )


def _stem_end(piece: _Piece, known: Language, concept: str) -> int:
    """Where the word of this concept ends, before what a language writes to it."""
    if not known.endings:
        return piece.end
    for length in range(1, len(piece.text)):
        if concept in known.at([unaccented(piece.text[:length])], 0)[1]:
            return piece.start + length
    return piece.end
