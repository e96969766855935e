"""HTML out of templates, in the visitor's language, under rules that let nothing but our own files run or load.

What comes from homes, people and models is text: every value is escaped where it is put in.
"""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache, wraps
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from homeagent.access import Identity, Scope
from homeagent.languages.answers import load_answers
from homeagent.languages.folder import Part, languages_with, read_part
from homeagent.languages.language_codes import best_match
from homeagent.service.errors import Failure, failure_of
from homeagent.service.request_guard import caller_of, ingress_session
from homeagent.service.web.session import FORM_KEY, form_key
from homeagent.timers.wanted import WEEKDAYS

_HERE = Path(__file__).parent
STATIC = _HERE / "static"
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",  # with none, browsers would not say where a form comes from
    "Cache-Control": "no-store",
}
_IN_HOME_ASSISTANT = {
    name: value.replace("frame-ancestors 'none'", "frame-ancestors 'self'") for name, value in HEADERS.items()
}
"""There the page is shown in a frame of Home Assistant's own, under the same name."""
VENDORED = {
    "htmx.min.js": "sha384-Qp9rdC8H7EqOoX+nR0P3RPG2Noji+qdwJlGpfzwQJsfOpp3sGwIdSP9xO3+UlEhn",
    "hx-sse.min.js": "sha384-v8HvucQ+ohQhMg0arboXc5049yNR46QKMjphs7YDch+Wm7zpfK5XVS01f26mQDJV",
}
"""Files of htmx 4.0.1 (npm: htmx.org, dist/ and dist/ext/, unchanged; 0BSD) and their hashes, which browsers check."""
_FALLBACK = "en"


@dataclass(frozen=True, slots=True)
class Place:
    """A page that the others lead to; ``path`` without the first slash, ``needs`` as the guard asks for it."""

    path: str
    name: str
    needs: tuple[Scope, ...]


PLACES = (
    Place("./", "chat", (Scope.ASK,)),
    Place("home", "home", (Scope.READ,)),
    Place("memories", "memories", (Scope.READ,)),
    Place("waiting", "waiting", (Scope.READ,)),
    Place("timers", "timers", (Scope.READ,)),
    Place("log", "log", (Scope.ADMIN,)),
    Place("events", "events", (Scope.READ,)),
    Place("status", "health", (Scope.READ,)),
    Place("settings", "settings", (Scope.ADMIN,)),
)


def places_of(caller: Identity | None) -> list[Place]:
    """The pages that somebody may look at; none where nobody has signed in."""
    return [place for place in PLACES if caller and all(caller.may(scope) for scope in place.needs)]


def first_place(caller: Identity) -> str:
    """Where somebody gets to who has signed in."""
    return next((place.path for place in places_of(caller)), "./")


@cache
def words(language: str) -> Mapping[str, str]:
    """The texts of the page in a language; English ones where it has none."""
    own, english = read_part(language, Part.PAGE), read_part(_FALLBACK, Part.PAGE)
    return {**(english[1] if english else {}), **(own[1] if own else {})}


def language_of(accepted: str, homes: str) -> str:
    """The language for a header ``Accept-Language``: the best liked that there are texts in, else the home's."""
    known = languages_with(Part.PAGE)
    wanted = [_liked(part) for part in accepted.split(",") if part.strip()]
    for _, code in sorted((one for one in wanted if one[0] > 0), key=lambda one: -one[0]):
        if found := best_match(code, known):
            return found
    return best_match(homes, known) or _FALLBACK


def _liked(part: str) -> tuple[float, str]:
    code, _, weight = part.partition(";")
    try:
        return float(weight.strip().removeprefix("q=")) if weight else 1.0, code.strip()
    except ValueError:
        return 0.0, code


