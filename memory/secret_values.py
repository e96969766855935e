"""What in a sentence may be the code itself: digits, digits spelt as words, letters and digits together.

What is measured, counted or dated is none: "45 kg", "4 batteries", "in 2019", "at 6:30".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from homeagent.languages.language_codes import base_language
from indexer.normalise import unaccented
from memory.act_words import Part, Token
from memory.memory_words import Language
from memory.memory_words import language as memory_language
from memory.secret_words import SecretPart

_DIGITS = re.compile(r"\d+")
_CODE = re.compile(r"(?=[a-z0-9]*\d)[a-z0-9]+")
_MEASURED = re.compile(r"\d+[a-z]{1,3}")
_YEAR = re.compile(r"(?:19|20)\d\d")
_DATES = (re.compile(r"\d{1,2}/\d{2,4}(?:/\d{2,4})?"), re.compile(r"\d{1,2}\.\d{1,2}\.(?:\d{2,4})?"))
_HANGUL = "\uac00"
_MONEY = frozenset("€$£%°")
_BETWEEN = frozenset({"", "-", ".", "/", ",", "–"})
"""Marks that may stand between the digits of one code."""
_NUMBERS = (*range(100), *range(100, 1000, 100), 1000)
"""The numbers whose words are known."""
_LONG = 3
"""Digits of a code that need no word before it that says so."""


@dataclass(frozen=True, slots=True)
class MayBe:
    """Tokens ``first`` to ``end`` without end that may be a code. ``digits``: how many; ``mixed``: letters too."""

    first: int
    end: int
    digits: int
    apart: bool = False
    """Its digits are told one by one."""
    mixed: bool = False

    @property
    def long(self) -> bool:
        """Whether it has the length of a code."""
        return self.digits >= _LONG


def may_be_codes(text: str, tokens: Sequence[Token], known: Language) -> list[MayBe]:
    """The codes that may stand in a text, in order."""
    return [found for found in _runs(tokens, known) if not _is_measured(found, text, tokens, known)]


def _runs(tokens: Sequence[Token], known: Language) -> Iterator[MayBe]:
    place = 0
    while place < len(tokens):
        end, digits, mixed, spelt = place, 0, False, 0
        while end < len(tokens):
            code = _code(tokens[end].text)
            words = _spelt(tokens[end].text, known) if not code else 0
            if not code and not words and not (spelt and _joins(tokens, end, known)):
                break
            digits += sum(c.isdigit() for c in code) + words
            mixed = mixed or any(c.isalpha() for c in code)
            spelt += bool(words)
            end += 1
            if tokens[end - 1].mark not in _BETWEEN or (code and code != tokens[end - 1].text):
                break
        if spelt and end == place + 1 and digits < _LONG:
            digits = 0  # "two", "eleven": one number word is no code by itself
        if digits:
            yield MayBe(place, end, digits, apart=end - place >= _LONG and digits == end - place, mixed=mixed)
        place = max(end, place + 1)


def _code(word: str) -> str:
    """The letters and digits of a code, without a Korean ending; empty: the word has no digit."""
    match = _CODE.match(word)
    if match is None:
        return ""
    return match.group() if match.end() == len(word) or word[match.end()] >= _HANGUL else ""


def _joins(tokens: Sequence[Token], place: int, known: Language) -> bool:
    """Whether the word only joins two number words: "cuarenta y siete"."""
    behind = place + 1 < len(tokens) and _spelt(tokens[place + 1].text, known)
    return bool(behind) and bool(known.acts.at(tokens, place, Part.JOIN))


def _spelt(word: str, known: Language) -> int:
    """How many digits a number word stands for; 0: it is none."""
    values = _number_words(known.code)
    if word in values:
        return values[word]
    bare = known.bare(_without_copula(word, known)) if known.endings else word
    syllables = {one for one in values if len(one) == 1}
    return len(bare) if known.endings and len(bare) > 1 and all(c in syllables for c in bare) else 0


def _without_copula(word: str, known: Language) -> str:
    forms = sorted((p[0] for p, c in known.whole.items() if "copula" in c and len(p) == 1), key=len, reverse=True)
    return next((word.removesuffix(form) for form in forms if word.endswith(form) and len(form) < len(word)), word)


def _is_measured(found: MayBe, text: str, tokens: Sequence[Token], known: Language) -> bool:
    first, last = tokens[found.first], tokens[found.end - 1]
    between = text[first.start : last.end]
    said = text[last.end : last.end + 2].strip()[:1]
    before = text[: first.start].rstrip()[-1:]
    if said in _MONEY or before in _MONEY or ":" in between or re.fullmatch(r"\d{1,3}[.,]\d{1,2}", between):
        return True
    if any(form.fullmatch(between) for form in _DATES):
        return True
    return _counts(found, tokens, known) or _is_when(found, tokens, known)


def _counts(found: MayBe, tokens: Sequence[Token], known: Language) -> bool:
    """Whether it tells how much or how many of something."""
    word = tokens[found.end - 1].text
    ending = word[len(_code(word)) :] if _code(word) else ""
    if ending:
        token = Token(ending, 0, 0)
        return bool(known.secrets.at([token], 0, SecretPart.COUNTED))
    if found.end == found.first + 1 and _MEASURED.fullmatch(word) and found.mixed:
        unit = Token(word.lstrip("0123456789"), 0, 0)
        return bool(known.secrets.at([unit], 0, SecretPart.COUNTED)) or unit.text in _UNITS
    if found.end >= len(tokens) or tokens[found.end - 1].mark not in ("", "'", "-"):
        return False
    units = known.at([tokens[found.end].text], 0)[1]
    return any(c.startswith(("units:", "months:")) for c in units) or bool(
        known.secrets.at(tokens, found.end, SecretPart.COUNTED)
    )


_UNITS = frozenset({"x", "s", "e", "o", "a", "h", "w", "v", "k", "kw", "kwh", "mb", "gb", "lm", "mah", "min", "st"})
"""What is written to a number and makes no code of it."""


def _is_when(found: MayBe, tokens: Sequence[Token], known: Language) -> bool:
    """Whether it is a year, an hour, a day of a month, or the number of a house."""
    if found.first == 0 or found.mixed:
        return False
    before = tokens[found.first - 1]
    if any(c.startswith("months:") for c in known.at([before.text], 0)[1]):
        return True
    if not known.secrets.at([before], 0, SecretPart.WHEN) or found.end > found.first + 1:
        return False
    return found.digits < _LONG or bool(_YEAR.fullmatch(tokens[found.first].text))


@lru_cache(maxsize=16)
def _number_words(language: str) -> dict[str, int]:
    """The words that numbers are made of, with how many digits each stands for."""
    from unicode_rbnf import RbnfEngine

    try:
        engine = RbnfEngine.for_language(base_language(language))
    except ValueError:
        return {}
    found: dict[str, int] = {}
    for number in _NUMBERS:
        for spelt in engine.format_number(number).text_by_ruleset.values():
            words = re.findall(r"[^\W\d_]+", unaccented(spelt))
            for word in words:
                if len(words) == 1 or len(word) > 1:
                    found.setdefault(word, len(str(number)) if len(words) == 1 else 1)
    no_digits = _no_digits(found, memory_language(language))
    return {word: digits for word, digits in found.items() if word not in no_digits}


def _no_digits(words: Iterable[str], known: Language | None) -> set[str]:
    """Of these words those that join the words of one number, or end the name of a unit: the hundred of "percent"."""
    if known is None:
        return set()
    units = {p[-1] for p, its in known.whole.items() if len(p) > 1 and any(c.startswith("units:") for c in its)}
    return {word for word in words if word in units or known.acts.at([Token(word, 0, 0)], 0, Part.JOIN)}
