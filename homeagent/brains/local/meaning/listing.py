"""Lists: what is to be added, taken off or checked off, and what is on them. The item is said in no known words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from homeagent.brains.language.lexicon import Spot, fold
from homeagent.brains.language.reading import Reading
from homeagent.brains.local.meaning.request import Act, Asked, Request, Scope
from homeagent.brains.local.things.grounding import Ground, ground
from indexer.mentions import MentionKind
from indexer.selector import Selector

_DOMAIN = "todo"
ACTIONS = {"add": "add_item", "remove": "remove_item", "complete": "complete_item"}
"""What is done with a list, by the concept of the verb."""


def list_request(reading: Reading, around: Ground) -> Request | None:
    """The request about a list, or None where the clause names none."""
    verbs = [s for s in reading.of("lists") if s.concept in (*ACTIONS, "show")]
    verb = min(verbs, key=lambda s: (s.concept == "show", s.positions), default=None)
    named = _named_words(reading, around)
    if named and (held := _held(reading, around, named)):
        return held
    if verb is None or not (named or _ticked(verb, around)):
        return None
    scope = ground_list(reading, around, named) if named else Scope(selector=Selector(domains=(_DOMAIN,)))
    if verb.concept == "show":
        return Request(Act.QUERY, scope, asked=Asked.VALUE, attribute="items")
    item = _item(reading, verb.positions, named)
    pronouns = {reading.words_at(s.positions) for s in reading.of("pronouns")}
    if pronouns and item in {"", *pronouns}:
        item = around.told  # "we are out of soap, put it on the list"
    if not item:
        return None
    return Request(Act.CONTROL, scope, action=ACTIONS[verb.concept], parameters={"item": item})


def _ticked(verb: Spot, around: Ground) -> bool:
    """Whether the verb is said of lists alone ("tick off the coffee") and there is only one that it can mean."""
    lists = [e for e in around.exposed if e.domain == _DOMAIN]
    return verb.concept == "complete" and len(verb.positions) > 1 and len(lists) == 1


def bare_item(request: Request, reading: Reading) -> Request:
    """The request with its item as it stands on a list: without the article or the "some" before it."""
    item = request.parameters.get("item")
    if request.action not in ACTIONS.values() or not isinstance(item, str):
        return request
    words = item.split()
    first = next((i for i, w in enumerate(words) if not reading.lexicon.is_filler(fold(w))), 0)
    return replace(request, parameters={**request.parameters, "item": " ".join(words[first:])})


def ground_list(reading: Reading, around: Ground, named: Sequence[int]) -> Scope:
    """The list that is named; any list where its name is none of this home's."""
    scope = ground(_only(reading, named), around, (_DOMAIN,))
    return scope if isinstance(scope, Scope) else Scope(selector=Selector(domains=(_DOMAIN,)))


def _held(reading: Reading, around: Ground, named: Sequence[int]) -> Request | None:
    """ "Is there milk on the list?": whether something is on it."""
    opens = [s for s in reading.of("questions") if reading.opening in s.positions]
    particles = {p for s in reading.of("particles") for p in s.positions}
    if any(not set(s.positions) <= particles for s in reading.of("actions")):
        return None
    if any(s.concept == Asked.HOW_MANY for s in opens):
        return Request(Act.QUERY, ground_list(reading, around, named), asked=Asked.VALUE, attribute="items")
    if not any(s.concept in ("any", "yesno") for s in opens):
        return None
    item = _item(reading, [p for s in opens for p in s.positions], named)
    scope = ground_list(reading, around, named)
    if not item:
        return None
    return Request(Act.QUERY, scope, asked=Asked.YESNO, attribute="items", words={"item": item})


def _named_words(reading: Reading, around: Ground) -> tuple[int, ...]:
    """The positions of the words that name a list."""
    lists = {e.entity_id for e in around.exposed if e.domain == _DOMAIN}
    return tuple(
        i
        for i in range(len(reading.words))
        if any(lists & set(m.values) for m in reading.mentions_at(i) if m.kind is MentionKind.NAME)
        or any(_DOMAIN in m.values for m in reading.kinds_at(i))
    )


def _only(reading: Reading, positions: Sequence[int]) -> Reading:
    start, end = min(positions), max(positions) + 1
    return reading.part(start, end)


def _item(reading: Reading, verb: Sequence[int], named: Sequence[int]) -> str:
    """The words between the verb and the list, without what leads to the list or opens the sentence."""
    used = {*verb, *named}
    used |= {p for s in reading.of("polite") for p in s.positions}
    free = [i for i in range(len(reading.words)) if i not in used]
    weak = {p for s in reading.of("fillers", "lists") for p in s.positions}
    while free and free[0] in weak:
        free.pop(0)
    while free and free[-1] in weak:
        free.pop()
    runs: list[list[int]] = []
    for place in free:
        if runs and place == runs[-1][-1] + 1:
            runs[-1].append(place)
        else:
            runs.append([place])
    longest = max(runs, key=len, default=[])
    while longest and longest[-1] in weak:
        longest.pop()
    return reading.words_at(longest)
