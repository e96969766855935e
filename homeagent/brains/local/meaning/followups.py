"""Sentences that lean on the turn before: "the one in the bedroom", "and the kitchen?", "again", "undo that".

It does not matter which brain answered: only what was said, called and aimed at then is used.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from homeagent.brains.consent import is_no, is_yes
from homeagent.brains.language.reading import Reading
from homeagent.brains.local.meaning import settings
from homeagent.brains.local.meaning.abilities import OPPOSITE
from homeagent.brains.local.meaning.days import day_meant, day_positions, when_said
from homeagent.brains.local.meaning.facts import STATE
from homeagent.brains.local.meaning.outlook import orders
from homeagent.brains.local.meaning.past_again import asked_again
from homeagent.brains.local.meaning.request import Act, Asked, Request, Scope
from homeagent.brains.local.planning.plans import CODE, CONTROL, QUERY
from homeagent.brains.local.things.grounding import Ground, ground_among
from homeagent.turn import PastTurn, SaidCode
from indexer.mentions import MentionKind
from indexer.selector import Selector


def code_given(reading: Reading, question: Mapping[str, Any], codes: Sequence[SaidCode]) -> Request | None:
    """The request that waited for a code, once the sentence is one and orders nothing else.

    The code itself is no part of it: the tool takes it from the turn.
    """
    if (
        question.get("kind") != CODE
        or len({said.code for said in codes}) != 1
        or reading.of("actions", "adjust", "set")
    ):
        return None
    return replace(restored(question["request"]), scope=_each(tuple(question.get("candidates", ()))))


def answer_to_question(reading: Reading, question: Mapping[str, Any], around: Ground, language: str) -> Request | None:
    """What the person's answer makes of the request that a question was about; None where it is no answer to it."""
    if "request" not in question:
        return None  # what was asked was a yes to a confirmation, which is the agent's business
    request = restored(question["request"])
    if is_no(reading.text, language):
        return Request(Act.SAY, say="left_alone")
    candidates = tuple(question.get("candidates", ()))
    if question["kind"] == "suggest" and is_yes(reading.text, language):
        return replace(request, scope=_each(candidates))
    if reading.of("actions", "adjust", "questions") and not reading.has("pronouns", "other"):
        return None  # a new sentence, not an answer
    if chosen := _chosen(reading, candidates, around):
        return replace(request, scope=_each(chosen))
    if question["kind"] == "target":
        found = ground_among(reading, around, around.exposed)
        return replace(request, scope=_each(found)) if len(found) == 1 else None
    return None


def lean_on(reading: Reading, history: Sequence[PastTurn], before: Request | None, around: Ground) -> Request | None:
    """The request of a sentence that only makes sense after ``history``; ``before`` is what its last turn asked for."""
    past = history[-1]
    if reading.has("reverse"):
        return _undone(past)
    if before is not None and before.past is not None and (again := asked_again(reading, before, around)):
        return again
    doing = bool(reading.of("actions", "adjust", "questions", "set"))
    if reading.has("other") or reading.has("pronouns", "other"):
        return _other(history, before, around)
    if before is not None and (again := _another_day(reading, before, around) or _more_of_it(reading, past, before)):
        return again
    if doing or before is None:
        return None
    if reading.target and (_says_also(reading) or reading.text.rstrip().endswith(("?", "？"))):
        return _same_for(reading, past, before, around)
    if reading.has("again") and not reading.target:
        return replace(before, scope=_each(past.targets)) if past.targets else before
    return None


def _says_also(reading: Reading) -> bool:
    endings = reading.lexicon.also_endings
    return reading.has("also") or any(w.mark and w.text.endswith(endings) for w in reading.words if endings)


def _another_day(reading: Reading, before: Request, around: Ground) -> Request | None:
    """The weather, or what is planned, on another day: "and on sunday?"."""
    if before.attribute not in ("weather", "forecast", "events") or set(reading.target) - day_positions(reading):
        return None
    if orders(reading) or _asks_of_a_state(reading):
        return None
    if (period := day_meant(reading, around.home)) is None:
        return None
    if before.attribute != "events" and (period.days_ago or 0) > 0:
        return None
    attribute = "events" if before.attribute == "events" else "forecast"
    return replace(before, attribute=attribute, period=period, words={**before.words, "when": when_said(reading)})


def _asks_of_a_state(reading: Reading) -> bool:
    """Whether a thing's state is asked for, such as "locked": the "on" of "on sunday" is none."""
    aside = {p for s in reading.of("particles") for p in s.positions} | day_positions(reading)
    return any(s.section.startswith(STATE) and not set(s.positions) <= aside for s in reading.spots)


def _more_of_it(reading: Reading, past: PastTurn, before: Request) -> Request | None:
    """ "A bit more", "10 less": a step of what the turn before set. "30 percent": what it is to be set to instead."""
    if before.act is not Act.CONTROL or not past.targets or not _says_only_how_much(reading):
        return None
    domains = {i.partition(".")[0] for i in past.targets}
    dimension = settings.dimension_of(before.parameters, domains.pop() if len(domains) == 1 else "")
    parameters = settings.change_of(reading, dimension) if dimension else {}
    if not parameters:
        return None
    action = "turn_on" if settings.is_light(parameters) else "set_value"
    return replace(before, scope=_each(past.targets), action=action, parameters=parameters, intent="")


