"""The frames of a sentence as plans, beside what the other ways of understanding found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial

from homeagent.brains.call_outcomes import only_looks
from homeagent.brains.local.planning.conditions import planned
from homeagent.brains.local.planning.planning import is_other, plan
from homeagent.brains.local.planning.plans import Plan
from homeagent.brains.local.stopping import stop_what_runs
from homeagent.brains.local.surroundings import Surroundings
from homeagent.domains import profile_of
from homeagent.domains.person import PEOPLE
from homeagent.ha.home import Home
from homeagent.languages.concepts import SafetyKind
from homeagent.languages.dictionary import has_dictionary
from homeagent.languages.pack import Pack, load_pack
from homeagent.timers.timer import Timer, TimerAction, TimerKind, TimerState
from homeagent.understanding.choosing import guards_named, understand
from homeagent.understanding.deciding import Decision, Understanding, Verdict, decide
from homeagent.understanding.frame import ORDERS, VETOES, ActKind, Feature, Frame
from homeagent.understanding.home_names import HomeNames
from homeagent.understanding.lattice import Choices
from homeagent.understanding.past_times import Now
from homeagent.understanding.previous_turn import PreviousTurn
from homeagent.understanding.request import NOT_AHEAD, NOT_LATER, Act, Request, Scope
from homeagent.understanding.sentence_context import SentenceContext
from homeagent.understanding.spans import Choice
from homeagent.understanding.tokeniser import tokenise
from indexer.words import normalise

_PLAYER = "media_player"
_MOST_OFFERED = 5
"""More things than these are not offered to be told something: a yes must not do more than was read out."""
LOST = frozenset({"unknown_device", "unknown_place", "which_target", "to_what", "unsupported"})
"""Phrases for what was not found, or not told."""
NO_ANSWER = frozenset({NOT_LATER, "left_alone"})
"""Phrases that answer an order only: a question is told neither."""
_CANNOT_WAIT = frozenset({NOT_LATER})
NONE = frozenset({"none_of_kind", "none_there"})
"""Phrases for what is known not to be there."""
_FORBIDDING = VETOES | {Feature.LEFT_UNKNOWN, Feature.STRANGER}
_LEFT = frozenset(
    {Feature.LEFT_WORD, Feature.LEFT_NOUN, Feature.LEFT_UNKNOWN, Feature.LEFT_LIGHT, Feature.LEFT_QUESTION}
)
"""Words left over that say something, unlike courtesy, articles and the like."""
_STRETCHED = _LEFT | {Feature.OPEN_TEXT, Feature.PART_OF_NAME}
_PLAIN = 1.2
"""What a question costs at most whose words say it as people mostly say it."""
_TOLD = frozenset({ActKind.LATER, ActKind.REFUSAL})
_SWITCHED = frozenset({"on", "off", "none"})
"""Choices that are rather the words for switching."""
_SOMEBODY = frozenset({SafetyKind.MOTION, SafetyKind.PRESENCE})
_OF_PLACES = frozenset({"weather", "contrast", "forecast", "events"})
"""What is asked of this home alone: of another place it must not be told."""


@dataclass(frozen=True, slots=True)
class FramePlans:
    """What the frames of a sentence come to: their plans, and the decision behind these; None where
    nothing was read.
    """

    plans: tuple[Plan, ...] = ()
    decision: Decision | None = None
    asks: bool = False
    """Whether the sentence ends with a question mark."""

    @property
    def best(self) -> Understanding | None:
        """The reading with the lowest cost."""
        return self.decision.best if self.decision is not None else None

    @property
    def settles(self) -> bool:
        """Whether the plans are carried out without asking the grammar: the decision is sure, every plan has calls (or
        all of it follows the last turn), and no question would change anything.
        """
        certain = self.decision is not None and self.decision.sure and bool(self.plans)
        whole = self.follows or all(p.calls or p.asks_when for p in self.plans)
        return certain and whole and not self.acts_on_a_question

    @property
    def follows(self) -> bool:
        """Whether every frame builds on the last turn, which the grammar knows nothing of."""
        return self.best is not None and all(f.act is ActKind.FOLLOWING for f in self.best.asking_for)

    @property
    def talks(self) -> bool:
        """Whether it is all small talk or asks for the time or date."""
        best = self.best if self.plans else None
        return best is not None and all(f.act in (ActKind.CHAT, ActKind.CLOCK) for f in best.asking_for)

    def orders_others(self, entity_ids: Set[str]) -> bool:
        """Whether it is a sure order that names what it is for, and that none of these things is among."""
        wanted = self.best.asking_for if self.best is not None and self.settles else ()
        named = (f.acts and f.target is not None and not f.target.empty and f.entity_ids for f in wanted)
        return bool(wanted) and all(named) and all(f.entity_ids.isdisjoint(entity_ids) for f in wanted)

    @property
    def guards(self) -> bool:
        """Whether a plan answers a question about safety."""
        return any(p.request.safety is not None for p in self.plans)

    @property
    def misses_the_past(self) -> bool:
        """Whether it asks about a time gone by that was not understood: any other answer would tell
        the present state.
        """
        frames = self.best.frames if self.best is not None else ()
        return any(Feature.GONE_BY in f.features or (f.act is ActKind.PAST and f.vetoed) for f in frames)

    @property
    def leaves_words(self) -> bool:
        """Whether a word of the sentence that says something is no part of what was understood."""
        wanted = self.best.asking_for if self.best is not None else ()
        return any(_LEFT & f.features.keys() for f in wanted)

    @property
    def plain(self) -> bool:
        """Whether each word was taken for what it says, and none left over."""
        wanted = self.best.asking_for if self.best is not None else ()
        return not any(_STRETCHED & f.features.keys() or f.cost > _PLAIN for f in wanted)

    @property
    def answers(self) -> bool:
        """Whether it is a question that the home answers, or of which it is known why it cannot."""
        certain = self.decision is not None and self.decision.verdict is Verdict.ACT
        return certain and bool(self.plans) and not self.acts and not self.lost

    @property
    def acts(self) -> bool:
        """Whether a plan would change something."""
        return _changes(self.plans)

    @property
    def lost(self) -> bool:
        """Whether there is no plan, or all that the plans come to is that something was not found or not told."""
        return _says(self.plans, LOST)

    @property
    def leads(self) -> bool:
        """Whether the plans go before the grammar's: they answer about safety, or the decision is to act."""
        return self.guards or (
            self.decision is not None
            and self.decision.verdict is Verdict.ACT
            and (any(p.calls for p in self.plans) or (self.follows and bool(self.plans)))
            and not self.acts_on_a_question
        )

    @property
    def acts_on_a_question(self) -> bool:
        """Whether something would be changed although the sentence has the form of a question ("iron off?")."""
        best = self.best
        if best is None or not self.acts:
            return False
        # "iron off, love?": the mark stands behind who is spoken to
        called = self.asks and Feature.ADDRESS in best.frames[-1].features
        return any(
            f.acts and (Feature.ASKS in f.features or (called and Feature.WITHOUT_VERB in f.features))
            for f in best.asking_for
        )

    def or_grammatical(self, found: tuple[Plan, ...], around: Surroundings, *, last: bool) -> tuple[Plan, ...]:
        """The plans that count: those that the grammar ``found``, or the frames'.

        The grammar's are dropped where they change something that the frames forbid or that was a question, where they
        deny a kind of thing that the home has, and where they tell about this home although another place was named.
        The frames' plans count where the grammar found nothing or only says that something is missing. Plans without
        calls need this brain to be the ``last``: a model finds better words.
        """
        asks = self._looks_like_a_question
        if _changes(found) and (self._forbids or asks):
            found = ()
        if self.decision is not None and _says(found, _CANNOT_WAIT):
            found = ()  # the frames know what can be waited for
        partly = self.decision is not None and bool(self.decision.done)
        if self.decision is None or not (last or (any(made.calls for made in self.plans) and not partly)):
            return found if last or not _says(found, LOST) else ()
        if asks and _says(self.plans, NO_ANSWER):
            return found
        if self._complains:
            return self.plans
        untrue = any(_denies_what_is_there(p, around) for p in found)
        acts = (asks and self.acts) or self.acts_on_a_question
        if not acts and _says(found, LOST | NONE if untrue else LOST) and not _says(self.plans, LOST | NONE):
            return self.plans
        if acts:
            return () if untrue else found
        return () if untrue or self._ignores_a_place(found) else found or self.plans

    @property
    def _complains(self) -> bool:
        """Whether it only says that something is wrong ("it is too dark"), without an order."""
        best = self.best if self.plans else None
        return best is not None and all(f.act is ActKind.COMPLAINT for f in best.asking_for)

    @property
    def _forbids(self) -> bool:
        """Whether the best reading holds what no order may be carried out with (a negation, a condition, another time,
        an unknown word), or itself says why nothing is done.
        """
        if self.best is None:
            return False
        return self.best.qualified or any(_FORBIDDING & f.features.keys() or f.act in _TOLD for f in self.best.frames)

    @property
    def _looks_like_a_question(self) -> bool:
        wanted = self.best.asking_for if self.best is not None else ()
        return self.asks or any(f.act is ActKind.ASKING or Feature.ASKS in f.features for f in wanted)

    def _ignores_a_place(self, found: Sequence[Plan]) -> bool:
        wanted = self.best.asking_for if self.best is not None else ()
        unknown = any(Feature.UNKNOWN_IN_PHRASE in f.features for f in wanted)
        return unknown and any(p.request.attribute in _OF_PLACES for p in found)


