"""Which memories share words with a query, in any language and without an embedder.

Words weigh by their rarity among the memories; function words ("the", "und", "je") weigh little. Scripts without blanks
between words are cut into pairs of letters. A longer word also matches another form of itself, by its beginning.
"""

from __future__ import annotations

import importlib.resources
import math
import re
import unicodedata
from collections import defaultdict
from functools import lru_cache

_WORD = re.compile(r"\w+")
_PAIRED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")
_STEM = 4
_SAME_STEM = 0.6
_FUNCTION_WEIGHT = 0.1
_BACKGROUND = 100
"""Memories that a small store is thought to have besides, so that rarity means something from the first one on."""


def tokens(text: str) -> list[str]:
    """The words of ``text`` for matching: lower case, no accents, pairs of letters for Chinese, Korean, Thai …"""
    plain = unicodedata.normalize("NFKD", text.lower())
    plain = "".join(c for c in plain if not unicodedata.combining(c) or _PAIRED.match(c))
    found: list[str] = []
    for word in _WORD.findall(unicodedata.normalize("NFC", plain)):
        found.extend(_cut(word))
    return found


def _cut(word: str) -> list[str]:
    parts: list[str] = []
    at = 0
    for run in _PAIRED.finditer(word):
        parts += [word[at : run.start()]] if run.start() > at else []
        letters = run.group()
        parts += [letters[i : i + 2] for i in range(max(1, len(letters) - 1))]
        at = run.end()
    return [*parts, word[at:]] if at < len(word) else parts


@lru_cache(maxsize=1)
def function_words() -> frozenset[str]:
    """Words that say nothing by themselves, of several languages."""
    text = importlib.resources.files("memory").joinpath("function_words.txt").read_text(encoding="utf-8")
    lines = (line for line in text.splitlines() if not line.startswith("#"))
    return frozenset(token for line in lines for token in tokens(line))


class WordIndex:
    """Memories of one scope by their words. Not safe to be changed in one thread and read in another."""

    def __init__(self) -> None:
        self._words: dict[str, frozenset[str]] = {}
        self._holders: defaultdict[str, set[str]] = defaultdict(set)
        self._stems: defaultdict[str, set[str]] = defaultdict(set)

    def __len__(self) -> int:
        return len(self._words)

    def __contains__(self, memory_id: object) -> bool:
        return memory_id in self._words

    def put(self, memory_id: str, content: str) -> None:
        self.remove(memory_id)
        words = frozenset(tokens(content))
        self._words[memory_id] = words
        for word in words:
            self._holders[word].add(memory_id)
            if len(word) >= _STEM:
                self._stems[word[:_STEM]].add(word)

    def remove(self, memory_id: str) -> None:
        for word in self._words.pop(memory_id, frozenset()):
            holders = self._holders[word]
            holders.discard(memory_id)
            if not holders:
                del self._holders[word]
                self._stems[word[:_STEM]].discard(word)

    def clear(self) -> None:
        self._words.clear()
        self._holders.clear()
        self._stems.clear()

    def match(self, query: str) -> dict[str, float]:
        """Memory id -> how much of the query's weight it covers, 0 to 1. Those without a common word are left out."""
        wanted = {word: self._weight(word) for word in tokens(query)}
        whole = max(sum(wanted.values()), self._rarity(1))  # function words alone are never a whole query
        covered: defaultdict[str, float] = defaultdict(float)
        for word, weight in wanted.items():
            for memory_id, likeness in self._holding(word).items():
                covered[memory_id] += weight * likeness
        return {memory_id: min(1.0, weight / whole) for memory_id, weight in covered.items()}

    def _weight(self, word: str) -> float:
        return self._rarity(len(self._holders.get(word, ()))) * (_FUNCTION_WEIGHT if word in function_words() else 1.0)

    def _rarity(self, holders: int) -> float:
        return math.log1p((len(self._words) + _BACKGROUND) / (holders + 0.5))

    def _holding(self, word: str) -> dict[str, float]:
        """Who holds ``word`` or another form of it, and how alike the form is."""
        found: dict[str, float] = dict.fromkeys(self._holders.get(word, ()), 1.0)
        for other in self._stems.get(word[:_STEM], ()) if len(word) >= _STEM else ():
            likeness = _likeness(word, other)
            if other == word or likeness < _SAME_STEM:
                continue
            for memory_id in self._holders[other]:
                found[memory_id] = max(found.get(memory_id, 0.0), likeness)
        return found


def _likeness(one: str, other: str) -> float:
    """The share of the longer word that both begin with. Words with digits are alike only when they are the same."""
    if any(c.isdigit() for c in one + other):
        return float(one == other)
    common = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        common += 1
    return common / max(len(one), len(other))
