"""The shapes of what is asked and answered over the WebSocket: the demo home's are Home Assistant's."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.contract.raw import Client, client, real_whole_home, until

__all__ = ["client", "real_whole_home"]

pytestmark = pytest.mark.asyncio(loop_scope="module")

TIMES = {"created_at", "modified_at"}
ROWS = {
    "config/floor_registry/list": {"floor_id", "name", "level", "aliases", "icon"} | TIMES,
    "config/area_registry/list": {"area_id", "name", "aliases", "floor_id", "labels", "icon", "picture"} | TIMES,
    "config/label_registry/list": {"label_id", "name", "color", "icon", "description"} | TIMES,
    "config/device_registry/list": {"id", "name", "name_by_user", "area_id", "labels", "disabled_by", "identifiers"}
    | {"manufacturer", "model", "config_entries", "entry_type", "via_device_id"}
    | TIMES,
    "config/entity_registry/list": {"entity_id", "name", "original_name", "area_id", "device_id", "labels", "platform"}
    | {"entity_category", "hidden_by", "disabled_by", "id", "unique_id", "options", "config_entry_id"}
    | TIMES,
    "get_states": {"entity_id", "state", "attributes", "last_changed", "last_updated", "last_reported", "context"},
}
NOTHING = "sensor.there_is_no_such_thing"


def now() -> str:
    return datetime.now(UTC).isoformat()


@pytest.mark.parametrize("command", ROWS)
async def test_a_list_has_rows_of_this_shape(client: Client, command: str) -> None:
    rows = (await client.command(command))["result"]
    assert rows
    assert all(row.keys() >= ROWS[command] for row in rows)


async def test_aliases_are_only_in_the_long_entries(client: Client) -> None:
    rows = (await client.command("config/entity_registry/list"))["result"]
    assert not any("aliases" in row for row in rows)
    found = (await client.command("config/entity_registry/get_entries", entity_ids=["light.kitchen_counter", NOTHING]))[
        "result"
    ]
    assert "worktop light" in found["light.kitchen_counter"]["aliases"]
    assert found[NOTHING] is None


async def test_where_things_are(client: Client) -> None:
    rows = {row["entity_id"]: row for row in (await client.command("config/entity_registry/list"))["result"]}
    devices = {row["id"]: row for row in (await client.command("config/device_registry/list"))["result"]}
    areas = {row["area_id"]: row for row in (await client.command("config/area_registry/list"))["result"]}
    floors = {row["floor_id"]: row for row in (await client.command("config/floor_registry/list"))["result"]}
    plug = rows["switch.desk_plug_2"]
    assert plug["area_id"] is None
    area = areas[devices[plug["device_id"]]["area_id"]]
    assert (area["name"], area["aliases"]) == ("Study", ["office"])
    assert (floors[area["floor_id"]]["name"], floors[area["floor_id"]]["level"]) == ("First floor", 1)
    assert rows["switch.dishwasher_child_lock"]["entity_category"] == "config"
    assert rows["switch.internal_relay"]["hidden_by"] == "user"
    assert rows["light.reading_lamp"]["labels"] == ["evening"]


async def test_exposure_names_what_is_exposed_and_nothing_else(client: Client) -> None:
    exposed = (await client.command("homeassistant/expose_entity/list"))["result"]["exposed_entities"]
    assert exposed["light.hall"]["conversation"] is True
    assert not exposed.get("switch.server_rack", {}).get("conversation")


async def test_the_configuration(client: Client) -> None:
    config = (await client.command("get_config"))["result"]
    assert config["unit_system"]["temperature"] == "°C"
    assert (config["time_zone"], config["state"], config["language"]) == ("Europe/Amsterdam", "RUNNING", "en")


async def test_who_is_asking(client: Client) -> None:
    user = (await client.command("auth/current_user"))["result"]
    assert user.keys() == {"id", "name", "is_owner", "is_admin", "credentials", "mfa_modules"}
    assert user["is_admin"] is True


async def test_a_ping_is_answered_with_a_pong(client: Client) -> None:
    assert (await client.command("ping"))["type"] == "pong"


@pytest.mark.parametrize(
    ("command", "fields", "code"),
    [
        ("make_tea", {}, "unknown_command"),
        ("config/entity_registry/get", {"entity_id": NOTHING}, "not_found"),
        ("config/entity_registry/update", {"entity_id": NOTHING, "name": "x"}, "not_found"),
        ("config/area_registry/create", {"name": "kitchen"}, "invalid_info"),
        ("script/config", {"entity_id": "script.no_such_script"}, "not_found"),
        ("unsubscribe_events", {"subscription": 1}, "not_found"),
        ("call_service", {"domain": "light", "service": "turn_on"}, "invalid_format"),
        ("history/history_during_period", {"start_time": "soon", "entity_ids": ["sun.sun"]}, "invalid_start_time"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
async def test_what_cannot_be_done_has_home_assistants_code(
    client: Client, command: str, fields: dict[str, Any], code: str
) -> None:
    answer = await client.command(command, **fields)
    assert (answer["success"], answer["error"]["code"]) == (False, code)


async def test_a_script_shows_its_sequence(client: Client) -> None:
    config = (await client.command("script/config", entity_id="script.good_night"))["result"]["config"]
    assert config["alias"] == "Good night"
    assert [step["action"] for step in config["sequence"]] == ["light.turn_off", "lock.lock", "cover.close_cover"]


async def test_a_scene_shows_its_entities(client: Client) -> None:
    scene = (await client.states())["scene.movie_night"]
    assert set(scene["attributes"]["entity_id"]) == {
        "light.living_room_ceiling",
        "light.tv_backlight",
        "cover.living_room_blinds",
    }


async def test_states_are_streamed_in_short_keys(client: Client) -> None:
    await client.call("switch.turn_off", "switch.coffee_machine", {})
    answer = await client.command("subscribe_entities", entity_ids=["switch.coffee_machine"])
    first = await client.event()
    assert first["a"]["switch.coffee_machine"].keys() >= {"s", "a", "c", "lc"}
    assert first["a"]["switch.coffee_machine"]["s"] == "off"
    await client.socket.send(
        f'{{"id": {next(client.ids)}, "type": "call_service", "domain": "switch", "service": "turn_on",'
        ' "target": {"entity_id": "switch.coffee_machine"}}'
    )
    changed = (await client.event())["c"]["switch.coffee_machine"]["+"]
    assert changed["s"] == "on"
    assert changed.keys() == {"s", "lc", "c"}
    assert (await client.command("unsubscribe_events", subscription=answer["id"]))["success"]


async def test_a_change_carries_the_context_of_its_call(client: Client) -> None:
    await client.call("switch.turn_off", "switch.coffee_machine", {})
    answer = await client.call("switch.turn_on", "switch.coffee_machine", {})
    states = await until(client, lambda states: states["switch.coffee_machine"]["state"] == "on")
    assert states["switch.coffee_machine"]["context"]["id"] == answer["result"]["context"]["id"]
    assert states["switch.coffee_machine"]["context"]["user_id"] is not None


async def test_history_has_the_changes_and_what_was_before(client: Client) -> None:
    for action in ("turn_off", "turn_on", "turn_off"):
        await client.call(f"switch.{action}", "switch.coffee_machine", {})
    start = (datetime.now(UTC) - timedelta(hours=1)).isoformat()

    async def rows() -> list[dict[str, Any]]:
        answer = await client.command(
            "history/history_during_period",
            start_time=start,
            end_time=now(),
            entity_ids=["switch.coffee_machine", NOTHING],
            significant_changes_only=False,
        )
        assert answer["result"].keys() <= {"switch.coffee_machine"}
        return answer["result"].get("switch.coffee_machine", [])

    for _ in range(300):  # the real one writes it down late
        found = await rows()
        if [row["s"] for row in found[-3:]] == ["off", "on", "off"]:
            break
        await asyncio.sleep(0.1)
    assert [row["s"] for row in found[-3:]] == ["off", "on", "off"]
    assert found[0].keys() >= {"s", "a", "lu"}


async def test_an_area_is_made_and_an_entity_moved_into_it(client: Client) -> None:
    area = (await client.command("config/area_registry/create", name="Attic", aliases=["loft"]))["result"]
    assert area["name"] == "Attic"
    answer = await client.command(
        "config/entity_registry/update", entity_id="switch.sprinkler", area_id=area["area_id"], name="Loft sprinkler"
    )
    assert answer["result"]["entity_entry"]["area_id"] == area["area_id"]
    states = await until(
        client, lambda states: states["switch.sprinkler"]["attributes"]["friendly_name"] == "Loft sprinkler"
    )
    assert states["switch.sprinkler"]["attributes"]["friendly_name"] == "Loft sprinkler"


async def test_response_of_a_list(client: Client) -> None:
    await client.call("todo.add_item", "todo.shopping_list", {"item": "sage"})
    answer = await client.call("todo.get_items", "todo.shopping_list", {"status": ["needs_action"]}, response=True)
    items = answer["result"]["response"]["todo.shopping_list"]["items"]
    assert items[-1]["summary"] == "sage"
    assert items[-1].keys() >= {"summary", "uid", "status"}


async def test_response_of_a_forecast(client: Client) -> None:
    answer = await client.call("weather.get_forecasts", "weather.home", {"type": "daily"}, response=True)
    days = answer["result"]["response"]["weather.home"]["forecast"]
    assert [day["condition"] for day in days] == ["cloudy", "rainy", "sunny"]
    assert (days[1]["temperature"], days[1]["templow"], days[1]["precipitation_probability"]) == (12, 8, 85)


async def test_response_of_a_calendar(client: Client) -> None:
    answer = await client.call("calendar.get_events", "calendar.family", {"duration": {"days": 2}}, response=True)
    dentist = next(
        event for event in answer["result"]["response"]["calendar.family"]["events"] if event["summary"] == "Dentist"
    )
    assert dentist["location"] == "Main street 4"
    assert dentist["start"].startswith((datetime.now(UTC) + timedelta(hours=1)).strftime("%Y-"))
