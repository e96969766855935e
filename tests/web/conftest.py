"""The hostile web, and our fetcher on it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from homeagent.errors import WebError
from homeagent.web.fetching import Fetched, Fetcher
from homeagent.web.page import read
from homeagent.web.reading import Page
from tests.web.hostile import HostileWeb, hostile_web


@pytest.fixture
async def web() -> AsyncIterator[HostileWeb]:
    async with hostile_web() as web:
        yield web


@pytest.fixture
def fetcher(web: HostileWeb) -> Fetcher:
    return Fetcher(lambda: {"home.test"}, allows=web.allows, resolve=web.resolve)


async def read_here(fetched: Fetched, format: str) -> Page:
    """As `read_page`, without a process of its own."""
    try:
        told = await asyncio.to_thread(read, fetched.body, fetched.content_type, fetched.charset, fetched.url, format)
    except RecursionError:
        raise WebError("too tangled") from None
    return Page(told["title"], told["content"], told["charset"], told["cut"])