_HEARD_FOR = timedelta(minutes=5)
"""So long after a timer or an alarm rang a word that names nothing is of it."""


def _is_heard(timer: Timer, now: datetime) -> bool:
    rang = timer.fired_at if timer.state is TimerState.RINGING and timer.kind.rings_on else None
    return rang is not None and now - rang < _HEARD_FOR


class FramePlanner:
    """Reads sentences as frames that compete by their cost; keeps the names of the home for each language."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self._names: dict[str, HomeNames] = {}

    def forget(self) -> None:
        """Read the home's names anew before the next sentence."""
        self._names = {}

    def warm(self, language: str) -> None:
        """Read the pack, the home's names and the dictionary, so that the first sentence does not wait for them."""
        if (names := self.names(language)) is not None:
            has_dictionary(names.pack.language)
            names.warm()

    def read(self, text: str, language: str, around: Surroundings, last: PreviousTurn | None) -> FramePlans:
        """What the frames make of a sentence that follows the ``last`` turn; no plans for a language without a pack."""
        names = self.names(language)
        if names is None:
            return FramePlans(asks=tokenise(text).asks)
        now = Now(self._home.now(), self._home.config.time_zone)
        today = datetime.now(now.zone).date()
        stop = partial(stop_what_runs, around)
        rings = any(_is_heard(t, now.moment) for t in around.timers)
        named = tuple(t.name for t in around.timers if t.kind is TimerKind.TIMER)
        choices = offered_choices(around, names.pack)
        here = SentenceContext(
            names, today, around.area_id, around.last_entities, choices, stop, last, now, rings, named
        )
        sentence = tokenise(text)
        decision = decide(understand(sentence, here))
        return FramePlans(_plans(decision, around), decision, sentence.asks)

    def guards_named(self, text: str, language: str, around: Surroundings, plans: Sequence[Plan]) -> Plan | None:
        """A plan that tells the states of the things in a sentence that guard the home or endanger it.

        For a question about safety that was not understood; None where ``plans`` answer something, or no such thing is
        named.
        """
        names = self.names(language)
        if names is None or any(not p.denies or (p.saying and p.saying.key == NOT_AHEAD) for p in plans):
            return None
        here = SentenceContext(names, datetime.now(self._home.config.time_zone).date(), around.area_id)
        request = guards_named(tokenise(text), here)
        if request is None:
            return None
        of_motion = request.safety is not None and _SOMEBODY.issuperset(request.safety.kinds)
        if of_motion and not request.scope.named and any(map(names.of_domain, PEOPLE)):
            return None  # without sensors "is anybody in the house" is asked of the people
        if not request.scope.named and any(p.question or (p.saying and p.saying.key in NONE) for p in plans):
            return None  # what is like it is offered, or it is so that there are none of a kind
        return plan(request, around)

    def names(self, language: str) -> HomeNames | None:
        """The home's names as one language reads them; None where it has no pack."""
        pack = load_pack(language)
        if pack is None:
            return None
        if pack.language not in self._names:
            home = self._home
            self._names[pack.language] = HomeNames(
                home.entities.values(), home.areas.values(), home.floors.values(), pack, self._attributes
            )
        return self._names[pack.language]

    def _attributes(self, entity_id: str) -> Mapping[str, object]:
        state = self._home.state(entity_id)
        return state.attributes if state is not None else {}


