"""Errors of the index.

IndexerError
├── ChildError
│   ├── ChildDied           a child process ended, or was never started
│   ├── ChildTimeout        it did not answer in time
│   └── ChildFailed         a library's error in it: carries the type's name
├── EmbedderUnavailable     the model cannot be loaded, or its process died
└── StoreError
    ├── StoreUnavailable    Chroma cannot be opened or reached
    └── StoreCorrupt        the files on disk are damaged; the index is rebuilt from cached vectors
"""

from __future__ import annotations

LIBRARY_ERRORS = (
    *(ArithmeticError, AssertionError, AttributeError, ImportError, LookupError),
    *(MemoryError, OSError, RuntimeError, TypeError, ValueError),
)
"""What a heavy library raises, at its import too, where it meets what it did not expect."""


class HintedError(Exception):
    """Base of the errors of all packages. ``hint`` says what the reader can do about it (may be empty)."""

    hint = ""

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        if hint is not None:
            self.hint = hint


class IndexerError(HintedError):
    """Base of every error of this package."""


class ChildError(IndexerError):
    """Base of what a call into a child process can raise by itself."""


class ChildDied(ChildError):
    """The child process ended during the call, or was never started."""

    hint = "It is started again. The log holds what it wrote last."


class ChildTimeout(ChildError):
    """The child process did not answer in time."""

    hint = "The machine may be busy; try again."


class ChildFailed(ChildError):
    """An error in the child that is not one of this project's. ``type_name`` is its class's name."""

    def __init__(self, type_name: str, message: str) -> None:
        super().__init__(f"{type_name}: {message}" if message else type_name)
        self.type_name = type_name


class EmbedderUnavailable(IndexerError):
    """There are no vectors of texts: the model cannot be loaded, is still loading, or its process died."""

    hint = "Run `homeagent doctor` to see why. Word matching carries on meanwhile."


class StoreError(IndexerError):
    """Base of what the vector store can raise."""


class StoreUnavailable(StoreError):
    """Chroma cannot be opened or reached; its files may be whole."""

    hint = "Check `index.chroma_url`, or the free space and the rights of the data folder."


class StoreCorrupt(StoreError):
    """Chroma's files are damaged and must be made anew."""

    hint = "Nothing to do: the index is rebuilt from the cached vectors."
