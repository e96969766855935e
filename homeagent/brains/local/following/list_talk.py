"""Going on about a list that was spoken of: "and eggs and bread", "take the milk off", "what's on it?"."""

from __future__ import annotations

from collections.abc import Sequence

from homeagent.brains.local.following.continuing import says_also
from homeagent.brains.local.following.leaning import Leaning
from homeagent.brains.local.following.spoken import each
from homeagent.brains.local.meaning.listing import ACTIONS
from homeagent.brains.local.meaning.request import Act, Asked, Request
from homeagent.brains.local.meaning.understanding import is_question
from indexer.mentions import MentionKind

_LIST = "todo."
_THINGS = (MentionKind.AREA, MentionKind.FLOOR, MentionKind.DOMAIN, MentionKind.DEVICE_CLASS)
_SURE = 0.9


def list_talk(lean: Leaning) -> Request | None:
    """What a sentence asks of the one list that was spoken of last; None where it is about something else."""
    lists = lean.base.targets
    reading = lean.reading
    if len(lists) != 1 or not lists[0].startswith(_LIST) or _names_a_thing(lean):
        return None
    verb = next((s for s in reading.of("lists") if s.concept in ACTIONS), None)
    if is_question(reading) or (lean.has("needed") and verb is None):
        return _asked(lean)
    if verb is None and not (_goes_on(lean) and not _does_other(lean)):
        return None
    action = ACTIONS[verb.concept] if verb else lean.before.action
    items = _items(lean, verb.positions if verb else ())
    if not items:
        return None
    return Request(Act.CONTROL, each(lists), action=action, parameters={"item": list(items)})


def _asked(lean: Leaning) -> Request | None:
    """ "What's on it?", and "is milk on it?"."""
    reading = lean.reading
    on_it = lean.has("onit") or reading.has("pronouns") or lean.has("needed")
    showing = any(s.concept == "show" for s in reading.of("lists"))
    opens = [s for s in reading.of("questions") if reading.opening in s.positions or s.concept in ("yesno", "any")]
    whether = any(s.concept in ("yesno", "any") for s in opens) and not any(
        s.concept in ("value", "which") for s in reading.of("questions")
    )
    items = _items(lean, [p for s in opens for p in s.positions])
    scope = each(lean.base.targets)
    if whether and items and (on_it or showing):
        return Request(Act.QUERY, scope, asked=Asked.YESNO, attribute="items", words={"item": items[0]})
    if (on_it or showing) and not (whether and items):
        return Request(Act.QUERY, scope, asked=Asked.VALUE, attribute="items")
    return None


def _names_a_thing(lean: Leaning) -> bool:
    """Whether something else of this home is named, which then is meant and no item."""
    lists = set(lean.base.targets)
    named = [m for m in lean.reading.of_kind(MentionKind.NAME) if m.score >= _SURE and not lists & set(m.values)]
    return bool(named or lean.reading.of_kind(*_THINGS))


def _goes_on(lean: Leaning) -> bool:
    """Whether it adds to what was just put on the list, or taken off it."""
    endings = lean.reading.lexicon.also_endings
    ends = any(w.text.endswith(endings) for w in lean.reading.words) if endings else False
    return lean.before.action in ACTIONS.values() and (says_also(lean) or ends)


def _does_other(lean: Leaning) -> bool:
    return bool(lean.reading.of("actions", "adjust", "set", "questions"))


def _items(lean: Leaning, verb: Sequence[int]) -> tuple[str, ...]:
    """The things that are said, one by one: "eggs and bread" are two."""
    reading = lean.reading
    weak = {
        p
        for s in reading.of("fillers", "lists", "pronouns", "again", "also", "polite", "particles")
        for p in s.positions
    }
    weak |= {*verb, *lean.aside}
    joints = {p for s in reading.of("joiners") for p in s.positions}
    runs: list[list[int]] = []
    for place in range(len(reading.words)):
        if place in joints or (place and set(_between(lean, place)) & set(",、")):
            runs.append([])
        if place not in joints:
            runs = runs or [[]]
            runs[-1].append(place)
    return tuple(text for run in runs if (text := _less_weak(lean, run, weak)))


def _between(lean: Leaning, place: int) -> str:
    words = lean.reading.words
    return lean.reading.text[words[place - 1].end : words[place].start]


def _less_weak(lean: Leaning, run: list[int], weak: set[int]) -> str:
    """The words of a run without what leads to it and follows it; a Korean ending goes, too."""
    kept = [*run]
    while kept and kept[0] in weak:
        kept.pop(0)
    while kept and kept[-1] in weak:
        kept.pop()
    text = lean.reading.words_at(kept)
    endings = lean.reading.lexicon.also_endings
    return next((text.removesuffix(e) for e in endings if text.endswith(e) and len(text) > len(e)), text)
