"""The turn, from a sentence to its answer: context, brain, tools, answer. One story, whichever brain decides."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from weakref import WeakValueDictionary

from homeagent.brains.call_outcomes import pending as pending_in
from homeagent.brains.language.recognition import ConversationLanguages
from homeagent.brains.question_detection import asks, only_asks, touchable
from homeagent.confirmations import Confirmations, Pending
from homeagent.conversations import Answer, Conversations, targets
from homeagent.errors import DatabaseError, HomeAgentError, LlmError
from homeagent.events import Emitter
from homeagent.policy.verdicts import Verdict
from homeagent.timers.timer import Timer
from homeagent.turn import Brain, Say, Step, Turn, new_id
from homeagent.turns.agent_phrases import phrase
from homeagent.turns.approval import Approvals
from homeagent.turns.gathering import Finds, Gatherer, Limits, Recalls, TellsDays, checked, nothing_gathered
from homeagent.turns.question_back import QuestionBack
from homeagent.turns.recollection import Recollection
from homeagent.turns.reply import Reply, response_type_of
from homeagent.turns.rounds import RunsTools, repeats, run_round
from homeagent.turns.so_far import ended_by
from homeagent.turns.speech import Speech
from homeagent.turns.turn_partners import HasHome, Remembers, TellsNews
from homeagent.turns.turn_report import TurnReport
from homeagent.values.plain_text import plain_text
from indexer.mentions import MentionKind

__all__ = ["Agent", "Limits", "Reply"]
_ORDER = {"auto": ("local", "llm"), "local": ("local",), "llm": ("llm",)}
_UNDERSTOOD = (MentionKind.NAME, MentionKind.AREA, MentionKind.FLOOR, MentionKind.DOMAIN, MentionKind.DEVICE_CLASS)
Decide = Callable[[Turn, Speech, TurnReport], Awaitable[Answer]]


class Agent:
    """Answers sentences, one at a time in each conversation.

    ``brains`` holds ``local`` and ``llm`` (None: not configured); ``mode`` says which are asked, in which order
    (``auto``, ``local``, ``llm``), until one is sure. ``recognise`` gives the language of a sentence that comes without
    one, the second being the likeliest.
    """

    def __init__(
        self,
        ha: HasHome,
        index: Finds,
        memories: Recalls | None,
        brains: Mapping[str, Brain | None],
        mode: str,
        toolbox: RunsTools,
        confirmations: Confirmations,
        conversations: Conversations,
        emitter: Emitter,
        limits: Limits | None = None,
        *,
        language: Callable[[], str] | None = None,
        context_mode: Callable[[], str] = lambda: "vector_db",
        remembering: Remembers | None = None,
        days: TellsDays | None = None,
        recognise: Callable[[str, str], str] | None = None,
        news: TellsNews | None = None,
    ) -> None:
        self._home = ha.home
        self._limits = limits or Limits()
        self._brains = tuple(brain for name in _ORDER[mode] if (brain := brains.get(name)) is not None)
        self._toolbox = toolbox
        self._confirmations = confirmations
        self._conversations = conversations
        self._emitter = emitter
        self._language = language or (lambda: self._home.config.language)
        self._languages = ConversationLanguages(self._language, recognise)
        self._news = news
        self._context_mode = context_mode
        self._remembering = remembering
        self._gatherer = Gatherer(self._home, index, memories, conversations, self._limits, days)
        self._recollection = Recollection(self._gatherer, remembering)
        self._approvals = Approvals(confirmations, toolbox, brains.get("local"), self._home)
        self._busy: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def process(
        self,
        text: str,
        *,
        conversation_id: str | None = None,
        user_id: str | None = None,
        device_id: str | None = None,
        area_id: str | None = None,
        language: str | None = None,
        trace: bool = False,
        say: Say | None = None,
        may_confirm: bool = True,
    ) -> Reply:
        """Answer a sentence. ``area_id``: where it was said, for callers who know that and no device of the home's.
        ``may_confirm``: whether a yes in it runs what waits for one.

        Raises `InvalidInput` for what cannot be taken, and `DatabaseError` where nothing was done yet; whatever fails
        later is told in the answer and in an error event.
        """
        text = checked(text, conversation_id)
        user_id = await self._remembering.speaker(user_id) if self._remembering else user_id
        async with self._one_at_a_time(conversation_id or new_id()):
            conversation = await self._conversations.resume(conversation_id, user_id)
            turn = Turn(
                text=text,
                language=language or await self._languages.of(text, conversation),
                conversation_id=conversation,
                user_id=user_id,
                device_id=device_id,
                area_id=area_id or self._home.area_of_device(device_id),
                may_confirm=may_confirm,
            )
            return await self._run(turn, self._decide, Speech(say), trace)

    async def explain(
        self, text: str, *, user_id: str | None = None, device_id: str | None = None, language: str | None = None
    ) -> list[Verdict]:
        """What the policy says of all that would be done for a sentence. Nothing is done, said or kept.

        Raises `InvalidInput`, and whatever keeps the sentence from being understood."""
        turn = Turn(
            text=checked(text, None),
            language=language or self._language(),
            user_id=user_id,
            device_id=device_id,
            area_id=self._home.area_of_device(device_id),
            dry_run=True,
        )
        report = TurnReport(turn, Emitter(), self._context_mode())
        await self._gatherer.gather(turn, report)
        await self._by_a_brain(turn, Speech(None), report)
        return turn.verdicts

    async def confirm(
        self,
        confirmation_id: str,
        approve: bool,
        *,
        user_id: str | None = None,
        device_id: str | None = None,
        language: str | None = None,
        trace: bool = False,
    ) -> Reply:
        """Say yes or no to an action that waits, by its id or number. Raises `NotFound` (unknown, used, expired) and
        `Refused` (asked of somebody else, or elsewhere)."""
        take = self._confirmations.take if approve else self._confirmations.reject
        taken = await take(confirmation_id, user_id, device_id)
        return await self._settle(taken, approve, language, trace=trace)

    async def answer_from(self, channel: str, confirmation_id: str, approve: bool) -> Reply:
        """The yes or no of whoever a channel has asked; it counts as that of the speaker who was asked where the
        question came up. Whether they may is the channel's to know. Raises `NotFound` (unknown, used, expired)."""
        taken = await self._confirmations.answer_from(channel, confirmation_id, approved=approve)
        return await self._settle(taken, approve, None, answered_on=channel)

    async def time_out(self) -> None:
        """End the turns that wait for a yes which has not come in time. Raises `DatabaseError`."""
        for pending in await self._confirmations.time_out():
            if pending.conversation_id is not None:
                async with self._one_at_a_time(pending.conversation_id):
                    await self._tell_too_late(pending, pending.conversation_id)

    async def _settle(
        self,
        taken: Pending,
        approve: bool,
        language: str | None,
        *,
        trace: bool = False,
        answered_on: str | None = None,
    ) -> Reply:
        turn = self._turn_about(taken, taken.conversation_id or new_id(), language)
        turn.answered_on = answered_on

        async def decide(turn: Turn, speech: Speech, report: TurnReport) -> Answer:
            with report.timing("tool"):
                answer = await self._approvals.carry_out(turn, approve, [taken], speech)
            return await self._go_on(turn, answer, speech, report, gather=True)

        async with self._one_at_a_time(turn.conversation_id):
            return await self._run(turn, decide, Speech(None), trace)

    def _turn_about(self, pending: Pending, conversation_id: str, language: str | None = None) -> Turn:
        """A turn in which nothing is said, about what waits or waited."""
        return Turn(
            text=pending.description,
            language=language or pending.language or self._language(),
            conversation_id=conversation_id,
            user_id=pending.user_id,
            device_id=pending.device_id,
            area_id=self._home.area_of_device(pending.device_id),
            context=nothing_gathered(pending.description),
        )

    async def _tell_too_late(self, pending: Pending, conversation_id: str) -> None:
        """Note in the conversation that nobody has answered, where its last turn asked for it: then a yes that comes
        late still is to this question, and takes none away from another."""
        history = await self._conversations.recent(conversation_id, 1)
        asked = history[-1].question if history else None
        if asked is None or pending.id not in asked.confirmations:
            return
        turn = self._turn_about(pending, conversation_id)
        turn.question = QuestionBack(confirmations=asked.confirmations)
        report = TurnReport(turn, self._emitter, self._context_mode())
        answer = Answer(phrase("not_in_time", turn.language), "local")
        await self._save(turn, answer, report)
        report.finished(answer)

    async def _go_on(
        self, turn: Turn, answer: Answer, speech: Speech, report: TurnReport, *, gather: bool = False
    ) -> Answer:
        """After a yes, let the model that was interrupted for it go on: its sentence may have asked for more. The yes
        is used up; what else the model wants is judged as ever."""
        model = next((brain for brain in self._brains if brain.name == "llm"), None)
        if model is None or answer.question or pending_in(turn):
            return answer
        if "llm" not in [await self._conversations.brain_of(turn_id) for turn_id in turn.interrupted]:
            return answer
        turn.confirmed, turn.approved = False, frozenset()
        if gather:
            with report.timing("context"):
                await self._gatherer.gather(turn, report)
        try:
            more = await self._follow(model, turn, speech, report)
        except LlmError as error:  # what was done is told all the same
            report.failed(error, "llm")
            return answer
        return more or answer

    def question(self, pending: Pending, language: str | None = None) -> str:
        """What the yes is to, in words, and the question for it."""
        return self._approvals.question([pending], language or pending.language or self._language())

    async def _run(self, turn: Turn, decide: Decide, speech: Speech, trace: bool) -> Reply:
        """The frame of every turn: what it begins and ends with, however it goes. Its conversation is held."""
        report = TurnReport(turn, self._emitter, self._context_mode())
        try:
            answer = await self._in_words(turn, decide, speech, report)
            waiting = await self._approvals.waiting(turn)
            answer, news = (answer, []) if answer.question or waiting else await self._with_news(turn, answer, report)
            answer = self._approvals.asking(turn, answer, waiting)
            answer = replace(answer, text=await speech.finish(answer.text))
        except asyncio.CancelledError:
            if turn.rounds:  # something may have been done: the conversation must know of it
                await asyncio.shield(self._save(turn, Answer(phrase("interrupted", turn.language), "none"), report))
            raise
        await self._save(turn, answer, report, news)
        report.finished(answer)
        return Reply(
            response=answer.text,
            conversation_id=turn.conversation_id,
            turn_id=turn.turn_id,
            pending=tuple(replace(one, description=plain_text(one.description)) for one in waiting),
            trace=report.trace(answer) if trace else None,
            question=answer.question or bool(waiting),
            error=report.failure(),
            response_type=response_type_of(turn, answer, report.failure()),
            targets=targets(turn),
        )

    async def _in_words(self, turn: Turn, decide: Decide, speech: Speech, report: TurnReport) -> Answer:
        """The answer, within the turn's time. Every error of ours ends in words and in an event."""
        try:
            async with asyncio.timeout(self._limits.turn_timeout) as limit:
                turn.ends = limit.when()
                return await decide(turn, speech, report)
        except TimeoutError:
            report.failed("turn_timeout", "agent")
            failure: HomeAgentError | str = "took_too_long"
        except HomeAgentError as error:
            report.failed(error, "agent")
            failure = error
        return Answer(await asyncio.to_thread(ended_by, failure, turn, self._home), "none")

    async def _decide(self, turn: Turn, speech: Speech, report: TurnReport) -> Answer:
        with report.timing("context"):
            await self._gatherer.gather(turn, report)
        with report.timing("tool"):
            answer = await self._approvals.answer(turn, speech)
        if answer is not None:
            return await self._go_on(turn, answer, speech, report)
        if self._remembering and (answer := await self._remembering.answer(turn)):
            return await self._with_the_rest(turn, answer, speech, report) if turn.rest else answer
        if (answer := await self._by_a_brain(turn, speech, report)) is not None:
            return answer
        told = await self._kept(turn)
        told = told or await self._recollection.instead(turn, None, report) or await self._recollection.not_known(turn)
        return told or Answer(_cannot(turn), "none")

    async def _kept(self, turn: Turn) -> Answer | None:
        """That it is remembered, where it only tells something and no brain knows what to do with it."""
        return await self._remembering.answer(turn, otherwise=True) if self._remembering else None

    async def _by_a_brain(self, turn: Turn, speech: Speech, report: TurnReport) -> Answer | None:
        for brain in self._brains:
            if (answer := await self._follow(brain, turn, speech, report)) is not None:
                return answer
        return None

    async def _with_the_rest(self, turn: Turn, told: Answer, speech: Speech, report: TurnReport) -> Answer:
        """What was ``told`` of the part that was for memory, and what the brains answer to the rest of the sentence."""
        turn.whole, turn.text = turn.text, turn.rest
        await speech.begin(told.text)
        try:
            with report.timing("context"):
                await self._gatherer.gather(turn, report)
            answer = await self._by_a_brain(turn, speech, report)
            return answer or await self._recollection.instead(turn, None, report) or Answer(_cannot(turn), "none")
        finally:
            turn.text = turn.whole

    async def _follow(self, brain: Brain, turn: Turn, speech: Speech, report: TurnReport) -> Answer | None:
        """Step after step, until the brain answers; None where it is not sure."""
        turn.by_model = brain.name == "llm"
        if turn.by_model:
            with report.timing("context"):
                unanswered = brain is not self._brains[0] and await asyncio.to_thread(asks, turn)
                meant = await self._remembering.meant(turn) if self._remembering else None
                await self._gatherer.remember(turn, report, meant=meant, unanswered=unanswered)
                await self._gatherer.look_back(turn, report)
                turn.only_asks = await asyncio.to_thread(only_asks, turn)
                turn.touchable = await asyncio.to_thread(touchable, turn)
        after = self._brains[self._brains.index(brain) + 1 :]
        turn.last_brain = not any(getattr(other, "available", True) for other in after)
        while (step := await self._next_step(brain, turn, speech, report)) is not None:
            first = brain.name == "local" and not turn.rounds
            if first and (told := await self._recollection.instead(turn, step, report)):
                return told
            if first and step.at_a_loss and not step.tool_calls:
                if brain is not self._brains[-1]:
                    turn.question = None
                    return None  # the next one knows more, or why it cannot be asked
                if not step.question and (told := await self._kept(turn)):
                    return told
            if not step.tool_calls:
                # Where something waits for a yes, the question for it is answer enough.
                silent = "" if pending_in(turn) else phrase("no_answer", turn.language)
                return Answer(step.text or silent, brain.name, step.question, step.at_a_loss, step.undone)
            if reason := await self._stopped_or_ran(turn, step, report):
                report.failed(reason, "agent")
                return Answer(await asyncio.to_thread(ended_by, reason, turn, self._home), brain.name)
        return None

    async def _next_step(self, brain: Brain, turn: Turn, speech: Speech, report: TurnReport) -> Step | None:
        speech.next_step()
        with report.timing("brain"):
            step = await brain.next_step(turn, speech)
        if step is not None:
            report.stepped(brain.name, step)
        return step

    async def _stopped_or_ran(self, turn: Turn, step: Step, report: TurnReport) -> str | None:
        """Run the step's calls; why the turn must end here, else None."""
        if len(turn.rounds) >= self._limits.rounds:
            return "too_many_steps"
        with report.timing("tool"):
            await run_round(self._toolbox, turn, step)
        return "repeated" if repeats(turn) > 1 else None

    async def _with_news(self, turn: Turn, answer: Answer, report: TurnReport) -> tuple[Answer, list[Timer]]:
        """The answer with what happened meanwhile, and of which timers that tells."""
        try:
            news = await self._news.untold(turn) if self._news else []
        except DatabaseError as error:
            report.failed(error, "timers")
            return answer, []
        if not self._news or not news:
            return answer, []
        said = await asyncio.to_thread(self._news.words, news, turn.language)
        return replace(answer, text=f"{answer.text} {said}".strip()), news

    async def _save(self, turn: Turn, answer: Answer, report: TurnReport, news: Sequence[Timer] = ()) -> None:
        """Keep the turn. A database that fails now takes nothing from the answer."""
        try:
            noting = self._remembering.noting(turn, answer) if self._remembering else None
            report.saved(await self._conversations.save(turn, answer, noting, report.trace(answer)))
            if self._news and news:
                await self._news.told(list(news))
            if self._remembering and noting:
                self._remembering.wake()
        except DatabaseError as error:
            report.failed(error, "conversations")

    def _one_at_a_time(self, conversation_id: str) -> asyncio.Lock:
        return self._busy.setdefault(conversation_id, asyncio.Lock())


def _cannot(turn: Turn) -> str:
    """An honest answer where no brain was sure, with what was understood all the same."""
    mentions = turn.gathered.retrieval.mentions
    names = dict.fromkeys(m.text for kind in _UNDERSTOOD for m in mentions.of(kind))
    words = phrase("needs_llm", turn.language)
    return f"{words} {phrase('understood', turn.language, names=', '.join(names))}" if names else words
