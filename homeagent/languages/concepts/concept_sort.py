"""What every closed set of concepts is."""

from __future__ import annotations

from enum import Enum


class ConceptSort(Enum):
    """An enum whose members are looked up by what they are, not by their names: that happens thousands of times a
    sentence."""

    __hash__ = object.__hash__
