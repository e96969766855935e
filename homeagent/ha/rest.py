"""Home Assistant's REST interface, for what the WebSocket lacks, and the words for whatever keeps us from either."""

from __future__ import annotations

import asyncio
import importlib
import re
import socket
import ssl
from collections.abc import Mapping
from typing import Any, Self
from urllib.parse import quote, urlsplit

import httpx

from homeagent.errors import ConfigError, HomeAssistantAuthError, HomeAssistantError, HomeAssistantUnavailable
from homeagent.ha.shapes import MALFORMED, needed


class RestClient:
    """A few REST calls; `RestClient.open` makes one.

    Usage: ``async with await RestClient.open(url, token) as client: await client.config()``
    """

    def __init__(self, url: str, http: httpx.AsyncClient) -> None:
        self._url = url
        self._http = http

    @classmethod
    async def open(cls, url: str, token: str, *, verify: bool | str = True, timeout: float = 10.0) -> Self:
        """Nothing is sent yet. ``verify`` as for `tls_context`; ``timeout`` in seconds a call.

        Raises ConfigError for a URL or a certificate that is none, HomeAssistantAuthError for such a token.
        """
        url, token = normalised_url(url), checked_token(token)
        tls = await tls_context(url, verify)
        return cls(url, await asyncio.to_thread(_http_client, url, token, tls, timeout))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connections to Home Assistant."""
        await self._http.aclose()

    async def config(self) -> Mapping[str, Any]:
        """Home Assistant's configuration: version, state, units …; also the test whether URL and token are right."""
        answer = await self._request("GET", "/api/config")
        if not isinstance(answer, dict) or "version" not in answer:
            raise not_home_assistant(self._url)
        return answer

    async def fire_event(self, event_type: str, data: Mapping[str, object]) -> None:
        """Fire an event on Home Assistant's bus."""
        await self._request("POST", f"/api/events/{quote(event_type, safe='')}", json=dict(data))

    async def scene_config(self, key: str) -> Mapping[str, object] | None:
        """The configuration of a scene by its own id (not its entity id); None where that is no object."""
        answer = await self._request("GET", f"/api/config/scene/config/{quote(key, safe='')}")
        return answer if isinstance(answer, dict) else None

    async def _request(self, method: str, path: str, **options: Any) -> Any:
        """Raises HomeAssistantAuthError, HomeAssistantUnavailable, HomeAssistantError with Home Assistant's words."""
        try:
            response = await self._http.request(method, path, **options)
        except (httpx.HTTPError, httpx.InvalidURL, OSError) as error:
            raise cannot_reach(self._url, error) from None
        if response.status_code >= 300:
            raise _refusal(self._url, response)
        try:
            return response.json()
        except (ValueError, RecursionError):
            raise not_home_assistant(self._url) from None


def _http_client(url: str, token: str, tls: ssl.SSLContext | None, timeout: float) -> httpx.AsyncClient:
    """In a thread: with its first client and request httpx imports modules for half a second on a slow machine."""
    for module in ("httpcore", "anyio._backends._asyncio"):
        importlib.import_module(module)
    return httpx.AsyncClient(
        base_url=url,
        headers={"Authorization": f"Bearer {token}"},
        verify=tls or False,  # without a context the URL is plain http, and False spares reading the system's CAs
        timeout=timeout,
    )


def normalised_url(url: str) -> str:
    """``scheme://host[:port][/path]`` of what a person wrote. Raises ConfigError."""
    text = url.strip()
    if text and "://" not in text:
        text = "http://" + text
    text = re.sub(r"^ws(s?)://", r"http\1://", text, flags=re.IGNORECASE)
    try:
        parts = urlsplit(text)
        valid = parts.scheme.lower() in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        valid = False
    if not valid:
        raise ConfigError(
            "home_assistant.url is not the address of a Home Assistant.",
            hint="It looks like http://homeassistant.local:8123.",
        )
    host = parts.netloc.rpartition("@")[2]
    path = re.sub(r"/api(/websocket)?$", "", parts.path.rstrip("/"))
    return f"{parts.scheme.lower()}://{host}{path}"


