"""The page in a real Chromium: it works, fits on a phone and a desk, in light and dark, and keeps nobody out."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Literal

import pytest
from playwright.async_api import Page, ViewportSize, expect

from homeagent.app import App
from homeagent.demo.server import DemoServer
from homeagent.languages.folder import Part, languages_with
from tests.service.conftest import TOKEN
from tests.service.web.chromium import chromium, serving, sign_in, started, violations

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PAGES = ("./", "home", "home?q=kitchen", "memories", "waiting", "timers", "log", "events", "status", "settings")
PHONE: ViewportSize = {"width": 360, "height": 740}
DESK: ViewportSize = {"width": 1440, "height": 900}
Scheme = Literal["light", "dark"]


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


async def test_states_change_while_one_looks(page: Page, demo: DemoServer) -> None:
    await page.goto("home")
    hall = page.locator("#state-light-hall")
    await expect(hall).to_have_text("on")
    await page.wait_for_timeout(500)
    demo.set_state("light.hall", "off")
    await expect(hall).to_have_text("off")
    await page.get_by_role("searchbox").fill("kitchen lights")
    await page.keyboard.press("Enter")
    await expect(page.locator("li.hit").first).to_be_visible()
    await expect(page.locator("#hits")).to_contain_text("kitchen lights")


async def test_timers_and_questions_come_while_one_looks(page: Page, app: App) -> None:
    await page.goto("timers")
    await app.agent.process("set a pasta timer for ten minutes")
    await expect(page.locator("#timers")).to_contain_text("pasta", timeout=10_000)
    await page.get_by_role("button", name="Cancel").focus()
    left = await page.locator("#timers p").inner_text()
    await expect(page.locator("#timers p")).not_to_have_text(left, timeout=10_000)
    await expect(page.get_by_role("button", name="Cancel")).to_be_focused()
    await page.goto("waiting")
    await app.agent.process("unlock the front door")
    await expect(page.get_by_role("button", name="Yes")).to_be_visible(timeout=10_000)


async def test_events_come_while_one_looks(page: Page, app: App) -> None:
    await page.goto("events")
    await page.wait_for_timeout(500)
    await app.agent.process("turn on the kitchen lights")
    await expect(page.locator("#events li").first).to_contain_text("conversation.")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
async def test_nobody_is_kept_out_and_nothing_overflows(
    page: Page, app: App, size: ViewportSize, scheme: Scheme
) -> None:
    await page.set_viewport_size(size)
    await page.emulate_media(color_scheme=scheme)
    await app.need_home()
    told = await app.memories.add("The bins go out on Thursday")
    await app.agent.process("unlock the front door")
    for path in (*PAGES, f"memory?id={told.id}", "sign-in"):
        await page.goto(path)
        assert await violations(page) == [], path
        width = await page.evaluate("document.documentElement.scrollWidth")
        assert width <= size["width"], path
    await page.goto("./")
    await say(page, "unlock the front door")
    await page.get_by_role("button", name="Yes").wait_for()
    await page.locator(".why summary").last.click()
    assert await violations(page) == []
    assert await page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    box = await page.get_by_label("Sentence").bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= size["height"]
    paper = await page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (paper == "rgb(255, 255, 255)") == (scheme == "light")


async def test_all_can_be_done_with_the_keyboard(page: Page, demo: DemoServer) -> None:
    await page.goto("./")
    await expect(page.get_by_label("Sentence")).to_be_focused()
    await page.keyboard.type("unlock the front door")
    await page.keyboard.press("Enter")
    await page.get_by_role("button", name="Yes").wait_for()
    focused = "document.activeElement.value"
    for _ in range(40):
        await page.keyboard.press("Shift+Tab")
        if await page.evaluate(focused) == "yes":
            break
    await page.keyboard.press("Enter")
    await expect(page.locator(".answer").last).to_contain_text("Front door is unlocked")
    assert demo.state("lock.front_door")["state"] == "unlocked"


async def test_it_works_behind_a_prefix(app: App, demo: DemoServer) -> None:
    async with serving(app, prefix="/agent") as url, started(chromium()) as browser:
        page = await browser.new_page(locale="de-DE")
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        await page.goto(f"{url}/agent/")
        await page.get_by_label("Token").fill(TOKEN)
        await page.get_by_role("button", name="Anmelden").click()
        await page.get_by_label("Satz").fill("unlock the front door")
        await page.keyboard.press("Enter")
        await page.get_by_role("button", name="Ja").click()
        await expect(page.locator(".answer").last).to_contain_text("Front door is unlocked")
        assert demo.state("lock.front_door")["state"] == "unlocked"
        for name in ("Zuhause", "Gemerktes", "Protokoll", "Gespräch"):
            await page.get_by_role("navigation").get_by_role("link", name=name).click()
            await expect(page.locator("[aria-current=page]")).to_have_text(name)
        await page.get_by_role("button", name="Abmelden").click()
        await expect(page.get_by_role("heading")).to_have_text("Anmelden")
        assert {one.removeprefix(url).split("/")[1] for one in asked} == {"agent"}


async def test_every_language_fits_on_a_phone(app: App) -> None:
    async with serving(app) as url, started(chromium()) as browser:
        for language in languages_with(Part.PAGE):
            page = await browser.new_page(locale=language, base_url=url, viewport=PHONE)
            await page.goto("sign-in")
            await page.locator("#token").fill(TOKEN)
            await page.keyboard.press("Enter")
            await page.wait_for_selector("#say")
            for path in ("sign-in", *PAGES):
                await page.goto(path)
                assert await page.evaluate("document.documentElement.lang") == language
                assert await page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], (language, path)
            await page.close()
