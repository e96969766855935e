"""Whether an answer says the figure, and whether it says one that nobody told it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from homeagent.brains import consent
from homeagent.evaluation.history.questions import Question, moment

_NUMBER = re.compile(r"\d+(?:[.,]\d+)?")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_CLOCK = re.compile(r"(?<!\d)(\d{1,2}):(\d{2})(?!\d)")
_ISO = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}[\d:+.\-Z]*")
_NEAR = 0.0501
"""A number is said to one decimal."""
_MOMENTS = frozenset({"first", "last", "when_max"})


@dataclass(frozen=True, slots=True)
class Scored:
    """``exact``: it says what it should; ``invented``: figures in it that come from nowhere."""

    exact: bool
    invented: tuple[str, ...] = ()


def score(
    question: Question,
    wanted: Sequence[float | None],
    said: str,
    results: Iterable[object],
    now: datetime,
    zone: ZoneInfo,
) -> Scored:
    """Judge one answer. ``wanted`` are the figures of the question's periods; ``results`` is what tools returned."""
    exact = all(w is not None and _says(question, w, said, now, zone) for w in wanted)
    return Scored(exact, tuple(_invented(question.text, said, results)))


def _says(question: Question, wanted: float, said: str, now: datetime, zone: ZoneInfo) -> bool:
    tell = question.expected.tell
    if tell == "whether":
        return _agrees(said, question.language) is (wanted > 0)
    if tell == "time":
        return any(_within(pair, _numbers(_without_moments(said))) for pair in _lengths(wanted))
    if tell in _MOMENTS:
        return _tells_moment(said, moment(wanted).astimezone(zone), now.astimezone(zone))
    if tell == "gone":
        return moment(wanted).astimezone(zone).date().isoformat() in said
    numbers = _numbers(_without_moments(said))
    near = 0.01 if tell in ("count", "changes") else _NEAR
    return any(abs(n - wanted) <= near for n in numbers) or (wanted == 0 and not numbers and bool(said))


def _agrees(said: str, language: str) -> bool | None:
    """Whether the answer begins with a yes, or with a no; None where with neither."""
    return {consent.Reply.YES: True, consent.Reply.NO: False}.get(consent.starts_with(said, language))


def _tells_moment(said: str, wanted: datetime, now: datetime) -> bool:
    times = {wanted.replace(second=0), wanted.replace(second=0) + timedelta(minutes=wanted.second >= 30)}
    clocks = {(int(h), int(m)) for h, m in _CLOCK.findall(said)}
    on_time = any((t.hour, t.minute) in clocks for t in times)
    return on_time and (wanted.date() == now.date() or wanted.date().isoformat() in said)


def _lengths(seconds: float) -> Iterator[tuple[int, ...]]:
    """How a length may be said: in its two largest units, the smaller one cut off or rounded, or in minutes."""
    for whole in {int(seconds), round(seconds / 60) * 60}:
        days, rest = divmod(whole, 86_400)
        hours, minutes = divmod(rest // 60, 60)
        if days:
            yield tuple(n for n in (days, hours) if n)
        yield tuple(n for n in (days * 24 + hours, minutes) if n) or (0,)
        yield (whole // 60,)
    if seconds < 60:
        yield (round(seconds),)


def _within(wanted: tuple[int, ...], numbers: Sequence[float]) -> bool:
    return any(
        tuple(numbers[i : i + len(wanted)]) == tuple(map(float, wanted)) for i in range(len(numbers) - len(wanted) + 1)
    )


def _invented(asked: str, said: str, results: Iterable[object]) -> Iterator[str]:
    told = list(_figures(results))
    known = {abs(n) for n in told} | set(_numbers(asked)) | {n for s in told for pair in _lengths(abs(s)) for n in pair}
    moments = [text for text in _texts(results) if _ISO.fullmatch(text)]
    dates = {text[:10] for text in moments} | {_next_day(text[:10], -1) for text in moments}
    clocks = {text[11:16] for text in moments} | {_later(text[11:19]) for text in moments if len(text) >= 19}
    names = {n for text in _texts(results) for n in _numbers(text) if not _ISO.fullmatch(text)}
    yield from (d for d in _DATE.findall(said) if d not in dates)
    yield from (
        f"{h}:{m}" for h, m in _CLOCK.findall(said) if f"{int(h):02}:{m}" not in clocks and f"{h}:{m}" not in asked
    )
    for number in _numbers(_without_moments(said)):
        if not any(abs(number - k) <= _NEAR for k in known | names):
            yield f"{number:g}"


def _next_day(day: str, days: int) -> str:
    return (datetime.fromisoformat(day) + timedelta(days=days)).date().isoformat()


def _later(clock: str) -> str:
    """The minute to which a time is rounded."""
    return (datetime.strptime(clock, "%H:%M:%S") + timedelta(seconds=30)).strftime("%H:%M")


def _figures(value: object) -> Iterator[float]:
    if isinstance(value, Mapping):
        for inner in value.values():
            yield from _figures(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _figures(inner)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield float(value)


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield str(key)
            yield from _texts(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _texts(inner)
    elif isinstance(value, str):
        yield value


def _numbers(text: str) -> list[float]:
    return [float(n.replace(",", ".")) for n in _NUMBER.findall(text)]


def _without_moments(text: str) -> str:
    return _CLOCK.sub(" ", _DATE.sub(" ", text))
