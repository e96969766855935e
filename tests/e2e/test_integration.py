"""The integration in a real Home Assistant: paired by a code, spoken to in Assist; its services, events, entities."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
import pytest_asyncio
from websockets.asyncio.client import ClientConnection, connect

import homeagent
from homeagent.app import App
from homeagent.demo.inventory import parse_inventory
from homeagent.events import ConversationFinished, HistorySaved
from homeagent.pairing import SCOPES
from homeagent.service.api import create_api
from homeagent.service.listening import listen, url_of
from homeagent.service.serve import Server, connection_limits
from tests.e2e import real
from tests.embedding_server import EmbeddingServer

pytestmark = pytest.mark.asyncio(loop_scope="module")

ROOT = Path(__file__).parents[2]
INTEGRATION = ROOT / "custom_components" / "home_agent"
ONOFF = {"supported_color_modes": ["onoff"]}
HOME: dict[str, Any] = {
    "areas": [{"id": "hall", "name": "Hall"}, {"id": "kitchen", "name": "Kitchen"}],
    "entities": [
        {"id": "lock.front_door", "name": "Front door", "state": "locked", "area": "hall"},
        {"id": "light.hall", "name": "Hall lamp", "state": "off", "area": "hall", "attributes": ONOFF},
        {"id": "light.kitchen", "name": "Kitchen lamp", "state": "off", "area": "kitchen", "attributes": ONOFF},
    ],
}
AUTOMATION = """
assist_pipeline:
discoverer:
repairs:
automation met:
  - alias: Acts on an event of the agent
    triggers:
      - trigger: event
        event_type: home_agent.tool.executed
    actions:
      - action: light.turn_on
        target: {entity_id: light.hall}
  - alias: Opens the gate as the owner has set up
    triggers:
      - trigger: conversation
        command: "open sesame"
    actions:
      - set_conversation_response: "As the owner wished."
"""


@dataclass(slots=True)
class Agent:
    """The service over that home; it can be stopped and started again at the same address."""

    app: App
    url: str = ""
    closing: asyncio.Event | None = None
    serving: asyncio.Task[None] | None = None

    async def start(self, port: int = 0) -> None:
        stack = contextlib.ExitStack()
        listener = stack.enter_context(listen("0.0.0.0", port))
        self.url, self.closing = url_of(listener), asyncio.Event()
        api = create_api(self.app, token="the-owner's", closing=self.closing)
        server = Server(api, connection_limits(self.app.settings), listener, self.closing)

        async def serve() -> None:
            with stack:
                await server.serve([listener])

        self.serving = asyncio.create_task(serve())

    async def stop(self) -> None:
        assert self.closing is not None
        assert self.serving is not None
        self.closing.set()
        await self.serving

    async def start_again(self) -> None:
        """A new service over the same data, at the same address, where this one has ended."""
        await self.app.stop()
        self.app = App(self.app.settings)
        await self.app.start()
        assert await self.app.ha.wait_ready(60)
        await self.start(self.port)

    @property
    def port(self) -> int:
        return int(self.url.rsplit(":", 1)[1])


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[real.RealHomeAssistant]:
    folder = tmp_path_factory.mktemp("home")
    instance = real.start(parse_inventory(HOME), folder, AUTOMATION, (ROOT / "custom_components",))
    yield instance
    real.stop(instance, for_good=True)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def agent(home: real.RealHomeAssistant, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Agent]:
    embeddings = EmbeddingServer()
    embeddings.start()
    async with real.agent_over(home, tmp_path_factory.mktemp("data"), embeddings.url) as app:
        agent = Agent(app)
        await agent.start()
        yield agent
        await agent.stop()
        await agent.app.stop()
    embeddings.stop()


class Owner:
    """Home Assistant's own API, as its page uses it."""

    def __init__(self, url: str, token: str) -> None:
        self.url, self.token = url, token
        self.http = httpx.AsyncClient(base_url=url, headers={"Authorization": f"Bearer {token}"}, timeout=60)
        self.conversation: str | None = None
        self.agent_id = ""

    async def post(self, path: str, body: dict[str, Any]) -> Any:
        answer = await self.http.post(path, json=body)
        assert answer.status_code < 300, answer.text
        return answer.json()

    async def state(self, entity_id: str) -> str:
        return str((await self.http.get(f"/api/states/{entity_id}")).json()["state"])

    async def becomes(self, entity_id: str, state: str) -> None:
        await until(lambda: self._is(entity_id, state))

    async def _is(self, entity_id: str, state: str) -> bool:
        return await self.state(entity_id) == state

    async def say(self, text: str, **more: Any) -> dict[str, Any]:
        asked = {"text": text, "language": "en", "agent_id": self.agent_id, **more}
        if self.conversation is not None:
            asked["conversation_id"] = self.conversation
        done: dict[str, Any] = await self.post("/api/conversation/process", asked)
        self.conversation = done["conversation_id"]
        return done

    async def call(self, service: str, **fields: Any) -> Any:
        answer = await self.post(f"/api/services/home_agent/{service}?return_response", fields)
        return answer["service_response"]

    async def entity(self, key: str) -> str:
        states = (await self.http.get("/api/states")).json()
        return str(next(s["entity_id"] for s in states if s["entity_id"].endswith(key)))

    @contextlib.asynccontextmanager
    async def socket(self) -> AsyncIterator[ClientConnection]:
        async with connect(self.url.replace("http", "ws", 1) + "/api/websocket") as socket:
            await socket.recv()
            await socket.send(json.dumps({"type": "auth", "access_token": self.token}))
            assert json.loads(await socket.recv())["type"] == "auth_ok"
            yield socket


