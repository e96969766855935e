"""Codes of locks and alarms, passwords, numbers of cards and accounts: never kept, in whatever words they come.

They are judged by what they are for. What is called a secret ("the wifi password"), what a lock is opened with ("the
safe is 38-12-24", "you get into the garage with 2580"), and what pays is one, where it is told: as digits, as digits
spelt out, or as the word that a password is ("… is sunflower"). That there is one, where it is written, who knows it
and how long it is are none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memory.act_words import Token, tokens_of
from memory.function_words import function_words_of
from memory.memory_words import Language
from memory.secret_values import MayBe, may_be_codes
from memory.secret_words import SecretPart

_NAMES = 4
"""Words between what says what it is and the name of the secret, at most: "sunflower is the new wifi password"."""
_WHOLE = 4
"""Digits that a combination of several numbers has: "left 12, right 30"."""
_ENDS = frozenset(".!?;")
_TELLING_MARKS = frozenset(":=")


@dataclass(frozen=True, slots=True)
class Span:
    """Where a secret stands in the text."""

    start: int
    end: int


def told_in(text: str, known: Language) -> list[Span]:
    """Where the text tells a secret."""
    return list(_Reading(text, known).told())


class _Reading:
    def __init__(self, text: str, known: Language) -> None:
        self._text = text
        self._known = known
        self._words = known.secrets
        self._function = function_words_of(known.code)
        self._tokens = tokens_of(text)
        self._bare = [self._without_endings(token) for token in self._tokens]
        self._codes = may_be_codes(text, self._tokens, known)
        plain = self._spots(SecretPart.PLAIN)
        self._plain = {i for first, end in plain for i in range(first, end)}

    def told(self) -> Iterator[Span]:
        """Each secret once."""
        credentials = self._known_as(SecretPart.CREDENTIAL)
        if credentials:
            for code in self._codes:
                if self._is_of(code, credentials):
                    yield self._span(code.first, code.end)
            yield from self._words_of(credentials)
        if not self._codes:
            return
        locked = self._known_as(SecretPart.LOCK) + self._known_as(SecretPart.WEAK)
        opens, guarded = self._spots(SecretPart.OPENS), self._known_as(SecretPart.GUARDED)
        whole = sum(code.digits for code in self._codes) >= _WHOLE
        for code in self._codes:
            if (locked and (code.long or whole)) or (guarded and (code.apart or (opens and code.long))):
                yield self._span(code.first, code.end)
        if self._known_as(SecretPart.MONEY):
            yield from (self._span(code.first, code.end) for code in self._codes if code.long)

    def _known_as(self, part: SecretPart) -> list[tuple[int, int]]:
        return [(first, end) for first, end in self._spots(part) if not self._plain & set(range(first, end))]

    def _spots(self, *parts: SecretPart) -> list[tuple[int, int]]:
        """Where phrases of these parts stand; no harmless one that only sounds like it ("zip code")."""
        found = []
        texts = [token.text for token in self._tokens]
        place = 0
        while place < len(self._tokens):
            length, concepts = self._known.at(texts, place)
            if "no_secret" in concepts:
                place += length
                continue
            if length := self._words.at(self._bare, place, *parts):
                found.append((place, place + length))
            place += max(length, 1)
        return found

    def _is_of(self, code: MayBe, credentials: Sequence[tuple[int, int]]) -> bool:
        """Whether it is the secret, and no number of something else that the sentence names."""
        before = code.first - 1
        named = [end for first, end in credentials if end <= code.first]
        next_to = before >= 0 and (self._reads(before) or before + 1 in named or self._tells_behind(before))
        if next_to or not named:
            return code.long or bool(next_to) or code.mixed
        gap = range(max(named), code.first)
        told = any(self._reads(place) for place in gap)
        follows = next((p for p in range(code.end, len(self._tokens)) if self._reads(p)), None)
        subject = not told and follows is not None and follows < len(self._tokens) - 1
        return (code.long or code.mixed) and not subject

    def _words_of(self, credentials: Sequence[tuple[int, int]]) -> Iterator[Span]:
        """The words that are said to be the password."""
        guards = self._known_as(SecretPart.LOCK) + self._known_as(SecretPart.GUARDED)
        weak = set() if guards else set(self._spots(SecretPart.WEAK))
        for first, end in credentials:
            if (first, end) in weak:
                continue  # "the paint code is moss green"
            if self._known.endings:
                yield from self._behind_in_korean(end)
                continue
            yield from self._behind(end)
            yield from self._before(first)

    def _behind(self, end: int) -> Iterator[Span]:
        """ "The password is sunflower", "Passwort: Sonnenblume", "dass das Passwort Sonnenblume lautet"."""
        if self._tells_behind(end - 1):
            yield from self._value(end)
            return
        reads = next((p for p in range(end, self._sentence_end(end)) if self._reads(p)), None)
        if reads is None:
            return
        after = reads + self._reads(reads)
        if after < self._sentence_end(end):
            yield from self._value(after)
        elif reads > end:
            yield from self._value(end, reads)

    def _before(self, first: int) -> Iterator[Span]:
        """ "Sunflower is the wifi password", "nimm Sonnenblume als Passwort"."""
        for place in range(first - 1, max(-1, first - 2 - _NAMES), -1):
            if self._words.at(self._tokens, place, SecretPart.AS) and place > 0 and self._is_word(place - 1):
                yield self._span(place - 1, place)
                return
            if self._reads(place) and place + 1 < first and not self._is_word(place + 1):
                start = self._sentence_start(place)
                if 0 < place - start <= 3 and all(self._is_word(p) for p in range(start, place)):
                    yield self._span(start, place)
                return

    def _behind_in_korean(self, end: int) -> Iterator[Span]:
        """ "비밀번호는 해바라기야": the last word, where it is a noun."""
        stop = self._sentence_end(end)
        name = self._tokens[end - 1].text
        if name == self._bare[end - 1].text and stop > end:
            return
        for place in range(end, stop):
            word = self._tokens[place].text
            spoken = next((e for e, left in self._known.acts.endings if not left and word.endswith(e)), "")
            noun = self._without_copula(word) != word or bool(spoken) or (place == stop - 1 and stop - end == 1)
            if noun and not self._is_aside(place) and not (place == stop - 1 and _is_korean_verb(word) and not spoken):
                yield self._span(place, place + 1)
                return

    def _value(self, first: int, end: int | None = None) -> Iterator[Span]:
        if self._is_word(first):
            marks = (p + 1 for p in range(first, len(self._tokens)) if self._tokens[p].mark)
            yield self._span(first, end or next(marks, len(self._tokens)))

    def _is_word(self, place: int) -> bool:
        """Whether the word may be a password: nothing that is only said about one."""
        text = self._tokens[place].text
        quoted = self._text[: self._tokens[place].start].rstrip(" ")[-1:] in ('"', "„", "“", "«", "'")
        return quoted or not (text in self._function or self._is_aside(place) or text.isdigit())

    def _is_aside(self, place: int) -> bool:
        if not self._known.endings:
            return bool(self._words.at(self._tokens, place, SecretPart.ASIDE))
        stems = (stem for stem in self._words.whole.get(SecretPart.ASIDE, {}))
        return any(self._tokens[place].text.startswith(stem) for stem in stems)

    def _reads(self, place: int) -> int:
        return self._words.at(self._tokens, place, SecretPart.READS)

    def _tells_behind(self, place: int) -> bool:
        return bool(_TELLING_MARKS & set(self._tokens[place].mark)) if 0 <= place < len(self._tokens) else False

    def _sentence_end(self, place: int) -> int:
        ends = (p + 1 for p in range(place, len(self._tokens)) if _ENDS & set(self._tokens[p].mark))
        return next(ends, len(self._tokens))

    def _sentence_start(self, place: int) -> int:
        return next((p + 1 for p in range(place - 1, -1, -1) if self._tokens[p].mark), 0)

    def _span(self, first: int, end: int) -> Span:
        return Span(self._tokens[first].start, self._tokens[end - 1].end)

    def _without_endings(self, token: Token) -> Token:
        if not self._known.endings:
            return token
        return Token(self._known.bare(self._without_copula(token.text)), token.start, token.end, token.mark)

    def _without_copula(self, word: str) -> str:
        forms = (p[0] for p, c in self._known.whole.items() if "copula" in c and len(p) == 1)
        fitting = sorted((f for f in forms if word.endswith(f) and len(f) < len(word)), key=len)
        return word.removesuffix(fitting[-1]) if fitting else word


_VERB_ENDS = ("다", "요", "어", "아", "해", "려", "돼", "지", "네", "죠", "까", "줘", "마", "자", "봐", "와", "가")


def _is_korean_verb(word: str) -> bool:
    return word.endswith(_VERB_ENDS)
