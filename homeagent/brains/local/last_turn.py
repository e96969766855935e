"""What the conversation leaves to lean on: the turns before, as the understanding takes them.

It does not matter which brain answered: only what was said, called and aimed at then is used.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from homeagent.brains.local.planning.plans import CONTROL, QUERY, TIMER
from homeagent.brains.local.undo_steps import undo_of, undone, valued
from homeagent.brains.local.wording.state_answers import needs_all
from homeagent.brains.local.wording.weather_answers import events_told
from homeagent.domains.states import raw_states
from homeagent.ha.home import Home
from homeagent.languages.concepts import Way
from homeagent.safety.guards import amiss_states
from homeagent.timers.timer import LIVE, TimerKind
from homeagent.turn import PastTurn
from homeagent.turns.past_results import changed, left_otherwise, results_of
from homeagent.turns.question_back import QuestionKind
from homeagent.understanding.previous_turn import SETS, LastTimer, OpenQuestion, PreviousTurn, ToldEvent, each
from homeagent.understanding.request import Act, Asked, Request, Scope
from homeagent.understanding.value_changes import SCALES
from homeagent.values.colors import another_white
from indexer.selector import Selector

_TOLD = frozenset({Asked.WHICH, Asked.HOW_MANY, Asked.ANY, Asked.YESNO})
"""Forms of questions whose answer names those that are so."""
_AT_IT = frozenset({"playing", "paused", "buffering"})
_MEDIA = "media_title"
_RECENT = 4
"""So many turns back what was changed may be put back, or was asked about."""
_LISTED = 8
"""So many turns back an item was put on a list that may be taken off by its name alone."""
_ADDS = "add_item"
_OFFERED = 3
"""So many turns back what was to choose from is remembered."""
_CHOOSING = frozenset({QuestionKind.WHICH, QuestionKind.SUGGEST, QuestionKind.TARGET})
"""Kinds of questions back that a thing answers."""


def last_of(
    history: Sequence[PastTurn],
    asked: Mapping[str, Request],
    spoken: Sequence[str],
    lost: Collection[str],
    home: Home,
) -> PreviousTurn | None:
    """What the sentence after ``history`` leans on; None where that is nothing.

    ``asked``: what each turn asked for, by its id. ``spoken``: the ids that were spoken of last. ``lost``: ids of turns
    that spoke of something else and were not understood; nothing before these is meant.
    """
    if not history:
        return None
    past = history[-1]
    base, request = _about_something(history, asked, lost)
    if base is None or (base is not past and past.question is not None and only_named(past)):
        base, request = (past, None) if only_named(past) else (base, request)
    ids = base.targets or only_named(base) if base is not None else ()
    return PreviousTurn(
        request,
        ids,
        fresh=base is past,
        two=_two(history),
        several=tuple(spoken) if base is past and len(ids) > 1 else _several(history, ids) if base is past else (),
        spared=_spared(request, ids) if base is past else (),
        offered=_offered(history, ids),
        changed=tuple(before) if (before := changed(past)) is not None else None,
        lately=tuple(tuple(changed(turn) or ()) for turn in reversed(history[-_RECENT:])),
        ours=_ours(history[-_RECENT:], home),
        undo=undone(past, history[-_RECENT:-1]),
        undo_steps=undo_of(history),
        which=next((r for t in reversed(history[-_RECENT:]) if (r := asked.get(t.turn_id)) and _asks_which(r)), None),
        waiting=_waiting(history, home),
        timer=_timer(history[-_RECENT:]),
        event=_event(past, request, home) if base is past else None,
        counts=base is not None and any(c.isdigit() for c in base.text),
        way=_way(past, request) if base is past and request is not None else None,
        shades=_has_shades(past, home),
    )


def _ours(history: Sequence[PastTurn], home: Home) -> tuple[str, ...]:
    """What these turns changed and is since in the state that the last of them left it in."""
    left = {i: found.after for past in history for i, found in left_otherwise(past).items()}
    return tuple(i for i, after in left.items() if home.state_text(i) == after)


def spoken_of(past: PastTurn, asked: Request | None, home: Home) -> tuple[str, ...]:
    """The ids that people take a turn to have been about. After a question for things in a state ("which lights are
    on?") these are the ones that are in it; where none is, none for "which" and "how many", all for a yes-or-no
    question.
    """
    if not past.targets:
        return only_named(past)
    if asked is None or asked.act is not Act.QUERY or len(past.targets) < 2:
        return past.targets
    if asked.attribute == _MEDIA:
        return tuple(i for i in past.targets if home.state_text(i) in _AT_IT)  # where none plays, none was told of
    states = amiss_states(asked.safety) if asked.safety is not None else asked.states
    if not states or asked.asked not in _TOLD:
        return past.targets
    so = tuple(
        i
        for i in past.targets
        if (e := home.entity(i)) is not None and home.state_text(i) in (raw_states(e, states) or states)
    )
    if asked.asked is Asked.YESNO and so and asked.safety is None and needs_all(asked):
        return tuple(i for i in past.targets if i not in so) or so  # "no, the study light is not"
    # "which lights are on?" "none": there are none to speak of; "are the lights on?" "no": these are
    return so if so or asked.asked in (Asked.WHICH, Asked.HOW_MANY) else past.targets


def only_named(past: PastTurn) -> tuple[str, ...]:
    """The things that the person named without saying what to do, so that it was asked back, or the one thing that
    something was suggested for.
    """
    question = past.question
    if question is None or past.targets:
        return ()
    offered = question.kind is QuestionKind.SUGGEST and len(question.candidates) == 1
    return question.candidates if offered or question.kind is QuestionKind.ORDER else ()


def put_on_lists(history: Sequence[PastTurn]) -> Mapping[str, Sequence[str]]:
    """The items by the ids of the lists that the last turns put them on, and did not take off again."""
    found: dict[str, dict[str, None]] = {}
    for parameters in (c.parameters for past in history[-_LISTED:] for c in past.calls if c.name == CONTROL):
        items = _texts((parameters.get("parameters") or {}).get("item"))
        for item, list_id in ((i, k) for i in items for k in _texts(parameters.get("entity_id"))):
            if parameters.get("action") == _ADDS:
                found.setdefault(list_id, {})[item] = None
            else:
                found.get(list_id, {}).pop(item, None)
    return {list_id: tuple(items) for list_id, items in found.items() if items}


def request_of(past: PastTurn) -> Request | None:
    """The request that a past turn's first control call stands for, else its first query; None without either."""
    control = next((c.parameters for c in past.calls if c.name == CONTROL), None)
    if control is not None and past.targets:
        parameters = dict(control.get("parameters") or {})
        scope = replace(each(past.targets), selector=Selector(exclude=_texts(control.get("exclude"))))
        return Request(Act.CONTROL, scope, action=str(control.get("action", "")), parameters=parameters)
    query = next((c.parameters for c in past.calls if c.name == QUERY), None)
    if query is None:
        return None
    selector = Selector(_texts(query.get("domain")), _texts(query.get("device_class")))
    states = _texts(query.get("state"))
    return Request(
        Act.QUERY,
        Scope(selector=selector) if selector != Selector() else each(past.targets),
        asked=Asked.WHICH if states else Asked.VALUE,
        states=states,
        attribute=next(iter(_texts(query.get("attributes"))), ""),
    )


def _about_something(
    history: Sequence[PastTurn], asked: Mapping[str, Request], lost: Collection[str]
) -> tuple[PastTurn | None, Request | None]:
    """The last turn that had targets or asked something, and its request; a turn that was not understood ends the
    search.
    """
    for past in reversed(history):
        request = asked.get(past.turn_id)
        if request is not None and (past.targets or request.act in (Act.QUERY, Act.HISTORY)):
            return past, request
        if past.turn_id in lost:
            break
    return None, None


def _two(history: Sequence[PastTurn]) -> tuple[str, ...]:
    """The two things spoken of last: both from one turn, or one each from consecutive turns. Where one of the last two
    turns was about several of a domain, and the other about others of it, all of them. Empty where there were more.
    """
    found: dict[str, None] = {}
    for past in reversed(history):
        if len(past.targets) > 2:
            break
        found = dict.fromkeys((*past.targets, *found))
        if len(found) >= 2:
            break
    return tuple(found) if len(found) == 2 else _two_sets(history)


def _two_sets(history: Sequence[PastTurn]) -> tuple[str, ...]:
    """What the last two turns were about, where these are different things of one domain: "both" rooms' lights."""
    sets = [past.targets for past in history[-2:]]
    ids = tuple(i for found in sets for i in found)
    domains = {i.partition(".")[0] for i in ids}
    return ids if len(sets) == 2 and all(sets) and len(set(ids)) == len(ids) and len(domains) == 1 else ()


def _several(history: Sequence[PastTurn], ids: Sequence[str]) -> tuple[str, ...]:
    """The larger set that a recent turn was about and that contains ``ids``, else the things treated one by one."""
    wider = (p.targets for p in reversed(history[-_RECENT:-1]) if len(p.targets) > 1)
    return next((found for found in wider if set(ids) <= set(found)), ()) or _one_by_one(history)


def _one_by_one(history: Sequence[PastTurn]) -> tuple[str, ...]:
    """The things that the last turns did the same with, one thing a turn, oldest first; empty for a single one."""
    done: dict[str, None] = {}
    for past in reversed(history[-_RECENT:]):
        if len(past.targets) != 1 or not valued(past)[0] or valued(past) != valued(history[-1]):
            break
        done.update(dict.fromkeys(past.targets))
    return tuple(reversed(done)) if len(done) > 1 else ()


def _spared(request: Request | None, ids: Sequence[str]) -> tuple[str, ...]:
    """The ids that an order excepted, of the domains of those it was carried out for."""
    excluded = request.scope.selector.exclude if request is not None and request.act is Act.CONTROL else ()
    domains = {i.partition(".")[0] for i in ids}
    return tuple(i for i in excluded if i.partition(".")[0] in domains and i not in ids)


def _offered(history: Sequence[PastTurn], ids: Sequence[str]) -> tuple[str, ...]:
    offered = (turn.question.candidates for turn in reversed(history[-_OFFERED:]) if turn.question is not None)
    return next((found for found in offered if set(ids) & set(found)), ())


def _asks_which(request: Request) -> bool:
    return request.act is Act.QUERY and request.asked in SETS and bool(request.states)


def _waiting(history: Sequence[PastTurn], home: Home) -> OpenQuestion | None:
    """The question that the last turn asked back, or the turn before it where the last one only looked something up."""
    past = history[-1]
    question = past.question
    if question is None and len(history) > 1 and all(call.name == QUERY for call in past.calls):
        question = history[-2].question
        if question is not None and question.kind is QuestionKind.SUGGEST:
            return None
    if question is None or question.request is None or question.kind not in _CHOOSING:
        return None  # what was asked was a yes to a confirmation, which is the agent's business
    known = tuple(i for i in question.candidates if home.entity(i) is not None)
    return OpenQuestion(question.request, known)


def _timer(history: Sequence[PastTurn]) -> LastTimer | None:
    """The timer that was spoken of last, of the last turns; None where it were several of more than one kind."""
    for past in reversed(history):
        if not any(call.name == TIMER for call in past.calls):
            continue
        told = [t for result in results_of(past) for t in result.get("timers", ()) if isinstance(t, dict)]
        kinds = {t["kind"] for t in told}
        if len(kinds) != 1 or any(t.get("state") not in LIVE for t in told):
            return None
        only = str(told[0]["id"]) if len(told) == 1 else ""
        changed = any(c.name == TIMER and c.parameters.get("action") == "change" for c in past.calls)
        moved = _moved(only, history) if changed and past is history[-1] else None
        does = frozenset(str(c.get("action")) for t in told for c in t.get("calls") or ())
        fresh = past is history[-1]
        due = datetime.fromisoformat(str(told[0]["due"])) if told[0].get("due") and not told[0]["repeats"] else None
        return LastTimer(only, TimerKind(kinds.pop()), fresh, changed, does, moved, due if only else None)
    return None


def _event(past: PastTurn, request: Request | None, home: Home) -> ToldEvent | None:
    """The only event that a turn told of."""
    if request is None or request.attribute != "events":
        return None
    lines = [line for result in results_of(past) for line in result.get("entities", ()) if isinstance(line, dict)]
    found = events_told(request, lines, home)
    if len(found) != 1 or "T" not in str(found[0][1].get("start")):
        return None  # of several it is not known which, and a whole day has no hour
    starts, event = found[0]
    return ToldEvent(str(event.get("summary", "")), starts)


def _moved(timer_id: str, history: Sequence[PastTurn]) -> timedelta | None:
    """By how much the last turn moved a timer, from when it was told to be due then and before."""
    times = [
        datetime.fromisoformat(str(told["due"]))
        for past in history
        for result in results_of(past)
        for told in result.get("timers", ())
        if isinstance(told, dict) and str(told.get("id")) == timer_id and told.get("due")
    ]
    return times[-1] - times[-2] if len(times) > 1 else None


def _way(past: PastTurn, request: Request) -> Way | None:
    """Which way a value lies that a turn set, from how it was before; None where that is not known."""
    value = next((s.value for s in SCALES.values() if s.value in request.parameters), "")
    before = {left.was.get(value) for left in left_otherwise(past).values()} - {None}
    was, now = before.pop() if len(before) == 1 else None, request.parameters.get(value)
    if not isinstance(was, int | float) or not isinstance(now, int | float) or was == now:
        return None
    return Way.UP if now > was else Way.DOWN


def _has_shades(past: PastTurn, home: Home) -> bool:
    states = [s for i in past.targets if (s := home.state(i)) is not None]
    lamps = all(i.startswith("light.") for i in past.targets)
    return bool(states) and lamps and another_white([s.attributes for s in states], warmer=True) is not None


def _texts(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,)
    return tuple(map(str, value)) if isinstance(value, list | tuple) else ()
