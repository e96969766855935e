"""The same conversation in the shapes of several providers: what they are sent, and what comes back."""

from __future__ import annotations

import json
from typing import Any

import pytest

from homeagent.brains.llm.client import Completion, LitellmClient, LlmModel
from homeagent.errors import LlmError
from indexer.process import ChildProcess
from tests.llm_server import LlmServer, Raw, Request, Say

pytestmark = [pytest.mark.slow, pytest.mark.asyncio(loop_scope="session")]

ASKED = {"action": "turn_on", "entity_id": "light.a"}
TOOLS = [
    {
        "type": "function",
        "function": {
            "name": "ha_control",
            "description": "d",
            "parameters": {"type": "object", "properties": {"action": {"type": "string"}}},
        },
    }
]
CALLS = [
    {"id": f"call0000{n}", "type": "function", "function": {"name": "ha_control", "arguments": json.dumps(ASKED)}}
    for n in range(2)
]
CONVERSATION = [
    {"role": "system", "content": "system text"},
    {"role": "user", "content": "both lights"},
    {"role": "assistant", "content": "", "tool_calls": CALLS},
    *({"role": "tool", "tool_call_id": c["id"], "content": f"result {n}"} for n, c in enumerate(CALLS)),
    {"role": "assistant", "content": "Both are on."},
    {"role": "user", "content": "once more"},
]


def lines(*items: dict[str, Any]) -> bytes:
    return b"".join(json.dumps(item).encode() + b"\n" for item in items)


def events(*items: dict[str, Any], named: bool = False) -> bytes:
    heads = [f"event: {item['type']}\n" if named else "" for item in items]
    return "".join(f"{h}data: {json.dumps(i)}\n\n" for h, i in zip(heads, items, strict=True)).encode()


