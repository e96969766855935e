"""What reaches beyond the home: pages and searches, as set."""

from __future__ import annotations

from typing import TYPE_CHECKING

from homeagent.ha.connection import HomeAssistant
from homeagent.mcp.connection import Connection, Server
from homeagent.mcp.foreign_tools import ForeignTools, Policy
from homeagent.plugins.loading import load_plugins_aside
from homeagent.policy.audit import AuditLog
from homeagent.tools.toolbox import Tool, Toolbox
from homeagent.tools.web_fetch import WebFetch
from homeagent.tools.web_search import WebSearch
from homeagent.turn import Turn
from homeagent.web.fetching import Fetcher
from homeagent.web.personal import OfThisHome, Sanitizer
from homeagent.web.reading import read_page
from homeagent.web.searching import TIMEOUT, McpSearch, PageSearch, Searches

if TYPE_CHECKING:
    from homeagent.config.loading import Settings
    from homeagent.ha.home import Home


_NEVER_IN_ADDRESSES = frozenset({"own name", "place", "e-mail", "coordinates", "entity", "secret"})
"""Kinds of what is personal. Strangers' names, dates and long numbers stand in the addresses of articles."""
_AS_BLANKS = str.maketrans(dict.fromkeys("/+_-&=?", " "))


def make_web_tools(settings: Settings, ha: HomeAssistant, audit: AuditLog) -> tuple[list[Tool], Searches | None]:
    """The tools that are switched on, and the provider of searches, to be stopped."""
    web = settings.web
    sanitizer = Sanitizer(lambda: names_of(ha.home))
    fetcher = Fetcher(lambda: ha.own_hosts)
    tools: list[Tool] = []
    provider: Searches | None = None
    if web.search:
        provider = _provider(settings, fetcher)
        tools.append(WebSearch(provider, sanitizer, audit))
    if web.fetch:

        def private_in(text: str, turn: Turn) -> tuple[str, ...]:
            found = sanitizer.sanitize(text.translate(_AS_BLANKS), turn.language).kinds
            return tuple(kind for kind in found if kind in _NEVER_IN_ADDRESSES)

        tools.append(WebFetch(fetcher, read_page, private_in))
    return tools, provider


def names_of(home: Home) -> OfThisHome:
    """What the people, rooms and floors of a home are called, exposed or not."""
    people = [entity.name for entity in home.entities.values() if entity.domain == "person"]
    rooms = [area.name for area in home.areas.values()]
    floors = [floor.name for floor in home.floors.values()]
    return OfThisHome(tuple(people), (*rooms, *floors))


def _provider(settings: Settings, fetcher: Fetcher) -> Searches:
    web = settings.web
    if web.search_url is None:
        return PageSearch(fetcher)
    key = web.search_key.get_secret_value() if web.search_key else None
    return McpSearch(Connection(Server("web search", url=web.search_url, key=key, timeout=TIMEOUT)), web.search_tool)


def make_foreign_tools(settings: Settings, toolbox: Toolbox) -> ForeignTools:
    """The tools of the MCP servers that are set."""
    servers = []
    for one in settings.mcp.servers:
        key = one.key.get_secret_value() if one.key else None
        server = Server(one.name, one.url, one.command, key, one.sse, one.timeout, one.env)
        policy = Policy(one.allow, one.deny, one.calls_per_turn, one.calls_per_hour)
        servers.append((Connection(server), policy))
    return ForeignTools(servers, toolbox.add)


async def add_plugins(settings: Settings, toolbox: Toolbox) -> None:
    """The tools of the plugins that are set."""
    tools = settings.tools
    if tools.plugins:
        toolbox.add(await load_plugins_aside(tools.plugins, tools.off, tools.allow))
