"""A sentence read together with the words that only mean something after another one: "both", "the kitchen ones"."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from homeagent.brains.language.lexicon import Spot, following
from homeagent.brains.language.reading import Reading
from homeagent.brains.local.meaning.request import Request
from homeagent.brains.local.things.fitting import is_place
from homeagent.turn import PastTurn
from indexer.entity import Entity
from indexer.mentions import Mention, MentionKind

_SAYS_WHOM = frozenset({"there", "indoors"})
"""Sections of which a word may tell whom or where; the words of the others never do."""


@dataclass(frozen=True)
class Leaning:
    """A sentence and what was before it.

    ``base``: the last turn that was about something, and ``before`` what it asked for; ``requests``: what each of the
    turns asked for, by its id, as far as that is known.
    """

    reading: Reading
    history: Sequence[PastTurn]
    base: PastTurn
    before: Request
    requests: Mapping[str, Request]

    @cached_property
    def spots(self) -> tuple[Spot, ...]:
        """The leaning words that were said. A single word that is part of a name is none."""
        return spots_of(self.reading)

    def has(self, section: str) -> bool:
        return any(s.section == section for s in self.spots)

    @cached_property
    def aside(self) -> frozenset[int]:
        """Positions of the words that lean, and so tell no thing."""
        return frozenset(p for s in self.spots if s.section not in _SAYS_WHOM for p in s.positions)

    @cached_property
    def own(self) -> tuple[int, ...]:
        """Positions of the words that say a thing or a place."""
        return tuple(p for p in self.reading.target if p not in self.aside)

    @cached_property
    def only_place(self) -> bool:
        """Whether nothing but a place is said."""
        own = self.own
        return bool(own) and all(is_place(self.reading, p) for p in own)

    @property
    def does(self) -> bool:
        """Whether it says what is to be done, or asks."""
        also = {p for s in self.reading.of("also") for p in s.positions}  # "what about the hall"
        return any(not also >= set(s.positions) for s in self.reading.of("actions", "adjust", "questions"))


def spots_of(reading: Reading) -> tuple[Spot, ...]:
    """The words of a clause that lean on what was before; none in a language that has no such words here."""
    lexicon = following(reading.lexicon.language)
    if lexicon is None:
        return ()
    plain = lexicon.spot(reading.words)
    bare = lexicon.spot(tuple(replace(w, mark="") for w in reading.words))
    return tuple(dict.fromkeys((*plain, *(s for s in bare if len(s.positions) > 1))))


def places_meant(
    reading: Reading, last: Sequence[Entity], outdoors: Callable[[], Collection[str]], areas: Sequence[str]
) -> tuple[Mention, ...]:
    """The room that "in there" means, which is that of what was spoken of last, and the rooms that "inside" does.

    ``outdoors`` tells the ids of the rooms that are outside; ``areas``: all.
    """
    ordered = reading.has("pronouns") and reading.of("set", "actions")
    if reading.of_kind(MentionKind.AREA, MentionKind.FLOOR) or ordered:
        return ()  # "set it to 21 in there": it says whom
    rooms = {e.area.area_id for e in last if e.area is not None}
    floors = {e.floor.floor_id for e in last if e.floor is not None}
    found = []
    for spot in spots_of(reading):
        first, end = reading.words[spot.positions[0]], reading.words[spot.positions[-1]]
        text = reading.text[first.start : end.end]
        if spot.section == "there" and len(rooms) == 1:
            found.append(Mention(MentionKind.AREA, text, first.start, end.end, tuple(rooms)))
        elif spot.section == "there" and len(floors) == 1:
            found.append(Mention(MentionKind.FLOOR, text, first.start, end.end, tuple(floors)))
        elif spot.section == "indoors" and (outside := outdoors()):
            inside = tuple(a for a in areas if a not in outside)
            found.append(Mention(MentionKind.AREA, text, first.start, end.end, inside))
    return tuple(found[:1])
