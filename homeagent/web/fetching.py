"""One page, fetched: a bounded number of bytes in bounded time, from public addresses only, without cookies."""

from __future__ import annotations

import asyncio
import http.cookiejar
import ssl
import zlib
from collections.abc import Callable, Collection
from dataclasses import dataclass

import httpx

from homeagent import __version__
from homeagent.errors import AddressRefused, InvalidParameters, TooLarge, WebError
from homeagent.web.transport import Allows, CheckedTransport, Resolve, is_public, look_up

MOST_BYTES = 5_000_000
"""Of an answer, as sent and as unpacked."""
_MOST_REDIRECTS = 5
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_LONGEST_URL = 2_000
_AT_ONCE = 64 * 1024
_TEXTS = ("text/", "application/json", "application/xml", "application/xhtml+xml", "application/rss+xml")
_TEXT_ENDS = ("+json", "+xml")
_WINDOWS = {"gzip": 31, "x-gzip": 31, "deflate": 47}
"""How zlib is told what it unpacks."""
_HEADERS = {
    "User-Agent": f"homeagent/{__version__} (an agent of a home; web_fetch)",
    "Accept": "text/html, application/xhtml+xml, text/plain, application/json, application/xml;q=0.9, text/*;q=0.8",
    "Accept-Encoding": "gzip, deflate",
}


@dataclass(frozen=True, slots=True)
class Fetched:
    """An answer: ``url`` is where it came from in the end, ``charset`` what its header says."""

    url: str
    content_type: str
    charset: str | None
    body: bytes


class Fetcher:
    """``own_hosts``: names of the home itself, which is not the web however it is reached."""

    def __init__(
        self,
        own_hosts: Callable[[], Collection[str]] = tuple,
        *,
        allows: Allows = is_public,
        resolve: Resolve = look_up,
    ) -> None:
        self._own = own_hosts
        self._allows = allows
        self._resolve = resolve
        self._trust: ssl.SSLContext | None = None

    async def fetch(self, url: str, timeout: float) -> Fetched:
        """Raises InvalidParameters (no such address), AddressRefused, TooLarge, WebError."""
        if self._trust is None:
            self._trust = await asyncio.to_thread(httpx.create_ssl_context)
        try:
            async with asyncio.timeout(timeout), self._client(self._trust, timeout) as client:
                return await self._follow(client, checked_url(url))
        except TimeoutError:
            raise WebError(f"There was no whole answer within {timeout:g} s.") from None
        except httpx.HTTPError as error:
            raise WebError(f"It could not be fetched ({type(error).__name__}).") from None

    def _client(self, trust: ssl.SSLContext, timeout: float) -> httpx.AsyncClient:
        return httpx.AsyncClient(
            transport=CheckedTransport(trust, allows=self._allows, resolve=self._resolve),
            headers=_HEADERS,
            cookies=http.cookiejar.CookieJar(http.cookiejar.DefaultCookiePolicy(allowed_domains=[])),
            timeout=timeout,
            trust_env=False,
        )

    async def _follow(self, client: httpx.AsyncClient, url: httpx.URL) -> Fetched:
        for _ in range(_MOST_REDIRECTS + 1):
            if url.host.casefold().rstrip(".") in self._own():
                raise AddressRefused("That is this home itself.")
            async with client.stream("GET", url) as response:
                if response.status_code not in _REDIRECTS or "location" not in response.headers:
                    return await _taken(response)
                url = checked_url(str(response.url.join(response.headers["location"])))
        raise WebError(f"It leads on and on: more than {_MOST_REDIRECTS} redirects.")


def checked_url(text: str) -> httpx.URL:
    """Raises InvalidParameters for what is no address of a page."""
    try:
        url = httpx.URL(text.strip())
    except (httpx.InvalidURL, ValueError, UnicodeError):
        raise InvalidParameters("That is no address.", hint="Write it whole, such as https://example.org/.") from None
    if url.scheme not in ("http", "https") or not url.host:
        raise InvalidParameters("Only http:// and https:// addresses are fetched.")
    if url.userinfo:
        raise InvalidParameters("An address with a name or a password in it is not fetched.")
    if len(str(url)) > _LONGEST_URL:
        raise InvalidParameters(f"The address is longer than {_LONGEST_URL} characters.")
    return url


async def _taken(response: httpx.Response) -> Fetched:
    if response.status_code >= 400:
        raise WebError(f"{response.url.host} answers with an error ({response.status_code}).")
    kind, _, more = response.headers.get("content-type", "text/plain").partition(";")
    kind = kind.strip().casefold() or "text/plain"
    if not (kind.startswith(_TEXTS) or kind.endswith(_TEXT_ENDS)):
        raise WebError(f"It is no text but {kind[:60]!r}.")
    if (told := response.headers.get("content-length", "")).isdigit() and int(told) > MOST_BYTES:
        raise _too_large()
    body = await _body(response)
    return Fetched(str(response.url), kind, _charset(more), body)


async def _body(response: httpx.Response) -> bytes:
    """Unpacked piece by piece, so that little that becomes much is noticed in time."""
    packed = response.headers.get("content-encoding", "identity").strip().casefold()
    if packed not in ("", "identity", *_WINDOWS):
        raise WebError(f"It is packed in a way that is not read: {packed[:40]!r}.")
    unpack = zlib.decompressobj(_WINDOWS[packed]) if packed in _WINDOWS else None
    body, sent = bytearray(), 0
    async for piece in response.aiter_raw(_AT_ONCE):
        sent += len(piece)
        if sent > MOST_BYTES:
            raise _too_large()
        try:
            body += await asyncio.to_thread(_unpacked, unpack, piece, len(body)) if unpack else piece
        except zlib.error:
            raise WebError("It is packed wrongly.") from None
    if len(body) > MOST_BYTES:
        raise _too_large()
    return bytes(body)


def _unpacked(unpack: zlib._Decompress, piece: bytes, so_far: int) -> bytes:
    room = MOST_BYTES - so_far + 1
    out = unpack.decompress(piece, room)
    if len(out) >= room or unpack.unconsumed_tail:
        raise _too_large()
    return out


def _charset(parameters: str) -> str | None:
    for part in parameters.split(";"):
        name, _, value = part.partition("=")
        if name.strip().casefold() == "charset":
            return value.strip().strip("\"'")[:40] or None
    return None


def _too_large() -> TooLarge:
    return TooLarge(f"It is larger than {MOST_BYTES // 1_000_000} MB.")
