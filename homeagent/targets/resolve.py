"""What a call resolves to: ids, wildcards, names, areas, floors, kinds, labels, as entities.

Tools and policy share it. Resolved on the live home as it stands; whether each one is still exposed is asked again by
the tool right before it acts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import Any

from pydantic import AliasChoices, BaseModel, ConfigDict, Field

from homeagent.errors import InvalidParameters, NotExposed, UnknownTarget
from homeagent.ha.connection import HomeAssistant
from homeagent.ha.home import Home
from homeagent.targets.lookup import any_of, exposed_ids, find_place, known_place, one_entity, one_of, place_id
from homeagent.values.name_matching import listed, near_ids
from indexer.entity import Entity
from indexer.property_sets import Sets
from indexer.selector import Selector

_WILD = re.compile(r"[*?]")


@dataclass(frozen=True, slots=True)
class TargetSpec:
    """A target as it was asked for. Entities by id, wildcard (``light.*``) or exact name; areas, floors and labels by
    name, alias or id. A set (areas …) and wildcards together mean what is in both."""

    entity_ids: tuple[str, ...] = ()
    areas: tuple[str, ...] = ()
    floors: tuple[str, ...] = ()
    domains: tuple[str, ...] = ()
    device_classes: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()

    @property
    def names_a_set(self) -> bool:
        """Whether it names areas, floors, kinds or labels, and so may mean any number of entities."""
        return bool(self.areas or self.floors or self.domains or self.device_classes or self.labels)


@dataclass(frozen=True, slots=True)
class Resolved:
    """What a target came to. ``selector`` is set where a set was named. ``chosen`` are the ids that were named one by
    one: for these every failure counts, while a set just has fewer members."""

    entities: tuple[Entity, ...]
    selector: Selector | None = None
    chosen: frozenset[str] = frozenset()

    @property
    def is_set(self) -> bool:
        """Whether nothing was named one by one."""
        return not self.chosen

    @property
    def mixed(self) -> bool:
        """A set that names no kind of thing: "everything in the kitchen"."""
        return self.selector is not None and not (
            self.selector.domains or self.selector.device_classes or self.selector.labels
        )

    @property
    def sweeping(self) -> bool:
        """A set of several kinds of things: who names it thinks of lamps and players, not of locks and alarms."""
        if self.chosen:
            return False
        return self.mixed or len({entity.domain for entity in self.entities}) > 1


def resolve(home: Home, spec: TargetSpec, *, technical: bool = False) -> Resolved:
    """The entities that are meant, each once; a group stands for its members where both are named.

    ``technical``: where a set holds only hidden, configuration or diagnostic entities, these are meant (for looking
    at them). Raises InvalidParameters (no target), UnknownTarget with the nearest real ones, NotExposed.
    """
    if not spec.entity_ids and not spec.names_a_set:
        raise InvalidParameters(
            "entity_id is missing.",
            hint="Give entity_id (one or several, wildcards allowed), or area, floor, domain, device_class or label.",
        )
    exclude = _excluded(home, spec.exclude)
    selector = _selector(home, spec, exclude) if spec.names_a_set else None
    if not spec.entity_ids:
        assert selector is not None
        members = _set_of(_near(home, selector), lambda e: _in_set(e, selector) and _spares(e, exclude), technical)
        return Resolved(members or _empty(home, spec), selector)
    named, wild = _named_and_wild(home, spec.entity_ids)
    if selector is not None:
        _must_be_in(named, selector)
    named = _without(home, named, exclude)
    found = {entity.entity_id: entity for entity in named}
    for pattern in wild:
        matches = _wildcard(pattern, selector, exclude)
        found.update((entity.entity_id, entity) for entity in _set_of(_near(home, selector), matches, technical))
    if not found:
        what = ", ".join(wild) or "the target without those excluded"
        nearest = near_ids(wild[0].replace("*", ""), exposed_ids(home)) if wild else ()
        raise UnknownTarget(f"No exposed entity matches {what}.", nearest=nearest)
    return Resolved(once(found.values()), selector, frozenset(entity.entity_id for entity in named))


def once(entities: Iterable[Entity]) -> tuple[Entity, ...]:
    """Each thing once: a group leaves when all its members are there, else its members leave."""
    chosen = {entity.entity_id: entity for entity in entities}
    groups = [e for e in chosen.values() if e.members and e.domain not in ("scene", "script")]
    for group in groups:
        inside = [member for member in group.members if member in chosen]
        if inside and len(inside) == len(group.members):
            chosen.pop(group.entity_id, None)
        elif group.entity_id in chosen:
            for member in inside:
                chosen.pop(member, None)
    return tuple(chosen.values())


def expand_groups(home: Home, entities: Iterable[Entity]) -> tuple[Entity, ...]:
    """Old-style groups (``group.*``, which have no services of their own) as their exposed members, each thing once."""
    whole: dict[str, Entity] = {}
    for entity in entities:
        members = _members(home, entity) if entity.domain == "group" else [entity]
        whole.update((member.entity_id, member) for member in members)
    return once(whole.values())


def spec_from(parameters: Mapping[str, Any]) -> TargetSpec:
    """A spec from a tool's target fields, each None, a text (commas part it) or a list of texts."""
    return TargetSpec(
        entity_ids=_texts(parameters.get("entity_id")),
        areas=_texts(parameters.get("area")),
        floors=_texts(parameters.get("floor")),
        domains=tuple(domain.casefold() for domain in _texts(parameters.get("domain"))),
        device_classes=tuple(kind.casefold() for kind in _texts(parameters.get("device_class"))),
        labels=_texts(parameters.get("label")),
        exclude=_texts(parameters.get("exclude")),
    )


