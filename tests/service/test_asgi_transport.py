"""The in-process transport hands over pieces as they come, and ends what nobody reads any more."""

import asyncio
from collections.abc import AsyncIterator

import httpx
import pytest
from fastapi import FastAPI
from fastapi.responses import StreamingResponse

from homeagent.client.asgi_transport import StreamingAsgiTransport


def _client(api: FastAPI) -> httpx.AsyncClient:
    return httpx.AsyncClient(transport=StreamingAsgiTransport(api), base_url="http://localhost")


async def test_pieces_arrive_before_the_answer_is_complete() -> None:
    api, go_on = FastAPI(), asyncio.Event()

    async def pieces() -> AsyncIterator[bytes]:
        yield b"first"
        await go_on.wait()
        yield b"second"

    @api.get("/")
    async def answer() -> StreamingResponse:
        return StreamingResponse(pieces())

    async with _client(api) as client, client.stream("GET", "/") as response:
        arriving = response.aiter_bytes()
        assert await anext(arriving) == b"first"
        go_on.set()
        assert await anext(arriving) == b"second"


async def test_leaving_early_ends_the_work() -> None:
    api, ended = FastAPI(), asyncio.Event()

    async def pieces() -> AsyncIterator[bytes]:
        try:
            yield b"first"
            await asyncio.sleep(60)
        finally:
            ended.set()

    @api.get("/")
    async def answer() -> StreamingResponse:
        return StreamingResponse(pieces())

    async with _client(api) as client, client.stream("GET", "/") as response:
        await anext(response.aiter_bytes())
    async with asyncio.timeout(2):
        await ended.wait()


async def test_a_whole_answer_comes_with_status_headers_and_body() -> None:
    api = FastAPI()

    @api.post("/{name}")
    async def answer(name: str, body: dict[str, str]) -> dict[str, str]:
        return {name: body["text"]}

    async with _client(api) as client:
        response = await client.post("/größe", json={"text": "ä"})
    assert response.status_code == 200
    assert response.headers["content-type"] == "application/json"
    assert response.json() == {"größe": "ä"}


async def test_an_error_of_the_app_reaches_the_caller() -> None:
    async def broken(scope: object, receive: object, send: object) -> None:
        raise OSError("no")

    async with httpx.AsyncClient(transport=StreamingAsgiTransport(broken), base_url="http://localhost") as client:
        with pytest.raises(OSError, match="no"):
            await client.get("/")
