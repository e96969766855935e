"""What OpenAI's API answers, as far as the agent does: for the document."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, Field

from homeagent.service.sse import SERVER_SENT


class Model(BaseModel):
    """A model that can be asked."""

    id: str
    object: Literal["model"]
    created: int
    owned_by: str


class Models(BaseModel):
    """All of them: the one."""

    object: Literal["list"]
    data: list[Model]


class CompletionMessage(BaseModel):
    """The answer."""

    role: Literal["assistant"]
    content: str
    refusal: str | None


class Choice(BaseModel):
    """There is one."""

    index: int
    message: CompletionMessage
    finish_reason: Literal["stop"]
    logprobs: Any


class Usage(BaseModel):
    """Tokens of the models that were asked for the answer; none where none was needed."""

    prompt_tokens: int
    completion_tokens: int
    total_tokens: int


class Completion(BaseModel):
    """An answer to a chat."""

    id: str
    object: Literal["chat.completion"]
    created: int = Field(description="Seconds since 1970.")
    model: str
    choices: list[Choice]
    usage: Usage


class CompletionFailure(BaseModel):
    """What went wrong."""

    message: str
    type: Literal["invalid_request_error", "server_error"]
    param: str | None
    code: str


class FailedCompletion(BaseModel):
    """A failure in OpenAI's shape."""

    error: CompletionFailure


CHUNKS: dict[str, Any] = {
    "content": {
        "text/event-stream": {
            "schema": SERVER_SENT,
            "example": 'data: {"object": "chat.completion.chunk", "choices": […], …}\n\ndata: [DONE]\n\n',
        }
    },
    "description": "An answer to a chat; with `stream`, the chunks of it as server-sent events.",
}
"""What is answered where a stream is asked for."""
