"""litellm, in a child process: importing it takes seconds and stalls an event loop.

Everything that differs between providers and litellm's releases ends here: what leaves are plain values and the
project's own errors.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any

from homeagent.brains.llm.provider_words import quota_used_up, retry_after
from homeagent.brains.llm.provider_words import words as words_of
from homeagent.errors import (
    LlmAuthError,
    LlmError,
    LlmNotFound,
    LlmQuotaUsedUp,
    LlmRateLimited,
    LlmRefused,
    LlmTimeout,
    LlmUnavailable,
)
from indexer.errors import LIBRARY_ERRORS

NO_KEY = "none-needed"
"""litellm refuses to send a request without any key, also to servers that want none."""
LONGEST_GAP = 20.0
"""Seconds between two pieces of an answer after which its stream counts as stalled."""
_KEPT_OPEN = 240.0
"""Seconds that a connection waits for the next request."""
_CONNECTING = 10.0
_TAKE_A_CLIENT = ("anthropic/", "gemini/", "ollama_chat/")
_ADDRESSES = {
    "openai": "https://api.openai.com",
    "anthropic": "https://api.anthropic.com",
    "gemini": "https://generativelanguage.googleapis.com",
}
"""Where providers are of which litellm tells no address."""
_REFUSE_EMPTY_TEXT = ("gemini/", "vertex_ai/", "bedrock/")
"""Providers that refuse an empty text beside a tool call, where others' templates cannot take null."""


def make() -> LiteLlm:
    """What `ChildProcess` calls in the child."""
    return LiteLlm()


