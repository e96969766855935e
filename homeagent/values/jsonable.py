"""Plain JSON values out of what the code works with, and out of what a model wrote."""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Iterable, Mapping
from datetime import date, datetime, time, timedelta
from enum import Enum
from pathlib import PurePath
from typing import Any

_DEEPEST = 32
"""Levels of a model's JSON: nothing that is asked for has as many, and what follows walks through it level by level."""


def parsed(text: str) -> Any:
    """The value that a text is as JSON; None where it is none, or is nested deeper than anything that is asked for."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    level = [value]
    for _ in range(_DEEPEST):
        level = [inner for one in level for inner in _inside(one)]
        if not level:
            return value
    return None


def _inside(value: object) -> Iterable[object]:
    return value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()


def jsonable(value: object) -> Any:
    """``value`` as dicts, lists, strings, numbers, booleans and None.

    Times become ISO texts, enums their values, dataclasses and mappings dicts, other iterables lists; NaN and infinity,
    which JSON does not have, become None. Whatever else becomes its text.
    """
    if value is None or (isinstance(value, bool | int | str) and not isinstance(value, Enum)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Enum):
        return jsonable(value.value)
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, timedelta):
        return value.total_seconds()
    if isinstance(value, PurePath):
        return str(value)
    return _compound(value)


def _compound(value: object) -> object:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: jsonable(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(jsonable(key)): jsonable(item) for key, item in value.items()}
    if hasattr(value, "model_dump"):
        return jsonable(value.model_dump())
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if isinstance(value, Iterable):
        return [jsonable(item) for item in value]
    return str(value)
