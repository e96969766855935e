"""Takes out of a question what is somebody's own affair, before it goes to a search.

Names (of this home's people and of anybody's), addresses, numbers that reach or identify somebody, coordinates, ids of
entities, secrets, and when somebody is there or away. Nothing is downloaded: names come from lists, the rest is known
by its form and by words of six languages, all of which are tried on every question.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from homeagent.domains import PROFILES
from homeagent.languages.dictionary import is_word
from homeagent.privacy.redact import MASK, mask_text
from homeagent.web.first_names import known_names
from homeagent.web.private_words import NAME, private_words
from indexer.normalise import is_syllabic, unaccented
from memory.secrets import may_be_secrets, speaks_of_a_secret

_FEWEST_LEFT = 2
"""Words of a question that say something: fewer are none."""
_MOST_TAKEN = 0.6
"""Of a question's letters: beyond it what is left is another question."""
_WORD = re.compile(r"[^\W_]+(?:[-'’.][^\W_]+)*")
_CAPITALISED = re.compile(NAME)
_FORMS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("e-mail", re.compile(r"[\w.+-]+\s?(?:@|\(at\)|\[at\])\s?[\w-]+(?:\.[\w-]+)+", re.I)),
    ("coordinates", re.compile(r"[-+]?\d{1,3}[.,]\d{3,}°?\s?[NS]?\s*[,;/ ]\s*[-+]?\d{1,3}[.,]\d{3,}°?\s?[EWO]?")),
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
            r"(?:번길\s?\d*)?(?:-\d+)?(?:\s*\d+동)?(?:\s*\d+호)?|[가-힣]+(?:시|군|구)\s+[가-힣0-9]+동\s?\d+(?:-\d+)?(?:번지)?|\d{1,4}동\s?\d{2,4}호"
        ),
    ),
)
"""What is known by its form alone."""
_DICTIONARIES = ("en", "de", "fr", "es", "nl")
_LINKING = frozenset({"von", "van", "de", "der", "den", "la", "del", "di", "da", "le", "ter", "ten"})
_PARTICLES = "은는이가을를의에와과도로야님씨네랑"
_AFTER_NAME = re.compile(rf"(?:씨|님|이네|네|이랑|랑|하고|에게서|에게|한테|이가|이는|이의|[{_PARTICLES}])?$")


_OWN_NAME = "own name"
"""The kind of what the people of this home are called."""


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


@dataclass(frozen=True, slots=True)
class _Span:
    start: int
    end: int
    kind: str


def _kind(span: _Span, spans: Sequence[_Span]) -> str:
    """What a stretch is: the name of somebody of this home, too, where a longer one holds it."""
    of_home = (one for one in spans if one.kind == _OWN_NAME)
    return _OWN_NAME if any(one.start < span.end and span.start < one.end for one in of_home) else span.kind


def _spans(text: str, home: OfThisHome, language: str | None) -> Iterator[_Span]:
    forms = [_Span(m.start(), m.end(), kind) for kind, pattern in _FORMS for m in pattern.finditer(text)]
    yield from forms
    yield from _secrets(text, language)
    yield from _addresses(text)
    words = [
        _Word(m.group(), m.start(), m.end())
        for m in _WORD.finditer(text)
        if not any(one.start < m.end() and m.start() < one.end for one in forms)
    ]
    named = list(_names(text, words, home))
    yield from named
    yield from _away(text, words, bool(named))
    yield from _rooms(text, words, home, bool(named))


@dataclass(frozen=True, slots=True)
class _Word:
    text: str
    start: int
    end: int

    @property
    def bare(self) -> str:
        """Without accents, case and whose it is."""
        folded = unaccented(self.text)
        return re.sub(r"['’]s?$", "", folded)

    @property
    def capital(self) -> bool:
        return bool(_CAPITALISED.match(self.text))


