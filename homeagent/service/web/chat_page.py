"""The chat: a sentence in, its answer as it is made, what waits for a yes, and the conversations of before."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fastapi import FastAPI, Request
from starlette.responses import RedirectResponse, Response

from homeagent.access import Scope
from homeagent.errors import HomeAgentError
from homeagent.service import request_fields
from homeagent.service.errors import Failure
from homeagent.service.fronts.streaming import Piece, pieces
from homeagent.service.sse import respond
from homeagent.service.web.calling import call, checked
from homeagent.service.web.rendering import HEADERS, Renderer, events, is_partial, shown, visitor
from homeagent.service.web.session import posted
from homeagent.service.web.why import Why, why
from homeagent.turn import Say, new_id

if TYPE_CHECKING:
    from homeagent.access import Identity
    from homeagent.app import App
    from homeagent.confirmations import Pending
    from homeagent.turns.reply import Reply

NEEDS: dict[str, tuple[Scope, ...]] = {
    "/": (Scope.ASK,),
    "/say": (Scope.ASK,),
    "/was-wrong": (Scope.ASK,),
    "/decide": (Scope.CONFIRM,),
    "/forget-conversation": (Scope.ASK,),
}


@dataclass(frozen=True, slots=True)
class Asked:
    """What waits for a yes, and the question for it."""

    id: str
    question: str


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence (empty where a button was pressed) and its answer. ``why`` is there for turns of just now."""

    id: str
    text: str
    answer: str = ""
    brain: str = ""
    about: tuple[str, ...] = ()
    why: Why | None = None
    waiting: tuple[Asked, ...] = ()
    failure: Failure | None = None


def add_chat(api: FastAPI, app: App, renderer: Renderer) -> None:
    """`/`, and what its forms are sent to."""

    @api.get("/", response_model=None, include_in_schema=False)
    @shown(renderer)
    async def show(request: Request) -> Response:
        caller, conversation = visitor(request), request.query_params.get("conversation", "")
        reads = caller.may(Scope.READ)
        return renderer.page(
            request,
            "chat.html",
            conversation=conversation or new_id(),
            turns=await _turns(app, caller, conversation) if reads and conversation else (),
            waiting=await _waiting(app, caller, conversation) if reads and conversation else (),
            conversations=await _conversations(app, caller) if reads else (),
        )

    @api.post("/was-wrong", response_model=None, include_in_schema=False)
    @api.post("/say", response_model=None, include_in_schema=False)
    @shown(renderer)
    async def say(request: Request) -> Response:
        caller, given = visitor(request), await posted(request)
        fields = checked(caller, request_fields.Process, **given)

        async def process(say: Say | None = None) -> Reply:
            await app.need_home()
            return await app.agent.process(
                fields.text,
                conversation_id=fields.conversation_id,
                user_id=fields.user_id,
                trace=True,
                say=say,
                may_confirm=caller.may(Scope.CONFIRM),
            )

        if is_partial(request):
            return respond(events(_streamed(app, renderer, request, fields.text, pieces(process))))
        reply = await process()
        return RedirectResponse(f"./?conversation={reply.conversation_id}", 303, HEADERS)

    @api.post("/decide", response_model=None, include_in_schema=False)
    @shown(renderer)
    async def decide(request: Request) -> Response:
        given = await posted(request)
        fields = checked(
            visitor(request),
            request_fields.Confirm,
            confirmation_id=given.get("confirmation_id", ""),
            approve=given.get("approve") == "yes",
        )
        await app.need_home()
        reply = await app.agent.confirm(fields.confirmation_id, fields.approve, user_id=fields.user_id, trace=True)
        if not is_partial(request):
            return RedirectResponse(f"./?conversation={reply.conversation_id}", 303, HEADERS)
        turn = _said(app, "", reply, new_id())
        return renderer.page(request, "decided.html", confirmation_id=fields.confirmation_id, turn=turn)

    @api.post("/forget-conversation", response_model=None, include_in_schema=False)
    @shown(renderer)
    async def forget(request: Request) -> Response:
        await call(app, visitor(request), "delete_conversation", **await posted(request))
        return RedirectResponse("./", 303, HEADERS)


async def _streamed(
    app: App, renderer: Renderer, request: Request, text: str, said: AsyncIterator[Piece]
) -> AsyncIterator[str]:
    """The sentence at once, each piece of the answer as it comes, then the turn as a whole."""
    turn = Said(new_id(), text)
    yield renderer.part(request, "begun.html", turn=turn)
    async for piece in said:
        if piece.reply is not None:
            turn = _said(app, text, piece.reply, turn.id)
            yield renderer.part(request, "answered.html", turn=turn, conversation=piece.reply.conversation_id)
            if visitor(request).may(Scope.READ):
                # Whatever fails now takes nothing from the answer.
                with suppress(HomeAgentError):
                    listed = await _conversations(app, visitor(request))
                    values = {"conversation": piece.reply.conversation_id, "conversations": listed}
                    yield renderer.part(request, "listed.html", **values)
        elif piece.failure is not None:
            yield renderer.part(request, "unanswered.html", turn=Said(turn.id, text, failure=piece.failure))
        else:
            yield renderer.part(request, "piece.html", turn=turn, text=piece.text)


def _said(app: App, text: str, reply: Reply, id: str) -> Said:
    trace = reply.trace or {}
    return Said(
        id,
        text,
        reply.response,
        brain=trace["brain"],
        why=why(trace, app.home.entity),
        waiting=tuple(_asked(app, one) for one in reply.pending),
    )


def _asked(app: App, pending: Pending) -> Asked:
    return Asked(pending.id, app.agent.question(pending))


def _name(app: App, entity_id: str) -> str:
    entity = app.home.entity(entity_id)
    return entity.name if entity else entity_id


async def _turns(app: App, caller: Identity, conversation: str) -> Sequence[Said]:
    told = await call(app, caller, "get_conversation", conversation_id=conversation)
    return [
        Said(
            f"kept-{one['number']}",
            one["text"],
            one["answer"],
            brain=one["brain"],
            about=tuple(_name(app, entity_id) for entity_id in one["targets"]),
        )
        for one in told["turns"]
    ]


async def _waiting(app: App, caller: Identity, conversation: str) -> Sequence[Asked]:
    found = await app.confirmations.waiting(caller.user_id, None, 100)
    return [_asked(app, one) for one in found if one.conversation_id == conversation]


async def _conversations(app: App, caller: Identity) -> Sequence[Mapping[str, Any]]:
    told = await call(app, caller, "list_conversations", limit=30)
    listed: Sequence[Mapping[str, Any]] = told["conversations"]
    return listed
