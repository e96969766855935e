"""Every service of the API, over the whole app and the demo home: what goes in and what the home is like afterwards."""

import asyncio
import json
from datetime import UTC, datetime

import httpx
import pytest

from homeagent.app import App
from homeagent.brains.call_outcomes import READ_ONLY
from homeagent.claims import facts
from homeagent.config.loading import Settings
from homeagent.config.settings import PolicySettings
from homeagent.demo.server import DemoServer
from homeagent.events import ErrorOccurred
from homeagent.turns.agent_phrases import phrase
from indexer.errors import StoreError
from tests.event_queue import EventQueue
from tests.service.conftest import Services


async def test_a_sentence_changes_the_home_and_is_answered(call: Services, demo: DemoServer) -> None:
    answer = await call("process", text="turn on the kitchen lights")
    assert demo.state("light.kitchen_lights")["state"] == "on"
    assert answer["response"]
    assert answer["conversation_id"]
    assert answer["turn_id"]
    assert answer["pending"] == []


async def test_a_conversation_goes_on_under_its_id(call: Services, demo: DemoServer) -> None:
    first = await call("process", text="turn on the kitchen lights")
    await call("process", text="turn it off again", conversation_id=first["conversation_id"])
    assert demo.state("light.kitchen_lights")["state"] == "off"


async def test_the_trace_tells_what_was_retrieved_and_called(call: Services) -> None:
    answer = await call("process", text="is the front door locked?", trace=True)
    trace = json.dumps(answer["trace"])
    assert "lock.front_door" in trace
    assert "ha_query" in trace
    assert "trace" not in await call("process", text="is the front door locked?")


async def test_unlocking_waits_for_a_yes(call: Services, demo: DemoServer) -> None:
    answer = await call("process", text="unlock the front door")
    (pending,) = answer["pending"]
    assert demo.state("lock.front_door")["state"] == "locked"
    assert pending["targets"] == ["lock.front_door"]
    assert "Front door" in pending["description"]
    assert pending["question"] == "That unlocks Front door. Shall I?"
    assert answer["response"].endswith(pending["question"])
    assert pending["expires_at"]
    done = await call("confirm", confirmation_id=pending["id"], approve=True)
    assert demo.state("lock.front_door")["state"] == "unlocked"
    assert done["response"]
    assert (await call.error("confirm", confirmation_id=pending["id"], approve=True))[0] == 404


async def test_a_decision_is_answered_in_the_language_it_is_given_in(call: Services) -> None:
    answers = []
    for language in ("en", "de"):
        (pending,) = (await call("process", text="unlock the front door"))["pending"]
        done = await call("confirm", confirmation_id=pending["id"], approve=False, language=language)
        answers.append(done["response"])
    assert answers == [phrase("left_alone", "en"), phrase("left_alone", "de")]


async def test_what_waits_is_listed_for_who_can_answer_it_and_answered_by_number(
    call: Services, demo: DemoServer
) -> None:
    asked = {"user_id": "anna", "device_id": "hall"}
    await call("process", text="unlock the front door", **asked)
    assert (await call("list_pending", user_id="anna"))["pending"] == []
    assert (await call("list_pending"))["pending"] == []
    (waiting,) = (await call("list_pending", language="de", **asked))["pending"]
    assert waiting["question"] == "Das entriegelt Front door. Soll ich?"
    everything = (await call("list_pending", everybody=True))["pending"]
    assert [waiting["id"]] == [one["id"] for one in everything if one["device_id"] == "hall"]
    number = str(waiting["number"])
    assert len(number) < 3
    assert (await call.error("confirm", confirmation_id=number, approve=True, user_id="anna"))[0] == 403
    assert demo.state("lock.front_door")["state"] == "locked"
    done = await call("confirm", confirmation_id=number, approve=True, **asked)
    assert done["pending"] == []
    assert demo.state("lock.front_door")["state"] == "unlocked"
    assert (await call("list_pending", **asked))["pending"] == []


async def test_a_no_leaves_the_door_locked(call: Services, demo: DemoServer) -> None:
    (pending,) = (await call("process", text="unlock the front door"))["pending"]
    await call("confirm", confirmation_id=pending["id"], approve=False)
    assert demo.state("lock.front_door")["state"] == "locked"
    assert (await call.error("confirm", confirmation_id=pending["id"], approve=True))[0] == 404


