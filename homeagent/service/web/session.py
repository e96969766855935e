"""Who has signed in with a browser. A cookie names a session; the digest of the token that was given stays here, and is
judged anew each time. Sessions outlive a new start: a file has both as digests, of which neither can be turned back.

Cookies know no ports: what else runs on this machine may be sent ours. So it is no token, it counts on the page's paths
alone, and what changes something needs the session's form key besides.
"""

from __future__ import annotations

import hmac
import json
import logging
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

from starlette.datastructures import Headers
from starlette.requests import Request, cookie_parser
from starlette.responses import Response

from homeagent.access_tokens import TokenDigest, digest
from homeagent.errors import InvalidInput, Refused
from homeagent.private_folder import replace_private
from homeagent.service.request_guard import ingress_session

_log = logging.getLogger(__name__)

FORM_KEY = "form_key"
"""The field of every form that changes something."""
_LASTS = 30 * 24 * 3600
"""Seconds from signing in."""
_MOST = 256
"""Sessions at once; the oldest ends for a new one."""


class Sessions:
    """``file``: where they are kept; None: nowhere. ``clock``: seconds since the epoch."""

    def __init__(self, file: Path | None = None, clock: Callable[[], float] = time.time) -> None:
        self._file = file
        self._clock = clock
        self._open: OrderedDict[bytes, tuple[TokenDigest, float]] = OrderedDict(_read(file) if file else ())

    def open(self, token: bytes) -> str:
        """A new session of whoever has this token, which was found right: what its cookie says. `save` keeps it."""
        session = secrets.token_urlsafe(32)
        self._open[digest(session.encode())] = (TokenDigest(digest(token)), self._clock() + _LASTS)
        if len(self._open) > _MOST:
            self._open.popitem(last=False)
        return session

    def save(self) -> None:
        """Keep the sessions as they are. Blocks. Where that fails they end with this process."""
        if self._file is None:
            return
        now = self._clock()
        kept = [[s.hex(), token.hex(), until] for s, (token, until) in tuple(self._open.items()) if now < until]
        try:
            replace_private(self._file, json.dumps(kept))
        except OSError as error:
            _log.warning("who has signed in could not be kept: %s", error)

    def token(self, headers: Headers) -> bytes:
        """The digest of the token that a request's cookie stands for; empty where it stands for none, or no longer."""
        token, until = self._open.get(digest(session_in(headers).encode()), (b"", 0.0))
        return token if self._clock() < until else b""

    def close(self, headers: Headers) -> None:
        """From now on the cookie stands for nothing."""
        self._open.pop(digest(session_in(headers).encode()), None)


def _read(file: Path) -> list[tuple[bytes, tuple[TokenDigest, float]]]:
    """What was kept; nothing where there is nothing, or nothing that can be read."""
    try:
        kept = json.loads(file.read_text("utf-8"))
        return [(bytes.fromhex(s), (TokenDigest(bytes.fromhex(token)), float(until))) for s, token, until in kept]
    except (OSError, ValueError, TypeError):
        return []


def session_in(headers: Headers) -> str:
    """What the cookie says; empty where there is none."""
    return cookie_parser(headers.get("cookie", "")).get(_cookie_name(headers), "")


def give_cookie(request: Request, response: Response, session: str) -> None:
    """Let the browser keep the session. Without a path it is kept for the folder that the page is in, prefix or not."""
    response.set_cookie(
        _cookie_name(request.headers),
        session,
        max_age=_LASTS,
        path=None,
        secure=request.headers.get("x-forwarded-proto", request.url.scheme) == "https",
        httponly=True,
        samesite="strict",
    )


def take_cookie(request: Request, response: Response) -> None:
    """Let the browser forget the session."""
    response.set_cookie(_cookie_name(request.headers), "", max_age=0, path=None, httponly=True, samesite="strict")


def form_key(request: Request) -> str:
    """What the forms of this session carry. Nobody who cannot read the cookie or the page knows it."""
    session = ingress_session(request.scope) or session_in(request.headers)
    return hmac.new(session.encode(), b"form", "sha256").hexdigest()


async def posted(request: Request) -> dict[str, str]:
    """The fields of a form that was sent from our own page in this session. Raises Refused for any other."""
    fields = await signing_in(request)
    if not hmac.compare_digest(fields.pop(FORM_KEY, "").encode(), form_key(request).encode()):
        raise Refused("The form is not of this session.", hint="Load the page again.")
    return fields


async def signing_in(request: Request) -> dict[str, str]:
    """The fields of a form sent from our own page, while there is no session. Raises Refused for another site's."""
    if request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        raise Refused("Pages of other sites may not send forms here.")
    body = (await request.body()).decode("utf-8", "replace")
    try:
        return dict(parse_qsl(body, keep_blank_values=True, max_num_fields=50))
    except ValueError:
        raise InvalidInput("The form has too many fields.") from None


def _cookie_name(headers: Headers) -> str:
    """With the port: a demo beside the real service must not sign its visitors out."""
    try:
        port = urlsplit(f"//{headers.get('host', '')}").port
    except ValueError:
        port = None
    return f"homeagent-{port}" if port else "homeagent"
