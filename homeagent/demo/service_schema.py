"""What a service accepts: fields and validators, and Home Assistant's words for what does not fit."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any

from homeagent.demo.failures import InvalidFormat

Validator = Callable[[Any], Any]
"""Takes what was given, returns what is meant. Raises ValueError with what is wrong."""

_MISSING: object = object()


def words(line: str) -> frozenset[str]:
    """The words of a line, as a set."""
    return frozenset(line.split())


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a service. Of fields with the same ``group`` only one may be given."""

    validate: Validator
    required: bool = False
    default: Any = _MISSING
    group: str | None = None


def required(validate: Validator) -> Field:
    """A field that a call must have."""
    return Field(validate, required=True)


def optional(validate: Validator, default: object = _MISSING, group: str | None = None) -> Field:
    """A field that a call may lack: then it is ``default``, or not there at all. ``group``: see `Field`."""
    return Field(validate, default=default, group=group)


def check(fields: Mapping[str, Field], data: Mapping[str, object]) -> dict[str, Any]:
    """The data as a service takes it. Raises InvalidFormat."""
    for name in data:
        if name not in fields:
            raise InvalidFormat(f"extra keys not allowed @ data['{name}']")
    groups: set[str] = set()
    found = {}
    for name, field in fields.items():
        if name not in data:
            if field.required:
                raise InvalidFormat(f"required key not provided @ data['{name}']")
            if field.default is not _MISSING:
                found[name] = field.default
            continue
        if field.group in groups:
            raise InvalidFormat(
                f"two or more values in the same group of exclusion '{field.group}' @ data[<{field.group}>]"
            )
        if field.group:
            groups.add(field.group)
        try:
            found[name] = field.validate(data[name])
        except (TypeError, ValueError) as error:
            raise InvalidFormat(f"{error} for dictionary value @ data['{name}']") from error
    return found


def text(value: object) -> str:
    """A text, or a number or boolean as a text. Raises ValueError for None, lists and mappings."""
    if value is None:
        raise ValueError("string value is None")
    if isinstance(value, (list, dict)):
        raise ValueError("value should be a string")
    return str(value)


def boolean(value: object) -> bool:
    """A boolean, a number (0 is false), or HA's words for either. Raises ValueError."""
    if isinstance(value, bool):
        return value
    if isinstance(value, str):
        if value.lower().strip() in ("1", "true", "yes", "on", "enable"):
            return True
        if value.lower().strip() in ("0", "false", "no", "off", "disable"):
            return False
    elif isinstance(value, (int, float)):
        return value != 0
    raise ValueError(f"invalid boolean value {value}")


def anything(value: object) -> Any:
    """Whatever was given, unchecked."""
    return value


def integer(low: int | None = None, high: int | None = None, *, clamp: bool = False) -> Validator:
    """A whole number from ``low`` to ``high``; beyond them an error, or with ``clamp`` the nearest of the two."""
    return _numeric(int, low, high, clamp)


def number(low: float | None = None, high: float | None = None, *, clamp: bool = False) -> Validator:
    """A number from ``low`` to ``high``; beyond them an error, or with ``clamp`` the nearest of the two."""
    return _numeric(float, low, high, clamp)


def _numeric(kind: Callable[[Any], Any], low: float | None, high: float | None, clamp: bool) -> Validator:
    def validate(value: Any) -> object:
        try:
            found = kind(value)
        except (TypeError, ValueError) as error:
            raise ValueError(f"expected {kind.__name__}") from error
        if found != found:
            raise ValueError("invalid value nan")
        if clamp:
            return max(low if low is not None else found, min(high if high is not None else found, found))
        if low is not None and found < low:
            raise ValueError(f"value must be at least {low}")
        if high is not None and found > high:
            raise ValueError(f"value must be at most {high}")
        return found

    return validate


def one_of(allowed: Collection[str]) -> Validator:
    """One of these texts."""

    def validate(value: object) -> str:
        if value not in allowed:
            raise ValueError(f"value must be one of {sorted(allowed)}")
        return str(value)

    return validate


def enum_of(name: str, allowed: Collection[str]) -> Validator:
    """As Home Assistant words it for its own enums."""

    def validate(value: object) -> str:
        if value not in allowed:
            raise ValueError(f"expected {name} or one of {', '.join(repr(one) for one in allowed)}")
        return str(value)

    return validate


def texts(value: object) -> list[str]:
    """A list of texts; a single one may stand for a list."""
    return [text(one) for one in (value if isinstance(value, list) else [value])]


def numbers(*each: Validator) -> Validator:
    """A sequence with one number for each validator."""

    def validate(value: object) -> tuple[object, ...]:
        found = tuple(value) if isinstance(value, (list, tuple)) else (value,)
        if len(found) != len(each):
            raise ValueError(f"sequence must have {len(each)} items")
        return tuple(one(item) for one, item in zip(each, found, strict=True))

    return validate


def mapping(value: Any) -> dict[str, Any]:
    """A mapping. Raises ValueError."""
    if not isinstance(value, dict):
        raise ValueError("expected dict")
    return value


def duration(value: Any) -> timedelta:
    """Seconds, ``[H]H:MM[:SS]``, or a mapping of hours, minutes, seconds."""
    if isinstance(value, dict):
        return timedelta(**{key: float(part) for key, part in value.items()})
    if isinstance(value, str) and ":" in value:
        parts = [int(part) for part in value.split(":")]
        hours, minutes, seconds = (*parts, 0)[:3]
        return timedelta(hours=hours, minutes=minutes, seconds=seconds)
    return timedelta(seconds=float(value))


def a_date(value: object) -> date:
    """An ISO 8601 date. Raises ValueError."""
    return date.fromisoformat(str(value))


def a_time(value: object) -> time:
    """An ISO 8601 time of day. Raises ValueError."""
    return time.fromisoformat(str(value))


def a_datetime(value: object) -> datetime:
    """An ISO 8601 date and time; naive where no offset is given. Raises ValueError."""
    return datetime.fromisoformat(str(value))
