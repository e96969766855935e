"""All that a class has been derived to: the kinds of an error, the types of an event."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

T = TypeVar("T")


def subclasses(base: type[T]) -> Iterator[type[T]]:
    """Every class under ``base``, itself left out, each before those under it. A dataclass with slots comes twice: it
    is made twice."""
    for kind in base.__subclasses__():
        yield kind
        yield from subclasses(kind)
