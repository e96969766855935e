"""Home Assistant's own companion app, registered as a phone does it: its notification asks, and what is pressed there
opens the door."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import pytest_asyncio
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from homeagent.app import App
from homeagent.demo.inventory import parse_inventory
from homeagent.service.listening import listen, url_of
from tests.e2e import real

pytestmark = pytest.mark.asyncio(loop_scope="module")

LOCK = "lock.front_door"
ASKED = "That unlocks Front door. Shall I?"
HOME: dict[str, Any] = {
    "areas": [{"id": "hall", "name": "Hall"}],
    "entities": [{"id": LOCK, "name": "Front door", "state": "locked", "area": "hall"}],
}


class Phone:
    """A registered phone: what was pushed to it, and its way back to Home Assistant."""

    def __init__(self, home: real.RealHomeAssistant) -> None:
        self.pushed: list[dict[str, Any]] = []
        self._home = home
        self._webhook = ""

    async def push(self, request: Request) -> JSONResponse:
        self.pushed.append(await request.json())
        return JSONResponse({}, 201)

    async def register(self, push_url: str) -> None:
        """As the app does it when somebody signs in: here a user who is no administrator."""
        about = {
            "app_id": "io.example.test",
            "app_name": "Companion",
            "app_version": "1.0",
            "device_name": "Annas phone",
            "device_id": "anna-1",
            "manufacturer": "Test",
            "model": "Phone",
            "os_name": "Android",
            "os_version": "16",
            "supports_encryption": False,
            "app_data": {"push_token": "token-of-the-phone", "push_url": push_url},
        }
        made = await self._post("/api/mobile_app/registrations", about, token=self._home.user_token)
        self._webhook = made["webhook_id"]

    @property
    def last(self) -> dict[str, Any]:
        return self.pushed[-1] if self.pushed else {}

    @property
    def buttons(self) -> dict[str, str]:
        actions = self.last.get("data", {}).get("actions", [])
        return {action["title"]: action["action"] for action in actions}

    async def press(self, action: str) -> None:
        event = {"action": action, "tag": self.last["data"]["tag"]}
        data = {"event_type": "mobile_app_notification_action", "event_data": event}
        await self._post(f"/api/webhook/{self._webhook}", {"type": "fire_event", "data": data})

    async def _post(self, path: str, body: dict[str, Any], token: str | None = None) -> Any:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        async with httpx.AsyncClient(base_url=self._home.url, headers=headers, timeout=30) as http:
            answer = await http.post(path, json=body)
            assert answer.status_code < 300, answer.text
            return answer.json()


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[real.RealHomeAssistant]:
    instance = real.start(parse_inventory(HOME), tmp_path_factory.mktemp("home"), extra="mobile_app:\n")
    yield instance
    real.stop(instance, for_good=True)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def phone(home: real.RealHomeAssistant) -> AsyncIterator[Phone]:
    """A phone that Home Assistant can push to, by a server of ours in place of the vendor's."""
    registered = Phone(home)
    app = Starlette(routes=[Route("/push", registered.push, methods=["POST"])])
    with listen("127.0.0.1", 0) as listener:
        server = uvicorn.Server(uvicorn.Config(app, log_config=None, access_log=False, lifespan="off"))
        serving = asyncio.create_task(server._serve([listener]))
        await registered.register(f"{url_of(listener)}/push")
        yield registered
        server.should_exit = True
        await serving


def over(home: real.RealHomeAssistant, folder: Path) -> Any:
    return real.agent_over(home, folder, phones={"ask": [{"notify": "notify.mobile_app_annas_phone"}]})


async def until(there: Any, seconds: float = 20.0) -> None:
    async with asyncio.timeout(seconds):
        while not there():  # noqa: ASYNC110 -- what it waits for tells nobody
            await asyncio.sleep(0.05)


def state(app: App) -> str | None:
    return app.home.state_text(LOCK)


async def lock(app: App) -> None:
    await app.ha.call_service("lock", "lock", entity_ids=[LOCK])
    await until(lambda: state(app) == "locked")


async def test_a_yes_on_the_phone_opens_the_door_once(
    home: real.RealHomeAssistant, phone: Phone, tmp_path: Path
) -> None:
    async with over(home, tmp_path) as app:
        asked = await app.agent.process("unlock the front door")
        assert asked.response == ASKED
        await until(lambda: phone.buttons)
        assert phone.last["message"] == ASKED
        assert list(phone.buttons) == ["Yes", "No"]
        tag, yes = phone.last["data"]["tag"], phone.buttons["Yes"]
        assert state(app) == "locked"
        await phone.press("SOMETHING_ELSE")
        await phone.press(yes[:-1] + "~")
        await phone.press(yes)
        await until(lambda: state(app) == "unlocked")
        await until(lambda: phone.last["message"] == "Front door is unlocked.")
        assert phone.last["data"] == {"tag": tag}
        assert (await app.audit.entries(1))[0]["answered_on"] == "phone:notify.mobile_app_annas_phone"
        await lock(app)
        await phone.press(yes)
        await asyncio.sleep(1)
        assert state(app) == "locked"


async def test_a_no_leaves_it(home: real.RealHomeAssistant, phone: Phone, tmp_path: Path) -> None:
    async with over(home, tmp_path) as app:
        await lock(app)
        await app.agent.process("unlock the front door")
        await until(lambda: phone.buttons)
        await phone.press(phone.buttons["No"])
        await until(lambda: phone.last["message"] == "All right, I leave it.")
        assert state(app) == "locked"


async def test_a_yes_that_is_said_takes_the_buttons_away(
    home: real.RealHomeAssistant, phone: Phone, tmp_path: Path
) -> None:
    async with over(home, tmp_path) as app:
        await lock(app)
        asked = await app.agent.process("unlock the front door")
        await until(lambda: phone.buttons)
        await app.agent.process("yes", conversation_id=asked.conversation_id)
        await until(lambda: phone.last["message"] == "Answered elsewhere: yes.")
        assert state(app) == "unlocked"


async def test_the_agent_and_home_assistant_may_be_started_anew_in_between(
    home: real.RealHomeAssistant, phone: Phone, tmp_path: Path
) -> None:
    async with over(home, tmp_path) as app:
        await lock(app)
        await app.agent.process("unlock the front door")
        await until(lambda: phone.buttons)
    yes = phone.buttons["Yes"]
    real.stop(home)
    real.start_again(home)
    async with over(home, tmp_path) as app:
        assert state(app) == "locked"
        await phone.press(yes)
        await until(lambda: state(app) == "unlocked")
        await until(lambda: phone.last["message"] == "Front door is unlocked.")
