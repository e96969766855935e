"""Home Assistant's own Ollama integration, pointed at the agent: what is said to Assist changes the home."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx
import pytest
import pytest_asyncio

from homeagent.access import OWNER, Identity
from homeagent.demo.inventory import parse_inventory
from homeagent.service.fronts.ollama_api import create_ollama
from homeagent.service.listening import listen, url_of
from homeagent.service.serve import Server, connection_limits
from tests.e2e import real

pytestmark = pytest.mark.asyncio(loop_scope="module")

TOKEN = "told-in-the-path"
ONOFF = {"supported_color_modes": ["onoff"]}
HOME: dict[str, Any] = {
    "areas": [{"id": "hall", "name": "Hall"}, {"id": "kitchen", "name": "Kitchen"}],
    "entities": [
        {"id": "lock.front_door", "name": "Front door", "state": "locked", "area": "hall"},
        {"id": "light.hall", "name": "Hall lamp", "state": "off", "area": "hall", "attributes": ONOFF},
        {"id": "light.kitchen", "name": "Kitchen lamp", "state": "off", "area": "kitchen", "attributes": ONOFF},
    ],
}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[real.RealHomeAssistant]:
    instance = real.start(parse_inventory(HOME), tmp_path_factory.mktemp("home"))
    yield instance
    real.stop(instance, for_good=True)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def ollama(home: real.RealHomeAssistant, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[str]:
    """The agent over that home, as a model of Ollama at this address."""
    async with real.agent_over(home, tmp_path_factory.mktemp("data")) as app:

        async def identify(token: bytes) -> Identity | None:
            return OWNER if token == TOKEN.encode() else None

        closing = asyncio.Event()
        with listen("127.0.0.1", 0) as listener:
            server = Server(create_ollama(app, identify), connection_limits(app.settings), listener, closing)
            serving = asyncio.create_task(server.serve([listener]))
            yield f"{url_of(listener)}/{TOKEN}"
            closing.set()
            await serving


class Assist:
    """Home Assistant's conversation API, spoken to through an agent of its own."""

    def __init__(self, home: real.RealHomeAssistant, agent_id: str = "") -> None:
        headers = {"Authorization": f"Bearer {home.token}"}
        self.http = httpx.AsyncClient(base_url=home.url, headers=headers, timeout=60)
        self.agent_id = agent_id
        self._conversation: str | None = None

    async def post(self, path: str, body: dict[str, Any]) -> Any:
        answer = await self.http.post(path, json=body)
        assert answer.status_code < 300, answer.text
        return answer.json()

    async def say(self, text: str) -> str:
        asked = {"text": text, "language": "en", "agent_id": self.agent_id}
        if self._conversation is not None:
            asked["conversation_id"] = self._conversation
        done = await self.post("/api/conversation/process", asked)
        self._conversation = done["conversation_id"]
        return str(done["response"]["speech"]["plain"]["speech"])

    async def state(self, entity_id: str) -> str:
        return str((await self.http.get(f"/api/states/{entity_id}")).json()["state"])


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def agent_id(home: real.RealHomeAssistant, ollama: str) -> str:
    """Set up as a person does: the address, then the model that the list offers."""
    setup = Assist(home)
    flow = "/api/config/config_entries/flow"
    begun = await setup.post(flow, {"handler": "ollama"})
    models = await setup.post(f"{flow}/{begun['flow_id']}", {"url": ollama})
    if models["type"] == "form":  # newer ones ask for the model later
        entry = await setup.post(f"{flow}/{begun['flow_id']}", {"model": "homeagent:latest"})
        assert entry["type"] == "create_entry", entry
    for _ in range(100):
        states = (await setup.http.get("/api/states")).json()
        ids = [s["entity_id"] for s in states if s["entity_id"].startswith("conversation.")]
        if found := [one for one in ids if one != "conversation.home_assistant"]:
            return str(found[0])
        await asyncio.sleep(0.1)
    raise AssertionError(f"no conversation entity: {ids}")


async def test_a_sentence_to_assist_changes_the_home(home: real.RealHomeAssistant, agent_id: str) -> None:
    assist = Assist(home, agent_id)
    assert await assist.say("turn on the kitchen lamp") == "Kitchen lamp is on."
    assert await assist.state("light.kitchen") == "on"
    await assist.say("and the hall lamp")
    assert await assist.state("light.hall") == "on"
    await assist.say("turn them both off please")
    assert [await assist.state(one) for one in ("light.kitchen", "light.hall")] == ["off", "off"]


async def test_the_lock_asks_and_the_yes_opens_it(home: real.RealHomeAssistant, agent_id: str) -> None:
    assist = Assist(home, agent_id)
    assert "Shall I?" in await assist.say("unlock the front door")
    assert await assist.state("lock.front_door") == "locked"
    await Assist(home, agent_id).say("yes")  # another conversation: nothing waits there
    assert await assist.state("lock.front_door") == "locked"
    await assist.say("yes")
    assert await assist.state("lock.front_door") == "unlocked"


async def test_a_timer_is_set_and_asked_about(home: real.RealHomeAssistant, agent_id: str) -> None:
    assist = Assist(home, agent_id)
    assert "5 minutes" in await assist.say("set a timer for five minutes")
    assert "minute" in await assist.say("how long is left?")
    assert "no timer" not in (await assist.say("cancel the timer")).casefold()
