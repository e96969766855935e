"""Takes out of a question what is somebody's own affair, before it goes to a search.

Names (of this home's people and of anybody's), addresses, numbers that reach or identify somebody, coordinates, ids of
entities, secrets, and when somebody is there or away. Nothing is downloaded: names come from lists, the rest is known
by its form and by words of six languages, all of which are tried on every question.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from homeagent.domains import PROFILES
from homeagent.privacy.redact import MASK, mask_text
from homeagent.web.first_names import known_names
from homeagent.web.person_names import OWN_NAME, Span, Word, names_in, own_names, words_of
from homeagent.web.private_words import NAME, private_words
from indexer.normalise import is_syllabic, unaccented
from memory.secrets import may_be_secrets, speaks_of_a_secret

_FEWEST_LEFT = 2
"""Words of a question that say something: fewer are none."""
_MOST_TAKEN = 0.6
"""Of a question's letters: beyond it what is left is another question."""
_FORMS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("e-mail", re.compile(r"[\w.+-]+\s?(?:@|\(at\)|\[at\])\s?[\w-]+(?:\.[\w-]+)+", re.I)),
    (
        "coordinates",
        re.compile(
            r"(?<![\w.,€$])[-+]?\d{1,3}[.,]\d{2,}°?\s?[NS]?\s*[,;/ ]\s*(?:(?<=[,;]\s)[^\W\d_]{3,12}\s)?"
            r"[-+]?\d{1,3}[.,]\d{2,}°?(?:\s?[EWO]\b)?(?![\d.,]\d|\s?[%€$²]|\s?(?:[ck]?m|eur|usd)\b)"
        ),
    ),
    ("coordinates", re.compile(r"\d{1,3}°\s?\d{1,2}['’′](?:\s?\d{1,2}(?:\.\d+)?[\"”″])?\s?[NSEWO]\b", re.I)),
    ("coordinates", re.compile(r"\b(?:lat|latitude|lon|lng|long|longitude)\w*\s*[:=]?\s*[-+]?\d{1,3}[.,]\d+", re.I)),
    (
        "entity",
        re.compile(
            rf"\b(?:{'|'.join(sorted(PROFILES))})\.[a-z0-9_]+\b|\b[a-z]+(?:_[a-z]+)*\.[a-z0-9]+(?:_[a-z0-9]+)+\b", re.I
        ),
    ),
    ("network address", re.compile(r"(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?::\d+|/\d+)?(?![\d.])")),
    ("network address", re.compile(r"\b(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2}\b|\b(?:[0-9a-f]{1,4}:){3,7}[0-9a-f:]*", re.I)),
    (
        "network address",
        re.compile(r"\b[\w-]+(?:\.[\w-]+)*\.(?:local|lan|home|internal|duckdns\.org|ui\.nabu\.casa)\b", re.I),
    ),
    ("number", re.compile(r"\b[A-Z]{2}\d{2}(?:\s?[A-Z0-9]{4}){3,7}(?:\s?[A-Z0-9]{1,4})?\b")),
    ("number", re.compile(r"\b\d{6}-\d{7}\b|\b\d{3}-\d{2}-\d{4}\b|\b\d{2,3}[가-힣]\s?\d{4}\b")),
    (
        "number",
        re.compile(r"\b[A-Z]{2}\d{2}\s?[A-Z]{3}\b|\b[A-Z]{2}-\d{3}-[A-Z]{1,2}\b|\b[A-Z]{1,2}-\d{2,3}-[A-Z]{1,2}\b"),
    ),
    ("number", re.compile(r"\b[A-ZÄÖÜ]{1,3}-[A-Z]{1,2}[ -]?\d{1,4}[EH]?\b|\b\d{8}[A-Z]\b|\b[A-Z]\d{8}\b")),
    ("phone", re.compile(r"(?<![\w.,])(?:\+|00)\d[\d\s().\-/]{6,18}\d(?![\w])")),
    ("phone", re.compile(r"(?<![\w.,/-])\(?0\d{1,4}\)?[\s./-]?\d[\d\s./-]{4,12}\d(?![\w])")),
    (
        "phone",
        re.compile(
            r"(?<![\w.,-])\(?\d{3}\)?[\s.-]\d{3,4}[\s.-]\d{3,4}(?![\w-])|(?<![\w.,-])\d{3}[\s.-]\d{2}[\s.-]\d{2}[\s.-]\d{2}\b"
        ),
    ),
    ("number", re.compile(r"(?<![\w.,])\d(?:[ -]?\d){8,}(?![\w.,]\d)")),
    ("address", re.compile(r"\b\d{4}\s?[A-Z]{2}\b(?:\s+" + NAME + ")?")),
    ("address", re.compile(r"\b[A-Z]{1,2}\d[A-Z\d]?\s?\d[A-Z]{2}(?![-\w])")),
    ("address", re.compile(r"(?<![\d.,])\d{5}(?:-\d{4})?\s+" + NAME + r"(?:\s" + NAME + r")?|\b[A-Z]{2}\s\d{5}\b")),
    (
        "address",
        re.compile(
            r"(?:[가-힣]+(?:특별시|광역시|도|시)\s*)?(?:[가-힣]+(?:시|군|구)\s*)?(?:[가-힣0-9]+(?:읍|면|동|리)\s*)?[가-힣0-9]+(?:대로|로|길)\s?\d+"
            r"(?:번?길\s?\d*)?(?:-\d+)?(?:,?\s*\d+동)?(?:,?\s*\d+호)?|[가-힣]+(?:시|군|구)\s+[가-힣0-9]+동\s?\d+(?:-\d+)?(?:번지)?|\d{1,4}동\s?\d{2,4}호"
        ),
    ),
)
"""What is known by its form alone."""
_SERVICES = frozenset(
    f"{domain}.{service.name}"
    for domain, profile in PROFILES.items()
    for service in (*profile.actions.values(), *profile.setters)
)
"""What Home Assistant can do: written as ids of entities are, and the same in every home."""
_ODD = re.compile(r"(?<!\S)(?=\S*\d)(?=\S*[^\W\d_])\S*[_!@#$%&*]\S*")
"""Letters and digits with a mark between: where a secret is spoken of, it is that."""


