"""Whom a target means in the home, and whether they can do what is asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from homeagent.domains.actions import action_for, domains_for, everything_for
from homeagent.safety.guards import LOCK, locks_of
from homeagent.understanding.home_names import HomeNames
from homeagent.understanding.noun_phrases import Phrase, Target
from homeagent.understanding.request import Scope
from indexer.entity import Entity
from indexer.lexicon import told_apart
from indexer.selector import Selector
from indexer.words import words

_PRESS = "press"
_SWITCH = "switch"


class TargetFit(StrEnum):
    """How well a target fits what the home has."""

    EXACT = "exact"
    """Things that were named, each one only."""
    SET = "set"
    """A set that was said by its properties, and has members."""
    SEVERAL = "several"
    """A name that fits several: the person has to choose."""
    NONE = "none"
    """There is nothing of it."""
    INCAPABLE = "incapable"
    """It is there and cannot do it."""
    NOBODY = "nobody"
    """Nothing was said that could be a target."""


@dataclass(frozen=True, slots=True)
class Grounded:
    """The scope of a target, how well it fits, and all entities that it may mean."""

    scope: Scope
    standing: TargetFit
    entity_ids: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a thing must be able to do. ``implied``: the domains that the words imply where they name no thing."""

    action: str
    parameters: tuple[str, ...] = ()
    implied: tuple[str, ...] = ()

    @property
    def domains(self) -> tuple[str, ...]:
        """The domains that can do the action with these parameters; only the implied ones of them,
        if any are implied.
        """
        able = domains_for(self.action, self.parameters)
        return tuple(d for d in able if d in self.implied) if self.implied else able


def ground(target: Target, wanted: Wanted, names: HomeNames, area_id: str | None = None) -> Grounded:
    """The scope of a target among the things that can do what is ``wanted``. ``area_id``: where the speaker is, for
    "here".
    """
    domains = wanted.domains
    if domains == (LOCK,):
        target = by_locks(target, names)
    excluded = excluded_of(target, names)
    area = (area_id,) if target.here and area_id else ()
    if not target.phrases:
        return _ground_unnamed(target, wanted, names, area, excluded)
    if target.everything and target.only_places and (kinds := everything_for(wanted.action, domains)):
        places = Selector(domains=tuple(kinds), area_ids=target.areas, floor_ids=target.floors, exclude=excluded)
        return _of_set(places, names, every=True)
    phrases = [replace(p, areas=area) if area and not (p.areas or p.floors) else p for p in target.phrases]
    found = [_members_able(p, domains, wanted.action, excluded, names) for p in phrases]
    standing = _standing(phrases, found)
    ids = frozenset(e.entity_id for _, able in found for e in able)
    every = target.every or any(p.plural and p.entity_ids and p.kinds for p in target.phrases)
    if len(found) == 1 and not target.phrases[0].entity_ids:
        scope = _set_scope(target, target.phrases[0], found[0][1], domains, area, excluded, names, every=every)
        return Grounded(scope, standing, ids)
    groups: list[tuple[str, ...]] = []
    for phrase, (_, able) in zip(target.phrases, found, strict=True):
        members = tuple(e.entity_id for e in able)
        groups.extend([members] if phrase.entity_ids else [(m,) for m in members])
    unnamed = any(not p.entity_ids for p in target.phrases)
    scope = Scope(tuple(g for g in groups if g), every=every or unnamed, either=target.either)
    if target.either and standing in (TargetFit.EXACT, TargetFit.SET):
        standing = TargetFit.SEVERAL
    return Grounded(scope, standing, ids)


def by_locks(target: Target, names: HomeNames) -> Target:
    """The target with each door that is named replaced by its locks."""
    phrases: list[Phrase] = []
    for phrase in target.phrases:
        things = [names.by_id[i] for i in phrase.entity_ids if i in names.by_id]
        its = locks_of(things, names.entities) if all(e.domain != LOCK for e in things) else ()
        phrases.extend([replace(phrase, entity_ids=(e.entity_id,)) for e in its] or [phrase])
    return replace(target, phrases=tuple(phrases))


