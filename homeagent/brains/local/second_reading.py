"""The second reading of a sentence: where its words were not understood, what it is for by its meaning.

A guess never acts by itself. It chooses one of the plain sentences of the language (`canonical.yaml`), which is filled
with what was said and then read as if it had been said. So an answer is one that the home can give, and what it cannot
is refused for what it is. An order is put as a question: of opposites meaning tells the one from the other badly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from enum import StrEnum
from operator import attrgetter

from homeagent.brains.local.frame_plans import LOST, FramePlanner, FramePlans, offered
from homeagent.brains.local.planning.planning import is_other, plan
from homeagent.brains.local.planning.plans import Plan, Saying
from homeagent.brains.local.surroundings import Surroundings, entities_of
from homeagent.domains import profile_of
from homeagent.intents.canonical import (
    DAY,
    DURATION,
    PLACE,
    THING,
    TITLE,
    canonical_sentences,
    filled,
    slots_of,
)
from homeagent.intents.classifier import Guess
from homeagent.intents.intent import ORDERS, QUESTIONS, Intent
from homeagent.understanding.frame import Feature
from homeagent.understanding.home_names import HomeNames
from homeagent.understanding.request import Act, Asked, Request
from homeagent.understanding.sentence_parts import SentenceParts, parts_of
from homeagent.understanding.tokeniser import tokenise
from indexer.entity import Entity

_SURE = 0.75
"""From this share on a guess counts more than a reading that leaves words over, and than a model's."""
_ENOUGH = 0.6
"""From this share on it is better than nothing, for a question."""
_OFFERED = 0.5
"""From this share on, opposites together, an order is offered."""
_SIDES: tuple[tuple[tuple[Intent, ...], tuple[Intent, ...]], ...] = (
    ((Intent.LIGHT_ON, Intent.LIGHT_BRIGHTER), (Intent.LIGHT_OFF, Intent.LIGHT_DIMMER)),
    ((Intent.COVER_OPEN,), (Intent.COVER_CLOSE,)),
    ((Intent.VACUUM_START,), (Intent.VACUUM_STOP,)),
    ((Intent.DEVICE_ON,), (Intent.DEVICE_OFF,)),
    ((Intent.LOCK,), (Intent.UNLOCK,)),
)
"""Orders that meaning alone does not tell apart: one way, and the other. Which of them is offered, the question says;
where it would not ("change the volume"), there is no plain sentence for them."""
_DONE = {Intent.VACUUM_START: 0.8, Intent.TIMER_SET: 0.6, Intent.LIGHT_ON: 0.6}
"""Orders of which nothing comes by mistake: carried out from these shares on, if all that they need was said, and they
are the only one of their sides that the home can still do."""
_KIN = (
    frozenset({Intent.ASK_RAIN, Intent.ASK_WIND, Intent.ASK_FORECAST, Intent.ASK_WEATHER_NOW}),
    frozenset({Intent.CALENDAR_WHEN, Intent.CALENDAR_WHERE}),
)
"""Questions of which each is answered by what answers the others, more or less: their shares count together."""
_OF_ANYTHING = frozenset({Intent.ASK_STATE, Intent.ASK_OVERVIEW, Intent.ASK_SECURITY})
"""What these ask, a reading that only takes some words otherwise tells better."""
_OPPOSITE = 0.15
"""With a larger share the other side may be meant as well, and only the state of the home tells which."""
_HERE_ALONE = frozenset({Intent.ASK_RAIN, Intent.ASK_WIND, Intent.ASK_FORECAST, Intent.ASK_WEATHER_NOW, Intent.ASK_SUN})
"""What is asked of this home alone: of another place it must not be told."""
_PASSING = frozenset({Intent.PASSING, Intent.SMALL_TALK})
_UNANSWERABLE = _PASSING | {Intent.KNOWLEDGE, Intent.TELL, Intent.CORRECT, Intent.RETRACT, Intent.RECALL}
"""To these no state of the home is an answer."""
_NOT_DONE = frozenset({Feature.NEGATED, Feature.FOR_LATER})
"""With these in the sentence an order is asked about, however sure the guess is."""
_FORBIDDING = frozenset({Feature.CONDITIONAL, Feature.GONE_BY, Feature.QUOTED, Feature.RELAYED})


