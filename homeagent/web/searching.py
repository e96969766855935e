"""Who searches: a server that is asked over MCP, or a page of results that needs no key."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol
from urllib.parse import parse_qs, quote_plus, urlsplit

from homeagent.errors import WebError
from homeagent.mcp.connection import Connection
from homeagent.web.fetching import Fetcher

TIMEOUT = 25.0
_PAGE = "https://html.duckduckgo.com/html/?q="
_MOST_WITHOUT_KEY = 5


@dataclass(frozen=True, slots=True)
class Search:
    """What is searched for: ``query`` as it may be sent, the rest as in `web_search`."""

    query: str
    num_results: int = 8
    type: str = "auto"
    livecrawl: str = "fallback"
    context_max_chars: int = 10_000


class Searches(Protocol):
    """A provider."""

    async def search(self, search: Search) -> str:
        """The results as text. Raises WebError, and what the way there raises."""
        ...

    async def stop(self) -> None:
        """End what it holds open."""
        ...


class McpSearch:
    """A server with a tool that takes what `web_search` takes, in its own spelling."""

    def __init__(self, connection: Connection, tool: str) -> None:
        self._connection = connection
        self._tool = tool

    async def search(self, search: Search) -> str:
        """Raises WebError."""
        arguments = {
            "query": search.query,
            "numResults": search.num_results,
            "type": search.type,
            "livecrawl": search.livecrawl,
            "contextMaxCharacters": search.context_max_chars,
        }
        return await self._connection.call(self._tool, arguments, TIMEOUT)

    async def stop(self) -> None:
        """Close the connection."""
        await self._connection.stop()


class PageSearch:
    """DuckDuckGo's page for browsers without scripts: at most five results: title, address, a few words."""

    def __init__(self, fetcher: Fetcher, page: str = _PAGE) -> None:
        self._fetcher = fetcher
        self._page = page

    async def search(self, search: Search) -> str:
        """Raises WebError, AddressRefused, TooLarge."""
        fetched = await self._fetcher.fetch(self._page + quote_plus(search.query), TIMEOUT)
        found = await asyncio.to_thread(results_in, fetched.body.decode("utf-8", "replace"))
        if not found:
            raise WebError("The search gave no results.", hint="Try other words, or a provider with a key.")
        most = min(search.num_results, _MOST_WITHOUT_KEY)
        return "\n\n".join(f"{title}\n{url}\n{words}" for title, url, words in found[:most])

    async def stop(self) -> None:
        """Nothing is held open."""


def results_in(html: str) -> Sequence[tuple[str, str, str]]:
    """Title, address and words of each result of the page; advertisements left out. Blocks."""
    from selectolax.lexbor import LexborHTMLParser

    found = []
    for result in LexborHTMLParser(html).css(".result:not(.result--ad)"):
        link = result.css_first("a.result__a")
        words = result.css_first(".result__snippet")
        if link is not None and (url := _leads_to(link.attributes.get("href") or "")):
            found.append((_line(link.text()), url, _line(words.text()) if words else ""))
    return found


def _leads_to(href: str) -> str | None:
    """Where a link of the page leads, past the page's own counting."""
    inner = parse_qs(urlsplit(href).query).get("uddg", [href])[0]
    return inner if inner.startswith(("http://", "https://")) else None


def _line(text: str) -> str:
    return " ".join(text.split())
