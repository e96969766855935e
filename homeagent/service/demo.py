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
  {homeagent} ask "why is the hall light on?"
  {homeagent} ask "how long was the heating on yesterday?"
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
    from homeagent.demo.lived_past import live_through
    from homeagent.demo.server import DemoServer
    from homeagent.demo.shown_home import shown_home

    inventory, past = await asyncio.to_thread(shown_home)
    async with DemoServer(inventory) as server:
        live_through(server.world, past)
        home = HomeAssistantSettings.model_validate({"url": server.url, "token": server.token})
        yield settings.model_copy(update={"home_assistant": home})
