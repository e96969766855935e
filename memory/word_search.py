"""Which memories share words with a query, in any language and without an embedder.

Words weigh by their rarity among the memories; function words ("the", "und", "je") weigh little. Scripts without blanks
between words are cut into pairs of letters. A longer word also matches another form of itself, by its beginning.
"""

from __future__ import annotations

import itertools
import math
import re
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence, Set
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from indexer.postings import Postings
from indexer.words import likeness
from memory.function_words import weak_words
from memory.tokens import PAIRED, parts_of, tokens, whole_words

if TYPE_CHECKING:
    from memory.memory_words import Language

_HANGUL = re.compile(r"[\uac00-\ud7a3]+")
_STEM = 4
_SAME_STEM = 0.6
_PART = 5
"""Letters from which a word may be part of a longer one."""
_AS_A_PART = 0.7
"""What a compound counts for one of its parts."""
_FUNCTION_WEIGHT = 0.1
_HOME_WEIGHT = 0.3
"""What counts a word with which a home is commanded or asked ("close", "weather"), where others tell what about: two
sentences that share nothing else are not about the same."""
_OF_A_HOME = ("action", "measure")
_WHOLE_FIRST = 0.1
"""What it counts, where not all that share words can be given, that a memory says little else."""
_NEAR_THE_BEST = 0.4
_FEW = 2000
"""Memories of which every word tells how much of one is asked about."""
_BACKGROUND = 100
"""Memories that a small store is thought to have besides, so that rarity means something from the first one on."""


class Shared(NamedTuple):
    """How much a memory has of a query. ``share``: of the weight of the query's words, 0 to 1. ``whole``: the share of
    the memory's own words that the query has. ``pairs``: the share of the query's pairs of neighbouring words that
    stand beside each other in the memory, too."""

    share: float
    whole: float
    pairs: float


def _weighed(text: str) -> dict[str, float]:
    """The words of ``text``, each counting 1. A Korean one counts once, however many pairs it is cut into: they share
    what it counts, so that its ending is not worth as much as a word of its own. One of a single syllable counts half:
    most are verbs and particles, which say little of what is asked about."""
    found: dict[str, float] = {}
    for word in whole_words(text):
        parts = parts_of(word)
        share = 1 / max(len(parts), 2 if len(word) == 1 else 1) if parts and _HANGUL.fullmatch(word) else 1.0
        for part, times in Counter(parts).items():
            found[part] = max(found.get(part, 0.0), share * times if share < 1 else 1.0)
    return found


def _said_to_a_home(words: Sequence[str], code: str | None) -> frozenset[str]:
    """Those of the words of a query with which one speaks to a home, where there are any others."""
    known = _language(code)
    if known is None:
        return frozenset()
    found = frozenset(
        word
        for word in words
        if not PAIRED.match(word) and not known.at([word], 0)[1].isdisjoint(_OF_A_HOME)  # a pair is no word
    )
    return found if len(found) < len(set(words)) else frozenset()


def _best(scores: NDArray[np.float32], k: int) -> NDArray[np.intp]:
    """The rows of the best ``k`` scores over 0, in any order."""
    if len(scores) == 0:
        return np.arange(0)
    rows = np.flatnonzero(scores >= _NEAR_THE_BEST * scores.max())  # mostly enough, and far fewer than all
    if len(rows) < k:
        rows = np.flatnonzero(scores > 0)
    return rows[np.argpartition(-scores[rows], k)[:k]] if k < len(rows) else rows


def _pairs(words: Sequence[str]) -> set[tuple[str, str]]:
    return set(itertools.pairwise(words))


def _language(code: str | None) -> Language | None:
    from memory.memory_words import language  # the words of a language: only where somebody speaks

    return language(code)


