"""Stretches of states as spells of words, and these in words: ``opened 3 times, 22 min in all: 07:31–07:33, …``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from homeagent.history.summaries.days import clock
from homeagent.history.summaries.kinds import Telling
from homeagent.history.sums import Stretch
from homeagent.values.timespan import Span, describe_seconds

MOST_SPELLS = 6
"""Spells of one word that are told one by one; of more, those that lie close together are told as one."""
MOST_WORDS = 4
_GAP_WORTH_TELLING = 300.0
_CLOSER = tuple(timedelta(minutes=m) for m in (5, 15, 30, 60, 120, 240, 1440))


@dataclass(frozen=True, slots=True)
class Spell:
    """A word and when it held. ``entered``: it began in the span, and was another word before."""

    word: str | None
    """None: nothing is known of that time."""
    start: datetime
    end: datetime
    entered: bool

    @property
    def seconds(self) -> float:
        """From ``start`` to ``end``."""
        return (self.end - self.start).total_seconds()


@dataclass(frozen=True, slots=True)
class WordTime:
    """All spells of one word: how long in all, how often it was entered."""

    word: str
    seconds: float
    count: int
    spells: tuple[Spell, ...]


def spells(parts: Iterable[Stretch], telling: Telling) -> list[Spell]:
    """The stretches in words, in order; neighbours of one word are one. Coming back from a gap is no new entering."""
    found: list[Spell] = []
    last: str | None = None
    for part in parts:
        word = telling.word(part.state) if part.known else None
        if found and found[-1].word == word:
            found[-1] = replace(found[-1], end=part.end)
        else:
            found.append(Spell(word, part.start, part.end, part.entered and word is not None and word != last))
        last = word or last
    return found


def by_word(found: Iterable[Spell]) -> dict[str, WordTime]:
    """The spells of each word, the word that held longest first."""
    groups: dict[str, list[Spell]] = {}
    for spell in found:
        if spell.word is not None:
            groups.setdefault(spell.word, []).append(spell)
    times = [
        WordTime(word, sum(s.seconds for s in some), sum(s.entered for s in some), tuple(some))
        for word, some in groups.items()
    ]
    return {t.word: t for t in sorted(times, key=lambda t: -t.seconds)}


def tell_word(told: WordTime, telling: Telling, span: Span, zone: ZoneInfo, running: bool) -> str:
    """``opened once for 2 min: 07:31–07:33``; what held all the time: ``open all day``, today ``open so far``."""
    only = told.spells[0]
    if len(told.spells) == 1 and (only.start, only.end) == (span.start, span.end):
        return f"{told.word} {'so far' if running else 'all day'}"
    name = telling.begun.get(told.word, told.word) if told.count else told.word
    often = {0: "", 1: " once"}.get(told.count, f" {told.count} times")
    whole = " in all" if len(told.spells) > 1 else ""
    together = closer(told.spells, MOST_SPELLS)
    listed = ", ".join(_times(spell, span, zone, running) for spell in together)
    return f"{name}{often} for {describe_seconds(told.seconds)}{whole}: {listed}"


def tell_gaps(found: Sequence[Spell], span: Span, zone: ZoneInfo) -> list[str]:
    """Times of which nothing is known, where they are worth a word."""
    words = []
    if found and (found[0].start - span.start).total_seconds() > _GAP_WORTH_TELLING:
        words.append(f"recorded from {clock(found[0].start, zone)} on")
    gaps = [s for s in found if s.word is None]
    missing = sum(s.seconds for s in gaps)
    if missing > _GAP_WORTH_TELLING:
        if len(gaps) > 2:
            words.append(f"not available for {describe_seconds(missing)} in all")
        else:
            words.append("not available " + ", ".join(_times(s, span, zone, False) for s in gaps))
    return words


def closer(some: Sequence[Spell], most: int) -> list[Spell]:
    """At most ``most`` spells: those with the shortest pauses between them are joined."""
    joined = list(some)
    for pause in _CLOSER:
        if len(joined) <= most:
            break
        joined = _joined(some, pause)
    return joined


def _joined(some: Sequence[Spell], pause: timedelta) -> list[Spell]:
    found = [some[0]]
    for spell in some[1:]:
        if spell.start - found[-1].end <= pause:
            found[-1] = replace(found[-1], end=spell.end)
        else:
            found.append(spell)
    return found


def _times(spell: Spell, span: Span, zone: ZoneInfo, running: bool) -> str:
    if spell.start <= span.start:
        return f"until {clock(spell.end, zone)}"
    if spell.end >= span.end:
        return f"since {clock(spell.start, zone)}" if running else f"from {clock(spell.start, zone)} on"
    return f"{clock(spell.start, zone)}–{clock(spell.end, zone)}"
