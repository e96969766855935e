"""From a request to tool calls, or to what is to be said instead: a question, a refusal, a "there is none"."""

from __future__ import annotations

from dataclasses import replace

from homeagent.brains.local.meaning.request import Act, Request, Scope
from homeagent.brains.local.planning.controlling import control
from homeagent.brains.local.planning.plans import MOST_ASKED, Plan, Saying, stored
from homeagent.brains.local.planning.querying import query
from homeagent.brains.local.things.grounding import Ground, entities_of
from indexer.selector import Selector


def plan(request: Request, around: Ground) -> Plan:
    """What is to come of a request in the home as it is."""
    if request.act is Act.CONTROL:
        return control(request, around)
    if request.act in (Act.QUERY, Act.HISTORY):
        return query(request, around)
    if request.act in (Act.TIME, Act.DATE):
        return Plan(request)
    if request.act is Act.SAY and request.say == "suggest":
        return _suggest(request, around)
    question = {"kind": "value", "request": stored(request)} if request.say == "to_what" else None
    saying = Saying(request.say, {**request.words, "response": request.response})
    return Plan(request, saying=saying, question=question)


def _suggest(request: Request, around: Ground) -> Plan:
    members = entities_of(request.scope, around) or entities_of(
        Scope(selector=Selector(domains=request.scope.selector.domains)), around
    )
    if not members:
        return Plan(request, saying=Saying("nothing_to_do"))
    verb = next(iter(request.parameters), request.action)
    if not request.scope.selector.area_ids and len(members) > 1:
        # a yes must never do more than was named: without a room, the person has to say which
        doing = replace(request, act=Act.CONTROL)
        question = {"kind": "which", "candidates": [e.entity_id for e in members], "request": stored(doing)}
        kinds = " ".join(request.scope.selector.domains)
        return Plan(request, saying=Saying("suggest_where", {"verb": verb, "kinds": kinds}), question=question)
    members = members[:MOST_ASKED]
    doing = replace(request, act=Act.CONTROL)
    question = {"kind": "suggest", "candidates": [e.entity_id for e in members], "request": stored(doing)}
    ids = tuple(e.entity_id for e in members)
    return Plan(
        request, saying=Saying("suggest", {"verb": verb, "what": request.words["what"]}, ids), question=question
    )
