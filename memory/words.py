"""Which memories share words with a query, in any language and without an embedder.

Words weigh by their rarity among the memories; function words ("the", "und", "je") weigh little. Scripts without blanks
between words are cut into pairs of letters. A longer word also matches another form of itself, by its beginning.
"""

from __future__ import annotations

import importlib.resources
import math
import re
import unicodedata
from bisect import bisect_left
from collections import defaultdict
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

_WORD = re.compile(r"\w+")
_PAIRED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")
_STEM = 4
_SAME_STEM = 0.6
_FUNCTION_WEIGHT = 0.1
_BACKGROUND = 100
"""Memories that a small store is thought to have besides, so that rarity means something from the first one on."""


def tokens(text: str) -> list[str]:
    """The words of ``text`` for matching: lower case, no accents, pairs of letters for Chinese, Korean, Thai …"""
    if text.isascii():
        return _WORD.findall(text.lower())
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


@cache
def function_words_of(language: str) -> frozenset[str]:
    """Those of one language (en, de, …); none where there are none."""
    text = importlib.resources.files("memory").joinpath("function_words.txt").read_text(encoding="utf-8")
    found: set[str] = set()
    mine = False
    for line in text.splitlines():
        if line.startswith("#"):
            mine = language in line.lstrip("# ").replace(",", " ").split()
        elif mine:
            found.update(tokens(line))
    return frozenset(found)


class WordIndex:
    """Memories of one scope by their words. Not safe to be changed in one thread and read in another."""

    def __init__(self) -> None:
        self._row_of: dict[str, int] = {}
        self._ids: list[str] = []
        self._words: list[tuple[str, ...]] = []
        self._holders: dict[str, list[int]] = {}
        self._arrays: dict[str, NDArray[np.int32]] = {}
        self._stems: defaultdict[str, set[str]] = defaultdict(set)

    def __len__(self) -> int:
        return len(self._row_of)

    def put(self, memory_id: str, content: str) -> None:
        self.remove(memory_id)
        row = self._row_of[memory_id] = len(self._ids)
        words = tuple(set(tokens(content)))
        self._ids.append(memory_id)
        self._words.append(words)
        for word in words:
            if word not in self._holders:
                self._holders[word] = []
                self._stems[word[:_STEM]].add(word)
            self._holders[word].append(row)
            self._arrays.pop(word, None)

    def remove(self, memory_id: str) -> None:
        row = self._row_of.pop(memory_id, None)
        if row is None:
            return
        words, self._words[row] = self._words[row], ()
        for word in words:
            holders = self._holders[word]
            del holders[bisect_left(holders, row)]  # rows only grow, so they are in order
            self._arrays.pop(word, None)
            if not holders:
                del self._holders[word]
                self._stems[word[:_STEM]].discard(word)

    def match(self, query: str, k: int = 200) -> dict[str, float]:
        """Memory id -> how much of the query's weight it covers, 0 to 1: the best ``k`` of those that cover any."""
        wanted = {word: self._weight(word) for word in tokens(query)}
        whole = max(sum(wanted.values()), self._rarity(1))  # function words alone are never a whole query
        shares = np.zeros(len(self._ids), np.float32)
        for word, weight in wanted.items():
            self._cover(shares, word, weight / whole)
        best = np.argpartition(-shares, k)[:k] if k < len(shares) else np.arange(len(shares))
        return {self._ids[row]: min(1.0, float(shares[row])) for row in best if shares[row] > 0}

    def _cover(self, shares: NDArray[np.float32], word: str, weight: float) -> None:
        """Add ``weight`` to who holds ``word``, and less of it to who holds another form of it."""
        forms = self._forms(word)
        if not forms:
            if word in self._holders:
                shares[self._array(word)] += weight
            return
        part = np.zeros_like(shares)
        for form, likeness in sorted(forms.items(), key=lambda item: item[1]):
            part[self._array(form)] = likeness
        if word in self._holders:
            part[self._array(word)] = 1.0
        shares += weight * part

    def _forms(self, word: str) -> dict[str, float]:
        if len(word) < _STEM:
            return {}
        alike = {other: _likeness(word, other) for other in self._stems.get(word[:_STEM], ()) if other != word}
        return {other: likeness for other, likeness in alike.items() if likeness >= _SAME_STEM}

    def _weight(self, word: str) -> float:
        return self._rarity(len(self._holders.get(word, ()))) * (_FUNCTION_WEIGHT if word in function_words() else 1.0)

    def _rarity(self, holders: int) -> float:
        return math.log1p((len(self) + _BACKGROUND) / (holders + 0.5))

    def _array(self, word: str) -> NDArray[np.int32]:
        array = self._arrays.get(word)
        if array is None:
            array = self._arrays[word] = np.array(self._holders[word], np.int32)
        return array


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
