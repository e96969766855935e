"""The files of each language: one folder a language, one file for each purpose that words are needed for.

Any of them may be missing; what needs it then does without, as docs/languages.md tells. Of all of `homeagent`, only
this and `codes` are used by `indexer` and `memory`.
"""

from __future__ import annotations

from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any

from homeagent.languages.language_codes import best_match

_FOLDER = Path(__file__).parent


class Part(StrEnum):
    """What a language's words are for; its file has that name."""

    WORDS = "words"
    """The pack: what people say to their home."""
    KINDS = "kinds"
    """What kinds of things are called; needed to find them."""
    PURPOSES = "purposes"
    """What things are for, as people say it; compared by meaning, so that English alone does."""
    TIMES = "times"
    """Times gone by and to come."""
    TIMERS = "timers"
    """Timers, alarms, reminders, and what is done with them."""
    SAFETY = "safety"
    """Questions about what is open, locked, armed, hot."""
    CONSENT = "consent"
    """Yes and no."""
    ANSWERS = "answers"
    """What the agent says."""
    CLAIMS = "claims"
    """What a model says that it did, and how things are."""
    MEMORY = "memory"
    """What people ask to remember, and how they say things of themselves."""
    ASKING_BACK = "asking_back"
    """What people ask about that they told."""
    OUTSIDE = "outside"
    """How texts of others speak to an assistant, and what in a question is somebody's own affair."""
    CANONICAL = "canonical"
    """The plain sentence for each thing that is wanted, which is read where other words were said."""
    PAGE = "page"
    """What stands on the service's web page."""


@cache
def languages_with(part: Part) -> tuple[str, ...]:
    """Codes of the languages that have a file for this, sorted."""
    return tuple(sorted(file.parent.name for file in _FOLDER.glob(f"*/{part}.yaml")))


def file_of(code: str, part: Part) -> Path:
    """The file of a language, which may not exist."""
    return _FOLDER / code / f"{part}.yaml"


def read_part(language: str, part: Part) -> tuple[str, Any] | None:
    """The code of the language that fits best, and what its file says; None where there is none. Blocks."""
    code = best_match(language, languages_with(part))
    return (code, read_words(file_of(code, part).read_text("utf-8"))) if code is not None else None


def read_words(text: str) -> object:
    """The content of a file of words: every scalar is a string, as "on", "no" and "30" are words there.

    Read in C where that can be, which is ten times as fast.
    """
    import yaml

    return yaml.load(text, Loader=getattr(yaml, "CBaseLoader", yaml.BaseLoader))
