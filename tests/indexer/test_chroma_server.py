"""A Chroma server by URL: used, lost, found again; and servers that are something else."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from indexer.errors import IndexerError, StoreError
from indexer.index import Index, Phase
from indexer.retrieval import Situation
from tests.indexer.index_helpers import home, make_index, until, until_ready


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextlib.asynccontextmanager
async def chroma_server(folder: Path, port: int) -> AsyncIterator[None]:
    chroma = Path(sys.executable).with_name("chroma")
    arguments = ("run", "--path", str(folder), "--host", "127.0.0.1", "--port", str(port))
    process = await asyncio.create_subprocess_exec(
        chroma, *arguments, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL
    )
    try:
        async with asyncio.timeout(60):
            while not await _listens(port):  # noqa: ASYNC110  what is waited for happens in another process
                await asyncio.sleep(0.1)
        yield
    finally:
        process.kill()
        await process.wait()


async def _listens(port: int) -> bool:
    try:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
    except OSError:
        return False
    writer.close()
    return True


@pytest.mark.slow
@pytest.mark.timeout(300)
async def test_a_server_is_used_lost_and_found_again(tmp_path: Path) -> None:
    port = free_port()
    index = make_index(tmp_path, chroma_url=f"http://127.0.0.1:{port}")
    index.put(home())
    try:
        async with chroma_server(tmp_path / "server", port):
            await index.start()
            await until_ready(index)
            assert (await index.sync()).added == len(home())
            assert (await index.sync(force=True)).updated == len(home())
            assert len(await index.store.ids(await entities_of(index))) == len(home())
        with pytest.raises(StoreError):
            await index.store.ids(await entities_of(index))
        assert index.status.phase is Phase.DEGRADED
        assert (await index.retrieve("kettle on", Situation())).entities[0].entity_id == "switch.kettle"
        async with chroma_server(tmp_path / "server", port):
            await until(lambda: index.status.phase is Phase.READY)
            assert (await index.sync()).unchanged == len(home())
    finally:
        await index.stop()


async def entities_of(index: Index) -> str:
    return next(c for c in index._backend.collections if c.startswith("entities-"))


@pytest.mark.slow
@pytest.mark.parametrize("answer", [b"404 Not Found", b"500 Oops", b"200 OK", b"410 Gone"])
async def test_something_else_on_the_port_is_a_named_error(tmp_path: Path, answer: bytes) -> None:
    async def respond(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            await reader.readuntil(b"\r\n\r\n")
            body = b'{"error": "v1 is gone"}'
            writer.write(b"HTTP/1.1 " + answer + b"\r\nContent-Type: application/json\r\nContent-Length: ")
            writer.write(str(len(body)).encode() + b"\r\nConnection: close\r\n\r\n" + body)
            await writer.drain()
        writer.close()

    server = await asyncio.start_server(respond, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    index = make_index(tmp_path, chroma_url=f"http://127.0.0.1:{port}")
    index.put(home())
    await index.start()
    try:
        with pytest.raises(IndexerError, match="Chroma server") as caught:
            await until_ready(index)
        assert caught.value.hint
        assert (await index.retrieve("kettle on", Situation())).entities[0].entity_id == "switch.kettle"
    finally:
        await index.stop()
        server.close()
