"""The words for time in a sentence, as tokens that mean the same in every language.

``language/<code>.yaml`` maps one token or several ("day:0 part:morning") to phrases. ``needs_lead`` lists words that
speak of time only beside another one ("may", "second"). In languages with ``compounds`` a word may be made of several
("Montagabend", "월요일부터"); with ``postfix`` "since" and "until" follow what they belong to. Names of weekdays and
spelt-out numbers are those of the language's lexicon. ``asked`` is
what is asked of the past.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from homeagent.brains.language.lexicon import Lexicon, Word, fold, load
from homeagent.history.when.digits import Tokens, in_digits
from homeagent.languages.folder import Part, read_part

_SECTION = "when"
ASKED = "asked"
_LONGEST_NUMBER = 3
_SHORTEST_PART = 3
"""Letters. A shorter piece of a compound is a word of its own only in Korean."""
_WEAK = frozenset({"filler", "from", "to", "and", "at", "into", "number", "date"})
"""Tokens that say nothing of time by themselves."""


@dataclass(frozen=True, slots=True)
class Token:
    """``kind`` and ``value`` as in ``part:morning``; a number's or a clock's value is a number (a clock's: minutes
    since midnight). ``first`` and ``last`` are positions among the words."""

    kind: str
    value: str
    first: int
    last: int

    @property
    def number(self) -> float:
        return float(self.value)


@dataclass(frozen=True, slots=True)
class TimeWords:
    """What a language's file says. ``clock``: whether "at 3" is in the afternoon (12) or early (24)."""

    lexicon: Lexicon
    asked: Lexicon
    """What is asked of the past: "how long", "for the last time", "left"."""
    numbers: Mapping[str, int]
    clock: int = 24
    before_clock: frozenset[str] = frozenset()
    after_clock: frozenset[str] = frozenset()
    date_leads: frozenset[str] = frozenset()
    """What stands before a day of the month, as in "seit dem 20."."""
    ordinals: frozenset[str] = frozenset()
    """What is written behind one, as in "20th"."""
    units: frozenset[str] = frozenset()
    month_first: bool = False
    postfix: bool = False
    compounds: bool = False
    hour_is_clock: bool = False
    since_hours: str = "duration"
    needs_lead: frozenset[str] = frozenset()
    single: frozenset[str] = field(default_factory=frozenset)
    """Words that are a token by themselves, folded."""
    fillers: frozenset[str] = field(default_factory=frozenset)
    """Those of them that say nothing."""


@lru_cache(maxsize=16)
def time_words(language: str) -> TimeWords | None:
    """The words of a language (``de-AT`` falls back to ``de``); None where there are none."""
    found = read_part(language, Part.TIMES)
    base = load(found[0]) if found is not None else None
    if found is None or base is None:
        return None
    code: str = found[0]
    data: dict[str, Any] = found[1]
    times = dict(data["times"]) | {f"weekday:{day}": [base.weekday(day)] for day in range(7)}
    phrases = [fold(phrase) for several in times.values() for phrase in several]
    return TimeWords(
        Lexicon(code, {"concepts": {_SECTION: times}}),
        Lexicon(code, {"concepts": {ASKED: data["asked"]}}),
        base.number_words,
        clock=int(data["clock"]),
        before_clock=frozenset(fold(p) for p in times.get("at", ())),
        after_clock=frozenset(fold(p) for p in times.get("oclock", ())),
        date_leads=frozenset(data.get("date_leads", ())),
        ordinals=frozenset(data.get("ordinals", ())),
        units=frozenset(fold(p) for token, several in times.items() if token.startswith("unit:") for p in several),
        month_first=data.get("month_first") == "true",
        postfix=data.get("postfix") == "true",
        compounds=data.get("compounds") == "true",
        hour_is_clock=data.get("hour_is_clock") == "true",
        since_hours=data.get("since_hours", "duration"),
        needs_lead=frozenset(fold(word) for word in data.get("needs_lead", ())),
        single=frozenset(p for p in phrases if " " not in p),
        fillers=frozenset(fold(p) for p in times["filler"]),
    )


def parted(words: Sequence[Word], known: TimeWords) -> tuple[Word, ...]:
    """The words, compounds of time words cut into these."""
    if not known.compounds:
        return tuple(words)
    return tuple(part for word in words for part in _parts(word, known))