def offered_choices(around: Surroundings, pack: Pack) -> Choices:
    """What the retrieved entities and those of the last turn can be set to (sources, modes, options), and the sources
    of all players, by its name in comparable spelling, and by the words of the language for that, or for its sort.
    """
    found: dict[str, tuple[Choice, ...]] = {}
    last = (around.home.entity(i) for i in around.last_entities)
    meant = dict.fromkeys((*around.retrieved, *(e for e in last if e is not None)))
    for entity in (*meant, *(e for e in around.exposed if e.domain == _PLAYER and e not in meant)):
        lists = profile_of(entity.domain).choices
        state = around.home.state(entity.entity_id) if lists else None
        for listed in lists if state is not None else ():
            for value in map(str, state.attributes.get(listed.offered) or ()):  # type: ignore[union-attr]
                said = normalise(value)
                sorts = [phrase for word in said.split() for phrase in pack.genres.get(word, ())]
                words = dict.fromkeys((said, *pack.options.get(said, ()), *sorts))
                for word in words if said and said not in _SWITCHED else ():
                    choice = Choice(entity.entity_id, listed.parameter, value, by_word=word != said)
                    found[word] = (*found.get(word, ()), choice)
    return found


def _plans(decision: Decision, around: Surroundings) -> tuple[Plan, ...]:
    """A plan for each request of a sure decision, or a question where the decision is to ask; none where it is left to
    other ways.
    """
    if decision.best is None or decision.verdict is Verdict.HAND_OVER:
        return ()
    wanted = decision.best.asking_for
    if decision.done:
        offers = (f.request if f in decision.done or not f.acts else _offer(f) for f in wanted)
        return planned((r for r in offers if r is not None), around, plan)
    if decision.verdict is Verdict.ASK and any(f.acts for f in wanted):
        offered = _offer(wanted[0], lists=decision.best.qualified) if len(wanted) == 1 else None
        return planned((offered,), around, plan) if offered is not None else ()
    plans = planned(_requests(wanted, around), around, plan)
    refused = any(f.refuses for f in wanted)
    return () if refused and any(p.calls for p in plans) else plans  # what is only near to it is told nothing


