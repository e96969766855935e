"""A home grown to any size by plausible copies of itself: wings with rooms and things like its own, otherwise named."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from homeagent.demo.inventory import slug
from homeagent.evaluation.cases import DataSet, Lookup, OutcomeKind
from homeagent.evaluation.renaming.wordlist import qualifier_after, wing_names


def grown(dataset: DataSet, size: int) -> DataSet:
    """The same set with every home grown to ``size`` entities; a home that is larger stays.

    Only what is found can be looked at then: the sentences that change something become look-ups, since a set such as
    "all lights" is larger in a grown home than its tasks say.
    """
    homes = {path: grow(raw, size) for path, raw in dataset.homes.items()}
    return replace(dataset, homes=homes, cases=(), lookups=(*dataset.lookups, *_as_lookups(dataset)))


def grow(raw: Mapping[str, Any], size: int) -> Mapping[str, object]:
    """The home with copies until it has ``size`` entities. Every copy tells its wing in its name and its room's."""
    entities = list(raw.get("entities") or ())
    areas = list(raw.get("areas") or ())
    if not entities or size <= len(entities):
        return raw
    after = qualifier_after(str(raw.get("x-language") or raw.get("language") or "en"))
    more_areas: list[dict[str, object]] = []
    more: list[dict[str, Any]] = []
    for wing in _wings():
        if len(entities) + len(more) >= size:
            break
        more_areas += [_copy(area, wing, after) for area in areas]
        more += itertools.islice(_entities(entities, wing, after), size - len(entities) - len(more))
    return {**raw, "areas": [*areas, *more_areas], "entities": [*entities, *more]}


def _wings() -> Iterator[str]:
    yield from wing_names()
    for number in itertools.count(2):
        yield from (f"{name} {number}" for name in wing_names())


def _entities(entities: list[Mapping[str, object]], wing: str, after: bool) -> Iterator[dict[str, object]]:
    for entity in entities:
        copy = _copy(entity, wing, after)
        for links in ("device", "x-members", "x-scene", "x-script", "x-automation", "x-history"):
            copy.pop(links, None)
        domain, _, rest = str(entity["id"]).partition(".")
        if domain not in ("scene", "script", "automation", "group"):
            yield {**copy, "id": f"{domain}.{slug(wing)}_{rest}"}


def _copy(item: Mapping[str, Any], wing: str, after: bool) -> dict[str, object]:
    """The item in another wing."""

    def named(name: str) -> str:
        return f"{name} {wing}" if after else f"{wing} {name}"

    copy = {**item, "name": named(str(item.get("name") or item["id"]))}
    if aliases := item.get("x-aliases"):
        copy["x-aliases"] = [named(str(alias)) for alias in aliases]
    if "area" in item and item["area"] is not None:
        copy["area"] = f"{slug(wing)}_{item['area']}"
    if "." not in str(item.get("id", "")):
        copy["id"] = f"{slug(wing)}_{item.get('id') or slug(item['name'])}"
    return copy


def _as_lookups(dataset: DataSet) -> Iterator[Lookup]:
    for case in dataset.cases:
        say = case.says[0]
        targets = next((frozenset(o.changes) for o in say.acceptable if o.kind is OutcomeKind.CHANGES), frozenset())
        if targets and not case.setup:
            area = _area_of(dataset.homes[case.home], case.context_device)
            yield Lookup(case.case_id, case.home, case.categories, case.language, say.text, targets, area)


def _area_of(raw: Mapping[str, Any], device: str | None) -> str | None:
    return next((d.get("area") for d in raw.get("devices") or () if device and d.get("id") == device), None)
