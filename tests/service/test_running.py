"""A client tells its token to nobody but the service that wrote the file: not to whoever has its port by now."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from homeagent.app import App
from homeagent.client.api_client import ServiceGone, find_answering, running
from homeagent.client.asgi_transport import StreamingAsgiTransport
from homeagent.client.running import PROOF, RunningService, announce, new_nonce, prove
from homeagent.config.loading import Settings
from homeagent.service.api import create_api
from homeagent.service.connections import ConnectionLimits
from homeagent.service.listening import listen, url_of
from homeagent.service.serve import Server
from tests.service.conftest import TOKEN


@asynccontextmanager
async def stranger(proof: str) -> AsyncIterator[tuple[str, list[bytes]]]:
    """Somebody who answers everything with 200 and this proof: its address, and what it was told."""
    told: list[bytes] = []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        told.append(await reader.readuntil(b"\r\n\r\n"))
        body = b'{"status": "ok"}'
        head = f"HTTP/1.1 200 OK\r\n{PROOF}: {proof}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
        writer.write(head.encode() + body)
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", told


@pytest.mark.parametrize("proof", ["", "0" * 64, "über", prove("another secret", "of another time")])
async def test_whoever_has_the_port_is_not_told_the_token(tmp_path: Path, proof: str) -> None:
    async with stranger(proof) as (url, told):
        service = RunningService.of_this_process(url, "the-owners-token")
        announce(tmp_path, service)
        with pytest.raises(ServiceGone, match="not the service"):
            async with running(service):
                pass
        assert await find_answering(Settings(data_dir=tmp_path)) is None
    assert len(told) == 2
    assert not [request for request in told if b"the-owners-token" in request or b"authorization" in request.lower()]


async def test_the_service_proves_who_it_is(app: App) -> None:
    limits, closing, listener = ConnectionLimits(5, 5, 5, 50), asyncio.Event(), listen("127.0.0.1", 0)
    this = RunningService.of_this_process(url_of(listener), TOKEN)
    server = Server(create_api(app, token=TOKEN, secret=this.secret), limits, listener, closing)
    serving = asyncio.create_task(server.serve([listener]))
    async with running(this) as client:
        assert (await client.call("list_memories"))["memories"] == []
    with pytest.raises(ServiceGone):
        async with running(replace(this, secret="of a service before")):
            pass
    closing.set()
    await serving


async def test_only_what_clients_send_is_signed(app: App) -> None:
    transport = StreamingAsgiTransport(create_api(app, token=TOKEN, secret="s"))
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as http:
        nonce = new_nonce()
        assert (await http.get("/health", params={"nonce": nonce})).headers[PROOF] == prove("s", nonce)
        for wrong in ("", "short", "x" * 32, "0" * 33, "0" * 10_000):
            assert PROOF not in (await http.get("/health", params={"nonce": wrong})).headers
