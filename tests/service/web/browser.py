"""A person at the page, without a browser: a cookie, and forms that are filled in as they stand."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

import httpx


@dataclass
class Form:
    """A form with what its fields hold. ``buttons``: the values of its submit buttons that have a name."""

    action: str
    fields: dict[str, str] = field(default_factory=dict)
    buttons: dict[str, str] = field(default_factory=dict)


class Seen(HTMLParser):
    """What a person sees of HTML: its text, forms, links and names of elements."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self.links: list[str] = []
        self.tags: list[str] = []
        self.loaded: list[str] = []
        self.attributes: list[str] = []
        self._pieces: list[str] = []
        self.feed(html)
        self.text = " ".join("".join(self._pieces).split())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = {name: value or "" for name, value in attrs}
        self.tags.append(tag)
        self.attributes += said
        if tag == "form":
            self.forms.append(Form(said.get("action", "")))
        elif tag in ("input", "textarea") and self.forms and "name" in said:
            self.forms[-1].fields[said["name"]] = said.get("value", "")
        elif tag == "button" and self.forms and "name" in said:
            self.forms[-1].buttons[said["value"]] = said["name"]
        elif tag == "a":
            self.links.append(said.get("href", ""))
        if tag in ("script", "link", "img"):
            self.loaded.append(said.get("src") or said.get("href") or "inline")

    def handle_data(self, data: str) -> None:
        self._pieces.append(data)

    def form(self, action: str, number: int = 0) -> Form:
        return [form for form in self.forms if form.action == action][number]


class Browser:
    """Opens pages and sends their forms; keeps cookies and follows redirects as a browser does."""

    def __init__(self, http: httpx.AsyncClient) -> None:
        self.http = http

    async def open(self, path: str, status: int = 200) -> Seen:
        response = await self.http.get(path)
        assert response.status_code == status, (response.status_code, response.text)
        return Seen(response.text)

    async def send(self, form: Form, /, button: str | None = None, status: int = 200, **fields: str) -> Seen:
        response = await self.post(form, button, **fields)
        assert response.status_code == status, (response.status_code, response.text)
        return Seen(response.text)

    async def post(
        self, form: Form, button: str | None = None, headers: dict[str, str] | None = None, **fields: str
    ) -> httpx.Response:
        pressed = {form.buttons[button]: button} if button is not None else {}
        return await self.http.post(form.action, data={**form.fields, **pressed, **fields}, headers=headers)

    async def sign_in(self, token: str) -> Seen:
        response = await self.post((await self.open("sign-in")).form("sign-in"), token=token)
        return Seen(response.text)
