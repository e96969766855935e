"""The second reading of a sentence: where its words were not understood, what it is for by its meaning.

A guess never acts by itself. It chooses one of the plain sentences of the language (`canonical.yaml`), which is filled
with what was said and then read as if it had been said. So an answer is one that the home can give, and what it cannot
is refused for what it is. An order is mostly put as a question: `order_guesses` tells when it is not.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from enum import StrEnum

from homeagent.brains.local.frame_plans import LOST, FramePlanner, FramePlans, offered, offered_choices
from homeagent.brains.local.planning.planning import is_other, plan
from homeagent.brains.local.planning.plans import Plan, Saying
from homeagent.brains.local.second_reading.order_guesses import OrderGuess, order_guesses
from homeagent.brains.local.second_reading.slot_filling import Left, PlainSentence, of_kinds, plain_sentences
from homeagent.brains.local.surroundings import Surroundings, entities_of
from homeagent.domains import profile_of
from homeagent.domains.actions import action_for
from homeagent.domains.dates import KEEPS_A_TIME
from homeagent.domains.person import PEOPLE
from homeagent.intents.classifier import Guess
from homeagent.intents.intent import ORDERS, Intent, SentenceKind
from homeagent.timers.timer import TimerKind
from homeagent.turns.question_back import QuestionKind
from homeagent.understanding.deciding import is_done
from homeagent.understanding.frame import VETOES, ActKind, Feature
from homeagent.understanding.home_names import HomeNames
from homeagent.understanding.previous_turn import each
from homeagent.understanding.request import Act, Asked, Request
from homeagent.understanding.sentence_parts import SentenceParts, parts_of
from homeagent.understanding.tokeniser import tokenise
from indexer.entity import Entity

_SURE = 0.75
"""From this share on a guess counts more than a reading that leaves words over, and than a model's."""
_ENOUGH, _OF_WHAT_ASKS = 0.6, 0.5
"""From this share on it is better than nothing, for a question; and where something of the home is asked for sure."""
_ASKS = 0.95
"""From this share of its kind on that is sure."""
_CHATS = 0.5
"""From this share on what names nothing of the home is small talk."""
_HARDLY = 0.05
"""Of kin those that have no larger share are not meant."""
_KIN = (
    frozenset({Intent.ASK_RAIN, Intent.ASK_WIND, Intent.ASK_FORECAST, Intent.ASK_WEATHER_NOW, Intent.ASK_SUN}),
    frozenset({Intent.CALENDAR_WHEN, Intent.CALENDAR_WHERE}),
)
"""Questions of which each is answered by what answers the others, more or less: their shares count together."""
_OF_ANYTHING = frozenset({Intent.ASK_STATE, Intent.ASK_OVERVIEW, Intent.ASK_SECURITY})
"""What these ask, a reading that only takes some words otherwise tells better."""
_VAGUE = frozenset({Intent.ASK_OVERVIEW, Intent.ASK_WHY, Intent.ASK_CAPABILITY, Intent.ASK_DATE})
"""Questions that less than 80 of 100 unseen sentences are for where the share is only enough: these have to be sure."""
_HERE_ALONE = _KIN[0] | {Intent.ASK_INDOOR_TEMPERATURE, Intent.ASK_HUMIDITY_AIR}
"""What is asked of this home alone: of another place it must not be told."""
_PASSING = frozenset({Intent.PASSING, Intent.SMALL_TALK})
UNANSWERABLE = _PASSING | {Intent.KNOWLEDGE, Intent.TELL, Intent.CORRECT, Intent.RETRACT, Intent.RECALL}
"""To these no state of the home is an answer."""
_FORBIDDING = frozenset({Feature.CONDITIONAL, Feature.GONE_BY, Feature.QUOTED, Feature.RELAYED, Feature.QUALIFIED})
_HARMLESS: Mapping[Intent, frozenset[tuple[str, str]]] = {
    Intent.LIGHT_ON: frozenset({("turn_on", "light")}),
    Intent.LIGHT_OFF: frozenset({("turn_off", "light")}),
    Intent.DEVICE_OFF: frozenset({("turn_off", "fan"), ("turn_off", "media_player"), ("turn_off", "light")}),
    Intent.MEDIA_PAUSE: frozenset({("pause", "media_player")}),
    Intent.MUTE: frozenset({("mute", "media_player")}),
    Intent.CHOOSE_SOURCE: frozenset({("set_value", "media_player")}),
    Intent.VACUUM_START: frozenset({("start", "vacuum")}),
    Intent.VACUUM_STOP: frozenset({("return_to_base", "vacuum"), ("pause", "vacuum"), ("stop", "vacuum")}),
    Intent.LIST_ADD: frozenset({("add_item", "todo")}),
    Intent.LIST_REMOVE: frozenset({("remove_item", "todo"), ("complete_item", "todo")}),
}
"""Actions on things of a domain that may be done where an order is only likely to mean them."""
_AGREED, _AGREED_IN_PART = 0.35, 0.6
"""How likely that must be at least where words are for the same, and where they stand beside what is not understood."""
_TOLD = 2.5
"""What a reading costs at most by which a sentence only tells something ("the kids love movie night")."""
_OFFER, _REFUSED = "suggest", "left_alone"
_BACK = frozenset({QuestionKind.WHICH, QuestionKind.WHEN, QuestionKind.TARGET, QuestionKind.ORDER})
"""What is asked back because something was not told: by its meaning it may be something else."""
_ENDS = frozenset(".!?…")
"""Marks that end a sentence."""