OLLAMA_CALL = {
    "model": "m",
    "created_at": "2026-01-01T00:00:00Z",
    "message": {
        "role": "assistant",
        "content": "",
        "tool_calls": [{"function": {"name": "ha_control", "arguments": ASKED}}],
    },
    "done": True,
    "prompt_eval_count": 10,
    "eval_count": 4,
}
OLLAMA_PART = {**OLLAMA_CALL, "done": False}
OLLAMA_END = {**OLLAMA_CALL, "message": {"role": "assistant", "content": ""}, "done_reason": "stop"}
CLAUDE_USE = {"type": "tool_use", "id": "toolu_1", "name": "ha_control", "input": ASKED}
CLAUDE = {
    "id": "m",
    "type": "message",
    "role": "assistant",
    "model": "c",
    "content": [{"type": "text", "text": "Let me."}, CLAUDE_USE],
    "stop_reason": "tool_use",
    "usage": {"input_tokens": 10, "output_tokens": 7, "cache_read_input_tokens": 5},
}
HALF = len(json.dumps(ASKED)) // 2
CLAUDE_STREAM = (
    {"type": "message_start", "message": {**CLAUDE, "content": [], "stop_reason": None}},
    {"type": "content_block_start", "index": 0, "content_block": {**CLAUDE_USE, "input": {}}},
    *(
        {"type": "content_block_delta", "index": 0, "delta": {"type": "input_json_delta", "partial_json": part}}
        for part in (json.dumps(ASKED)[:HALF], json.dumps(ASKED)[HALF:])
    ),
    {"type": "content_block_stop", "index": 0},
    {"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 7}},
    {"type": "message_stop"},
)
GEMINI = {
    "candidates": [
        {
            "content": {"role": "model", "parts": [{"functionCall": {"name": "ha_control", "args": ASKED}}]},
            "finishReason": "STOP",
            "index": 0,
        }
    ],
    "usageMetadata": {"promptTokenCount": 10, "candidatesTokenCount": 4, "totalTokenCount": 14},
}
PROVIDERS = {
    "ollama/m": (Raw(lines(OLLAMA_CALL)), Raw(lines(OLLAMA_PART, OLLAMA_END), "application/x-ndjson")),
    "anthropic/claude": (Raw(lines(CLAUDE)), Raw(events(*CLAUDE_STREAM, named=True), "text/event-stream")),
    "gemini/gemini-2.5-flash": (Raw(lines(GEMINI)), Raw(events(GEMINI), "text/event-stream")),
}


async def ask(server: LlmServer, child: ChildProcess, model: str, reply: Raw, streamed: bool) -> Completion:
    async def on_text(_piece: str) -> None:
        pass

    server.script(reply)
    base_url = server.url.removesuffix("/v1")
    client = LitellmClient(LlmModel(model, base_url=base_url, timeout=10.0), child)
    return await client.ask(CONVERSATION, TOOLS, on_text if streamed else None)


@pytest.mark.parametrize("model", PROVIDERS)
@pytest.mark.parametrize("streamed", [False, True])
async def test_a_tool_call_comes_back_whole(server: LlmServer, child: ChildProcess, model: str, streamed: bool) -> None:
    completion = await ask(server, child, model, PROVIDERS[model][streamed], streamed)
    (made,) = completion.calls
    assert made.name == "ha_control"
    assert json.loads(made.arguments) == ASKED
    assert made.id
    assert completion.tokens.prompt >= 10


def _ollama(request: Request) -> list[str]:
    return [str(m["content"]) for m in request["messages"] if m["role"] == "tool"]


def _claude(request: Request) -> list[str]:
    blocks = [b for m in request["messages"] for b in m["content"]]
    return [b["content"] for b in blocks if b["type"] == "tool_result"]


def _gemini(request: Request) -> list[str]:
    parts = [p for c in request["contents"] for p in c["parts"]]
    assert not [p for p in parts if p.get("text") == ""]
    return [str(p["function_response"]["response"]) for p in parts if "function_response" in p]


@pytest.mark.parametrize(("model", "results"), list(zip(PROVIDERS, [_ollama, _claude, _gemini], strict=True)))
@pytest.mark.parametrize("streamed", [False, True])
async def test_past_calls_and_the_tools_reach_the_model(
    server: LlmServer, child: ChildProcess, model: str, results: Any, streamed: bool
) -> None:
    await ask(server, child, model, PROVIDERS[model][streamed], streamed)
    (request,) = server.requests
    told = results(request)
    assert ["result 0" in told[0], "result 1" in told[1]] == [True, True]
    assert json.dumps(request).count("ha_control") >= 3


async def test_old_ollama_names_are_served_by_the_api_that_keeps_tools(server: LlmServer, child: ChildProcess) -> None:
    await ask(server, child, "ollama/m", PROVIDERS["ollama/m"][1], True)
    assert server.paths[-1] == "/api/chat"
    assert server.requests[0]["model"] == "m"


@pytest.mark.parametrize("body", [b"{}", b"<html>", b""])
async def test_an_answer_that_is_none_is_a_named_error(server: LlmServer, child: ChildProcess, body: bytes) -> None:
    server.script(Raw(body))
    client = LitellmClient(LlmModel("openai/m", base_url=server.url, timeout=10.0), child)
    with pytest.raises(LlmError):
        await client.ask(CONVERSATION, TOOLS)


def marks(node: Any, path: str = "") -> list[str]:
    """Where a request has marks for the provider's cache."""
    if isinstance(node, list):
        return [found for place, item in enumerate(node) for found in marks(item, f"{path}/{place}")]
    if not isinstance(node, dict):
        return []
    own = [path] if node.get("cache_control") == {"type": "ephemeral"} else []
    return own + [found for key, item in node.items() for found in marks(item, f"{path}/{key}")]


@pytest.mark.parametrize("streamed", [False, True])
async def test_anthropic_is_told_what_to_keep_in_its_cache(
    server: LlmServer, child: ChildProcess, streamed: bool
) -> None:
    await ask(server, child, "anthropic/claude", PROVIDERS["anthropic/claude"][streamed], streamed)
    (request,) = server.requests
    assert request["system"][0]["text"] == "system text"
    # The tools; the fixed part; the past turns; the end. Four are the most that it takes.
    tools = f"/tools/{len(request['tools']) - 1}"
    assert sorted(marks(request)) == ["/messages/3/content/0", "/messages/4/content/0", "/system/0", tools]
    assert request["messages"][3]["content"][0]["text"] == "Both are on."
    assert request["messages"][4]["content"][0]["text"] == "once more"


async def test_the_next_round_finds_the_last_one_in_the_cache(server: LlmServer, child: ChildProcess) -> None:
    server.script(PROVIDERS["anthropic/claude"][0])
    model = LlmModel("anthropic/claude", base_url=server.url.removesuffix("/v1"), timeout=10.0)
    await LitellmClient(model, child).ask(CONVERSATION[:5], TOOLS)
    (request,) = server.requests
    found = marks(request)
    assert "/system/0" in found
    assert any(path.startswith("/messages/2/content/") for path in found)  # the tools' results, the last message
    assert len(found) <= 4


@pytest.mark.parametrize("model", ["gemini/gemini-2.5-flash", "ollama/m"])
async def test_who_finds_out_itself_is_sent_no_marks(server: LlmServer, child: ChildProcess, model: str) -> None:
    await ask(server, child, model, PROVIDERS[model][0], streamed=False)
    assert marks(server.requests[0]) == []


async def test_openai_is_sent_no_marks(server: LlmServer, child: ChildProcess) -> None:
    server.script(Say("hi"))
    await LitellmClient(LlmModel("openai/m", base_url=server.url, timeout=10.0), child).ask(CONVERSATION, TOOLS)
    assert marks(server.requests[0]) == []
