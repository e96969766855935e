"""The routes of the page, what each asks for, and signing in and out."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from fastapi import FastAPI, Request
from starlette.responses import FileResponse, RedirectResponse, Response

from homeagent.access import Scope
from homeagent.service.errors import Failure
from homeagent.service.listeners import Listeners
from homeagent.service.request_guard import Connection, Identifies, Pages
from homeagent.service.web import chat_page, documentation, home_page, looking_after, memories
from homeagent.service.web.rendering import HEADERS, STATIC, Renderer, first_place, shown
from homeagent.service.web.session import Sessions, give_cookie, posted, signing_in, take_cookie
from homeagent.service.wrong_tokens import WrongTokens

if TYPE_CHECKING:
    from homeagent.app import App

_FILES = {f"/static/{file.name}": file for file in STATIC.iterdir() if file.is_file()}
NEEDS: dict[str, tuple[Scope, ...]] = {
    "/sign-in": (),
    "/sign-out": (),
    **dict.fromkeys(_FILES, ()),
    **chat_page.NEEDS,
    **home_page.NEEDS,
    **memories.NEEDS,
    **looking_after.NEEDS,
    **documentation.NEEDS,
}
"""The pages, what their forms are sent to, and their files, each with the scopes that it needs."""
_FOR_GOOD = {**HEADERS, "Cache-Control": "public, max-age=31536000, immutable"}
"""Their addresses change with what is in them."""


def add_pages(
    api: FastAPI,
    app: App,
    identify: Identifies,
    wrong_tokens: WrongTokens,
    listeners: Listeners,
    closing: asyncio.Event,
) -> Pages:
    """All of it; what the guard has to know of it. ``closing`` ends what streams."""
    renderer = Renderer(lambda: app.language, lambda moment: app.home.config.local(moment))
    sessions = Sessions(app.settings.data_dir / "page-sessions.json")
    _add_files(api)
    _add_signing_in(api, renderer, sessions, identify, wrong_tokens)
    chat_page.add_chat(api, app, renderer)
    home_page.add_home(api, app, renderer, closing)
    memories.add_memories(api, app, renderer)
    looking_after.add_looking_after(api, app, renderer, listeners)
    documentation.add_documentation(api, renderer)

    def refused(connection: Connection, failure: Failure) -> Response:
        return renderer.refused(Request(connection), failure)

    return Pages(frozenset(NEEDS), sessions.token, refused)


def _add_files(api: FastAPI) -> None:
    @api.get("/static/{name}", response_model=None, include_in_schema=False)
    async def file(request: Request) -> Response:
        found = _FILES.get(request.scope["path"])
        return FileResponse(found, headers=_FOR_GOOD) if found else Response(status_code=404, headers=HEADERS)


def _add_signing_in(
    api: FastAPI, renderer: Renderer, sessions: Sessions, identify: Identifies, wrong_tokens: WrongTokens
) -> None:
    @api.get("/sign-in", response_model=None, include_in_schema=False)
    @shown(renderer)
    async def ask(request: Request) -> Response:
        return renderer.page(request, "sign_in.html", wrong=False)

    @api.post("/sign-in", response_model=None, include_in_schema=False)
    @shown(renderer)
    async def sign_in(request: Request) -> Response:
        token = (await signing_in(request)).get("token", "").strip().encode()
        caller = await identify(token) if token else None
        if caller is None:
            await wrong_tokens.answered(request.client.host if request.client else "an unnamed socket")
            return renderer.page(request, "sign_in.html", 401, wrong=True)
        sessions.close(request.headers)
        response = RedirectResponse(first_place(caller), 303, HEADERS)
        give_cookie(request, response, sessions.open(token))
        await asyncio.to_thread(sessions.save)
        return response

    @api.post("/sign-out", response_model=None, include_in_schema=False)
    @shown(renderer)
    async def sign_out(request: Request) -> Response:
        await posted(request)
        sessions.close(request.headers)
        await asyncio.to_thread(sessions.save)
        response = RedirectResponse("sign-in", 303, HEADERS)
        take_cookie(request, response)
        return response
