"""Fills the plain sentences of an intent with what was said, and tells what of that each leaves out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from homeagent.brains.local.surroundings import Surroundings
from homeagent.domains import profile_of
from homeagent.intents.canonical import Slot, canonical_sentences, filled, slots_of
from homeagent.intents.intent import Intent
from homeagent.understanding.home_names import HomeNames
from homeagent.understanding.sentence_parts import Part, SentenceParts, degrees_of, percent_of
from homeagent.understanding.spans import Choice
from indexer.entity import Entity

_VALUES = frozenset({Slot.PERCENT, Slot.TEMPERATURE, Slot.COLOUR, Slot.SOURCE, Slot.CLOCK, Slot.DURATION, Slot.ITEM})
"""Slots for what something is set to."""
_TIMES = frozenset({Slot.CLOCK, Slot.DURATION})
_PLACED = frozenset({Slot.PLACE, "scene"})
"""Slots that say where: a scene is for certain things, wherever it was said to be."""


class Left(StrEnum):
    """What a plain sentence leaves out of what was said."""

    NOTHING = "nothing"
    THINGS = "things"
    """A thing that stands in the same room, or a share in no number."""
    MORE = "more"
    """A place, a time, a value: without it another thing is said."""


@dataclass(frozen=True, slots=True)
class PlainSentence:
    """A sentence with its slots filled. ``used``: the things that it names; ``said``: the parts of what was said that
    it holds."""

    text: str
    slots: frozenset[str]
    used: tuple[Entity, ...]
    said: tuple[Part, ...]

    @property
    def valued(self) -> bool:
        """Whether it says what something is set to."""
        return bool(_VALUES & self.slots)

    @property
    def timed(self) -> bool:
        """Whether it says when, or for how long."""
        return bool(_TIMES & self.slots)

    def guesses(self, parts: SentenceParts) -> bool:
        """Whether nothing was said but what it is filled with, so that only a guess tells what for."""
        return all(part.overlaps(self.said) for part in parts.told)

    def left(self, parts: SentenceParts, reached: Sequence[Entity] = ()) -> Left:
        """What it leaves out, where it is an order for the things ``reached``. Kinds of things are left to
        `of_kinds`."""
        numbers, choices = [part for part, _ in parts.numbers], [part for part, _ in parts.choices]
        movable = [things for _, things in parts.named if any(profile_of(e.domain).actions for e in things)]
        left = self._left(parts, movable, (*self.used, *reached), [*numbers, *choices, *parts.colours])
        shares = [] if numbers else [part for part, _ in parts.levels]
        return left if all(part.overlaps(self.said) for part in shares) or left is Left.MORE else Left.THINGS

    def left_by_question(self, parts: SentenceParts) -> Left:
        """What it leaves out, where it is a question: that needs no number."""
        return self._left(parts, [things for _, things in parts.named], self.used, ())

    def _left(
        self, parts: SentenceParts, named: Sequence[Sequence[Entity]], about: Sequence[Entity], values: Sequence[Part]
    ) -> Left:
        times = (*parts.lengths, *parts.clocks, *(parts.days if parts.ahead else ()))
        placed = bool(_PLACED & self.slots) or not parts.places or (bool(about) and all(map(parts.at, about)))
        near = all(any(u == e or _share_room(u, e) for u in about for e in things) for things in named)
        if not placed or not near or any(not part.overlaps(self.said) for part in (*times, *values)):
            return Left.MORE
        return Left.NOTHING if all({*things} & {*about} for things in named) else Left.THINGS


def plain_sentences(
    intent: Intent, parts: SentenceParts, language: str, names: HomeNames, around: Surroundings
) -> Iterator[PlainSentence]:
    """The plain sentences of an intent whose slots can be filled, the one that tells most first."""
    for sentence in canonical_sentences(language).get(intent, ()):
        slots = slots_of(sentence)
        filler = _Filler(parts, names, around, choosing=Slot.SOURCE in slots)
        if (text := filled(sentence, filler.fill)) is not None:
            yield PlainSentence(text, slots, tuple(filler.used), tuple(filler.said))


def of_kinds(parts: SentenceParts, reached: Sequence[Entity], names: HomeNames) -> bool:
    """Whether a thing was named, or each word for a kind of things is one for something of what is reached."""
    kinds = [[names.of_kind(concept, near=True) for concept in concepts] for _, concepts in parts.kinds]
    return bool(parts.named) or all(any(e.entity_id in kind for e in reached for kind in either) for either in kinds)


class _Filler:
    """Fills the slots of one sentence, and notes what it used. ``choosing``: a thing has to offer what was chosen."""

    def __init__(self, parts: SentenceParts, names: HomeNames, around: Surroundings, *, choosing: bool) -> None:
        self._parts, self._names, self._around, self._choosing = parts, names, around, choosing
        self.used: list[Entity] = []
        self.said: list[Part] = []

    def fill(self, slot: str) -> str | None:
        """The words for a slot; None where there are none."""
        if slot not in _FILLED:
            return self._thing(None if slot == Slot.THING else slot)
        found = _FILLED[Slot(slot)](self._parts)
        if found is None or not found[0]:
            return None
        self.said += found[1:]
        return found[0]

    def _thing(self, domain: str | None) -> str | None:
        """The thing that was named, of a domain where one is given; else the only one of it, of the kind and in the
        place that were said, or that is at work, or where the speaker is, or of the home."""
        for part, things in self._parts.named:
            found = [e for e in things if domain is None or self._names.counts_as(e, {domain})]
            if found and (not self._choosing or self._offers(found)):
                self.used += found
                self.said.append(part)
                return found[0].name if len(found) == 1 else part.words
        if domain is None:
            return None
        able = [e for e in self._names.of_domain(domain) if e.in_plurals and self._parts.at(e) and self._is_near(e)]
        able = self._of_kind(self._offers(able) if self._choosing else able)
        here = [e for e in able if e.area is not None and e.area.area_id == self._around.area_id]
        at_work = [e for e in able if self._around.home.state_text(e.entity_id) in profile_of(e.domain).at_work]
        only = next((few for few in (able, at_work, here) if len(few) == 1), None)
        if only is None:
            return None
        self.used += only
        return only[0].name

    def _offers(self, things: Sequence[Entity]) -> list[Entity]:
        """Those that can be set to what was chosen."""
        able = {choice.entity_id for _, choices in self._parts.choices for choice in choices}
        return [e for e in things if e.entity_id in able]

    def _of_kind(self, things: list[Entity]) -> list[Entity]:
        """Those of a kind that was said; all where none of them is."""
        said = {e for _, concepts in self._parts.kinds for c in concepts for e in self._names.of_kind(c, near=False)}
        return [e for e in things if e.entity_id in said] or things

    def _is_near(self, entity: Entity) -> bool:
        """Whether each thing that was named stands in the same room: it may say where."""
        return all(any(_share_room(entity, e) for e in things) for _, things in self._parts.named)


def _share_room(one: Entity, other: Entity) -> bool:
    return one.area is not None and other.area is not None and one.area.area_id == other.area.area_id


Found = tuple[str, *tuple[Part, ...]] | None
"""The words for a slot, and the parts that they are; None where there are none, or several that differ."""


def _only(parts: Sequence[Part]) -> Found:
    return (parts[0].words, parts[0]) if len(parts) == 1 else None


def _is_source(choices: Sequence[Choice]) -> bool:
    return any(choice.parameter == Slot.SOURCE for choice in choices)


def _joined(parts: Sequence[Part]) -> Found:
    return (" ".join(p.words for p in parts), *parts) if parts else None


_FILLED: Mapping[Slot, Callable[[SentenceParts], Found]] = {
    Slot.PLACE: lambda parts: _only([part for part, _ in parts.places]),
    Slot.DAY: lambda parts: _joined(parts.days),
    Slot.WHICH_DAY: lambda parts: (" ", *parts.asked_days) if parts.asked_days else None,
    Slot.CLOCK: lambda parts: _only(parts.clocks),
    Slot.DURATION: lambda parts: _only(parts.lengths),
    Slot.PERCENT: percent_of,
    Slot.TEMPERATURE: degrees_of,
    Slot.COLOUR: lambda parts: _only(parts.colours),
    Slot.SOURCE: lambda parts: _only([part for part, choices in parts.choices if _is_source(choices)]),
    Slot.ITEM: lambda parts: _only(parts.items),
    Slot.TITLE: lambda parts: _joined(parts.free),
}
