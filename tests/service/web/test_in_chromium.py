"""The page in a real Chromium: it works, fits on a phone and a desk, in light and dark, and keeps nobody out."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from playwright.async_api import Page, expect

from homeagent.app import App
from homeagent.demo.server import DemoServer
from tests.service.web.chromium import chromium, serving, sign_in, started, violations

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PAGES = ("./",)
PHONE, DESK = {"width": 360, "height": 740}, {"width": 1440, "height": 900}


@pytest.fixture
async def url(app: App) -> AsyncIterator[str]:
    async with serving(app) as url:
        yield url


@pytest.fixture
async def page(url: str) -> AsyncIterator[Page]:
    """A page that the owner has signed in at. It fails on whatever the console warns of, such as a broken rule."""
    async with started(chromium()) as browser:
        page = await browser.new_page(locale="en-GB", base_url=url, viewport=DESK)
        said: list[str] = []
        page.on("console", lambda message: said.append(message.text) if message.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: said.append(str(error)))
        await sign_in(page, url)
        yield page
        assert said == []


async def say(page: Page, text: str) -> None:
    await page.get_by_label("Sentence").fill(text)
    await page.keyboard.press("Enter")


async def test_a_sentence_is_answered_and_a_yes_opens_the_door(page: Page, demo: DemoServer) -> None:
    await say(page, "turn on the kitchen lights")
    await expect(page.locator(".answer").last).to_have_text("Kitchen lights are on.")
    await expect(page.get_by_label("Sentence")).to_be_focused()
    await expect(page.get_by_label("Sentence")).to_have_value("")
    await say(page, "unlock the front door")
    await page.get_by_role("button", name="Yes").click()
    await expect(page.locator(".answer").last).to_contain_text("Front door is unlocked")
    assert demo.state("lock.front_door")["state"] == "unlocked"
    await expect(page.locator("[role=status]")).to_contain_text("Front door is unlocked")
    await expect(page.locator(".asked")).to_have_count(0)
    await page.locator(".why summary").first.click()
    await expect(page.locator(".why").first).to_contain_text("light.kitchen_lights")
    await expect(page.locator("#conversations li")).to_have_count(1)
    assert await violations(page) == []