def _secrets(text: str, language: str | None) -> Iterator[_Span]:
    masked = mask_text(text)
    if masked != text:
        before, after = masked.split(MASK, 1)[0], masked.rsplit(MASK, 1)[1]
        yield _Span(len(before), len(text) - len(after), "secret")
    if speaks_of_a_secret(text, None):
        for secret in may_be_secrets(text, language):
            if (at := text.find(secret.text)) >= 0:
                yield _Span(at, at + len(secret.text), "secret")


def _addresses(text: str) -> Iterator[_Span]:
    for pattern in private_words().streets:
        yield from (_Span(m.start(), m.end(), "address") for m in pattern.finditer(text))
    for pattern in private_words().said_before:
        for m in pattern.finditer(text):
            yield _Span(m.start(1), m.end(1), "address")


def _names(text: str, words: Sequence[_Word], home: OfThisHome) -> Iterator[_Span]:
    yield from _own_names(text, home.people)
    private, known = private_words(), known_names()
    for place, word in enumerate(words):
        if is_syllabic(word.text):
            yield from _korean(words, place)
            continue
        before = words[place - 1].bare if place else ""
        following = words[place + 1 : place + 4]
        surname = _surname(text, word, following)
        listed = word.bare in known.first | known.last
        called = word.capital or listed
        nobody = word.bare in private.no_names | private.common and word.bare not in _LINKING
        titled = before in private.titles and called and not nobody
        titled |= before in private.professions and word.capital and not nobody and (listed or _is_unknown(word.text))
        kin = before in private.kin and word.capital and word.bare not in private.common
        if titled or (kin and place >= 1):
            yield _Span(word.start, surname or word.end, "name")
        elif (
            word.bare in (known.first if word.capital else known.near)
            and word.bare not in private.common | private.no_names
        ):
            given = word.capital and before in private.before_names
            if word.bare not in private.words_too or given or _surely(word, place, surname, text):
                yield _Span(word.start, surname or word.end, "name")
        elif before in private.before_names and _is_nobodys_word(word, words):
            yield _Span(word.start, surname or word.end, "name")
        elif place and word.capital and _is_initials(words[place - 1]) and word.bare in known.last:
            yield _Span(words[place - 1].start, word.end, "name")


def _is_nobodys_word(word: _Word, words: Sequence[_Word]) -> bool:
    """Whether a word is written as a name and stands in no dictionary, where the question speaks of somebody."""
    others = private_words().others
    if not word.capital or word.text.isupper() or not any(one.bare in others for one in words):
        return False
    return _is_unknown(re.sub(r"['’]s?$", "", word.text))


def _is_unknown(word: str) -> bool:
    """Whether a word stands in no dictionary."""
    return not any(is_word(form, code) for form in (word, word.lower(), word.capitalize()) for code in _DICTIONARIES)


def _surely(word: _Word, place: int, surname: int | None, text: str) -> bool:
    """Whether a word that may be another is a name here."""
    whose = re.match(r"['’]s\b", text[word.end :]) or word.text.endswith(("'s", "’s"))
    return word.capital and (surname is not None or bool(whose and place))


def _surname(text: str, word: _Word, following: Sequence[_Word]) -> int | None:
    """Where the last name ends that stands behind a first one; None where none does."""
    private, known = private_words(), known_names()
    end: int | None = None
    at = word.end
    for after in following:
        between = text[at : after.start]
        if between.strip(" ") or is_syllabic(after.text):
            break
        linking = after.bare in _LINKING
        named = after.bare in known.last or after.bare in known.first
        fits = after.capital and word.capital and after.bare not in private.common and not after.text.isupper()
        if linking and after is not following[-1]:
            at = after.end
            continue
        unknown = not after.capital and end is None and _is_unknown(after.text)
        if not (fits or unknown or (named and after.bare not in private.words_too | private.common)):
            break
        end = at = after.end
    return end


def _is_initials(word: _Word) -> bool:
    return len(word.text) == 1 and word.text.isupper()