def _texts(value: str | Sequence[str] | None) -> tuple[str, ...]:
    values = [value] if isinstance(value, str) else list(value or ())
    parts = [part for text in values for part in (text.split(",") if _only_ids(text) else [text])]
    return tuple(dict.fromkeys(stripped for part in parts if (stripped := part.strip())))


def _only_ids(text: str) -> bool:
    """Whether a text with commas is a list of ids; a name may hold a comma itself."""
    return "," in text and all(re.fullmatch(r"[a-z0-9_*?]+\.[a-z0-9_*?]+", part.strip()) for part in text.split(","))


def _named_and_wild(home: Home, wanted: Sequence[str]) -> tuple[list[Entity], list[str]]:
    named: dict[str, Entity] = {}
    wild: list[str] = []
    for text in wanted:
        if _WILD.search(text):
            _must_name_a_kind(text)
            wild.append(text)
        else:
            entity = one_entity(home, text)
            named[entity.entity_id] = entity
    return list(named.values()), wild


def _must_name_a_kind(pattern: str) -> None:
    """``*`` alone would be the whole home, which nobody means."""
    if not re.search(r"[a-z0-9]", pattern.casefold()):
        raise InvalidParameters(f"{pattern!r} would be everything.", hint="Say which: light.*, *kitchen*, or a domain.")


def _excluded(home: Home, wanted: Sequence[str]) -> tuple[str, ...]:
    """The ids to leave out. What cannot be found is an error: acting on it would be worse than not acting at all."""
    ids: dict[str, None] = {}
    for text in wanted:
        if _WILD.search(text):
            ids.update((e.entity_id, None) for e in home.entities.values() if fnmatchcase(e.entity_id, text))
        elif area := find_place(text, home.areas.values()):
            ids.update((e.entity_id, None) for e in home.entities.values() if e.area and place_id(e.area) == area)
        elif home.entity(text):
            ids[text] = None
        else:
            ids[one_entity(home, text).entity_id] = None
    for entity_id in tuple(ids):  # an excluded group spares its members
        if (entity := home.entity(entity_id)) and entity.domain != "scene":
            ids.update((member, None) for member in entity.members)
    return tuple(ids)


def _selector(home: Home, spec: TargetSpec, exclude: tuple[str, ...]) -> Selector:
    exposed = home.worked_out(_exposed)
    return Selector(
        domains=any_of(spec.domains, "domain", exposed.domains),
        device_classes=any_of(spec.device_classes, "device class", exposed.device_classes),
        area_ids=tuple(known_place("area", text, home.areas.values()) for text in spec.areas),
        floor_ids=tuple(known_place("floor", text, home.floors.values()) for text in spec.floors),
        labels=tuple(one_of(text, "label", exposed.labels) for text in spec.labels),
        exclude=exclude,
    )


def _members(home: Home, group: Entity, seen: frozenset[str] = frozenset()) -> list[Entity]:
    """The exposed things that a group stands for, groups within it opened too."""
    found: list[Entity] = []
    for member in map(home.entity, group.members):
        if member is None or member.entity_id in seen:
            continue
        if member.members and member.domain == "group":
            found += _members(home, member, seen | {group.entity_id})
        elif member.exposed:
            found.append(member)
    return found


def _exposed(home: Home) -> Sets:
    return Sets(home.exposed())


def _near(home: Home, selector: Selector | None) -> Sequence[Entity]:
    """What is exposed, less what is plain not to match a selector."""
    return home.exposed() if selector is None else home.worked_out(_exposed).near(selector)