class Need(StrEnum):
    """How much a sentence needs a second reading."""

    NONE = "none"
    DOUBTFUL = "doubtful"
    """It has an answer, but a word was left over, or a meaning stretched for it, or it was asked back about."""
    ANOTHER = "another"
    """It was taken for a complaint, and what may help is offered (no step: of that words tell the way), or for a wish
    that nothing be done, though words are left over. An order that is likelier is offered."""
    LOST = "lost"
    """It was not understood, or only that something is missing."""


@dataclass(frozen=True, slots=True)
class SecondReading:
    """What was guessed, how sure that is (0 to 1), the plain sentence in its place, and what comes of that; no plans
    where there is nothing to answer."""

    intent: Intent
    share: float
    said: str = ""
    plans: tuple[Plan, ...] = ()

    def as_dict(self) -> dict[str, object]:
        """For the trace of the turn."""
        return {"intent": self.intent.value, "share": round(self.share, 3), "read_as": self.said}


def need_of(plans: Sequence[Plan], framed: FramePlans) -> Need:
    """How much a sentence needs a second reading, by what came of the frames and what counts of it."""
    if all(p.saying is not None and p.saying.key in LOST for p in plans):
        return Need.LOST
    said = [p.saying.key if p.saying is not None and not p.request.parameters else "" for p in plans]
    if all(key.startswith(_OFFER) or (key == _REFUSED and framed.leaves_words) for key in said):
        return Need.ANOTHER
    asks = all(p.request.act is Act.QUERY for p in plans)
    asks_back = all(p.question is not None and p.question.kind in _BACK and not p.calls for p in plans)
    return Need.DOUBTFUL if (asks and not framed.plain and not framed.guards) or asks_back else Need.NONE


