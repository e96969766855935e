"""A browser before the whole app over the demo home."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack

import httpx
import pytest

from homeagent.access import Scope
from homeagent.app import App
from homeagent.client.asgi_transport import StreamingAsgiTransport
from homeagent.service.api import create_api
from homeagent.turn import new_id
from tests.service.conftest import TOKEN, app, embeddings, settings
from tests.service.web.browser import Browser

__all__ = ["app", "embeddings", "settings"]

Visits = Callable[..., Awaitable[Browser]]


@pytest.fixture
async def visit(app: App) -> AsyncIterator[Visits]:
    """A browser of its own, signed in with a new token of these scopes; with none it has signed in nowhere."""
    transport = StreamingAsgiTransport(create_api(app, token=TOKEN))
    async with AsyncExitStack() as stack:

        async def make(*scopes: Scope, user: str | None = None) -> Browser:
            client = httpx.AsyncClient(
                transport=transport, base_url="http://localhost", follow_redirects=True, timeout=30
            )
            browser = Browser(await stack.enter_async_context(client))
            if scopes:
                await browser.sign_in(await app.tokens.add(new_id(), scopes, user))
            return browser

        yield make


@pytest.fixture
async def browser(visit: Visits) -> Browser:
    """The owner's, signed in."""
    browser = await visit()
    await browser.sign_in(TOKEN)
    return browser
