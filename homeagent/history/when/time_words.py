"""The words for time in a sentence, as tokens that mean the same in every language.

``languages/<code>/times.yaml`` maps one token or several ("day:0 part:morning") to phrases; in one a ``_`` stands for
words in between ("from _ on"). ``needs_lead`` lists words that speak of time only beside another one ("may",
"second"). In languages with ``compounds`` a word may be made of several ("Montagabend", "월요일부터"); with ``postfix``
"since" and "until" follow what they belong to. Names of weekdays and spelt-out numbers are those of the language's
pack.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from homeagent.history.when.digits import Said, in_digits
from homeagent.languages.concepts import DayWord
from homeagent.languages.folder import Part, read_part
from homeagent.languages.pack import Pack, load_pack
from homeagent.understanding.tokeniser import Token as Word
from indexer.words import normalise

_GAP = " _ "
_LONGEST_GAP = 9
_LONGEST_NUMBER = 3
_SHORTEST_PART = 3
"""Letters. A shorter piece of a compound is a word of its own only in Korean."""
_WEAK = frozenset({"filler", "from", "to", "and", "at", "into", "number", "date"})
"""Tokens that say nothing of time by themselves."""
_WEEK = (
    *(DayWord.MONDAY, DayWord.TUESDAY, DayWord.WEDNESDAY, DayWord.THURSDAY),
    *(DayWord.FRIDAY, DayWord.SATURDAY, DayWord.SUNDAY),
)


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
        """The value of a number or a clock. Raises ValueError for every other kind."""
        return float(self.value)


@dataclass(frozen=True, slots=True)
class TimeWords:
    """What a language's file says. ``clock``: whether "at 3" is in the afternoon (12) or early (24).

    ``phrases``: the tokens of each, as in the file; ``gapped``: first and last word of those with a gap.
    """

    phrases: Mapping[str, str]
    gapped: Mapping[tuple[str, str], str]
    numbers: Mapping[str, str]
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
    """Words that are a token by themselves."""
    fillers: frozenset[str] = field(default_factory=frozenset)
    """Those of them that say nothing."""
    longest: int = 1


@lru_cache(maxsize=32)
def time_words(language: str, *, ahead: bool = False) -> TimeWords | None:
    """The words of a language (``de-AT`` falls back to ``de``); None where there are none.

    ``ahead``: as they are meant of a time to come, where the file's section of that name tells otherwise.
    """
    found = read_part(language, Part.TIMES)
    pack = load_pack(found[0]) if found is not None else None
    if found is None or pack is None:
        return None
    data: dict[str, Any] = found[1]
    times = {token: [normalise(p) for p in several if _GAP not in p] for token, several in data["times"].items()}
    to_come = data.get("ahead", {}) if ahead else {}
    phrases: dict[str, str] = {}
    said_first = {token: [normalise(p) for p in several] for token, several in to_come.items()}
    for token, several in (*said_first.items(), *times.items(), *_weekdays(pack).items()):
        for phrase in several:
            phrases.setdefault(phrase, token)
    gapped = ((p.split(_GAP), token) for token, several in data["times"].items() for p in several if _GAP in p)
    return TimeWords(
        phrases,
        {(normalise(first), normalise(last)): token for (first, last), token in gapped},
        {word: digits for word, digits in pack.digits.items() if ahead or digits.isdigit()},
        clock=int(data["clock"]),
        before_clock=frozenset({*times.get("at", ()), *said_first.get("at", ())}),
        after_clock=frozenset(times.get("oclock", ())),
        date_leads=frozenset(data.get("date_leads", ())),
        ordinals=frozenset(data.get("ordinals", ())),
        units=frozenset(p for token, several in times.items() if token.startswith("unit:") for p in several),
        month_first=data.get("month_first") == "true",
        postfix=data.get("postfix") == "true",
        compounds=data.get("compounds") == "true",
        hour_is_clock=data.get("hour_is_clock") == "true",
        since_hours=data.get("since_hours", "duration"),
        needs_lead=frozenset(normalise(word) for word in data.get("needs_lead", ())),
        single=frozenset(p for p in phrases if " " not in p),
        fillers=frozenset(times["filler"]),
        longest=max(p.count(" ") + 1 for p in phrases),
    )


def _weekdays(pack: Pack) -> dict[str, list[str]]:
    """The single words of the pack for each day of the week, but not those that say a part of the day as well."""
    found: dict[str, list[str]] = {}
    for n, day in enumerate(_WEEK):
        called = [p for p, said in pack.phrases.items() if day in said and " " not in p]
        found[f"weekday:{n}"] = [p for p in called if not any(q != p and p.startswith(q) for q in called)]
    return found


def parted(words: Sequence[Word], known: TimeWords) -> tuple[Word, ...]:
    """The words, compounds of time words cut into these."""
    if not known.compounds:
        return tuple(words)
    return tuple(part for word in words for part in _parts(word, known))


def tokens(words: Sequence[Word], known: TimeWords, free: Sequence[bool]) -> list[list[Token]]:
    """Runs of time words that stand side by side, each as its tokens in order, fillers left out. Only words that are
    ``free`` are among them."""
    runs = _runs(groups(words, known, free), words, known)
    return [run for run in runs if any(t.kind not in _WEAK for t in run) or _is_range(run)]


def groups(words: Sequence[Word], known: TimeWords, free: Sequence[bool]) -> list[list[Token]]:
    """The phrases for time and the numbers among the words that are ``free``, in order, each as its tokens."""
    many = {group[0].first: group for group in _clocks_and_numbers(words, known, free)}
    numbers = {p for group in many.values() for t in group for p in range(t.first, t.last + 1)}
    for first, last, said in _phrases(words, known, free):
        if first not in numbers or last > first:
            for place in range(first, last + 1):
                many.pop(place, None)
            many[first] = [_token(text, first, last) for text in said.split()]
    return [many[at] for at in sorted(many)]


def _phrases(words: Sequence[Word], known: TimeWords, free: Sequence[bool]) -> Iterator[tuple[int, int, str]]:
    """First and last position of each phrase, and what it says; of two that overlap the longer."""
    found: list[tuple[int, int, str]] = []
    for first in range(len(words)):
        for end in range(first + 1, min(len(words), first + known.longest) + 1):
            said = known.phrases.get(" ".join(w.text for w in words[first:end]))
            if said is not None and all(free[first:end]):
                found.append((first, end - 1, said))
    taken: set[int] = set()
    for first, last, said in sorted(found, key=lambda f: (f[0] - f[1], f[0])):
        if taken.isdisjoint(range(first, last + 1)):
            taken.update(range(first, last + 1))
            behind = {w.text for w in words[first + 2 : first + _LONGEST_GAP]}
            opened = (
                token
                for (opening, end), token in known.gapped.items()
                if words[first].text == opening and end in behind
            )
            yield first, last, next(opened, said)


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


def _clocks_and_numbers(words: Sequence[Word], known: TimeWords, free: Sequence[bool]) -> Iterator[list[Token]]:
    at = 0
    while at < len(words):
        size = 1
        said: Said = ()
        if words[at].text[0].isdigit() and free[at]:
            size, said = _in_digits(words, at, known)
        elif free[at]:
            size, value = _spelt(words, at, known, free)
            said = (("number", value),) if size else ()
        if said:
            yield [Token(kind, value, at, at + size - 1) for kind, value in said]
        at += size or 1


def _in_digits(words: Sequence[Word], at: int, known: TimeWords) -> tuple[int, Said]:
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


def _spelt(words: Sequence[Word], at: int, known: TimeWords, free: Sequence[bool]) -> tuple[int, str]:
    for size in range(min(_LONGEST_NUMBER, len(words) - at), 0, -1):
        text = " ".join(w.text for w in words[at : at + size])
        if text in known.numbers and text not in known.single and all(free[at : at + size]):
            return size, known.numbers[text]
    return 0, ""


def _parts(word: Word, known: TimeWords) -> tuple[Word, ...]:
    if len(word.text) != word.end - word.start or word.text in known.single:
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