def _says_only_how_much(reading: Reading) -> bool:
    """Whether the clause says nothing but an amount, or a direction, or both."""
    said = {p for s in reading.of("more", "adjust", "amounts") for p in s.positions}
    doing = {p for s in reading.of("actions", "questions", "set") for p in s.positions} - said
    return bool(reading.numbers or said) and not doing and not set(reading.target) - said


def request_of_calls(past: PastTurn) -> Request | None:
    """What a past turn asked for, as its first control call tells."""
    for call in past.calls:
        if call.name == CONTROL and past.targets:
            parameters = call.parameters.get("parameters") or {}
            action = str(call.parameters.get("action", ""))
            return Request(Act.CONTROL, _each(past.targets), action=action, parameters=dict(parameters))
    return None


def request_of_query(past: PastTurn) -> Request | None:
    """What a past turn asked about, as its first query tells."""
    for call in past.calls:
        if call.name == QUERY:
            given = call.parameters
            selector = Selector(_texts(given.get("domain")), _texts(given.get("device_class")))
            attributes = _texts(given.get("attributes"))
            states = _texts(given.get("state"))
            scope = Scope(selector=selector) if selector != Selector() else _each(past.targets)
            asked = Asked.WHICH if states else Asked.VALUE
            return Request(Act.QUERY, scope, asked=asked, states=states, attribute=next(iter(attributes), ""))
    return None


def _texts(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,)
    return tuple(map(str, value)) if isinstance(value, list | tuple) else ()


def restored(kept: Mapping[str, Any]) -> Request:
    """The request that ``planning.stored`` kept."""
    return Request(
        Act(kept["act"]),
        action=kept["action"],
        parameters=dict(kept["parameters"]),
        asked=Asked(kept["asked"]),
        states=tuple(kept["states"]),
        attribute=kept["attribute"],
        intent=kept.get("intent", ""),
    )


def _each(ids: Sequence[str]) -> Scope:
    return Scope(tuple((i,) for i in ids), every=True)


def _chosen(reading: Reading, candidates: Sequence[str], around: Ground) -> tuple[str, ...]:
    """Which of the candidates an answer means: by its words, by its place in the list, or all of them."""
    if not candidates:
        return ()
    if reading.has("every") and not reading.left:
        return tuple(candidates)
    if ordinal := reading.first("ordinals"):
        place = int(ordinal)
        if -len(candidates) <= place < len(candidates):
            return (candidates[place],)
        return ()
    pool = [e for i in candidates if (e := around.home.entity(i)) is not None]
    found = ground_among(reading, around, pool)
    return found if len(found) < len(pool) or len(pool) == 1 else ()


def _same_for(reading: Reading, past: PastTurn, before: Request, around: Ground) -> Request | None:
    """The same for another thing or room: "and the bedroom?"."""
    domains = {i.partition(".")[0] for i in past.targets} or set(before.scope.selector.domains)
    pool = [e for e in around.exposed if not domains or e.domain in domains]
    only_place = all(not reading.kinds_at(p) for p in reading.target) and not reading.left
    areas = tuple(v for m in reading.of_kind(MentionKind.AREA) for v in m.values)
    floors = tuple(v for m in reading.of_kind(MentionKind.FLOOR) for v in m.values)
    if only_place and (areas or floors) and not reading.of_kind(MentionKind.NAME):
        selector = replace(
            before.scope.selector if not before.scope.named else Selector(domains=tuple(sorted(domains))),
            area_ids=areas,
            floor_ids=floors,
            exclude=(),
        )
        return replace(before, scope=Scope(selector=selector, every=before.scope.every))
    found = ground_among(reading, around, pool) or ground_among(reading, around, around.exposed)
    if not found:
        return None
    rooms = {e.area for i in past.targets if (e := around.home.entity(i)) is not None}
    near = tuple(i for i in found if (e := around.home.entity(i)) is not None and e.area in rooms)
    found = near or found
    return replace(before, scope=Scope((found,)), intent="")


def _other(history: Sequence[PastTurn], before: Request | None, around: Ground) -> Request | None:
    """The other one: of those that were to choose from, else of the same kind, in the same room if there is one."""
    past = history[-1]
    if before is None or not past.targets:
        return None
    last = [e for i in past.targets if (e := around.home.entity(i)) is not None]
    offered = [tuple((turn.question or {}).get("candidates", ())) for turn in history[-2:]]
    asked = next((ids for ids in offered if set(past.targets) & set(ids)), ())
    pool = [e for e in around.exposed if e.in_plurals and e.entity_id not in past.targets]
    if asked:
        pool = [e for e in pool if e.entity_id in asked]
    pool = [e for e in pool if e.domain in {x.domain for x in last}]
    near = [e for e in pool if e.area is not None and e.area in {x.area for x in last}]
    chosen = near if near else pool
    return replace(before, scope=Scope((tuple(e.entity_id for e in chosen),)), intent="") if chosen else None


def _undone(past: PastTurn) -> Request | None:
    for call in past.calls:
        opposite = OPPOSITE.get(str(call.parameters.get("action")))
        if call.name == CONTROL and opposite and past.targets and not call.parameters.get("parameters"):
            return Request(Act.CONTROL, _each(past.targets), action=opposite)
    return None
