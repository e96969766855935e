"""Errors of memory.

MemoriesError
├── InvalidMemory      what was to be remembered, or asked, does not fit     422
├── MemoryNotFound     there is no memory of that id                         404
└── MemoryConflict     others write the same at this very moment             409

``code`` is stable for programs, ``hint`` says what the reader can do, ``http_status`` is for whoever answers a request.
"""

from __future__ import annotations

from indexer.errors import HintedError


class MemoriesError(HintedError):
    """Base of every error of this package. ``code`` and ``http_status`` are what the API answers; ``hint`` says what to
    do.
    """

    code = "memory"
    http_status = 500


class InvalidMemory(MemoriesError):
    """``field`` names what does not fit."""

    code = "invalid_input"
    http_status = 422

    def __init__(self, field: str, message: str, *, hint: str | None = None) -> None:
        super().__init__(f"{field}: {message}", hint=hint)
        self.field = field


class MemoryNotFound(MemoriesError):
    """No memory has this id."""

    code = "not_found"
    http_status = 404
    hint = "`homeagent memory list` shows what there is."

    def __init__(self, memory_id: str) -> None:
        super().__init__(f"There is no memory {memory_id[:64]!r}.")
        self.memory_id = memory_id


class MemoryConflict(MemoriesError):
    """Another process changed the same memory each time it was to be written."""

    code = "conflict"
    http_status = 409
    hint = "Try again in a moment."

    def __init__(self) -> None:
        super().__init__("Another process keeps changing the same memory.")
