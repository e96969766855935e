"""The answer to a question about safety: what is amiss first, then what does not tell, then the rest, then what is
lacking."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from homeagent.brains.language.responses import MOST_NAMES, Phrases
from homeagent.brains.local.planning.plans import Plan
from homeagent.brains.local.wording import history_answers
from homeagent.brains.local.wording.entity_names import unique_names
from homeagent.brains.local.wording.spoken_values import state_words
from homeagent.ha.home import UNAVAILABLE, Home
from homeagent.languages.concepts import SafetyKind as Kind
from homeagent.languages.safety import SafetyWords, safety_words
from homeagent.safety.guards import ASIDE, HAZARDS, NOTABLE, WATCHING, holds, is_amiss, is_of, kind_of
from homeagent.turn import ToolResult
from homeagent.understanding.request import Ask, Asked, Request, SafetyQuestion
from indexer.entity import Entity

_CLASSES: Mapping[Kind, str] = {
    Kind.DOOR: "door", Kind.WINDOW: "window", Kind.GARAGE: "garage_door", Kind.GATE: "garage_door", Kind.LOCK: "lock",
    Kind.OPENING: "opening",
}  # fmt: skip
"""Whose words a contact's state is told in."""
_GAP = 300
"""Seconds of which nothing is known that may hide something."""


@dataclass(frozen=True, slots=True)
class _Thing:
    entity: Entity
    kind: Kind
    name: str
    raw: str

    @property
    def amiss(self) -> bool | None:
        return is_amiss(self.entity, self.raw)

    @property
    def notable(self) -> bool:
        """Whether the thing speaks against a home being safe although nothing is amiss with it."""
        return self.raw in NOTABLE.get(self.kind, ())


def words(plan: Plan, results: Sequence[ToolResult], home: Home, phrases: Phrases) -> str:
    """The answer from the present states, and for a question about the past from what is recorded."""
    question = plan.request.safety
    assert question is not None
    known = safety_words(question.language)
    assert known is not None
    ids = [i for c in plan.calls[:1] for i in c.parameters["entity_id"]]
    things = list(_things(ids, question, home))
    things = [t for t in things if t.kind in question.kinds or t.amiss or question.whole]
    lacking = _lacking(plan.request, things, known, home)
    if plan.request.past is not None and things:
        return _past(plan, results[1:], things, lacking, known, home, phrases)
    asked = plan.request.asked
    if question.ask is not None and asked in (Asked.WHICH, Asked.WHERE, Asked.HOW_MANY) and not question.whole:
        return _join(*_listed(plan.request, question.ask, things, known, home, phrases), *lacking)
    noted = [t for t in things if t.notable] if question.whole else []
    things = [t for t in things if t not in noted and (t.kind not in ASIDE or t.amiss is None)]
    verdict = _verdict(question, asked, things, lacks=bool(lacking or noted))
    if len(things) == 1 and verdict is not None and not question.whole and not lacking:
        (thing,) = things
        return phrases.say("yes_one" if verdict else "no_one", name=thing.name, state=_state(thing, known, phrases))
    said = [] if verdict is None else [phrases.say("yes" if verdict else "no")]
    if not question.whole:
        return _join(*said, *_told(things, question, known, home, phrases), *lacking)
    if not things and not noted:
        return known.phrases["nothing_seen"]
    bad = _told([t for t in things if t.amiss is not False], question, known, home, phrases)
    bad += _told(noted, question, known, home, phrases)
    fine = any(t.amiss is False for t in things)
    return _join(*said, *bad, known.phrases["rest_fine" if bad else "all_fine"] if fine else "")


def _things(ids: Iterable[str], question: SafetyQuestion, home: Home) -> Iterable[_Thing]:
    known = [e for i in ids if (e := home.entity(i)) is not None]
    for entity, name in zip(known, unique_names([e.entity_id for e in known], home), strict=True):
        kind = kind_of((*question.kinds, *question.also), entity, question.language)
        if kind is not None:
            yield _Thing(entity, kind, name, home.state_text(entity.entity_id) or UNAVAILABLE)


def _lacking(request: Request, things: Sequence[_Thing], known: SafetyWords, home: Home) -> list[str]:
    """Sentences for the kinds asked about that the home, or the place said, does not have."""
    question, selector = request.safety, request.scope.selector
    assert question is not None
    if question.whole:
        return []
    there = {k for k in question.kinds for t in things if is_of(k, t.entity, question.language)}
    if Kind.SIREN in there:
        there.add(Kind.ALARM)
    missing = dict.fromkeys(known.lacking[k] for k in question.kinds if k not in there and k in known.lacking)
    places = [home.areas[a].name for a in selector.area_ids if a in home.areas]
    places += [home.floors[f].name for f in selector.floor_ids if f in home.floors]
    key = "lacks_there" if places else "lacks"
    return [known.phrases[key].format(kind=kind, place=", ".join(places)) for kind in missing]