def speech(done: dict[str, Any]) -> str:
    return str(done["response"]["speech"]["plain"]["speech"])


async def until(holds: Callable[[], Awaitable[bool]], seconds: float = 20.0) -> None:
    for _ in range(int(seconds * 10)):
        if await holds():
            return
        await asyncio.sleep(0.1)
    raise AssertionError("it did not come to that")


FLOW = "/api/config/config_entries/flow"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def owner(home: real.RealHomeAssistant, agent: Agent) -> Owner:
    """Paired as a person does it: the address, and the code that the agent shows; not at the first try."""
    owner = Owner(home.url, home.token)
    begun = await owner.post(FLOW, {"handler": "home_agent"})
    assert begun["step_id"] == "user"
    step, code = f"{FLOW}/{begun['flow_id']}", agent.app.pairing.begin().code
    for url, given, wrong in (
        (agent.url, "AAAA-AAAA", {"code": "invalid_code"}),
        ("http://127.0.0.1:9", code, {"base": "cannot_connect"}),
        (home.url, code, {"base": "cannot_connect"}),
        ("the kitchen", code, {"url": "invalid_url"}),
    ):
        assert (await owner.post(step, {"url": url, "code": given}))["errors"] == wrong
    entry = await owner.post(step, {"url": agent.url + "/", "code": code})
    assert entry["type"] == "create_entry", entry
    owner.agent_id = await owner.entity("conversation.home_agent")
    return owner


@pytest.fixture(autouse=True)
async def _fresh(owner: Owner) -> None:
    owner.conversation = None


async def test_one_agent_is_set_up_once(owner: Owner, agent: Agent) -> None:
    begun = await owner.post(FLOW, {"handler": "home_agent"})
    again = {"url": agent.url, "code": agent.app.pairing.begin().code}
    assert (await owner.post(f"{FLOW}/{begun['flow_id']}", again))["reason"] == "already_configured"


async def test_a_sentence_changes_the_home_and_a_follow_up_is_understood(owner: Owner) -> None:
    done = await owner.say("turn on the kitchen lamp")
    assert speech(done) == "Kitchen lamp is on."
    assert done["response"]["response_type"] == "action_done"
    assert [one["id"] for one in done["response"]["data"]["success"]] == ["light.kitchen"]
    assert await owner.state("light.kitchen") == "on"
    assert speech(await owner.say("turn it off again")) == "Kitchen lamp is off."
    assert (await owner.say("is the kitchen lamp on?"))["response"]["response_type"] == "query_answer"
    assert (await owner.say("blorp the frumious"))["response"]["response_type"] == "error"


