"""Answers about what can be found."""

from __future__ import annotations

from pydantic import BaseModel, Field

from homeagent.history.recording.recording import RecordingReport
from indexer.selector import Selector
from indexer.status import IndexStatus, SyncReport

__all__ = ["IndexStatus", "RecordingReport", "SyncReport"]


class ReloadedAnswer(BaseModel):
    """What Home Assistant has: how many of each."""

    entities: int
    areas: int
    floors: int
    exposed: int


class FoundEntity(BaseModel):
    """An entity that the text may mean, with its state now."""

    entity_id: str
    name: str
    area: str | None
    state: str | None
    score: float = Field(description="0 to 1.")
    reasons: list[str]


class SearchAnswer(BaseModel):
    """What the text may mean, best first."""

    query: str
    found: list[FoundEntity]
    total: int
    selector: Selector | None = Field(description="Set where a whole set is meant.")
    also: list[Selector] = Field(description="Sets that the same words may mean less surely.")
    embedded: bool = Field(description="Whether a vector was needed.")
    degraded: str | None
    duration_ms: float
