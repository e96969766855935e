"""The demo as a newcomer meets it: its home with its past, and the whole agent over it, without a language model."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from homeagent.app import App
from homeagent.config.settings import Settings
from homeagent.demo.lived_past import live_through
from homeagent.demo.server import DemoServer
from homeagent.demo.shown_home import shown_home
from homeagent.turns.reply import Reply


@dataclass(frozen=True)
class Shown:
    server: DemoServer
    app: App
    language: str

    async def ask(self, text: str, conversation_id: str | None = None) -> Reply:
        return await self.app.agent.process(text, language=self.language, conversation_id=conversation_id)

    def state(self, entity_id: str) -> str:
        return str(self.server.state(entity_id)["state"])


@asynccontextmanager
async def shown(folder: Path, language: str = "en") -> AsyncIterator[Shown]:
    home = shown_home(language)
    async with DemoServer(home.inventory, settle=0.05) as server:
        live_through(server.world, home.past)
        settings = {
            "data_dir": folder,
            "home_assistant": {"url": server.url, "token": server.token},
            "index": {"endpoint": "http://127.0.0.1:9", "model": "none"},
            "agent": {"brain": "local"},
        }
        app = App(Settings.model_validate(settings))
        await app.start()
        assert await app.ha.wait_ready(30), app.ha.status
        yield Shown(server, app, language)
        await app.stop()
