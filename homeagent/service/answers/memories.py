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


class ToldAnswer(BaseModel):
    """Who told it. What is not known is null."""

    at: str
    channel: str | None = Field(description="tool, service, cli …")
    user_id: str | None
    name: str | None = Field(description="What that user is called in Home Assistant.")
    turn_id: str | None
    said: str | None = Field(description="The sentence, where its turn is kept and whoever asks may see it.")


class UseAnswer(BaseModel):
    """That it was shown to somebody, or to a model for them."""

    at: str
    turn_id: str | None
    said: str | None = Field(description="The sentence that it was for, as in `told`.")


class WholeMemoryAnswer(MemoryAnswer):
    """A memory and its life; what it replaced, what it was used for and what happened to it come newest first."""

    told: ToldAnswer
    replaced_by: Memory | None
    history: list[Memory]
    uses: list[UseAnswer] = Field(description="The last twenty of a year.")
    log: list[LogLine]


class ForgottenAnswer(BaseModel):
    """How many memories were forgotten."""

    deleted: int


class ExportAnswer(BaseModel):
    """All memories with their history."""

    memories: list[dict[str, Any]] = Field(description="As `import_memories` takes them; empty for `markdown`.")
    markdown: str | None = Field(description="A Markdown file, as `import_memories` takes it; null for `json`.")


class RefusedAnswer(BaseModel):
    """One that was not taken over."""

    number: int = Field(description="Which of those that were sent, or the line of the Markdown; counted from 1.")
    why: str


class ImportedAnswer(BaseModel):
    """What became of exported memories."""

    imported: int
    changed: int = Field(description="Those of a Markdown file that were there and say something else now.")
    known: int = Field(description="Those that were there already.")
    refused: list[RefusedAnswer] = Field(description="Those that were not taken over; the others were.")


class LogAnswer(BaseModel):
    """What happened to memories, newest first."""

    log: list[LogLine]