async def test_an_answer_says_what_came_of_it(call: Services) -> None:
    async def came_of(text: str) -> tuple[bool, str, list[str]]:
        answer = await call("process", text=text)
        return answer["handled"], answer["response_type"], answer["targets"]

    assert await came_of("turn on the kitchen lights") == (True, "action_done", ["light.kitchen_lights"])
    assert await came_of("is the front door locked?") == (True, "query_answer", ["lock.front_door"])
    assert await came_of("unlock the front door") == (True, "query_answer", ["lock.front_door"])
    assert await came_of("colourless green ideas sleep furiously") == (False, "error", [])


@pytest.mark.parametrize(
    ("text", "handled"),
    [
        ("turn on the flux compensator", False),
        ("set the kitchen lights to 300 percent", False),
        ("lock the kitchen lights", False),
        ("remove bananas from the shopping list", False),
        ("cancel the pasta timer", False),
        ("turn on the lamp yesterday", False),
        ("turn on the kitchen lights and the flux compensator", True),
        ("don't turn on the kitchen lights", True),
        ("turn on the lights in the attic", True),
        ("disarm the alarm", True),
        ("is the kitchen light on?", True),
    ],
)
async def test_an_order_of_which_nothing_is_done_is_not_handled(call: Services, text: str, handled: bool) -> None:
    answer = await call("process", text=text)
    assert answer["handled"] is handled, answer["response"]
    assert (answer["response_type"] == "error") is not handled


async def test_an_order_that_the_policy_refuses_is_not_handled(settings: Settings, demo: DemoServer) -> None:
    rules = {"rules": [{"action": "turn_on", "target": "light.kitchen_lights", "decision": "deny"}]}
    app = App(settings.model_copy(update={"policy": PolicySettings.model_validate(rules)}))
    await app.start()
    try:
        reply = await app.agent.process("turn on the kitchen lights")
    finally:
        await app.stop()
    assert not reply.handled
    assert demo.state("light.kitchen_lights")["state"] == "off"


async def test_times_are_told_by_the_homes_clock(call: Services, app: App) -> None:
    first = await call("process", text="unlock the front door")
    offset = app.home.config.local(datetime.now(UTC))[-6:]
    assert offset != "+00:00"
    (waiting,) = (await call("list_pending"))["pending"]
    assert waiting["expires_at"].endswith(offset)
    (one,) = (await call("list_conversations"))["conversations"]
    assert one["updated_at"].endswith(offset)
    turns = (await call("get_conversation", conversation_id=first["conversation_id"]))["turns"]
    assert turns[0]["at"].endswith(offset)


async def test_clear_history(call: Services) -> None:
    first = await call("process", text="turn on the kitchen lights")
    await call("process", text="is the front door locked?")
    assert await call("clear_history", conversation_id=first["conversation_id"]) == {"cleared": 1}
    assert await call("clear_history") == {"cleared": 1}
    assert await call("clear_history") == {"cleared": 0}


async def test_reload_context_reads_anew(call: Services, demo: DemoServer, app: App) -> None:
    counts = await call("reload_context")
    assert counts["entities"] == len(app.home.entities) > 50
    demo.set_exposed("light.kitchen_lights", False)
    assert (await call("reload_context"))["exposed"] == counts["exposed"] - 1


async def test_execute_tool_goes_through_the_same_checks(call: Services, demo: DemoServer) -> None:
    on = {"action": "turn_on", "entity_id": "light.kitchen_lights"}
    result = await call("execute_tool", tool_name="ha_control", parameters=on)
    assert set(result) == {"success", "result", "error"}
    assert result["success"] is True
    assert demo.state("light.kitchen_lights")["state"] == "on"
    unlock = {"action": "unlock", "entity_id": "lock.front_door"}
    result = await call("execute_tool", tool_name="ha_control", parameters=unlock)
    assert result["result"]["confirmation"]["id"]
    assert demo.state("lock.front_door")["state"] == "locked"


async def test_a_tool_that_fails_says_so_in_its_result(call: Services) -> None:
    unknown = {"action": "turn_on", "entity_id": "light.kitchn_lights"}
    result = await call("execute_tool", tool_name="ha_control", parameters=unknown)
    assert result["success"] is False
    assert "light.kitchen_lights" in result["error"]


async def test_unknown_tools_and_wrong_parameters_are_the_callers_errors(call: Services) -> None:
    status, error = await call.error("execute_tool", tool_name="ha_contrl", parameters={})
    assert (status, error["code"]) == (404, "unknown_tool")
    assert "ha_control" in error["detail"] + error["hint"]
    status, error = await call.error("execute_tool", tool_name="ha_control", parameters={"action": 7})
    assert (status, error["code"]) == (422, "invalid_parameters")


