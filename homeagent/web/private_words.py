"""What tells in six languages that something is private: words, and the patterns that are made of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from homeagent.languages.folder import Part, languages_with, read_part
from indexer.normalise import is_syllabic, unaccented

_NUMBER = r"\d{1,5}(?:\s?[a-zA-Z](?![\w]))?(?:\s?[-/]\s?\d{1,4}[a-zA-Z]?)?"
NAME = r"[^\W\d_a-zß-öø-ÿ][^\W\d_]*(?:[-'’][^\W\d_]+)*"
"""A word that is written as a name is."""
_CLOCK = re.compile(
    r"(?<![\w.,])\d{1,2}(?:[:.h]\d{2}|\s?(?:am|pm|a\.m\.|p\.m\.|uhr|h|heures?|horas?|uur|시)(?![\w])(?:\s?\d{1,2}\s?분)?)(?:\s?(?:am|pm|uhr))?"
    r"|(?<![\w.,])\d{1,2}[./]\s?\d{1,2}(?:[./]\s?(?:\d{4}|\d{2}))?\.?(?!\w)|\b\d{4}-\d{2}-\d{2}\b|\d{1,2}\s?월(?:\s?\d{1,2}\s?일)?|\d{1,2}\s?일"
    r"|(?<![\w.,])\d{1,2}(?:st|nd|rd|th|er|º|\.)?(?=\s*(?:-|–|to|bis|au|al|tot|of|de|\.)?\s*(?:\d{1,2}\.?\s*)?(?:{months}))|\d{1,2}시",
    re.I,
)
_MAKERS = Path(__file__).with_name("makers.txt")
"""Words of the names of Home Assistant's integrations that no dictionary knows: people search for what they own."""
_DAY = (
    r"(?<![\w.,])\d{1,2}(?:st|nd|rd|th|er|º|\.)?\s*(?:of\s|de\s)?(?:{months})(?![^\W_])"
    r"|(?<![\w.,])\d{1,2}\.\s?\d{1,2}\.(?:\d{4}|\d{2})?(?![\w])"
    r"|(?<![^\W_])(?:{months})\s\d{1,2}(?:st|nd|rd|th)?(?![\w.,])|\d{1,2}\s?월\s?\d{1,2}\s?일"
)
"""A day of a month by its name."""
_SPAN = (
    rf"(?:(?<![^\W_])(?:{{lead}})(?:\W+[^\W\d_]{{1,3}})?\W+|\d{{1,2}}\.?\s*(?:[-–]|[^\W\d_]{{1,3}}(?:\s[^\W\d_]{{1,3}})?)\s*)"
    rf"(?:{_DAY})|(?:{_DAY})\s?(?:{{lead}})"
)
"""Days from one on, until one, from one to another."""


@dataclass(frozen=True, slots=True)
class PrivateWords:
    """The words of all languages together. ``common``: what begins a sentence or joins it, and names nobody.
    ``empty``: what tells that nobody is there where days stand beside it. ``does``: verbs behind whoever does it.
    ``linking``: what stands within last names. ``address``, and what else is ``written_behind`` Korean names, which
    ``family``, ``given_first`` and ``given_last`` are syllables of."""

    titles: frozenset[str]
    professions: frozenset[str]
    kin: frozenset[str]
    korean_kin: tuple[str, ...]
    own: frozenset[str]
    away: frozenset[str]
    alone: tuple[re.Pattern[str], ...]
    empty: frozenset[str]
    times: frozenset[str]
    others: frozenset[str]
    before_names: frozenset[str]
    words_too: frozenset[str]
    no_names: frozenset[str]
    stop: frozenset[str]
    common: frozenset[str]
    streets: tuple[re.Pattern[str], ...]
    said_before: tuple[re.Pattern[str], ...]
    clock: re.Pattern[str]
    day: re.Pattern[str]
    days: re.Pattern[str]
    does: frozenset[str]
    linking: frozenset[str]
    address: tuple[str, ...]
    written_behind: re.Pattern[str]
    family: frozenset[str]
    given_first: frozenset[str]
    given_last: frozenset[str]


@cache
def private_words() -> PrivateWords:
    """Those of all languages that have any. Blocks at first: it reads them."""
    parts = [read_part(code, Part.OUTSIDE) for code in languages_with(Part.OUTSIDE)]
    tables = [part[1]["private"] for part in parts if part is not None]
    calendars = [part[1]["times"] for code in languages_with(Part.OUTSIDE) if (part := read_part(code, Part.TIMES))]

    def of_calendars(*kinds: str) -> str:
        found = {word for times in calendars for key in times if key.startswith(kinds) for word in times[key]}
        return "|".join(re.escape(word) for word in sorted(found, key=len, reverse=True) if "_" not in word)

    def all_of(key: str, *, folded: bool = True) -> frozenset[str]:
        return frozenset((unaccented(w) if folded else w.casefold()) for table in tables for w in table.get(key, []))

    months = "|".join(re.escape(w) for w in sorted(all_of("times", folded=False), key=len, reverse=True) if len(w) > 2)
    stop, times = all_of("stop"), all_of("times")
    parts_of_days = {"{months}": of_calendars("month:"), "{lead}": of_calendars("until", "from", "since", "between")}
    return PrivateWords(
        titles=all_of("titles"),
        professions=all_of("professions"),
        kin=all_of("kin"),
        korean_kin=tuple(w for w in all_of("kin") if is_syllabic(w)),
        own=all_of("own"),
        away=all_of("away"),
        empty=all_of("empty"),
        alone=tuple(_with_gaps(phrase) for phrase in all_of("alone", folded=False)),
        times=times,
        others=all_of("others"),
        before_names=all_of("for"),
        words_too=all_of("words_too"),
        no_names=all_of("no_names") | frozenset(_MAKERS.read_text("utf-8").split()),
        stop=stop,
        common=stop | times | all_of("kin") | all_of("own") | all_of("away") | all_of("titles"),
        streets=tuple(_streets(tables)),
        said_before=tuple(_said_before(tables)),
        clock=re.compile(_CLOCK.pattern.replace("{months}", months), re.I),
        day=_filled(_DAY, parts_of_days),
        days=_filled(_SPAN, parts_of_days),
        does=all_of("does"),
        linking=all_of("linking"),
        address=tuple(all_of("address", folded=False)),
        written_behind=re.compile(rf"(?:{_one_of(tables, 'address')}|{_one_of(tables, 'particles')})?$"),
        family=all_of("family", folded=False),
        given_first=all_of("given_first", folded=False),
        given_last=all_of("given_last", folded=False),
    )


