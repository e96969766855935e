"""Questions about what guards the home: whether all of a kind is as it should be, whether one can leave.

Every word has to be understood: what is not may be what is asked about, and then no frame is made.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from homeagent.languages.concepts import (
    ArmingMode,
    Attribute,
    Question,
    Role,
    SafetyKind,
    SafetySign,
    SafetyWord,
    StateWord,
    Verb,
)
from homeagent.languages.concepts import SafetyState as Is
from homeagent.safety.guards import ASIDE, HAZARDS, OPENINGS, WATCHING, kind_of, lock_of, members_of
from homeagent.understanding.clauses import Clause
from homeagent.understanding.frame import ActKind, Feature, Frame
from homeagent.understanding.frame_costs import frame
from homeagent.understanding.frames.history_questions import periods_of
from homeagent.understanding.frames.question_form import asks_twice, form_of
from homeagent.understanding.frames.safety_words import SAID_OF, Said, said_in
from homeagent.understanding.frames.states_asked import is_there
from homeagent.understanding.grounding import Grounded, TargetFit, members
from homeagent.understanding.noun_phrases import Target, target_of
from homeagent.understanding.request import Act, Ask, Asked, Asking, Past, Request, SafetyQuestion, Scope, Tell
from homeagent.understanding.spans import TimeGone
from homeagent.understanding.unknown_words import is_an_adjective
from indexer.entity import Entity
from indexer.selector import Selector

_FORMS = frozenset({Asked.YESNO, Asked.ANY, Asked.ALL, Asked.WHICH, Asked.HOW_MANY, Asked.VALUE, Asked.WHERE})
_COUNTED = frozenset({Asked.WHICH, Asked.HOW_MANY})
_SMALL = (
    *(Role.ARTICLE, Role.FILLER, Role.COURTESY, Role.JOIN, Role.OR, Role.COPULA, Role.AUXILIARY, Role.STATEMENT),
    *(Role.PLACE, Role.EVERY, Role.EVERYTHING, Role.HERE, Role.WHOLE_HOME, Role.NEGATION, Role.PRONOUN, Role.TO),
)
"""What changes nothing of a question beyond what is read from it."""
_IDLE = (Role.JOIN, Role.FILLER, Role.ARTICLE, Role.COURTESY)
_CLOSING = (SafetyKind.DOOR, SafetyKind.GARAGE, SafetyKind.GATE, SafetyKind.WINDOW, SafetyKind.OPENING)
_EVERYTHING = (
    *(SafetyKind.FIRE, SafetyKind.GAS, SafetyKind.CARBON_MONOXIDE, SafetyKind.LEAK, SafetyKind.LOCK),
    *_CLOSING,
)
_BESIDE = (
    *(SafetyKind.IRON, SafetyKind.OVEN, SafetyKind.STOVE, SafetyKind.HEAT, SafetyKind.GAS_VALVE, SafetyKind.ALARM),
    *(SafetyKind.SIREN, SafetyKind.UNSAFE, SafetyKind.TAP, SafetyKind.GUARD),
)
"""What is looked at beside it where the safety of all is asked about."""
_BAD = frozenset({Is.OPEN, Is.UNLOCKED, Is.ALARMED, Is.PRESENT, Is.ON})
_AMISS = {
    "lock": ("unlocked", "unlocking", "open", "opening", "jammed"),
    "cover": ("open", "opening", "closing"),
    "valve": ("open", "opening", "closing"),
    "alarm_control_panel": ("triggered",),
}
"""The states of a domain that are looked for in the records; of all others it is "on"."""
_TIMES: Mapping[bool, tuple[type, ...]] = {True: (TimeGone,), False: ()}
_JUDGED = frozenset({SafetyWord.WELL, SafetyWord.FINE, SafetyWord.WRONG})
_BY_NAME = frozenset({"lock", "cover", "valve", "alarm_control_panel"})
"""Domains whose raw states are called as they are said."""
_LOCKING = frozenset({Is.LOCKED, Is.UNLOCKED})


def safety(clause: Clause) -> Iterator[Frame]:
    """A frame for the safety question of a clause; none unless every word is understood."""
    if clause.names.pack.safety is None or clause.exception < len(clause.cells) or not _asks(clause):
        return
    if is_there(clause):
        return  # of people it is asked, not of motion
    said = said_in(clause)
    if _orders(clause, said) or any(sign.kind not in HAZARDS for _, sign in clause.said(SafetySign)):
        return  # that somebody is there, or could come in, no state tells for sure
    form = form_of(clause)
    if form is Asked.VALUE and clause.at(Attribute.HUMIDITY):
        return  # how humid it is, and not whether water leaks
    target = target_of(clause, said.cells | clause.of(Question))
    if form not in _FORMS or target.unknown or not _is_understood(clause, said, target):
        return
    where = _where(clause, said, target)
    meant = _meant(clause, said, where, target)
    if meant is None or (form in _COUNTED and (meant.ask is None or not said.states)):
        return
    if form is Asked.VALUE and not (said.kinds or where.named or meant.whole):
        return  # "what is it set to"
    if where.named and asks_twice(clause, clause.of(StateWord, Is)):
        return
    if said.past:
        meant = replace(meant, also=tuple(k for k in meant.also if k not in ASIDE))
    if (things := where.things(meant)) is None:
        return
    past = _past(clause, meant, things) if said.past else None
    if said.past and past is None:
        return  # what is recorded of a single door is told as of everything else
    scope = Scope(tuple((e.entity_id,) for e in things), where.place, every=True)
    request = Request(Act.QUERY, scope, asked=form, states=_raw_states(said, meant, things), past=past, safety=meant)
    grounded = Grounded(scope, TargetFit.EXACT, frozenset(e.entity_id for e in things))
    share = (clause.cells[-1].end - clause.cells[0].first) / len(clause.tokens)
    # of what is not there only that can be told, and the words may mean more: "which alarms are set", "is anything
    # burning in the study"
    meant_otherwise = not things and (SafetyKind.ALARM in meant.kinds or where.place != Selector())
    whole = {Feature.GUARDED: 0.0 if meant_otherwise else share}
    act = ActKind.ASKING if past is None else ActKind.PAST
    yield frame(clause, act, request, range(len(clause.cells)), target, grounded, whole)


def _asks(clause: Clause) -> bool:
    """Whether a question word opens the clause or its mark makes it a question."""
    if clause.at(Question.OTHER, SafetyWord.AT_LARGE):
        return False
    questions = clause.of(Question) | clause.at(SafetyWord.MAY)
    questions -= clause.at(Role.STATEMENT) - clause.at(Question.YESNO)  # "somebody left the window open"
    opening = next((i for i, c in enumerate(clause.cells) if i in questions or not c.says(*_IDLE)), 0)
    return clause.asks or opening in questions or (clause.postpositions and bool(questions))


def _orders(clause: Clause, said: Said) -> bool:
    """Whether a verb stands with a courtesy, and nothing in its part says that it is done or forgotten."""
    deeds = clause.of(Verb) - clause.of(StateWord, Question) - clause.at(Verb.KEEP, Verb.DO, SafetyWord.GOING)
    part = max((i for i in range(1, max(deeds, default=0) + 1) if clause.mark(i)), default=0)
    told = said.words & {SafetyWord.DONE, SafetyWord.FORGOT} and not part
    return bool(deeds and max(clause.at(Role.COURTESY), default=-1) >= part and not told)


def _is_understood(clause: Clause, said: Said, target: Target) -> bool:
    """Whether every cell belongs to the question or the target, or changes nothing."""
    if any(is_an_adjective(clause, i - 1) for i in said.cells if i):
        return False  # "the back door" is another one
    return all(
        i in said.cells or i in target.cells or cell.says(*_SMALL) or cell.has(Question, *_TIMES[said.past])
        for i, cell in enumerate(clause.cells)
    )


@dataclass(frozen=True, slots=True)
class _Where:
    """The things among which a question looks: those named, those of a place, else all."""

    clause: Clause
    place: Selector
    named: tuple[tuple[Entity, ...], ...]
    called: bool
    """Whether something bears a name that is but the word for a kind."""

    def among(self, kind: SafetyKind) -> list[Entity]:
        names = self.clause.names
        known = {e for group in self.named for e in group}
        found = members_of(kind, names.entities, names.pack.language)
        return [e for e in found if (e in known if self.named else self.place.matches(e))]

    def things(self, meant: SafetyQuestion) -> tuple[Entity, ...] | None:
        """The things that the question is about; None where a named thing is of none of its kinds. A door asked whether
        it is locked stands for its lock.
        """
        kinds = (*meant.kinds, *meant.also)
        found = dict.fromkeys(e for kind in kinds for e in self.among(kind))
        if self.named and SafetyKind.LOCK in meant.kinds and not found:
            its = lock_of([e for group in self.named for e in group], self.clause.names.entities)
            return (its,) if its is not None else None
        if not all(any(e in found for e in group) for group in self.named) or (self.called and not found):
            return None
        return tuple(found)


def _where(clause: Clause, said: Said, target: Target) -> _Where:
    areas = (*target.areas, *((clause.area_id,) if target.here and clause.area_id else ()))
    place = Selector(area_ids=tuple(dict.fromkeys(areas)), floor_ids=tuple(dict.fromkeys(target.floors)))
    named = tuple(members(p, clause.names) for p in target.phrases if p.entity_ids)
    return _Where(clause, Selector() if named else place, named, said.called)


def _meant(clause: Clause, said: Said, where: _Where, target: Target) -> SafetyQuestion | None:
    """What is asked of which kinds; None where the words do not fit together."""
    language, words = clause.names.pack.language, said.words
    if any(not (p.is_place or p.entity_ids) for p in target.phrases):
        return None  # a kind that does not guard
    leaves = {SafetyWord.MAY, SafetyWord.GOING} <= words
    kinds = said.kinds or tuple(k for group in where.named for k in _kinds_of(group, said.states, language))
    if not kinds:
        of_all = clause.at(Role.WHOLE_HOME, Role.EVERYTHING, Role.EVERY, Question.ALL)
        if where.named or (leaves and target.phrases) or (target.pronoun and not of_all):
            return None  # "can I go to the kitchen", "is it locked"
        found = _of_all(said, language, leaves=leaves, of_all=bool(of_all))
        return _in_mode(found, said.modes - {ArmingMode.HOME}) if found is not None else None
    if leaves or any(not said.states & SAID_OF[k] for k in kinds if said.states):
        return None  # "can I leave the oven on", "is the oven door open"
    if SafetyKind.GATE in kinds and not members_of(SafetyKind.GATE, clause.names.entities, language):
        # "das Tor" is that of the garage where there is no other
        kinds = tuple(SafetyKind.GARAGE if k is SafetyKind.GATE else k for k in kinds)
    states = said.states & frozenset(s for k in kinds for s in SAID_OF[k])
    if states & _LOCKING and set(kinds) <= {SafetyKind.DOOR, SafetyKind.LOCK}:
        states &= _LOCKING
    kinds = checked(kinds, states)
    hazards, judged = HAZARDS.issuperset(kinds), words & _JUDGED
    if not (states or hazards or judged) or (hazards and states and states <= {Is.ON, Is.OFF} and not said.detector):
        return None  # "the gas", "is the gas on"
    # a detector that is "on" may watch or sound
    asks = {_ask(s, kinds) for s in states if not (hazards and s in (Is.ON, Is.OFF))}
    if not states:
        asks = {Ask.FINE if judged and SafetyWord.WRONG not in words else Ask.AMISS}
    if SafetyWord.FORGOT in words:
        asks = {Ask.AMISS}
    ask = next(iter(asks)) if len(asks) == 1 and not said.denied else None
    sure = not (Is.LOCKED in states and OPENINGS.intersection(kinds))
    return _in_mode(SafetyQuestion(language, kinds, ask, sure=sure), said.modes)


def _past(clause: Clause, meant: SafetyQuestion, things: Sequence[Entity]) -> Past | None:
    """The question about the past: for detectors and the like at any time, for several other things where a time is
    named; None for any other.
    """
    periods, words = periods_of(clause)
    watched = WATCHING.issuperset(meant.kinds) and meant.ask is Ask.AMISS
    if not watched and (not periods or len(things) < 2 or meant.ask not in (Ask.AMISS, Ask.FINE)):
        return None
    asked = tuple(Asking(e.entity_id, _AMISS.get(e.domain, ("on",))) for e in things)
    return Past(Tell.WHETHER, asked, periods, words)


def _kinds_of(things: Sequence[Entity], states: frozenset[Is], language: str) -> list[SafetyKind]:
    """The kinds of the things named that can have the states said."""
    fitting = [k for k in SAID_OF if not states or states & SAID_OF[k]]
    return [k for e in things if (k := kind_of(fitting, e, language)) is not None]


def _of_all(said: Said, language: str, *, leaves: bool, of_all: bool) -> SafetyQuestion | None:
    """The question about the whole house, where no kind is named; None where the words ask none."""
    words, states = said.words, said.states
    forgot = SafetyWord.FORGOT in words
    well = SafetyWord.WELL in words and of_all and not states - {Is.QUIET}
    if leaves or well or words & {SafetyWord.FINE, SafetyWord.WRONG}:
        ask = Ask.AMISS if SafetyWord.WRONG in words else Ask.FINE
        return SafetyQuestion(language, _EVERYTHING, None if said.denied else ask, _BESIDE, whole=True)
    if said.denied:
        return None
    if states & _LOCKING:
        ask = Ask.AMISS if Is.UNLOCKED in states or forgot else Ask.FINE
        return SafetyQuestion(language, (SafetyKind.LOCK,), ask, _CLOSING)
    if Is.CLOSED in states and Is.OPEN not in states:
        return SafetyQuestion(language, _CLOSING, Ask.AMISS if forgot else Ask.FINE)
    if Is.ARMED in states and states <= {Is.ARMED, Is.ON}:
        return SafetyQuestion(language, (SafetyKind.ALARM,), Ask.ARMED)
    return None


def _in_mode(question: SafetyQuestion, modes: frozenset[ArmingMode]) -> SafetyQuestion | None:
    """The question whether an alarm is armed in a mode; None where several modes are said."""
    if question.ask is not Ask.ARMED or not modes:
        return question
    return replace(question, mode=f"armed_{next(iter(modes)).value}") if len(modes) == 1 else None


def checked(said: Sequence[SafetyKind], states: frozenset[Is]) -> tuple[SafetyKind, ...]:
    """The kinds to look at: for a door asked whether it is locked the lock instead, for one without a state the lock
    too; for an alarm asked whether it sounds the siren too.
    """
    kinds: list[SafetyKind] = []
    for kind in said:
        if kind is SafetyKind.DOOR and states & _LOCKING:
            kinds.append(SafetyKind.LOCK)
            continue
        kinds.append(kind)
        if kind is SafetyKind.DOOR and not states & {Is.OPEN, Is.CLOSED}:
            kinds.append(SafetyKind.LOCK)
        if kind is SafetyKind.ALARM and Is.ALARMED in states:
            kinds.append(SafetyKind.SIREN)
    return tuple(dict.fromkeys(kinds))


def _ask(state: Is, kinds: Sequence[SafetyKind]) -> Ask:
    if SafetyKind.ALARM in kinds and state in (Is.ARMED, Is.ON):
        return Ask.ARMED
    if SafetyKind.ALARM in kinds and state in (Is.DISARMED, Is.OFF):
        return Ask.DISARMED
    return Ask.AMISS if state in _BAD else Ask.FINE


def _raw_states(said: Said, meant: SafetyQuestion, things: Sequence[Entity]) -> tuple[str, ...]:
    """The raw states that are asked about."""
    switched = {Is.OPEN: "on", Is.CLOSED: "off", Is.ALARMED: "on", Is.PRESENT: "on", Is.QUIET: "off"}
    named = {Is.ALARMED: "triggered"}
    states = [s for s in said.states if any(s in SAID_OF.get(k, ()) for k in meant.kinds)]
    found = ((named if e.domain in _BY_NAME else switched).get(s, s.value) for s in states for e in things)
    return tuple(sorted(set(found)))