class SecondReader:
    """Reads the plain sentence of what was guessed."""

    def __init__(self, framing: FramePlanner) -> None:
        self._framing = framing

    def read(
        self, text: str, language: str, guess: Guess, need: Need, first: FramePlans, around: Surroundings, *, last: bool
    ) -> SecondReading | None:
        """What a guess makes of a sentence; None where it is no better than the ``first`` reading. ``last``: whether no
        model is asked next: before one only questions about the home are answered, and only sure ones. Blocks.
        """
        names = self._framing.names(language)
        if names is None:
            return None
        intent = guess.likeliest
        kin = next((kin for kin in _KIN if intent in kin), {intent})
        share = guess.share_of(kin)
        sure = share >= _SURE
        unsure = not sure and (need is not Need.LOST or not last)
        agreed = (_agreed(guess, first) or _agreed_in_part(guess, first)) if last else None
        if (need is Need.ANOTHER and intent not in ORDERS) or (unsure and agreed is None):
            return None
        said = _Said(parts_of(text, names, offered_choices(around, names.pack)), language, names, need, first, around)
        parts = said.parts
        if parts.advises and not first.plans:
            return None
        if agreed is not None and not (said.forbids or parts.hedged):
            return SecondReading(intent, share, plans=(plan(agreed, around),))
        chats = need is Need.LOST and last and _is_chat(guess, parts, asks=first.asks)
        if chats or intent in UNANSWERABLE:
            plans = (_reply(guess),) if chats else ()
            unasked = need is Need.LOST or first.leaves_words
            return SecondReading(intent, share, plans=plans) if (sure or chats) and unasked and not first.acts else None
        if unsure:
            return None
        if intent in ORDERS:
            return self._order(guess, said) if last and need is not Need.DOUBTFUL and not said.forbids else None
        asks = guess.kinds[SentenceKind.ASK] >= _ASKS
        if share < (_SURE if intent in _VAGUE else _OF_WHAT_ASKS if asks else _ENOUGH) or _orders_beside(text, first):
            return None
        if not asks and any(number.unit is not None for _, number in parts.numbers):
            return None  # "forty percent is plenty"
        if need is Need.DOUBTFUL and intent in _OF_ANYTHING:
            return None
        likely = [one for one in sorted(kin, key=guess.shares.__getitem__, reverse=True) if guess.shares[one] > _HARDLY]
        answers = (self._answer(one, share, said) for one in likely)
        answer = next((answer for answer in answers if answer is not None), None)
        return answer if answer is not None and _kinds(answer.plans) != _kinds(first.plans) else None

    def _answer(self, intent: Intent, share: float, said: _Said) -> SecondReading | None:
        """The answer to a question by its first plain sentence that has one and leaves out nothing that counts."""
        parts = said.parts
        if parts.past or (intent in _HERE_ALONE and parts.elsewhere):
            return None
        for sentence in plain_sentences(intent, parts, said.language, said.names, said.around):
            if sentence.left_by_question(parts) is Left.MORE:
                continue
            read = self._read(sentence, said)
            denies = any(p.denies for p in read.plans) and not (said.first.asks and share >= _SURE)
            if read.answers and not denies:
                plans = tuple(_telling(p, said.around) for p in read.plans)
                return SecondReading(intent, share, sentence.text, plans)
        return None

    def _order(self, guess: Guess, said: _Said) -> SecondReading | None:
        """The order that is likeliest and still to be done, of those that leave nothing out that counts."""
        for one in order_guesses(guess):
            for sentence in plain_sentences(one.intent, said.parts, said.language, said.names, said.around):
                if one.second and not (sentence.used or sentence.valued):
                    continue  # which way is left the state of a thing tells, and that of none nothing
                named = any(part in sentence.said for part, _ in said.parts.named)
                if not named and sentence.valued and said.parts.named:
                    continue  # a value is of what was named
                if plans := self._plans(one, sentence, said):
                    return SecondReading(one.intent, one.share, sentence.text, plans)
        return None

    def _plans(self, one: OrderGuess, sentence: PlainSentence, said: _Said) -> tuple[Plan, ...]:
        """The plans of an order as a question; what may be done by a guess and leaves nothing out, is done. None
        for what leaves out more than a thing, is not left to be done, or may be meant the other way."""
        parts, around = said.parts, said.around
        read = self._read(sentence, said)
        asking = offered(read, around)
        plans = asking or read.plans
        reached = [e for p in plans for e in _things_of(p, around)]
        left = sentence.left(parts, reached)
        stepping = any(p.request.parameters for p in plans)
        if left is Left.MORE or one.is_open(parts.headings, stepping=stepping, valued=sentence.valued):
            return ()
        unmeant = any(p.request.action in parts.unmeant for p in plans) or said.leaves(reached)
        if unmeant or not all(_is_left(p, around, valued=sentence.valued) for p in plans):
            return ()
        negated = _holds(said.first, {Feature.NEGATED}) or said.refuses
        if negated and sentence.valued:
            return ()  # it may be the value that is not wanted
        denied = negated and one.intent is not Intent.LIGHT_ON  # "I can't see what I'm chopping"
        waits = (
            denied
            or parts.hedged
            or said.is_told
            or said.need is not Need.LOST
            or (_holds(said.first, {Feature.FOR_LATER}) and not sentence.timed)
        )
        whole = left is Left.NOTHING and (not reached or of_kinds(parts, reached, said.names)) and not waits
        alone = all(p.question is None or len(p.question.candidates) == 1 for p in asking)
        where = one.intent is not Intent.CHOOSE_SOURCE or bool(parts.named or parts.places)
        told = where and not sentence.guesses(parts)  # what plays elsewhere is seldom meant to play something else
        kept = any(e.domain in KEEPS_A_TIME for e in reached)  # a time of each day is changed by no guess
        sure = one.is_done(parts.headings, valued=sentence.valued) and not kept
        done = whole and alone and told and read.settles and sure
        return read.plans if done else asking

    def _read(self, sentence: PlainSentence, said: _Said) -> FramePlans:
        retrieved = tuple(dict.fromkeys((*sentence.used, *said.around.retrieved)))
        return self._framing.read(sentence.text, said.language, replace(said.around, retrieved=retrieved), None)