_ENDS = frozenset(".!?…")
"""Marks that end a sentence."""


class Need(StrEnum):
    """How much a sentence needs a second reading."""

    NONE = "none"
    DOUBTFUL = "doubtful"
    """It has an answer, but a word was left over, or a meaning stretched for it."""
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
    asks = all(p.request.act is Act.QUERY for p in plans)
    return Need.DOUBTFUL if asks and not framed.plain and not framed.guards else Need.NONE


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
        share = guess.share_of(kin if need is Need.LOST else {intent})
        sure = share >= _SURE
        if intent in _UNANSWERABLE:
            acknowledged = intent in _PASSING and need is Need.LOST and last
            plans = (_acknowledgement(),) if acknowledged else ()
            unasked = need is Need.LOST or first.leaves_words
            return SecondReading(intent, share, plans=plans) if sure and unasked and not first.acts else None
        if not sure and (need is Need.DOUBTFUL or not last):
            return None
        parts = parts_of(text, names)
        if intent in QUESTIONS and _orders_beside(text, first):
            return None
        if intent in QUESTIONS and share >= _ENOUGH and not (need is Need.DOUBTFUL and intent in _OF_ANYTHING):
            return self._question(intent, share, parts, language, first, around)
        if intent in ORDERS and last and need is Need.LOST and not _forbidden(first, parts):
            return self._order(guess, parts, language, names, around, waits=_holds(first, _NOT_DONE))
        return None

    def _question(
        self,
        intent: Intent,
        share: float,
        parts: SentenceParts,
        language: str,
        first: FramePlans,
        around: Surroundings,
    ) -> SecondReading | None:
        """The answer to a question, unless the ``first`` reading is one of the same kind."""
        names = self._framing.names(language)
        if names is None or parts.past or (intent in _HERE_ALONE and parts.elsewhere):
            return None
        for said, ids in _sentences(intent, parts, language, names, around):
            read = self._read(said, language, ids, around)
            denies = any(p.denies for p in read.plans) and not (first.asks and share >= _SURE)
            if read.answers and not denies:
                plans = tuple(_telling(p, around) for p in read.plans)
                return SecondReading(intent, share, said, plans) if _kinds(plans) != _kinds(first.plans) else None
        return None

    def _order(
        self,
        guess: Guess,
        parts: SentenceParts,
        language: str,
        names: HomeNames,
        around: Surroundings,
        *,
        waits: bool,
    ) -> SecondReading | None:
        """The order as a question, of the likelier side if the home can still do that; a harmless one at once, unless
        it ``waits``."""
        intent = guess.likeliest
        sides = next((s for s in _SIDES if intent in (*s[0], *s[1])), ((intent,), ()))
        if guess.share_of((*sides[0], *sides[1])) < _OFFERED or parts.past:
            return None
        likelier, other = sorted(sides, key=guess.share_of, reverse=True)
        for one in (*likelier, *other):
            for said, ids in _sentences(one, parts, language, names, around):
                if one in other and not ids:
                    continue  # which way is left the state of a thing tells, and that of none nothing
                read = self._read(said, language, ids, around)
                plans = offered(read, around)
                if any(p.request.action in parts.unmeant for p in plans):
                    continue
                steps = any(p.request.parameters for p in plans)
                open_ = steps and (parts.directed or one in other or guess.share_of(other) > _OPPOSITE)
                left = not open_ and all(_is_left(p, around) for p in plans)
                alone = all(p.question is None or len(p.question.candidates) == 1 for p in plans)
                if left and alone and not waits and read.settles and guess.shares[one] >= _DONE.get(one, 1):
                    plans = read.plans
                if left and plans:
                    return SecondReading(one, guess.shares[one], said, plans)
        return None

    def _read(self, said: str, language: str, ids: Sequence[str], around: Surroundings) -> FramePlans:
        found = [e for i in ids if (e := around.home.entity(i)) is not None]
        retrieved = tuple(dict.fromkeys((*found, *around.retrieved)))
        return self._framing.read(said, language, replace(around, retrieved=retrieved), None)


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


def _acknowledgement() -> Plan:
    return Plan(Request(Act.SAY, say="noted"), saying=Saying("noted"))