def offered(read: FramePlans, around: Surroundings) -> tuple[Plan, ...]:
    """The one order of a sentence as a question: whether it is to be, or which thing is meant, of those that it would
    change; empty where there is none.
    """
    wanted = read.best.asking_for if read.best is not None else ()
    if len(wanted) != 1 or not wanted[0].acts or wanted[0].vetoed:
        return ()
    frame = wanted[0]
    left = _in_another_state(frame, around)
    request = _offer(replace(frame, entity_ids=left or frame.entity_ids), lists=True)
    return (plan(request, around),) if request is not None else ()


def _in_another_state(frame: Frame, around: Surroundings) -> frozenset[str]:
    """Of the things of a frame those that its action, where it sets no value, would bring into another state."""
    action = frame.request.action if frame.request is not None and not frame.request.parameters else ""
    things = [e for i in frame.entity_ids if (e := around.home.entity(i)) is not None]
    return frozenset(e.entity_id for e in things if action and is_other(action, e, around))


def _requests(wanted: tuple[Frame, ...], around: Surroundings) -> Iterator[Request]:
    """The requests of the frames without repetition; a refusal beside a question or an order is left out, where it
    offers nothing.
    """
    seen: set[tuple[object, ...]] = set()
    alarms = any(t.kind is TimerKind.ALARM for t in around.timers)
    asks, orders = any(f.act is ActKind.ASKING for f in wanted), any(f.act in ORDERS for f in wanted)
    for frame in wanted:
        idle = frame.act is ActKind.REFUSAL and (asks or (orders and not _in_another_state(frame, around)))
        if frame.request is not None and not idle and frame.effect not in seen:
            seen.add(frame.effect)
            yield frame.request
            timing = frame.request.timing
            lists = timing is not None and timing.deed is TimerAction.LIST and timing.kind is TimerKind.ALARM
            if lists and alarms and frame.request.scope.named:
                yield Request(Act.QUERY, frame.request.scope)  # what else wakes people


def _offer(frame: Frame, *, lists: bool = False) -> Request | None:
    """The order as a suggestion that a yes carries out; None for ``lists`` where these are not told, for no entity, and
    for more than can be read out.
    """
    request = frame.request
    if request is None or (frame.act is ActKind.LIST and not lists) or not 0 < len(frame.entity_ids) <= _MOST_OFFERED:
        return None
    unsure = not request.scope.every and any(len(group) > 1 for group in request.scope.named)
    scope = Scope(tuple((i,) for i in sorted(frame.entity_ids)), every=not unsure)
    return replace(request, act=Act.SAY, scope=scope, say="suggest")


def _changes(plans: Sequence[Plan]) -> bool:
    """Whether a call of the plans changes something."""
    return any(not only_looks(call) for made in plans for call in made.calls)


def _says(plans: Sequence[Plan], phrases: Set[str]) -> bool:
    """Whether all that the plans come to is one of these phrases."""
    return all(p.saying is not None and p.saying.key in phrases for p in plans)


def _denies_what_is_there(made: Plan, around: Surroundings) -> bool:
    """Whether the plan says that the home has none of a kind that it has."""
    if made.saying is None or made.saying.key != "none_of_kind":
        return False
    kinds = set(made.saying.words.get("kinds", "").split())
    return any(e.domain in kinds or e.device_class in kinds for e in around.exposed)
