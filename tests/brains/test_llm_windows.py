"""How much a model takes, as its server tells, and what is ready before the first sentence; on the wire."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

from homeagent.brains.llm.client import LlmModel
from homeagent.brains.llm.language_model import LanguageModel, LlmOptions
from homeagent.brains.llm.profile import DEFAULT_WINDOW, Profile, Window, too_small, window_of
from homeagent.events import Emitter
from homeagent.ha.home import Home
from indexer.process import ChildProcess
from tests.llm_server import HEAD, LlmServer, Raw, Say

LOOP = {"loop_scope": "session"}
CHAT = Raw(
    b'{"model":"m","created_at":"2026-01-01T00:00:00Z","message":{"role":"assistant","content":"Hi."},"done":true,'
    b'"prompt_eval_count":10,"eval_count":4}'
)
TOOLS = [
    {
        "type": "function",
        "function": {
            "name": "ha_control",
            "description": "word " * 1500,
            "parameters": {"type": "object", "properties": {"action": {"type": "string"}}},
        },
    }
]


def ollama(window: int | None = None, **options: Any) -> Profile:
    return Profile("near", LlmModel("ollama/m", section="models.near", options=options), window=window)


@pytest.mark.parametrize(
    ("profile", "known", "served", "tokens", "named"),
    [
        (ollama(), 131072, None, DEFAULT_WINDOW, ""),
        (ollama(), 4096, None, 4096, ""),
        (ollama(), None, None, DEFAULT_WINDOW, ""),
        (ollama(16384), 131072, None, 16384, ""),
        (ollama(16384, num_ctx=2048), 131072, None, 2048, ""),
        (ollama(65536), 32768, None, 32768, "`models.near.context_window` is 65536"),
        (ollama(num_ctx=65536), 32768, None, 32768, "`models.near.options.num_ctx` is 65536"),
        (ollama(), 131072, 4096, 4096, "a window of 4096 tokens, though 8192"),
        (Profile("llm", LlmModel("gpt-4o-mini")), 128000, None, 128000, ""),
        (Profile("llm", LlmModel("openai/unknown")), None, None, DEFAULT_WINDOW, ""),
        (Profile("llm", LlmModel("openai/unknown"), window=4096), None, None, 4096, ""),
    ],
)
def test_the_window_that_counts(profile: Profile, known: int, served: int, tokens: int, named: str) -> None:
    window = window_of(profile, known, served)
    assert window.tokens == tokens
    assert named in window.problem if named else not window.problem


def test_a_window_that_is_too_small_is_told_by_the_name_of_its_setting() -> None:
    assert "`models.near.context_window`" in too_small(ollama(4096), Window(4096), 5000)
    assert "`models.near.options.num_ctx`" in too_small(ollama(num_ctx=4096), Window(4096), 5000)
    assert too_small(ollama(4096), Window(4096), 4096) == ""


@pytest_asyncio.fixture(**LOOP)
async def own_server() -> AsyncIterator[LlmServer]:
    async with LlmServer() as server:
        yield server


def language_model(server: LlmServer, child: ChildProcess, model: str, **more: Any) -> LanguageModel:
    base_url = server.url.removesuffix("/v1") if model.startswith("ollama") else server.url
    asked = LlmModel(model, base_url=base_url, timeout=10.0, max_tokens=256, section="models.near")
    options = LlmOptions(entity_tokens=100, memory_tokens=0, history_tokens=0)
    made = LanguageModel([Profile("near", asked, **more)], Home(), lambda _: TOOLS, Emitter(), options, child=child)
    made.start()
    return made


@pytest.mark.slow
@pytest.mark.asyncio(**LOOP)
async def test_ollama_is_asked_for_its_window_loads_the_model_and_is_told_it_with_each_request(
    own_server: LlmServer, child: ChildProcess
) -> None:
    own_server.ollama["/api/show"] |= {"model_info": {"qwen3.context_length": 40960, "qwen3.block_count": 28}}
    own_server.ollama["/api/ps"] = {"models": [{"model": "m:latest", "context_length": 8192}]}
    made = language_model(own_server, child, "ollama/m")
    await made.loaded()
    loaded = [request for path, request in own_server.asked_of_ollama if path == "/api/generate"]
    assert loaded == [{"model": "m", "options": {"num_ctx": 8192}, "stream": False}]  # no prompt: no token
    assert [path for path, _ in own_server.asked_of_ollama].count("/api/show") == 1
    assert own_server.requests == []
    own_server.script(CHAT)
    await made.ask([{"role": "user", "content": "hi"}], TOOLS)
    assert own_server.requests[0]["options"]["num_ctx"] == 8192
    assert made.context.budget.window == 8192
    (status,) = made.status()
    assert (status.window, status.problem) == (8192, "")


@pytest.mark.slow
@pytest.mark.asyncio(**LOOP)
async def test_a_server_that_cuts_is_told_of(
    own_server: LlmServer, child: ChildProcess, caplog: pytest.LogCaptureFixture
) -> None:
    own_server.ollama["/api/show"] |= {"model_info": {"llama.context_length": 2048}}
    made = language_model(own_server, child, "ollama_chat/m", window=2048)
    await made.loaded()
    (status,) = made.status()
    assert status.window == made.context.budget.window == 2048
    assert "`models.near.context_window`: the window of 2048 tokens is too small" in status.problem
    assert status.problem in caplog.text


@pytest.mark.slow
@pytest.mark.asyncio(**LOOP)
@pytest.mark.parametrize("model", ["openai/m", "anthropic/claude-x"])
async def test_the_first_request_finds_its_connection_open_and_no_token_was_spent(
    own_server: LlmServer, child: ChildProcess, model: str
) -> None:
    made = language_model(own_server, child, model)
    await made.loaded()
    assert made.ready
    assert own_server.paths == [HEAD]
    assert own_server.requests == []
    claude = Raw(
        b'{"id":"m","type":"message","role":"assistant","model":"c","content":[{"type":"text","text":"Hi."}],'
        b'"stop_reason":"end_turn","usage":{"input_tokens":1,"output_tokens":1}}'
    )
    own_server.script(claude if model.startswith("anthropic") else Say("Hi."))
    assert (await made.ask([{"role": "user", "content": "hi"}])).text == "Hi."
    assert own_server.connections == 1


@pytest.mark.slow
@pytest.mark.asyncio(**LOOP)
async def test_where_it_is_set_the_fixed_part_is_in_the_cache_before_the_first_sentence(
    own_server: LlmServer, child: ChildProcess
) -> None:
    own_server.script(Say("x"))
    made = language_model(own_server, child, "openai/m", warm_up=True)
    await made.loaded()
    (request,) = own_server.requests
    assert request["max_tokens"] == 1
    assert request["tools"] == TOOLS
    assert request["messages"][0] == made.context.front()