def tokens(words: Sequence[Word], known: TimeWords) -> list[list[Token]]:
    """Runs of time words that stand side by side, each as its tokens in order, fillers left out."""
    many = {group[0].first: group for group in _clocks_and_numbers(words, known)}
    taken = {p for group in many.values() for t in group for p in range(t.first, t.last + 1)}
    for spot in known.lexicon.spot(words):
        at = spot.positions
        if not taken & set(at) or len(at) > 1:
            for place in at:
                many.pop(place, None)
            many[at[0]] = [_token(text, at[0], at[-1]) for text in spot.concept.split()]
    runs = _runs([many[at] for at in sorted(many)], words, known)
    return [run for run in runs if any(t.kind not in _WEAK for t in run) or _is_range(run)]


def _runs(groups: Sequence[list[Token]], words: Sequence[Word], known: TimeWords) -> Iterator[list[Token]]:
    run: list[list[Token]] = []
    for group in groups:
        if run and group[0].first != run[-1][0].last + 1:
            yield _led(run, words, known)
            run = []
        run.append(group)
    if run:
        yield _led(run, words, known)


def _led(run: Sequence[list[Token]], words: Sequence[Word], known: TimeWords) -> list[Token]:
    """The tokens of a run without fillers; a word that needs a lead stays only beside one that needs none."""
    said = [g for g in run if g[0].kind != "filler"]

    def leads(group: Sequence[Token]) -> bool:
        return any(words[p].text not in known.needs_lead for p in range(group[0].first, group[0].last + 1))

    if not any(leads(g) and (g[0].kind not in ("from", "to", "and") or known.postfix) for g in said):
        return []
    return [t for g in said for t in g]


def _is_range(run: Sequence[Token]) -> bool:
    kinds = [t.kind for t in run]
    return ("from" in kinds and "to" in kinds) or ("at" in kinds and "number" in kinds)


def _token(text: str, first: int, last: int) -> Token:
    kind, _, value = text.partition(":")
    return Token(kind, value, first, last)


def _clocks_and_numbers(words: Sequence[Word], known: TimeWords) -> Iterator[list[Token]]:
    at = 0
    while at < len(words):
        size = 1
        said: Tokens = ()
        if words[at].text[0].isdigit() and not words[at].mark:
            size, said = _in_digits(words, at, known)
        elif not words[at].mark:
            size, value = _spelt(words, at, known)
            said = (("number", str(value)),) if size else ()
        if said:
            yield [Token(kind, value, at, at + size - 1) for kind, value in said]
        at += size or 1


def _in_digits(words: Sequence[Word], at: int, known: TimeWords) -> tuple[int, Tokens]:
    before = words[at - 1].text if at else ""
    behind = words[at + 1] if at + 1 < len(words) else None
    ordinal = behind is not None and behind.text in known.ordinals and behind.start == words[at].end
    counted = behind is not None and behind.text in known.units
    size, said = in_digits(
        words,
        at,
        is_clock=before in known.before_clock or (behind is not None and behind.text in known.after_clock),
        is_date=ordinal or (before in known.date_leads and not counted),
        month_first=known.month_first,
    )
    return size + ordinal, said


def _spelt(words: Sequence[Word], at: int, known: TimeWords) -> tuple[int, int]:
    for size in range(min(_LONGEST_NUMBER, len(words) - at), 0, -1):
        part = words[at : at + size]
        text = " ".join(w.text for w in part)
        if text in known.numbers and text not in known.single and not any(w.mark for w in part):
            return size, known.numbers[text]
    return 0, 0


def _parts(word: Word, known: TimeWords) -> tuple[Word, ...]:
    if word.mark or len(word.text) != word.end - word.start or word.text in known.single:
        return (word,)
    shortest = 1 if known.postfix else _SHORTEST_PART
    pieces = _cut(word.text, known.single, shortest)
    if len(pieces) < 2:
        return (word,)
    parts, start = [], word.start
    for piece in pieces:
        parts.append(replace(word, text=piece, start=start, end=start + len(piece)))
        start += len(piece)
    return tuple(parts)


def _cut(text: str, single: frozenset[str], shortest: int) -> tuple[str, ...]:
    """The text as known words without rest, the first as long as can be; empty where that does not come out."""
    if text in single:
        return (text,)
    for size in range(len(text) - shortest, shortest - 1, -1):
        if text[:size] in single and (rest := _cut(text[size:], single, shortest)):
            return (text[:size], *rest)
    return ()
