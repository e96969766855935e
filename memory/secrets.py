"""Codes of locks and alarms, passwords, numbers of cards and accounts: never kept, in whatever words they come."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

from homeagent.languages.language_codes import base_language
from indexer.normalise import unaccented
from memory.identity import NICKNAME
from memory.memory_words import LANGUAGES
from memory.memory_words import language as memory_language
from memory.model import Subject, SubjectKind
from memory.secret_reading import told_in
from memory.statement_parts import Wording, wording

_WRITTEN_TOGETHER = "\u1100"
"""From here on are scripts that write an ending onto a number."""
_LETTER = rf"[^\W{_WRITTEN_TOGETHER}-\uffff]"
_DIGITS = re.compile(
    rf"(?<!{_LETTER})(?<!\d[.,:])(?!\d+\.\d+(?![.\d]))\d(?:[ .\-]?\d){{2,11}}(?!{_LETTER}|[%°]|[.,:]\d)"
)
"""No decimal ("21.5"), and nothing that a letter makes something else ("300W"; but "4321로")."""
_WORD = re.compile(r"[^\W_]+")
_AROUND = ".,;:!?\"'()"
_LABEL = re.compile(r"^[^\W\d]+[:=]")
"""What names a secret right before it: "pin:4711"."""
_SHORTEST = 6
"""Characters of a password."""
_MASKED = re.compile(r"\*{3,}")
_CLAUSE = re.compile(r"(?<=[,;:，；])\s*")
_CARD = re.compile(r"(?<!\d)\d(?:[ \-]?\d){12,18}(?!\d)")
_ACCOUNT = re.compile(r"(?<![^\W_])[A-Za-z]{2}\d{2}(?: ?[A-Za-z0-9]){11,30}(?![^\W_])")
_SPELT = 3
"""Digits spelt as words that make a code."""


@dataclass(frozen=True, slots=True)
class Secret:
    """What may be a code or a password: ``text`` as it stands in a sentence, ``code`` as a lock takes it."""

    text: str
    code: str
    password: bool = False


class Keeps(Protocol):
    """What would be kept: a statement, a candidate or a memory."""

    @property
    def content(self) -> str:
        """The statement in words."""

    @property
    def key(self) -> str | None:
        """What it gives a value to; None: not keyed."""

    @property
    def value(self) -> str | None:
        """The value of ``key``, in words."""

    @property
    def subjects(self) -> Sequence[Subject]:
        """Who or what it is about."""


def whole_of(kept: Keeps) -> str:
    """All that would be kept as one text: "garage code" may be the key, and the code its value."""
    return " ; ".join(texts_of(kept))


def texts_of(kept: Keeps) -> tuple[str, ...]:
    """All texts of people's that would be kept. What a nickname stands for are ids, and so are most subjects."""
    things = tuple(subject.text or subject.id for subject in kept.subjects if subject.kind == SubjectKind.THING)
    keyed = (kept.key or "",) if (kept.key or "").startswith(NICKNAME) else (kept.key or "", kept.value or "")
    return tuple(dict.fromkeys(text for text in (kept.content, *keyed, *things) if text))


def holds_a_secret(text: str, language: str | None) -> bool:
    """Whether the text tells a code or a password, masked or not.

    That a code exists, where it is written or who knows it, is no secret.
    """
    return bool(told_secrets(text, language)) or (bool(_MASKED.search(text)) and speaks_of_a_secret(text, language))


def told_secrets(text: str, language: str | None) -> tuple[Secret, ...]:
    """The secrets that the text tells, as they stand there; see `memory.secret_reading`."""
    codes = [one.language for one in _read(text, language) if one.language]
    known = [found for code in codes if (found := memory_language(code)) is not None]
    spans = {(span.start, span.end) for one in known for span in told_in(text, one)}
    told = [text[start:end] for start, end in sorted(spans)]
    return (*(Secret(one, re.sub(r"\W", "", one), not _is_number(one)) for one in told), *_payments(text))


