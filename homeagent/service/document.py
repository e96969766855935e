"""The OpenAPI document, complete enough for a client to be made of it: problems, statuses, security, tags."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from enum import StrEnum
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Security
from fastapi.openapi.utils import get_openapi
from fastapi.params import Security as SecurityParam
from fastapi.responses import JSONResponse, Response
from fastapi.security import HTTPBearer
from pydantic import BaseModel, Field

from homeagent.access import Scope
from homeagent.service.errors import PROBLEM
from homeagent.service.fronts.openai_answers import FailedCompletion
from homeagent.service.sse import SERVER_SENT

DOCUMENT = "/openapi.json"


class Tag(StrEnum):
    """What the document sorts the operations by."""

    SENTENCES = "sentences"
    QUESTIONS = "questions"
    CONVERSATIONS = "conversations"
    MEMORIES = "memories"
    TIMERS = "timers"
    OWN_TESTS = "own tests"
    HOME = "home and index"
    ADMINISTRATION = "administration"
    MONITORING = "monitoring"
    FRONTS = "OpenAI"


_DESCRIPTION = (
    "An agent for Home Assistant. Each command is a service: `POST /api/services/<name>`; what is kept is there "
    "to look at as resources, too. Times are ISO 8601 with offset. Every failure is a problem of RFC 9457, whose "
    "`code` is stable for programs."
)
_TAGS = {
    Tag.SENTENCES: "What is said to the agent, and tools used outright.",
    Tag.QUESTIONS: "What waits for a yes.",
    Tag.CONVERSATIONS: "What was said, and how each turn went.",
    Tag.MEMORIES: "What is remembered.",
    Tag.TIMERS: "What is to happen later.",
    Tag.OWN_TESTS: "Sentences that went wrong, kept as tests.",
    Tag.HOME: "What can be found.",
    Tag.ADMINISTRATION: "Tokens, the policy, and what was done.",
    Tag.MONITORING: "How the service is, what happens, figures.",
    Tag.FRONTS: "The agent as a model of OpenAI's API. Failures have the shape of that API.",
}
_WHY = {
    HTTPStatus.BAD_REQUEST: "The request is no valid HTTP or JSON, or what it says does not do.",
    HTTPStatus.UNAUTHORIZED: "The token is missing or wrong.",
    HTTPStatus.FORBIDDEN: "The token may not do this, or this name or page may not be used.",
    HTTPStatus.NOT_FOUND: "There is no such thing, or it is not there for this caller.",
    HTTPStatus.REQUEST_TIMEOUT: "The request did not come in time.",
    HTTPStatus.CONFLICT: "Several are meant, it cannot be reached at the moment, or others change the same.",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "More than is taken at once.",
    HTTPStatus.UNPROCESSABLE_ENTITY: "The fields do not fit; `detail` says which and why.",
    HTTPStatus.INTERNAL_SERVER_ERROR: "Something went wrong inside; the log has it.",
    HTTPStatus.BAD_GATEWAY: "Home Assistant or a model refused.",
    HTTPStatus.SERVICE_UNAVAILABLE: "Home Assistant, the index or the database cannot be used, or no place is left.",
    HTTPStatus.GATEWAY_TIMEOUT: "Home Assistant or a model did not answer in time.",
}
_SCHEMA = "#/components/schemas/{model}"
_ANY = (400, 401, 403, 408, 413, 422, 500, 503)
"""What every request may be answered."""


class Problem(BaseModel):
    """A failed request (RFC 9457). Fields that say more are there where they apply."""

    type: str = Field(description="`urn:homeagent:` and the code.")
    title: str = Field(description="The code in words.")
    status: int = Field(description="As the HTTP status.")
    detail: str = Field(description="What went wrong this time.")
    code: str = Field(description="Stable, for programs.", examples=["not_found"])
    hint: str = Field(description="What to do about it; may be empty.")
    nearest: list[str] | None = Field(default=None, description="Real ones that are close to what was named.")
    confirmation_id: str | None = Field(default=None, description="The question that waits for a yes.")
    retry_after: float | None = Field(default=None, description="Seconds after which to try again.")


def failures(*statuses: HTTPStatus, model: type[BaseModel] = Problem) -> dict[int | str, dict[str, Any]]:
    """The failures of an operation: what every request may be answered, and ``statuses``.

    The schema is only pointed at: of each model that it is told FastAPI makes one anew for every status of every
    operation, which took most of a start.
    """
    every = sorted({*map(HTTPStatus, _ANY), *statuses})
    media_type = PROBLEM if model is Problem else "application/json"
    content = {media_type: {"schema": {"$ref": _SCHEMA.format(model=model.__name__)}}}
    return {status.value: {"content": content, "description": _WHY[status]} for status in every}


def _schemas_of(*models: type[BaseModel]) -> dict[str, Any]:
    """The schemas of the models, and of what they are made of, by name."""
    found = {model.__name__: model.model_json_schema(ref_template=_SCHEMA) for model in models}
    parts = [part for schema in found.values() for part in schema.pop("$defs", {}).items()]
    return {**found, **dict(parts)}


_HTTP_BEARER = HTTPBearer(auto_error=False, description="A token of the service: `homeagent token add` makes one.")


def bearer(needs: Iterable[Scope]) -> list[SecurityParam]:
    """That an operation needs a token with these scopes, if any. It is the guard that checks it."""
    needed = [scope.value for scope in needs]
    return [Security(_HTTP_BEARER, scopes=needed)] if needed else []


def needing(needs: Iterable[Scope]) -> str:
    """The same in words."""
    needs = tuple(needs)
    if not needs:
        return "Needs no token."
    return f"Needs {' and '.join(f'`{scope}`' for scope in needs)}."


STREAM: dict[str, Any] = {
    "content": {
        "text/event-stream": {
            "schema": SERVER_SENT,
            "example": 'event: delta\ndata: {"text": "Kitchen "}\n\nevent: result\ndata: {"response": "…"}\n\n',
        }
    },
    "description": (
        "With `stream`: server-sent events. `delta` (a piece of the answer) or `progress`, at the end `result` with "
        "what is answered otherwise, or `error` with a problem."
    ),
}
"""What else a service answers that streams."""


def add_document(api: FastAPI) -> None:
    """`GET /openapi.json`."""

    @api.get(DOCUMENT, response_model=None, include_in_schema=False)
    async def document() -> Response:
        return JSONResponse(await asyncio.to_thread(document_of, api))


def document_of(api: FastAPI) -> dict[str, Any]:
    """The document, made once. Blocks."""
    if api.openapi_schema is None:
        document = get_openapi(
            title=api.title,
            version=api.version,
            description=_DESCRIPTION,
            routes=api.routes,
            tags=[{"name": tag.value, "description": said} for tag, said in _TAGS.items()],
        )
        schemas = document["components"]["schemas"]
        schemas |= _schemas_of(Problem, FailedCompletion)
        document["components"]["schemas"] = dict(sorted(schemas.items()))
        api.openapi_schema = document
    return api.openapi_schema
