"""A real Chromium before the service on a port of its own, and axe, which looks for what keeps people out."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, Page, async_playwright
from starlette.types import ASGIApp, Receive, Scope, Send

from homeagent.app import App
from homeagent.service.api import create_api
from homeagent.service.listening import listen, url_of
from homeagent.service.serve import Server, connection_limits
from tests.service.conftest import TOKEN

AXE = Path(__file__).parent / "axe" / "axe.min.js"
_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
_HOW = (
    "There is no Chromium on this machine. `apt-get install chromium` brings one, or HOMEAGENT_CHROMIUM names one; "
    "HOMEAGENT_NO_BROWSER=1 leaves these tests out."
)


def chromium() -> str:
    """Where Chromium is. Fails where there is none, and skips where that is wanted."""
    if os.environ.get("HOMEAGENT_NO_BROWSER"):
        pytest.skip("HOMEAGENT_NO_BROWSER is set")
    found = os.environ.get("HOMEAGENT_CHROMIUM") or next(filter(None, map(shutil.which, _NAMES)), None)
    if found is None:
        pytest.fail(_HOW)
    return found


@asynccontextmanager
async def serving(app: App, prefix: str = "") -> AsyncIterator[str]:
    """The service of this app on a free port: its address. ``prefix``: behind a proxy that serves it under that path,
    and takes that off."""
    closing = asyncio.Event()
    with listen("127.0.0.1", 0) as listener:
        api = _under(prefix, create_api(app, token=TOKEN, closing=closing))
        server = Server(api, connection_limits(app.settings), listener, closing)
        task = asyncio.create_task(server.serve([listener]))
        try:
            yield url_of(listener)
        finally:
            closing.set()
            await task


def _under(prefix: str, api: ASGIApp) -> ASGIApp:
    async def proxy(scope: Scope, receive: Receive, send: Send) -> None:
        assert scope["path"].startswith(prefix)
        await api({**scope, "path": scope["path"].removeprefix(prefix)}, receive, send)

    return proxy if prefix else api


@asynccontextmanager
async def started(executable: str) -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=executable, args=["--no-sandbox"])
        try:
            yield browser
        finally:
            await browser.close()


async def sign_in(page: Page, url: str) -> None:
    await page.goto(url)
    await page.get_by_label("Token").fill(TOKEN)
    await page.get_by_role("button", name="Sign in").click()
    await page.wait_for_selector("#say")


async def violations(page: Page) -> list[str]:
    """What axe finds wrong with the page as it is: rule, and where."""
    await page.evaluate(AXE.read_text("utf-8"))
    found: dict[str, Any] = await page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [f"{one['id']}: {node['target']}" for one in found["violations"] for node in one["nodes"]]