def members(
    phrase: Phrase, names: HomeNames, domains: Sequence[str] = (), accepts: Callable[[Entity], bool] | None = None
) -> tuple[Entity, ...]:
    """The things that a phrase may mean. Of a name those in the place said; of a kind those that ``accepts`` takes,
    else those of related kinds; of a mere place those of the likeliest domain.
    """
    if phrase.entity_ids:
        placed = [e for i in phrase.entity_ids if (e := names.by_id.get(i)) is not None and _is_there(phrase, e)]
        able = [e for e in placed if e.domain in domains or action_for("", e.domain)]
        if placed or not phrase.kinds:
            return tuple(able if domains and able else placed)
    if phrase.kinds:
        for near in (False, True):
            meant = _of_kinds(phrase, names, near=near)
            found = [e for e in meant if e.in_plurals]
            able = [e for e in found if not domains or names.counts_as(e, frozenset(domains))]
            able = [e for e in able if accepts is None or accepts(e)]
            if able:
                return tuple(_called_so(phrase, able, near=near))
        return tuple(e for e in _of_kinds(phrase, names) if not e.hidden)
    if (phrase.areas or phrase.floors) and domains:
        place = Selector(domains=tuple(domains[:1]), area_ids=phrase.areas, floor_ids=phrase.floors)
        return names.select(place)
    return ()


def _called_so(phrase: Phrase, found: list[Entity], *, near: bool) -> list[Entity]:
    """Of players, thermostats and a single switch, which people tell apart by name, those that share the most words
    with the phrase; others stay. Things only ``near`` the kind must share a word.
    """
    if not all(e.domain in told_apart() or (e.domain == _SWITCH and not phrase.plural) for e in found):
        return found
    shared = {e.entity_id: max(len(phrase.words & set(words(n))) for n in e.names) for e in found}
    most = max(shared.values(), default=0)
    called = [e for e in found if most and shared[e.entity_id] == most]
    return called if near else called or found


def _of_kinds(phrase: Phrase, names: HomeNames, *, near: bool = False) -> list[Entity]:
    found: dict[str, Entity] = {}
    for kind in phrase.kinds:
        of_kind = names.of_kind(kind, near=near)
        if phrase.areas:
            found |= {e.entity_id: e for e in names.in_areas(phrase.areas) if e.entity_id in of_kind}
        else:
            found |= of_kind
    return [e for e in found.values() if _is_there(phrase, e)]


def excluded_of(target: Target, names: HomeNames) -> tuple[str, ...]:
    """The ids that a target excludes: all that its words may mean, and all whose names contain them. Rather too many:
    what was spared can still be ordered.
    """
    if target.excepted is None:
        return ()
    found = (e for p in target.excepted.phrases for e in _excluded(p, names))
    return tuple(dict.fromkeys(e.entity_id for e in found))


def _excluded(phrase: Phrase, names: HomeNames) -> Iterator[Entity]:
    there = () if phrase.is_place else members(phrase, names)
    if phrase.areas or phrase.floors:
        yield from there or _everywhere(replace(phrase, entity_ids=()), names)  # "but leave the hall on for Ben"
    if not phrase.is_place:
        yield from (*there, *_named_like(phrase, names))


def _named_like(phrase: Phrase, names: HomeNames) -> Iterator[Entity]:
    for entity in names.entities:
        if phrase.words and any(phrase.words <= set(words(n)) for n in entity.names):
            yield entity


def _everywhere(phrase: Phrase, names: HomeNames) -> tuple[Entity, ...]:
    return tuple(e for e in _near(phrase, names) if _is_there(phrase, e))


def _is_there(phrase: Phrase, entity: Entity) -> bool:
    return (not phrase.areas or (entity.area is not None and entity.area.area_id in phrase.areas)) and (
        not phrase.floors or (entity.floor is not None and entity.floor.floor_id in phrase.floors)
    )


def _members_able(
    phrase: Phrase, domains: Sequence[str], action: str, excluded: Sequence[str], names: HomeNames
) -> tuple[bool, tuple[Entity, ...]]:
    """Whether any of a phrase's things can do it, and these; else all of its things."""
    found, wanted = members(phrase, names, domains), frozenset(domains)
    able = tuple(
        e
        for e in found
        if e.entity_id not in excluded and (names.counts_as(e, wanted) or action_for(action, e.domain) == _PRESS)
    )
    return bool(able), able or found


def _standing(phrases: Sequence[Phrase], found: Sequence[tuple[bool, tuple[Entity, ...]]]) -> TargetFit:
    if any(not meant for _, meant in found):
        return TargetFit.NONE
    if not all(able for able, _ in found):
        return TargetFit.INCAPABLE
    if any(p.entity_ids and len(meant) > 1 for p, (_, meant) in zip(phrases, found, strict=True)):
        return TargetFit.SEVERAL
    return TargetFit.EXACT if all(p.entity_ids for p in phrases) else TargetFit.SET


