"""web_fetch: read a page of the web."""

from __future__ import annotations

import asyncio
import re
import urllib.parse
from collections.abc import Awaitable, Callable, Iterator
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from homeagent.errors import Refused
from homeagent.policy.verdicts import Consequence, Effect
from homeagent.prompting.outside import asks_first, defused, from_outside
from homeagent.tools.toolbox import OUTSIDE_READ, Tool
from homeagent.turn import Turn
from homeagent.web.fetching import Fetched, Fetcher, checked_url
from homeagent.web.reading import Page

Read = Callable[[Fetched, str], Awaitable[Page]]
"""A page in a format. Raises WebError."""
PrivateIn = Callable[[str, Turn], tuple[str, ...]]
"""What of a text is personal, by kinds. May block."""
_URL = re.compile(r"https?://[^\s<>()\[\]\"']+")
_LONGEST_WAIT = 120
_SPARE = 30
"""Seconds beyond it, to read what came."""


class _WebFetchParams(BaseModel):
    model_config = ConfigDict(extra="forbid")

    url: str = Field(min_length=1, max_length=2000)
    format: Literal["markdown", "text", "html"] = "markdown"
    timeout: float = Field(default=30, gt=0, le=_LONGEST_WAIT, description="Seconds")


class WebFetch(Tool):
    """Fetches a public page and gives what people can read on it, defused and marked as others' words.

    Nothing of the home goes out in an address: one that holds something personal is refused, and once a model has read
    what others wrote, only what the person named, or a search found, is fetched without a yes.
    """

    name = "web_fetch"
    description = "Read a public web page. Never put personal data or states of the home into the address."
    in_dry_run = False
    timeout = _LONGEST_WAIT + _SPARE
    Params = _WebFetchParams

    def __init__(self, fetcher: Fetcher, read: Read, private_in: PrivateIn) -> None:
        self._fetcher = fetcher
        self._read = read
        self._private_in = private_in

    def asks(self, params: _WebFetchParams, turn: Turn) -> str | None:
        """Where others may have made up the address."""
        return OUTSIDE_READ if asks_first(turn) and params.url not in set(_known(turn)) else None

    def told(self, params: _WebFetchParams) -> Consequence:
        """The whole address: that is what goes out."""
        return Consequence(Effect.LETS_OUT, "use", self.name, content=params.url)

    async def run(self, params: _WebFetchParams, turn: Turn) -> dict[str, Any]:
        """Raises InvalidParameters, AddressRefused, Refused, TooLarge, WebError."""
        url = checked_url(params.url)
        if params.url not in set(_known(turn)):
            told = urllib.parse.unquote_plus(f"{url.host} {url.path} {url.query.decode()} {url.fragment}")
            if held := await asyncio.to_thread(self._private_in, told, turn):
                raise Refused(f"The address holds what is personal ({', '.join(held)}), so it is not fetched.")
        fetched = await self._fetcher.fetch(params.url, params.timeout)
        page = await self._read(fetched, params.format)
        shown = {
            "title": defused(page.title, 300),
            "content": defused(page.content),
            "metadata": {
                "url": fetched.url,
                "content_type": fetched.content_type,
                "charset": page.charset,
                "bytes": len(fetched.body),
            },
        }
        return from_outside("web page", {**shown, "cut": True} if page.cut else shown)


def _known(turn: Turn) -> Iterator[str]:
    """Addresses that the person said, and those that searches of this turn found."""
    yield from (word.strip("<>()[]\"'.,;!?") for word in turn.text.split())
    for done in turn.rounds:
        for call, result in zip(done.step.tool_calls, done.results, strict=True):
            if call.name == "web_search" and isinstance(result.result, dict):
                yield from (url.rstrip(".,;:!?") for url in _URL.findall(str(result.result.get("results", ""))))
