"""What a call resolves to: ids, wildcards, names, areas, floors, kinds, labels, as entities.

Tools and policy share it. Resolved on the live home as it stands; whether each one is still exposed is asked again by
the tool right before it acts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import Any

from homeagent.errors import InvalidParameters, NotExposed, UnknownTarget
from homeagent.ha.home import Home
from homeagent.names import listed, near, near_ids, plain
from indexer.entity import Area, Entity, Floor
from indexer.selector import Selector

_WILD = re.compile(r"[*?]")
_ID = re.compile(r"[a-z0-9_]+\.[a-z0-9_]+")


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
        return not self.chosen

    @property
    def mixed(self) -> bool:
        """A set that names no kind of thing: "everything in the kitchen"."""
        return self.selector is not None and not (
            self.selector.domains or self.selector.device_classes or self.selector.labels
        )


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
        members = _set_of(home, lambda e: selector.matches(e) and _spares(e, exclude), technical)
        return Resolved(members or _empty(home, spec), selector)
    named, wild = _named_and_wild(home, spec.entity_ids)
    if selector is not None:
        _must_be_in(named, selector)
    named = _without(home, named, exclude)
    found = {entity.entity_id: entity for entity in named}
    for pattern in wild:
        matches = _wildcard(pattern, selector, exclude)
        found.update((entity.entity_id, entity) for entity in _set_of(home, matches, technical))
    if not found:
        what = ", ".join(wild) or "the target without those excluded"
        nearest = near_ids(wild[0].replace("*", ""), _ids(home)) if wild else ()
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
            entity = _one(home, text)
            named[entity.entity_id] = entity
    return list(named.values()), wild


def _must_name_a_kind(pattern: str) -> None:
    """``*`` alone would be the whole home, which nobody means."""
    if not re.search(r"[a-z0-9]", pattern.casefold()):
        raise InvalidParameters(f"{pattern!r} would be everything.", hint="Say which: light.*, *kitchen*, or a domain.")


def _one(home: Home, text: str) -> Entity:
    """The entity of this id, or the one exposed entity of this name."""
    entity = home.entity(text) or home.entity(text.strip().casefold())
    if entity is not None:
        if not entity.exposed:
            raise NotExposed(f"{entity.entity_id} is not exposed to me.")
        return entity
    if _ID.fullmatch(text):
        raise UnknownTarget(f"There is no {text}.", nearest=near_ids(text, _ids(home)))
    wanted = plain(text)
    same = [e for e in home.exposed() if wanted and any(plain(name) == wanted for name in e.names)]
    if len(same) > 1:
        raise UnknownTarget(
            f"{text!r} is the name of several.", hint="Which one: " + ", ".join(e.entity_id for e in same[:10]) + "?"
        )
    if not same:
        raise UnknownTarget(f"There is no entity {text!r}.", nearest=_nearest_by_name(home, text))
    return same[0]


def _nearest_by_name(home: Home, text: str) -> list[str]:
    by_name = {name: e.entity_id for e in home.exposed() for name in e.names}
    return list(dict.fromkeys(by_name[name] for name in near(text, by_name)))


def _excluded(home: Home, wanted: Sequence[str]) -> tuple[str, ...]:
    """The ids to leave out. What cannot be found is an error: acting on it would be worse than not acting at all."""
    ids: dict[str, None] = {}
    for text in wanted:
        if _WILD.search(text):
            ids.update((e.entity_id, None) for e in home.entities.values() if fnmatchcase(e.entity_id, text))
        elif area := _find(text, home.areas.values()):
            ids.update((e.entity_id, None) for e in home.entities.values() if e.area and _place_id(e.area) == area)
        elif home.entity(text):
            ids[text] = None
        else:
            ids[_one(home, text).entity_id] = None
    for entity_id in tuple(ids):  # an excluded group spares its members
        if (entity := home.entity(entity_id)) and entity.domain != "scene":
            ids.update((member, None) for member in entity.members)
    return tuple(ids)


def _selector(home: Home, spec: TargetSpec, exclude: tuple[str, ...]) -> Selector:
    exposed = home.exposed()
    domains = {entity.domain for entity in exposed}
    classes = {entity.device_class for entity in exposed if entity.device_class}
    labels = {label for entity in exposed for label in entity.labels}
    return Selector(
        domains=_any_of(spec.domains, "domain", domains),
        device_classes=_any_of(spec.device_classes, "device class", classes),
        area_ids=tuple(_known("area", text, home.areas.values()) for text in spec.areas),
        floor_ids=tuple(_known("floor", text, home.floors.values()) for text in spec.floors),
        labels=tuple(_of(text, "label", labels) for text in spec.labels),
        exclude=exclude,
    )


def _known(what: str, text: str, places: Iterable[Area | Floor]) -> str:
    """The id of the area or floor of this id, name or alias. Raises UnknownTarget with the nearest: never "all"."""
    places = tuple(places)
    if found := _find(text, places):
        return found
    shown = {name: place.name for place in places for name in (place.name, *place.aliases)}
    nearest = list(dict.fromkeys(shown[name] for name in near(text, shown)))
    hint = None if nearest else f"The home has: {listed(place.name for place in places)}."
    raise UnknownTarget(f"There is no {what} {text!r}.", nearest=nearest, hint=hint)


def _find(text: str, places: Iterable[Area | Floor]) -> str | None:
    wanted = plain(text)
    for place in places:
        if text == _place_id(place) or (wanted and wanted in map(plain, (place.name, *place.aliases))):
            return _place_id(place)
    return None


def _place_id(place: Area | Floor) -> str:
    return place.area_id if isinstance(place, Area) else place.floor_id


def _any_of(texts: Sequence[str], what: str, known: Iterable[str]) -> tuple[str, ...]:
    """The domains or device classes that are meant: of several kinds the home need not have each."""
    names = tuple(known)
    had = tuple(text for text in texts if any(plain(name) == plain(text) for name in names))
    return tuple(_of(text, what, names) for text in had or texts)


def _of(text: str, what: str, known: Iterable[str]) -> str:
    """The domain, device class or label that is meant, in the home's own spelling."""
    names = sorted(known)
    wanted = plain(text)
    for name in names:
        if wanted and plain(name) == wanted:
            return name
    nearest = near(text, names)
    hint = None if nearest else f"The home has: {listed(names, 50)}."
    raise UnknownTarget(f"No exposed entity has the {what} {text!r}.", nearest=nearest, hint=hint)


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
            and (selector is None or selector.matches(entity))
        )

    return matches


def _set_of(home: Home, matches: Callable[[Entity], bool], technical: bool) -> tuple[Entity, ...]:
    matching = [entity for entity in home.exposed() if matches(entity)]
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
        there = _set_of(home, _selector(home, here, ()).matches, False)
        hint = f"There: {listed(e.entity_id for e in there)}." if there else "Nothing is exposed there."
    raise UnknownTarget(f"There is no exposed {said}{without}.", hint=hint)


def _ids(home: Home) -> list[str]:
    return [entity.entity_id for entity in home.exposed()]