def _in_set(entity: Entity, selector: Selector) -> bool:
    """Whether it matches; what is cheap to tell comes first, since thousands are asked."""
    if selector.area_ids and (entity.area is None or entity.area.area_id not in selector.area_ids):
        return False
    return selector.matches(entity)


def _spares(entity: Entity, exclude: Sequence[str]) -> bool:
    """Whether acting on this leaves alone what was excluded: a group would reach its members."""
    return entity.entity_id not in exclude and not set(entity.members) & set(exclude)


def _without(home: Home, named: Iterable[Entity], exclude: Sequence[str]) -> list[Entity]:
    """Named entities less the excluded; a group that holds an excluded one is opened into its other members."""
    kept: list[Entity] = []
    for entity in named:
        if _spares(entity, exclude):
            kept.append(entity)
        elif entity.entity_id not in exclude:
            kept += [member for member in _members(home, entity) if _spares(member, exclude)]
    return kept


def _must_be_in(named: Iterable[Entity], selector: Selector) -> None:
    for entity in named:
        if not selector.matches(entity):
            raise InvalidParameters(
                f"{entity.entity_id} is not in the set that was named beside it.",
                hint="Give either entity_id or a set (area, floor, domain, …).",
            )


def _wildcard(pattern: str, selector: Selector | None, exclude: Sequence[str]) -> Callable[[Entity], bool]:
    folded = pattern.strip().casefold()

    def matches(entity: Entity) -> bool:
        return (
            fnmatchcase(entity.entity_id, folded)
            and _spares(entity, exclude)
            and (selector is None or _in_set(entity, selector))
        )

    return matches


def _set_of(pool: Iterable[Entity], matches: Callable[[Entity], bool], technical: bool) -> tuple[Entity, ...]:
    matching = [entity for entity in pool if matches(entity)]
    plural = [entity for entity in matching if entity.in_plurals]
    return once(plural or (matching if technical else []))


def _empty(home: Home, spec: TargetSpec) -> tuple[Entity, ...]:
    """Raise what a person needs to hear where a set has no members."""
    parts = [*spec.domains, *spec.device_classes, *spec.labels]
    where = [*spec.areas, *spec.floors]
    said = f"{' '.join(parts) or 'entity'}{' in ' + ', '.join(where) if where else ''}"
    without = " other than those excluded" if spec.exclude else ""
    here = replace(spec, domains=(), device_classes=(), labels=(), exclude=())
    hint = None
    if parts and here.names_a_set:
        there = _set_of(home.exposed(), _selector(home, here, ()).matches, False)
        hint = f"There: {listed(e.entity_id for e in there)}." if there else "Nothing is exposed there."
    raise UnknownTarget(f"There is no exposed {said}{without}.", hint=hint)


class TargetParams(BaseModel):
    """The fields of a call that say what is acted on or looked at."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True)

    entity_id: str | list[str] | None = Field(default=None, description="Exact, or such as light.*")
    area: str | list[str] | None = Field(default=None, validation_alias=AliasChoices("area", "area_id"))
    floor: str | list[str] | None = Field(default=None, validation_alias=AliasChoices("floor", "floor_id"))
    domain: str | list[str] | None = None
    device_class: str | list[str] | None = None
    label: str | list[str] | None = Field(default=None, validation_alias=AliasChoices("label", "label_id"))
    exclude: str | list[str] | None = Field(default=None, validation_alias=AliasChoices("exclude", "except"))


async def exposed_targets(
    ha: HomeAssistant,
    params: TargetParams,
    meant: Callable[[Resolved], Collection[Entity]] = lambda resolved: resolved.entities,
    *,
    technical: bool = False,
) -> tuple[Entity, ...]:
    """The entities that are meant, as they are called now and each of them exposed.

    ``meant`` chooses from what the target resolves to; ``technical`` as in `resolve`. Raises what `resolve` raises,
    and NotExposed where one that is named is not exposed, or none of a set is.
    """
    spec = spec_from(params.model_dump())
    await ha.catch_up()
    try:
        resolved = resolve(ha.home, spec, technical=technical)
    except NotExposed:  # perhaps it was exposed a moment ago
        await ha.is_exposed(())
        resolved = resolve(ha.home, spec, technical=technical)
    entities = meant(resolved)
    exposed = await ha.is_exposed([entity.entity_id for entity in entities])
    for entity in entities:
        if entity.entity_id in resolved.chosen and not exposed[entity.entity_id]:
            raise NotExposed(f"{entity.entity_id} is not exposed to me.")
    still = tuple(entity for entity in entities if exposed[entity.entity_id])
    if not still:
        raise NotExposed("Nothing of that is exposed to me.")
    return still
