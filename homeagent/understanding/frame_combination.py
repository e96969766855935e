"""What the frames of one sentence make of each other: an order that is called off, a condition that the order beside it
only acts under anyhow ("if the lamp is on, turn it off")."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import pairwise

from homeagent.domains.states import OPPOSITES
from homeagent.languages.concepts import (
    Chat,
    Complaint,
    Count,
    Heading,
    Particle,
    Question,
    Role,
    StateWord,
    Unit,
    Verb,
)
from homeagent.timers.due import After, At, AtSun, Due, Every, Weekday
from homeagent.understanding.clauses import Clause
from homeagent.understanding.frame import ANSWERED, ActKind, Feature, Frame, without_refused
from homeagent.understanding.frame_costs import frame
from homeagent.understanding.frames.present_conditions import can_be_looked_at, given_of
from homeagent.understanding.frames.timed_orders import led_together
from homeagent.understanding.grounding import from_antecedent, members
from homeagent.understanding.home_names import HomeNames
from homeagent.understanding.noun_phrases import target_of
from homeagent.understanding.past_times import Now
from homeagent.understanding.previous_turn import PreviousTurn, each
from homeagent.understanding.request import Act, Asked, Given, Request
from indexer.entity import Area

_ENDED_BY: Mapping[str, frozenset[str]] = {
    "on": frozenset({"turn_off", "stop", "pause"}),
    "playing": frozenset({"turn_off", "stop", "pause"}),
    "off": frozenset({"turn_on", "start"}),
    "open": frozenset({"close"}),
    "closed": frozenset({"open"}),
    "unlocked": frozenset({"lock"}),
    "locked": frozenset({"unlock"}),
}
"""Which actions end a state: where it is not so, they change nothing."""
_SMALL = (Role.CONDITION, Role.NEGATION, Role.COPULA, Role.FILLER, Role.JOIN, Role.STATEMENT, Role.HERE, Role.COURTESY)
_TELLING = frozenset({Feature.STATEMENT, Feature.COMPLAINT, Feature.REASON})
_OF_ONE = (Asked.VALUE, Asked.YESNO, Asked.WHERE)
_ANYTHING = "default"
"""The class of states that any thing may have."""
_STATES = "states"


def redundant_condition(clause: Clause) -> Iterator[Frame]:
    """A frame for a condition with every word explained, which says a state that an order may end."""
    conditions, said = clause.at(Role.CONDITION), clause.of(StateWord)
    verbs = clause.of(Verb, Heading) - clause.of(StateWord, Particle) - conditions
    if not conditions or not said or verbs or clause.times or clause.of(Count, Unit, Complaint):
        return
    joined = clause.at(Role.JOIN) - clause.leading_joins
    if joined and max(joined) >= min(said | clause.at(Role.COPULA, Role.STATEMENT)):
        return  # "if it is on and nobody is here": another condition
    explained = {i for i, c in enumerate(clause.cells) if c.says(*_SMALL)} | said | clause.of(Particle)
    target = target_of(clause, explained - clause.at(Role.HERE))
    sorts = {_ANYTHING} if target.empty else None  # "is home" is said of somebody
    states = {
        raw
        for _, word in clause.said(StateWord)
        for sort, raw in word.raw
        if raw in _ENDED_BY and (sorts is None or sort in sorts)
    }
    if clause.at(Role.NEGATION):
        states = {OPPOSITES[s] for s in states if s in OPPOSITES}
    if target.pronoun or target.empty:
        target = from_antecedent(target, clause.antecedent)
    request = Request(Act.SAY, say=_STATES, states=tuple(sorted(states)))
    found = frame(clause, ActKind.CONDITION, request, explained | clause.of(Question), target)
    if set(found.features) <= {Feature.EXPLAINED, Feature.LEFT_SMALL, Feature.ACROSS_A_MARK, Feature.PART_OF_NAME}:
        ids = frozenset(e.entity_id for p in target.phrases for e in members(p, clause.names))
        yield replace(found, entity_ids=ids)


def fits(condition: Frame, frames: Sequence[Frame]) -> bool:
    """Whether every order beside a condition ends the state that it names, on the same thing: then it changes nothing
    where the condition does not hold.
    """
    assert condition.request is not None
    given = _given(condition)
    if given is not None and (given.denied or any(f.otherwise for f in frames)):
        return False
    states = given.asked.states if given is not None else condition.request.states
    ordered = [f for f in frames if f.acts and f.request is not None]
    ending = {action for s in states for action in _ENDED_BY.get(s, ())}
    unnamed = condition.target is None or not condition.target.phrases
    return bool(ordered) and all(
        f.request is not None
        and f.request.action in ending
        and bool(f.entity_ids)
        and (unnamed or f.entity_ids <= condition.entity_ids)
        for f in ordered
    )


def combined(frames: Sequence[Frame]) -> tuple[Frame, ...] | None:
    """The frames after what is called off and left alone is taken out; None where they contradict each other, as a
    condition that no order fits.
    """
    made = _hung_on_their_question(led_together(_without_cancelled(without_refused(frames))))
    acts = {f.act for f in made}
    if ActKind.FOLLOWING in acts and acts & {ActKind.ASKING, ActKind.PAST}:
        return None  # "and the TV, is it on?" is one question
    conditions = [f for f in made if f.act is ActKind.CONDITION]
    if any(_is_added_to(made, i) for i, f in enumerate(made) if f.act is ActKind.CONDITION):
        return None
    looked_at = [given for f in conditions if not fits(f, made) and (given := _given(f)) is not None]
    if any(_given(f) is None and not fits(f, made) for f in conditions):
        return None
    if len(looked_at) == 1:
        return _under(looked_at[0], made) if _hangs_on_an_order(made) else None
    return None if looked_at or any(f.otherwise for f in made) else made


def counted_from_before(frames: tuple[Frame, ...], now: Now | None) -> tuple[Frame, ...]:
    """The frames, where an order would be due before the one for the same thing that was said before it: the length
    counts from that ("turn it on at nine, and off ten minutes later")."""
    made = list(frames)
    for i, found in enumerate(frames):
        for first in made[:i]:
            due = _counted(found, first, now) if found.entity_ids & first.entity_ids else None
            if due is not None and found.request is not None and found.request.timing is not None:
                timing = replace(found.request.timing, due=due)
                made[i] = replace(found, request=replace(found.request, timing=timing))
    return tuple(made)


def meant_where_told(frames: tuple[Frame, ...], names: HomeNames, last: PreviousTurn | None) -> tuple[Frame, ...]:
    """The frames, where an order for one of several things says no place, for those in the only place that is told of
    before it ("grandpa is cold in the den, turn the heating up"); a question for those in the only room that the very
    ``last`` turn was about ("and what is the heating set to?"). Not what is turned off: that is also said by somebody
    on the way there."""
    made = list(frames)
    spoken = {e.area for i in (last.entity_ids if last is not None and last.fresh else ()) if (e := names.by_id.get(i))}
    if len(spoken) == 1 and (room := spoken.pop()) is not None:
        made = [_asked_of_one_in(room, f, names) for f in frames]
    for i, ordered in enumerate(frames):
        told = [t for f in frames[:i] if (t := f.target if f.act is ActKind.COMPLAINT else f.told_in) is not None]
        areas, floors = {a for t in told for a in t.areas}, {f for t in told for f in t.floors}
        if len(areas) + len(floors) == 1:
            made[i] = _placed(ordered, tuple(areas), tuple(floors), names)
    return tuple(made)


def _asked_of_one_in(room: Area, asked: Frame, names: HomeNames) -> Frame:
    """The question for one thing that is called by its kind alone, asked of that in a room; any other as it is."""
    request, target = asked.request, asked.target
    if request is None or request.act is not Act.QUERY or request.asked not in _OF_ONE:
        return asked
    whole = target is None or target.every or target.whole_home or target.excepted is not None
    phrases = () if target is None or whole else target.phrases
    alone = len(phrases) == 1 and not (phrases[0].plural or phrases[0].entity_ids or phrases[0].areas)
    inside = frozenset(i for i in asked.entity_ids if names.by_id[i].area == room)
    if not alone or not phrases[0].kinds or not inside:
        return asked
    return replace(asked, request=replace(request, scope=each(sorted(inside))), entity_ids=inside)


def _placed(ordered: Frame, area_ids: tuple[str, ...], floor_ids: tuple[str, ...], names: HomeNames) -> Frame:
    request = ordered.request
    if request is None or not ordered.acts or request.scope.every or request.action == Verb.TURN_OFF.value:
        return ordered
    selector = request.scope.selector
    if not request.scope.is_set or selector.area_ids or selector.floor_ids or selector.labels:
        return ordered
    there = replace(selector, area_ids=area_ids, floor_ids=floor_ids)
    ids = frozenset(i for i in ordered.entity_ids if there.matches(names.by_id[i]))
    scope = replace(request.scope, selector=there)
    return replace(ordered, request=replace(request, scope=scope), entity_ids=ids) if ids else ordered


def _counted(found: Frame, first: Frame, now: Now | None) -> Due | None:
    """When it is due by the length after what was ordered ``first``; None where it is no such order, or nothing says
    that it comes after that."""
    begins, due = _due_of(first), _due_of(found)
    if now is None or not isinstance(due, After):
        return None
    today = now.moment.astimezone(now.zone)
    match begins:
        case After(wait):
            return After(wait + due.wait) if due.wait <= wait else None
        case At(clock, day):
            day = day or (today.date() if clock > today.time() else today.date() + timedelta(days=1))
            moment = datetime.combine(day, clock, now.zone)
            return At((moment + due.wait).time(), (moment + due.wait).date()) if today + due.wait < moment else None
        case Every(clock, days):
            moment = datetime.combine(today.date(), clock) + due.wait
            later = (moment.date() - today.date()).days
            return replace(
                begins, time=moment.time(), days=frozenset(Weekday((d + later) % len(Weekday)) for d in days)
            )
        case AtSun():
            return replace(begins, offset=begins.offset + due.wait)
        case _:
            return None


def _due_of(found: Frame) -> Due | None:
    """When an order is carried out; None where it is done now, for so long."""
    timing = found.request.timing if found.request is not None else None
    return timing.due if timing is not None and not timing.back else None


def _hung_on_their_question(frames: tuple[Frame, ...]) -> tuple[Frame, ...]:
    """The frames with each question of yes or no, on which the order behind it hangs, as its condition: "is it below
    five outside? Then set the bedroom to twenty"."""
    made = list(frames)
    for i, (asked, ordered) in enumerate(pairwise(frames)):
        request = asked.request
        if asked.act in ANSWERED and ordered.hangs and ordered.acts and request and can_be_looked_at(request):
            given = given_of(request, asked.entity_ids, denied=False)
            made[i] = replace(asked, act=ActKind.CONDITION, request=Request(Act.SAY, given=given))
    return tuple(made)


