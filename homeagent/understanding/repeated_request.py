"""The request before for something else: the same in another place, or for another thing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from homeagent.domains.actions import domains_for
from homeagent.domains.states import ATTRIBUTES
from homeagent.languages.concepts import Attribute, SafetyKind
from homeagent.safety.guards import LOCK, classes_of
from homeagent.understanding.clauses import Clause
from homeagent.understanding.grounding import members
from homeagent.understanding.home_names import HomeNames
from homeagent.understanding.noun_phrases import Target
from homeagent.understanding.previous_turn import SETS, PreviousTurn, each
from homeagent.understanding.reference import among, apart_from_place, likest
from homeagent.understanding.request import Act, Asked, Request, Scope
from indexer.entity import Entity
from indexer.selector import Selector

_WEATHER = "weather"
_DOORS = classes_of(SafetyKind.DOOR, SafetyKind.GARAGE, SafetyKind.GATE)
"""Device classes of what tells of a place without a lock whether it is shut."""


def same_for(clause: Clause, target: Target, last: PreviousTurn) -> Request | None:
    """The previous request for another target: in its places, else for the things it names, with the kind from before
    if it has none of its own. None where nothing named can do it.
    """
    before, names = last.request, clause.names
    if before is None or before.act not in (Act.CONTROL, Act.QUERY):
        return None
    kin = last.kin(names)
    if target.phrases and target.only_places:
        return _in_place(target, before, kin, last, names)
    found = among(target, kin) if target.phrases else likest(clause, kin)
    if found and (target.areas or target.floors or len(target.phrases) > 1):
        return replace(before, scope=each(found), intent="")
    if not found and target.phrases:
        able = domains_for(before.action, before.parameters) if before.act is Act.CONTROL else ()
        groups = [
            _named(p.entity_ids or tuple(e.entity_id for e in members(p, names, able)), able) for p in target.phrases
        ]
        named = tuple(i for group in groups for i in group)
        return _asked_of(before, Scope(tuple(groups)), named, last) if all(groups) else None
    rooms = {e.area for i in last.entity_ids if (e := names.by_id.get(i)) is not None}
    near = tuple(i for i in found if names.by_id[i].area in rooms)
    return _asked_of(before, Scope((near or found,)), near or found, last) if found else None


def _asked_of(before: Request, scope: Scope, ids: Sequence[str], last: PreviousTurn) -> Request:
    """The previous request for things that are named. What was asked of all that are in a state is asked of one by yes
    or no; what things of another domain are not said to be, but what they are: a door is no lock.
    """
    again = replace(before, scope=scope, intent="")
    if before.act is not Act.QUERY or not before.states:
        return again
    if not {i.partition(".")[0] for i in ids} <= set(last.domains) and last.domains:
        return replace(again, asked=Asked.VALUE, states=(), safety=None)
    return replace(again, asked=Asked.YESNO) if before.asked in SETS and len(ids) == 1 else again


def _named(ids: Sequence[str], domains: Sequence[str]) -> tuple[str, ...]:
    return tuple(i for i in ids if not domains or i.partition(".")[0] in domains)


def _in_place(
    target: Target, before: Request, kin: Sequence[Entity], last: PreviousTurn, names: HomeNames
) -> Request | None:
    """The previous request in another place. Of one thing named before it is the thing with the same name there, else
    the person is asked.
    """
    selector = _there(target, before, kin, last)
    inside = names.select(selector)
    if before.act is Act.QUERY and not inside:
        return _told_otherwise(before, selector, names)
    spoken = [names.by_id[i] for i in last.entity_ids if i in names.by_id]
    if len(spoken) == 1 and before.scope.named and not before.scope.every:
        here = [e for e in kin if selector.matches(e)]
        alike = [e for e in here if apart_from_place(e) & apart_from_place(spoken[0])]
        ids = tuple(e.entity_id for e in alike or here)
        return replace(before, scope=Scope((ids,)), intent="") if ids else None
    return replace(before, scope=Scope(selector=selector, every=before.scope.every), intent="")


def _there(target: Target, before: Request, kin: Sequence[Entity], last: PreviousTurn) -> Selector:
    """What the previous request meant, in the places said now."""
    selector = before.scope.selector
    if before.scope.named or not before.scope.is_set:
        classes = {e.device_class for e in kin if e.device_class} if kin and kin[0].domain != "light" else set()
        domains = last.domains or selector.domains
        selector = Selector(domains=tuple(sorted(domains)), device_classes=tuple(sorted(classes)))
    return replace(selector, area_ids=target.areas, floor_ids=target.floors, exclude=())


def _told_otherwise(before: Request, selector: Selector, names: HomeNames) -> Request | None:
    """What tells the same in a place without such a thing: outdoors a temperature sensor stands for the thermostat."""
    if LOCK in selector.domains:
        doors = replace(selector, domains=("cover", "binary_sensor"), device_classes=_DOORS)
        told = replace(before, scope=Scope(selector=doors), asked=Asked.VALUE, states=(), safety=None)
        return told if names.select(doors) else None
    kinds, classes = set(selector.domains), set(selector.device_classes)
    for attribute, rows in ATTRIBUTES.items():
        alike = [row[1] for row in rows if row[0] in kinds and row[2] == before.attribute]
        tells = any(not device_class or not classes or device_class in classes for device_class in alike)
        if not (tells or (before.attribute == _WEATHER and attribute == Attribute.TEMPERATURE.value)):
            continue  # a sensor of the temperature tells no brightness, and the weather in a room is how warm it is
        for domain, device_class, name in rows:
            elsewhere = replace(selector, domains=(domain,), device_classes=(device_class,) if device_class else ())
            if names.select(elsewhere):
                return replace(before, scope=Scope(selector=elsewhere), attribute=name, intent="")
    return None
