"""Answers about what is remembered."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, Field
from pydantic.dataclasses import dataclass

from memory.model import Memory
from memory.records import LogLine


class MemoriesAnswer(BaseModel):
    """Memories, last changed first."""

    memories: list[Memory]


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundMemory(Memory):
    """A memory that a query brought to mind."""

    relevance_score: float
    """0 to 1: whether it bears on the query."""
    score: float
    """How it stands to the others; the best come first."""
    reasons: tuple[str, ...]


class FoundMemoriesAnswer(BaseModel):
    """What the query brought to mind, best first."""

    memories: list[FoundMemory]


class AddedAnswer(BaseModel):
    """The memory that the statement became."""

    memory_id: str


class MemoryAnswer(BaseModel):
    """A memory as it is now."""

    memory: Memory


class WholeMemoryAnswer(MemoryAnswer):
    """A memory, the ones that it replaced, and what happened to it; both newest first."""

    history: list[Memory]
    log: list[LogLine]


class ForgottenAnswer(BaseModel):
    """How many memories were forgotten."""

    deleted: int


class ExportAnswer(BaseModel):
    """All memories with their history."""

    memories: list[dict[str, Any]] = Field(description="As `import_memories` takes them.")


class RefusedAnswer(BaseModel):
    """One that was not taken over."""

    number: int = Field(description="Which of those that were sent, counted from 1.")
    why: str


class ImportedAnswer(BaseModel):
    """What became of exported memories."""

    imported: int
    known: int = Field(description="Those that were there already.")
    refused: list[RefusedAnswer] = Field(description="Those that were not taken over; the others were.")


class LogAnswer(BaseModel):
    """What happened to memories, newest first."""

    log: list[LogLine]
