"""How the command line reaches the service: a running one over HTTP, else the same app in this process.

One path, not two: without a running service the app is started here, under the lock of its data folder, and the same
requests are answered by the same API.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import httpx

from homeagent.client.running import PROOF, RunningService, find, new_nonce, proven
from homeagent.errors import DataFolderLocked, HomeAgentError

if TYPE_CHECKING:
    from homeagent.config.loading import Settings

_CONNECT_TIMEOUT = 3.0
_ANSWER_TIMEOUT = 600.0
_PROOF_TIMEOUT = 5.0
"""Seconds after which a service that does not say who it is counts as not answering."""
_PATIENCE = 30.0
"""Seconds that whoever holds the lock may take until it can be found, or is done."""


class ServiceError(HomeAgentError):
    """The service refused or failed; carries its words. ``code`` and ``http_status`` are the service's."""

    def __init__(self, status: int, problem: Mapping[str, object]) -> None:
        said = str(problem.get("detail", f"The service answered {status}."))
        super().__init__(said, hint=str(problem.get("hint", "")))
        self.code = str(problem.get("code", "internal"))
        self.http_status = status


class ServiceGone(HomeAgentError):
    """The service does not answer, broke off, or has not proven that it is the one it should be."""

    code = "service_gone"
    http_status = 503
    hint = "See its log, or start it again."


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a streamed answer: ``event`` is delta, progress, result, event …"""

    event: str
    data: Any


class ApiClient:
    """Calls the services. Every failure is a HomeAgentError in the service's own words."""

    def __init__(self, http: httpx.AsyncClient) -> None:
        self._http = http

    async def call(self, service: str, **fields: object) -> Any:
        """What the service answers. Fields that are None are left out. Raises ServiceError, ServiceGone."""
        return await self.post(f"/api/services/{service}", fields)

    async def post(self, path: str, fields: Mapping[str, object]) -> Any:
        """The JSON that a path answers. Fields that are None are left out. Raises ServiceError, ServiceGone."""
        return await self._request("POST", path, _given(fields))

    async def get(self, path: str) -> Any:
        """The JSON that a path answers. Raises ServiceError, ServiceGone."""
        return await self._request("GET", path, None)

    async def stream(self, service: str, **fields: Any) -> AsyncIterator[Part]:
        """The pieces of a streamed answer; the last one is ``result``. Raises as ``call``."""
        body = _given({**fields, "stream": True})
        async for part in self._parts("POST", f"/api/services/{service}", body):
            yield part

    async def events(self, *, text: bool = False) -> AsyncIterator[Mapping[str, Any]]:
        """What happens, as it happens, until the service ends. ``text``: with what was said and returned."""
        async for part in self._parts("GET", "/api/events?text=true" if text else "/api/events", None):
            yield part.data

    async def _request(self, method: str, path: str, fields: object) -> Any:
        try:
            response = await self._http.request(method, path, json=fields)
        except httpx.TransportError as error:
            raise _gone(error) from error
        return _answer_of(response)

    async def _parts(self, method: str, path: str, fields: object) -> AsyncIterator[Part]:
        try:
            async with self._http.stream(method, path, json=fields) as response:
                if response.status_code != httpx.codes.OK:
                    await response.aread()
                    _answer_of(response)
                async for part in _sse(response):
                    if part.event == "error":
                        raise ServiceError(int(part.data.get("status", 500)), part.data)
                    yield part
        except httpx.TransportError as error:
            raise _gone(error) from error


def _given(fields: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in fields.items() if value is not None}


def _gone(error: Exception) -> ServiceGone:
    return ServiceGone(f"The service did not answer ({type(error).__name__}).")


def _answer_of(response: httpx.Response) -> object:
    try:
        data = response.json()
    except ValueError:
        raise ServiceError(response.status_code, {}) from None
    if response.is_success:
        return data
    raise ServiceError(response.status_code, data if isinstance(data, dict) else {})


async def _sse(response: httpx.Response) -> AsyncIterator[Part]:
    event = "message"
    async for line in response.aiter_lines():
        if line.startswith("event: "):
            event = line[len("event: ") :]
        elif line.startswith("data: "):
            yield Part(event, json.loads(line[len("data: ") :]))


@asynccontextmanager
async def running(service: RunningService, timeout_s: float = _ANSWER_TIMEOUT) -> AsyncIterator[ApiClient]:
    """A client of a running service. ``timeout_s``: the longest wait for an answer.

    The token is sent to nobody who has not proven to be that service. Raises ServiceGone.
    """
    timeout = httpx.Timeout(timeout_s, connect=_CONNECT_TIMEOUT)
    # reading the system's authorities takes 30 ms, and http needs none
    tls = service.url.startswith("https:")
    async with httpx.AsyncClient(base_url=service.url, timeout=timeout, trust_env=False, verify=tls) as http:
        await _make_sure(http, service)
        http.headers["Authorization"] = f"Bearer {service.token}"
        yield ApiClient(http)


async def _make_sure(http: httpx.AsyncClient, service: RunningService) -> None:
    nonce = new_nonce()
    try:
        answer = await http.get("/health", params={"nonce": nonce}, timeout=_PROOF_TIMEOUT)
    except httpx.HTTPError as error:
        raise _gone(error) from error
    if not proven(service.secret, nonce, answer.headers.get(PROOF, "")):
        raise ServiceGone("What answers at the service's address is not the service.")


async def find_answering(settings: Settings) -> RunningService | None:
    """The service of this data folder, if it runs, answers, and is the one that it says."""
    service = find(settings.data_dir)
    if service is None:
        return None
    try:
        async with running(service):
            return service
    except ServiceGone:
        return None


@asynccontextmanager
async def connect(settings: Settings, *, demo: bool = False) -> AsyncIterator[ApiClient]:
    """A client of the running service, else of the app started in this process for as long as it is needed.

    Raises DataFolderLocked where another process has the folder and does not answer, and whatever starting raises.
    """
    deadline = asyncio.get_running_loop().time() + _PATIENCE
    async with AsyncExitStack() as stack:
        client = None
        while client is None:
            try:
                client = await _entered(stack, settings, demo)
            except DataFolderLocked:
                # A service that just starts or ends, or another command that will soon be done.
                if asyncio.get_running_loop().time() > deadline:
                    raise
                await asyncio.sleep(0.2)
        yield client


async def _entered(stack: AsyncExitStack, settings: Settings, demo: bool) -> ApiClient:
    """A client that ``stack`` closes. Raises DataFolderLocked where another process has the folder, unreachable."""
    if service := find(settings.data_dir):
        with suppress(ServiceGone):
            return await stack.enter_async_context(running(service))
    return await stack.enter_async_context(_in_process(settings, demo))


@asynccontextmanager
async def _in_process(settings: Settings, demo: bool) -> AsyncIterator[ApiClient]:
    from homeagent.client.asgi_transport import StreamingAsgiTransport
    from homeagent.service.serve import started_api

    async with started_api(settings, demo=demo) as (api, token):
        headers = {"Authorization": f"Bearer {token}"}
        transport = StreamingAsgiTransport(api)
        async with httpx.AsyncClient(
            transport=transport, base_url="http://localhost", headers=headers, timeout=None
        ) as http:
            yield ApiClient(http)
