"""What a sentence mentions: names, areas, floors, kinds, numbers. Worked out once a turn and shared."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from indexer.words import tokens


class MentionKind(StrEnum):
    """What a stretch of a sentence stands for; see `Mention.values` for what each brings along."""

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
    HERE = "here"
    WHOLE_HOME = "whole_home"
    AGAIN = "again"
    ACTION = "action"


@dataclass(frozen=True, slots=True)
class Mention:
    """A stretch of the sentence and what it stands for.

    ``values`` are entity ids for a name, area ids, floor ids, domains, device classes, label names, the number as
    text, the nearest real places for an unknown one, or the domains that a verb implies (``ACTION``: "pause");
    ``HERE``, ``WHOLE_HOME`` and ``AGAIN`` ("it") have none. ``start`` and ``end`` are character offsets in
    ``Mentions.text``; ``score`` is 0 to 1 (1: exact). ``concepts`` are the concepts behind a domain, class or action.
    """

    kind: MentionKind
    text: str
    start: int
    end: int
    values: tuple[str, ...]
    score: float = 1.0
    concepts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Mentions:
    """All that a sentence mentions, in the order of the sentence. ``plural``: it asks for a whole set.

    ``text`` is the sentence in NFC, cut to what is read. ``excluded`` are the mentions that the sentence takes out
    ("except the hall lamp"); they are not among ``items``. ``unread`` are its words, in comparable spelling, that
    stand for nothing known and are not everyday filling words either.
    ``inner`` are mentions within the name of something ("living room" in "Living Room TV"), not among ``items``.
    """

    text: str
    items: tuple[Mention, ...] = ()
    plural: bool = False
    excluded: tuple[Mention, ...] = ()
    unread: tuple[str, ...] = ()
    inner: tuple[Mention, ...] = ()

    @property
    def unread_text(self) -> str:
        """The unread words as they are written; empty where all is read."""
        return " ".join(self.text[t.start : t.end] for t in tokens(self.text) if t.text in self.unread)

    def of(self, kind: MentionKind) -> tuple[Mention, ...]:
        """The mentions of one kind, in the order of the sentence."""
        return tuple(m for m in self.items if m.kind is kind)

    def values(self, kind: MentionKind) -> tuple[str, ...]:
        """The distinct values of a kind, in the order of the sentence."""
        return tuple(dict.fromkeys(v for m in self.of(kind) for v in m.values))
