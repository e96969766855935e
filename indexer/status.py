"""How the index is doing, as plain values."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class Phase(StrEnum):
    """What finds entities at the moment: words, or words and vectors."""

    WORDS = "words"
    """No vectors: not started, or there is no embedder."""
    LOADING = "loading"
    READY = "ready"
    DEGRADED = "degraded"
    """The embedder or the store is down; words carry on. ``detail`` says what and what to do."""


@dataclass(frozen=True, slots=True)
class IndexStatus:
    """``embedder`` is its fingerprint; ``store`` says where the vectors are kept; ``synced_at``: when they were last
    brought in line with the home by this process."""

    phase: Phase = Phase.WORDS
    detail: str = ""
    entities: int = 0
    vectors: int = 0
    embedder: str | None = None
    store: str = ""
    synced_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class SyncReport:
    """What a sync did, in entities. ``embedded`` are texts for which a vector had to be computed."""

    added: int = 0
    updated: int = 0
    unchanged: int = 0
    removed: int = 0
    embedded: int = 0
    seconds: float = 0.0
