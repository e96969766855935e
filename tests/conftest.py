"""Fixtures that every room's tests share: the demo home, and a live connection to it."""

from __future__ import annotations

import gc
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from functools import cache
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import pytest
import pytest_asyncio
from sqlalchemy import Engine

import tests.bytecode  # noqa: F401
from homeagent.confirmations import Confirmations
from homeagent.demo.inventory import Inventory, demo_home, load_inventory
from homeagent.demo.server import DemoServer
from homeagent.events import Emitter
from indexer import backend
from indexer.process import ChildProcess
from tests.databases import compile_statements_once, database
from tests.no_process import NoProcess

if TYPE_CHECKING:
    from homeagent.ha.connection import HomeAssistant


pytest_plugins = ("tests.examples",)
_FINISHED = count(1)


def pytest_collection_finish() -> None:
    """What thousands of tests are made of stays to the end: looking through it for rubbish took a tenth of the time."""
    gc.collect()
    gc.freeze()
    gc.freeze = lambda: None  # each home and service of a test would freeze what others have left in circles
    gc.set_threshold(10_000, 20, 20)


def pytest_runtest_logfinish() -> None:
    """Now and then the tasks go that tests have left in circles: every loop that ends looks through all there are."""
    if next(_FINISHED) % 300 == 0:
        gc.collect()


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Only what is marked slow has the index's worker, a process of its own: to start it costs more than most tests."""
    slow = item.get_closest_marker("slow") or item.get_closest_marker("e2e")
    backend.ChildProcess = ChildProcess if slow else NoProcess  # type: ignore[misc, assignment]


@pytest.fixture(scope="session", autouse=True)
def statements_compiled_once() -> Iterator[None]:
    """To compile what a turn asks of its database takes a quarter of the time of a test that asks little else."""
    with pytest.MonkeyPatch.context() as patch:
        compile_statements_once(patch)
        yield


@pytest.fixture(scope="session", autouse=True)
def certificates_read_once() -> Iterator[None]:
    """Each client of HTTP would read all certificates of the machine anew."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("httpx._transports.default.create_ssl_context", cache(httpx.create_ssl_context))
        yield


@pytest.fixture(scope="session")
def demo_inventory() -> Inventory:
    """The home of `data/homes/demo.yaml`. Immutable: make a server of it for each test."""
    return load_inventory(demo_home())


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    """A database of the test's own."""
    engine = database(tmp_path)
    yield engine
    engine.dispose()


@pytest.fixture
def confirmations(engine: Engine) -> Confirmations:
    """What waits for a yes, for a minute and a half."""
    return Confirmations(engine, 90.0)


@pytest.fixture
def emitter() -> Emitter:
    return Emitter()


@asynccontextmanager
async def connected(server: DemoServer) -> AsyncIterator[HomeAssistant]:
    """A live connection to a home, with everything read."""
    from homeagent.ha.connection import HomeAssistant

    connection = HomeAssistant(server.url, server.token)
    await connection.start()
    assert await connection.wait_ready(10), connection.status
    yield connection
    await connection.stop()


@asynccontextmanager
async def connected_home(inventory: Inventory) -> AsyncIterator[tuple[DemoServer, HomeAssistant]]:
    """A home of its own, and a live connection to it."""
    async with DemoServer(inventory, settle=0.05) as server, connected(server) as connection:
        yield server, connection


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def looked_at(demo_inventory: Inventory) -> AsyncIterator[HomeAssistant]:
    """A connection to one home for all tests of a module that change nothing in it; whether they did is looked at."""
    async with connected_home(demo_inventory) as (server, connection):
        home = connection.home
        before = dict(home.entities), {i: home.state(i) for i in home.entities}, home.config, home.clock
        yield connection
        assert server.calls == []
        assert (dict(home.entities), {i: home.state(i) for i in home.entities}, home.config, home.clock) == before


@pytest.fixture
async def demo(demo_inventory: Inventory) -> AsyncIterator[DemoServer]:
    """The demo home, started. What moves arrives after 50 ms; nothing of it outlives the test."""
    async with DemoServer(demo_inventory, settle=0.05) as server:
        yield server


@pytest.fixture
async def home_assistant(demo: DemoServer) -> AsyncIterator[HomeAssistant]:
    """Our connection to the demo home, with the home read."""
    async with connected(demo) as connection:
        yield connection