def _filled(pattern: str, words: dict[str, str]) -> re.Pattern[str]:
    for place, alternatives in words.items():
        pattern = pattern.replace(place, alternatives)
    return re.compile(pattern, re.I)


def _with_gaps(phrase: str) -> re.Pattern[str]:
    """The words of a phrase with up to three others between them: "komme um 17:30 nach Hause"."""
    if is_syllabic(phrase):
        return re.compile(re.escape(phrase))
    return re.compile(r"(?<![^\W_])" + r"\W{1,3}(?:\w{1,20}\W{1,3}){0,3}?".join(map(re.escape, phrase.split())))


def _one_of(tables: Iterable[dict[str, list[str]]], key: str) -> str:
    words = sorted({w for table in tables for w in table.get(key, [])}, key=len, reverse=True)
    return "|".join(re.escape(word) for word in words)


def _streets(tables: Sequence[dict[str, list[str]]]) -> Iterator[re.Pattern[str]]:
    after, before, end = (_one_of(tables, key) for key in ("street_after", "street_before", "street_end"))
    within = rf"(?:\s(?:{_one_of(tables, 'within')})(?=\s{NAME}))?"
    town = rf"{within}(?:,?\s*(?:\d{{4,5}}(?:\s?[A-Z]{{2}})?\s+)?{NAME})*"
    small = r"(?:on|the|to|of|in|an|and|for|from|with|is|by|at|or)\b"
    first_unit = rf"(?:(?i:{_one_of(tables, 'units')})\s\w{{1,4}},?\s+)?"
    unit = r"(?:,?\s*(?:apt|apartment|unit|flat|suite|#|wohnung|etage|piso|puerta|bis|ter|appt)\.?\s*\w+)*"
    yield re.compile(
        rf"(?<![^\W_]){first_unit}\b\d{{1,6}}[a-zA-Z]?,?\s+(?i:(?:(?!{small})[^\W\d_][\w'’.-]+\s+){{1,4}}(?:{after})\b\.?){unit}{town}"
    )
    yield re.compile(rf"\b(?:{NAME}\s+){{1,3}}(?i:{after})\s+{_NUMBER}{unit}{town}")
    yield re.compile(
        rf"(?i:(?<![^\W_])(?:{before}))\.?\s+(?:[^\W\d_][\w'’.-]*\s+){{0,4}}?[^\W\d_][\w'’.-]*,?\s+(?:nº|n°|nr\.?\s?)?{_NUMBER}{unit}{town}"
    )
    yield re.compile(
        rf"\b\d{{1,4}}(?:\s?(?:bis|ter|[a-z]))?,?\s+(?i:(?:{before}))\.?\s+(?:(?:de|du|des|la|le|les|l['’]|d['’])\s?)*[^\W\d_][\w'’.-]*(?:\s{NAME})*{town}"
    )
    yield re.compile(
        rf"(?i:(?<![^\W_])[^\W\d_][\w'’-]*[\s-]?(?:{end}))\s+(?!(?:19|20)\d\d\b){_NUMBER}(?!\s?(?:%|°|km|m\b|cm|uhr|uur)){unit}{town}"
    )
    places = _one_of(tables, "places")
    yield re.compile(
        rf"(?:(?i:(?<![^\W_])(?:{places}))\s+{NAME}(?:\s{NAME})*|(?:{NAME}\s)+(?:(?i:{places}))(?![^\W_])(?:,{town})?)"
    )
    yield re.compile(rf"[가-힣0-9]+\s?(?:{places})(?:\s?\d+동)?(?:\s?\d+호)?")


def _said_before(tables: Sequence[dict[str, list[str]]]) -> Iterator[re.Pattern[str]]:
    lived, born = _one_of(tables, "lived"), _one_of(tables, "born")
    yield re.compile(
        rf"(?i:(?<![^\W_])(?:{lived}))[:\s]+(?i:(?:in|at|is|ist|est|es)\s+)?((?:{NAME}|\d+)(?:[ ,-]+(?:{NAME}|\d+))*)"
    )
    yield re.compile(
        rf"(?i:(?<![^\W_])(?:{born}))[^\d]{{0,20}}?((?:[A-Z]{{0,2}}\d[\w./-]*)(?:[ ./-]+\w*\d[\w./-]*)*)", re.I
    )
    yield re.compile(rf"([가-힣0-9]+(?:시|군|구|동|읍|면)(?:\s[가-힣0-9]+(?:시|군|구|동|읍|면))*)에?\s?(?:{lived})")