def checked_token(token: str) -> str:
    """The token without surrounding space. Raises HomeAssistantAuthError where it cannot be one."""
    token = token.strip()
    if not token:
        raise HomeAssistantAuthError("No token for Home Assistant is set (home_assistant.token).")
    if not token.isascii() or not token.isprintable() or " " in token:
        raise HomeAssistantAuthError("home_assistant.token has characters that no token has.")
    return token


async def tls_context(url: str, verify: bool | str) -> ssl.SSLContext | None:
    """How to check the certificate of an https ``url``; None for http.

    ``verify``: True for the system's authorities, False for no check, or the path of a private CA (PEM).
    Raises ConfigError where that cannot be read.
    """
    if not url.startswith("https:"):
        return None
    return await asyncio.to_thread(_tls_context, verify)  # reads files


def _tls_context(verify: bool | str) -> ssl.SSLContext:
    try:
        context = ssl.create_default_context(cafile=verify if isinstance(verify, str) else None)
    except (OSError, ssl.SSLError) as error:
        raise ConfigError(
            f"home_assistant.ca_file: cannot read a certificate from {verify}: {_words(error)}.",
            hint="It takes the path of a CA certificate in PEM format.",
        ) from None
    if verify is False:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    return context


def cannot_reach(url: str, error: BaseException) -> HomeAssistantUnavailable:
    """Why no connection came about, for the person who set the URL."""
    text = str(error)
    if isinstance(error, ssl.SSLCertVerificationError) or "CERTIFICATE_VERIFY_FAILED" in text:
        reason = getattr(error, "verify_message", "") or text
        return HomeAssistantUnavailable(
            f"The certificate of {url} cannot be trusted: {reason}.",
            hint="For a private CA set `home_assistant.ca_file` to the path of its certificate (PEM).",
        )
    if isinstance(error, ssl.SSLError) or "SSL" in text:
        return HomeAssistantUnavailable(f"{url} does not speak TLS as it should; is it http instead of https?")
    if isinstance(error, socket.gaierror) or "Name or service not known" in text or "getaddrinfo" in text:
        return HomeAssistantUnavailable(f"No host of that name: {urlsplit(url).hostname}.")
    if isinstance(error, TimeoutError | httpx.TimeoutException):
        return HomeAssistantUnavailable(f"Home Assistant at {url} did not answer in time.")
    return HomeAssistantUnavailable(f"Cannot reach Home Assistant at {url}: {_words(error)}.")


def answered_with(url: str, status: int) -> HomeAssistantError:
    """What an unexpected HTTP status from ``url`` means."""
    if status == 401:
        return HomeAssistantAuthError(f"Home Assistant at {url} does not accept the token.")
    if status == 403:
        return HomeAssistantAuthError(
            f"{url} forbids access (403).",
            hint="Home Assistant may have banned this machine after failed logins: see its `ip_bans.yaml`.",
        )
    if status == 400:
        return HomeAssistantUnavailable(
            f"{url} refuses the request (400).",
            hint="Home Assistant must trust a reverse proxy: see `trusted_proxies` of its `http` integration.",
        )
    if status >= 500:
        return HomeAssistantUnavailable(f"Home Assistant at {url} is not up (HTTP {status}).")
    return not_home_assistant(url, status)


def not_home_assistant(url: str, status: int | None = None) -> HomeAssistantUnavailable:
    """The error for an address where something else answers; ``status`` is the HTTP status it answered with."""
    answer = f" (HTTP {status})" if status else ""
    return HomeAssistantUnavailable(f"What answers at {url} is not Home Assistant{answer}.")


def _refusal(url: str, response: httpx.Response) -> HomeAssistantError:
    """An error from a REST answer, with Home Assistant's message where it gives one."""
    try:
        message = needed(response.json()["message"])
    except MALFORMED:
        return answered_with(url, response.status_code)
    if response.status_code in (401, 403):
        return answered_with(url, response.status_code)
    return HomeAssistantError(f"Home Assistant refused the request: {message}")


def _words(error: BaseException) -> str:
    return (getattr(error, "strerror", None) or str(error) or type(error).__name__).rstrip(".")
