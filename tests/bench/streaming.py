"""How soon a sentence of a language model is heard once it is judged, and how large a request for one light is."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from subprocess import PIPE, Popen
from typing import Any

import httpx

from homeagent.prompting.token_counting import load_counter
from tests.bench.homes import demo_home
from tests.bench.measure import Times
from tests.bench.serving import RunningService, a_light, running_service, until_warm
from tests.llm_server import Calls, LlmServer, Say, begin_stream, chunk

_TURNS = 40
_GAP = 0.02
"""Seconds between two pieces, as of a model that makes 50 tokens a second."""
_ANSWERS = (
    "The {light} is {state}. The rest is as it was, and nothing else was changed. Shall I look at the other rooms?",
    "That is a nice idea. I would gladly do it, if I only knew how it was meant. Can you tell me more?",
    "I can see the {light}. It is {state} at the moment, and I have left it alone. Tell me what to do with it.",
)
"""What it says: a claim that is looked up, one that is none, and a mixture."""
_CORE = "ha_control,ha_query"


@dataclass(slots=True)
class ScriptedStream:
    """A running model. ``sent``: when the first sentence of an answer was whole, by `time.monotonic`; ``requests``:
    what it was asked."""

    url: str
    sent: list[float] = field(default_factory=list)
    requests: list[dict[str, Any]] = field(default_factory=list)


def streaming_times(size: int) -> dict[str, Any]:
    """From the piece that makes the model's first sentence whole to that sentence at the client, over HTTP; and tokens
    of a request for one light, with all tools and with the two that act and look alone."""
    with demo_home(size) as home, _model() as model:
        settings = {"HOMEAGENT_LLM__MODEL": "openai/scripted", "HOMEAGENT_LLM__BASE_URL": model.url}
        settings |= {"HOMEAGENT_LLM__API_KEY": "sk-scripted", "HOMEAGENT_AGENT__BRAIN": "llm"}
        with tempfile.TemporaryDirectory() as folder, running_service(home, Path(folder), settings) as service:
            until_warm(service, time.monotonic())
            light = a_light(home)
            times = Times()
            _heard(service, light)  # language files are read once
            for _ in range(_TURNS):
                model.sent.clear()
                heard = _heard(service, light)
                times.ms.append((heard - model.sent[0]) * 1000)
            whole = _tokens(model.requests[0])
        with tempfile.TemporaryDirectory() as folder:
            model.requests.clear()
            with running_service(home, Path(folder), settings | {"HOMEAGENT_AGENT__TOOLS": _CORE}) as service:
                until_warm(service, time.monotonic())
                _heard(service, light)
            core = _tokens(model.requests[0])
    return {
        "entities": size,
        "sentence_whole_to_sentence_heard": str(times),
        "over_30_ms": sum(ms > 30 for ms in times.ms),
        "tokens_of_a_request_for_one_light": whole,
        "with_ha_control_and_ha_query_alone": core,
    }


def _heard(service: RunningService, light: str) -> float:
    """When the first sentence of the answer was there."""
    headers = {"Authorization": f"Bearer {service.token}"}
    asked = {"text": f"make the {light} a little cosier", "stream": True}
    heard = 0.0
    with httpx.stream("POST", f"{service.url}/api/services/process", json=asked, headers=headers, timeout=60) as answer:
        for line in answer.iter_lines():
            if line == "event: delta" and not heard:
                heard = time.monotonic()
    assert heard, "nothing was streamed"
    return heard


def _tokens(request: dict[str, Any]) -> dict[str, int]:
    count = load_counter()
    tools = count(json.dumps(request["tools"], separators=(",", ":"), ensure_ascii=False))
    messages = [count(message["content"]) for message in request["messages"]]
    return {"whole": tools + sum(messages), "tools": tools, "system": messages[0], "home and sentence": messages[-1]}


@contextlib.contextmanager
def _model() -> Iterator[ScriptedStream]:
    process = Popen([sys.executable, "-m", "tests.bench.streaming"], stdout=PIPE, text=True)
    assert process.stdout is not None
    try:
        model = ScriptedStream(process.stdout.readline().strip())
        threading.Thread(target=_collect, args=(process.stdout, model), daemon=True).start()
        yield model
    finally:
        process.terminate()
        process.wait()


def _collect(lines: Iterator[str], model: ScriptedStream) -> None:
    for line in lines:
        told = json.loads(line)
        if "sent" in told:
            model.sent.append(told["sent"])
        else:
            model.requests.append(told)


class _Paced(LlmServer):
    """Streams a word at a time, and tells when its first sentence was whole: its last word and the next have been
    sent."""

    async def _stream(self, request: dict[str, Any], reply: Say | Calls, writer: asyncio.StreamWriter) -> None:
        print(json.dumps({"messages": request["messages"], "tools": request["tools"]}), flush=True)
        begin_stream(writer)
        words = _about_the_first(request, reply.text).split(" ")
        last = next(n for n, word in enumerate(words) if word.endswith("."))
        for place, word in enumerate(words):
            piece = word if place == 0 else f" {word}"
            await chunk(writer, {"choices": [{"index": 0, "delta": {"content": piece}, "finish_reason": None}]})
            if place == last + 1:
                print(json.dumps({"sent": time.monotonic()}), flush=True)
            await asyncio.sleep(_GAP)
        await chunk(writer, {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
        writer.write(b"data: [DONE]\n\n")
        await writer.drain()


def _about_the_first(request: dict[str, Any], answer: str) -> str:
    """The answer with the name and the state of the first light that the request shows: what it claims is so."""
    asked = next(m["content"] for m in reversed(request["messages"]) if "<home>" in (m["content"] or ""))
    home = asked.partition("<home>")[2]
    line = next(line for line in home.splitlines() if line.startswith("light."))
    _, name, *_, state = line.partition(" | for ")[0].split(" | ")
    return answer.format(light=name.partition(" (also")[0], state=state.partition(",")[0])


async def _serve() -> None:
    async with _Paced() as server:
        server.script(*[Say(_ANSWERS[n % len(_ANSWERS)]) for n in range(10 * _TURNS)])
        print(server.url, flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(_serve())
