"""The service's HTTP API, as far as Home Assistant uses it."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

from aiohttp import ClientError, ClientResponse, ClientSession, ClientTimeout
from yarl import URL

_ANSWER = ClientTimeout(total=600, connect=10)
_ENDLESS = ClientTimeout(total=None, connect=10, sock_read=60)
"""The service sends a line at least every 15 seconds where nothing happens."""


class AgentError(Exception):
    """The service refused or failed; in its own words. ``code`` is the service's, such as ``not_found``.

    ``refused``: what was asked for is wrong or not allowed; else something does not work at the moment.
    """

    def __init__(self, message: str, *, code: str = "internal", hint: str = "", refused: bool = False) -> None:
        super().__init__(f"{message} {hint}".strip())
        self.code = code
        self.refused = refused


class AgentUnavailable(AgentError):
    """The service does not answer."""


class AgentUnauthorized(AgentError):
    """The service does not take the token."""


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a stream: ``event`` is delta, result, event …, and empty where there is an ``id`` only: the place to
    come back to."""

    event: str
    data: Any
    id: str | None = None


class AgentClient:
    """Calls the service at ``url``. Every failure is an AgentError."""

    def __init__(self, session: ClientSession, url: str, token: str | None = None) -> None:
        self._session = session
        self._url = URL(url)
        self._headers = {"Authorization": f"Bearer {token}"} if token else {}

    async def health(self) -> dict[str, Any]:
        """How each part of the service is."""
        return await self._request("GET", "health")

    async def call(self, service: str, fields: dict[str, Any] | None = None) -> dict[str, Any]:
        """What one of the services answers."""
        return await self._request("POST", f"api/services/{service}", fields or {})

    async def stream(self, service: str, fields: dict[str, Any]) -> AsyncIterator[Part]:
        """The pieces of an answer as they come; the last one is ``result``."""
        async for part in self._parts("POST", f"api/services/{service}", {**fields, "stream": True}, _ANSWER):
            if part.event == "error":
                raise _error_of(part.data)
            yield part

    async def events(self, after: str | None) -> AsyncIterator[Part]:
        """What happens from now on; or since the event of the id ``after``, as far as the service still has it."""
        headers = {"Last-Event-ID": after} if after is not None else {}
        async for part in self._parts("GET", "api/events", None, _ENDLESS, headers):
            yield part

    async def _request(self, method: str, path: str, fields: dict[str, Any] | None = None) -> dict[str, Any]:
        try:
            async with self._session.request(
                method, self._url / path, json=fields, headers=self._headers, timeout=_ANSWER
            ) as response:
                return await _answer_of(response)
        except (ClientError, TimeoutError) as error:
            raise _unavailable(error) from error

    async def _parts(
        self,
        method: str,
        path: str,
        fields: dict[str, Any] | None,
        timeout: ClientTimeout,
        headers: dict[str, str] | None = None,
    ) -> AsyncIterator[Part]:
        try:
            async with self._session.request(
                method, self._url / path, json=fields, headers={**self._headers, **(headers or {})}, timeout=timeout
            ) as response:
                if response.status != 200:
                    await _answer_of(response)
                async for part in _server_sent(response):
                    yield part
        except (ClientError, TimeoutError, ValueError) as error:  # a line that is no JSON, or too long
            raise _unavailable(error) from error


def _unavailable(error: Exception) -> AgentUnavailable:
    return AgentUnavailable(f"The Home Agent service does not answer ({type(error).__name__}).", code="unavailable")


async def _answer_of(response: ClientResponse) -> dict[str, Any]:
    try:
        answer = await response.json(content_type=None)
    except ValueError:
        answer = None
    if not isinstance(answer, dict):
        raise AgentUnavailable(f"There is no Home Agent service at that address ({response.status}).")
    if response.status == 401:
        raise AgentUnauthorized("The service does not accept the token.", code="unauthorized")
    if response.status >= 400:
        raise _error_of(answer)
    return answer


def _error_of(problem: dict[str, Any]) -> AgentError:
    """A problem of RFC 9457, with the service's own code and hint."""
    return AgentError(
        str(problem.get("detail", "The service failed.")),
        code=str(problem.get("code", "internal")),
        hint=str(problem.get("hint", "")),
        refused=int(problem.get("status", 500)) < 500,
    )


async def _server_sent(response: ClientResponse) -> AsyncIterator[Part]:
    """Server-sent events, as the HTML standard describes them; each of ours has one line of JSON."""
    event, data, last_id = "message", "", None
    async for raw in response.content:
        line = raw.decode("utf-8", "replace").rstrip("\r\n")
        if not line:
            if data:
                yield Part(event, json.loads(data), last_id)
            elif last_id is not None:
                yield Part("", None, last_id)
            event, data = "message", ""
        elif line.startswith("event:"):
            event = line[6:].strip()
        elif line.startswith("data:"):
            data += line[5:].strip()
        elif line.startswith("id:"):
            last_id = line[3:].strip()