def pays(text: str) -> bool:
    """Whether it tells the number of a card or an account."""
    return any(_payments(text))


def language_of(text: str, language: str | None) -> str | None:
    """The language that a text is read in; None: several."""
    return wording(text, language).language


def _is_number(text: str) -> bool:
    return text.replace(" ", "").replace("-", "").isdigit()


def speaks_of_a_secret(text: str, language: str | None) -> bool:
    """Whether it names a code or a password, told or not, or tells the number of a card or an account."""
    return any(one.has("secret") for one in _read(text, language)) or pays(text)


def may_be_secrets(text: str, language: str | None) -> tuple[Secret, ...]:
    """What of the text is a code or a password, if it tells one: three digits or more, spelt out or not, and words of
    letters and digits together."""
    digits = (Secret(m.group(), re.sub(r"\D", "", m.group())) for m in _DIGITS.finditer(text))
    words = (_LABEL.sub("", word.strip(_AROUND)) for word in text.split())
    passwords = (Secret(word, word, password=True) for word in words if _is_mixed(word))
    return (*digits, *_spelt_out(text, _digit_words(language or "")), *passwords, *_payments(text))


def without_secrets(sentence: str, language: str | None) -> str:
    """The clauses of the sentence that have nothing to do with the code that it tells; empty where that is not sure."""
    if not holds_a_secret(sentence, language):
        return sentence
    told = {one.text for one in told_secrets(sentence, language)}
    clauses = [
        one
        for one in _CLAUSE.split(sentence)
        if not wording(one, language).has("secret") and not any(text in one for text in told)
    ]
    left = " ".join(clauses).strip(" ,;:")
    may_be_it = bool(wording(left, language).of("number")) or any(c.isdigit() for c in left)
    return "" if may_be_it else left


def _read(text: str, language: str | None) -> Sequence[Wording]:
    """A text whose language nothing tells is read in all of them."""
    its = wording(text, language)
    return [its] if its.language else [wording(text, code) for code in LANGUAGES]


def _is_mixed(word: str) -> bool:
    """Letters and digits together, as passwords are; but for digits with a Korean ending."""
    letters = any(c.isalpha() and c < _WRITTEN_TOGETHER for c in word)
    return letters and any(c.isdigit() for c in word) and len(word) >= _SHORTEST


def _payments(text: str) -> Iterator[Secret]:
    """Numbers of cards and of bank accounts, known by their check digits (ISO/IEC 7812, ISO 13616)."""
    for found in _CARD.finditer(text):
        digits = [int(d) for d in re.sub(r"\D", "", found.group())][::-1]
        doubled = (d if i % 2 == 0 else sum(divmod(2 * d, 10)) for i, d in enumerate(digits))
        if sum(doubled) % 10 == 0 and any(digits):
            yield Secret(found.group(), "".join(map(str, reversed(digits))))
    for found in _ACCOUNT.finditer(text):
        account = found.group().replace(" ", "").upper()
        if int("".join(str(int(c, 36)) for c in account[4:] + account[:4])) % 97 == 1:
            yield Secret(found.group(), account, password=True)


def _spelt_out(text: str, digits: Mapping[str, str]) -> Iterator[Secret]:
    """Runs of digits spelt as words, as a voice assistant may hear a code ("one two three four")."""
    run: list[re.Match[str]] = []
    for word in (*_WORD.finditer(text), None):
        if word is not None and unaccented(word.group()) in digits:
            run.append(word)
            continue
        if len(run) >= _SPELT:
            yield Secret(text[run[0].start() : run[-1].end()], "".join(digits[unaccented(m.group())] for m in run))
        run = []


@lru_cache(maxsize=16)
def _digit_words(language: str) -> Mapping[str, str]:
    from unicode_rbnf import RbnfEngine

    try:
        engine = RbnfEngine.for_language(base_language(language))
    except ValueError:
        return {}
    spelt = {n: engine.format_number(n).text_by_ruleset.values() for n in range(10)}
    return {unaccented(word): str(n) for n, words in spelt.items() for word in words if not word.isdecimal()}