@dataclass(frozen=True, slots=True)
class Sanitized:
    """``text``: what may be sent. ``removed``: kind and text of each thing taken out. ``blocked``: nothing may be."""

    text: str
    removed: tuple[tuple[str, str], ...]
    blocked: bool

    @property
    def kinds(self) -> tuple[str, ...]:
        """What was taken out, by kinds."""
        return tuple(dict.fromkeys(kind for kind, _ in self.removed))


@dataclass(frozen=True, slots=True)
class OfThisHome:
    """Names of people, of rooms, floors and things, and of the home itself."""

    people: tuple[str, ...] = ()
    places: tuple[str, ...] = ()


class Sanitizer:
    """``home``: what is called how here, now."""

    def __init__(self, home: Callable[[], OfThisHome]) -> None:
        self._home = home

    def sanitize(self, query: str, language: str | None = None) -> Sanitized:
        """Blocks: it reads word lists at first."""
        text = " ".join(query.split())
        spans = sorted(_spans(text, self._home(), language), key=lambda span: (span.start, -span.end))
        kept, removed, at = "", [], 0
        for span in spans:
            if span.end <= at:
                continue
            start = max(span.start, at)
            kept += text[at:start]
            removed.append((_kind(span, spans), text[start : span.end].strip()))
            kept += " "
            at = span.end
        kept = _tidy(kept + text[at:]) if removed else text
        return Sanitized(kept, tuple(removed), bool(removed) and _is_too_little(kept, text))


def _kind(span: Span, spans: Sequence[Span]) -> str:
    """What a stretch is: the name of somebody of this home, too, where a longer one holds it."""
    of_home = (one for one in spans if one.kind == OWN_NAME)
    return OWN_NAME if any(one.start < span.end and span.start < one.end for one in of_home) else span.kind


def _spans(text: str, home: OfThisHome, language: str | None) -> Iterator[Span]:
    forms = [
        Span(m.start(), m.end(), kind)
        for kind, pattern in _FORMS
        for m in pattern.finditer(text)
        if m.group().casefold() not in _SERVICES
    ]
    yield from forms
    yield from _secrets(text, language)
    yield from _addresses(text)
    words = [w for w in words_of(text) if not any(one.start < w.end and w.start < one.end for one in forms)]
    named = list(names_in(text, words, home.people))
    yield from named
    yield from _away(text, words, bool(named))
    yield from _rooms(text, words, home, bool(named))


