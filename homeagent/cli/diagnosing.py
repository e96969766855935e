"""`homeagent doctor`: asks the running service, else starts the parts here to try them."""

from __future__ import annotations

from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Any

from homeagent.app import App
from homeagent.client.api_client import find_answering, running
from homeagent.doctor import Check, examine, examine_without_database
from homeagent.errors import DatabaseError
from homeagent.service.demo import demo_home
from homeagent.values.jsonable import jsonable

if TYPE_CHECKING:
    from homeagent.config.loading import Settings


async def diagnose(settings: Settings, *, demo: bool) -> list[dict[str, Any]]:
    """The checks as plain data: by the running service, else by parts that are started here for it."""
    if service := await find_answering(settings):
        async with running(service) as client:
            return list((await client.get("/api/doctor"))["checks"])
    return [jsonable(check) for check in await _examine_here(settings, demo)]


async def _examine_here(settings: Settings, demo: bool) -> list[Check]:
    async with AsyncExitStack() as stack:
        if demo:
            settings = await stack.enter_async_context(demo_home(settings))
        app = App(settings)
        try:
            await app.start()
        except DatabaseError as error:
            # The app needs its database; Home Assistant and the model can be tried without.
            return await examine_without_database(app, error)
        stack.push_async_callback(app.stop)
        return await examine(app)
