"""How a new statement stands to one that is known."""

from __future__ import annotations

from enum import StrEnum


class Relation(StrEnum):
    """``SAME``: known already. ``DIFFERENT``: about something else; both stay. All others: the new one takes over."""

    SAME = "same"
    NEW_VALUE = "new_value"
    """Another number, date, unit or name for the same thing."""
    CORRECTION = "correction"
    """It says itself that the old one was wrong."""
    NARROWING = "narrowing"
    """The old one, under a condition."""
    CONTRADICTION = "contradiction"
    """The one denies the other."""
    DIFFERENT = "different"
