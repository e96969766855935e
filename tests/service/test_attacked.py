"""The service on a real socket, among clients that mean no good: what they may take, and what others still get."""

import asyncio
import contextlib
import errno
import json
import logging
import os
import socket
from collections.abc import AsyncIterator

import httpx
import pytest
from fastapi import FastAPI
from fastapi.responses import Response

from homeagent.access import OWNER, Identity, Scope
from homeagent.service.connections import ConnectionLimits
from homeagent.service.errors import add_handlers
from homeagent.service.listening import Listener, listen, url_of
from homeagent.service.request_guard import Guard
from homeagent.service.serve import Server
from homeagent.service.wrong_tokens import WrongTokens

TOKEN = "right-token"
RIGHT = f"Authorization: Bearer {TOKEN}\r\n"
PLACES = 12


class Place:
    """A service of a few places with short patience; ``release`` lets those go who wait in it."""

    def __init__(self, listener: Listener) -> None:
        self.listener = listener
        self.url = url_of(listener)
        self.port = listener.getsockname()[1]
        self.release = asyncio.Event()

    async def connect(self, said: str = "") -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(said.encode())
        await writer.drain()
        return reader, writer

    async def ask(self) -> httpx.Response:
        """As an honest client does, on a connection of its own."""
        async with httpx.AsyncClient(base_url=self.url, headers={"Authorization": f"Bearer {TOKEN}"}) as http:
            return await http.post("/count", json=[1, 2, 3])


@pytest.fixture
async def place() -> AsyncIterator[Place]:
    api = FastAPI()
    add_handlers(api)

    @api.get("/health")
    async def health() -> dict[str, str]:
        return {"status": "ok"}

    @api.post("/count")
    async def count(fields: list[int]) -> dict[str, int]:
        return {"numbers": len(fields)}

    @api.get("/wait")
    async def wait() -> dict[str, str]:
        await place.release.wait()
        return {"status": "done"}

    @api.get("/much")
    async def much() -> Response:
        return Response(b"x" * 50_000_000)

    async def identify(token: bytes) -> Identity | None:
        return OWNER if token == TOKEN.encode() else None

    guard = Guard(api, identify=identify, needs={"/health": ()} | dict.fromkeys(("/count", "/wait"), (Scope.ASK,)))
    limits = ConnectionLimits(head=0.5, body=0.5, idle=0.5, connections=PLACES)
    closing = asyncio.Event()
    place = Place(listen("127.0.0.1", 0))
    server = asyncio.create_task(Server(guard, limits, place.listener, closing).serve([place.listener]))
    yield place
    place.release.set()
    closing.set()
    await server


@contextlib.asynccontextmanager
async def many(place: Place, count: int, said: str) -> AsyncIterator[list[asyncio.StreamReader]]:
    opened = [await place.connect(said) for _ in range(count)]
    yield [reader for reader, _ in opened]
    for _, writer in opened:
        writer.close()


def _warnings(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]


async def _all(reader: asyncio.StreamReader) -> bytes:
    return await asyncio.wait_for(reader.read(), 10)


@pytest.mark.parametrize(
    "said", ["", "POST /count HTTP/1.1\r\nHost: local", "GET /count HTTP/1.1\r\nHost: localhost\r\n\r\n"]
)
async def test_those_who_only_keep_a_place_keep_nobody_out(
    place: Place, caplog: pytest.LogCaptureFixture, said: str
) -> None:
    async with many(place, 8 * PLACES, said):
        for _ in range(5):
            answer = await place.ask()
            assert answer.json() == {"numbers": 3}
    assert len(_warnings(caplog)) <= 3
    assert any(f"more than {PLACES} at once" in line for line in _warnings(caplog))


async def test_a_request_that_trickles_in_is_ended_and_told_why(place: Place, caplog: pytest.LogCaptureFixture) -> None:
    for begun in (
        "POST /count HTTP/1.1\r\nX: ",
        f"POST /count HTTP/1.1\r\nHost: localhost\r\n{RIGHT}Content-Length: 99\r\n\r\n",
    ):
        reader, writer = await place.connect(begun)
        trickling = asyncio.create_task(_trickle(writer))
        head, _, body = (await _all(reader)).partition(b"\r\n\r\n")
        trickling.cancel()
        assert head.startswith(b"HTTP/1.1 408 Request Timeout\r\n")
        assert b"Connection: close" in head
        assert json.loads(body)["code"] == "too_slow"
    assert len(_warnings(caplog)) == 1  # the second is summed up later