class Renderer:
    """Makes pages and parts of them. ``homes_language``: the one that is spoken where nobody asks for another.
    ``local``: an aware moment by the home's clock, in ISO format."""

    def __init__(self, homes_language: Callable[[], str], local: Callable[[datetime], str]) -> None:
        self._homes_language = homes_language
        self._templates = Environment(
            loader=FileSystemLoader(_HERE / "templates"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._templates.filters["when"] = lambda moment: _when(moment, local)
        self._templates.globals |= {"static": _static, "integrity": VENDORED.get}

    def language(self, request: Request) -> str:
        """The language of the visitor's texts."""
        return language_of(request.headers.get("accept-language", ""), self._homes_language())

    def part(self, request: Request, template: str, **values: object) -> str:
        """A template filled in, with who looks, the texts ``t``, the places that they may go to, and how
        states and weekdays are called.
        """
        language = self.language(request)
        texts = words(language)

        def t(key: str, /, **filled: object) -> str:
            return texts[key].format(**filled) if filled else texts[key]

        answers = load_answers(language)
        caller = caller_of(request.scope)
        return self._templates.get_template(template).render(
            t=t,
            language=language,
            state=lambda kind, raw: answers.state(kind, raw) if answers else raw,
            weekday=lambda day: answers.weekday(WEEKDAYS.index(day)) if answers else day,
            caller=caller,
            may=lambda scope: caller is not None and caller.may(Scope(scope)),
            places=places_of(caller),
            here=request.scope["path"].lstrip("/") or "./",
            form_key_field=FORM_KEY,
            form_key=form_key(request),
            signs_out=not ingress_session(request.scope),
            **values,
        )

    def page(self, request: Request, template: str, status: int = 200, **values: object) -> HTMLResponse:
        """The same as an answer."""
        headers = _IN_HOME_ASSISTANT if ingress_session(request.scope) else HEADERS
        return HTMLResponse(self.part(request, template, **values), status, headers)

    def refused(self, request: Request, failure: Failure) -> Response:
        """What is shown instead of a page: where to sign in, or what went wrong."""
        partly = is_partial(request)
        if failure.status == 401:
            if partly:
                return Response(status_code=401, headers={**HEADERS, "HX-Redirect": "sign-in"})
            return Response(status_code=303, headers={**HEADERS, "Location": "sign-in"})
        return self.page(request, "failure.html" if partly else "failed.html", failure.status, failure=failure)


Answers = Callable[[Request], Awaitable[Response]]


def shown(renderer: Renderer) -> Callable[[Answers], Answers]:
    """The boundary of a page: whatever goes wrong in it is shown."""

    def around(answer: Answers) -> Answers:
        @wraps(answer)
        async def answered(request: Request) -> Response:
            try:
                return await answer(request)
            except Exception as error:  # noqa: BLE001 - answering a request
                return renderer.refused(request, failure_of(error))

        # FastAPI reads what a function takes from its annotations, by name.
        answered.__annotations__ = {"request": Request, "return": Response}
        return answered

    return around


def is_partial(request: Request) -> bool:
    """Whether a part of a page is asked for, by htmx."""
    return request.headers.get("hx-request") == "true"


def visitor(request: Request) -> Identity:
    """Who looks, as the guard found."""
    caller = caller_of(request.scope)
    assert caller is not None  # the guard lets nobody else pass
    return caller


async def events(parts: AsyncIterator[str]) -> AsyncIterator[bytes]:
    """Parts of a page as server-sent events without a name, which htmx puts where they say."""
    async for part in parts:
        yield as_event(part)


def as_event(part: str) -> bytes:
    """One of them."""
    lines = part.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return ("".join(f"data: {line}\n" for line in lines) + "\n").encode()


def _when(moment: str, local: Callable[[datetime], str]) -> str:
    """A moment in ISO format to the second, by the home's clock."""
    return local(datetime.fromisoformat(moment))[:19].replace("T", " ")


@cache
def _static(name: str) -> str:
    """The address of a file of ours, which changes with what is in it."""
    return f"static/{name}?{hashlib.sha256((STATIC / name).read_bytes()).hexdigest()[:12]}"
