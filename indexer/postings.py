"""The inverted index over small texts, entities' and memories': which rows have a piece, and how much that says."""

from __future__ import annotations

import math
from array import array
from bisect import bisect_left
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

Scores = NDArray[np.float32]


class Postings:
    """Rows by piece (a word or a few characters). Rows are numbered as they come; one that was removed has no pieces
    any more, and its number is not used again.

    A piece's weight is ``log(1 + rows / rows with it)``, as it was when the row came in; so the sum of a row's weights
    stays right however the index grows, and a rebuild now and then makes them exact.
    """

    def __init__(self) -> None:
        self._rows: dict[str, array[int]] = {}  # arrays: small, and nothing for the garbage collector to walk
        self._arrays: dict[str, NDArray[np.int32]] = {}
        self._totals: list[float] = []
        self._total_array: Scores = np.zeros(0, np.float32)
        self._weights: dict[str, float] = {}
        self._counted = 0

    def __len__(self) -> int:
        return len(self._totals)

    def fill(self, rows: Iterable[Iterable[str]]) -> None:
        """Add many rows at once and weigh every piece anew."""
        first = len(self)
        kept = [tuple(pieces) for pieces in rows]
        for number, pieces in enumerate(kept, start=first):
            for piece in pieces:
                self._of(piece).append(number)
        self._counted = first + len(kept)
        self._weights = {p: math.log(1 + self._counted / len(r)) for p, r in self._rows.items()}
        self._totals.extend(sum(self._weights[p] for p in pieces) for pieces in kept)
        self._arrays.clear()

    def add(self, pieces: Iterable[str]) -> int:
        """Add a row; returns its number."""
        number, total = len(self), 0.0
        for piece in pieces:
            self._of(piece).append(number)
            self._arrays.pop(piece, None)
            total += self._weights.setdefault(piece, self._rare())
        self._totals.append(total)
        return number

    def remove(self, row: int, pieces: Iterable[str]) -> tuple[str, ...]:
        """Take a row out of its pieces, which are to be those that it came with; returns those that nobody has now."""
        gone: list[str] = []
        for piece in pieces:
            rows = self._rows[piece]
            del rows[bisect_left(rows, row)]  # rows only grow, so they are in order
            self._arrays.pop(piece, None)
            if not rows:
                del self._rows[piece]
                gone.append(piece)
        return tuple(gone)

    def __contains__(self, piece: str) -> bool:
        return piece in self._rows

    def count(self, piece: str) -> int:
        """How many rows have it."""
        return len(self._rows.get(piece, ()))

    def overlap(self, pieces: Iterable[str]) -> tuple[Scores, float]:
        """For each row the weight of the pieces that it shares, and the weight of all pieces asked for."""
        scores = np.zeros(len(self), np.float32)
        asked = 0.0
        for piece in pieces:
            weight = self._weights.get(piece)
            if weight is None:
                asked += self._rare()
                continue
            asked += weight
            scores[self.rows(piece)] += weight
        return scores, asked

    def having(self, pieces: Iterable[str]) -> NDArray[np.bool_]:
        """Which rows have any of the pieces."""
        mask = np.zeros(len(self), bool)
        for piece in pieces:
            if piece in self._rows:
                mask[self.rows(piece)] = True
        return mask

    def rows(self, piece: str) -> NDArray[np.int32]:
        """The numbers of the rows that have a piece that some row has, in order."""
        rows = self._arrays.get(piece)
        if rows is None:
            rows = self._arrays[piece] = np.array(self._rows[piece], np.int32)
        return rows

    @property
    def totals(self) -> Scores:
        """The weight of all pieces of each row; never zero."""
        if len(self._total_array) != len(self._totals):
            self._total_array = np.maximum(np.array(self._totals, np.float32), 1e-6)
        return self._total_array

    def weight(self, piece: str) -> float:
        """How much a piece says: the natural logarithm of 1 + rows / rows that have it (inverse document frequency). As
        of the last `fill`; what came since counts as the rarest.
        """
        return self._weights.get(piece, self._rare())

    def _rare(self) -> float:
        return math.log(1 + max(1, self._counted))

    def _of(self, piece: str) -> array[int]:
        rows = self._rows.get(piece)
        if rows is None:
            rows = self._rows[piece] = array("i")
        return rows
