"""`homeagent mcp`: the home's tools for another agent on this machine, over standard streams."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from homeagent.access import Identity, Scope
from homeagent.cli.options import options
from homeagent.cli.place import with_client

if TYPE_CHECKING:
    from homeagent.client.api_client import ApiClient
    from homeagent.mcp.serving import Outcome


def add_commands(app: typer.Typer) -> None:
    """Hang the command into the command line."""
    app.command()(mcp)


def mcp(
    context: typer.Context,
    confirm: Annotated[
        bool, typer.Option(help="Whether the other agent may ask its person for a yes, and bring it.")
    ] = True,
) -> None:
    """Serve the home's tools to another agent (MCP over standard streams), until it leaves."""
    from homeagent.mcp.serving import HomeServer, run_stdio

    scopes = {Scope.ASK, Scope.CONFIRM} if confirm else {Scope.ASK}
    who = Identity("mcp", frozenset(scopes))

    async def caller(_request: Any) -> Identity:
        return who

    async def work(connected: ApiClient) -> None:
        await run_stdio(HomeServer(_ClientHome(connected), caller).server())

    with_client(options(context), work)


class _ClientHome:
    """The home behind the service, or behind the app in this process."""

    def __init__(self, connected: ApiClient) -> None:
        self._connected = connected

    async def tools(self) -> Sequence[Mapping[str, Any]]:
        """The tools that models are offered."""
        tools: Sequence[Mapping[str, Any]] = (await self._connected.call("list_tools"))["tools"]
        return [{"type": "function", "function": tool} for tool in tools]

    async def call(self, tool: str, parameters: Mapping[str, Any], caller: Identity) -> Outcome:
        """Raises ServiceError."""
        from homeagent.mcp.serving import Outcome, waiting_in

        result = await self._connected.call("execute_tool", tool_name=tool, parameters=dict(parameters))
        waits = (await self._connected.call("list_pending", limit=50))["pending"]
        return Outcome(result, waiting_in(result, {one["id"]: one["question"] for one in waits}))

    async def confirm(self, confirmation_id: str, approve: bool, caller: Identity) -> str:
        """Raises ServiceError."""
        answer = await self._connected.call("confirm", confirmation_id=confirmation_id, approve=approve)
        return str(answer["response"])