def _ground_unnamed(
    target: Target, wanted: Wanted, names: HomeNames, area: tuple[str, ...], excluded: tuple[str, ...]
) -> Grounded:
    """A target without a thing: everything, or the domain that the words imply, else nobody."""
    domains = wanted.domains
    if target.everything or target.every or target.whole_home:
        kinds = wanted.implied or everything_for(wanted.action, domains)
        if kinds:
            return _of_set(Selector(domains=tuple(kinds), area_ids=area, exclude=excluded), names, every=True)
    elif wanted.implied or target.here:
        kinds = (wanted.implied or domains)[:1]
        return _of_set(Selector(domains=tuple(kinds), area_ids=area, exclude=excluded), names)
    return Grounded(Scope(), TargetFit.NOBODY)


def _of_set(selector: Selector, names: HomeNames, *, every: bool = False) -> Grounded:
    ids = frozenset(e.entity_id for e in names.select(selector))
    return Grounded(Scope(selector=selector, every=every), TargetFit.SET if ids else TargetFit.NONE, ids)


def _set_scope(
    target: Target,
    phrase: Phrase,
    able: Sequence[Entity],
    domains: Sequence[str],
    area: tuple[str, ...],
    excluded: tuple[str, ...],
    names: HomeNames,
    *,
    every: bool,
) -> Scope:
    """The scope of one phrase without a name: a selector where it selects exactly these things, else the ids."""
    selector = Selector(
        domains=_said_domains(phrase, able, domains, names),
        device_classes=_said_classes(phrase, able),
        area_ids=phrase.areas or area,
        floor_ids=phrase.floors,
        exclude=excluded,
    )
    every = every or (target.whole_home and phrase.plural)
    ids = {e.entity_id for e in able}
    differs = bool(able) and {e.entity_id for e in names.select(selector)} != ids
    if differs and (phrase.areas or phrase.floors or every or len(able) == 1):
        return Scope(tuple((i,) for i in sorted(ids)), Selector(exclude=excluded), every=True)
    if differs and names.domains(able) <= {_SWITCH, *told_apart()} and not phrase.plural:
        return Scope((tuple(sorted(ids)),))  # one of those whose names hold the word
    return Scope(selector=selector, every=every)


def _said_domains(phrase: Phrase, able: Sequence[Entity], domains: Sequence[str], names: HomeNames) -> tuple[str, ...]:
    there = names.domains(able)
    if not phrase.kinds:
        return tuple(domains[:1])
    said = tuple(dict.fromkeys(k.domain for c in phrase.kinds for k in c.kinds))
    if able and not set(said) & there:
        said = tuple(dict.fromkeys(e.domain for e in able))
    return tuple(d for d in said if d in domains or d in there) or said


def _said_classes(phrase: Phrase, able: Sequence[Entity]) -> tuple[str, ...]:
    classes = [k.device_class for c in phrase.kinds for k in c.kinds]
    said = tuple(dict.fromkeys(c for c in classes if c)) if all(classes) else ()
    return () if able and not {e.device_class for e in able} & set(said) else said


def of_place(phrase: Phrase, names: HomeNames) -> list[Entity]:
    """Everything in a phrase's place that is not hidden."""
    return [e for e in _near(phrase, names) if not e.hidden and _is_there(phrase, e)]


def _near(phrase: Phrase, names: HomeNames) -> Sequence[Entity]:
    return names.in_areas(phrase.areas) if phrase.areas else names.entities


def in_area(entities: Iterable[Entity], areas: Sequence[str], floors: Sequence[str]) -> list[Entity]:
    """The entities in one of these areas or floors; all of them where none is given."""
    place = Phrase(areas=tuple(areas), floors=tuple(floors))
    return [e for e in entities if _is_there(place, e)]


def from_antecedent(target: Target, antecedent: Target | None) -> Target:
    """The target with what was spoken of last in place of a pronoun or of nothing; unchanged where nothing was."""
    if antecedent is None:
        return target
    elsewhere = replace(antecedent, phrases=tuple(replace(p, cells=()) for p in antecedent.phrases))
    return replace(elsewhere, cells=target.cells, unknown=target.unknown, pronoun=False, excepted=target.excepted)
