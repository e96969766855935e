"""Opening Chroma: its files in a folder, or a server; and trying whether a collection is whole."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import numpy as np

from indexer.chroma_errors import version_clash
from indexer.errors import StoreCorrupt, StoreUnavailable
from indexer.light_imports import import_chromadb

if TYPE_CHECKING:
    from chromadb.api import ClientAPI
    from chromadb.api.models.Collection import Collection

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
