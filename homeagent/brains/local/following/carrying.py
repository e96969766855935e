"""Questions that lean on the turn before: "which ones are left?", "what is it set to?", "and how loud?"."""

from __future__ import annotations

from dataclasses import replace

from homeagent.brains.local.following.leaning import Leaning
from homeagent.brains.local.following.spoken import each, kin_of
from homeagent.brains.local.meaning.asking import attribute_of, form_of
from homeagent.brains.local.meaning.facts import ATTRIBUTES, raw_states
from homeagent.brains.local.meaning.request import Act, Asked, Request
from homeagent.brains.local.meaning.states import states_said
from homeagent.brains.local.meaning.understanding import is_question
from homeagent.brains.local.things.grounding import Ground
from indexer.mentions import MentionKind

_SETS = frozenset({Asked.WHICH, Asked.HOW_MANY, Asked.ANY, Asked.ALL})
_PLACES = frozenset({MentionKind.AREA.value, MentionKind.FLOOR.value})
_RECENT = 4


def carried(lean: Leaning, around: Ground) -> Request | None:
    """The question that a sentence makes of what was spoken of; None where it tells by itself whom it asks about."""
    reading = lean.reading
    if set(lean.own) - _of_states(lean) or not (is_question(reading) or lean.has("remaining")):
        return None
    if any(reading.words[p].mark in _PLACES for p in range(len(reading.words))):
        return None
    if reading.of("periods", "past", "weekdays", "ahead") or not lean.base.targets:
        return None
    return _which_are_left(lean, around) or _how_it_is(lean, around)


def _of_states(lean: Leaning) -> set[int]:
    """Positions of the words that say a state or an attribute, and so no thing: "how loud"."""
    reading = lean.reading
    return {
        p for s in reading.spots if s.section.startswith("state.") or s.section == "attributes" for p in s.positions
    }


def _which_are_left(lean: Leaning, around: Ground) -> Request | None:
    """ "Which ones are still on?": of those that were asked about, else of the kind that was spoken of."""
    asked = form_of(lean.reading)
    bare = any(s.concept == Asked.WHICH and len(s.positions) == 1 for s in lean.reading.of("questions"))
    if not lean.has("remaining") and not (bare or (lean.has("ones") and asked in _SETS)):
        return None
    said = tuple(dict.fromkeys(raw for raws in states_said(lean.reading).values() for raw in raws))
    earlier = _earlier(lean)
    if earlier is not None and (not said or set(said) & set(earlier.states)):
        return replace(earlier, asked=asked if asked in (Asked.HOW_MANY, Asked.ANY) else Asked.WHICH)
    kin = kin_of(lean.base.targets, around.exposed, around.home)
    able = [e.entity_id for e in kin if raw_states(e, said)]
    if not able:
        return None
    return Request(Act.QUERY, each(able), asked=asked if asked in _SETS else Asked.WHICH, states=said)


def _earlier(lean: Leaning) -> Request | None:
    """The last question for all that are in some state."""
    turns = (lean.requests.get(past.turn_id) for past in reversed(lean.history[-_RECENT:]))
    return next((r for r in turns if r is not None and r.act is Act.QUERY and r.asked in _SETS and r.states), None)


def _how_it_is(lean: Leaning, around: Ground) -> Request | None:
    """ "What is it set to?", "how loud?": what a device can be set to, of the one that was spoken of last."""
    attribute = attribute_of(lean.reading)
    ids = around.last_entities or lean.base.targets
    for domain, _, name in ATTRIBUTES.get(attribute or "", ()):
        if name and not name.startswith("current_temp") and all(i.startswith(f"{domain}.") for i in ids):
            return Request(Act.QUERY, each(ids), asked=Asked.VALUE, attribute=name)
    return None
