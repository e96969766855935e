"""Which home a command is about: the configured one, or the demo."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from homeagent.cli.options import Options
from homeagent.errors import ConfigError

if TYPE_CHECKING:
    from homeagent.client.api_client import ApiClient
    from homeagent.config.loading import Settings

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Place:
    """A home's settings, and whether it is the demo."""

    settings: Settings
    demo: bool

    def none_runs(self, so: str = "") -> ConfigError:
        """That no service of this home runs, and how one is started. ``so``: what does not work without."""
        command = "homeagent demo" if self.demo else "homeagent serve"
        return ConfigError(f"No service runs{so}.", hint=f"Start one with `{command}`.")


def find_place(chosen: Options) -> Place:
    """The demo where it was asked for; the configured home; else a demo that runs. Raises ConfigError."""
    from homeagent.client.running import find
    from homeagent.config.loading import load
    from homeagent.service.demo import for_demo

    settings = load(chosen.config)
    if chosen.demo:
        return Place(for_demo(settings), True)
    if settings.home_assistant.url:
        return Place(settings, False)
    demo = for_demo(settings)
    if find(demo.data_dir) is not None:
        return Place(demo, True)
    raise ConfigError(
        "No home is configured, and no demo runs.",
        hint="Run `homeagent setup` to connect your Home Assistant, or `homeagent demo` to try a home.",
    )


@asynccontextmanager
async def client(chosen: Options) -> AsyncIterator[ApiClient]:
    """A client of the service of the chosen home. Raises ConfigError, and what `connect` raises."""
    from homeagent.client.api_client import connect

    place = find_place(chosen)
    async with connect(place.settings, demo=place.demo) as connected:
        yield connected


def with_client(chosen: Options, work: Callable[[ApiClient], Awaitable[T]]) -> T:
    """Run ``work`` with a client of the service, and give back what it gives."""

    async def run() -> T:
        async with client(chosen) as connected:
            return await work(connected)

    return run_async(run())


def run_async(work: Coroutine[object, object, T]) -> T:
    """Run ``work`` to its end. Ctrl-C ends it in order and exits 130, as shells expect."""
    import asyncio
    import gc

    import typer

    from homeagent.logs import set_up_logging

    set_up_logging("error")
    gc.enable()
    try:
        return asyncio.run(work)
    except KeyboardInterrupt:
        raise typer.Exit(130) from None


def call(chosen: Options, service: str, **fields: object) -> Any:
    """Call one service and give back its answer."""

    async def work(connected: ApiClient) -> Any:
        return await connected.call(service, **fields)

    return with_client(chosen, work)
