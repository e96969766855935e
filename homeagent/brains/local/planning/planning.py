"""From a request to tool calls, or to what is to be said instead: a question, a refusal, a "there is none"."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from homeagent.brains.language.responses import deed_of
from homeagent.brains.local.planning.controlling import control
from homeagent.brains.local.planning.history_queries import recorded
from homeagent.brains.local.planning.plans import KEEP, MOST_ASKED, TIMER, Plan, Saying, ask_which, call, many
from homeagent.brains.local.planning.querying import query, safety_query
from homeagent.brains.local.planning.suggesting import nearest_places, nearest_things
from homeagent.brains.local.planning.timer_calls import plan_timing
from homeagent.brains.local.surroundings import Surroundings, entities_of
from homeagent.domains import profile_of
from homeagent.domains.actions import action_for, domains_for
from homeagent.ha.home import UNAVAILABLE, UNKNOWN
from homeagent.languages.concepts import Chat
from homeagent.turns.question_back import QuestionBack, QuestionKind
from homeagent.understanding.done_items import DoneItems
from homeagent.understanding.request import WHICH_DAY, WHICH_TIME, Act, Request, Scope
from indexer.entity import Entity
from indexer.selector import Selector
from indexer.words import normalise

_REMOVING = "remove_item"


def plan(request: Request, around: Surroundings) -> Plan:
    """The calls for a request in the home as it is now, or what is said instead."""
    if request.act is Act.CONTROL:
        return control(request, around)
    if request.act is Act.UNDO:
        plans = [plan(undo, around) for undo in request.undoes]
        calls = tuple(made for p in plans for made in p.calls)
        return Plan(request, calls) if calls else plans[0]
    if request.act is Act.WRONG:
        back = tuple(made for undo in request.undoes for made in plan(undo, around).calls)
        return Plan(request, (*back, call(KEEP, {})))
    if request.act is Act.TIMER and request.timing is None:  # those that were asked for are told by their ids
        ids = request.parameters.get("ids", ())
        said = {name: value for name, value in request.parameters.items() if name not in ("ids", "name")}
        return Plan(request, tuple(call(TIMER, {**said, "id": i}) for i in ids))
    if request.timing is not None:
        return plan_timing(request, request.timing, around, plan)
    if request.safety is not None:
        return safety_query(request, around) or query(replace(request, safety=None), around)
    if request.past is not None:
        return recorded(request, request.past, around)
    if request.act is Act.QUERY:
        return query(request, around)
    if request.act in (Act.TIME, Act.DATE):
        return Plan(request)
    if request.act is Act.SAY and request.say == "suggest":
        return _suggest(request, around)
    if request.say == Chat.HELP.value:
        able = Counter(e.domain for e in around.home.exposed() if e.in_plurals and profile_of(e.domain).actions)
        return Plan(request, saying=Saying(request.say, {"domains": " ".join(d for d, _ in able.most_common())}))
    if request.say == "left_alone" and request.action:
        return _kept(request, around)
    placed = request.say == "unknown_place" and request.action and not nearest_places(request.about.text, around.home)
    if request.say == "unknown_device" or placed:
        meant, like = entities_of(request.scope, around), nearest_things(request.about, around.home)
        return _offer(request, meant if 0 < len(meant) <= MOST_ASKED else like or meant)
    if request.say == "was_before":
        ((setting, value),) = request.parameters.items()
        ids = tuple(i for group in request.scope.named for i in group)
        return Plan(request, saying=Saying("was_before", {"setting": setting, "value": str(value)}, ids))
    question = QuestionBack(QuestionKind.VALUE, request=request) if request.say == "to_what" else None
    if request.say == "what_with":
        question = QuestionBack(QuestionKind.ORDER, tuple(e.entity_id for e in entities_of(request.scope, around)))
    if request.say in (WHICH_TIME, WHICH_DAY):
        question = QuestionBack(QuestionKind.WHEN)
    saying = Saying(request.say, {**request.about.words, "response": request.response})
    return Plan(request, saying=saying, question=question)


def _offer(request: Request, near: Sequence[Entity]) -> Plan:
    """What may have been meant instead: a yes, or its name, does it, where it can."""
    able = domains_for(request.action, request.parameters) if request.action else ()
    ids = tuple(e.entity_id for e in near if e.domain in able)
    key = "unknown_place" if request.say == "unknown_place" else "unknown_device"
    saying = Saying(key, request.about.words, ids or tuple(e.entity_id for e in near))
    if not ids:
        called = tuple(e.entity_id for e in near if _is_called(e, request.about.text))
        return Plan(request, saying=Saying("unsupported", entity_ids=called) if called else saying)
    kind = QuestionKind.SUGGEST if len(ids) == 1 else QuestionKind.WHICH
    if len(ids) > MOST_ASKED:
        saying = replace(saying, entity_ids=ids[:MOST_ASKED], words={**saying.words, **many(ids)})
    return Plan(request, saying=saying, question=QuestionBack(kind, ids, replace(request, act=Act.CONTROL)))


def _is_called(entity: Entity, text: str) -> bool:
    """Whether a text is exactly the name of a thing: it was found, and only cannot do what was asked."""
    return normalise(text) in map(normalise, entity.names)


def _kept(request: Request, around: Surroundings) -> Plan:
    """For "leave it on": ask whether to bring things that are not in that state into it; do nothing to the rest."""
    others = [e for e in entities_of(request.scope, around) if is_other(request.action, e, around)]
    if not others:
        return Plan(request, saying=Saying("left_alone"))
    if len(others) > MOST_ASKED:
        return ask_which(replace(request, act=Act.CONTROL), [e.entity_id for e in others])
    scope = Scope(tuple((e.entity_id,) for e in others))
    return _suggest(replace(request, say="suggest", scope=scope), around)


def is_other(action: str, entity: Entity, around: Surroundings) -> bool:
    """Whether the action would bring the thing into another state."""
    service = profile_of(entity.domain).actions.get(action_for(action, entity.domain))
    state = around.home.state_text(entity.entity_id)
    if service is None or state in (None, UNAVAILABLE, UNKNOWN):
        return False
    return state in service.leaves or bool(service.reaches and state not in service.reaches)


def ticked_off(done: DoneItems, around: Surroundings, *, sure: bool = False) -> Plan:
    """The plan for items that are told to be done: what was said to do with them, else to tick them off where it is
    ``sure`` that they are to be, and the offer of that where it is not."""
    scope = Scope(tuple((i,) for i in done.list_ids), every=True)
    items = done.items[0] if len(done.items) == 1 else list(done.items)
    request = Request(Act.CONTROL, scope, action=done.action or "complete_item", parameters={"item": items})
    if done.action or sure:
        return plan(request, around)
    told = Saying("suggest_done", {"item": ", ".join(done.items)}, done.list_ids)
    return Plan(
        replace(request, act=Act.SAY, say="suggest"),
        saying=told,
        question=QuestionBack(QuestionKind.SUGGEST, done.list_ids, request),
    )


def _suggest(request: Request, around: Surroundings) -> Plan:
    members = entities_of(request.scope, around) or entities_of(
        Scope(selector=Selector(domains=request.scope.selector.domains)), around
    )
    if not members:
        return Plan(request, saying=Saying("nothing_to_do"))
    doing = replace(request, act=Act.CONTROL)
    ids = tuple(e.entity_id for e in members)
    verb = deed_of(request.action, request.parameters)
    all_meant = request.scope.every and len(ids) <= MOST_ASKED
    if request.scope.named and 1 < len(ids) <= MOST_ASKED and not all_meant:
        return ask_which(doing, ids)
    if not request.scope.selector.area_ids and len(ids) > 1 and not all_meant:
        # a yes must never do more than was named: without a room, the person has to say which
        kinds = " ".join(request.scope.selector.domains)
        told = Saying("suggest_where", {"verb": verb, "kinds": kinds})
        return Plan(request, saying=told, question=QuestionBack(QuestionKind.WHICH, ids, doing))
    items = request.parameters.get("item") or request.parameters.get("summary")
    ids = ids[: 1 if items else MOST_ASKED]
    if items:
        said = ", ".join(map(str, items)) if isinstance(items, list) else str(items)
        told = Saying("suggest_removal" if request.action == _REMOVING else "suggest_item", {"item": said}, ids)
    elif verb == request.action and len(request.parameters) == 1:
        ((setting, value),) = request.parameters.items()
        told = Saying("suggest_value", {"setting": setting, "value": str(value)}, ids)
    else:
        told = Saying("suggest", {"verb": verb, "what": request.about.complaint}, ids)
    return Plan(request, saying=told, question=QuestionBack(QuestionKind.SUGGEST, ids, doing))
