"""Which of the things that were spoken of an order means: "both", "the kitchen ones", "the second one", "all off"."""

from __future__ import annotations

from collections.abc import Sequence

from homeagent.brains.language.likeness import name_words
from homeagent.brains.local.following.leaning import Leaning
from homeagent.brains.local.following.spoken import changed, domains_of_ids, each, kin_of, last_two
from homeagent.brains.local.meaning import settings
from homeagent.brains.local.meaning.abilities import OPPOSITE
from homeagent.brains.local.meaning.request import Act, Request, Scope
from homeagent.brains.local.meaning.wishes import Wish, wish_for
from homeagent.brains.local.things.grounding import Ground, all_among, ground_among
from indexer.entity import Entity
from indexer.mentions import MentionKind

_KINDS = (MentionKind.DOMAIN, MentionKind.DEVICE_CLASS)
_SHORTEST = 3
"""A word of fewer letters is the beginning of too much."""
_RECENT = 4
"""So many turns back what was changed may be put back."""


def those_meant(lean: Leaning, around: Ground) -> Request | None:
    """The order for some of what was spoken of, or of that kind; None where the sentence means none of these."""
    return (
        _both(lean)
        or _all_of_them(lean, around)
        or _by_number(lean)
        or _set_so(lean)
        or _not_that(lean, around)
        or _of_that_kind(lean, around)
    )


def wished(lean: Leaning, ids: Sequence[str], scope: Scope) -> Request | None:
    """What is to be done with these: what the sentence says, else what was done before."""
    wish = wish_for(lean.reading, domains_of_ids(ids))
    if wish is None and (lean.does or lean.before.act is not Act.CONTROL):
        return None
    done = wish or Wish(lean.before.action, lean.before.parameters)
    return Request(Act.CONTROL, scope, action=done.action, parameters=done.parameters)


def _both(lean: Leaning) -> Request | None:
    """ "Both off": the two things that were spoken of last."""
    if not lean.has("both") or lean.own or lean.reading.of("questions"):
        return None
    ids = last_two(lean.history)
    return wished(lean, ids, each(ids)) if ids else None


def _all_of_them(lean: Leaning, around: Ground) -> Request | None:
    """ "All off", right after a question that named some, or an order for several: these, and nothing else."""
    reading, asked = lean.reading, lean.before.act is Act.QUERY
    every = reading.has("every", "every") or (asked and reading.has("every", "everything"))
    if not every or lean.own or reading.of("house", "here", "questions", "except") or lean.base is not lean.history[-1]:
        return None
    ids = around.last_entities if len(lean.base.targets) > 1 else _set_around(lean)
    return wished(lean, ids, each(ids)) if ids else None


def _set_around(lean: Leaning) -> tuple[str, ...]:
    """The several of which one was spoken of since: "all of them" are these."""
    wider = (p.targets for p in reversed(lean.history[-_RECENT:-1]) if len(p.targets) > 1)
    return next((ids for ids in wider if set(lean.base.targets) <= set(ids)), ())


def _by_number(lean: Leaning) -> Request | None:
    """ "The second one halfway", of several that were named."""
    place, ids = lean.reading.first("ordinals"), lean.base.targets
    if place is None or lean.own or len(ids) < 2 or lean.reading.of("again", "questions"):
        return None
    chosen = ids[int(place)] if -len(ids) <= int(place) < len(ids) else ""
    return wished(lean, (chosen,), each((chosen,))) if chosen else None


def _set_so(lean: Leaning) -> Request | None:
    """ "Open half": what was spoken of last, where it can be set so and nothing else is named."""
    reading, ids = lean.reading, lean.base.targets
    if (
        lean.own
        or lean.before.act is not Act.CONTROL
        or reading.of("questions", "implies", "pronouns", "every", "here")
    ):
        return None
    domains = domains_of_ids(ids)
    wish = wish_for(reading, domains) if reading.of("actions") and reading.of("levels") else None
    if wish is None or not wish.parameters or not set(domains) <= set(wish.domains):
        return None
    return wished(lean, ids, each(ids))


def _not_that(lean: Leaning, around: Ground) -> Request | None:
    """ "Not the right one", of several that were just switched: that one is put back."""
    opposite = OPPOSITE.get(lean.before.action)
    if not lean.reading.has("negation") or lean.reading.of("actions") or lean.before.parameters or not opposite:
        return None
    last = [e for i in lean.base.targets if (e := around.home.entity(i)) is not None]
    found = ground_among(lean.reading, around, last, lean.aside)
    if not found or len(found) == len(last):
        return None
    if (before := changed(lean.base)) is not None:
        found = tuple(i for i in found if i in before)  # what was so already stays so
    return Request(Act.CONTROL, each(found), action=opposite) if found else Request(Act.SAY, say="left_alone")


def _of_that_kind(lean: Leaning, around: Ground) -> Request | None:
    """ "The kitchen ones 40 percent", "the bedroom one halfway": things of the kind that was spoken of."""
    reading = lean.reading
    if not lean.own or reading.of("questions") or reading.of_kind(*_KINDS) or lean.before.act is not Act.CONTROL:
        return None
    if lean.has("same"):
        return None
    leans = lean.has("ones") or (reading.has("pronouns") and lean.only_place)
    if not leans and (lean.does or not settings.says_setting(reading)):
        return None
    kin = kin_of(lean.base.targets, around.exposed, around.home)
    fitting = all_among(reading, kin, lean.aside) if lean.only_place else ground_among(reading, around, kin, lean.aside)
    found = fitting or by_beginning(lean, kin)
    if not found:
        return None
    put_back = _switched_of(found, lean) if reading.has("again") or lean.has("ones") else ()
    if put_back and wish_for(reading, domains_of_ids(put_back)):
        return wished(lean, put_back, each(put_back))
    several = (len(lean.base.targets) > 1 or reading.plural) and lean.only_place
    return wished(lean, found, each(found) if several else Scope((found,)))


def _switched_of(found: Sequence[str], lean: Leaning) -> tuple[str, ...]:
    """Of these the ones that were really changed of late: "turn the kitchen ones back on" means no others."""
    for past in reversed(lean.history[-_RECENT:]):
        if ids := tuple(i for i in found if i in (changed(past) or ())):
            return ids
    return ()


def by_beginning(lean: Leaning, kin: Sequence[Entity]) -> tuple[str, ...]:
    """Those whose name, or whose room's, begins with the one word that was said: "Bad" of a "Badezimmer"."""
    said = {lean.reading.words[p].text for p in lean.own}
    if len(said) != 1 or len(word := said.pop()) < _SHORTEST:
        return ()
    names = {e.entity_id: [*e.names, *((e.area.name, *e.area.aliases) if e.area else ())] for e in kin}
    return tuple(i for i, own in names.items() if any(w.startswith(word) for n in own for w in name_words(n)))
