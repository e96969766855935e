"""What a sentence wants, put together from what it mentions and from the situation it is said in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from indexer.lexicon import Concept, EntityKind, Lexicon, concept, lexicon
from indexer.mentions import Mention, MentionKind, Mentions
from indexer.retrieval import Situation
from indexer.words import words

_LOOSE = frozenset({"sensor", "binary_sensor"})
"""Domains that say almost nothing without a device class."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Places, kinds and names that the sentence asks for.

    ``kinds`` are named ("lights"), ``near`` may be meant by the same word, ``hints`` follow from a verb ("pause").
    ``names`` maps entity ids to how surely they are named, 0 to 1. ``states`` are live states of the likelier ones.
    """

    area_ids: tuple[str, ...] = ()
    floor_ids: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    kinds: tuple[EntityKind, ...] = ()
    near: tuple[EntityKind, ...] = ()
    hints: tuple[EntityKind, ...] = ()
    near_hints: tuple[EntityKind, ...] = ()
    states: tuple[str, ...] = ()
    names: tuple[tuple[str, float], ...] = ()
    every: bool = False
    plural: bool = False
    which: bool = False
    """Whether it asks which of a kind, who, or whether anybody: about all of them, wherever it is said."""
    strange_place: bool = False
    here: bool = False
    again: bool = False
    inner_area_ids: tuple[str, ...] = ()
    inner_kinds: tuple[EntityKind, ...] = ()
    """Places and kinds within a name that was said: what is there or alike is related to it."""
    instead: tuple[EntityKind, ...] = ()
    """Kinds that the verb needs where the named thing cannot do it ("set the bedroom temperature")."""

    @property
    def placed(self) -> bool:
        """Whether an area or a floor is said."""
        return bool(self.area_ids or self.floor_ids)


def wanted(mentions: Mentions, situation: Situation) -> Wanted:
    """What the sentence asks for. ``here`` becomes the speaker's room where that is known."""
    here = bool(mentions.of(MentionKind.HERE))
    areas = mentions.values(MentionKind.AREA)
    if here and situation.area_id and not areas:
        areas = (situation.area_id,)
    named = _concepts(m for k in (MentionKind.DOMAIN, MentionKind.DEVICE_CLASS) for m in mentions.of(k))
    verbs = _concepts(mentions.of(MentionKind.ACTION))
    hints = _distinct(k for c in verbs for k in c.hints)
    implied = (*hints, *(EntityKind(d) for c in verbs for d in c.narrows))
    specific = _specific(named)
    kinds, near = _narrow(
        _distinct(k for c in specific for k in c.kinds), _distinct(k for c in specific for k in c.near), implied
    )
    narrowing = {d for c in verbs for d in c.narrows}
    inner = _concepts(m for m in mentions.inner if m.kind is MentionKind.DOMAIN)
    return Wanted(
        area_ids=areas,
        floor_ids=mentions.values(MentionKind.FLOOR),
        labels=mentions.values(MentionKind.LABEL),
        kinds=kinds,
        near=near,
        hints=hints,
        near_hints=_distinct(k for c in verbs for k in c.near_hints),
        states=tuple(dict.fromkeys(s for c in verbs for s in c.states)),
        names=tuple((v, m.score) for m in mentions.of(MentionKind.NAME) for v in m.values),
        every=bool(mentions.of(MentionKind.EVERY) or mentions.of(MentionKind.WHOLE_HOME)),
        plural=mentions.plural,
        which=_asks_which(mentions, kinds, lexicon(situation.language)),
        strange_place=bool(mentions.of(MentionKind.UNKNOWN_PLACE)),
        here=here,
        again=bool(mentions.of(MentionKind.AGAIN)),
        inner_area_ids=tuple(v for m in mentions.inner if m.kind is MentionKind.AREA for v in m.values),
        inner_kinds=_distinct(k for c in inner for k in (*c.kinds, *c.near)),
        instead=_distinct(k for c in inner for k in c.near if k.domain in narrowing),
    )


def _asks_which(mentions: Mentions, kinds: Sequence[EntityKind], lexicon: Lexicon) -> bool:
    """Whether "which" asks for the things themselves ("which lamp is on"), and not for a value of theirs."""
    measured = bool(kinds) and all(k.domain == "sensor" for k in kinds)
    return not measured and any(lexicon.has("which", word) for word in words(mentions.text))


def _concepts(mentions: Iterable[Mention]) -> tuple[Concept, ...]:
    return tuple({i: concept(i) for m in mentions for i in m.concepts}.values())


def _specific(named: tuple[Concept, ...]) -> tuple[Concept, ...]:
    """The concepts, where one without a class yields to those with one: smoke sensors are smoke, not every sensor."""
    classed = {k.domain for c in named for k in c.kinds if k.device_class is not None}
    kept = [c for c in named if not all(k.device_class is None and k.domain in _LOOSE for k in c.kinds)]
    return tuple(kept) if kept and classed & _LOOSE else named


def _narrow(
    kinds: tuple[EntityKind, ...], near: tuple[EntityKind, ...], implied: tuple[EntityKind, ...]
) -> tuple[tuple[EntityKind, ...], tuple[EntityKind, ...]]:
    """Where the verb fits only some of what the noun may mean ("lock the doors"), take those."""
    fitting = tuple(k for k in kinds if _fits(k, implied))
    if not kinds or fitting:
        return kinds, near
    nearly = tuple(k for k in near if _fits(k, implied))
    return (nearly, kinds) if nearly else (kinds, near)


def _fits(kind: EntityKind, implied: tuple[EntityKind, ...]) -> bool:
    return any(i.domain == kind.domain and i.device_class in {None, kind.device_class} for i in implied)


def _distinct(kinds: Iterable[EntityKind]) -> tuple[EntityKind, ...]:
    return tuple(dict.fromkeys(kinds))
