"""Runs the service: the app, the HTTP server in this process, and the way to be found; until a signal ends it."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import signal
import socket
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import uvicorn
from starlette.types import ASGIApp

from homeagent.app import App
from homeagent.background_tasks import ended, in_background
from homeagent.client.running import RunningService, announce, bearer_token, withdraw
from homeagent.config.loading import warnings
from homeagent.logs import set_up_logging
from homeagent.service.api import create_api, identifying
from homeagent.service.connections import MAX_HEAD, ConnectionLimits, Door
from homeagent.service.demo import demo_home, greeting
from homeagent.service.fronts.ollama_api import create_ollama
from homeagent.service.listening import BACKLOG, Listener, allowed_connections, listen, url_of
from homeagent.service.local_network import announced
from homeagent.supervisor import discovery

if TYPE_CHECKING:
    from homeagent.config.loading import Settings
    from homeagent.service.request_guard import Guard

_log = logging.getLogger(__name__)
_OLLAMA = (
    "As a model of Ollama: {url}/TOKEN. `homeagent token add ollama --scope ask` makes one; with `--scope confirm` a "
    "yes counts there."
)
_GRACE = 3
"""Seconds that requests may still take when the service ends."""


def listening_on(settings: Settings, host: str | None, port: int | None) -> Settings:
    """The settings with another address to listen on, where one is given."""
    given = {name: value for name, value in (("host", host), ("port", port)) if value is not None}
    return settings.model_copy(update={"service": settings.service.model_copy(update=given)})


def run_service(
    settings: Settings, *, config: Path | None = None, demo: bool = False, configured: bool = False
) -> None:
    """Serve until SIGINT or SIGTERM. ``config``: the file that the settings were said to be in, if one was named;
    ``configured``: a real home is configured besides the demo.

    Raises KeyboardInterrupt upon a second signal, and what starting raises: DataFolderLocked, DatabaseError,
    ConfigError (the address is taken) …
    """
    # What was imported stays: looking through it again and again would only make the service stutter.
    gc.freeze()
    gc.enable()
    set_up_logging("warning" if demo and settings.log_level == "info" else settings.log_level)
    try:
        asyncio.run(_serve(settings, config, demo=demo, configured=configured))
    except asyncio.CancelledError:  # a second signal: whoever gave it will not wait
        raise KeyboardInterrupt from None


async def _serve(settings: Settings, config: Path | None, *, demo: bool, configured: bool) -> None:
    with contextlib.ExitStack() as sockets:
        listener = sockets.enter_context(listen(settings.service.host, settings.service.port))
        ollama = settings.ollama
        for_ollama = sockets.enter_context(listen(ollama.host, ollama.port)) if ollama.enabled else None
        closing = sockets.enter_context(_ending_signals())
        async with started_app(settings, demo=demo) as app:
            this = RunningService.of_this_process(url_of(listener), service_token(settings), demo=demo)
            api = create_api(app, token=this.token, secret=this.secret, closing=closing)
            servers = [(Server(api, connection_limits(settings), listener, closing), listener)]
            if for_ollama is not None:
                models = create_ollama(app, identifying(app, this.token))
                servers.append((Server(models, connection_limits(settings), for_ollama, closing), for_ollama))
            announce(settings.data_dir, this)
            port = listener.getsockname()[1]
            telling = in_background(
                discovery.announce(settings.supervisor, app.tokens, settings.data_dir, port), "tell the Supervisor"
            )
            try:
                serving = [asyncio.create_task(server.serve([socket])) for server, socket in servers]
                if demo:
                    _greet_to_demo(this.url, configured, settings.agent.language)
                else:
                    _greet(settings, config, this.url)
                if for_ollama is not None:
                    print(_OLLAMA.format(url=url_of(for_ollama)), flush=True)
                async with announced(settings, port):
                    await asyncio.gather(*serving)
            finally:
                withdraw(settings.data_dir)
                await ended(telling)
    _log.info("ended")


def connection_limits(settings: Settings) -> ConnectionLimits:
    """The limits that the settings ask for, as far as the files the process may open allow."""
    chosen = settings.service
    return ConnectionLimits(
        head=chosen.header_timeout,
        body=chosen.body_timeout,
        idle=chosen.idle_timeout,
        connections=allowed_connections(chosen.max_connections),
    )


@asynccontextmanager
async def started_app(settings: Settings, *, demo: bool) -> AsyncIterator[App]:
    """The app, started; ended with the context. For the demo its home comes with it."""
    async with contextlib.AsyncExitStack() as stack:
        if demo:
            settings = await stack.enter_async_context(demo_home(settings))
        app = App(settings)
        await app.start()
        stack.push_async_callback(app.stop)
        yield app


@asynccontextmanager
async def started_api(settings: Settings, *, demo: bool) -> AsyncIterator[tuple[Guard, str]]:
    """The API over an app of this process, and its token, without a server."""
    async with started_app(settings, demo=demo) as app:
        token = service_token(settings)
        yield create_api(app, token=token), token


def service_token(settings: Settings) -> str:
    """The token that is set, else the one that was made at the first start."""
    chosen = settings.service.token
    return chosen.get_secret_value() if chosen is not None else bearer_token(settings.data_dir)


class Server(uvicorn.Server):
    """uvicorn without signal handlers of its own, and with our limits; ends when ``closing`` is set."""

    def __init__(self, api: ASGIApp, limits: ConnectionLimits, listener: Listener, closing: asyncio.Event) -> None:
        door = Door(limits)
        config = uvicorn.Config(
            api,
            http=door.connection,  # type: ignore[arg-type]  # whatever makes a protocol will do
            ws="none",
            h11_max_incomplete_event_size=MAX_HEAD,
            timeout_keep_alive=limits.idle,  # type: ignore[arg-type]  # goes to the loop's call_later
            backlog=BACKLOG,
            log_config=None,
            access_log=False,
            proxy_headers=False,  # anybody on this machine could give any address as their own
            lifespan="off",
            timeout_graceful_shutdown=_GRACE,
            server_header=False,
        )
        super().__init__(config)
        # What it warns of is what clients do wrong, a line each; the door sums that up.
        logging.getLogger("uvicorn.error").setLevel(logging.ERROR)
        listener.make_room = door.make_room
        self._closing = closing

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        """Answer requests until ``closing`` is set or uvicorn ends of itself."""
        ending = asyncio.create_task(self._end_when_closing())
        try:
            await self._serve(sockets)
        finally:
            ending.cancel()

    async def _end_when_closing(self) -> None:
        await self._closing.wait()
        self.should_exit = True


@contextmanager
def _ending_signals() -> Iterator[asyncio.Event]:
    """An event that SIGINT and SIGTERM set; a second one ends at once."""
    loop = asyncio.get_running_loop()
    closing = asyncio.Event()
    task = asyncio.current_task()

    def end() -> None:
        if closing.is_set() and task is not None:
            task.cancel()
        closing.set()

    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, end)
    try:
        yield closing
    finally:
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.remove_signal_handler(number)


def _greet_to_demo(url: str, configured: bool, language: str | None) -> None:
    command = sys.argv[0] if "/" in sys.argv[0] else "homeagent"
    print(greeting(url, command + (" --demo" if configured else ""), language), flush=True)


def _greet(settings: Settings, config: Path | None, url: str) -> None:
    print(f"homeagent serves at {url}. Ctrl-C ends it.", flush=True)
    for warning in warnings(settings, config):
        _log.warning("%s", warning)
