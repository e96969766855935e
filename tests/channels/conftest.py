"""People with a phone and a chat, over the demo home and a server that stands in for Telegram's."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from homeagent.demo.server import DemoServer
from tests.channels.people import People
from tests.telegram_server import TelegramServer, telegram_server


@pytest.fixture
async def telegram() -> AsyncIterator[TelegramServer]:
    async with telegram_server() as server:
        yield server


@pytest.fixture
def people(demo: DemoServer, telegram: TelegramServer, tmp_path: Path) -> People:
    return People(demo, telegram, tmp_path)
