"""Every failure of a request as one shape, a problem of RFC 9457 with ``code`` and ``hint``; never a traceback.

The fronts that speak for others (OpenAI, Ollama) tell the same failures in the shapes of these.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException

from homeagent.errors import (
    ConfirmationRequired,
    DatabaseError,
    HomeAgentError,
    InvalidInput,
    LlmRateLimited,
    TooLarge,
    UnknownTarget,
)
from indexer.errors import EmbedderUnavailable, IndexerError, StoreError
from memory.errors import MemoriesError

_log = logging.getLogger(__name__)
PROBLEM = "application/problem+json"
"""The media type of a failure."""
_CUT_OFF = "Unterminated"
"""In the words of Python's decoder for a text that the body ends within."""
_WHOLE = "Send all of it: as many bytes as `Content-Length` says, and every quote and bracket closed."
_OBJECT = 'Send one JSON object, such as {"text": "is the door locked?"}; `GET /openapi.json` tells the fields.'
_CODES = {401: "unauthorized", 403: "forbidden", 404: "not_found", 405: "method_not_allowed", 413: TooLarge.code}


@dataclass(frozen=True, slots=True)
class Failure:
    """A failed request as the caller sees it. ``more`` are fields of their own: nearest, retry_after …"""

    status: int
    code: str
    message: str
    hint: str = ""
    more: dict[str, Any] = field(default_factory=dict)

    def body(self) -> dict[str, object]:
        """The problem as JSON, with ``more`` beside the rest."""
        return {
            "type": f"urn:homeagent:{self.code}",
            "title": self.code.replace("_", " ").capitalize(),
            "status": self.status,
            "detail": self.message,
            "code": self.code,
            "hint": self.hint,
            **self.more,
        }

    @property
    def headers(self) -> dict[str, str]:
        """What belongs to the answer besides its body: how to get in, and after how many seconds to come again."""
        headers = {"WWW-Authenticate": "Bearer"} if self.status == 401 else {}
        if "retry_after" in self.more:
            headers["Retry-After"] = str(round(self.more["retry_after"]))
        return headers

    def response(self) -> Response:
        """The HTTP answer."""
        return JSONResponse(self.body(), self.status, self.headers, PROBLEM)


Tells = Callable[[Mapping[str, Any], Failure], Response]
"""How a failure is told to whoever asked: takes the connection (ASGI's scope), and the failure."""


def as_problem(_connection: Mapping[str, Any], failure: Failure) -> Response:
    """In our own shape."""
    return failure.response()


def failure_of(error: Exception) -> Failure:
    """What the caller is told of an error. An error that has no name here is logged and told as ``internal``."""
    if isinstance(error, HomeAgentError):
        return Failure(error.http_status, error.code, error.message, error.hint, _details(error))
    if isinstance(error, EmbedderUnavailable):
        return Failure(503, "embedder_unavailable", str(error), error.hint)
    if isinstance(error, StoreError):
        return Failure(503, "store_unavailable", str(error), error.hint)
    if isinstance(error, IndexerError):
        return Failure(503, "index", str(error), error.hint)
    if isinstance(error, MemoriesError):
        return Failure(error.http_status, error.code, error.message, error.hint)
    if failed := _database_failure(error):
        return failed
    _log.error("a request failed in a way that has no name yet", exc_info=error)
    return Failure(500, "internal", "Something went wrong inside homeagent.", "The log has the details.")


def _details(error: HomeAgentError) -> dict[str, object]:
    if isinstance(error, UnknownTarget) and error.nearest:
        return {"nearest": list(error.nearest)}
    if isinstance(error, ConfirmationRequired):
        return {"confirmation_id": error.confirmation_id}
    if isinstance(error, LlmRateLimited) and error.retry_after is not None:
        return {"retry_after": error.retry_after}
    return {}


def _database_failure(error: Exception) -> Failure | None:
    from sqlalchemy.exc import SQLAlchemyError

    if not isinstance(error, SQLAlchemyError):
        return None
    _log.error("the database failed", exc_info=error)
    reason = str(getattr(error, "orig", None) or type(error).__name__)
    return Failure(503, DatabaseError.code, f"The database failed: {reason}.", DatabaseError.hint)


def validation_failure(problems: list[Any]) -> Failure:
    """What is wrong with which field, in words, without repeating the value (it may be long, or a code)."""
    said = []
    for problem in problems:
        place = ".".join(str(part) for part in problem["loc"] if part != "body")
        said.append(f"{place}: {problem['msg']}" if place else str(problem["msg"]))
    return Failure(
        422, InvalidInput.code, "; ".join(said) + ".", "`GET /openapi.json` tells the fields of each service."
    )


def _body_failure(problem: Mapping[str, Any], body: object, media_type: str) -> Failure | None:
    """What is wrong with the body as a whole; None where it is an object, so that it is a field of it."""
    if problem["type"] == "json_invalid":
        where = problem["loc"][-1]
        ends = isinstance(body, str) and (where >= len(body.rstrip()) or _CUT_OFF in problem["ctx"]["error"])
        reason = "it ends too early" if ends else f"see character {where}"
        return _no_object(f"The body is no valid JSON: {reason}.", _WHOLE if ends else _OBJECT)
    if problem["loc"] != ("body",):
        return None
    if problem["type"] == "missing":
        return _no_object("There is no body.", _OBJECT)
    if "json" not in media_type:
        return _no_object("The body is not read as JSON.", "Send it with `Content-Type: application/json`.")
    return None if isinstance(body, dict) else _no_object("The body is no JSON object.", _OBJECT)


def _no_object(message: str, hint: str) -> Failure:
    return Failure(422, InvalidInput.code, message, hint)


def add_handlers(api: FastAPI, tell: Tells = as_problem) -> None:
    """Answer every error of a request in one shape."""

    async def on_validation(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        problems = list(error.errors())
        of_body = _body_failure(problems[0], error.body, request.headers.get("content-type", ""))
        return tell(request.scope, of_body or validation_failure(problems))

    async def on_http(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        code = _CODES.get(error.status_code, InvalidInput.code)
        response = tell(request.scope, Failure(error.status_code, code, f"{str(error.detail).rstrip('.')}."))
        response.headers.update(error.headers or {})
        return response

    async def on_error(request: Request, error: Exception) -> Response:
        return tell(request.scope, failure_of(error))

    api.add_exception_handler(RequestValidationError, on_validation)
    api.add_exception_handler(HTTPException, on_http)
    api.add_exception_handler(HomeAgentError, on_error)
    api.add_exception_handler(IndexerError, on_error)
    api.add_exception_handler(MemoriesError, on_error)
    api.add_exception_handler(Exception, on_error)
