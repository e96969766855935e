"""The brain that needs no model: frames that explain every word, then Home Assistant's grammar, else it is not sure."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from homeagent.brains.call_outcomes import only_looks
from homeagent.brains.language.grammar import Names
from homeagent.brains.language.grammar_cache import NOT_KEPT, GrammarCache
from homeagent.brains.language.intents import is_zone
from homeagent.brains.language.intents import request_of as request_of_match
from homeagent.brains.language.responses import Language, load_language
from homeagent.brains.local.frame_plans import FramePlanner, FramePlans
from homeagent.brains.local.last_turn import last_of, only_named, put_on_lists, request_of, spoken_of
from homeagent.brains.local.planning.conditions import after_looking
from homeagent.brains.local.planning.planning import plan, ticked_off
from homeagent.brains.local.planning.plans import QUERY, Plan, asking_when, may_be_told, question_after
from homeagent.brains.local.replies import after_no_or_praise, asks_for_code, reply_of, taken_back
from homeagent.brains.local.second_hearing import HeardAgain, hear_again
from homeagent.brains.local.second_reading.order_guesses import is_sure
from homeagent.brains.local.second_reading.second_reader import UNANSWERABLE, Need, SecondReader, need_of
from homeagent.brains.local.second_reading.undo_guesses import is_taken_off, taken_back_by_meaning, ways_to_say
from homeagent.brains.local.surroundings import Catalog, Surroundings, entities_of, is_elsewhere
from homeagent.brains.local.unavailable_things import unavailable_named
from homeagent.brains.local.wording import composing
from homeagent.domains.actions import ITEM_OPPOSITE
from homeagent.ha.home import ChangeKind, Home, HomeChange
from homeagent.history.when.future_time_reader import pieces_of
from homeagent.intents.intent import Intent
from homeagent.intents.intent_reader import IntentReader
from homeagent.timers.timer import Timer
from homeagent.turn import PastTurn, Say, Step, Turn
from homeagent.turns.question_back import QuestionKind
from homeagent.understanding.done_items import DoneItems, ToldDone, told_done, told_of_items
from homeagent.understanding.home_names import LISTS
from homeagent.understanding.pin_codes import without_codes
from homeagent.understanding.previous_turn import PreviousTurn, each
from homeagent.understanding.put_right import put_right, put_right_within
from homeagent.understanding.request import Act, Request
from indexer.mentions import MentionKind

_T = TypeVar("_T")
OpenItems = Callable[[Sequence[str]], Awaitable[Mapping[str, Sequence[str]]]]
LiveTimers = Callable[[], Awaitable[Sequence[Timer]]]
_KEPT_TURNS = 200
_ADDS = "add_item"
_REMEMBERED = 3
"""So many turns back "it" may reach over what led to nothing."""


class LocalBrain:
    """Understands everyday commands and questions without a language model. Not sure: ``None``, never a guess.

    ``cache`` keeps the grammars from one start to the next. ``timers`` tells what is to come, paused or ringing.
    ``intents`` guesses by meaning what a sentence is for, where its words were not understood. ``lists`` tells what is
    open on to-do lists, by their ids.
    """

    name = "local"

    def __init__(
        self,
        home: Home,
        cache: GrammarCache = NOT_KEPT,
        timers: LiveTimers | None = None,
        intents: IntentReader | None = None,
        lists: OpenItems | None = None,
    ) -> None:
        self._home = home
        self._grammars = cache
        self._timers = timers
        self._languages: dict[str, Language] = {}
        self._loading = asyncio.Lock()
        self._plans: OrderedDict[str, tuple[Plan, ...]] = OrderedDict()
        self._asked: OrderedDict[str, Request] = OrderedDict()
        self._lost: OrderedDict[str, bool] = OrderedDict()
        self._meant: OrderedDict[str, str] = OrderedDict()
        self._catalog: Catalog | None = None
        self._framing = FramePlanner(home)
        self._intents = intents
        self._lists = lists
        self._second = SecondReader(self._framing)
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
            if any(p.waiting for p in plans):
                return await self._after_looking(turn, plans, language)
            turn.question = turn.question or question_after(turn, plans)
            step = await asyncio.to_thread(composing.word, turn, plans, self._home, language.phrases)
            return replace(step, question=True) if asks_for_code(turn.question) else step
        live = tuple(await self._timers()) if self._timers is not None else ()
        around = self._around(turn, live)
        plans, framed = await self._understood(turn, language, around)
        if need_of(plans, framed) is Need.LOST if framed is not None else not plans:
            plans = await self._put_right(turn, language, around) or plans
        plans = plans or after_no_or_praise(turn, framed)
        if turn.last_brain and not any(p.calls for p in plans) and turn.asked is None:
            names, text = self._framing.names(turn.language), self._without_codes(turn)
            gone = await asyncio.to_thread(unavailable_named, text, names, self._home, plans)
            plans = (gone,) if gone is not None else plans
        if not plans:
            self._lose(turn)
            return None
        turn.question = next((p.question for p in plans if p.question), None)
        _keep(self._asked, turn.turn_id, plans[-1].request)
        calls = tuple(call for p in plans for call in p.calls)
        lost = any(may_be_told(p.request) for p in plans)
        if not calls:
            step = await asyncio.to_thread(composing.word, turn, plans, self._home, language.phrases)
            return replace(step, at_a_loss=step.at_a_loss or lost)
        _keep(self._plans, turn.turn_id, plans)
        return Step(tool_calls=calls, at_a_loss=lost)

    async def orders_others(self, turn: Turn, entity_ids: Collection[str]) -> bool:
        """Whether the sentence by itself is an order for things that it names, and for none of these."""
        text, around = self._without_codes(turn), self._around(turn, ())
        framed = await asyncio.to_thread(self._framing.read, text, turn.language, around, None)
        return framed.orders_others(frozenset(entity_ids))

    async def _understood(
        self, turn: Turn, language: Language, around: Surroundings
    ) -> tuple[tuple[Plan, ...], FramePlans | None]:
        """The plans for the sentence, by its words, else by its meaning or sound, and what the frames made of it."""
        plans, framed = await asyncio.to_thread(self._plan, turn, language, around)
        done = await self._done_items(turn, plans, around)
        back = done or await self._taken_back(turn, plans, framed, around)
        return back or await self._read_otherwise(turn, plans, framed, around), framed

    async def _put_right(self, turn: Turn, language: Language, around: Surroundings) -> tuple[Plan, ...]:
        """The plans for the sentence before as this one puts it right, where that led to a question, or to nothing."""
        history, names = turn.gathered.history, self._framing.names(turn.language)
        did = bool(history) and turn.asked is None and any(not only_looks(c) for c in history[-1].calls)
        if not history or names is None or not turn.last_brain or did:
            return ()
        before = self._meant.get(history[-1].turn_id) or history[-1].text
        meant = await asyncio.to_thread(put_right, before, self._without_codes(turn), names)
        if meant is None:
            return ()
        turn.meant = meant
        plans, framed = await self._understood(turn, language, around)
        if framed is None or need_of(plans, framed) is Need.LOST:
            turn.meant = ""
            return ()
        _keep(self._meant, turn.turn_id, meant)
        return plans

    async def _after_looking(self, turn: Turn, plans: tuple[Plan, ...], language: Language) -> Step:
        """What is done, or said, once it is known whether that holds which orders hang on."""
        outcomes = composing.outcomes_of(turn)
        told = {key: result.result for key, (_, result) in outcomes.items() if result.success}
        decided = await asyncio.to_thread(after_looking, plans, told, self._around(turn, ()), plan)
        calls = tuple(c for p in decided for c in p.calls if c.id not in outcomes)
        turn.question = next((p.question for p in decided if p.question), None)
        _keep(self._asked, turn.turn_id, decided[-1].request)
        if not calls:
            return await asyncio.to_thread(composing.word, turn, decided, self._home, language.phrases)
        _keep(self._plans, turn.turn_id, decided)
        return Step(tool_calls=calls)

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
                    self._languages[code] = language
        return self._languages[code]

    async def _read_otherwise(
        self, turn: Turn, plans: tuple[Plan, ...], framed: FramePlans | None, around: Surroundings
    ) -> tuple[Plan, ...]:
        """The plans, or those of what sounds or means the same where the words were not understood well enough. What
        only nearly sounds so answers nothing that by its meaning is taken for an order, or for talk.
        """
        heard = None
        if framed is not None and turn.last_brain and not any(p.calls for p in plans) and turn.asked is None:
            heard = await asyncio.to_thread(self._hear_again, turn, framed, around)
        if heard is None or not heard.alike:
            plans = await self._read_again(turn, plans, framed, around)
            asks_nothing = turn.guess is not None and turn.guess.get("intent") in UNANSWERABLE
            ordered = bool(plans) and turn.guess is not None
            if heard is None or asks_nothing or any(p.calls for p in plans):
                return plans
            if ordered and all(p.request.act is Act.QUERY for p in heard.plans):
                return plans
        turn.heard = heard.text
        return heard.plans

    async def _read_again(
        self, turn: Turn, plans: tuple[Plan, ...], framed: FramePlans | None, around: Surroundings
    ) -> tuple[Plan, ...]:
        """The plans, or those of the `SecondReader` where the words were not understood well enough."""
        need = need_of(plans, framed) if framed is not None else Need.NONE
        if self._intents is None or framed is None or need is Need.NONE or turn.asked is not None:
            return plans
        text = self._without_codes(turn)
        guess = await self._intents.read(text)
        if guess is None:
            return plans
        read = await asyncio.to_thread(
            self._second.read, text, turn.language, guess, need, framed, around, last=turn.last_brain
        )
        if read is None:
            return plans
        turn.guess = read.as_dict()
        return read.plans

    async def _taken_back(
        self, turn: Turn, plans: Sequence[Plan], framed: FramePlans | None, around: Surroundings
    ) -> tuple[Plan, ...]:
        """The plan to take back what was done, where the sentence means that and orders nothing of the same things."""
        if self._intents is None or framed is None or framed.asks or turn.asked or not turn.last_brain:
            return ()
        names, last = self._framing.names(turn.language), await asyncio.to_thread(self._last, turn, around)
        if names is None or last is None or last.undo_steps is None:
            return ()
        ordered = [p.request.scope for p in plans if any(c.name != QUERY for c in p.calls)]
        near = any(e.domain in last.domains for scope in ordered for e in entities_of(scope, around))
        if near or (ordered and not last.fresh):
            return ()
        text = self._without_codes(turn)
        for said in await asyncio.to_thread(lambda: [*ways_to_say(text, names)]):
            guess = await self._intents.read(said)
            back = await asyncio.to_thread(taken_back_by_meaning, text, guess, names, last) if guess else None
            if back is not None:
                return (plan(back, around),)
        return ()

    async def _done_items(self, turn: Turn, plans: Sequence[Plan], around: Surroundings) -> tuple[Plan, ...]:
        """The plan to tick off, or to offer that, what the sentence tells to be done and is open on a list; none where
        it tells nothing of the kind, or orders something else. What is on the lists where it is not among that.
        """
        deeds = {c.parameters.get("action") for p in plans for c in p.calls if c.name != QUERY}
        if self._lists is None or not deeds <= {*ITEM_OPPOSITE} or turn.asked is not None:
            return ()
        put_on = put_on_lists(turn.gathered.history) if deeds <= {_ADDS} else {}
        if put_on and (unwanted := await self._unwanted(turn, put_on)) is not None:
            return (ticked_off(unwanted, around),)
        if _ADDS in deeds:
            return ()
        told = await asyncio.to_thread(self._told_done, turn)
        if told is None:
            return ()
        open_items = await self._lists([e.entity_id for e in told.names.of_domain(LISTS)])
        found = await asyncio.to_thread(told.among, open_items, around.last_entities)
        if found is not None:
            if found.action:
                return (ticked_off(found, around),)
            if deeds:
                return ()
            guess = await self._intents.read(self._without_codes(turn)) if self._intents is not None else None
            return (ticked_off(found, around, sure=guess is not None and is_sure(guess, Intent.LIST_REMOVE)),)
        lists = await asyncio.to_thread(told.struck_from) if not any(p.calls for p in plans) else ()
        return (plan(Request(Act.QUERY, each(lists), attribute="items"), around),) if lists else ()

    async def _unwanted(self, turn: Turn, put_on: Mapping[str, Sequence[str]]) -> DoneItems | None:
        """What this conversation ``put_on`` lists, by their ids, and is not to be there after all."""
        names, text = self._framing.names(turn.language), self._without_codes(turn)
        told = await asyncio.to_thread(told_of_items, text, names) if names is not None else None
        if told is None or (denied := told.unwanted(put_on)) is not None or (named := told.named(put_on)) is None:
            return denied if told is not None else None
        guess = await self._intents.read(text) if self._intents is not None else None
        return named if guess is not None and is_taken_off(guess) else None

    def _told_done(self, turn: Turn) -> ToldDone | None:
        names = self._framing.names(turn.language)
        return told_done(self._without_codes(turn), names) if names is not None else None

    def _plan(self, turn: Turn, language: Language, around: Surroundings) -> tuple[tuple[Plan, ...], FramePlans | None]:
        """The plans for the sentence, and what the frames made of it: an answer to a pending question first (then
        without frames), then frames, then the grammar; empty where none of them is sure.
        """
        text = self._without_codes(turn)
        if not turn.meant and (reply := reply_of(turn, text, around.timers)) is not None:
            return (plan(reply, around),), None
        last = self._last(turn, around)
        framed = self._read(turn, text, around, last)
        wrong = any(p.request.act is Act.WRONG for p in framed.plans)  # it says more than that
        if not (turn.meant or wrong) and (undo := taken_back(turn, text, last)):
            return (plan(undo, around),), None
        return self._plans_of(turn, text, language, around, framed), framed

    def _plans_of(
        self, turn: Turn, text: str, language: Language, around: Surroundings, framed: FramePlans
    ) -> tuple[Plan, ...]:
        """What counts of frames and grammar. Where a model is asked next, what the frames explain in part is its
        business, unless the grammar takes it as a whole.
        """
        if framed.leaves_words and not turn.last_brain and not framed.guards:
            return self._grammatical(turn, text, language, around, replace(framed, plans=()))
        if framed.settles:
            return tuple(asking_when(p, text) for p in framed.plans)
        if framed.talks:
            return framed.plans if turn.last_brain or any(p.calls for p in framed.plans) else ()
        plans = framed.plans if framed.leads else self._grammatical(turn, text, language, around, framed)
        guarded = self._framing.guards_named(text, turn.language, around, plans)
        return plans if guarded is None else (guarded,) if turn.last_brain else ()

    def _read(self, turn: Turn, text: str, around: Surroundings, last: PreviousTurn | None) -> FramePlans:
        """What the frames make of the sentence; of the time that was asked for together with what it is for."""
        framed = self._framing.read(text, turn.language, around, last)
        question = turn.asked
        if question is None or question.kind is not QuestionKind.WHEN or not pieces_of(text, turn.language):
            return framed
        names = self._framing.names(turn.language)
        at = put_right_within(text, names) if names is not None else text
        whole = self._framing.read(f"{question.text} {at}", turn.language, around, last)
        return whole if whole.settles and not framed.settles else framed

    def _hear_again(self, turn: Turn, framed: FramePlans, around: Surroundings) -> HeardAgain | None:
        text, last = self._without_codes(turn), self._last(turn, around)
        return hear_again(self._framing, text, turn.language, around, last, framed)

    def _around(self, turn: Turn, live: tuple[Timer, ...]) -> Surroundings:
        spoken = self._spoken_of(turn.gathered.history)
        return Surroundings(self._home, self._known(), turn.gathered.retrieval.entities, turn.area_id, spoken, live)

    def _last(self, turn: Turn, around: Surroundings) -> PreviousTurn | None:
        history = turn.gathered.history[: -1 if turn.meant else None]
        asked = {t.turn_id: r for t in history if (r := self._asked_for(t)) is not None}
        return last_of(history, asked, around.last_entities, self._lost, self._home)

    def _without_codes(self, turn: Turn) -> str:
        """The sentence, things called by their real names, with blanks where a code stands."""
        text = turn.meant or turn.gathered.retrieval.mentions.text
        if not turn.said_codes:
            return text
        asked = asks_for_code(turn.asked)
        return without_codes(text, turn.said_codes, self._framing.names(turn.language), asked=asked)

    def _grammatical(
        self, turn: Turn, text: str, language: Language, around: Surroundings, framed: FramePlans
    ) -> tuple[Plan, ...]:
        """The plans from Home Assistant's grammar over the whole sentence, or the frames' where those are better."""
        known = self._by_grammar(turn, text, language, around) if not framed.misses_the_past else None
        found = (plan(known, around),) if known is not None else ()
        return framed.or_grammatical(found, around, last=turn.last_brain)

    def _asked_for(self, past: PastTurn) -> Request | None:
        """What a past turn asked for: as it was understood here, else as its calls tell."""
        return self._asked.get(past.turn_id) or request_of(past)

    def _spoken_of(self, history: Sequence[PastTurn]) -> tuple[str, ...]:
        """The ids that "it" and "those" stand for: of the last turn that was about something. None after a turn about
        something else that was not understood.
        """
        for past in reversed(history[-_REMEMBERED:]):
            if past.targets or only_named(past):
                return spoken_of(past, self._asked_for(past), self._home)
            if past.turn_id in self._lost:
                break
        return ()

    def _lose(self, turn: Turn) -> None:
        """Remember that a turn was not understood, if it named things or areas that the turns before were not about."""
        mentions = turn.gathered.retrieval.mentions
        last = {*self._spoken_of(turn.gathered.history)}
        areas = {e.area.area_id for i in last if (e := self._home.entity(i)) is not None and e.area is not None}
        said = {v for m in (*mentions.of(MentionKind.NAME), *mentions.of(MentionKind.AREA)) for v in m.values}
        if said - last - areas:
            _keep(self._lost, turn.turn_id, True)

    def _by_grammar(self, turn: Turn, text: str, language: Language, around: Surroundings) -> Request | None:
        if language.grammar is None:
            return None
        mentions = turn.gathered.retrieval.mentions
        spoken = {m.text: m.values for m in mentions.of(MentionKind.NAME)}
        names = Names(around.retrieved, tuple(self._home.areas.values()), tuple(self._home.floors.values()), spoken)
        area = self._home.areas.get(around.area_id) if around.area_id else None
        match = language.grammar.recognize(text, names, area=area)
        if match is None or ("state" in match.wildcards and not is_zone(match.texts["state"], mentions, turn.language)):
            return None
        request = request_of_match(match, turn.language)
        if request is None or is_elsewhere(request.scope, around):
            return None  # the words look for what is in that place
        return request


def _keep(kept: OrderedDict[str, _T], turn_id: str, value: _T) -> None:
    """Remember a value for a turn; of more than `_KEPT_TURNS` the oldest is dropped."""
    kept[turn_id] = value
    while len(kept) > _KEPT_TURNS:
        kept.popitem(last=False)