@dataclass(frozen=True, slots=True)
class _Said:
    """A sentence in its home: its parts, and what the ``first`` reading made of it."""

    parts: SentenceParts
    language: str
    names: HomeNames
    need: Need
    first: FramePlans
    around: Surroundings

    @property
    def forbids(self) -> bool:
        """Whether it holds what an order is not carried out with, or not now."""
        parts = self.parts
        return parts.past or parts.conditional or parts.excepting or _holds(self.first, _FORBIDDING)

    @property
    def is_told(self) -> bool:
        """Whether the first reading takes it all for something that is told, and has few words left to explain so."""
        best = self.first.best
        return best is not None and not best.asking_for and best.cost <= _TOLD

    @property
    def refuses(self) -> bool:
        """Whether the first reading takes it for a wish that something be not done."""
        best = self.first.best
        return best is not None and any(f.act is ActKind.REFUSAL for f in best.frames)

    def leaves(self, reached: Sequence[Entity]) -> bool:
        """Whether the first reading leaves all of these as they are."""
        frames = self.first.best.frames if self.first.best is not None else ()
        left = {i for f in frames if f.act is ActKind.REFUSAL for i in f.entity_ids}
        return bool(reached) and all(e.entity_id in left for e in reached)


def _agreed(guess: Guess, first: FramePlans) -> Request | None:
    """The order for one thing that the first reading offers and that the guess is for as well: two that know nothing of
    each other agree on it. None where they do not, and for what is not harmless."""
    back = first.plans[0].question if len(first.plans) == 1 else None
    if back is None or back.kind is not QuestionKind.SUGGEST or back.request is None or len(back.candidates) != 1:
        return None
    agrees = _is_for(guess, back.request.action, back.candidates, _AGREED)
    return replace(back.request, scope=each(back.candidates)) if agrees else None


def _agreed_in_part(guess: Guess, first: FramePlans) -> Request | None:
    """The only order that the first reading understood, where the guess is for it as well and all else may be told
    beside it; None where it is not so."""
    wanted = first.best.asking_for if first.best is not None else ()
    understood = [f for f in wanted if is_done(f)]
    if len(understood) != 1 or any(VETOES & f.features.keys() for f in wanted if f not in understood):
        return None
    request, ids = understood[0].request, understood[0].entity_ids
    if request is None or request.timing is not None or request.given is not None:
        return None
    return request if _is_for(guess, request.action, ids, _AGREED_IN_PART) else None


