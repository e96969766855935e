"""`make guide`: does each step of docs/guide.md in a browser before a real Home Assistant, and takes its pictures.

The service is the one that people start, by its commands. What does not come about as the guide says ends it with why.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
from playwright.sync_api import Page, sync_playwright

from homeagent.demo.inventory import parse_inventory
from tests.e2e import real
from tests.service.web.chromium import chromium

ROOT = Path(__file__).parents[2]
_FRONTEND = ROOT / ".ha-frontend"
_SIZE = {"width": 800, "height": 620}
_PATIENCE = 20.0
_LAMP = {"supported_color_modes": ["brightness"]}
_HOME: dict[str, Any] = {
    "areas": [{"id": "hall", "name": "Hall"}, {"id": "kitchen", "name": "Kitchen"}],
    "entities": [
        {"id": "lock.front_door", "name": "Front door", "state": "locked", "area": "hall"},
        {"id": "light.hall", "name": "Hall lamp", "state": "off", "area": "hall", "attributes": _LAMP},
        {"id": "light.kitchen", "name": "Kitchen lamp", "state": "off", "area": "kitchen", "attributes": _LAMP},
    ],
}
_PARTS = "frontend:\nassist_pipeline:\nlovelace:\nsearch:\nrepairs:\n"


@dataclass(frozen=True)
class Service:
    """The agent as its owner runs it, in a folder of its own."""

    folder: Path

    def run(self, *command: str) -> str:
        """What a command says. Raises CalledProcessError where it fails."""
        return subprocess.run(self._command(*command), env=self._env, check=True, text=True, capture_output=True).stdout

    @contextmanager
    def serving(self) -> Iterator[str]:
        """`homeagent serve` on a free port: its address."""
        with (self.folder / "log").open("w") as log:
            process = subprocess.Popen(self._command("serve", "--port", "0"), env=self._env, stdout=log, stderr=log)
        try:
            yield self._address()
        finally:
            process.terminate()
            process.wait(30)

    def _address(self) -> str:
        for _ in range(int(_PATIENCE)):
            with suppress(subprocess.CalledProcessError):  # it has not started yet
                return str(json.loads(self.run("--json", "token", "show"))["url"])
            time.sleep(1)
        raise AssertionError((self.folder / "log").read_text())

    def _command(self, *command: str) -> list[str]:
        return [str(Path(sys.executable).with_name("homeagent")), *command]

    @property
    def _env(self) -> dict[str, str]:
        own = {"HOMEAGENT_CONFIG": str(self.folder / "config.toml"), "HOMEAGENT_DATA_DIR": str(self.folder / "data")}
        return {**os.environ, **own, "PYTHONPATH": str(ROOT)}


@dataclass(frozen=True)
class Guide:
    """The owner before the browser, signed in to Home Assistant. ``pictures``: where they go."""

    page: Page
    home: real.RealHomeAssistant
    pictures: Path

    def go(self, path: str) -> None:
        self.page.goto(self.home.url + path)

    def picture(self, name: str) -> None:
        self.page.wait_for_timeout(1000)  # until what opens has opened
        self.page.screenshot(path=self.pictures / f"guide-{name}.png")

    def press(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).click()

    def state(self, entity_id: str) -> str:
        headers = {"Authorization": f"Bearer {self.home.token}"}
        return str(httpx.get(f"{self.home.url}/api/states/{entity_id}", headers=headers).json()["state"])

    def expect(self, entity_id: str, state: str) -> None:
        """Wait until it is so."""
        for _ in range(int(_PATIENCE * 5)):
            if (found := self.state(entity_id)) == state:
                return
            self.page.wait_for_timeout(200)
        raise AssertionError(f"{entity_id} is {found}, not {state}")

    def make_token(self) -> str:
        """Profile → Security → Create token."""
        self.go("/profile/security")
        self.press("Create Token")
        self.page.locator("dialog-box").get_by_role("textbox").fill("homeagent")
        self.picture("token")
        self.press("OK")
        return self.page.locator("ha-long-lived-access-token-dialog").get_by_role("textbox").input_value()

    def look_at_what_is_exposed(self) -> None:
        """Settings → Voice assistants → Expose."""
        self.go("/config/voice-assistants/expose")
        self.page.get_by_text("Hall lamp").wait_for()

    def pair(self, address: str, code: str) -> None:
        """Settings → Devices & services → Add integration → Home Agent."""
        self.go("/config/integrations/dashboard")
        self.press("Add integration")
        adding = self.page.locator("dialog-add-integration")
        adding.get_by_role("textbox").fill("Home Agent")
        adding.get_by_text("Home Agent").first.click()
        self.page.get_by_label("Address").fill(address)
        self.page.get_by_label("Code").fill(code)
        self.picture("pair")
        self.press("Submit")
        self.press("Finish")

    def choose_it(self) -> None:
        """Settings → Voice assistants → Home Assistant → Conversation agent."""
        self.go("/config/voice-assistants/assistants")
        self.page.locator("assist-pref").get_by_text("Home Assistant").first.click()
        agent = self.page.get_by_label("Conversation agent")
        agent.click()
        self.page.get_by_role("option", name="Home Agent").click()
        self.picture("assist")
        self.press("Update")

    def talk(self) -> None:
        """Assist, on the dashboard: the key "a", or its menu."""
        self.go("/lovelace/0")
        self.page.get_by_text("Front door").wait_for()
        self.page.keyboard.press("a")
        self.say("turn on the hall lamp")
        self.expect("light.hall", "on")
        self.say("unlock the front door")
        self.page.get_by_text("Shall I?").wait_for()
        self.picture("talk")
        assert self.state("lock.front_door") == "locked"
        self.say("yes")
        self.expect("lock.front_door", "unlocked")

    def say(self, text: str) -> None:
        said = self.page.locator("ha-assist-chat").get_by_role("textbox")
        said.fill(text)
        said.press("Enter")

    def answer_by_button(self) -> None:
        """The device's page has what waits for a yes, with a button."""
        self.say("lock the front door")
        self.expect("lock.front_door", "locked")
        self.say("unlock the front door")
        self.expect("binary_sensor.home_agent_question_waits", "on")
        self.go("/config/integrations/integration/home_agent")
        self.page.get_by_text("1 service").first.click()
        yes = self.page.locator("hui-button-entity-row").filter(has_text="Yes").get_by_text("Press")
        yes.wait_for()
        self.picture("device")
        yes.click()
        self.expect("lock.front_door", "unlocked")


