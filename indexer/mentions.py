"""What a sentence mentions: names, areas, floors, kinds, numbers. Worked out once a turn and shared."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class MentionKind(StrEnum):
    NAME = "name"
    AREA = "area"
    FLOOR = "floor"
    DOMAIN = "domain"
    DEVICE_CLASS = "device_class"
    LABEL = "label"
    NUMBER = "number"
    EVERY = "every"
    EXCEPT = "except"
    UNKNOWN_PLACE = "unknown_place"


@dataclass(frozen=True, slots=True)
class Mention:
    """A stretch of the sentence and what it stands for.

    ``values`` are entity ids for a name, area ids, floor ids, domains, device classes, label names, or the number as
    text; ``start`` and ``end`` are character offsets in the sentence; ``score`` is 0 to 1 (1: exact).
    """

    kind: MentionKind
    text: str
    start: int
    end: int
    values: tuple[str, ...]
    score: float = 1.0


@dataclass(frozen=True, slots=True)
class Mentions:
    """All that a sentence mentions, in the order of the sentence. ``plural``: it asks for a whole set."""

    text: str
    items: tuple[Mention, ...] = ()
    plural: bool = False

    def of(self, kind: MentionKind) -> tuple[Mention, ...]:
        return tuple(m for m in self.items if m.kind is kind)

    def values(self, kind: MentionKind) -> tuple[str, ...]:
        """The distinct values of a kind, in the order of the sentence."""
        return tuple(dict.fromkeys(v for m in self.of(kind) for v in m.values))
