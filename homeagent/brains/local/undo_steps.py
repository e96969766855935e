"""What takes back the last steps of a conversation: a step is a turn that changed something, or was to."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from homeagent.brains.call_outcomes import only_looks
from homeagent.brains.local.planning.plans import CONTROL, TIMER
from homeagent.domains import profile_of
from homeagent.domains.actions import BROUGHT_BY, ITEM_OPPOSITE, OPPOSITE
from homeagent.domains.way_back import calls_back
from homeagent.timers.timer import LIVE, TimerAction, TimerKind
from homeagent.turn import PastTurn, ToolCall
from homeagent.turns.past_results import changed, left_otherwise, results_of, sent, unlisted
from homeagent.understanding.previous_turn import UndoSteps, each
from homeagent.understanding.request import Act, Request, Timing

_RECENT = 4
"""So many turns back the last step is sought."""
_UNSEEN = frozenset({"mute", "unmute"})
"""Actions that change no state."""
_STAYS = Request(Act.SAY, say="wrong_stays")
_NOTHING = Request(Act.SAY, say="nothing_to_undo")


def undo_of(history: Sequence[PastTurn]) -> UndoSteps | None:
    """What tells the request that takes back the last so many steps (None: all that are known), or, where things are
    named, the last step that changed one of them, as far as it changed these; None where no step was of late.
    """
    steps = [turn for turn in history if _is_step(turn)]
    if not steps or steps[-1] not in history[-_RECENT:]:
        return None
    return partial(_taken_back, steps)


def _is_step(past: PastTurn) -> bool:
    return any(not only_looks(call) for call in past.calls) or bool(left_otherwise(past))  # some of it may have failed


def _taken_back(
    steps: Sequence[PastTurn], count: int | None, named: frozenset[str] = frozenset(), *, at_first: bool = False
) -> Request | None:
    """The request that takes back the last ``count`` steps; what a thing was before the first of them counts. Of a
    single step that is not about things of the home None: what takes it back stands elsewhere.
    """
    if at_first:
        return _as_at_first(steps, named or frozenset(steps[-1].targets))
    if named:
        return _of_named(steps, named)
    meant = steps[-count:] if count is not None else steps
    if len(meant) == 1:
        return undone(meant[0], steps[-_RECENT:-1])
    states = [past for past in meant if _put_back(past) and not unlisted(past)]
    back = [*_put_back(_merged(states))] if states else []
    stays = False
    for past in reversed([past for past in meant if past not in states]):
        found = undone(past) or _timer_back(past)
        each_of_it = found.undoes if found is not None and found.act is Act.UNDO else (found,) if found else ()
        stays = stays or found == _STAYS
        for request in each_of_it:
            if request.act is not Act.SAY and not _cancels_out(request, back):
                back.append(request)
    if not back:
        return _STAYS if stays else _NOTHING
    return back[0] if len(back) == 1 and not stays else Request(Act.UNDO, undoes=tuple(back), stays=stays)


def _as_at_first(steps: Sequence[PastTurn], things: frozenset[str]) -> Request:
    """The request that puts these things back to what they were before all steps."""
    back = _put_back(_merged(steps), things) if things and not any(map(unlisted, steps)) else ()
    return _together(back) if back else _STAYS


def _of_named(steps: Sequence[PastTurn], named: frozenset[str]) -> Request | None:
    """The request that puts these things back to what they were before the last step that changed one of them; None
    where no step was about any.
    """
    for place, past in reversed([*enumerate(steps)]):
        if past.targets and named.issuperset(past.targets):
            return undone(past, steps[max(0, place - _RECENT) : place])
        if not named.isdisjoint(left_otherwise(past)):
            back = _put_back(past, named)
            return _together(back) if back else _STAYS
    return _NOTHING if any(not named.isdisjoint(past.targets) for past in steps) else None


def _together(back: tuple[Request, ...]) -> Request:
    return back[0] if len(back) == 1 else Request(Act.UNDO, undoes=back)


def _merged(steps: Sequence[PastTurn]) -> PastTurn:
    """The steps as if they were one."""
    calls, messages = (tuple(one for past in steps for one in getattr(past, name)) for name in ("calls", "messages"))
    return replace(steps[-1], calls=calls, messages=messages)


def _cancels_out(request: Request, back: list[Request]) -> bool:
    """Whether an item that is to be added was to be removed, or the other way; neither is done, then."""
    opposite = replace(request, action=ITEM_OPPOSITE.get(request.action, ""))
    if not opposite.action or opposite not in back:
        return False
    back.remove(opposite)
    return True


def _timer_back(past: PastTurn) -> Request | None:
    """What ends the one timer that a step has set, where it still runs."""
    if not any(call.name == TIMER and call.parameters.get("action") == TimerAction.SET for call in past.calls):
        return None
    told = [t for result in results_of(past) for t in result.get("timers", ()) if isinstance(t, dict)]
    if len(told) != 1 or told[0].get("state") not in LIVE:
        return None
    timing = Timing(TimerAction.CANCEL, TimerKind(told[0]["kind"]), timer_id=str(told[0]["id"]))
    return Request(Act.TIMER, timing=timing)


def undone(past: PastTurn, earlier: Sequence[PastTurn] = ()) -> Request | None:
    """The request that puts back what a turn changed; None where it did nothing. Where nothing puts it back, that is
    said instead.
    """
    if unlisted(past):
        return _STAYS
    if back := _put_back(past):
        return _together(back)
    calls = [call for call in past.calls if call.name == CONTROL]
    if items := _items_back(calls):
        return _together(items)
    if sent(past) or any(profile_of(i.partition(".")[0]).drives_others for i in past.targets):
        return _STAYS
    before = changed(past) if any(call.parameters.get("action") not in _UNSEEN for call in calls) else None
    valued = [call for call in calls if call.parameters.get("parameters")]
    if valued and not before:
        value = _value_before(past, earlier) if len(calls) == 1 else _STAYS
        return _STAYS if value is None and all(i.startswith("calendar.") for i in past.targets) else value
    if before is not None and not before:
        return _NOTHING
    opposites = {OPPOSITE.get(str(call.parameters.get("action")), "") for call in calls}
    plain = not any(call.parameters.get("parameters") for call in calls)
    if plain and past.targets and len(opposites) == 1 and all(opposites):
        return Request(Act.CONTROL, each(before or past.targets), action=opposites.pop())
    actions = {BROUGHT_BY.get(state, "") for state in (before or {}).values()}
    if before and set(before) >= set(past.targets) and len(actions) == 1 and all(actions):
        return Request(Act.CONTROL, each(before), action=actions.pop())
    return _STAYS if calls else None


def _items_back(calls: Sequence[ToolCall]) -> tuple[Request, ...]:
    """The requests that take back what was done with the items of lists; none where something else was done as well."""
    found = []
    for made in calls:
        action = ITEM_OPPOSITE.get(str(made.parameters.get("action")))
        items = (made.parameters.get("parameters") or {}).get("item")
        lists = made.parameters.get("entity_id") or ()
        if action is None or not items or not lists:
            return ()
        ids = [lists] if isinstance(lists, str) else lists
        found += [
            Request(Act.CONTROL, each(ids), action=action, parameters={"item": item})
            for item in ([items] if isinstance(items, str) else items)
        ]
    return tuple(found)


def _put_back(past: PastTurn, named: frozenset[str] = frozenset()) -> tuple[Request, ...]:
    """The requests that bring all that a turn left otherwise, of it what is ``named``, to how it was, things that take
    the same together; none where one of them cannot be brought back.
    """
    same: dict[str, tuple[str, dict[str, object], list[str]]] = {}
    for entity_id, left in left_otherwise(past).items():
        if named and entity_id not in named:
            continue
        calls = calls_back(entity_id.partition(".")[0], left.before, left.after, left.was)
        if not calls:
            return ()
        for action, parameters in calls:
            key = json.dumps([action, parameters], sort_keys=True)
            same.setdefault(key, (action, parameters, []))[2].append(entity_id)
    return tuple(
        Request(Act.CONTROL, each(ids), action=action, parameters=parameters)
        for action, parameters, ids in same.values()
    )


def _value_before(past: PastTurn, earlier: Sequence[PastTurn]) -> Request | None:
    """The request that sets a value back: a step with its sign turned, else the value that an earlier turn had set;
    None where neither is known.
    """
    action, said = valued(past)
    steps = {name: -by for name, by in said.items() if "_step" in name and isinstance(by, int | float)}
    if steps and len(steps) == len(said):
        return Request(Act.CONTROL, each(past.targets), action=action, parameters=steps)
    for turn in reversed(earlier):
        done, value = valued(turn)
        if done == action and set(value) == set(said) and set(turn.targets) >= set(past.targets):
            return Request(Act.CONTROL, each(past.targets), action=action, parameters=value)
    return None


def valued(past: PastTurn) -> tuple[str, dict[str, object]]:
    """Action and parameters of a turn's only control call; empty where it made several or none."""
    calls = [call.parameters for call in past.calls if call.name == CONTROL]
    return (str(calls[0].get("action")), dict(calls[0].get("parameters") or {})) if len(calls) == 1 else ("", {})