class LiteLlm:
    """litellm as we use it: no telemetry, no downloads, no retries of its own (ours are outside, and counted once)."""

    def __init__(self) -> None:
        # Set before the import, which otherwise fetches a price list in the background.
        os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
        os.environ.setdefault("LITELLM_LOG", "ERROR")
        import litellm

        litellm.telemetry = False
        litellm.drop_params = True
        litellm.modify_params = True
        litellm.suppress_debug_info = True
        for name in ("LiteLLM", "LiteLLM Router", "LiteLLM Proxy"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
        self._litellm: Any = litellm
        self._handler: Any = None
        self._session: Any = None

    def window(self, model: str) -> int | None:
        """Tokens that the model takes in all; None where litellm does not know it."""
        try:
            info: Mapping[str, Any] = self._litellm.get_model_info(model)
        except Exception:  # noqa: BLE001  litellm raises a bare Exception for a model it does not know
            return None
        return info.get("max_input_tokens") or info.get("max_tokens")

    def prices(self, model: str) -> dict[str, float] | None:
        """US dollars a token, for ``prompt``, ``cached`` and ``completion``; None: no price is known."""
        try:
            known: Mapping[str, Any] = self._litellm.get_model_info(model)
        except Exception:  # noqa: BLE001  as in `window`
            return None
        if (prompt := known.get("input_cost_per_token")) is None:
            return None
        return {
            "prompt": float(prompt),
            "cached": float(known.get("cache_read_input_token_cost") or prompt),
            "completion": float(known.get("output_cost_per_token") or 0.0),
        }

    async def warm(self, request: dict[str, Any]) -> None:
        """Load what litellm loads with a first request, and open a connection to the provider, which the first request
        uses. No request to a model is sent.

        Fails in silence: a request that is meant tells what is wrong.
        """
        with contextlib.suppress(*LIBRARY_ERRORS, self._litellm.exceptions.openai.OpenAIError):
            await self._litellm.acompletion(**self._arguments(request), mock_response="ready")
        address = str(request.get("base_url") or self._address_of(str(request["model"])))
        with contextlib.suppress(OSError, TimeoutError, ValueError, *LIBRARY_ERRORS):
            async with asyncio.timeout(_CONNECTING):
                await self._connections().client.head(address)

    def _address_of(self, model: str) -> str:
        _, provider, _, base = self._litellm.get_llm_provider(model)
        return str(base or _ADDRESSES.get(provider, ""))

    def _connections(self) -> Any:
        """What keeps connections open from one request to the next. Made in the event loop that uses it."""
        if self._handler is None:
            import aiohttp
            from litellm.llms.custom_httpx.http_handler import AsyncHTTPHandler

            self._session = aiohttp.ClientSession(connector=aiohttp.TCPConnector(keepalive_timeout=_KEPT_OPEN))
            self._handler = AsyncHTTPHandler(shared_session=self._session)
        return self._handler

    async def complete(self, request: dict[str, object]) -> dict[str, Any]:
        """One answer. ``request`` holds litellm's arguments; raises an `LlmError`."""
        try:
            response = await self._litellm.acompletion(**self._arguments(request))
            message = response.choices[0].message
            calls = [
                {"id": c.id, "name": c.function.name, "arguments": _as_text(c.function.arguments)}
                for c in message.tool_calls or ()
            ]
            return self._reply(message.content or "", calls, response)
        except self._litellm.exceptions.openai.OpenAIError as error:
            raise self._error(error, request) from None
        except LIBRARY_ERRORS as error:
            raise _fault(error, request) from None

    async def stream(self, request: dict[str, Any]) -> AsyncIterator[dict[str, Any]]:
        """One answer as it is made: ``{"begun": True}``, ``{"text": piece}`` …, ``{"reply": …}``.

        An error after ``begun`` is that of a broken stream. Raises an `LlmError`.
        """
        arguments = self._arguments(request) | {"stream": True, "stream_options": {"include_usage": True}}
        try:
            response = await self._litellm.acompletion(**arguments)
            yield {"begun": True}
            gathered = _Gathered()
            async for chunk in _with_gaps(response, request.get("timeout") or 60.0):
                if piece := gathered.take(chunk):
                    yield {"text": piece}
            reply = self._reply(gathered.text, gathered.calls(), gathered)
        except TimeoutError:
            raise LlmTimeout("The language model's stream stalled.") from None
        except self._litellm.exceptions.openai.OpenAIError as error:
            raise self._error(error, request) from None
        except LIBRARY_ERRORS as error:
            raise _fault(error, request) from None
        if not gathered.finished:
            raise LlmUnavailable("The language model's stream ended before its answer did.")
        yield {"reply": reply}

    def _arguments(self, request: dict[str, Any]) -> dict[str, object]:
        connections = self._connections()
        arguments = {"max_retries": 0, "num_retries": 0, "shared_session": self._session, **request}
        if str(request["model"]).startswith(_TAKE_A_CLIENT):  # they do not take the session
            arguments["client"] = connections
        if str(arguments["model"]).startswith(_REFUSE_EMPTY_TEXT):
            arguments["messages"] = [_without_empty_text(message) for message in arguments["messages"]]
        if wants_marks(str(request["model"])):
            arguments["messages"] = marked(arguments["messages"])
            if arguments.get("tools"):
                arguments["tools"] = marked_tools(arguments["tools"])
        if not arguments.get("api_key") and not self._key_in_environment(arguments):
            arguments["api_key"] = NO_KEY
        return arguments

    def _key_in_environment(self, arguments: Mapping[str, object]) -> bool:
        if arguments.get("base_url"):
            return False
        return bool(self._litellm.validate_environment(arguments["model"]).get("keys_in_environment"))

    def _reply(self, text: str, calls: list[dict[str, str]], response: object) -> dict[str, object]:
        usage = getattr(response, "usage", None)
        details = getattr(usage, "prompt_tokens_details", None)
        return {
            "text": text,
            "calls": calls,
            "tokens": {
                "prompt": getattr(usage, "prompt_tokens", 0) or 0,
                "completion": getattr(usage, "completion_tokens", 0) or 0,
                "cached": getattr(details, "cached_tokens", 0) or 0,
            },
            "cost": self._cost(response, usage),
        }

    def _cost(self, response: Any, usage: Any) -> float | None:
        hidden = getattr(response, "_hidden_params", None) or {}
        if (cost := hidden.get("response_cost")) is not None:
            return float(cost)
        model = getattr(response, "model", None)
        if usage is None or model not in self._litellm.model_cost:
            return None
        prices = self._litellm.model_cost[model]
        return float(
            (usage.prompt_tokens or 0) * (prices.get("input_cost_per_token") or 0)
            + (usage.completion_tokens or 0) * (prices.get("output_cost_per_token") or 0)
        )

    def _error(self, error: Exception, request: Mapping[str, object]) -> LlmError:
        e = self._litellm.exceptions
        cause = getattr(error, "original_exception", None)
        words = words_of(error, str(request.get("api_key") or ""))
        if isinstance(error, e.Timeout) or isinstance(cause, e.Timeout | TimeoutError):
            return LlmTimeout("The language model did not answer in time.")
        if quota_used_up(error):
            return LlmQuotaUsedUp(f"The credit or quota of the language model's account is used up: {words}")
        if isinstance(error, e.RateLimitError):
            wait = retry_after(error)
            return LlmRateLimited(f"The language model's rate limit is reached: {words}", retry_after=wait)
        forbidden = getattr(error, "status_code", None) == 403  # of some providers a bare APIError
        if forbidden or isinstance(error, e.AuthenticationError | e.PermissionDeniedError):
            return LlmAuthError(f"The language model's provider does not accept the key: {words}")
        if isinstance(error, e.ContextWindowExceededError):
            return LlmRefused(f"The request is larger than the model takes: {words}", hint="Set `llm.context_window`.")
        if isinstance(error, e.NotFoundError):
            return LlmNotFound(f"The language model was not found: {words}")
        if isinstance(error, e.BadRequestError):
            return LlmRefused(f"The language model's provider refused the request: {words}")
        return LlmUnavailable(f"The language model cannot be reached: {words}")


class _Gathered:
    """A stream put together. Tool calls come in pieces: only the first of each carries id and name, so pieces belong
    together by their index."""

    def __init__(self) -> None:
        self.text = ""
        self.usage: Any = None
        self.model: str | None = None
        self.finished = False
        self._calls: dict[int, dict[str, str]] = {}

    def take(self, chunk: Any) -> str:
        """Note a chunk; the text in it."""
        self.model = getattr(chunk, "model", None) or self.model
        self.usage = getattr(chunk, "usage", None) or self.usage
        if not chunk.choices:  # the usage comes alone
            return ""
        choice = chunk.choices[0]
        self.finished = self.finished or choice.finish_reason is not None
        for delta in choice.delta.tool_calls or ():
            self._take_call(delta)
        piece: str = choice.delta.content or ""
        self.text += piece
        return piece

    def calls(self) -> list[dict[str, str]]:
        return [call for _, call in sorted(self._calls.items()) if call["name"]]

    def _take_call(self, delta: Any) -> None:
        # Some servers send whole calls and no index: a new id is a new call then.
        index = delta.index if delta.index is not None else len(self._calls)
        call = self._calls.get(index)
        if call is not None and delta.id and call["id"] and delta.id != call["id"]:
            index = max(self._calls) + 1
            call = None
        if call is None:
            call = self._calls[index] = {"id": "", "name": "", "arguments": ""}
        call["id"] = call["id"] or delta.id or ""
        call["name"] = call["name"] or delta.function.name or ""
        call["arguments"] += _as_text(delta.function.arguments)


async def _with_gaps(chunks: AsyncIterator[object], first: float) -> AsyncIterator[object]:
    """The chunks; TimeoutError where the next takes too long. The first may take as long as a whole answer."""
    gap = first
    iterator = aiter(chunks)
    while True:
        try:
            async with asyncio.timeout(gap):
                chunk = await anext(iterator)
        except StopAsyncIteration:
            return
        yield chunk
        gap = min(first, LONGEST_GAP)


def _without_empty_text(message: dict[str, object]) -> dict[str, object]:
    return {**message, "content": None} if message.get("tool_calls") and not message.get("content") else message


def _as_text(arguments: object) -> str:
    """Arguments as JSON text: some providers give a dict, some nothing."""
    if arguments is None:
        return ""
    return arguments if isinstance(arguments, str) else json.dumps(arguments)


def _fault(error: Exception, request: Mapping[str, object]) -> LlmError:
    words = words_of(error, str(request.get("api_key") or ""))
    return LlmError(f"litellm did not understand the answer ({type(error).__name__}: {words})")


_MARK = {"type": "ephemeral"}
_CLAUDE = ("anthropic/", "claude", "bedrock/anthropic", "bedrock/converse/anthropic", "vertex_ai/claude")
_ROUTED = ("openrouter/anthropic/",)


def wants_marks(model: str) -> bool:
    """Whether the provider caches what is marked only: Anthropic's models. OpenAI, Gemini and local servers find it out
    themselves."""
    return model.startswith(_CLAUDE + _ROUTED) or (model.startswith("bedrock/") and ".anthropic." in model)


def marked(messages: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The messages with three marks, with that of the tools as many as Anthropic takes: behind the fixed part, behind
    the past turns, and at the end, for the next round of the same turn."""
    copies = [dict(message) for message in messages]
    last_user = max((n for n, message in enumerate(copies) if message["role"] == "user"), default=0)
    for place in {0, last_user - 1, len(copies) - 1} & set(range(len(copies))):
        copies[place] = _with_mark(copies[place])
    return copies


def marked_tools(tools: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The tools, the last one with a mark: they are kept though the text behind them changes."""
    return [*map(dict, tools[:-1]), *({**tool, "cache_control": _MARK} for tool in tools[-1:])]


def _with_mark(message: dict[str, Any]) -> dict[str, Any]:
    """Marks are on blocks of content; a tool's result carries its own. What has no content has no place for one."""
    if message["role"] == "tool":
        return {**message, "cache_control": _MARK}
    if not message.get("content"):
        return message
    return {**message, "content": [{"type": "text", "text": message["content"], "cache_control": _MARK}]}
