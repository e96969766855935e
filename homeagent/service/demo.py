"""The demo: the same service over a home that comes with it, in a data folder of its own."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from homeagent.config.loading import Settings

TRY_NEXT = """\
The demo home is ready. Open {url} in a browser; this shows the token to sign in with:

  {homeagent} token show

Or talk to it in another terminal:

  {homeagent} ask "turn on the kitchen lights"
  {homeagent} ask "is the front door locked?"
  {homeagent} ask "unlock the front door"
  {homeagent} chat
  {homeagent} search "something to read by"
  {homeagent} events

Ctrl-C ends it."""


def for_demo(settings: Settings) -> Settings:
    """The settings of the demo: everything of its own that concerns the home, everything else as set."""
    from homeagent.config.settings import DatabaseSettings, HomeAssistantSettings

    return settings.model_copy(
        update={
            "data_dir": settings.data_dir / "demo",
            "home_assistant": HomeAssistantSettings(),
            "database": DatabaseSettings(),
            "index": settings.index.model_copy(update={"chroma_url": None}),
            "events": settings.events.model_copy(update={"home_assistant_bus": False}),
        }
    )


@asynccontextmanager
async def demo_home(settings: Settings) -> AsyncIterator[Settings]:
    """A demo home that runs in this process, and the settings that lead to it."""
    from homeagent.config.settings import HomeAssistantSettings
    from homeagent.demo.inventory import demo_home as inventory_file
    from homeagent.demo.inventory import load_inventory
    from homeagent.demo.server import DemoServer

    inventory = await asyncio.to_thread(load_inventory, inventory_file())
    async with DemoServer(inventory) as server:
        home = HomeAssistantSettings.model_validate({"url": server.url, "token": server.token})
        yield settings.model_copy(update={"home_assistant": home})
