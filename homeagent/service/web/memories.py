"""What is remembered: found, looked at with its history, changed and forgotten."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlencode

from fastapi import FastAPI, Request
from starlette.responses import RedirectResponse, Response

from homeagent.access import Scope
from homeagent.service.web.calling import call
from homeagent.service.web.rendering import HEADERS, Renderer, shown, visitor
from homeagent.service.web.session import posted
from memory.model import MemoryType

if TYPE_CHECKING:
    from homeagent.app import App

NEEDS: dict[str, tuple[Scope, ...]] = {
    "/memories": (Scope.READ,),
    "/memory": (Scope.READ,),
    "/add-memory": (Scope.ASK,),
    "/edit-memory": (Scope.ASK,),
    "/forget-memory": (Scope.ASK,),
}


def add_memories(api: FastAPI, app: App, renderer: Renderer) -> None:
    """`/memories`, `/memory`, and what their forms are sent to."""

    @api.get("/memories", response_model=None, include_in_schema=False)
    @shown(renderer)
    async def show(request: Request) -> Response:
        query = request.query_params.get("q", "").strip()
        if query:
            found = await call(app, visitor(request), "search_memories", query=query, limit=50)
        else:
            found = await call(app, visitor(request), "list_memories", limit=200)
        return renderer.page(request, "memories.html", query=query, memories=found["memories"])

    @api.get("/memory", response_model=None, include_in_schema=False)
    @shown(renderer)
    async def show_one(request: Request) -> Response:
        told = await call(app, visitor(request), "get_memory", memory_id=request.query_params.get("id", ""))
        return renderer.page(request, "memory.html", types=[one.value for one in MemoryType], **told)

    @api.post("/add-memory", response_model=None, include_in_schema=False)
    @shown(renderer)
    async def add(request: Request) -> Response:
        await call(app, visitor(request), "add_memory", **await posted(request))
        return RedirectResponse("memories", 303, HEADERS)

    @api.post("/edit-memory", response_model=None, include_in_schema=False)
    @shown(renderer)
    async def edit(request: Request) -> Response:
        told = await call(app, visitor(request), "edit_memory", **await posted(request))
        return RedirectResponse("memory?" + urlencode({"id": told["memory"]["id"]}), 303, HEADERS)

    @api.post("/forget-memory", response_model=None, include_in_schema=False)
    @shown(renderer)
    async def forget(request: Request) -> Response:
        await call(app, visitor(request), "delete_memory", **await posted(request))
        return RedirectResponse("memories", 303, HEADERS)
