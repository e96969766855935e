"""Sentences that lean on the turn before: "the one in the bedroom", "and the kitchen?", "again", "undo that".

It does not matter which brain answered: only what was said, called and aimed at then is used.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from homeagent.brains.consent import is_no, is_yes
from homeagent.brains.language.reading import Reading
from homeagent.brains.local.following.carrying import carried
from homeagent.brains.local.following.continuing import continued
from homeagent.brains.local.following.leaning import Leaning
from homeagent.brains.local.following.list_talk import list_talk
from homeagent.brains.local.following.more import more_of_it
from homeagent.brains.local.following.past_again import asked_again
from homeagent.brains.local.following.spoken import each, kin_of
from homeagent.brains.local.following.those import wished
from homeagent.brains.local.following.undoing import undone
from homeagent.brains.local.meaning.days import day_meant, day_positions, when_said
from homeagent.brains.local.meaning.facts import STATE
from homeagent.brains.local.meaning.outlook import orders
from homeagent.brains.local.meaning.request import Act, Asked, Request, Scope
from homeagent.brains.local.planning.plans import CODE, CONTROL, QUERY
from homeagent.brains.local.things.grounding import Ground, ground_among
from homeagent.turn import PastTurn, SaidCode
from indexer.selector import Selector

_OFFERED = 3
"""So many turns back what was to choose from is remembered."""


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
    return replace(restored(question["request"]), scope=each(tuple(question.get("candidates", ()))))


def answer_to_question(reading: Reading, question: Mapping[str, Any], around: Ground, language: str) -> Request | None:
    """What the person's answer makes of the request that a question was about; None where it is no answer to it."""
    if "request" not in question:
        return None  # what was asked was a yes to a confirmation, which is the agent's business
    request = restored(question["request"])
    if is_no(reading.text, language):
        return Request(Act.SAY, say="left_alone")
    candidates = tuple(question.get("candidates", ()))
    if question["kind"] == "suggest" and is_yes(reading.text, language):
        return replace(request, scope=each(candidates))
    if reading.of("actions", "adjust", "questions") and not reading.has("pronouns", "other"):
        return None  # a new sentence, not an answer
    if chosen := _chosen(reading, candidates, around):
        return replace(request, scope=each(chosen))
    if question["kind"] == "target":
        found = ground_among(reading, around, around.exposed)
        return replace(request, scope=each(found)) if len(found) == 1 else None
    return None


def lean_on(
    reading: Reading,
    history: Sequence[PastTurn],
    requests: Mapping[str, Request],
    around: Ground,
    lost: Collection[str] = (),
) -> Request | None:
    """The request of a sentence that only makes sense after ``history``; ``requests``: what its turns asked for.

    ``lost``: ids of turns that spoke of something and were not understood; nothing before these is meant.
    """
    past = history[-1]
    before = requests.get(past.turn_id)
    if reading.has("reverse"):
        return undone(past)
    if before is not None and before.past is not None and (again := asked_again(reading, before, around)):
        return again
    lean = _leaning(reading, history, requests, lost)
    if lean is not None and (listed := list_talk(lean)):
        return listed
    if reading.has("other") or reading.has("pronouns", "other"):
        return _other(lean, history, before, around)
    if before is not None and (
        again := _another_day(reading, before, around) or more_of_it(reading, past, before, around)
    ):
        return again
    if lean is not None and (found := continued(lean, around) or carried(lean, around)):
        return found
    doing = bool(reading.of("actions", "adjust", "questions", "set"))
    if doing or before is None:
        return None
    if reading.has("again") and not reading.target:
        return replace(before, scope=each(past.targets)) if past.targets else before
    return None


def _leaning(
    reading: Reading, history: Sequence[PastTurn], requests: Mapping[str, Request], lost: Collection[str]
) -> Leaning | None:
    """The sentence after the last turn that was about something; None where there is none, or another one since."""
    for past in reversed(history):
        before = requests.get(past.turn_id)
        if before is not None and (past.targets or before.act is Act.QUERY):
            return Leaning(reading, history, past, before, requests)
        if past.turn_id in lost:
            return None
    return None


def late_answer(reading: Reading, history: Sequence[PastTurn], around: Ground, language: str) -> Request | None:
    """An answer to the question before the last turn, which asked something in between and changed nothing."""
    if len(history) < 2 or history[-1].question or (question := history[-2].question) is None:
        return None
    if any(call.name != QUERY for call in history[-1].calls) or question.get("kind") not in ("which", "target"):
        return None
    if reading.of("actions", "adjust", "questions", "set") or reading.numbers or not reading.target:
        return None
    request = answer_to_question(reading, question, around, language)
    return request if request is not None and request.act is Act.CONTROL else None


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


def request_of_calls(past: PastTurn) -> Request | None:
    """What a past turn asked for, as its first control call tells."""
    for call in past.calls:
        if call.name == CONTROL and past.targets:
            parameters = call.parameters.get("parameters") or {}
            action = str(call.parameters.get("action", ""))
            return Request(Act.CONTROL, each(past.targets), action=action, parameters=dict(parameters))
    return None


def request_of_query(past: PastTurn) -> Request | None:
    """What a past turn asked about, as its first query tells."""
    for call in past.calls:
        if call.name == QUERY:
            given = call.parameters
            selector = Selector(_texts(given.get("domain")), _texts(given.get("device_class")))
            attributes = _texts(given.get("attributes"))
            states = _texts(given.get("state"))
            scope = Scope(selector=selector) if selector != Selector() else each(past.targets)
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


def _other(lean: Leaning | None, history: Sequence[PastTurn], before: Request | None, around: Ground) -> Request | None:
    """The other one: of those that were to choose from, else of the same kind, in the same room if there is one."""
    past = history[-1]
    if before is None or not past.targets:
        return None
    last = [e for i in past.targets if (e := around.home.entity(i)) is not None]
    offered = [tuple((turn.question or {}).get("candidates", ())) for turn in history[-_OFFERED:]]
    asked = next((ids for ids in reversed(offered) if set(past.targets) & set(ids)), ())
    kin = kin_of(past.targets, around.exposed, around.home)
    pool = kin or [e for e in around.exposed if e.in_plurals and e.domain in {x.domain for x in last}]
    pool = [e for e in pool if e.entity_id not in past.targets]
    if asked:
        pool = [e for e in pool if e.entity_id in asked]
    rooms = {x.area for x in last} if before.act is Act.CONTROL or len(last) < 2 else set()
    near = [e for e in pool if e.area is not None and e.area in rooms and not (lean and lean.reading.of("questions"))]
    chosen = tuple(e.entity_id for e in (near if near else pool))
    if not chosen:
        return None
    scope = each(chosen) if before.act is Act.QUERY else Scope((chosen,))
    doing = lean is not None and not lean.reading.of("questions")
    if lean is not None and doing and lean.reading.of("actions", "adjust", "set", "levels"):
        return wished(lean, chosen, scope)
    return replace(before, scope=scope, intent="")
