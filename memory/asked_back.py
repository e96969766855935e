"""Questions about what was told: "what did I say about the boiler", "what do you know about me".

A frame of roles, in any order that a language has: who said or knows, whether something is asked for, and what it is
about. Each word of the sentence must have a role or belong to the topic, which is one stretch of it; a time that is
named is no part of it. The words are data: asking_back.yaml in each language's folder.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from homeagent.languages import folder
from indexer.normalise import unaccented
from memory.act_words import Part, tokens_of
from memory.memory_words import language

_WORD = re.compile(r"[^\W_]+")
_LONGEST = 5
"""Words of the longest entry."""
_NAME = 3
"""Words of the longest name of a person."""
_ADDRESS = 3
"""Most words with which somebody is addressed before a comma."""
_TIME, _NAMED = "time", "named"
Words = Sequence[re.Match[str]]
Taken = Sequence[tuple[int, int]]


class Asks(StrEnum):
    """What is asked for."""

    SAID = "said"
    """What somebody told."""
    KNOWN = "known"
    """What is remembered."""


@dataclass(frozen=True, slots=True)
class AskedBack:
    """``about``: the topic in the sentence's words; None: nothing in particular. ``of_self``: it is the speaker.
    ``teller``: the name of who told it, if not the speaker."""

    asks: Asks
    about: str | None = None
    of_self: bool = False
    teller: str | None = None


def asked_back(
    text: str, code: str, is_person: Callable[[str], bool] = lambda name: False, times: Taken = ()
) -> AskedBack | None:
    """What the sentence asks about that was told; None where it asks something else.

    ``is_person``: whether a name is somebody's of the household. ``times``: from where to where in the text a time is
    named.
    """
    roles = _roles(code)
    if roles is None:
        return None
    whole = tuple(_WORD.finditer(text))
    before, comma, _ = text.partition(",")
    ways = [whole]
    if comma and _addresses(before, code):
        ways.append(tuple(word for word in whole if word.start() > len(before)))
    found = (_Reading(text, code, roles, words, is_person, times).read() for words in ways)
    return next((one for one in found if one is not None), None)


def _addresses(text: str, code: str) -> bool:
    """Whether it may be a name that the rest is said to: short, and nothing that asks something of memory or orders."""
    known = language(code)
    said = tokens_of(text)
    parts = (Part.FORGET, Part.ERASE, Part.KEEP, Part.KEEP_THIS, Part.KEEP_WEAK, Part.ORDER, Part.CORRECT)
    return 0 < len(said) <= _ADDRESS and not (known and any(known.acts.has(said, part) for part in parts))


@dataclass(frozen=True, slots=True)
class _Piece:
    """Words ``first`` to before ``end`` and the roles that they may have; none: they are of the topic."""

    first: int
    end: int
    roles: frozenset[str]


class _Reading:
    def __init__(
        self,
        text: str,
        code: str,
        roles: Mapping[tuple[str, ...], frozenset[str]],
        words: Words,
        is_person: Callable[[str], bool],
        times: Taken,
    ) -> None:
        self._text = text
        self._code = code
        self._roles = roles
        self._words = words
        self._plain = [unaccented(word.group()) for word in words]
        self._is_person = is_person
        self._times = times

    def read(self) -> AskedBack | None:
        pieces = self._pieces()
        behind = next((at for at, one in enumerate(pieces) if "about_after" in one.roles), None)
        topic = self._in_front_of(pieces, behind) if behind is not None else self._behind(pieces)
        if topic is None:
            return None
        first, end = topic
        outside = [one for at, one in enumerate(pieces) if not first <= at < end]
        return self._asked(pieces[first:end], outside)

    def _pieces(self) -> list[_Piece]:
        pieces: list[_Piece] = []
        place = 0
        while place < len(self._words):
            end, roles = self._at(place)
            pieces.append(_Piece(place, end, roles))
            place = end
        return pieces

    def _at(self, place: int) -> tuple[int, frozenset[str]]:
        word = self._words[place]
        for first, end in self._times:
            if first <= word.start() < end:
                last = max(at for at in range(place, len(self._words)) if self._words[at].start() < end)
                return last + 1, frozenset({_TIME})
        for length in range(min(_LONGEST, len(self._words) - place), 0, -1):
            if found := self._roles.get(tuple(self._plain[place : place + length])):
                return place + length, found
        return place + 1, frozenset()

    def _behind(self, pieces: Sequence[_Piece]) -> tuple[int, int] | None:
        """The topic after the word for "about"; without one, what no role is left for. None: there are two of them."""
        marks = [at for at, one in enumerate(pieces) if one.roles & {"about"}]
        marks = marks or [at for at, one in enumerate(pieces) if one.roles & {"of"}][-1:]
        end = len(pieces)
        if marks:
            while end - 1 > marks[0] + 1 and pieces[end - 1].roles - {"me", "of", "about"}:
                end -= 1
            if marks[0] + 1 < end and self._names_no_topic(pieces[marks[0] + 1 : end]):
                end = marks[0] + 1
            return marks[0] + 1, end
        free = [at for at, one in enumerate(pieces) if not one.roles and not self._names(pieces, at)]
        if not free:
            return end, end
        first, last = free[0], free[-1] + 1
        return first, last

    def _in_front_of(self, pieces: Sequence[_Piece], mark: int) -> tuple[int, int]:
        """The topic before the word for "about", from the last word on that can only have another role."""
        first = mark
        while first > 0 and (not pieces[first - 1].roles or pieces[first - 1].roles & {"me"}):
            first -= 1
        if mark - first > 1 and self._is_name(pieces[first], pieces[first].end):
            first += 1  # who told it
        return first, mark

    def _names(self, pieces: Sequence[_Piece], at: int) -> bool:
        return self._is_name(pieces[at], pieces[at].end)

    def _is_name(self, piece: _Piece, end: int) -> bool:
        return self._is_person(self._bare(self._words[piece.first].group())) and end <= piece.first + _NAME

    @staticmethod
    def _names_no_topic(pieces: Sequence[_Piece]) -> bool:
        return all(one.roles and not one.roles & {"me"} for one in pieces)

    def _asked(self, topic: Sequence[_Piece], outside: Sequence[_Piece]) -> AskedBack | None:
        roles = [one.roles for one in outside]
        teller = None
        for one in outside:
            if not one.roles:
                name = self._bare(self._words[one.first].group())
                if teller is not None or not self._is_person(name):
                    return None
                teller = name
        # the word may be for doing as well as for saying: then something else asks what was said
        clearly = any(one & {"ask", "tell", "self", "about", "of", "about_after"} for one in roles)
        said_by_self = (clearly and any("i_said" in one for one in roles)) or (
            any("said" in one for one in roles) and any("self" in one for one in roles)
        )
        said_by_other = teller is not None and any(one & {"said", "i_said"} for one in roles)
        known = any("you_know" in one for one in roles) or (
            any("know" in one for one in roles) and any("you" in one for one in roles)
        )
        if not (any(one & {"ask", "tell"} for one in roles) or self._text.rstrip().endswith(("?", "？"))):
            return None
        if not (said_by_self or said_by_other or known) or (teller is not None and not said_by_other):
            return None
        about = self._topic(topic)
        of_self = bool(topic) and all(one.roles & {"me"} for one in topic)
        if about is None and not known and not any(_TIME in one for one in roles):
            return None  # what was said a moment ago is not asked of memory
        marked = any(one & {"about", "of", "about_after"} for one in roles)
        if about is not None and not marked and not (said_by_self or said_by_other):
            return None
        asks = Asks.SAID if said_by_self or said_by_other else Asks.KNOWN
        return AskedBack(asks, None if of_self else about, of_self, teller)

    def _topic(self, pieces: Sequence[_Piece]) -> str | None:
        if not pieces:
            return None
        words = self._words[pieces[0].first : pieces[-1].end]
        text = self._text[words[0].start() : words[-1].end()]
        last = words[-1].group()
        return text.removesuffix(last) + self._bare(last)

    def _bare(self, word: str) -> str:
        """Without the ending that only says what part it plays."""
        known = language(self._code)
        if known is None or not known.endings:
            return word
        bare = known.bare(unaccented(word))
        return word[: len(bare)] if unaccented(word).startswith(bare) and bare else word


@cache
def _roles(code: str) -> Mapping[tuple[str, ...], frozenset[str]] | None:
    found = folder.read_part(code, folder.Part.ASKING_BACK)
    if found is None:
        return None
    roles: dict[tuple[str, ...], frozenset[str]] = {}
    for role, entries in found[1].items():
        for entry in entries:
            words = tuple(_WORD.findall(unaccented(entry)))
            roles[words] = roles.get(words, frozenset()) | {role}
    return roles
