"""Settings of what reaches out: the web, other MCP servers, tools of others."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import BeforeValidator, Field, model_validator

from homeagent.config.field_types import Names, Seconds, Secret, Section, Url, parsed_json


class WebSettings(Section):
    """The web, for the language model alone. Off unless switched on."""

    fetch: bool = Field(default=False, description="Whether the model is offered `web_fetch`, to read public pages.")
    search: bool = Field(
        default=False,
        description="Whether the model is offered `web_search`. What is personal is taken out of each query, and each "
        "is in the audit log as sent.",
    )
    search_url: Url | None = Field(
        default=None,
        description="Address of an MCP server that searches, such as https://mcp.exa.ai/mcp; absent: a page of results "
        "that needs no key.",
    )
    search_key: Secret | None = Field(default=None, description="That server's key, sent as a bearer token.")
    search_tool: str = Field(default="web_search_exa", min_length=1, description="The tool of that server.")


class McpServerSettings(Section):
    """Another server whose tools the model is offered, each as NAME_TOOL."""

    name: str = Field(pattern=r"^[a-z][a-z0-9]{0,19}$", description="A word of your own, before its tools' names.")
    url: Url | None = Field(default=None, description="Its address, such as http://localhost:8000/mcp.")
    sse: bool = Field(default=False, description="Whether it speaks the older form over that address.")
    key: Secret | None = Field(default=None, description="Its key, sent as a bearer token.")
    command: Names = Field(default=(), description="In place of an address: the program and its arguments.")
    env: Annotated[dict[str, str], BeforeValidator(parsed_json)] = Field(
        default_factory=dict, description="What stands in the environment of that program, which is told nothing else."
    )
    timeout: Seconds = Field(default=25.0, gt=0, le=120, description="Longest wait for an answer.")
    allow: Names = Field(
        default=(), description="Its tools that may be used unasked, or patterns: get_*. Every other asks."
    )
    deny: Names = Field(default=(), description="Its tools that are not offered, or patterns.")
    calls_per_turn: int = Field(default=5, ge=1, le=100, description="Most calls of its tools in a turn.")
    calls_per_hour: int = Field(default=60, ge=1, le=10_000, description="Most calls of its tools in an hour.")

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        if (self.url is None) == (not self.command):
            raise ValueError("give url or command, one of them")
        return self


class McpSettings(Section):
    """The Model Context Protocol: tools of other servers, and ours for other agents."""

    serve: bool = Field(
        default=False,
        description="Whether the service offers its tools at /mcp. A token is needed there as everywhere.",
    )
    servers: Annotated[tuple[McpServerSettings, ...], BeforeValidator(parsed_json)] = Field(
        default=(), description="Servers whose tools the model is offered, a table each."
    )

    @model_validator(mode="after")
    def _told_apart(self) -> Self:
        names = [server.name for server in self.servers]
        if twice := next((name for name in names if names.count(name) > 1), None):
            raise ValueError(f"two servers are called {twice}: their tools could not be told apart")
        return self


class ToolsSettings(Section):
    """Tools that other packages bring."""

    plugins: Names = Field(
        default=(), description="Plugins whose tools the model is offered, by the names of their entry points."
    )
    allow: Names = Field(default=(), description="Tools of plugins that may change something unasked, by their ids.")
    off: Names = Field(
        default=(),
        description="Tools of plugins that are not offered, by ids or categories: home_assistant, web, data, utility.",
    )