def _verdict(question: SafetyQuestion, asked: Asked, things: Sequence[_Thing], *, lacks: bool) -> bool | None:
    """Yes or no; None where no such question was asked, or a thing whose state is unknown could decide it."""
    if question.ask is None or asked is Asked.VALUE or not things:
        return None
    so = [holds(question.ask, t.entity, t.raw, question.mode) for t in things]
    if lacks:
        so.append(None)
    if question.ask is Ask.AMISS and (asked is not Asked.ALL or question.whole):
        return True if True in so else None if None in so else False
    if False in so:
        return False
    return None if None in so or not question.sure else True


def _told(
    things: Sequence[_Thing], question: SafetyQuestion, known: SafetyWords, home: Home, phrases: Phrases
) -> list[str]:
    """The states in sentences: first what is amiss, then what is unavailable, then what is fine."""
    first = Ask.ARMED if question.ask in (Ask.ARMED, Ask.DISARMED) else Ask.FINE
    groups: dict[bool | None, dict[str, list[str]]] = {False: {}, None: {}, True: {}}
    for thing in things:
        fine = None if thing.amiss is None else holds(first, thing.entity, thing.raw, question.mode) is True
        groups[fine].setdefault(_state(thing, known, phrases), []).append(thing.name)
    said = [_sentence(names, state, phrases, cut=False) for state, names in groups[False].items()]
    gone = [n for names in groups[None].values() for n in names]
    said += [phrases.say("unavailable", names=_names(gone, phrases, cut=False))] if gone else []
    return said + [_sentence(names, state, phrases, cut=True) for state, names in groups[True].items()]


def _listed(
    request: Request, ask: Ask, things: Sequence[_Thing], known: SafetyWords, home: Home, phrases: Phrases
) -> list[str]:
    """The things for which it is so, or their number."""
    question = request.safety
    assert question is not None
    so = [t for t in things if holds(ask, t.entity, t.raw, question.mode)]
    gone = [t.name for t in things if t.amiss is None]
    if not so:
        known_of = [t for t in things if t.amiss is not None]
        how = _told(known_of, question, known, home, phrases) if request.asked is Asked.WHERE else []
        said = [phrases.say("none"), *how] if known_of else []
    elif request.asked is Asked.HOW_MANY:
        said = [phrases.say("count", count=len(so), names=_names([t.name for t in so], phrases, cut=False))]
    else:
        said = _told(so, question, known, home, phrases)
    return [*said, phrases.say("unavailable", names=_names(gone, phrases, cut=False))] if gone else said


def _past(
    plan: Plan,
    results: Sequence[ToolResult],
    things: Sequence[_Thing],
    lacking: Sequence[str],
    known: SafetyWords,
    home: Home,
    phrases: Phrases,
) -> str:
    """Whether it was so: the recorded times at which things were amiss; of alarms and the like also
    the present state.
    """
    question, past = plan.request.safety, plan.request.past
    assert question is not None
    assert past is not None
    watched = all(t.kind in WATCHING for t in things)
    now = _told(things, question, known, home, phrases) if watched else []
    if watched and not past.periods and any(t.amiss for t in things):
        return _join(phrases.say("yes"), *now, *lacking)
    lines = [line for r in results if isinstance(r.result, Mapping) for line in r.result.get("history", ())]
    amiss = [line for line in lines if line.get("seconds")]
    dark = [line for line in lines if line not in amiss and _is_dark(line)]
    shown = (*amiss, *dark[:MOST_NAMES]) if past.periods else tuple(amiss)
    told = history_answers.times(past, results, shown, home, phrases)
    if amiss:
        said = phrases.say("yes" if question.ask is Ask.AMISS else "no")
    elif not past.periods:
        said = known.phrases["past_none"]
    else:
        said = "" if dark or not lines else phrases.say("no" if question.ask is Ask.AMISS else "yes")
    return _join(said, told, *now, *lacking)


def _is_dark(line: Mapping[str, Any]) -> bool:
    """Whether part of the period is unrecorded or unavailable."""
    return "error" in line or bool(line.get("recorded_since")) or float(line.get("gap_seconds", 0)) >= _GAP


def _state(thing: _Thing, known: SafetyWords, phrases: Phrases) -> str:
    if thing.entity.domain == "binary_sensor":
        kind = Kind.SMOKE if thing.kind is Kind.FIRE and thing.entity.device_class == "smoke" else thing.kind
        if thing.kind in HAZARDS and thing.raw in known.states.get(kind, {}):
            return known.states[kind][thing.raw]
        if thing.kind in _CLASSES:
            return phrases.state(_CLASSES[thing.kind], thing.raw)
    return state_words(thing.entity, thing.raw, phrases)


def _sentence(names: Sequence[str], state: str, phrases: Phrases, *, cut: bool) -> str:
    if len(names) == 1:
        return phrases.say("one", name=names[0], state=state)
    return phrases.say("many", names=_names(names, phrases, cut=cut), state=state)


def _names(names: Sequence[str], phrases: Phrases, *, cut: bool) -> str:
    """Names as a list in words; cut to `MOST_NAMES` only with ``cut``."""
    if cut or len(names) <= MOST_NAMES:
        return phrases.names(names)
    return ", ".join([*names[:-2], phrases.names(names[-2:])])


def _join(*parts: str) -> str:
    return " ".join(p for p in parts if p)
