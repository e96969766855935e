"""What things are for, as people say it ("it is too dark in here"): compared with a sentence by meaning.

``purposes.yaml`` has such sentences for kinds, and for things that only their name tells ("coffee machine"). They are
English; an embedder of many languages finds them in each of these. Whatever is of the kind, or is called much like the
thing, serves the purpose, in a home of any size and language.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from homeagent.languages.folder import Part, read_part
from indexer.catalog import Catalog
from indexer.embed import Vectors
from indexer.lexicon import EntityKind, concept
from indexer.postings import Scores
from indexer.vectors import VectorTable

_LANGUAGE = "en"
_UNLIKE, _LIKE = 0.4, 0.7
"""Cosine of an entity's description with a thing's: up to this it is no such thing, from this on it is one."""


@dataclass(frozen=True, slots=True)
class Purpose:
    """What is ``said`` where a thing of these ``kinds`` is meant, or one that is described by ``thing``."""

    said: tuple[str, ...]
    kinds: tuple[EntityKind, ...] = ()
    thing: str = ""


@cache
def purposes() -> tuple[Purpose, ...]:
    """All that the file has; none without it."""
    content = (read_part(_LANGUAGE, Part.PURPOSES) or ("", {"kinds": {}, "things": {}}))[1]
    of_kinds = (Purpose(tuple(said), concept(kind).kinds) for kind, said in content["kinds"].items())
    of_things = (Purpose(tuple(said), thing=f"{name}, a switch") for name, said in content["things"].items())
    return (*of_kinds, *of_things)


def texts() -> tuple[str, ...]:
    """Every text that needs a vector."""
    return tuple(dict.fromkeys(text for p in purposes() for text in (*p.said, *filter(None, [p.thing]))))


class PurposeTable:
    """The vectors of the purposes, and how far each of a home's entities serves each of them."""

    def __init__(self) -> None:
        self.embedder = ""
        """Whose vectors these are; empty where there are none yet."""
        self._said: Vectors = np.zeros((0, 0), np.float32)
        self._begins: NDArray[np.intp] = np.zeros(0, np.intp)
        self._things: Vectors = np.zeros((0, 0), np.float32)
        self._serving: tuple[Catalog, int, Vectors, Scores] | None = None

    def load(self, embedder: str, vectors: Mapping[str, Vectors]) -> None:
        """Take the vectors of all `texts`, by text."""
        self._said = np.stack([vectors[text] for p in purposes() for text in p.said]).astype(np.float32)
        self._begins = np.cumsum([0, *(len(p.said) for p in purposes())])[:-1]
        self._things = np.stack([vectors[p.thing] for p in purposes() if p.thing]).astype(np.float32)
        self.embedder, self._serving = embedder, None

    def scores(self, catalog: Catalog, table: VectorTable, vector: Vectors) -> Scores:
        """For each slot, how near the sentence of this vector is to a purpose that it serves, 0 to 1."""
        if not self.embedder or self._said.shape[1] != len(vector) or not catalog.size:
            return np.zeros(catalog.size, np.float32)
        meant = np.maximum.reduceat(self._said @ vector, self._begins)
        nearest: Scores = (self._served(catalog, table) * np.maximum(meant, 0)[:, None]).max(axis=0)
        return nearest

    def _served(self, catalog: Catalog, table: VectorTable) -> Scores:
        """(purposes, slots), 0 to 1; kept until the home or its vectors change."""
        kept = self._serving
        if kept is None or kept[0] is not catalog or kept[1] != catalog.version or kept[2] is not table.vectors:
            likeness = (table.likeness(catalog, self._things) - _UNLIKE) / (_LIKE - _UNLIKE)
            of_kinds = [catalog.of_kinds(p.kinds) for p in purposes() if p.kinds]
            served = np.concatenate([np.array(of_kinds, np.float32), np.clip(likeness, 0, 1)])
            kept = self._serving = (catalog, catalog.version, table.vectors, served)
        return kept[3]
