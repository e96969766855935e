"""The agent as a model of OpenAI's chat completions, for programs that speak that protocol.

https://platform.openai.com/docs/api-reference/chat. The token is the API key. Tools that a caller offers are not used:
the agent acts with its own, under its own policy.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from http import HTTPStatus
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import Body, FastAPI, Request
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel, ConfigDict, Field

from homeagent.access import Scope
from homeagent.errors import HomeAgentError
from homeagent.service.document import Tag, bearer, failures
from homeagent.service.errors import Failure, failure_of
from homeagent.service.fronts.chat_messages import MODEL, MOST_BYTES, Messages, answer
from homeagent.service.fronts.openai_answers import CHUNKS, Completion, FailedCompletion, Models
from homeagent.service.fronts.streaming import Piece, pieces
from homeagent.service.request_guard import caller_of
from homeagent.service.sse import data_only, respond
from homeagent.service.while_there import CallerLeft, while_there

if TYPE_CHECKING:
    from homeagent.app import App
    from homeagent.turns.reply import Reply

CHAT, MODELS = "/v1/chat/completions", "/v1/models"
NEEDS: dict[str, tuple[Scope, ...]] = {CHAT: (Scope.ASK,), MODELS: (Scope.ASK,)}
BYTES = {CHAT: MOST_BYTES}
_EXAMPLE = {"model": MODEL, "messages": [{"role": "user", "content": "is the front door locked?"}]}


class StreamOptions(BaseModel):
    """OpenAI's ``stream_options``. ``include_usage``: send the tokens used at the end."""

    model_config = ConfigDict(extra="ignore")

    include_usage: bool = False


class ChatCompletion(BaseModel):
    """What is taken of a request; everything else of the protocol (temperature, tools …) is for models, and ignored.

    ``user``: who speaks, where the token may speak for others.
    """

    model_config = ConfigDict(extra="ignore")

    model: str = Field(default=MODEL, max_length=200)
    messages: Messages
    stream: bool = False
    stream_options: StreamOptions | None = None
    user: str | None = Field(default=None, min_length=1, max_length=200)


def add_openai(api: FastAPI, app: App) -> None:
    """`POST /v1/chat/completions` and `GET /v1/models`."""

    @api.get(
        MODELS,
        operation_id="openai_models",
        tags=[Tag.FRONTS],
        response_model=Models,
        responses=failures(model=FailedCompletion),
        dependencies=bearer(NEEDS[MODELS]),
    )
    async def models() -> Response:
        """The one model that there is. Needs `ask`."""
        return JSONResponse(
            {"object": "list", "data": [{"id": MODEL, "object": "model", "created": 0, "owned_by": MODEL}]}
        )

    @api.post(
        CHAT,
        operation_id="openai_chat",
        tags=[Tag.FRONTS],
        response_model=Completion,
        responses=failures(model=FailedCompletion) | {200: CHUNKS},
        dependencies=bearer(NEEDS[CHAT]),
    )
    async def chat(request: Request, asked: Annotated[ChatCompletion, Body(examples=[_EXAMPLE])]) -> Response:
        """Answer the last message of a chat, as an OpenAI model would. Needs `ask`; a yes in it needs `confirm`."""
        caller = caller_of(request.scope)
        assert caller is not None  # the guard lets nobody else pass
        if asked.stream:
            said = pieces(lambda say: answer(app, caller, asked.messages, user=asked.user, say=say))
            return respond(_chunks(asked, said))
        try:
            reply = await while_there(request, answer(app, caller, asked.messages, user=asked.user))
        except CallerLeft:
            return Response(status_code=HTTPStatus.NO_CONTENT)  # to nobody
        except HomeAgentError as error:
            return refused(failure_of(error))
        return JSONResponse(_completion(asked, reply))


def refused(failure: Failure) -> Response:
    """A failure in OpenAI's shape, those of the guard included."""
    return JSONResponse(_error(failure), failure.status, failure.headers)


def _error(failure: Failure) -> dict[str, Any]:
    kind = "invalid_request_error" if failure.status < 500 else "server_error"
    said = f"{failure.message} {failure.hint}".strip()
    return {"error": {"message": said, "type": kind, "param": None, "code": failure.code}}


def _completion(asked: ChatCompletion, reply: Reply) -> dict[str, Any]:
    message = {"role": "assistant", "content": reply.response, "refusal": None}
    return {
        "id": f"chatcmpl-{reply.turn_id}",
        "object": "chat.completion",
        "created": int(time.time()),
        "model": asked.model,
        "choices": [{"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}],
        "usage": _usage(reply),
    }


async def _chunks(asked: ChatCompletion, said: AsyncIterator[Piece]) -> AsyncIterator[bytes]:
    """The answer as it is made. A failure ends the stream with an error in OpenAI's shape."""
    created, usage = int(time.time()), asked.stream_options is not None and asked.stream_options.include_usage
    id_ = f"chatcmpl-{created:x}{id(said):x}"

    def chunk(delta: dict[str, Any], finish: str | None = None) -> bytes:
        choice = {"index": 0, "delta": delta, "finish_reason": finish, "logprobs": None}
        return data_only(_chunk(id_, created, asked.model, [choice], usage))

    yield chunk({"role": "assistant", "content": ""})
    async for piece in said:
        if piece.text:
            yield chunk({"content": piece.text})
        if piece.failure is not None:
            yield data_only(_error(piece.failure))
        if piece.reply is not None:
            yield chunk({}, "stop")
            if usage:
                yield data_only({**_chunk(id_, created, asked.model, [], usage), "usage": _usage(piece.reply)})
    yield b"data: [DONE]\n\n"


def _chunk(id_: str, created: int, model: str, choices: list[Any], with_usage: bool) -> dict[str, Any]:
    base = {"id": id_, "object": "chat.completion.chunk", "created": created, "model": model, "choices": choices}
    return {**base, "usage": None} if with_usage else base


def _usage(reply: Reply) -> dict[str, int]:
    """Tokens of the models that were asked for the answer; none where none was needed."""
    spent = (reply.trace or {}).get("tokens", {})
    prompt, completion = spent.get("prompt", 0), spent.get("completion", 0)
    return {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}
