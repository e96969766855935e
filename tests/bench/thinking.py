"""A language model that thinks, for as long as what it is asked about decides: later questions are answered earlier.

In a process of its own. It tells what it was asked about and, from its own last answer alone, whose conversation it is:
so an answer shows whether its conversation is the right one.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import sys
import zlib
from collections.abc import Iterator
from subprocess import PIPE, Popen
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from homeagent.service.listening import listen, url_of

_ABOUT = re.compile(r"rhyme about (\w+)(?: for (\w+))?")
_MINE = re.compile(r"A rhyme about \w+ by (\w+)\.")
_SHORTEST, _LONGEST = 0.2, 1.5


def sentence(about: str, whose: str = "") -> str:
    """What is said to it; ``whose`` in the first sentence of a conversation."""
    return f"compose a rhyme about {about} for {whose}" if whose else f"compose a rhyme about {about}"


def answer(about: str, whose: str) -> str:
    """What it answers in that conversation."""
    return f"A rhyme about {about} by {whose}."


def seconds(about: str, whose: str) -> float:
    """How long it thinks."""
    return _SHORTEST + (_LONGEST - _SHORTEST) * (zlib.crc32(f"{about} {whose}".encode()) % 1000) / 1000


@contextlib.contextmanager
def thinking_model() -> Iterator[str]:
    """The address of the model, to the end of the block."""
    process = Popen([sys.executable, "-m", "tests.bench.thinking"], stdout=PIPE, text=True)
    assert process.stdout is not None
    try:
        yield process.stdout.readline().strip()
    finally:
        process.terminate()
        process.wait()


async def _complete(request: Request) -> JSONResponse:
    messages: list[dict[str, Any]] = (await request.json())["messages"]
    asked = [found for m in messages if m["role"] == "user" for found in _ABOUT.findall(str(m["content"]))]
    said = [found for m in messages if m["role"] == "assistant" for found in _MINE.findall(str(m["content"]))]
    about, given = asked[-1] if asked else ("nothing", "")
    whose = given or (said[-1] if said else "nobody")
    await asyncio.sleep(seconds(about, whose))
    message = {"role": "assistant", "content": answer(about, whose)}
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    choices = [{"index": 0, "message": message, "finish_reason": "stop"}]
    frame = {"id": "x", "object": "chat.completion", "created": 0, "model": "thinking"}
    return JSONResponse({**frame, "choices": choices, "usage": usage})


def _serve() -> None:
    app = Starlette(routes=[Route("/v1/chat/completions", _complete, methods=["POST"])])
    with listen("127.0.0.1", 0) as listener:
        print(f"{url_of(listener)}/v1", flush=True)
        server = uvicorn.Server(uvicorn.Config(app, log_config=None, access_log=False, lifespan="off"))
        server.run([listener])


if __name__ == "__main__":
    _serve()
