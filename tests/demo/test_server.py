"""The demo home's server as a client meets it: REST, the door, hanging up and coming back."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import httpx
import pytest
import websockets

from homeagent.demo.inventory import parse_inventory
from homeagent.demo.server import DemoServer
from tests.contract.raw import Client


@pytest.fixture
async def rest(demo: DemoServer):
    async with httpx.AsyncClient(base_url=demo.url, headers={"Authorization": f"Bearer {demo.token}"}) as client:
        yield client


async def test_without_the_token_nothing_is_told(demo: DemoServer) -> None:
    async with httpx.AsyncClient(base_url=demo.url) as stranger:
        answer = await stranger.get("/api/states")
    assert (answer.status_code, answer.text) == (401, "401: Unauthorized")


async def test_a_wrong_token_is_shown_the_door(demo: DemoServer) -> None:
    async with websockets.connect(demo.url.replace("http", "ws") + "/api/websocket") as socket:
        await socket.recv()
        await socket.send(json.dumps({"type": "auth", "access_token": "guess"}))
        assert json.loads(await socket.recv())["type"] == "auth_invalid"
        with pytest.raises(websockets.ConnectionClosed):
            await socket.recv()


async def test_it_runs_and_says_what_it_is(rest: httpx.AsyncClient) -> None:
    assert (await rest.get("/api/")).json() == {"message": "API running."}
    config = (await rest.get("/api/config")).json()
    assert (config["state"], config["location_name"]) == ("RUNNING", "Demo house")


async def test_one_state_and_an_unknown_one(rest: httpx.AsyncClient) -> None:
    assert (await rest.get("/api/states/light.hall")).json()["state"] == "on"
    missing = await rest.get("/api/states/light.nowhere")
    assert (missing.status_code, missing.json()) == (404, {"message": "Entity not found."})


async def test_a_call_answers_with_what_changed(rest: httpx.AsyncClient) -> None:
    async def turn_off(entity_id: str) -> list[str]:
        answer = await rest.post("/api/services/light/turn_off", json={"entity_id": entity_id})
        assert answer.status_code == 200
        return [state["entity_id"] for state in answer.json()]

    assert await turn_off("light.hall") == ["light.hall"]
    assert await turn_off("light.hall") == []
    assert await turn_off("light.nowhere") == []


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("light/turn_on", {"entity_id": "light.hall", "brightness_pct": 200}),
        ("light/turn_on", {"target": {"entity_id": "light.hall"}}),
        ("light/fly", {"entity_id": "light.hall"}),
    ],
)
async def test_what_does_not_fit_is_a_bare_400(rest: httpx.AsyncClient, path: str, body: dict) -> None:
    answer = await rest.post(f"/api/services/{path}", json=body)
    assert (answer.status_code, answer.text) == (400, "400: Bad Request")


async def test_a_response_comes_if_it_is_asked_for(rest: httpx.AsyncClient) -> None:
    body = {"entity_id": "weather.home", "type": "daily"}
    assert (await rest.post("/api/services/weather/get_forecasts", json=body)).status_code == 400
    answer = (await rest.post("/api/services/weather/get_forecasts?return_response", json=body)).json()
    assert len(answer["service_response"]["weather.home"]["forecast"]) == 3


async def test_history_wants_to_know_of_what(rest: httpx.AsyncClient, demo: DemoServer) -> None:
    assert (await rest.get("/api/history/period")).status_code == 400
    now = datetime.now(UTC)
    demo.put_history("cover.driveway_gate", [(now - timedelta(hours=5), "open"), (now - timedelta(hours=4), "closed")])
    start = (now - timedelta(hours=6)).isoformat()
    answer = await rest.get(
        f"/api/history/period/{start}",
        params={"filter_entity_id": "cover.driveway_gate", "end_time": now.isoformat(), "minimal_response": "1"},
    )
    (rows,) = answer.json()
    assert [row["state"] for row in rows[:2]] == ["open", "closed"]
    assert rows[1].keys() == {"state", "last_changed"}


async def test_an_event_is_heard_by_who_listens(rest: httpx.AsyncClient, demo: DemoServer) -> None:
    listener = await Client.open(demo.url, demo.token)
    await listener.command("subscribe_events", event_type="home_agent.test")
    await rest.post("/api/events/home_agent.test", json={"note": "hello"})
    event = await listener.event()
    assert (event["event_type"], event["data"]) == ("home_agent.test", {"note": "hello"})


async def test_what_a_scene_and_a_script_do_can_be_read(rest: httpx.AsyncClient) -> None:
    scene = (await rest.get("/api/config/scene/config/come_home")).json()
    assert scene["entities"]["lock.front_door"] == {"state": "unlocked"}
    script = (await rest.get("/api/config/script/config/courier")).json()
    assert [step["action"] for step in script["sequence"]] == ["cover.open_cover", "{{ 'lock' }}.unlock"]
    assert (await rest.get("/api/config/script/config/nothing")).status_code == 404


async def test_several_messages_may_come_in_one_frame(demo: DemoServer) -> None:
    client = await Client.open(demo.url, demo.token)
    await client.command("supported_features", features={"coalesce_messages": 1})
    for number in (10, 11, 12):
        await client.socket.send(json.dumps({"id": number, "type": "ping"}))
    pongs: list[int] = []
    while len(pongs) < 3:
        frame = json.loads(await client.socket.recv())
        pongs += [message["id"] for message in (frame if isinstance(frame, list) else [frame])]
    assert pongs == [10, 11, 12]


async def test_ids_must_grow(demo: DemoServer) -> None:
    client = await Client.open(demo.url, demo.token)
    await client.command("ping")
    await client.socket.send(json.dumps({"id": 1, "type": "get_config"}))
    assert json.loads(await client.socket.recv())["error"]["code"] == "id_reuse"


async def test_who_is_no_administrator_may_not_see_what_is_exposed() -> None:
    async with DemoServer(parse_inventory({}), admin=False) as server:
        client = await Client.open(server.url, server.token)
        answer = await client.command("homeassistant/expose_entity/list")
        assert answer["error"]["code"] == "unauthorized"
        assert (await client.command("auth/current_user"))["result"]["is_admin"] is False


async def test_it_hangs_up_and_comes_back_as_the_same_home(demo: DemoServer) -> None:
    client = await Client.open(demo.url, demo.token)
    demo.set_state("light.hall", "off")
    url = demo.url
    await demo.stop()
    with pytest.raises(websockets.ConnectionClosed):
        await client.command("ping")
    with pytest.raises(OSError, match="Connect"):
        await Client.open(url, demo.token)
    await demo.start()
    assert demo.url == url
    back = await Client.open(url, demo.token)
    assert (await back.states())["light.hall"]["state"] == "off"


async def test_a_taken_port_is_said(demo: DemoServer) -> None:
    other = DemoServer(parse_inventory({}), port=int(demo.url.rpartition(":")[2]))
    with pytest.raises(OSError, match="in use"):
        await other.start()
