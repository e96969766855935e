"""What a person is told about their memories, in their language. The words are data: ``phrases.toml``."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources

from homeagent.turns.phrases import worded


def phrase(key: str, language: str, **filled: object) -> str:
    """The phrase in the language, else in English; placeholders filled in."""
    return worded(_table(), key, language, **filled)


@cache
def _table() -> dict[str, dict[str, str]]:
    return tomllib.loads((resources.files("homeagent.remembering") / "phrases.toml").read_text("utf-8"))
