"""A scripted server that speaks the OpenAI protocol in real bytes, good and bad.

It knows no home: what it calls tools with, it takes out of the request that it received, as a model must.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

Request = dict[str, Any]
HEAD = "HEAD"
Arguments = dict[str, Any] | str | Callable[[Request], dict[str, Any]]


@dataclass(frozen=True)
class Say:
    """Answers with words."""

    text: str


@dataclass(frozen=True)
class Call:
    """One tool call; arguments may be worked out from the request, or be any text."""

    name: str
    arguments: Arguments


@dataclass(frozen=True)
class Calls:
    """Answers with tool calls, streamed in pieces that take turns. ``ids`` False leaves them without ids."""

    calls: tuple[Call, ...]
    text: str = ""
    ids: bool = True


@dataclass(frozen=True)
class Fails:
    """Answers with an error status."""

    status: int
    message: str = "no"
    headers: tuple[tuple[str, str], ...] = ()
    code: str | None = None


@dataclass(frozen=True)
class Breaks:
    """A stream that says ``text`` and then is cut (or, with ``stall``, silent for so many seconds).

    ``clean``: the stream ends as if it were whole, but for its last chunks. Where no stream is wanted the connection is
    closed without an answer.
    """

    text: str
    stall: float = 0.0
    clean: bool = False


@dataclass(frozen=True)
class Raw:
    """Another provider's own bytes."""

    body: bytes
    content_type: str = "application/json"


@dataclass(frozen=True)
class Silent:
    """Takes the request and answers nothing, until the client leaves."""


Reply = Say | Calls | Fails | Breaks | Raw | Silent


def calls(*made: Call, text: str = "", ids: bool = True) -> Calls:
    return Calls(made, text, ids)


def call(name: str, arguments: Arguments) -> Calls:
    return Calls((Call(name, arguments),))


def shown_ids(request: Request, domain: str = "") -> list[str]:
    """The entity ids that the last message with a home in it shows, in its order."""
    blocks = [m["content"] for m in request["messages"] if m["role"] == "user" and "<home>" in m["content"]]
    home = blocks[-1].partition("<home>")[2].partition("</home>")[0] if blocks else ""
    return [i for i in re.findall(r"^([a-z_]+\.[a-z0-9_]+) \|", home, re.M) if i.startswith(domain)]


