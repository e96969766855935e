"""The words that knowledge is told in, and the shapes that Home Assistant's configurations come in."""

from __future__ import annotations

import importlib.resources
import json
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any

from homeagent.prompting.firewall import clean

_LONGEST_VALUE = 60


def word(part: str, name: str) -> str:
    """One phrase."""
    return str(words()[part][name])


def fragments(part: str, kind: str) -> Mapping[str, str]:
    """A phrase in pieces: the one without a name always, each other where the configuration has its key."""
    found: Mapping[str, str] = words()[part].get(kind) or words()[part][""]
    return found


@cache
def words() -> Mapping[str, Any]:
    """Everything, as it is in `words.json`."""
    text = importlib.resources.files("homeagent.knowledge").joinpath("words.json").read_text(encoding="utf-8")
    read: Mapping[str, Any] = json.loads(text)
    return read


def listed(value: object) -> list[Any]:
    """Home Assistant takes one thing in place of a list of one."""
    return [] if value is None else value if isinstance(value, list) else [value]


def maps(value: object) -> Iterator[Mapping[str, object]]:
    """The mappings in a list, or the one that stands for a list; everything else is skipped."""
    return (one for one in listed(value) if isinstance(one, Mapping))


def as_map(value: object) -> Mapping[str, Any]:
    """The value where it is a mapping, else an empty one."""
    return value if isinstance(value, Mapping) else {}


def texts(value: object) -> list[str]:
    """Values that may be a list, or one text with commas."""
    return [part.strip() for one in listed(value) for part in _parts(one) if part.strip()]


def _parts(value: object) -> Iterable[str]:
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return text.split(",") if "{" not in text else [text]


def is_plain(value: object) -> bool:
    """Whether a value can be told as it is."""
    return isinstance(value, int | float) or (isinstance(value, str) and "{" not in value and value != "")


def cut(text: str, longest: int = _LONGEST_VALUE) -> str:
    """Data as it may stand in a line."""
    return clean(text, longest)


def untemplated(value: object) -> str:
    """A value as it may stand in a line; of a template only that there is something."""
    text = str(value)
    return "…" if "{" in text else cut(text)


def unexposed() -> str:
    """What is not exposed is called."""
    return word("whole", "unexposed")
