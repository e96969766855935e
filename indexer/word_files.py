"""Files of words, which are YAML."""

from __future__ import annotations

from typing import Any


def read_words(text: str) -> Any:
    """The content of a file of words: every scalar is a string, as "on", "no" and "30" are words there.

    Read in C where that can be, which is ten times as fast.
    """
    import yaml

    return yaml.load(text, Loader=getattr(yaml, "CBaseLoader", yaml.BaseLoader))
