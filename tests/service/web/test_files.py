"""What the page is made of: files that ship, libraries that are what they say, templates that escape."""

from __future__ import annotations

import base64
import hashlib
import re
import shutil
import tomllib
from fnmatch import fnmatch
from pathlib import Path

import pytest

from homeagent.service.web.rendering import STATIC, VENDORED
from tests.service.web.browser import Browser
from tests.service.web.chromium import chromium

ROOT = Path(__file__).parents[3]
WEB = STATIC.parent


def test_every_file_ships() -> None:
    data = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["package-data"]
    files = [
        file.relative_to(WEB).as_posix() for folder in ("templates", "static") for file in (WEB / folder).iterdir()
    ]
    assert files
    assert [one for one in files if not any(fnmatch(one, pattern) for pattern in data["homeagent.service.web"])] == []


def test_each_library_is_what_its_hash_says_and_has_its_licence() -> None:
    assert {file.name for file in STATIC.glob("*.js")} == set(VENDORED)
    for name, hashed in VENDORED.items():
        kind, _, said = hashed.partition("-")
        assert base64.b64encode(hashlib.new(kind, (STATIC / name).read_bytes()).digest()).decode() == said
    assert "Zero-Clause BSD" in (STATIC / "htmx.LICENSE.txt").read_text()


def test_no_template_runs_styles_or_trusts_anything() -> None:
    for template in (WEB / "templates").iterdir():
        text = template.read_text()
        assert not re.search(r"\|\s*safe|autoescape|Markup|style=|\son\w+=|hx-on|https?:|=\"/", text), template.name
        assert not re.search(r"<script(?![^>]*\ssrc=)", text), template.name


async def test_a_file_is_kept_until_it_changes(browser: Browser) -> None:
    page = await browser.open("")
    assert len(page.loaded) == 4
    for address in page.loaded:
        response = await browser.http.get(address)
        assert response.status_code == 200
        assert "immutable" in response.headers["cache-control"]
    assert (await browser.http.get("static/../session.py")).status_code in (401, 404)
    assert (await browser.http.get("static/%2e%2e/session.py")).status_code in (401, 404)


def test_without_a_chromium_it_is_said_how_to_get_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _name: None)
    monkeypatch.delenv("HOMEAGENT_CHROMIUM", raising=False)
    monkeypatch.delenv("HOMEAGENT_NO_BROWSER", raising=False)
    with pytest.raises(pytest.fail.Exception, match="apt-get install chromium"):
        chromium()
    monkeypatch.setenv("HOMEAGENT_NO_BROWSER", "1")
    with pytest.raises(pytest.skip.Exception, match="HOMEAGENT_NO_BROWSER"):
        chromium()
