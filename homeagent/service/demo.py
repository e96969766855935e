"""The demo: the same service over a home that comes with it, in a data folder of its own."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from homeagent.config.loading import Settings

_TRY_NEXT = """\
The demo home is ready. Open {url} in a browser; this shows the token to sign in with:

  {homeagent} token show

Or talk to it in another terminal:

{asking}
  {homeagent} chat
  {homeagent} search "{search}"
  {homeagent} events

Ctrl-C ends it."""


def greeting(url: str, homeagent: str, language: str | None) -> str:
    """What the demo says once it is ready. ``homeagent``: how the command is called; ``language``: the home's."""
    from homeagent.demo.shown_home import OWN_LANGUAGE, shown_home

    to_try = shown_home(language or OWN_LANGUAGE).to_try
    asking = "\n".join(f'  {homeagent} ask "{sentence}"' for sentence in to_try)
    return _TRY_NEXT.format(url=url, homeagent=homeagent, asking=asking, search=to_try[0])


def for_demo(settings: Settings, language: str | None = None) -> Settings:
    """The settings of the demo: everything of its own that concerns the home, everything else as set.

    ``language``: what the home speaks, in place of what is set. Raises ConfigError where it does not speak it.
    """
    from homeagent.config.settings import DatabaseSettings, HomeAssistantSettings
    from homeagent.errors import ConfigError

    if language is not None:
        from homeagent.demo.shown_home import shown_languages

        if language not in shown_languages():
            known = ", ".join(shown_languages())
            raise ConfigError(f"The demo home does not speak {language!r}.", hint=f"It speaks {known}.")
        settings = settings.model_copy(update={"agent": settings.agent.model_copy(update={"language": language})})
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
    """A demo home that runs in this process, in the language that is set, and the settings that lead to it."""
    from homeagent.config.settings import HomeAssistantSettings
    from homeagent.demo.lived_past import live_through
    from homeagent.demo.server import DemoServer
    from homeagent.demo.shown_home import OWN_LANGUAGE, shown_home

    shown = await asyncio.to_thread(shown_home, settings.agent.language or OWN_LANGUAGE)
    async with DemoServer(shown.inventory) as server:
        live_through(server.world, shown.past)
        home = HomeAssistantSettings.model_validate({"url": server.url, "token": server.token})
        yield settings.model_copy(update={"home_assistant": home})