async def test_the_lock_asks_listens_on_and_opens_at_the_yes(owner: Owner) -> None:
    asked = await owner.say("unlock the front door")
    assert "Shall I?" in speech(asked)
    assert asked["continue_conversation"] is True
    assert await owner.state("lock.front_door") == "locked"
    done = await owner.say("yes")
    assert done["continue_conversation"] is False
    assert await owner.state("lock.front_door") == "unlocked"
    await owner.say("lock the front door")


async def test_what_waits_is_seen_and_the_button_answers_it(owner: Owner) -> None:
    pending = await owner.entity("question_waits")
    await owner.say("unlock the front door")
    await owner.becomes(pending, "on")
    no = await owner.entity("home_agent_no")
    await owner.post("/api/services/button/press", {"entity_id": no})
    await owner.becomes(pending, "off")
    assert await owner.state("lock.front_door") == "locked"
    await owner.say("unlock the front door")
    await owner.becomes(pending, "on")
    await owner.post("/api/services/button/press", {"entity_id": no.replace("_no", "_yes")})
    await owner.becomes("lock.front_door", "unlocked")
    await owner.say("lock the front door")


async def test_an_assist_pipeline_streams_the_answer(owner: Owner) -> None:
    async with owner.socket() as socket:
        run = {"id": 1, "type": "assist_pipeline/pipeline/create", "name": "ours", "language": "en"}
        run |= {"conversation_engine": owner.agent_id, "conversation_language": "en"}
        run |= dict.fromkeys(("stt_engine", "stt_language", "tts_engine", "tts_language", "tts_voice"))
        run |= dict.fromkeys(("wake_word_entity", "wake_word_id"))
        await socket.send(json.dumps(run))
        pipeline = json.loads(await socket.recv())["result"]["id"]
        asked = {"text": "turn on the kitchen lamp"}
        run = {"id": 2, "type": "assist_pipeline/run", "start_stage": "intent", "end_stage": "intent", "input": asked}
        await socket.send(json.dumps({**run, "pipeline": pipeline}))
        kinds, pieces = [], ""
        while "run-end" not in kinds:
            event = json.loads(await socket.recv()).get("event")
            if event is not None:
                kinds.append(event["type"])
                if event["type"] == "intent-progress":
                    pieces += event["data"]["chat_log_delta"].get("content", "")
    assert pieces == "Kitchen lamp is on."
    assert "intent-end" in kinds
    assert await owner.state("light.kitchen") == "on"


async def test_the_owners_own_sentences_go_first(owner: Owner) -> None:
    assert speech(await owner.say("open sesame")) == "As the owner wished."


async def test_each_service_answers(owner: Owner) -> None:
    said = await owner.call("process", text="is the hall lamp on?")
    assert said["response"].startswith(("No, Hall lamp", "Yes, Hall lamp"))
    asked = (await owner.call("process", text="unlock the front door"))["pending"][0]
    assert (await owner.call("confirm", confirmation_id=asked["id"], approve=False))["response"]
    memory = (await owner.call("add_memory", content="The boiler is serviced in May", importance=0.8))["memory_id"]
    assert "boiler" in json.dumps(await owner.call("search_memories", query="boiler", limit=3))
    assert "boiler" in json.dumps(await owner.call("list_memories", memory_type="fact"))
    await owner.call("delete_memory", memory_id=memory)
    assert (await owner.call("list_memories"))["memories"] == []
    assert (await owner.call("clear_memories", confirm=True)) is not None
    states = {"tool_name": "ha_query", "parameters": {"entity_id": "light.hall"}}
    assert (await owner.call("execute_tool", **states))["success"] is True
    assert (await owner.call("reload_context"))["entities"] >= 3
    assert "seconds" in await owner.call("reindex_entities", force=False)
    assert await owner.call("index_entity", entity_id="light.hall") is not None
    assert (await owner.call("clear_history"))["cleared"] >= 1