@pytest.mark.slow
async def test_reindexing_reports_and_shows_progress(call: Services, app: App) -> None:
    report = await call("reindex_entities", force=True)
    assert {"added", "updated", "unchanged", "removed", "seconds"} <= set(report)
    assert report["added"] + report["updated"] + report["unchanged"] == len(app.home.exposed())
    again = await call("reindex_entities")
    assert again["unchanged"] == len(app.home.exposed())
    parts = await _stream(call.http, "reindex_entities", force=True)
    assert parts[-1][0] == "result"
    progress = [data for event, data in parts if event == "progress"]
    assert progress
    assert progress[-1]["done"] == progress[-1]["total"] > 0


@pytest.mark.slow
async def test_index_entity(call: Services) -> None:
    assert isinstance(await call("index_entity", entity_id="light.kitchen_lights"), dict)
    status, error = await call.error("index_entity", entity_id="light.kitchn_lights")
    assert (status, error["code"]) == (404, "unknown_target")
    assert "light.kitchen_lights" in error["nearest"]


async def test_memories_live_from_add_to_clear(call: Services) -> None:
    added = await call("add_memory", content="Ada likes the bedroom at 19 degrees", type="preference", importance=0.8)
    await call("add_memory", content="The bins go out on Thursday")
    listed = (await call("list_memories"))["memories"]
    assert {m["content"] for m in listed} == {"Ada likes the bedroom at 19 degrees", "The bins go out on Thursday"}
    (only,) = (await call("list_memories", memory_type="preference"))["memories"]
    assert (only["id"], only["importance"], only["type"]) == (added["memory_id"], 0.8, "preference")
    found = (await call("search_memories", query="bedroom degrees"))["memories"]
    assert found[0]["id"] == added["memory_id"]
    assert 0 < found[0]["relevance_score"] <= 1
    assert (await call("search_memories", query="bedroom degrees", min_importance=0.9))["memories"] == []
    await call("delete_memory", memory_id=added["memory_id"])
    assert (await call.error("delete_memory", memory_id=added["memory_id"]))[0] == 404
    assert (await call.error("clear_memories", confirm=False))[0] == 422
    assert await call("clear_memories", confirm=True) == {"deleted": 1}


async def test_what_a_user_keeps_private_is_not_told_to_others(call: Services) -> None:
    await call("add_memory", content="Ada hides the presents in the attic", user_id="ada")
    assert (await call("search_memories", query="presents attic", user_id="bob"))["memories"] == []
    assert len((await call("search_memories", query="presents attic", user_id="ada"))["memories"]) == 1


async def _stream(http: httpx.AsyncClient, service: str, **fields: object) -> list[tuple[str, dict[str, object]]]:
    parts: list[tuple[str, dict[str, object]]] = []
    async with http.stream("POST", f"/api/services/{service}", json={**fields, "stream": True}) as response:
        assert response.headers["content-type"].startswith("text/event-stream")
        event = ""
        async for line in response.aiter_lines():
            if line.startswith("event: "):
                event = line.removeprefix("event: ")
            elif line.startswith("data: "):
                parts.append((event, json.loads(line.removeprefix("data: "))))
    return parts


async def test_a_streamed_answer_ends_with_the_whole_one(call: Services) -> None:
    parts = await _stream(call.http, "process", text="is the front door locked?")
    assert {event for event, _ in parts} <= {"delta", "result"}
    event, answer = parts[-1]
    assert event == "result"
    spoken = "".join(str(data["text"]) for event, data in parts if event == "delta")
    assert spoken in ("", answer["response"])


async def test_a_stream_tells_its_error_in_the_usual_shape(call: Services, app: App) -> None:
    app.recording = None
    parts = await _stream(call.http, "index_history")
    assert parts[-1][0] == "error"
    assert parts[-1][1]["code"] == "invalid_parameters"


@pytest.mark.parametrize("stream", [True, False])
async def test_a_failure_of_ours_is_an_event_streamed_or_not(
    call: Services, app: App, monkeypatch: pytest.MonkeyPatch, stream: bool
) -> None:
    async def fails(**_: object) -> None:
        raise StoreError("The store cannot be opened.")

    monkeypatch.setattr(app.index, "sync", fails)
    sink = EventQueue()
    app.emitter.add(sink)
    await call.http.post("/api/services/reindex_entities", json={"stream": stream})
    event = await asyncio.wait_for(sink.get(), 2.0)
    assert isinstance(event, ErrorOccurred)
    assert (event.error_type, event.component) == ("store_unavailable", "service.reindex_entities")