def _korean(words: Sequence[_Word], place: int) -> Iterator[_Span]:
    """A family name with two syllables behind it, or a given name, where an address form, a relative or its own list
    tells that it is one."""
    word, known, private = words[place], known_names(), private_words()
    bare = _AFTER_NAME.sub("", word.text)
    polite = word.text.endswith(("씨", "님")) or (place + 1 < len(words) and words[place + 1].text[:1] in "씨님")
    related = place > 0 and any(words[place - 1].text.startswith(kin) for kin in private.korean_kin)
    for candidate in dict.fromkeys((word.text, bare, *(word.text[:n] for n in (3, 2)))):
        rest = word.text[len(candidate) :]
        if rest and not _AFTER_NAME.fullmatch(rest):
            continue
        whole = len(candidate) == 3 and candidate[0] in known.family
        listed = candidate[1:] in known.given if whole else candidate in known.given
        if candidate in private.words_too and not (polite or related):
            continue
        if listed or (whole and (polite or related)):
            yield _Span(word.start, word.start + len(candidate), "name")
            return


def _own_names(text: str, names: Iterable[str]) -> Iterator[_Span]:
    for name in dict.fromkeys(part for whole in names for part in (whole, *whole.split()) if len(part) > 1):
        ending = "" if is_syllabic(name) else r"(?![^\W_])"
        pattern = rf"(?<![^\W_]){re.escape(unaccented(name))}(?:['’]?s)?{ending}"
        folded = unaccented(text)
        if len(folded) != len(text):  # a letter was taken apart: compared as it is written
            folded, pattern = text.casefold(), pattern.replace(re.escape(unaccented(name)), re.escape(name.casefold()))
        yield from (_Span(m.start(), m.end(), _OWN_NAME) for m in re.finditer(pattern, folded))


def _rooms(text: str, words: Sequence[_Word], home: OfThisHome, named: bool) -> Iterator[_Span]:
    """Names of this home's rooms where they are this home's: a kitchen is everybody's."""
    whose = named or any(word.bare in private_words().own for word in words)
    for name in home.places:
        odd = any(w in known_names().first for w in unaccented(name).split()) or any(c.isdigit() for c in name)
        if whose or odd:
            yield from (
                _Span(s.start, s.end, "place") for s in _own_names(text, [name]) if s.end - s.start >= len(name)
            )


def _away(text: str, words: Sequence[_Word], named: bool) -> Iterator[_Span]:
    """When somebody is there or not: what tells it, and the times beside it."""
    private = private_words()
    folded = text.casefold()
    found = [m for phrase in private.alone for m in phrase.finditer(folded)]
    if not found:
        whose = named or any(_is_one_of(word, private.own | private.kin) for word in words)
        telling = [word for word in words if _is_one_of(word, private.away)]
        if not whose or not telling or not _times(text, words):
            return
        yield from (_Span(word.start, word.end, "presence") for word in telling)
    yield from (_Span(m.start(), m.end(), "presence") for m in found)
    yield from _times(text, words)


def _times(text: str, words: Sequence[_Word]) -> list[_Span]:
    times = [_Span(w.start, w.end, "presence") for w in words if _is_one_of(w, private_words().times)]
    clocks = [_Span(m.start(), m.end(), "presence") for m in private_words().clock.finditer(text)]
    return [*times, *clocks] if clocks or any(t.end - t.start > 3 or is_syllabic(text[t.start]) for t in times) else []


def _is_one_of(word: _Word, known: frozenset[str]) -> bool:
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
    left = [w for w in _WORD.findall(kept) if unaccented(w) not in stop and (len(w) > 1 or is_syllabic(w))]
    taken = 1 - sum(map(str.isalnum, kept)) / max(1, sum(map(str.isalnum, text)))
    return len(left) < _FEWEST_LEFT or taken > _MOST_TAKEN