async def test_what_the_service_refuses_is_told_with_a_key_for_the_readers_language(owner: Owner) -> None:
    refused = {"domain": "home_agent", "service": "delete_memory", "service_data": {"memory_id": "no-such-memory"}}
    async with owner.socket() as socket:
        await socket.send(json.dumps({"id": 1, "type": "call_service", **refused}))
        error = json.loads(await socket.recv())["error"]
    assert (error["translation_domain"], error["translation_key"]) == ("home_agent", "refused")
    assert "no-such-memory" in error["translation_placeholders"]["message"]


async def test_a_plain_user_may_talk_but_not_look_after_it(home: real.RealHomeAssistant, owner: Owner) -> None:
    guest = Owner(home.url, home.user_token)
    guest.agent_id = owner.agent_id
    assert (await guest.call("process", text="is the hall lamp on?"))["response"]
    refused = await guest.http.post("/api/services/home_agent/clear_history", json={})
    assert refused.status_code == 401


async def test_who_may_only_look_is_answered_and_changes_nothing(home: real.RealHomeAssistant, owner: Owner) -> None:
    await owner.post("/api/services/light/turn_off", {"entity_id": "light.kitchen"})
    looker = Owner(home.url, home.looker_token)
    looker.agent_id = owner.agent_id
    asked = await looker.say("is the kitchen lamp on?")
    assert speech(asked).startswith("No")
    assert "not allowed" in speech(await looker.say("turn on the kitchen lamp"))
    answer = await looker.call("process", text="turn on the kitchen lamp")
    assert (answer["handled"], answer["pending"]) == (False, [])
    for service, fields in (("add_memory", {"content": "The gate is open"}), ("clear_history", {})):
        assert (await looker.http.post(f"/api/services/home_agent/{service}", json=fields)).status_code == 401
    waiting = (await owner.call("process", text="unlock the front door"))["pending"][0]
    refused = {"confirmation_id": waiting["id"], "approve": True}
    await looker.http.post("/api/services/home_agent/confirm", json=refused)
    assert await owner.state("light.kitchen") == "off"
    assert await owner.state("lock.front_door") == "locked"


async def test_the_agent_knows_the_users_of_home_assistant(owner: Owner, agent: Agent) -> None:
    users = await agent.app.ha.users()
    assert sorted((user.administers, user.controls) for user in users) == [(False, False), (False, True), (True, True)]
    assert all(user.active and user.name for user in users)


async def test_what_a_user_tells_in_private_is_theirs(home: real.RealHomeAssistant, owner: Owner, agent: Agent) -> None:
    await owner.say("Remember just for me that the present is in the attic.")
    guest = Owner(home.url, home.user_token)
    assert "attic" not in json.dumps(await guest.call("search_memories", query="present"))
    assert "attic" in json.dumps(await owner.call("search_memories", query="present"))


async def test_an_automation_meets_the_events(owner: Owner) -> None:
    await owner.post("/api/services/light/turn_off", {"entity_id": "light.hall"})
    await owner.becomes("light.hall", "off")
    await owner.say("turn on the kitchen lamp")
    await owner.becomes("light.hall", "on")


async def test_events_come_once_and_in_order_also_over_a_new_start_of_the_service(owner: Owner, agent: Agent) -> None:
    async with owner.socket() as socket:
        await socket.send(json.dumps({"id": 1, "type": "subscribe_events"}))
        await socket.recv()
        await owner.say("turn off the kitchen lamp")
        assert await _turn(socket) == ["started", "finished"]
        await agent.stop()
        failed = await owner.say("turn on the kitchen lamp")
        assert failed["response"]["response_type"] == "error"
        assert failed["response"]["data"]["code"] == "failed_to_handle"
        for number in (7001, 7002):  # while nobody can listen
            agent.app.emitter.emit(HistorySaved(message_count=number))
        await agent.start_again()
        agent.app.emitter.emit(HistorySaved(message_count=7003))

        await until(lambda: _answers(owner))
        seen: list[int] = []
        async with asyncio.timeout(60):
            while 7003 not in seen:
                event = json.loads(await socket.recv()).get("event", {})
                assert event.get("event_type") != "home_agent.dropped"
                if event.get("event_type") == "home_agent.history.saved":
                    seen.append(event["data"]["message_count"])
        assert [number for number in seen if number > 7000] == [7001, 7002, 7003]
        await until(lambda: _listens(owner, socket))