async def test_events_are_watched_live(call: Services) -> None:
    seen: list[dict[str, object]] = []
    watching = asyncio.Event()

    async def watch() -> None:
        async with call.http.stream("GET", "/api/events") as response:
            watching.set()
            async for line in response.aiter_lines():
                if line.startswith("data: "):
                    seen.append(json.loads(line.removeprefix("data: ")))
                    if seen[-1]["event_type"] == "home_agent.conversation.finished":
                        return

    task = asyncio.create_task(watch())
    await watching.wait()
    answer = await call("process", text="turn on the kitchen lights", user_id="ada")
    await asyncio.wait_for(task, 10)
    types = [event["event_type"] for event in seen]
    assert types[0] == "home_agent.conversation.started"
    assert {"home_agent.tool.progress", "home_agent.tool.executed", "home_agent.history.saved"} <= set(types)
    finished = seen[-1]
    assert finished["turn_id"] == answer["turn_id"]
    assert finished["user_id"] == "ada"
    assert finished["tool_breakdown"] == {"ha_control": 1}


async def test_searching_shows_score_and_reason(call: Services) -> None:
    response = await call.http.post("/api/search", json={"text": "kitchen lights"})
    found = response.json()["found"]
    assert found[0]["entity_id"] == "light.kitchen_lights"
    assert 0 < found[0]["score"] <= 1
    assert found[0]["reasons"]


@pytest.mark.slow  # what its index worker does is told
async def test_health_tells_every_part_and_no_secret(http: httpx.AsyncClient, demo: DemoServer, app: App) -> None:
    await app.need_home()
    response = await http.get("/health", headers={"Authorization": ""})
    health = response.json()
    assert health["status"] in ("ok", "warming up")
    assert set(health["parts"]) == {"home_assistant", "index", "embedder", "llm", "database", "memory"}
    assert health["parts"]["home_assistant"]["status"] == "ok"
    assert health["parts"]["llm"]["status"] == "off"
    assert demo.token not in response.text


@pytest.mark.slow
async def test_the_doctor_finds_everything_well(http: httpx.AsyncClient) -> None:
    checks = (await http.get("/api/doctor")).json()["checks"]
    assert {check["part"]: check["status"] for check in checks} == {
        "Home Assistant": "ok",
        "database": "ok",
        "embedder": "ok",
        "index": "ok",
        "language model": "off",
        "phones and chats": "off",
    }


@pytest.mark.parametrize(
    ("service", "fields"),
    [
        ("process", {}),
        ("process", {"text": ""}),
        ("process", {"text": "   "}),
        ("process", {"text": 7}),
        ("process", {"text": "a\0b"}),
        ("process", {"text": "hi", "txt": "hi"}),
        ("process", {"text": "hi", "language": "not a language"}),
        ("process", {"text": "hi", "conversation_id": "x" * 65}),
        ("confirm", {"confirmation_id": "x"}),
        ("confirm", {"confirmation_id": "x", "approve": "perhaps"}),
        ("list_pending", {"limit": 0}),
        ("execute_tool", {"tool_name": "ha_query", "parameters": []}),
        ("list_memories", {"limit": 0}),
        ("list_memories", {"limit": 1001}),
        ("list_memories", {"memory_type": "rumour"}),
        ("search_memories", {"query": "x", "limit": 101}),
        ("search_memories", {"query": "x", "min_importance": 1.1}),
        ("add_memory", {"content": "x", "importance": -0.1}),
        ("add_memory", {"content": "x", "type": "rumour"}),
        ("clear_memories", {}),
        ("clear_memories", {"confirm": 1.5}),
        ("reload_context", {"force": True}),
    ],
)
@pytest.mark.asyncio(loop_scope="module")
async def test_wrong_fields_are_refused_and_named(
    unchanged: httpx.AsyncClient, service: str, fields: dict[str, object]
) -> None:
    status, error = await Services(unchanged).error(service, **fields)
    assert status == 422
    assert error["code"] == "invalid_input"
    assert error["detail"]


@pytest.mark.parametrize(
    "body",
    [
        *(b"", b"{", b"\xff\xfe", b'{"text": "\xff"}', b'"text"', b"[]", b"null", b'{"text": "\\ud800"}', b"NaN"),
        *(b"[" * 60_000, b'{"text": "hi", "trace": ' + b"9" * 5000 + b"}", b'{"text": "\\u0000hi"}'),
    ],
)
@pytest.mark.asyncio(loop_scope="module")
async def test_bodies_that_are_not_what_they_should_be(unchanged: httpx.AsyncClient, body: bytes) -> None:
    headers = {"Content-Type": "application/json"}
    response = await unchanged.post("/api/services/process", content=body, headers=headers)
    assert response.status_code in (400, 422)
    assert response.json()["code"] == "invalid_input"


