"""`homeagent serve` as a process that runs out of files, and one whose port somebody else has taken after it."""

import asyncio
import contextlib
import json
import signal

import httpx
import psutil
import pytest

from tests.service.home import Home

pytestmark = pytest.mark.slow  # it starts processes


async def test_a_process_without_a_file_left_goes_on_and_fills_no_log(home: Home) -> None:
    service = await home.serve()
    url = json.loads(home.announced.read_text())["url"]
    async with home.http() as http:
        await http.post("/api/services/process", json={"text": "turn on the kitchen lights"})  # all is loaded
        process = psutil.Process(service.process.pid)
        process.rlimit(psutil.RLIMIT_NOFILE, (process.num_fds() + 8, 4096))
        written = service.log.stat().st_size
        opened = [await asyncio.open_connection("127.0.0.1", httpx.URL(url).port) for _ in range(40)]
        await asyncio.sleep(2)
        for _ in range(3):
            assert (await http.post("/api/services/list_memories", json={})).status_code == 200
        async with home.http() as another:
            assert (await another.post("/api/services/list_memories", json={})).status_code == 200
        for _, writer in opened:
            writer.close()
    said = service.log.read_text()[written:]
    assert "no file left to open" in said
    assert "Traceback" not in said
    assert len(said) < 3000


async def test_who_takes_the_port_of_a_killed_service_is_told_no_token(home: Home) -> None:
    service = await home.serve()
    announced = json.loads(home.announced.read_text())
    await asyncio.to_thread(service.end, signal.SIGKILL)
    told: list[bytes] = []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(asyncio.IncompleteReadError):
            told.append(await reader.readuntil(b"\r\n\r\n"))
        writer.write(b'HTTP/1.1 200 OK\r\nContent-Length: 16\r\nConnection: close\r\n\r\n{"status": "ok"}')
        writer.close()

    stranger = await asyncio.start_server(answer, "127.0.0.1", httpx.URL(announced["url"]).port)
    async with stranger:
        # Whatever the file says of the process, too: it could be a later one with the same id.
        for pid in (announced["pid"], psutil.Process().pid):
            home.announced.write_text(json.dumps(announced | {"pid": pid}))
            code, stdout, error = await home.run("memory", "list", "--json")
            assert code == 0, error
            assert json.loads(stdout) == {"memories": []}
    assert not [request for request in told if announced["token"].encode() in request]