def _is_for(guess: Guess, action: str, ids: Collection[str], least: float) -> bool:
    """Whether a guess is for this on these things as well, with at least this share (0 to 1), and it is harmless."""
    done = {(action, i.partition(".")[0]) for i in ids}
    meant = [intent for intent, harmless in _HARMLESS.items() if done and done <= harmless]
    return guess.likeliest in meant and guess.share_of(meant) >= least


def _telling(made: Plan, around: Surroundings) -> Plan:
    """The plan without a yes or a no: what was asked was not the plain sentence, and may want the opposite word."""
    request = made.request
    if request.safety is not None:
        request = replace(request, safety=replace(request.safety, ask=None))
    elif request.asked is Asked.YESNO:
        request = replace(request, asked=Asked.VALUE, states=())
    elif request.asked in (Asked.ANY, Asked.ALL):
        request = replace(request, asked=Asked.WHICH)
    return made if request is made.request or made.saying is not None else plan(request, around)


def _kinds(plans: Sequence[Plan]) -> set[tuple[object, ...]]:
    """What sorts of questions plans answer, whatever they are about."""
    requests = [p.request for p in plans]
    of_weather = {"forecast": "weather"}
    return {(r.act, of_weather.get(r.attribute, r.attribute), r.say, r.timing is None) for r in requests}


def acknowledgement(phrase: str = "noted") -> Plan:
    """The plan that only says that something was heard."""
    return Plan(Request(Act.SAY, say=phrase), saying=Saying(phrase))


def _reply(guess: Guess) -> Plan:
    """What is said to what is only told, and to what is said to the agent itself."""
    of_news = guess.shares[Intent.SMALL_TALK] < guess.share_of({Intent.PASSING, Intent.TELL})
    return acknowledgement("heard" if of_news else "chats")


def _is_chat(guess: Guess, parts: SentenceParts, *, asks: bool) -> bool:
    """Whether a sentence that names nothing of the home, and moves nothing, is likely said in passing. Of unseen ones
    for which that is likelier than `_CHATS` one in twenty wanted something."""
    of_home = [e for _, things in parts.named for e in things if asks or e.domain not in PEOPLE]
    if of_home or parts.places or parts.kinds or parts.headings:
        return False
    return guess.kinds[SentenceKind.PASSING] >= _CHATS


def _orders_beside(text: str, first: FramePlans) -> bool:
    """Whether one of several sentences orders something, which the answer to a question would leave out."""
    several = any(_ENDS & set(token.mark) for token in tokenise(text).tokens[1:])
    return several and first.best is not None and any(f.acts for f in first.best.frames)


def _holds(first: FramePlans, features: Set[Feature]) -> bool:
    frames = first.best.frames if first.best is not None else ()
    return any(features & f.features.keys() for f in frames)


def _things_of(made: Plan, around: Surroundings) -> tuple[Entity, ...]:
    """The things that a plan is for, those that it asks about where it does."""
    ids = made.question.candidates if made.question is not None else ()
    found = tuple(e for i in ids if (e := around.home.entity(i)) is not None)
    return found or entities_of(made.request.scope, around)


def _is_left(made: Plan, around: Surroundings, *, valued: bool) -> bool:
    """Whether a thing that an order is for is not so already; a step from what is off leads nowhere, a value
    (``valued``) does. An alarm is left
    to be set where none is: beside another nobody knows whether that one is to be moved."""
    request = made.request
    if request.timing is not None and request.timing.kind is TimerKind.ALARM:
        return not any(timer.kind is TimerKind.ALARM for timer in around.timers)
    things = _things_of(made, around)
    if request.parameters:
        return valued or not things or any(around.home.state_text(e.entity_id) != "off" for e in things)
    return not things or any(is_other(request.action, e, around) or not _is_seen(request.action, e) for e in things)


def _is_seen(action: str, entity: Entity) -> bool:
    """Whether the state of the thing tells that the action was done: no next track does."""
    service = profile_of(entity.domain).actions.get(action_for(action, entity.domain))
    return service is not None and bool(service.leaves or service.reaches)