def _forbidden(first: FramePlans, parts: SentenceParts) -> bool:
    """Whether the sentence holds what an order is not carried out with, or not now."""
    return parts.conditional or _holds(first, _FORBIDDING)


def _orders_beside(text: str, first: FramePlans) -> bool:
    """Whether one of several sentences orders something, which the answer to a question would leave out."""
    several = any(_ENDS & set(token.mark) for token in tokenise(text).tokens[1:])
    return several and first.best is not None and any(f.acts for f in first.best.frames)


def _holds(first: FramePlans, features: Set[Feature]) -> bool:
    frames = first.best.frames if first.best is not None else ()
    return any(features & f.features.keys() for f in frames)


def _is_left(made: Plan, around: Surroundings) -> bool:
    """Whether a thing that an order is for is not so already; a step from what is off leads nowhere."""
    request = made.request
    ids = made.question.candidates if made.question is not None else ()
    things = [e for i in ids if (e := around.home.entity(i)) is not None] or entities_of(request.scope, around)
    if request.parameters:
        return not things or any(around.home.state_text(e.entity_id) != "off" for e in things)
    return not things or any(is_other(request.action, e, around) for e in things)


def _sentences(
    intent: Intent, parts: SentenceParts, language: str, names: HomeNames, around: Surroundings
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The plain sentences that say all of the places, things and days that were said, each with the ids of the things
    in it."""
    for sentence in canonical_sentences(language).get(intent, ()):
        filler = _Filler(parts, names, around)
        said = filled(sentence, filler.fill)
        if said is not None and filler.says_all(slots_of(sentence)):
            yield said, tuple(e.entity_id for e in filler.used)


class _Filler:
    """Fills the slots of one sentence, and notes what of the first one was used."""

    def __init__(self, parts: SentenceParts, names: HomeNames, around: Surroundings) -> None:
        self._parts, self._names, self._around = parts, names, around
        self.used: list[Entity] = []

    def fill(self, slot: str) -> str | None:
        """The words for a slot; None where there are none."""
        parts = self._parts
        if slot == PLACE:
            return parts.places[0][0] if len(parts.places) == 1 else None
        if slot in _SAID:
            return _SAID[slot](parts) or None
        return self._thing(None if slot == THING else slot)

    def _thing(self, domain: str | None) -> str | None:
        """The thing that was named, of a domain where one is given; else the only one of it where that was said, or
        where the speaker is, or of the home."""
        for said, things in self._parts.named:
            found = [e for e in things if domain is None or self._names.counts_as(e, {domain})]
            if found:
                self.used += found
                return said
        if domain is None:
            return None
        able = [e for e in self._names.of_domain(domain) if e.in_plurals and self._parts.at(e) and self._is_near(e)]
        here = [e for e in able if e.area is not None and e.area.area_id == self._around.area_id]
        at_work = [e for e in able if self._around.home.state_text(e.entity_id) in profile_of(e.domain).at_work]
        only = next((few for few in (able, at_work, here) if len(few) == 1), None)
        if only is None:
            return None
        self.used += only
        return only[0].name

    def _is_near(self, entity: Entity) -> bool:
        """Whether each thing that was named stands in the same room: it may say where."""
        return all(any(_share_room(entity, e) for e in things) for _, things in self._parts.named)

    def says_all(self, slots: Set[str]) -> bool:
        """Whether nothing is left out that was said of things, places, days, lengths and times of the clock."""
        parts = self._parts
        named = all(any(u == e or _share_room(u, e) for u in self.used for e in things) for _, things in parts.named)
        placed = not parts.places or PLACE in slots or (bool(self.used) and all(map(parts.at, self.used)))
        timed = not parts.clock and parts.lengths == (DURATION in slots)
        return named and placed and timed and (not parts.day or DAY in slots or not parts.ahead)


def _share_room(one: Entity, other: Entity) -> bool:
    return one.area is not None and other.area is not None and one.area.area_id == other.area.area_id


_SAID: Mapping[str, Callable[[SentenceParts], str]] = {
    DAY: attrgetter("day"),
    DURATION: attrgetter("duration"),
    TITLE: attrgetter("title"),
}
