"""The brain that needs no model: Home Assistant's grammar first, then what the words say, else it is not sure."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from homeagent.brains.language import spelling
from homeagent.brains.language.grammar import Names
from homeagent.brains.language.grammar_cache import GrammarCache
from homeagent.brains.language.known import Language, load_language
from homeagent.brains.language.lexicon import Lexicon
from homeagent.brains.language.reading import Reading, read
from homeagent.brains.local.answering import answered
from homeagent.brains.local.framing import Framing
from homeagent.brains.local.last_turn import last_of, request_of, spoken_of
from homeagent.brains.local.meaning.asides import without_asides
from homeagent.brains.local.meaning.codes import without_codes
from homeagent.brains.local.meaning.intents import is_zone
from homeagent.brains.local.meaning.intents import request_of as request_of_match
from homeagent.brains.local.meaning.later import NOT_LATER, unless_later, waits
from homeagent.brains.local.meaning.listing import bare_item
from homeagent.brains.local.meaning.stages import in_stages
from homeagent.brains.local.meaning.understanding import is_question
from homeagent.brains.local.meaning.wishes import says_no_verb
from homeagent.brains.local.planning.planning import plan
from homeagent.brains.local.planning.plans import CODE, Plan, code_question
from homeagent.brains.local.things import rooms, storeys
from homeagent.brains.local.things.catalog import Catalog
from homeagent.brains.local.things.grounding import Ground, entities_of
from homeagent.brains.local.things.warmth import unless_unable
from homeagent.brains.local.wording import answers
from homeagent.ha.home import ChangeKind, Home, HomeChange
from homeagent.languages.safety import safety_words
from homeagent.turn import PastTurn, Say, Step, Turn
from homeagent.understanding.request import Act, Request, Scope
from indexer.mentions import MentionKind

_T = TypeVar("_T")
_KEPT_TURNS = 200
_NAMED = 20
_REMEMBERED = 3
"""So many turns back "it" may reach over what led to nothing."""


_MARK = "?"


class LocalBrain:
    """Understands everyday commands and questions without a language model. Not sure: ``None``, never a guess.

    ``cache`` keeps the grammars from one start to the next.
    """

    name = "local"

    def __init__(self, home: Home, cache: GrammarCache | None = None) -> None:
        self._home = home
        self._grammars = cache
        self._languages: dict[str, Language] = {}
        self._loading = asyncio.Lock()
        self._plans: OrderedDict[str, tuple[Plan, ...]] = OrderedDict()
        self._asked: OrderedDict[str, Request] = OrderedDict()
        self._lost: OrderedDict[str, bool] = OrderedDict()
        self._catalog: Catalog | None = None
        self._framing = Framing(home)
        home.listen(self._forget)

    async def warm(self, language: str) -> None:
        """Load what a language and the home need, so that the first sentence does not wait for it."""
        await self._language(language)
        await asyncio.to_thread(self._known)
        await asyncio.to_thread(self._framing.warm, language)

    async def next_step(self, turn: Turn, say: Say) -> Step | None:
        """The tool calls of a fresh turn, or the words for their results; None where it is not sure."""
        language = await self._language(turn.language)
        if turn.rounds:
            plans = self._plans.pop(turn.turn_id, ())
            turn.question = turn.question or code_question(turn, plans)
            step = await asyncio.to_thread(answers.word, turn, plans, self._home, language.phrases)
            return replace(step, question=True) if (turn.question or {}).get("kind") == CODE else step
        plans = await asyncio.to_thread(self._plan, turn, language)
        if not plans:
            self._lose(turn)
            return None
        turn.question = next((p.question for p in plans if p.question), None)
        _keep(self._asked, turn.turn_id, plans[-1].request)
        calls = tuple(call for p in plans for call in p.calls)
        lost = any(p.request.safety is not None and p.request.safety.second for p in plans)
        if not calls:
            step = await asyncio.to_thread(answers.word, turn, plans, self._home, language.phrases)
            return replace(step, at_a_loss=step.at_a_loss or lost)
        _keep(self._plans, turn.turn_id, plans)
        return Step(tool_calls=calls, at_a_loss=lost)

    def _known(self) -> Catalog:
        """The catalogue of the home as it is now."""
        if (catalog := self._catalog) is None:
            self._catalog = catalog = Catalog(self._home.entities.values())
        return catalog

    def _forget(self, change: HomeChange) -> None:
        if change.kind is ChangeKind.ENTITIES:
            self._catalog = None
            self._framing.forget()

    async def _language(self, code: str) -> Language:
        if code not in self._languages:
            async with self._loading:
                if code not in self._languages:
                    language = await asyncio.to_thread(load_language, code, self._grammars)
                    await asyncio.to_thread(safety_words, language.lexicon.language if language.lexicon else code)
                    self._languages[code] = language
        return self._languages[code]

    def _plan(self, turn: Turn, language: Language) -> tuple[Plan, ...]:
        context = turn.gathered
        spoken = self._spoken_of(context.history)
        around = Ground(self._home, self._known(), context.retrieval.entities, turn.area_id, spoken)
        names = [name for e in around.retrieved[:_NAMED] for name in e.names]
        mentions = context.retrieval.mentions
        whole = read(mentions, language.lexicon or _NO_WORDS, names)
        if turn.said_codes:
            mentions = without_codes(mentions, whole, turn.said_codes, asked=_asked_for_code(turn))
            whole = read(mentions, whole.lexicon, names)
        whole = spelling.corrected(whole, mentions, names)
        places = storeys.mentions(whole, self._home)
        if places := (*places, *rooms.mentions(whole, self._home.areas.values(), names)):
            whole = read(replace(mentions, items=(*mentions.items, *places)), whole.lexicon, names)
        plans = self._first_plans(turn, whole, language, around)
        second = self._framing.guards_named(whole.text, turn.language, around, plans)
        if second is None:
            return plans
        return (second,) if turn.last_brain else ()

    def _first_plans(self, turn: Turn, whole: Reading, language: Language, around: Ground) -> tuple[Plan, ...]:
        """What is understood to be wanted; empty where it is not sure."""
        context = turn.gathered
        whole, around = without_asides(whole, around)
        asked = {t.turn_id: r for t in context.history if (r := self._asked_for(t)) is not None}
        last = last_of(context.history, asked, around.last_entities, self._lost, self._home)
        framed = self._framing.read(
            whole.text, turn.language, around, last, lambda made: self._as_able(made, whole, around)
        )
        questions = is_question(whole)
        asks = questions or _MARK in turn.text
        first = framed.sure and not framed.acts_on_a_question
        if not first and waits(whole, asks=questions):
            return (plan(Request(Act.SAY, say=NOT_LATER), around),)
        if reply := self._reply(turn, whole):
            return (plan(unless_later(reply, whole, around), around),)
        if framed.talks:
            return framed.plans if turn.last_brain or any(p.calls for p in framed.plans) else ()
        if framed.guards:
            return framed.plans
        if first or framed.leads:
            return framed.plans
        found = self._grammatical(whole, language, around) if not framed.misses_the_past else ()
        return framed.or_grammatical(found, around, asks=asks, last=turn.last_brain)

    def _grammatical(self, reading: Reading, language: Language, around: Ground) -> tuple[Plan, ...]:
        """What Home Assistant's grammar makes of the whole sentence."""
        known = self._by_grammar(reading, language, around)
        if known is None or (known.act is Act.CONTROL and is_question(reading) and says_no_verb(reading)):
            return ()
        known = unless_later(known, reading, around)
        return (self._as_able(plan(known, around), reading, around),)

    def _as_able(self, made: Plan, reading: Reading, around: Ground) -> Plan:
        """A plan in the stages that the thing has; a refusal of what it cannot, or of a floor that is not there."""
        known = in_stages(made.request, reading, around)
        known = storeys.unless_unknown(unless_unable(known, reading, around), reading, around)
        return made if known is made.request else plan(known, around)

    def _reply(self, turn: Turn, reading: Reading) -> Request | None:
        """A code, a yes or a no to the question of the last turn."""
        past = turn.gathered.history[-1] if turn.gathered.history else None
        if past is None or not past.question:
            return None
        return answered(reading, past.question, turn.said_codes, turn.language)

    def _asked_for(self, past: PastTurn) -> Request | None:
        """What a past turn asked for: as it was understood here, else as its calls tell."""
        return self._asked.get(past.turn_id) or request_of(past)

    def _spoken_of(self, history: Sequence[PastTurn]) -> tuple[str, ...]:
        """What "it" and "those" mean: what was spoken of last, if nothing was since that was not understood."""
        for past in reversed(history[-_REMEMBERED:]):
            if past.targets:
                return spoken_of(past, self._asked_for(past), self._home)
            if past.turn_id in self._lost:
                break
        return ()

    def _lose(self, turn: Turn) -> None:
        """Note a turn that was not understood, where it spoke of something else than was spoken of."""
        mentions = turn.gathered.retrieval.mentions
        last = {*self._spoken_of(turn.gathered.history)}
        areas = {e.area.area_id for i in last if (e := self._home.entity(i)) is not None and e.area is not None}
        said = {v for m in (*mentions.of(MentionKind.NAME), *mentions.of(MentionKind.AREA)) for v in m.values}
        if said - last - areas:
            _keep(self._lost, turn.turn_id, True)

    def _by_grammar(self, reading: Reading, language: Language, around: Ground) -> Request | None:
        if language.grammar is None:
            return None
        names = Names(
            around.retrieved, tuple(self._home.areas.values()), tuple(self._home.floors.values()), _spoken(reading)
        )
        area = self._home.areas.get(around.area_id) if around.area_id else None
        match = language.grammar.recognize(reading.sentence, names, area=area)
        if match is None or ("state" in match.wildcards and not is_zone(match.texts["state"], reading)):
            return None
        request = request_of_match(match, language.lexicon.raw_state if language.lexicon else None)
        if request is None or _is_elsewhere(request.scope, around):
            return None  # the words look for what is in that place
        return bare_item(request, reading)


_NO_WORDS = Lexicon("", {"concepts": {}, "states": {}})


def _is_elsewhere(scope: Scope, around: Ground) -> bool:
    """Whether all that was named is known to be in another place than was said."""
    areas, floors = scope.selector.area_ids, scope.selector.floor_ids
    things = entities_of(scope, around) if scope.named and (areas or floors) else ()
    return bool(things) and all(
        (areas and e.area is not None and e.area.area_id not in areas)
        or (floors and e.floor is not None and e.floor.floor_id not in floors)
        for e in things
    )


def _asked_for_code(turn: Turn) -> bool:
    history = turn.gathered.history
    return bool(history) and (history[-1].question or {}).get("kind") == CODE


def _keep(kept: OrderedDict[str, _T], turn_id: str, value: _T) -> None:
    """Remember something of a turn for a while; the oldest goes."""
    kept[turn_id] = value
    while len(kept) > _KEPT_TURNS:
        kept.popitem(last=False)


def _spoken(reading: Reading) -> Mapping[str, tuple[str, ...]]:
    return {m.text: m.values for m in reading.of_kind(MentionKind.NAME)}