class LlmServer:
    """Answers each request with the next reply of its script; a request too many fails."""

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.keys: list[str | None] = []
        self.paths: list[str] = []
        self._script: list[Reply] = []
        self._server: asyncio.Server | None = None
        self.connections = 0
        self.ollama: dict[str, dict[str, Any]] = {
            "/api/show": {"template": "{{ .Tools }}", "capabilities": ["tools"]},
            "/api/ps": {"models": []},
            "/api/generate": {"done": True, "done_reason": "load"},
        }
        """What it answers as an Ollama server, beside chats."""
        self.asked_of_ollama: list[tuple[str, Request]] = []
        self.open_streams = 0
        self.waiting = 0
        """Requests whose clients are there still, without an answer."""
        self.usage: dict[str, Any] = {
            "prompt_tokens": 100,
            "completion_tokens": 10,
            "total_tokens": 110,
            "prompt_tokens_details": {"cached_tokens": 60},
        }

    @property
    def url(self) -> str:
        assert self._server is not None
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}/v1"

    def script(self, *replies: Reply) -> None:
        """What to answer from now on; what had been asked before is forgotten."""
        self._script = list(replies)
        self.requests.clear()
        self.keys.clear()

    @property
    def left(self) -> int:
        """Replies that nobody asked for."""
        return len(self._script)

    async def __aenter__(self) -> LlmServer:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            request = await self._read(reader)
            while self.paths[-1] == HEAD:  # a connection is opened ahead; the request comes by it
                writer.write(b"HTTP/1.1 404 x\r\nContent-Length: 0\r\n\r\n")
                request = await self._read(reader)
            await self._answer(request, reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    async def _read(self, reader: asyncio.StreamReader) -> Request:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        if head.startswith(HEAD):
            self.paths.append(HEAD)
            return {}
        self.paths.append(head.split()[1])
        headers = {k.lower(): v.strip() for k, _, v in (line.partition(":") for line in head.splitlines()[1:])}
        body = await reader.readexactly(int(headers.get("content-length", 0)))
        request: Request = json.loads(body) if body else {}
        if head.split()[1] in self.ollama:  # what a model can, and its loading; no part of a script
            self.asked_of_ollama.append((head.split()[1], request))
            return request
        self.requests.append(request)
        self.keys.append(headers.get("authorization"))
        return request

    async def _answer(self, request: Request, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.paths[-1] in self.ollama:
            return await _send(writer, 200, self.ollama[self.paths[-1]])
        reply: Reply = self._script.pop(0) if self._script else Fails(400, "the script of this server is at its end")
        if isinstance(reply, Fails):
            await _send_error(writer, reply)
        elif isinstance(reply, Raw):
            await _send(writer, 200, reply.body, content_type=reply.content_type)
        elif isinstance(reply, Silent):
            self.waiting += 1
            try:
                await reader.read(1)  # nothing comes but the client's leaving
            finally:
                self.waiting -= 1
        elif isinstance(reply, Breaks):
            await self._break(request, reply, reader, writer)
        elif request.get("stream"):
            await self._stream(request, reply, writer)
        else:
            await _send(writer, 200, {**_frame("chat.completion"), **self._whole(request, reply)})
        return None

    def _whole(self, request: Request, reply: Say | Calls) -> dict[str, Any]:
        message: dict[str, Any] = {"role": "assistant", "content": reply.text or None}
        if isinstance(reply, Calls):
            message["tool_calls"] = [
                {
                    "id": _call_id(n, reply),
                    "type": "function",
                    "function": {"name": c.name, "arguments": _json(c, request)},
                }
                for n, c in enumerate(reply.calls)
            ]
        finish = "tool_calls" if isinstance(reply, Calls) else "stop"
        return {"choices": [{"index": 0, "message": message, "finish_reason": finish}], "usage": self.usage}

    async def _stream(self, request: Request, reply: Say | Calls, writer: asyncio.StreamWriter) -> None:
        self.open_streams += 1
        try:
            begin_stream(writer)
            for delta in _deltas(request, reply):
                await chunk(writer, {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]})
            finish = "tool_calls" if isinstance(reply, Calls) else "stop"
            await chunk(writer, {"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]})
            if request.get("stream_options", {}).get("include_usage"):
                await chunk(writer, {"choices": [], "usage": self.usage})
            writer.write(b"data: [DONE]\n\n")
            await writer.drain()
        finally:
            self.open_streams -= 1

    async def _break(
        self, request: Request, reply: Breaks, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        if not request.get("stream"):
            return
        begin_stream(writer, length=None if reply.clean else 100_000)  # a length that is never reached
        self.open_streams += 1
        try:
            for piece in _pieces(reply.text):
                await chunk(writer, {"choices": [{"index": 0, "delta": {"content": piece}, "finish_reason": None}]})
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(reader.read(1), reply.stall)  # nothing comes but the client's leaving
        finally:
            self.open_streams -= 1


def _deltas(request: Request, reply: Say | Calls) -> Sequence[dict[str, Any]]:
    text = [{"content": piece} for piece in _pieces(reply.text)]
    if isinstance(reply, Say):
        return [{"role": "assistant", "content": ""}, *text]
    heads = [
        {"index": n, "id": _call_id(n, reply), "type": "function", "function": {"name": c.name, "arguments": ""}}
        for n, c in enumerate(reply.calls)
    ]
    bodies = [[(n, piece) for piece in _pieces(_json(c, request), 5)] for n, c in enumerate(reply.calls)]
    turns = max((len(b) for b in bodies), default=0)
    mixed = [b[turn] for turn in range(turns) for b in bodies if turn < len(b)]
    parts = [{"index": n, "function": {"arguments": piece}} for n, piece in mixed]
    return [*text, *({"tool_calls": [part]} for part in (*heads, *parts))]


def _json(made: Call, request: Request) -> str:
    arguments = made.arguments(request) if callable(made.arguments) else made.arguments
    return arguments if isinstance(arguments, str) else json.dumps(arguments)


def _call_id(number: int, reply: Calls) -> str | None:
    return f"call_{number}" if reply.ids else None


def _pieces(text: str, size: int = 4) -> list[str]:
    return [text[i : i + size] for i in range(0, len(text), size)]


def _frame(kind: str) -> dict[str, Any]:
    return {"id": "chatcmpl-1", "object": kind, "created": 1, "model": "scripted"}


def begin_stream(writer: asyncio.StreamWriter, length: int | None = None) -> None:
    """The head of a stream."""
    sized = f"Content-Length: {length}\r\n" if length else ""
    head = f"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n{sized}Connection: close\r\n\r\n"
    writer.write(head.encode())


async def chunk(writer: asyncio.StreamWriter, data: dict[str, Any]) -> None:
    """A piece of a stream."""
    writer.write(b"data: " + json.dumps({**_frame("chat.completion.chunk"), **data}).encode() + b"\n\n")
    await writer.drain()


async def _send_error(writer: asyncio.StreamWriter, reply: Fails) -> None:
    body = {"error": {"message": reply.message, "type": "error", "code": reply.code}}
    await _send(writer, reply.status, body, reply.headers)


async def _send(
    writer: asyncio.StreamWriter,
    status: int,
    body: dict[str, Any] | bytes,
    headers: Sequence[tuple[str, str]] = (),
    content_type: str = "application/json",
) -> None:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    more = "".join(f"{name}: {value}\r\n" for name, value in headers)
    head = f"HTTP/1.1 {status} x\r\nContent-Type: {content_type}\r\nContent-Length: {len(data)}\r\n{more}"
    writer.write(f"{head}Connection: close\r\n\r\n".encode() + data)
    await writer.drain()
