"""What Home Assistant sends, taken for what it is: a value of another shape is left out and told, never a crash.

Home Assistant and its integrations may send null, other types or half characters where a text belongs. The rest of the
message is as good as before, so each row is read by itself.
"""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any, TypeVar

_log = logging.getLogger(__name__)
R = TypeVar("R")

MALFORMED = (KeyError, IndexError, TypeError, ValueError, AttributeError, OverflowError, RecursionError)
"""What reading a value of an unexpected shape raises."""
LONGEST_TEXT = 500
"""Characters of a name; more is nobody's name, and would be compared with every sentence."""
LONGEST_STATE = 255
"""Characters of a state, as in Home Assistant."""
_SILENCE = 60.0
"""Seconds between two lines in the log about the same kind of value."""
_NOTHING: Mapping[str, object] = MappingProxyType({})
_told: dict[str, float] = {}
_untold: dict[str, int] = {}


def mapping(value: object) -> Mapping[str, Any]:
    """The value where it is an object of JSON, else an empty one."""
    return value if isinstance(value, Mapping) else _NOTHING


def items(value: object) -> list[Any]:
    """The value where it is a list, else an empty one."""
    return value if isinstance(value, list) else []


def text(value: object) -> str | None:
    """The text without surrounding blanks, cut where it is endless; None where there is none."""
    return value.strip()[:LONGEST_TEXT] or None if isinstance(value, str) else None


def texts(value: object) -> tuple[str, ...]:
    """The texts of a list, in its order; what is no text is left out."""
    return tuple(found for one in items(value) if (found := text(one)))


def needed(value: object) -> str:
    """The text. Raises ValueError where there is none."""
    if (found := text(value)) is None:
        raise ValueError("a text is missing")
    return found


def state_text(value: object) -> str:
    """A state: a text, cut as Home Assistant cuts it. Raises TypeError for what is none."""
    if not isinstance(value, str | int | float):
        raise TypeError("a state is no text")
    return str(value)[:LONGEST_STATE]


def number(value: object) -> float | None:
    """The finite number; None where it is none."""
    fits = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if fits and abs(value) < 1e300 and math.isfinite(value) else None  # type: ignore[arg-type]


def moment(seconds: object) -> datetime:
    """Epoch seconds as an aware time, UTC. Raises ValueError where they are none, or beyond the calendar."""
    found = number(seconds)
    if found is None:
        raise ValueError("a time is no number")
    try:
        return datetime.fromtimestamp(found, UTC)
    except (OverflowError, OSError) as error:
        raise ValueError("a time is beyond the calendar") from error


def each(what: str, rows: object, read: Callable[[Any], R]) -> Iterator[R]:
    """What ``read`` makes of each row; the rows that it does not understand are left out and told as ``what``."""
    for row in rows if isinstance(rows, Iterable) and not isinstance(rows, str) else ():
        try:
            made = read(row)
        except MALFORMED as error:
            tell(what, error)
        else:
            yield made


def tell(what: str, error: BaseException) -> None:
    """A line in the log about a value of another shape: at most one a minute for each kind, with how many since."""
    now = time.monotonic()
    if now - _told.get(what, -_SILENCE) < _SILENCE:
        _untold[what] = _untold.get(what, 0) + 1
        return
    _told[what] = now
    more = f" (and {count} more since)" if (count := _untold.pop(what, 0)) else ""
    _log.warning("did not understand %s of Home Assistant: %r%s", what, error, more)