async def test_what_the_owner_has_to_repair_is_told_and_goes_when_it_holds_no_more(
    owner: Owner, agent: Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    await _comes_to(owner, set())
    with monkeypatch.context() as patched:
        patched.setattr(homeagent, "__version__", "9.1.0")
        await _comes_to(owner, {"versions_apart"})
    await _comes_to(owner, set())
    await agent.stop()
    await _comes_to(owner, {"service_away"})
    await agent.start_again()
    await _comes_to(owner, set())


async def _comes_to(owner: Owner, wanted: set[str]) -> None:
    """Until these are to be repaired; Home Assistant looks again each time that it is asked to."""
    status = await owner.entity("home_agent_status")

    async def holds() -> bool:
        await owner.post("/api/services/homeassistant/update_entity", {"entity_id": status})
        async with owner.socket() as socket:
            await socket.send(json.dumps({"id": 1, "type": "repairs/list_issues"}))
            issues = json.loads(await socket.recv())["result"]["issues"]
        return {one["translation_key"] for one in issues if one["domain"] == "home_agent"} == wanted

    await until(holds, 120)


async def test_device_triggers_tell_what_the_agent_does(owner: Owner) -> None:
    async with owner.socket() as socket:
        await socket.send(json.dumps({"id": 1, "type": "config/device_registry/list"}))
        devices = json.loads(await socket.recv())["result"]
        device = next(d["id"] for d in devices if any(i[0] == "home_agent" for i in d["identifiers"]))
        await socket.send(json.dumps({"id": 2, "type": "device_automation/trigger/list", "device_id": device}))
        listed = json.loads(await socket.recv())["result"]
        ours = {one["type"]: one for one in listed if one["domain"] == "home_agent"}
        english = json.loads((INTEGRATION / "translations" / "en.json").read_text())
        assert ours.keys() == english["device_automation"]["trigger_type"].keys()
        wanted = {key: ours["tool_executed"][key] for key in ("platform", "domain", "device_id", "type")}
        await socket.send(json.dumps({"id": 3, "type": "subscribe_trigger", "trigger": wanted}))
        assert json.loads(await socket.recv())["success"], "a trigger that Home Assistant takes"
        await owner.say("turn on the kitchen lamp")
        async with asyncio.timeout(20):
            told = json.loads(await socket.recv())["event"]["variables"]["trigger"]
        assert told["event"]["data"]["tool_name"] == "ha_control"


class Model:
    """Of a language model what making data needs."""

    name, ready = "scripted", False

    def __init__(self, text: str) -> None:
        self.text = text

    async def ask(self, messages: Any) -> Any:
        self.asked = messages
        return SimpleNamespace(text=self.text)

    def status(self) -> list[Any]:
        return []


async def test_data_for_automations_in_newer_releases(
    home: real.RealHomeAssistant, owner: Owner, agent: Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    if home.version < "2025.7":
        assert "ai_task" not in json.dumps((await owner.http.get("/api/states")).json())
        return
    task = {"task_name": "windows", "entity_id": await owner.entity("ai_task.home_agent_data")}
    url = "/api/services/ai_task/generate_data?return_response"
    told = await owner.post(url, {**task, "instructions": "is the front door locked?"})
    assert told["service_response"]["data"] == "Yes, Front door is locked."
    assert (await owner.http.post(url, json={**task, "instructions": "unlock the front door"})).status_code >= 400
    assert await owner.state("lock.front_door") == "locked"
    model = Model('{"locked": true}')
    monkeypatch.setattr(agent.app, "llm", model)
    structure = {"locked": {"selector": {"boolean": {}}, "required": True}}
    told = await owner.post(url, {**task, "instructions": "is the front door locked?", "structure": structure})
    assert told["service_response"]["data"] == {"locked": True}
    assert '"locked": {"type": "boolean"' in model.asked[0]["content"]


async def test_the_app_is_discovered_with_its_token_and_goes_on_with_a_new_one(owner: Owner, agent: Agent) -> None:
    token = await agent.app.tokens.add("of the app", SCOPES, None)
    found = {"uuid": "f" * 32, "config": {"host": "127.0.0.2", "port": agent.port, "token": "wrong"}}
    await owner.post("/api/services/discoverer/by_supervisor", found)
    flow = await _discovered(owner, "hassio")
    assert (await owner.post(f"{FLOW}/{flow}", {}))["errors"] == {"base": "refused"}
    await owner.http.delete(f"{FLOW}/{flow}")
    found["config"]["token"] = token
    await owner.post("/api/services/discoverer/by_supervisor", found)
    entry = (await owner.post(f"{FLOW}/{await _discovered(owner, 'hassio')}", {}))["result"]["entry_id"]
    said = await owner.call("process", text="is the hall lamp on?", entry_id=entry)
    assert said["response"].startswith(("No", "Yes"))

    await agent.app.tokens.revoke("of the app")
    found["config"]["token"] = await agent.app.tokens.add("of the app", SCOPES, None)
    await owner.post("/api/services/discoverer/by_supervisor", found)

    async def goes_on() -> bool:
        asked = {"text": "is the hall lamp on?", "entry_id": entry}
        answer = await owner.http.post("/api/services/home_agent/process?return_response", json=asked)
        return answer.status_code == 200

    await until(goes_on, 40)
    wrong = await owner.http.post("/api/services/home_agent/reload_context", json={"entry_id": "nobody"})
    assert wrong.status_code >= 400
    await owner.http.delete(f"/api/config/config_entries/entry/{entry}")


async def _discovered(owner: Owner, source: str) -> str:
    found: list[str] = []

    async def begun() -> bool:
        flows = [f for f in await _flows(owner) if f["context"]["source"] == source]
        found[:] = [f["flow_id"] for f in flows]
        return bool(found)

    await until(begun)
    await owner.http.get(f"{FLOW}/{found[0]}")
    return found[0]


async def _answers(owner: Owner) -> bool:
    """Whether the agent answers again; while its entry loads, Home Assistant knows no such agent."""
    asked = {"text": "is the kitchen lamp on?", "language": "en", "agent_id": owner.agent_id}
    answer = await owner.http.post("/api/conversation/process", json=asked)
    return answer.status_code == 200 and speech(answer.json()).startswith(("No", "Yes"))


async def _listens(owner: Owner, socket: ClientConnection) -> bool:
    """Whether a turn is told of on the bus, once and in order."""
    await _answers(owner)
    try:
        assert await _turn(socket, 2) == ["started", "finished"]
    except TimeoutError:
        return False
    return True


async def _turn(socket: ClientConnection, seconds: float = 40) -> list[str]:
    """The conversation events until one finishes."""
    seen: list[str] = []
    async with asyncio.timeout(seconds):
        while "finished" not in seen:
            kind = json.loads(await socket.recv()).get("event", {}).get("event_type", "")
            if kind.startswith("home_agent.conversation."):
                seen.append(kind.removeprefix("home_agent.conversation."))
    return seen


async def test_sensors_tell_how_it_is(owner: Owner) -> None:
    await owner.say("is the hall lamp on?")
    assert float(await owner.state(await owner.entity("last_turn"))) > 0
    assert float(await owner.state(await owner.entity("cost_today"))) == 0.0
    assert int(await owner.state(await owner.entity("tokens_today"))) == 0
    assert int(await owner.state(await owner.entity("indexed_entities"))) >= 3
    await owner.say("set a timer for ten minutes")
    next_timer = await owner.entity("next_timer")

    async def known() -> bool:
        return await owner.state(next_timer) not in ("unknown", "unavailable")

    await until(known)
    await owner.say("cancel the timer")


async def test_what_models_took_today_is_summed_up_and_goes_on_after_a_new_setup(owner: Owner, agent: Agent) -> None:
    tokens, cost = await owner.entity("tokens_today"), await owner.entity("cost_today")
    took = {"prompt": 20, "completion": 10, "cached": 0, "total": 30}
    for _ in range(2):
        agent.app.emitter.emit(
            ConversationFinished(
                tool_calls=0, tool_breakdown={}, tokens=took, cost=0.0004, duration_ms=9.0, performance={}, context={}
            )
        )
    await owner.becomes(tokens, "60")
    assert float(await owner.state(cost)) == 0.0008
    entry = (await owner.http.get("/api/config/config_entries/entry?domain=home_agent")).json()[0]["entry_id"]
    await owner.post(f"/api/config/config_entries/entry/{entry}/reload", {})
    await owner.becomes(tokens, "60")
    assert float(await owner.state(cost)) == 0.0008
    await until(lambda: _answers(owner))


async def test_the_logbook_says_for_whom(owner: Owner) -> None:
    await owner.say("turn off the hall lamp")

    async def written() -> bool:
        entries = (await owner.http.get("/api/logbook")).json()
        return any("“turn off the hall lamp”" in e.get("message", "") for e in entries)

    await until(written)


async def test_diagnostics_hold_no_secret(owner: Owner, agent: Agent) -> None:
    entry = (await owner.http.get("/api/config/config_entries/entry?domain=home_agent")).json()[0]["entry_id"]
    told = await owner.http.get(f"/api/diagnostics/config_entry/{entry}")
    assert told.status_code == 200
    assert '"token": "**REDACTED**"' in told.text.replace('":"', '": "')
    assert agent.url not in told.text


async def test_a_revoked_token_is_asked_for_anew(owner: Owner, agent: Agent) -> None:
    for token in await agent.app.tokens.named():
        await agent.app.tokens.revoke(token.name)
    await owner.say("is the hall lamp on?")

    async def asked() -> bool:
        return bool(await _reauthentications(owner))

    await until(asked)
    flow = (await _reauthentications(owner))[0]["flow_id"]
    await owner.http.get(f"{FLOW}/{flow}")
    done = await owner.post(f"{FLOW}/{flow}", {"code": agent.app.pairing.begin().code})
    assert done["reason"] == "reauth_successful"

    await until(lambda: _answers(owner))


async def _reauthentications(owner: Owner) -> list[dict[str, Any]]:
    return [one for one in await _flows(owner) if one["context"]["source"] == "reauth"]


async def _flows(owner: Owner) -> list[dict[str, Any]]:
    async with owner.socket() as socket:
        await socket.send(json.dumps({"id": 1, "type": "config_entries/flow/progress"}))
        flows = json.loads(await socket.recv())["result"]
    return [one for one in flows if one["handler"] == "home_agent"]


async def test_removed_it_leaves_nothing(owner: Owner) -> None:
    entry = (await owner.http.get("/api/config/config_entries/entry?domain=home_agent")).json()[0]["entry_id"]
    await owner.http.delete(f"/api/config/config_entries/entry/{entry}")
    states = (await owner.http.get("/api/states")).json()
    assert [s["entity_id"] for s in states if "home_agent" in s["entity_id"]] == []
    assert await _flows(owner) == []


async def test_a_service_that_is_opened_to_the_network_is_discovered_and_asks_for_its_code(
    owner: Owner, agent: Agent
) -> None:
    found = {"address": "127.0.0.1", "port": agent.port, "id": "0" * 32}
    await owner.post("/api/services/discoverer/by_network", found)
    flow = await _discovered(owner, "zeroconf")
    assert (await owner.post(f"{FLOW}/{flow}", {"code": "AAAA-AAAA"}))["errors"] == {"code": "invalid_code"}
    done = await owner.post(f"{FLOW}/{flow}", {"code": agent.app.pairing.begin().code})
    assert done["type"] == "create_entry"
    await owner.post("/api/services/discoverer/by_network", found)
    await asyncio.sleep(1)
    assert await _flows(owner) == []
