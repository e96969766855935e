"""Errors of the index.

IndexerError
├── EmbedderUnavailable     the model cannot be loaded, or its process died
└── StoreError
    ├── StoreUnavailable    Chroma cannot be opened or reached
    └── StoreCorrupt        the files on disk are damaged; the index is rebuilt from cached vectors
"""

from __future__ import annotations


class IndexerError(Exception):
    """Base of every error of this package. ``hint`` says what the reader can do about it."""

    hint = ""

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        if hint is not None:
            self.hint = hint


class EmbedderUnavailable(IndexerError):
    hint = "Run `homeagent doctor` to see why. Word matching carries on meanwhile."


class StoreError(IndexerError):
    """Base of what the vector store can raise."""


class StoreUnavailable(StoreError):
    hint = "Check `index.chroma_url`, or the free space and the rights of the data folder."


class StoreCorrupt(StoreError):
    hint = "Nothing to do: the index is rebuilt from the cached vectors."