def _called_off(frames: Sequence[Frame], place: int) -> bool:
    """Whether a "never mind" stands behind it."""
    said = (f.request.say for f in frames[place + 1 :] if f.act is ActKind.CHAT and f.request is not None)
    return Chat.NOTHING.value in said


def _is_hush(frames: Sequence[Frame], place: int) -> bool:
    """Whether it is a "hush" that mutes nothing in particular beside another order."""
    frame = frames[place]
    unnamed = frame.target is None or frame.target.empty
    hushes = unnamed and frame.request is not None and frame.request.action == Verb.MUTE.value
    return hushes and any(f.acts for i, f in enumerate(frames) if i != place)


def _set_instead(frames: Sequence[Frame], place: int) -> bool:
    """Whether it takes back what was done, which is set to a value right behind that ("too much. sixty")."""
    behind = frames[place + 1 : place + 2]
    follows = frames[place].act is ActKind.FOLLOWING
    return follows and any(f.act is ActKind.SETTING and f.entity_ids == frames[place].entity_ids for f in behind)


_CANCELLED = (_called_off, _is_hush, _set_instead)
"""What makes an order void beside others; each looks at what the one before has left."""


def _without_cancelled(frames: Sequence[Frame]) -> tuple[Frame, ...]:
    """The frames with the orders that others cancel as asides."""
    for is_cancelled in _CANCELLED:
        void = [f.acts and is_cancelled(frames, i) for i, f in enumerate(frames)]
        frames = [replace(f, act=ActKind.ASIDE, request=None) if v else f for f, v in zip(frames, void, strict=True)]
    return tuple(frames)


