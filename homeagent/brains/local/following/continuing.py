"""Orders that lean on the one before: "both off", "the kitchen ones 40 percent", "no, I meant the hall", "the same"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from homeagent.brains.language.likeness import name_words, place_words
from homeagent.brains.local.following.leaning import Leaning
from homeagent.brains.local.following.spoken import domains_of_ids, each, kin_of
from homeagent.brains.local.following.those import by_beginning, those_meant
from homeagent.brains.local.meaning import settings
from homeagent.brains.local.meaning.abilities import domains_for
from homeagent.brains.local.meaning.facts import ATTRIBUTES
from homeagent.brains.local.meaning.request import Act, Request, Scope
from homeagent.brains.local.things.fitting import is_place
from homeagent.brains.local.things.grounding import Ground, ground_among
from indexer.entity import Entity
from indexer.mentions import MentionKind
from indexer.selector import Selector


def continued(lean: Leaning, around: Ground) -> Request | None:
    """The order that a sentence makes of what was ordered before; None where it is none."""
    return those_meant(lean, around) or _complained(lean, around) or same_for(lean, around)


def _complained(lean: Leaning, around: Ground) -> Request | None:
    """ "That's too bright now" of the one thing that was just set: what helps is offered for that one."""
    reading = lean.reading
    what = reading.first("complaints")
    remedy = settings.REMEDIES.get(what or "")
    ids = lean.base.targets
    said = {p for s in reading.of("complaints", "complaining") for p in s.positions}
    if remedy is None or len(ids) != 1 or set(lean.own) - said or not reading.has("complaining") or lean.does:
        return None
    action, parameters = remedy
    state = around.home.state_text(ids[0])
    if not parameters or domains_of_ids(ids)[0] not in domains_for(action, parameters) or state in ("off", None):
        return None
    if settings.dimension_of(parameters, "") != settings.dimension_of({}, domains_of_ids(ids)[0]):
        return None
    words = {"what": what or ""}
    return Request(Act.SAY, each(ids), action=action, parameters=parameters, say="suggest", words=words)


def same_for(lean: Leaning, around: Ground) -> Request | None:
    """The same for another thing or room: "and the bedroom?", "no, I meant the hall", "do the same upstairs"."""
    reading = lean.reading
    if not lean.own or not _says_the_same(lean):
        return None
    before, targets = lean.before, lean.base.targets
    kin = kin_of(targets, around.exposed, around.home)
    if lean.only_place and not reading.of_kind(MentionKind.NAME):
        return _same_there(lean, kin, around)
    domains = domains_of_ids(targets) or before.scope.selector.domains
    pool = kin or [e for e in around.exposed if not domains or e.domain in domains]
    found = ground_among(reading, around, pool, lean.aside) or by_beginning(lean, kin)
    if not found:
        able = domains_for(before.action, before.parameters) if before.act is Act.CONTROL else ()
        others = [e for e in around.exposed if not able or e.domain in able]
        found = ground_among(reading, around, others, lean.aside)
    if not found:
        return None
    if any(is_place(reading, p) for p in lean.own) and all(around.home.entity(i) in kin for i in found):
        return replace(before, scope=each(found), intent="")
    rooms = {e.area for i in targets if (e := around.home.entity(i)) is not None}
    near = tuple(i for i in found if (e := around.home.entity(i)) is not None and e.area in rooms)
    return replace(before, scope=Scope((near or found,)), intent="")


def _same_there(lean: Leaning, kin: Sequence[Entity], around: Ground) -> Request | None:
    """The same in another place. One thing that was named is what is called alike, else the person says."""
    before = lean.before
    selector = _there(lean, around)
    inside = around.select(selector)
    last = [e for i in lean.base.targets if (e := around.home.entity(i)) is not None]
    if before.act is Act.QUERY and not inside:
        return _told_otherwise(before, selector, around)
    if len(last) == 1 and before.scope.named and not before.scope.every:
        here = [e for e in kin if selector.matches(e)]
        alike = [e for e in here if _apart_from_place(e) & _apart_from_place(last[0])]
        ids = tuple(e.entity_id for e in alike or here)
        return replace(before, scope=Scope((ids,)), intent="") if ids else None
    return replace(before, scope=Scope(selector=selector, every=before.scope.every))


def _apart_from_place(entity: Entity) -> set[str]:
    """The names of a thing without the words of its room."""
    place = place_words(entity.area) if entity.area is not None else set()
    return {" ".join(w for w in name_words(name) if w not in place) for name in entity.names} - {""}


def _told_otherwise(before: Request, selector: Selector, around: Ground) -> Request | None:
    """What tells the same in a place that has no such thing: outside it is a sensor that is warm, no thermostat."""
    kinds = set(selector.domains)
    for rows in ATTRIBUTES.values():
        if not any(domain in kinds and name == before.attribute for domain, _, name in rows):
            continue
        for domain, device_class, name in rows:
            classes = (device_class,) if device_class else ()
            chosen = replace(selector, domains=(domain,), device_classes=classes)
            if around.select(chosen):
                return replace(before, scope=Scope(selector=chosen), attribute=name, intent="")
    return None


def _there(lean: Leaning, around: Ground) -> Selector:
    """What was meant before, in the place that is said now."""
    reading, before = lean.reading, lean.before
    areas = tuple(v for m in reading.of_kind(MentionKind.AREA) for v in m.values)
    floors = tuple(v for m in reading.of_kind(MentionKind.FLOOR) for v in m.values)
    if before.scope.named or not before.scope.is_set:
        kin = kin_of(lean.base.targets, around.exposed, around.home)
        classes = {e.device_class for e in kin if e.device_class} if kin and kin[0].domain != "light" else set()
        domains = domains_of_ids(lean.base.targets) or before.scope.selector.domains
        selector = Selector(domains=tuple(sorted(domains)), device_classes=tuple(sorted(classes)))
    else:
        selector = before.scope.selector
    return replace(selector, area_ids=areas, floor_ids=floors, exclude=())


def _says_the_same(lean: Leaning) -> bool:
    """Whether it carries the request before over to something else, and says nothing new to be done."""
    reading = lean.reading
    if lean.has("same"):
        return not reading.of("adjust") and not reading.numbers
    if lean.does or reading.of("set"):
        return False
    return lean.has("correcting") or says_also(lean) or reading.text.rstrip().endswith(("?", "？"))


def says_also(lean: Leaning) -> bool:
    """Whether "too" is said, as a word or as an ending."""
    reading = lean.reading
    endings = reading.lexicon.also_endings
    return reading.has("also") or any(w.mark and w.text.endswith(endings) for w in reading.words if endings)