def _secrets(text: str, language: str | None) -> Iterator[Span]:
    masked = mask_text(text)
    if masked != text:
        before, after = masked.split(MASK, 1)[0], masked.rsplit(MASK, 1)[1]
        yield Span(len(before), len(text) - len(after), "secret")
    if speaks_of_a_secret(text, None):
        yield from (Span(m.start(), m.end(), "secret") for m in _ODD.finditer(text))
        for secret in may_be_secrets(text, language):
            if (at := text.find(secret.text)) >= 0:
                yield Span(at, at + len(secret.text), "secret")


def _addresses(text: str) -> Iterator[Span]:
    for pattern in private_words().streets:
        yield from (Span(m.start(), m.end(), "address") for m in pattern.finditer(text))
    for pattern in private_words().said_before:
        for m in pattern.finditer(text):
            yield Span(m.start(1), m.end(1), "address")


def _rooms(text: str, words: Sequence[Word], home: OfThisHome, named: bool) -> Iterator[Span]:
    """Names of this home's rooms where they are this home's: a kitchen is everybody's."""
    whose = named or any(word.bare in private_words().own for word in words)
    for name in home.places:
        odd = any(w in known_names().first for w in unaccented(name).split()) or any(c.isdigit() for c in name)
        if whose or odd:
            yield from (Span(s.start, s.end, "place") for s in own_names(text, [name]) if s.end - s.start >= len(name))


def _away(text: str, words: Sequence[Word], named: bool) -> Iterator[Span]:
    """When somebody is there or not: what tells it, and the times beside it.

    Whoever names no person tells of one all the same where an absence, or what is empty, has days; and what somebody
    says of themselves on a day of a month is their calendar.
    """
    private = private_words()
    folded = text.casefold()
    found = [m for phrase in private.alone for m in phrase.finditer(folded)]
    if not found:
        own = any(_is_one_of(word, private.own) for word in words)
        whose = named or own or any(_is_one_of(word, private.kin) for word in words)
        empty = [word for word in words if _is_one_of(word, private.empty)]
        telling = [word for word in words if _is_one_of(word, private.away)]
        dated = (own and private.day.search(text)) or (empty and private.days.search(text))
        if not _times(text, words) or not (dated or (whose and telling)):
            return
        yield from (Span(word.start, word.end, "presence") for word in (*telling, *empty))
    yield from (Span(m.start(), m.end(), "presence") for m in found)
    yield from _times(text, words)


def _times(text: str, words: Sequence[Word]) -> list[Span]:
    times = [Span(w.start, w.end, "presence") for w in words if _is_one_of(w, private_words().times)]
    told = (private_words().clock, private_words().day)
    clocks = [Span(m.start(), m.end(), "presence") for pattern in told for m in pattern.finditer(text)]
    return [*times, *clocks] if clocks or any(t.end - t.start > 3 or is_syllabic(text[t.start]) for t in times) else []


def _is_one_of(word: Word, known: frozenset[str]) -> bool:
    if is_syllabic(word.text):
        return any(word.text.startswith(one) for one in known if is_syllabic(one))
    return word.bare in known


def _tidy(text: str) -> str:
    """Without the commas, brackets and quotes that hold nothing any more, and the prepositions left at the end."""
    text = re.sub(r"\(\s*\)|\"\s*\"|“\s*”|'\s+'", " ", text)
    text = re.sub(r"(?<![^\W_])['’]s?(?=\s)", " ", text)
    text = re.sub(r"\s+([,.;:?!])", r"\1", " ".join(text.split()))
    text = re.sub(r"([,;:–-])(?:\s*[,;:–-])+", r"\1", text)
    return text.strip(" ,;:–-")


def _is_too_little(kept: str, text: str) -> bool:
    stop = private_words().stop | private_words().own | private_words().kin
    left = [w for w in words_of(kept) if w.bare not in stop and (len(w.text) > 1 or is_syllabic(w.text))]
    taken = 1 - sum(map(str.isalnum, kept)) / max(1, sum(map(str.isalnum, text)))
    return len(left) < _FEWEST_LEFT or taken > _MOST_TAKEN