@pytest.mark.parametrize(
    ("body", "media_type", "told", "to_do"),
    [
        (b'{"text": "is the do', "application/json", "ends too early", "Send all of it"),
        (b'{"text": "hi"', "application/json", "ends too early", "Send all of it"),
        (b'{"text": "hi" "trace": 1}', "application/json", "character 14", "one JSON object"),
        (b'{"text": "hi"}', "application/x-www-form-urlencoded", "not read as JSON", "Content-Type: application/json"),
        (b'["hi"]', "application/json", "no JSON object", "one JSON object"),
        (b"", "application/json", "no body", "one JSON object"),
    ],
)
@pytest.mark.asyncio(loop_scope="module")
async def test_what_is_wrong_with_a_body_is_said_with_what_to_do(
    unchanged: httpx.AsyncClient, body: bytes, media_type: str, told: str, to_do: str
) -> None:
    response = await unchanged.post("/api/services/process", content=body, headers={"Content-Type": media_type})
    problem = response.json()
    assert response.status_code == 422
    assert told in problem["detail"]
    assert to_do in problem["hint"]


async def test_what_is_not_known_is_named(call: Services) -> None:
    for service, fields in (
        ("delete_memory", {"memory_id": "no-such-memory"}),
        ("confirm", {"confirmation_id": "no-such-id", "approve": True}),
        ("index_entity", {"entity_id": "light.no_such_light"}),
    ):
        status, error = await call.error(service, **fields)
        assert status == 404
        assert error["code"] in ("not_found", "unknown_target")
        assert "no-such" in error["detail"].replace("_", "-")


async def test_a_hundred_kilobytes_of_text_are_too_much(call: Services) -> None:
    status, error = await call.error("process", text="light " * 17_000)
    assert (status, error["code"]) == (413, "too_large")
    for service, field in (("process", "text"), ("search_memories", "query"), ("add_memory", "content")):
        for text in ("light " * 2_000, "ü" * 5_000):
            for stream in ({}, {"stream": True}) if service == "process" else ({},):
                status, error = await call.error(service, **{field: text}, **stream)
                assert (status, error["code"]) == (413, "too_large")
                assert "8192 bytes" in error["hint"]


async def test_an_unknown_service_is_answered_with_the_nearest(call: Services) -> None:
    status, error = await call.error("proces", text="hi")
    assert (status, error["code"]) == (404, "not_found")
    assert "process" in error["hint"]
    response = await call.http.get("/api/services/process")
    assert (response.status_code, response.headers["allow"]) == (405, "POST")
    assert response.json()["code"] == "method_not_allowed"


async def test_a_path_that_does_not_exist(http: httpx.AsyncClient) -> None:
    response = await http.get("/nothing/here")
    assert response.status_code == 404
    assert response.json()["code"] == "not_found"


async def test_something_else_may_be_said_while_a_yes_is_waited_for(call: Services, demo: DemoServer) -> None:
    first = await call("process", text="unlock the front door")
    other = await call("process", text="are any windows open?", conversation_id=first["conversation_id"])
    assert other["response"]
    assert demo.state("lock.front_door")["state"] == "locked"


@pytest.mark.parametrize("order", ["disable the alarm for 8 am", "cancel the alarm that is set for 8 am"])
async def test_an_alarm_is_cancelled_by_its_time_whatever_the_verb(call: Services, order: str) -> None:
    await call("process", text="set an alarm for 8 am")
    assert len((await call("list_timers"))["timers"]) == 1
    await call("process", text=order)
    assert (await call("list_timers"))["timers"] == []


async def test_of_every_tool_it_is_known_whether_it_changes_anything(app: App) -> None:
    assert set(app.toolbox.names) <= READ_ONLY | set(facts._BY_TOOL) | {"ha_control"}


async def test_a_timer_of_home_assistant_is_used_where_one_is_named(call: Services, demo: DemoServer) -> None:
    async def becomes(text: str) -> str:
        await call("process", text=text)
        return str(demo.state("timer.pizza")["state"])

    assert await becomes("set a pizza timer for 7 minutes") == "active"
    assert demo.state("timer.pizza")["attributes"]["duration"] in ("0:07:00", "00:07:00")
    assert await becomes("pause the pizza timer") == "paused"
    assert await becomes("cancel the pizza timer") == "idle"
    assert await becomes("remind me in 5 minutes to check the pizza timer") == "idle"
    (reminder,) = (await call("list_timers"))["timers"]
    assert reminder["name"] == "check the pizza timer"