async def _trickle(writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while True:
            writer.write(b"x")
            await writer.drain()
            await asyncio.sleep(0.05)


async def test_a_body_nobody_asked_for_is_not_waited_for(place: Place) -> None:
    reader, writer = await place.connect("POST /count HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\n")
    trickling = asyncio.create_task(_trickle(writer))
    answer = await _all(reader)
    trickling.cancel()
    assert answer.startswith(b"HTTP/1.1 401 ")
    assert answer.count(b"HTTP/1.1") == 1


async def test_a_kept_connection_is_closed_without_a_word_when_nothing_comes(place: Place) -> None:
    reader, _writer = await place.connect("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
    assert (await _all(reader)).endswith(b'{"status":"ok"}')


async def test_one_that_reads_no_answer_is_let_go(place: Place) -> None:
    with socket.create_connection(("127.0.0.1", place.port)) as client:
        client.sendall(f"GET /much HTTP/1.1\r\nHost: localhost\r\n{RIGHT}\r\n".encode())
        await asyncio.sleep(3)  # the buffers fill, and then nothing moves
        client.setblocking(False)
        received = 0
        with contextlib.suppress(ConnectionResetError):
            while piece := await asyncio.wait_for(asyncio.get_running_loop().sock_recv(client, 1 << 20), 10):
                received += len(piece)
        assert received < 50_000_000


async def test_work_is_not_ended_for_a_newcomer_who_is_told(place: Place) -> None:
    async with many(
        place, PLACES, f"GET /wait HTTP/1.1\r\nHost: localhost\r\n{RIGHT}Connection: close\r\n\r\n"
    ) as busy:
        await asyncio.sleep(1)  # longer than any deadline
        answer = await place.ask()
        assert (answer.status_code, answer.json()["code"]) == (503, "too_many_connections")
        place.release.set()
        answers = [await _all(reader) for reader in busy]
    assert all(answer.endswith(b'{"status":"done"}') for answer in answers)
    assert (await place.ask()).status_code == 200


async def test_what_is_no_http_costs_one_line(place: Place, caplog: pytest.LogCaptureFixture) -> None:
    for said in ("\x16\x03\x01nonsense\r\n\r\n", "GET / HTTP/1.1\r\nX: " + "x" * 100_000) * 5:
        reader, _writer = await place.connect(said)
        with contextlib.suppress(ConnectionError):
            assert (await _all(reader)).startswith(b"HTTP/1.1 400 ")
    assert len(_warnings(caplog)) == 1


async def test_small_answers_do_not_wait_for_the_other_side(place: Place) -> None:
    _reader, writer = await place.connect()
    await asyncio.sleep(0.1)
    with _other_end(writer) as at_the_service:
        assert at_the_service.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
    writer.close()


def _other_end(writer: asyncio.StreamWriter) -> socket.socket:
    """The service's socket of a connection: it is in this process, too."""
    for number in os.listdir("/proc/self/fd"):
        with contextlib.suppress(OSError):
            found = socket.socket(fileno=os.dup(int(number)))
            if found.getpeername() == writer.get_extra_info("sockname"):
                return found
            found.close()
    raise AssertionError("there is no such connection")


async def test_wrong_tokens_are_told_once_without_the_token_and_slow_no_right_one(
    place: Place, caplog: pytest.LogCaptureFixture
) -> None:
    guess = (
        "POST /count HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: 1.2.3.4\r\nAuthorization: Bearer guessed\r\n\r\n"
    )
    opened = [await place.connect(guess) for _ in range(PLACES - 2)]
    done, waiting = await asyncio.wait(
        [asyncio.create_task(reader.readuntil(b"unauthorized")) for reader, _ in opened], timeout=0.2
    )
    assert done  # the first few
    assert waiting
    assert (await place.ask()).status_code == 200
    for task in waiting:
        task.cancel()
    for _, writer in opened:
        writer.close()
    (line,) = _warnings(caplog)
    assert "127.0.0.1" in line
    assert "guessed" not in line


async def test_without_a_file_or_one_to_spare_a_newcomer_is_turned_away(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    accept, failures = socket.socket.accept, iter([errno.EMFILE])

    def short_of_files(listener: socket.socket) -> tuple[socket.socket, object]:
        if number := next(failures, None):
            raise OSError(number, "Too many open files")
        return accept(listener)

    monkeypatch.setattr(socket.socket, "accept", short_of_files)
    reader, _writer = await place.connect()
    assert await _all(reader) == b""
    assert (await place.ask()).status_code == 200


def test_an_address_waits_twice_as_long_each_time_and_is_forgotten() -> None:
    now = 100.0
    wrong = WrongTokens(clock=lambda: now)
    assert [wrong.delay("a") for _ in range(10)] == [0, 0, 0, 0.1, 0.2, 0.4, 0.8, 1.6, 2.0, 2.0]
    assert wrong.delay("b") == 0
    now += 61
    assert wrong.delay("a") == 0


def test_many_addresses_take_no_more_memory_than_some() -> None:
    wrong = WrongTokens()
    for number in range(20_000):
        wrong.delay(f"address {number}")
    assert len(wrong._failures) <= 1024
