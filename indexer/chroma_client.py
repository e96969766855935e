"""Opening Chroma: its files in a folder, or a server; and trying whether a collection is whole."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, Protocol, TypeVar, cast
from urllib.parse import urlsplit

import numpy as np

from indexer.errors import LIBRARY_ERRORS, StoreCorrupt, StoreError, StoreUnavailable
from indexer.light_imports import import_chromadb

if TYPE_CHECKING:
    from chromadb.api import ClientAPI
    from chromadb.api.models.Collection import Collection

_NOT_DAMAGE = ("(code: 13)", "(code: 8)", "(code: 14)", "(code: 5)", "os error 28", "Errno 28", "Errno 13", "Errno 30")
"""SQLite's and the system's words for a full disk, missing rights and a busy file: a rebuild would not help."""

_INSIDE = ("Error executing plan", "Error in compaction", "Internal error")
"""Chroma's words for what went wrong after it had taken the arguments."""


class Place(Protocol):
    """What errors are told of: a folder, or the server at ``url``. `forget` drops what is known of collections."""

    folder: Path
    url: str | None

    def forget(self) -> None:
        """Called when Chroma no longer has a collection that was known."""


_Store = TypeVar("_Store", bound=Place)
_P = ParamSpec("_P")
_R = TypeVar("_R")


def named_errors(method: Callable[Concatenate[_Store, _P], _R]) -> Callable[Concatenate[_Store, _P], _R]:
    """Damaged files are `StoreCorrupt`, the caller's mistake is a `StoreError`, all else is `StoreUnavailable`."""

    @wraps(method)
    def call(self: _Store, *args: _P.args, **kwargs: _P.kwargs) -> _R:
        import httpx

        ChromaError, NotFoundError = _chromas_errors()
        try:
            return method(self, *args, **kwargs)
        except StoreError:
            raise
        except (ChromaError, httpx.HTTPError, OSError, ValueError, RuntimeError) as error:
            if isinstance(error, NotFoundError):
                self.forget()
            raise _translated(error, self) from error

    return cast("Callable[Concatenate[_Store, _P], _R]", call)


def _chromas_errors() -> tuple[type[Exception], type[Exception]]:
    """The base of Chroma's errors, and the one for what is not there. Raises `StoreUnavailable` where it is broken."""
    try:
        import_chromadb()
        from chromadb.errors import ChromaError, NotFoundError
    except LIBRARY_ERRORS as error:
        raise StoreUnavailable(
            f"Chroma cannot be imported: {type(error).__name__}: {error}",
            hint="Install homeagent anew, with a Python whose SQLite is 3.35 or newer. Word matching carries on.",
        ) from error
    return ChromaError, NotFoundError


def _translated(error: Exception, place: Place) -> StoreError:
    """Ours for Chroma's: the caller's mistake, a store that cannot be used, or one that is damaged."""
    from chromadb.errors import DuplicateIDError, InvalidArgumentError, InvalidDimensionException

    refused = isinstance(error, (DuplicateIDError, InvalidArgumentError, InvalidDimensionException, ValueError))
    if refused and not _failed_inside(str(error)):
        return StoreError(f"The vector store refuses this: {error}")
    if place.url is not None:
        return StoreUnavailable(f"The Chroma server at {place.url} failed: {error}")
    if any(sign in str(error) for sign in _NOT_DAMAGE):
        return StoreUnavailable(f"The vector store in {place.folder} cannot be used: {error}")
    return StoreCorrupt(f"The vector store in {place.folder} is damaged: {error}")


def _failed_inside(message: str) -> bool:
    """Whether Chroma failed at its own files, although it may call that an invalid argument."""
    return "dimension" not in message and any(sign in message for sign in _INSIDE)


def version_clash(error: Exception, url: str) -> StoreUnavailable:
    """A server that answers in a way that this client does not understand."""
    return StoreUnavailable(
        f"The Chroma server at {url} speaks another version: {error!r}",
        hint=f"This client is chromadb {version('chromadb')}; run a server of the same version.",
    )


_PROBES = 12
"""Stored vectors that are asked for after opening."""


def in_folder(path: Path) -> ClientAPI:
    """A client of the files in a folder. Raises `StoreUnavailable` where the installed Chroma keeps none."""
    chromadb = import_chromadb()
    if chromadb.config.is_thin_client:
        raise StoreUnavailable(
            "The installed Chroma is the client alone (the package chromadb-client), which keeps no files of its own.",
            hint="Install `chromadb` in its place, or name a Chroma server in `index.chroma_url`.",
        )
    client: ClientAPI = chromadb.PersistentClient(path=str(path), settings=_settings())
    return client


def on_server(url: str) -> tuple[ClientAPI, dict[str, int]]:
    """A client of a server, and the sizes of its collections. Raises `StoreUnavailable`."""
    parts = urlsplit(url)
    import httpx

    chromadb = import_chromadb()
    from chromadb.errors import ChromaError

    try:
        client = chromadb.HttpClient(
            host=parts.hostname or "localhost",
            port=parts.port or (443 if parts.scheme == "https" else 8000),
            ssl=parts.scheme == "https",
            settings=_settings(),
        )
        return client, {c.name: c.count() for c in client.list_collections()}
    except (KeyError, AttributeError, TypeError) as error:
        raise version_clash(error, url) from error
    except (ChromaError, httpx.HTTPError, ValueError, RuntimeError, OSError) as error:
        raise StoreUnavailable(
            f"The Chroma server at {url} cannot be used: {error}",
            hint="Check that it runs and that `index.chroma_url` is right. Word matching carries on meanwhile.",
        ) from error


def try_collection(collection: Collection) -> int:
    """Count, and ask for a few stored vectors: each must find something, and one at least itself.

    Not each: among hundreds of equal vectors (things of one name) a healthy index does not find all of them.
    """
    count = collection.count()
    if not count:
        return 0
    some = collection.get(limit=_PROBES, include=["embeddings"])
    vectors = some["embeddings"]
    if vectors is None or len(vectors) != len(some["ids"]):
        raise StoreCorrupt(f"{collection.name} has entries without vectors")
    probes = np.asarray(vectors, np.float32)
    probes = probes[np.linalg.norm(probes, axis=1) != 0]
    if not len(probes):
        return count
    answer = collection.query(query_embeddings=probes, n_results=1, include=["distances"])
    nearest = [row[0] if row else np.inf for row in answer["distances"] or []]
    if not np.isfinite(nearest).all() or min(nearest, default=np.inf) > 1e-3:
        raise StoreCorrupt(f"{collection.name} does not find its own vectors")
    return count


def close_client(client: ClientAPI) -> None:
    """Let a client close its files, where its version of Chroma can."""
    close = getattr(client, "close", None)
    if close is not None:
        close()


def _settings() -> Any:
    from chromadb.config import Settings

    return Settings(anonymized_telemetry=False)
