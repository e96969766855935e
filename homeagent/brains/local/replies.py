"""What a sentence is as the reply to what the last turn asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from homeagent.brains.consent import begins_with_no, is_no, is_yes, takes_back
from homeagent.brains.local.frame_plans import FramePlans
from homeagent.brains.local.planning.plans import Plan
from homeagent.brains.local.second_reading.second_reader import acknowledgement
from homeagent.brains.local.timer_choice import timers_called_off, timers_chosen
from homeagent.languages.concepts import Heading, Verb
from homeagent.languages.pack import load_pack
from homeagent.timers.timer import Timer, TimerAction
from homeagent.turn import PastTurn, Turn
from homeagent.turns.past_results import results_of
from homeagent.turns.question_back import QuestionBack, QuestionKind
from homeagent.understanding.frames.corrections import call_off
from homeagent.understanding.previous_turn import PreviousTurn, each
from homeagent.understanding.request import Act, Request
from indexer.words import words

_RECENT = 4
"""So many turns back a timer was told of."""


def reply_of(turn: Turn, text: str, live: Sequence[Timer]) -> Request | None:
    """The request that a code, a yes, a no or one of several timers makes of the last turn's question, or that calls
    off some of the timers that it told of; None where the sentence is none of these.

    ``text``: the sentence without the code, which the tool takes from the turn.
    """
    question = turn.gathered.asked
    if question is None:
        ids = timers_called_off(text, turn.language, _told_of(turn.gathered.history, live))
        return Request(Act.TIMER, parameters={"action": TimerAction.CANCEL, "ids": ids}) if ids else None
    if question.request is None:
        return None  # what was asked was a yes to a confirmation, which is the agent's business
    if question.kind is QuestionKind.TIMER:
        asked = question.request
        ids = timers_chosen(text, turn.language, [t for t in live if t.id in question.candidates])
        if ids:
            return replace(asked, parameters={**asked.parameters, "ids": ids})
    one = len({said.code for said in turn.said_codes}) == 1
    is_code = question.kind is QuestionKind.CODE and one and not _orders(text, turn.language)
    if is_code or (question.kind is QuestionKind.SUGGEST and is_yes(text, turn.language)):
        return replace(question.request, scope=each(question.candidates))
    return Request(Act.SAY, say="left_alone") if is_no(text, turn.language) else None


def taken_back(turn: Turn, text: str, last: PreviousTurn | None) -> Request | None:
    """The request that takes back what was just done, where nothing was asked and the sentence says no to that twice
    ("no, don't"); else None."""
    against = last is not None and turn.gathered.asked is None and takes_back(text, turn.language)
    return call_off(last) if against and last is not None else None


def _told_of(history: Sequence[PastTurn], live: Sequence[Timer]) -> list[Timer]:
    """The timers that are still to come of those that the last turn told of, in its order; where that were not
    several, of those that were set or told of right before, one after the other.
    """
    known = {timer.id: timer for timer in live}
    told: list[str] = []
    for past in reversed(history[-_RECENT:]):
        ids = [str(t["id"]) for result in results_of(past) for t in result.get("timers", ()) if isinstance(t, dict)]
        told = [*(i for i in ids if i not in told), *told]
        if len(ids) > 1 or (not ids and (told or past.targets)):
            break
    return [known[i] for i in told if i in known]


def after_no_or_praise(turn: Turn, framed: FramePlans | None) -> tuple[Plan, ...]:
    """What is said to a sentence that asks for nothing: that nothing is done where it begins with a no to what was
    asked, and a word where it only praises or thanks. A model finds better words.
    """
    if framed is None or not turn.gathered.history or not turn.last_brain:
        return ()
    asked = turn.gathered.asked is not None
    if (asked and begins_with_no(turn.text, turn.language)) or is_no(turn.text, turn.language):
        return (acknowledgement("left_alone"),)
    praises = framed.best is not None and all(f.courteous for f in framed.best.frames)
    return (acknowledgement(),) if praises and not framed.asks else ()


def _orders(text: str, language: str) -> bool:
    """Whether it holds a verb or a heading of the language's pack, so that it is more than a mere code."""
    phrases = pack.phrases if (pack := load_pack(language)) is not None else {}
    return any(isinstance(said, Verb | Heading) for word in words(text) for said in phrases.get(word, ()))


def asks_for_code(question: QuestionBack | None) -> bool:
    """Whether what was asked is a code."""
    return question is not None and question.kind is QuestionKind.CODE