def walk(guide: Guide, service: Service) -> None:
    """Every step of the guide, in its order."""
    (service.folder / "token").write_text(guide.make_token())
    service.run("setup", "--url", guide.home.url, "--token-file", str(service.folder / "token"))
    guide.look_at_what_is_exposed()
    with service.serving() as address:
        guide.pair(address, service.run("pair").split()[0])
        guide.choose_it()
        guide.talk()
        guide.answer_by_button()


def main() -> None:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        integration = (ROOT / "custom_components",)
        home = real.start(parse_inventory(_HOME), folder / "home", _PARTS, integration, frontend=_FRONTEND)
        stack.callback(real.stop, home, for_good=True)
        playwright = stack.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        page = browser.new_page(viewport=_SIZE)  # type: ignore[arg-type]
        page.set_default_timeout(_PATIENCE * 1000)
        page.goto(f"{home.url}/robots.txt")
        page.evaluate("tokens => localStorage.setItem('hassTokens', tokens)", _signed_in(home))
        guide = Guide(page, home, Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs")
        try:
            walk(guide, Service(folder))
        except Exception:
            page.screenshot(path=ROOT / "build" / "guide-failed.png")
            raise


def _signed_in(home: real.RealHomeAssistant) -> str:
    """What Home Assistant's web interface keeps of somebody who has signed in."""
    token = {"access_token": home.token, "token_type": "Bearer", "expires_in": 10**9, "expires": 10**14}
    return json.dumps({**token, "hassUrl": home.url, "clientId": f"{home.url}/", "refresh_token": ""})


if __name__ == "__main__":
    main()