class WordIndex:
    """Memories of one scope by their words. Not safe to be changed in one thread and read in another."""

    def __init__(self) -> None:
        self._row_of: dict[str, int] = {}
        self._ids: list[str] = []
        self._words: list[tuple[str, ...]] = []
        """Of each row, in the order in which they come first."""
        self._lengths = array("f")
        self._postings = Postings()
        self._stems: defaultdict[str, set[str]] = defaultdict(set)
        self._tails: defaultdict[str, set[str]] = defaultdict(set)

    def __len__(self) -> int:
        return len(self._row_of)

    def put(self, memory_id: str, content: str) -> None:
        """Add a memory, or take its new content."""
        self.remove(memory_id)
        words = tuple(dict.fromkeys(tokens(content)))
        for word in words:
            if word not in self._postings:
                self._stems[word[:_STEM]].add(word)
                self._tails[word[-_PART:]].add(word)
        self._row_of[memory_id] = self._postings.add(words)
        self._ids.append(memory_id)
        self._words.append(words)
        self._lengths.append(len(words))

    def remove(self, memory_id: str) -> None:
        """Forget a memory; unknown ids are ignored."""
        row = self._row_of.pop(memory_id, None)
        if row is None:
            return
        words, self._words[row] = self._words[row], ()
        for word in self._postings.remove(row, words):
            self._stems[word[:_STEM]].discard(word)
            self._tails[word[-_PART:]].discard(word)

    def match(self, query: str, k: int = 200, language: str | None = None) -> dict[str, float]:
        """Memory id -> share of the query's weight that it covers, 0 to 1: see `shared`."""
        return {memory_id: found.share for memory_id, found in self.shared(query, k, language).items()}

    def shared(
        self, query: str, k: int = 200, language: str | None = None, only: Set[str] | None = None
    ) -> dict[str, Shared]:
        """Memory id -> how much it has of the query: the best ``k`` of those that have any, of ``only`` these ids."""
        words = _weighed(query)
        weak = weak_words(words, language)
        wanted = {word: count * self._weight(word, weak) for word, count in words.items()}
        telling = sum(count for word, count in words.items() if word not in weak)
        least = self._rarity(1) * min(1.0, telling or 1.0)
        whole = max(sum(wanted.values()), least)  # function words alone are never a whole query
        shares = np.zeros(len(self._ids), np.float32)
        aside = _said_to_a_home([word for word in words if word not in weak], language)
        known = _language(language)
        compounds = known is not None and known.compounds
        for word, weight in wanted.items():
            self._cover(shares, word, weight / whole * (_HOME_WEIGHT if word in aside else 1.0), compounds)
        if only is not None:
            rows = np.array([self._row_of[one] for one in only if one in self._row_of], np.int32)
            shares *= np.isin(np.arange(len(shares)), rows)
        wholes = self._wholes(words)
        order: NDArray[np.float32] = shares + np.float32(_WHOLE_FIRST) * wholes * (shares > 0)
        best = _best(order, k)
        pairs = _pairs(tuple(dict.fromkeys(tokens(query))))
        return {
            self._ids[row]: Shared(min(1.0, float(shares[row])), float(wholes[row]), self._paired(row, pairs))
            for row in best
            if shares[row] > 0
        }

    def _wholes(self, words: Iterable[str]) -> NDArray[np.float32]:
        """For each row the share of its words that are among these; of very many, words that many have are left out."""
        counts = np.zeros(len(self._ids), np.float32)
        common = max(_FEW, len(self) // 10)
        for word in words:
            if word in self._postings and self._postings.count(word) <= common:
                counts[self._postings.rows(word)] += 1
        return np.asarray(counts / np.maximum(np.array(self._lengths, np.float32), 1), np.float32)

    def _paired(self, row: int, pairs: Set[tuple[str, str]]) -> float:
        return len(pairs & _pairs(self._words[row])) / len(pairs) if pairs else 0.0

    def _cover(self, shares: NDArray[np.float32], word: str, weight: float, compounds: bool) -> None:
        """Add ``weight`` to who holds ``word``, and less of it to who holds another form of it."""
        forms = self._forms(word)
        if compounds and len(word) >= _PART:
            forms = dict.fromkeys(self._compounds(word), _AS_A_PART) | forms
        if not forms:
            if word in self._postings:
                shares[self._postings.rows(word)] += weight
            return
        part = np.zeros_like(shares)
        for form, alike in sorted(forms.items(), key=lambda item: item[1]):
            part[self._postings.rows(form)] = alike
        if word in self._postings:
            part[self._postings.rows(word)] = 1.0
        shares += weight * part

    def _forms(self, word: str) -> dict[str, float]:
        if len(word) < _STEM:
            return {}
        alike = {other: likeness(word, other) for other in self._stems.get(word[:_STEM], ()) if other != word}
        return {other: share for other, share in alike.items() if share >= _SAME_STEM}

    def _compounds(self, word: str) -> Iterator[str]:
        """The held words that end or begin with the word: "Staub" is in "Hausstaub"."""
        for other in (*self._tails.get(word[-_PART:], ()), *self._stems.get(word[:_STEM], ())):
            if len(other) >= len(word) + _STEM - 1 and (other.endswith(word) or other.startswith(word)):
                yield other

    def _weight(self, word: str, weak: frozenset[str]) -> float:
        return self._rarity(self._postings.count(word)) * (_FUNCTION_WEIGHT if word in weak else 1.0)

    def _rarity(self, holders: int) -> float:
        return math.log1p((len(self) + _BACKGROUND) / (holders + 0.5))
