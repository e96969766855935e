"""The words of the answer, made from what the tools returned: what was not done is never said to be done."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from homeagent.brains.language.responses import Phrases
from homeagent.brains.local.planning.plans import CONTROL, KEEP, TIMER, Plan, Saying
from homeagent.brains.local.planning.suggesting import nearest_places
from homeagent.brains.local.wording import control_answers, safety_answers, state_answers, timer_answers
from homeagent.brains.local.wording.entity_names import shortened, spoken, unique_names
from homeagent.brains.local.wording.spoken_values import as_number, attribute_words, state_words
from homeagent.ha.home import Home
from homeagent.turn import Step, ToolCall, ToolResult, Turn
from homeagent.understanding.request import Act, Request


@dataclass(frozen=True, slots=True)
class Said:
    """A part of the answer; ``question`` asks the person back."""

    text: str
    question: bool = False


_KINDS = 6
"""So many sorts of things are told of where it is asked what can be done."""
_UNKNOWN = frozenset({"unknown_place", "unknown_device"})


def word(turn: Turn, plans: Sequence[Plan], home: Home, phrases: Phrases) -> Step:
    """The final step of a turn: the words for every plan, in order."""
    outcomes = outcomes_of(turn)
    parts = [part for p in plans for part in _worded(p, outcomes, home, phrases)]
    if not plans:
        parts = [part for call, result in outcomes.values() for part in _bare(call, result, home, phrases)]
    text = " ".join(dict.fromkeys(p.text for p in parts if p.text))
    unknown = bool(plans) and all(p.denies for p in plans)
    question = any(p.question for p in parts)
    undone = bool(plans) and all(p.leaves_undone for p in plans)
    return Step(text=text, question=question, at_a_loss=unknown and not question, undone=undone and not question)


Outcomes = Mapping[str, tuple[ToolCall, ToolResult]]


def outcomes_of(turn: Turn) -> Outcomes:
    """The calls of the turn so far and what came of them, by their ids."""
    return {
        call.id: (call, result)
        for done in turn.rounds
        for call, result in zip(done.step.tool_calls, done.results, strict=True)
    }


def _worded(plan: Plan, outcomes: Outcomes, home: Home, phrases: Phrases) -> Iterable[Said]:
    if plan.saying is not None:
        return [_saying(plan.saying, home, phrases, asks=plan.question is not None)]
    if plan.request.safety is not None:
        return [
            Said(safety_answers.words(plan, [outcomes[c.id][1] for c in plan.calls if c.id in outcomes], home, phrases))
        ]
    if plan.request.act in (Act.TIME, Act.DATE):
        return [_clock(plan.request, home, phrases)]
    done = [outcomes[call.id] for call in plan.calls if call.id in outcomes]
    if plan.request.act is Act.TIMER:
        return _timed(done, home, phrases)
    if plan.request.act is Act.WRONG:
        return _taken_back(plan, done, home, phrases)
    if plan.request.act is Act.UNDO:
        stays = [Said(phrases.say("wrong_stays"))] if plan.request.stays else []
        return [*_timed(done, home, phrases), *stays]
    if plan.request.act is Act.CONTROL:
        return [Said(t, q) for t, q in control_answers.words(done, home, phrases)]
    return [Said(state_answers.words(plan.request, [result for _, result in done], home, phrases))]


def _taken_back(plan: Plan, done: Sequence[tuple[ToolCall, ToolResult]], home: Home, phrases: Phrases) -> list[Said]:
    """What became of putting it back, and of keeping the sentence; without either that it is to be said again."""
    back = [(call, result) for call, result in done if call.name == CONTROL]
    parts = [Said(t, q) for t, q in control_answers.words(back, home, phrases)] if back else []
    if plan.request.stays:
        parts.append(Said(phrases.say("wrong_stays")))
    kept = [result.result for call, result in done if call.name == KEEP and result.success]
    said = [Said(phrases.say("wrong_kept", text=shortened(str(one["text"])))) for one in kept]
    return [*parts, *(said or [Said(phrases.say("wrong"))])]


def _timed(done: Sequence[tuple[ToolCall, ToolResult]], home: Home, phrases: Phrases) -> list[Said]:
    """What was done at once, and what is to happen later."""
    at_once = [(call, result) for call, result in done if call.name != TIMER]
    later = [timer_answers.words(call, result, home, phrases) for call, result in done if call.name == TIMER]
    now = control_answers.words(at_once, home, phrases) if at_once else ()
    return [Said(t, q) for t, q in (*now, *later)]


def _bare(call: ToolCall, result: ToolResult, home: Home, phrases: Phrases) -> Iterable[Said]:
    """A result without a plan, such as that of a call that was confirmed later."""
    if call.name == TIMER:
        return _timed([(call, result)], home, phrases)
    if call.name == CONTROL:
        return [Said(t, q) for t, q in control_answers.words([(call, result)], home, phrases)]
    if result.success:
        return []
    return [Said(spoken(result.error or "", home) if phrases.language == "en" else phrases.say("failed"))]


def _saying(saying: Saying, home: Home, phrases: Phrases, *, asks: bool) -> Said:
    names = unique_names(saying.entity_ids, home)
    words = {**saying.words, "text": shortened(saying.words.get("text", ""))}
    if "kinds" in words:
        words["kind"] = phrases.kind(words["kinds"])
    if "verb" in words:
        words["action"] = phrases.action(words["verb"])
    if "setting" in words:
        words["state"] = _setting(saying, home, phrases)
    joint = "or" if saying.key in ("which_one", "which_many") else "and"
    if "domains" in words:
        names = [phrases.kind(d) for d in words["domains"].split() if phrases.names_kind(d)][:_KINDS]
    words["names"] = phrases.names(names, joint)
    words["name"] = names[0] if names else words.get("name", "")
    if saying.key == "respond":
        return Said(phrases.response("HassRespond", words.get("response", "hello")) or phrases.say("hello"))
    nameless = bool(words["text"]) and "kinds" in words and not phrases.names_kind(words["kinds"])
    key = "nothing_to_do" if saying.key == "unsupported" and not names else saying.key
    text = phrases.say("unknown_device" if nameless else key, **words)
    if saying.key == "unknown_place" and not names:
        names = nearest_places(words["text"], home)
    if saying.key in _UNKNOWN and "count" in words:
        which = {**words, "names": phrases.names(names, "or")}
        text = f"{text} {phrases.say('which_many', **which)}"
    elif saying.key in _UNKNOWN and names:
        text = f"{text} {phrases.say('nearest', names=phrases.names(names, 'or'))}"
    return Said(text, question=asks)


def _setting(saying: Saying, home: Home, phrases: Phrases) -> str:
    """The value of a setting, or a state, as it is said."""
    setting, value = saying.words["setting"], saying.words["value"]
    if setting == "state":
        return state_words(home.entity(saying.entity_ids[0]), value, phrases)
    number = as_number(value)
    return attribute_words(setting, value if number is None else number, phrases, home)


def _clock(request: Request, home: Home, phrases: Phrases) -> Said:
    now = datetime.now(home.config.time_zone)
    act, period = request.act, request.period
    if period is not None:
        now -= timedelta(days=period.days_ago)
    intent = "HassGetCurrentTime" if act is Act.TIME else "HassGetCurrentDate"
    known = {"slots": {"time": now.time(), "date": now.date()}}
    text = phrases.response(intent, "default", **known)
    text = text or (f"{now:%H:%M}" if act is Act.TIME else f"{now:%Y-%m-%d}")
    day = phrases.weekday(now.weekday())
    return Said(f"{day}, {text}" if act is Act.DATE and day.casefold() not in text.casefold() else text)
