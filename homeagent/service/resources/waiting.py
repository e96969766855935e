"""What waits: questions for a yes, and timers for their time."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query, Request

from homeagent.access import Scope
from homeagent.confirmations import Pending
from homeagent.errors import NotFound
from homeagent.service import timers
from homeagent.service.answers.timers import TimerView
from homeagent.service.answers.turns import Question
from homeagent.service.document import Tag
from homeagent.service.paging import Page, Paged, page_of_all
from homeagent.service.request_fields import Fields, Id, Language
from homeagent.service.resources.registering import PathId, Resources, who_asks
from homeagent.service.sentences import waiting
from homeagent.service.timer_fields import CancelTimer
from homeagent.timers.shown import shown
from homeagent.timers.timer import Timer, TimerKind
from homeagent.timers.timer_errors import UnknownTimer

_MOST = 1000


class Asked(Fields):
    """Who was asked, where. ``everybody``: all of them, for callers that may speak for others."""

    user_id: Id | None = None
    device_id: Id | None = None
    everybody: bool = False
    language: Language | None = None


class QuestionsQuery(Asked, Paged):
    """Which questions."""


class QuestionsPage(Page[Question]):
    """What waits for a yes, oldest first."""


class TimersQuery(Paged):
    """``kind``: only those of this kind."""

    kind: TimerKind | None = None


class TimersPage(Page[TimerView]):
    """What is to happen later, the next first."""


def add_questions(resources: Resources) -> None:
    """`/api/pending`."""
    app = resources.app

    @resources.get("/api/pending", "read_pending", Tag.QUESTIONS, Scope.READ, QuestionsPage)
    async def listed(request: Request, query: Annotated[QuestionsQuery, Query()]) -> object:
        """What waits for a yes that this speaker can give at this device; or for anybody's."""
        query = query.sent_by(who_asks(request))
        found = await open_to(query)
        return page_of_all(found, query, lambda one: one.id, lambda one: waiting(app, one, query.language))

    one = "/api/pending/{question_id}"

    @resources.get(one, "read_pending_question", Tag.QUESTIONS, Scope.READ, Question)
    async def show(request: Request, question_id: PathId, query: Annotated[Asked, Query()]) -> object:
        """One question that waits. Answer it with the service `confirm`."""
        query = query.sent_by(who_asks(request))
        return waiting(app, await asked(question_id, query), query.language)

    @resources.delete(one, "refuse_pending_question", Tag.QUESTIONS, Scope.CONFIRM)
    async def refuse(request: Request, question_id: PathId, query: Annotated[Asked, Query()]) -> object:
        """Say no to it."""
        await app.need_home()
        found = await asked(question_id, query.sent_by(who_asks(request)))
        return await app.agent.confirm(found.id, False, user_id=found.user_id, device_id=found.device_id)

    async def open_to(query: Asked) -> list[Pending]:
        if query.everybody:
            return await app.confirmations.waiting_anywhere(_MOST)
        return await app.confirmations.waiting(query.user_id, query.device_id, _MOST)

    async def asked(question_id: str, query: Asked) -> Pending:
        pending = await app.confirmations.waiting_one(question_id)
        if pending and (query.everybody or (pending.user_id, pending.device_id) == (query.user_id, query.device_id)):
            return pending
        raise NotFound(f"There is no question {question_id!r} that waits.", hint="It may be answered, or expired.")


def add_timers(resources: Resources) -> None:
    """`/api/timers`."""
    app = resources.app

    @resources.get("/api/timers", "read_timers", Tag.TIMERS, Scope.READ, TimersPage)
    async def listed(request: Request, query: Annotated[TimersQuery, Query()]) -> object:
        """Timers, alarms, reminders and actions to come, the next first."""
        found = await app.timers.find(kind=query.kind)
        return page_of_all(found, query, lambda one: one.id, view)

    one = "/api/timers/{timer_id}"

    @resources.get(one, "read_timer", Tag.TIMERS, Scope.READ, TimerView)
    async def show(request: Request, timer_id: PathId) -> object:
        """One that is to come, is paused or rings."""
        found = await app.timers.find(timer_id=timer_id)
        if not found:
            raise UnknownTimer(f"There is no timer {timer_id!r}.", hint="`GET /api/timers` shows what there is.")
        return view(found[0])

    @resources.delete(one, "remove_timer", Tag.TIMERS, Scope.ASK)
    async def cancel(request: Request, timer_id: PathId) -> object:
        """Cancel it."""
        await show(request, timer_id)  # "all" is no timer's id
        return await timers.cancel_timer(app, CancelTimer(id=timer_id).sent_by(who_asks(request)))

    def view(timer: Timer) -> dict[str, object]:
        return shown(timer, app.timers.now(), app.home.config)
