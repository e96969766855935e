"""Finding what a target names in the home: an entity, an area, a floor, a kind; and the nearest where there is none."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from homeagent.errors import NotExposed, UnknownTarget
from homeagent.ha.home import Home
from homeagent.values.name_matching import listed, near, near_ids, plain
from indexer.entity import Area, Entity, Floor

_ID = re.compile(r"[a-z0-9_]+\.[a-z0-9_]+")


def one_entity(home: Home, text: str) -> Entity:
    """The entity of this id, or the one exposed entity of this name."""
    entity = home.entity(text) or home.entity(text.strip().casefold())
    if entity is not None:
        if not entity.exposed:
            raise NotExposed(f"{entity.entity_id} is not exposed to me.")
        return entity
    wanted = plain(text)
    same = [e for e in home.exposed() if wanted and any(plain(name) == wanted for name in e.names)]
    if len(same) > 1:
        raise UnknownTarget(
            f"{text!r} is the name of several.", hint="Which one: " + ", ".join(e.entity_id for e in same[:10]) + "?"
        )
    if not same:
        _must_not_be_place(home, text)
        if _ID.fullmatch(text):
            raise UnknownTarget(f"There is no {text}.", nearest=near_ids(text, exposed_ids(home)))
        raise UnknownTarget(f"There is no entity {text!r}.", nearest=_nearest_by_name(home, text))
    return same[0]


def _must_not_be_place(home: Home, text: str) -> None:
    """Raise UnknownTarget where what was given for an entity is an area or a floor."""
    kind, _, bare = text.rpartition(".")
    if kind not in ("", "area", "floor"):
        return
    for what, places in (("area", home.areas.values()), ("floor", home.floors.values())):
        if kind in ("", what) and (found := find_place(bare, places)):
            raise UnknownTarget(f"{text!r} is no entity.", hint=f"It is {what} {found}: give {what}, and domain.")


def _nearest_by_name(home: Home, text: str) -> list[str]:
    by_name = {name: e.entity_id for e in home.exposed() for name in e.names}
    return list(dict.fromkeys(by_name[name] for name in near(text, by_name)))


def known_place(what: str, text: str, places: Iterable[Area | Floor]) -> str:
    """The id of the area or floor of this id, name or alias. Raises UnknownTarget with the nearest: never "all"."""
    places = tuple(places)
    if found := find_place(text, places):
        return found
    shown = {name: place.name for place in places for name in (place.name, *place.aliases)}
    nearest = list(dict.fromkeys(shown[name] for name in near(text, shown)))
    hint = None if nearest else f"The home has: {listed(place.name for place in places)}."
    raise UnknownTarget(f"There is no {what} {text!r}.", nearest=nearest, hint=hint)


def find_place(text: str, places: Iterable[Area | Floor]) -> str | None:
    """The id of the area or floor with this id, name or alias, however the name is written; None where none has it."""
    wanted = plain(text)
    for place in places:
        if text == place_id(place) or (wanted and wanted in map(plain, (place.name, *place.aliases))):
            return place_id(place)
    return None


def place_id(place: Area | Floor) -> str:
    """The id Home Assistant knows an area or a floor by."""
    return place.area_id if isinstance(place, Area) else place.floor_id


def any_of(texts: Sequence[str], what: str, known: Iterable[str]) -> tuple[str, ...]:
    """The domains or device classes that are meant: of several kinds the home need not have each."""
    names = tuple(known)
    had = tuple(text for text in texts if any(plain(name) == plain(text) for name in names))
    return tuple(one_of(text, what, names) for text in had or texts)


def one_of(text: str, what: str, known: Iterable[str]) -> str:
    """The domain, device class or label that is meant, in the home's own spelling."""
    names = sorted(known)
    wanted = plain(text)
    for name in names:
        if wanted and plain(name) == wanted:
            return name
    nearest = near(text, names)
    hint = None if nearest else f"The home has: {listed(names, 50)}."
    raise UnknownTarget(f"No exposed entity has the {what} {text!r}.", nearest=nearest, hint=hint)


def exposed_ids(home: Home) -> list[str]:
    """The ids that an unknown one may be a slip of."""
    return [entity.entity_id for entity in home.exposed()]