def _is_added_to(frames: Sequence[Frame], place: int) -> bool:
    """Whether something is told behind a condition, with an order behind that: "if it
    is on and it is late, …".
    """
    ordered = next((i for i, f in enumerate(frames) if i > place and _depends(f)), place)
    between = frames[place + 1 : ordered]
    return any(f.act is ActKind.COMPLAINT or _TELLING & f.features.keys() for f in between)


def _given(frame: Frame) -> Given | None:
    return frame.request.given if frame.act is ActKind.CONDITION and frame.request is not None else None


def _hangs_on_an_order(frames: Sequence[Frame]) -> bool:
    """Whether a condition that is told behind something is told right behind an order, and not of what that brings
    about: "check if it is on", "close it and tell me if it is closed" ask.
    """
    place, condition = next((i, f) for i, f in enumerate(frames) if f.act is ActKind.CONDITION)
    if all(f.act is ActKind.ASIDE for f in frames[:place]):
        return True
    return _depends(frames[place - 1]) and all(condition.entity_ids.isdisjoint(f.entity_ids) for f in frames[:place])


def _depends(frame: Frame) -> bool:
    """Whether it is done, or left, only under a condition that is told beside it."""
    return frame.acts or frame.act is ActKind.REFUSAL


def _under(given: Given, frames: Sequence[Frame]) -> tuple[Frame, ...] | None:
    """The frames with what is ordered under the condition; None where nothing is, or where something is asked that
    would be told whether it is so or not.
    """
    if not any(f.acts for f in frames) or any(f.act in ANSWERED or (f.otherwise and not _depends(f)) for f in frames):
        return None
    ahead = given.asked.period is not None and given.asked.period.days_ago < 0
    if ahead and not all(_is_noted(f) for f in frames if f.acts):
        return None  # it is not cold today because frost is foretold for tomorrow
    no = replace(given, denied=not given.denied)
    return tuple(
        replace(f, request=replace(f.request, given=no if f.otherwise else given))
        if f.request is not None and _depends(f)
        else f
        for f in frames
    )


def _is_noted(frame: Frame) -> bool:
    """Whether it only puts something on a list, or is for a time of its own."""
    return frame.request is not None and (frame.request.act is Act.TIMER or "item" in frame.request.parameters)
