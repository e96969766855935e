"""The agent as a model of Ollama, above all for Home Assistant's own Ollama integration.

https://github.com/ollama/ollama/blob/main/docs/api.md. Clients of Ollama send no token, so the first part of the path
is one: `http://127.0.0.1:11435/<token>`. It has a port of its own; nothing of the service's other paths is there.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from datetime import UTC, datetime
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse
from pydantic import BaseModel, ConfigDict, Field
from starlette.types import ASGIApp, Receive, Send
from starlette.types import Scope as Connection

import homeagent
from homeagent.access import Scope
from homeagent.errors import HomeAgentError
from homeagent.service.errors import Failure, add_handlers, failure_of
from homeagent.service.fronts.chat_messages import MODEL, MOST_BYTES, Messages, answer
from homeagent.service.fronts.streaming import Piece, pieces
from homeagent.service.request_guard import Guard, Identifies, caller_of
from homeagent.service.while_there import CallerLeft, while_there

if TYPE_CHECKING:
    from homeagent.app import App
    from homeagent.turns.reply import Reply

CHAT = "/api/chat"
_NAME = f"{MODEL}:latest"
_SPOKEN_VERSION = "0.12.0"
"""The version of Ollama whose protocol this is."""
_CAN = ("completion", "tools")
"""`tools`, since clients offer control of the home only to models that have them."""
_DETAILS = {
    "parent_model": "",
    "format": "",
    "family": MODEL,
    "families": [MODEL],
    "parameter_size": "",
    "quantization_level": "",
}


class ChatRequest(BaseModel):
    """What is taken of a request; options, tools and the like are for models, and ignored."""

    model_config = ConfigDict(extra="ignore")

    model: str = Field(default=_NAME, max_length=200)
    messages: Messages
    stream: bool = True


class ModelName(BaseModel):
    """Which model is asked about: ``model``, or ``name`` as older clients say."""

    model_config = ConfigDict(extra="ignore")

    model: str = ""
    name: str = ""


def create_ollama(app: App, identify: Identifies) -> ASGIApp:
    """The API of Ollama over a started app; ``identify`` tells whose the token in the path is."""
    api = FastAPI(title="homeagent as Ollama", version=homeagent.__version__, openapi_url=None)
    add_handlers(api, _refused)
    _add_models(api)
    _add_chat(api, app)
    needs = dict.fromkeys((CHAT, "/", "/api/tags", "/api/show", "/api/version"), (Scope.ASK,))
    return _TokenInPath(
        Guard(
            api,
            identify=identify,
            needs=needs,
            allowed_hosts=app.settings.service.allowed_hosts,
            most_bytes={CHAT: MOST_BYTES},
            tell=_refused,
        )
    )


def _refused(_connection: Mapping[str, Any], failure: Failure) -> Response:
    """A failure in Ollama's shape, those of the guard included."""
    return JSONResponse(_error(failure), failure.status, failure.headers)


def _error(failure: Failure) -> dict[str, str]:
    return {"error": f"{failure.message} {failure.hint}".strip()}


class _TokenInPath:
    """Takes the first part of a path for the token, and the rest for the path."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, connection: Connection, receive: Receive, send: Send) -> None:
        if connection["type"] == "http":
            token, _, path = connection["path"].lstrip("/").partition("/")
            headers = [(name, value) for name, value in connection["headers"] if name != b"authorization"]
            bearer = (b"authorization", f"Bearer {token}".encode("utf-8", "surrogateescape"))
            connection = {**connection, "path": f"/{path}", "raw_path": None, "headers": [*headers, bearer]}
        await self._app(connection, receive, send)


def _add_models(api: FastAPI) -> None:
    @api.api_route("/", methods=["GET", "HEAD"], response_model=None)
    async def running() -> Response:
        return PlainTextResponse("Ollama is running")

    @api.get("/api/version", response_model=None)
    async def version() -> Response:
        return JSONResponse({"version": _SPOKEN_VERSION})

    @api.get("/api/tags", response_model=None)
    async def tags() -> Response:
        named = {"name": _NAME, "model": _NAME, "modified_at": _now(), "size": 0, "digest": "0" * 64}
        return JSONResponse({"models": [{**named, "details": _DETAILS}]})

    @api.post("/api/show", response_model=None)
    async def show(asked: ModelName) -> Response:
        if (asked.model or asked.name).removesuffix(":latest") != MODEL:
            return JSONResponse({"error": f"model '{(asked.model or asked.name)[:100]}' not found"}, 404)
        about = {"general.architecture": MODEL, f"{MODEL}.context_length": 131072}
        shown = {"modelfile": "", "parameters": "", "template": "", "details": _DETAILS, "model_info": about}
        return JSONResponse({**shown, "capabilities": list(_CAN), "modified_at": _now()})


def _add_chat(api: FastAPI, app: App) -> None:
    @api.post(CHAT, response_model=None)
    async def chat(request: Request, asked: ChatRequest) -> Response:
        caller = caller_of(request.scope)
        assert caller is not None  # the guard lets nobody else pass
        if asked.stream:
            said = pieces(lambda say: answer(app, caller, asked.messages, say=say))
            return StreamingResponse(_lines(asked.model, said), media_type="application/x-ndjson")
        try:
            reply = await while_there(request, answer(app, caller, asked.messages))
        except CallerLeft:
            return Response(status_code=HTTPStatus.NO_CONTENT)  # to nobody
        except HomeAgentError as error:
            return _refused(request.scope, failure_of(error))
        return JSONResponse(_last(asked.model, reply, reply.response))


async def _lines(model: str, said: AsyncIterator[Piece]) -> AsyncIterator[bytes]:
    """A line of JSON for each piece; the last one is ``done``, or tells the error."""
    async for piece in said:
        if piece.failure is not None:
            yield _line(_error(piece.failure))
        elif piece.reply is None:
            yield _line({"model": model, "created_at": _now(), "message": _message(piece.text), "done": False})
        else:
            if piece.text:
                yield _line({"model": model, "created_at": _now(), "message": _message(piece.text), "done": False})
            yield _line(_last(model, piece.reply, ""))


def _last(model: str, reply: Reply, text: str) -> dict[str, Any]:
    trace = reply.trace or {}
    nanoseconds = int(trace.get("timings_ms", {}).get("total", 0) * 1e6)
    tokens = trace.get("tokens", {})
    return {
        "model": model,
        "created_at": _now(),
        "message": _message(text),
        "done": True,
        "done_reason": "stop",
        "total_duration": nanoseconds,
        "load_duration": 0,
        "prompt_eval_count": tokens.get("prompt", 0),
        "prompt_eval_duration": 0,
        "eval_count": tokens.get("completion", 0),
        "eval_duration": nanoseconds,
    }


def _message(text: str) -> dict[str, str]:
    return {"role": "assistant", "content": text}


def _line(content: dict[str, Any]) -> bytes:
    return json.dumps(content).encode() + b"\n"


def _now() -> str:
    return datetime.now(UTC).isoformat().replace("+00:00", "Z")
