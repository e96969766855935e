"""Settings of what reaches out: the web, other MCP servers, tools of others."""

from __future__ import annotations

from pydantic import Field

from homeagent.config.field_types import Secret, Section, Url


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
