"""Questions about what was: when, how often, how long, at most, whether anybody was there, why, what happened."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from homeagent.history.when.find_times import When
from homeagent.languages.concepts import (
    Attribute,
    Extreme,
    Heading,
    Particle,
    PastWord,
    Question,
    Role,
    StateWord,
    Verb,
    Way,
)
from homeagent.safety.guards import LOCKED
from homeagent.understanding.clauses import THINGS, Clause
from homeagent.understanding.frame import ActKind, Feature, Features, Frame
from homeagent.understanding.frame_costs import frame
from homeagent.understanding.frames.states_asked import sensed, states_said
from homeagent.understanding.grounding import Grounded, TargetFit, by_locks, from_antecedent
from homeagent.understanding.history_targets import AT_HOME, COMINGS, DEEDS, DOINGS, askings
from homeagent.understanding.noun_phrases import Target, target_of
from homeagent.understanding.reference import place_meant
from homeagent.understanding.request import Act, Away, Past, Request, Scope, Tell, Wanted
from homeagent.understanding.spans import InArea, OnFloor, TimeGone
from indexer.selector import Selector

_FORMS: Mapping[PastWord, Tell] = {
    PastWord.HOW_LONG: Tell.TIME, PastWord.HOW_OFTEN: Tell.COUNT, PastWord.AVERAGE: Tell.AVERAGE,
    PastWord.HIGHEST: Tell.HIGHEST, PastWord.LOWEST: Tell.LOWEST, PastWord.WHEN: Tell.TIMES,
    PastWord.WHICH_DAY: Tell.TIMES,
}  # fmt: skip
"""The forms of a question, the one that says most first."""
_QUESTIONS = {Question.HOW_LONG: PastWord.HOW_LONG, Question.WHEN: PastWord.WHEN}
_EXTREMES = {Way.UP: PastWord.HIGHEST, Way.DOWN: PastWord.LOWEST}
_VERBS = {
    Verb.OPEN: PastWord.OPENED, Verb.CLOSE: PastWord.CLOSED, Verb.LOCK: PastWord.LOCKED,
    Verb.UNLOCK: PastWord.UNLOCKED, Verb.TURN_ON: PastWord.TURNED_ON, Verb.TURN_OFF: PastWord.TURNED_OFF,
}  # fmt: skip
_ACTS = {PastWord.BY_AUTOMATION: "automation", PastWord.BY_SCRIPT: "script", PastWord.BY_SCENE: "scene"}
_AWAY = {PastWord.ALL_AWAY: Away.EVERYBODY, PastWord.SPEAKER_AWAY: Away.SPEAKER}
_OF_STATES = frozenset({Tell.WHETHER, Tell.THROUGHOUT, Tell.COUNT, Tell.TIME})
_TIMELESS = frozenset({Tell.WHY, Tell.WHO, Tell.ACTS, Tell.DOES, Tell.HAPPENED})
_RUNNING = frozenset(
    {*_FORMS, PastWord.COUNTED, PastWord.SOMEBODY, PastWord.HAPPENED, PastWord.WAS} - {PastWord.WHICH_DAY}
)
"""With one of these a time that still lasts is asked of as far as it is over."""
_SMALL = (
    *(Role.COPULA, Role.AUXILIARY, Role.STATEMENT, Role.FILLER, Role.PLACE, Role.JOIN, Role.AT, Role.TO, Role.EVERY),
    *(Role.EVERYTHING, Role.OR, Role.COURTESY, Role.ARTICLE),
)
_OPEN = (Question.VALUE, Question.WHERE, Question.WHICH)
"""What asks for a state that is not said."""
_NUMBERS = frozenset({"sensor", "number", "input_number"})


def past(clause: Clause) -> Iterator[Frame]:
    """Frames for what a clause asks about the past: about a time gone by, the first or last time, or causes, which need
    no time. A time that is not over, and a mere time of day, count only where the question can be about nothing but the
    past.
    """
    words = words_said(clause)
    times = tuple(gone for _, gone in clause.said(TimeGone))
    tell = _tell(clause, words, bool(times))
    if tell is None or PastWord.NOBODY in words or not _asks(clause, words, tell):
        return
    occasion = words & {PastWord.FIRST, PastWord.LAST} and words & {*_FORMS}
    away = next((who for word, who in _AWAY.items() if word in words), None)
    asks_of_then = bool(times) and bool(words & _RUNNING)
    over = asks_of_then or any(t.when.over and not (t.when.instant and words.isdisjoint(DEEDS)) for t in times)
    if not (over or occasion or away or tell in _TIMELESS - {Tell.HAPPENED}):
        return
    periods, said = periods_of(clause)
    source = next((kind for word, kind in _ACTS.items() if word in words), "")
    about = Past(tell, (), periods, said, away=away, source=source)
    cells, states = _explained(clause, words)
    wanted = Wanted(words, tuple((k, raw) for k, raws in states.items() for raw in raws), _attributes(clause))
    target = target_of(clause, cells)
    target = place_meant(clause, target) or target
    if target.pronoun or (tell is Tell.WHY and target.empty and clause.antecedent is not None):
        target = from_antecedent(target, clause.antecedent)
    if tell is Tell.HAPPENED:
        scope = scope_of(target)
        yield _frame(clause, Request(Act.HISTORY, scope, past=replace(about, wanted=wanted)), cells, target)
        return
    if words & {PastWord.LOCKED, PastWord.UNLOCKED} or set(states.get("default", ())) & LOCKED:
        target = by_locks(target, clause.names)
    for told in _tells(clause, tell, words):
        of = askings(clause, target, wanted, told)
        if of and not (told in _OF_STATES and all(_is_number(a.entity_id) and not a.states for a in of)):
            asked = replace(about, tell=told, of=of, wanted=wanted)
            yield _frame(clause, Request(Act.HISTORY, past=asked), cells, target)
            return
    if tell is Tell.TIMES and PastWord.WHO in words and not target.phrases:
        yield _frame(clause, Request(Act.SAY, say="away_unknown"), cells, target)


def words_said(clause: Clause) -> frozenset[PastWord]:
    """The past words that a clause says, also by question words and verbs that have a present meaning too."""
    words = {word for _, word in clause.said(PastWord)} - {PastWord.WHOLE}
    words |= {_QUESTIONS[q] for _, q in clause.said(Question) if q in _QUESTIONS}
    if not words & {PastWord.HIGHEST, PastWord.LOWEST}:
        words |= {_EXTREMES[e.way] for _, e in clause.said(Extreme)}
    if not words & DEEDS:
        words |= {_VERBS[v] for _, v in clause.said(Verb) if v in _VERBS}
    if PastWord.WHO in words and not words & (DOINGS | COMINGS):
        at_home = any(AT_HOME in state.raw for _, state in clause.said(StateWord)) and not clause.of(InArea, OnFloor)
        words |= {PastWord.AT_HOME if at_home else PastWord.SOMEBODY}  # "who was in the garden"
    return frozenset(words | ({PastWord.THROUGHOUT} if _whole(clause) else set()))


def periods_of(clause: Clause) -> tuple[tuple[When, ...], tuple[str, ...]]:
    """The first two times that a clause names, and their words."""
    said = [(clause.text(place), gone.when) for place, gone in clause.said(TimeGone)][:2]
    return tuple(when for _, when in said), tuple(text for text, _ in said)


def scope_of(target: Target) -> Scope:
    """The set that a target names, as a scope; everything where it names none."""
    ids = tuple((i,) for p in target.phrases for i in p.entity_ids)
    kinds = [k for p in target.phrases for c in p.kinds for k in c.kinds]
    classes = tuple(dict.fromkeys(k.device_class for k in kinds if k.device_class))
    domains = tuple(dict.fromkeys(k.domain for k in kinds))
    selector = Selector(domains=domains, device_classes=classes, area_ids=target.areas, floor_ids=target.floors)
    return Scope(ids, every=True) if ids else Scope(selector=selector, every=True)


def _frame(clause: Clause, request: Request, cells: set[int], target: Target) -> Frame:
    ids = frozenset(a.entity_id for a in request.past.of) if request.past is not None else frozenset[str]()
    found = frame(clause, ActKind.PAST, request, cells, target, Grounded(request.scope, TargetFit.EXACT, ids))
    joined = any(clause.mark(i) and clause.cells[i].says(Role.JOIN) for i in range(1, len(clause.cells)))
    features: Features = {f: v for f, v in found.features.items() if not (joined and f is Feature.ACROSS_A_MARK)}
    return replace(found, features=features)  # ", and for how long?"


def _asks(clause: Clause, words: frozenset[PastWord], tell: Tell) -> bool:
    """Whether it asks about what is recorded, and not how something is done or would be."""
    if tell in _TIMELESS:
        return not clause.at(Role.NEGATION)
    if clause.at(Question.OTHER) - clause.of(PastWord):
        return False
    return clause.asks or bool(words & {*_FORMS, PastWord.HOW_MUCH}) or bool(clause.of(Question))


def _tell(clause: Clause, words: frozenset[PastWord], timed: bool) -> Tell | None:
    """What to tell about the past; None where the clause asks nothing about it."""
    if words & {*_ACTS} and words & DOINGS:
        return Tell.ACTS
    if PastWord.WHY in words:
        return Tell.WHY
    if PastWord.DOES in words and not words & DEEDS:
        return Tell.DOES
    if PastWord.WHO in words and words & DOINGS and not words & {*_FORMS}:
        return Tell.WHO if _asks_of_a_doing(clause) else None
    if PastWord.HAPPENED in words:
        return Tell.HAPPENED
    form = next((form for form in _FORMS if form in words), None)
    if form is PastWord.HOW_OFTEN and PastWord.CHANGED in words:
        return Tell.CHANGES
    if form is PastWord.HOW_LONG and PastWord.LAST in words:
        return Tell.LAST
    if form in (PastWord.WHEN, PastWord.WHICH_DAY):
        return Tell.FIRST if PastWord.FIRST in words else Tell.LAST if PastWord.LAST in words else Tell.TIMES
    if form is not None:
        return _FORMS[form]
    if PastWord.COUNTED in words:
        return Tell.SUM
    if _attributes(clause) and not clause.of(StateWord):
        return Tell.HIGHEST if PastWord.ROSE in words else Tell.AVERAGE
    if not timed and not words & {*_AWAY}:
        return None
    if PastWord.WHO in words and words & COMINGS:
        return Tell.TIMES
    return Tell.THROUGHOUT if PastWord.THROUGHOUT in words else Tell.WHETHER


def _asks_of_a_doing(clause: Clause) -> bool:
    """Whether something that is done stands in the same part as the first "who": not in "turn it off, somebody is in
    there".
    """
    who = min((i for i in clause.of(Question, PastWord) if _means_who(clause, i)), default=0)
    part = max((i for i in range(1, who + 1) if clause.mark(i)), default=0)
    return not part or any(i >= part for i in clause.of(Verb, StateWord) | clause.at(*DOINGS))


def _means_who(clause: Clause, place: int) -> bool:
    cell = clause.cells[place]
    return cell.says(PastWord.WHO) or any(_QUESTIONS.get(q) is PastWord.WHO for q in cell.all(Question))


def _tells(clause: Clause, tell: Tell, words: frozenset[PastWord]) -> Iterator[Tell]:
    """The ways to answer, likeliest first: after whether it was so, the average of what is measured ("what was the
    humidity"), or the states of what is a text.
    """
    yield tell
    if tell in (Tell.WHETHER, Tell.THROUGHOUT):
        yield Tell.HIGHEST if PastWord.ROSE in words else Tell.AVERAGE
    if tell in (Tell.WHETHER, Tell.THROUGHOUT, Tell.AVERAGE) and clause.at(*_OPEN):
        yield Tell.STATES


def _attributes(clause: Clause) -> frozenset[Attribute]:
    said = {a for _, a in clause.said(Attribute)} - {Attribute.DOING, Attribute.FINISHED, Attribute.MEDIA}
    return frozenset(said | {e.attribute for _, e in clause.said(Extreme) if e.attribute is not None})


def _explained(clause: Clause, words: frozenset[PastWord]) -> tuple[set[int], dict[str, tuple[str, ...]]]:
    """The indexes of all words of the question, and the states that they name.

    A word that may also be the thing names a state only where another word is the thing and no other word names a
    state: "how long was the heating on".
    """
    things, said = clause.of(*THINGS), clause.of(StateWord)
    both = said & things
    states, cells = states_said(clause, both if said - both or words & DEEDS or both == things else ())
    beside = clause.at(PastWord.BESIDE, PastWord.WHOLE) & things
    times = clause.of(TimeGone)
    cells |= (clause.of(PastWord) - beside) | times
    cells |= {i for i in clause.at(Role.TIME) if times & {i - 1, i + 1}}
    cells |= {i for i, v in clause.said(Verb) if v in _VERBS or v is Verb.DO or clause.cells[i].has(PastWord)} - things
    cells |= (clause.of(Particle, Heading) - things) if PastWord.WHY in words else set()
    cells |= (clause.of(Question, Attribute, Extreme) | clause.at(*_SMALL)) - things
    return cells, states or ({} if words & DEEDS else sensed(clause))


def _whole(clause: Clause) -> bool:
    """Whether a word like "all" belongs to a time ("all night") and not to things ("all the lights")."""
    for place in clause.at(PastWord.WHOLE):
        behind = next((c for c in clause.cells[place + 1 :] if c.has(TimeGone) or not c.says(Role.FILLER)), None)
        if behind is not None and behind.has(TimeGone):
            return True
    return False


def _is_number(entity_id: str) -> bool:
    return entity_id.partition(".")[0] in _NUMBERS
