"""What the connection gives the rest of the program, on the demo server and on a real Home Assistant alike."""

import logging
from datetime import UTC, datetime, timedelta

import pytest

from homeagent.errors import HomeAssistantAuthError, HomeAssistantUnavailable, ServiceCallFailed
from homeagent.ha import home_sync
from homeagent.ha.home import ChangeKind
from indexer.entity import FormerId
from tests.contract.houses import DemoHouse, eventually

LIGHT, PLUG, VALVE = "light.kitchen_ceiling", "switch.bed_plug", "climate.bedroom"


def logged(caplog):
    """All that was logged, but for the demo server's own side of the connection."""
    return "\n".join(r.getMessage() for r in caplog.records if not r.name.startswith("uvicorn"))


def is_state(ha, entity_id, state):
    return lambda: ha.home.state(entity_id).state == state


async def test_the_configuration_is_home_assistants(ha):
    config = ha.home.config
    assert (config.name, config.temperature_unit, config.language) == ("Test home", "°C", "en")
    assert str(config.time_zone) == "UTC"
    assert config.version == ha.status.version != ""


async def test_connected_without_a_complaint(ha):
    status = ha.status
    assert (status.connected, status.error, status.warnings) == (True, None, ())
    assert (status.is_admin, status.exposure) == (True, "home_assistant")


async def test_an_entity_knows_its_place_and_its_names(ha):
    light = ha.home.entity(LIGHT)
    assert light.name == "Kitchen Ceiling"
    assert set(light.aliases) == {"worktop", "big light"}
    assert (light.area.name, light.area.aliases) == ("Kitchen", ("cookery",))
    assert (light.floor.name, light.floor.level, light.floor.aliases) == ("Ground", 0, ("downstairs",))
    assert light.labels == ("Evening",)


async def test_an_entity_without_an_area_has_its_devices(ha):
    plug = ha.home.entity(PLUG)
    assert (plug.area.name, plug.floor.name, plug.device_name) == ("Bedroom", "Upper", "Bed Plug")
    assert ha.home.area_of_device(plug.device_id) == plug.area.area_id


async def test_an_entity_without_area_and_device_is_there_too(ha):
    spare = ha.home.entity("switch.spare")
    assert (spare.area, spare.floor, spare.device_id) == (None, None, None)
    assert spare.hidden


async def test_a_group_without_registry_entry_is_there_with_its_members(ha):
    group = ha.home.entity("group.lights")
    assert (group.name, group.members) == ("All Lights", (LIGHT,))


async def test_a_sensor_has_its_class_and_unit(ha):
    sensor = ha.home.entity("sensor.kitchen_temperature")
    assert (sensor.device_class, sensor.unit) == ("temperature", "°C")
    assert ha.home.state(sensor.entity_id).state == "21.5"


async def test_exposure_is_home_assistants(ha):
    exposed = {e.entity_id for e in ha.home.exposed()}
    assert {LIGHT, PLUG, "climate.bedroom"} <= exposed
    assert not {"switch.pump", "lock.front_door"} & exposed


async def test_a_press_on_the_wall_is_seen(house, ha):
    before = ha.home.state(PLUG)
    await house.press(PLUG, on=True)
    assert await ha.home.wait_until(is_state(ha, PLUG, "on"), [PLUG], 5)
    assert ha.home.state(PLUG).last_changed > before.last_changed
    assert ha.home.state(PLUG).attributes["friendly_name"] == "Bed Plug"


async def test_a_service_call_reaches_the_device_and_comes_back_as_state(house, ha):
    await ha.call_service("light", "turn_on", entity_ids=[LIGHT], data={"brightness": 107})
    assert await ha.home.wait_until(is_state(ha, LIGHT, "on"), [LIGHT], 5)
    assert ha.home.state(LIGHT).attributes["brightness"] == 107
    assert await house.device_calls() == [(LIGHT, "turn_on")]


async def test_an_attribute_that_is_gone_is_gone(ha):
    await ha.call_service("light", "turn_on", entity_ids=[LIGHT], data={"brightness": 107})
    await ha.call_service("light", "turn_off", entity_ids=[LIGHT])
    assert await ha.home.wait_until(is_state(ha, LIGHT, "off"), [LIGHT], 5)
    assert ha.home.state(LIGHT).attributes.get("brightness") is None


async def test_home_assistants_words_are_told(ha):
    with pytest.raises(ServiceCallFailed, match=r"light\.explode not found"):
        await ha.call_service("light", "explode", entity_ids=[LIGHT])
    with pytest.raises(ServiceCallFailed, match="temperature"):
        await ha.call_service("climate", "set_temperature", entity_ids=["climate.bedroom"], data={"temperature": 90})


async def test_an_unknown_entity_is_refused_and_reaches_nothing(house, ha):
    with pytest.raises(ServiceCallFailed, match=r"light\.nope"):
        await ha.call_service("light", "turn_on", entity_ids=[LIGHT, "light.nope"])
    assert await house.device_calls() == []
    assert await ha.is_exposed(["light.nope"]) == {"light.nope": False}


async def test_data_cannot_name_another_target(house, ha):
    with pytest.raises(ServiceCallFailed, match="entity_id"):
        await ha.call_service("light", "turn_on", entity_ids=[LIGHT], data={"entity_id": "lock.front_door"})
    assert await house.device_calls() == []


async def test_a_service_answers_where_it_was_asked_to(ha):
    with pytest.raises(ServiceCallFailed, match="response"):
        await ha.call_service("light", "turn_on", entity_ids=[LIGHT], return_response=True)


async def test_history_has_each_change_in_order(house, ha):
    start = datetime.now(UTC)
    for on in (True, False, True):
        await house.press(PLUG, on=on)
        assert await ha.home.wait_until(is_state(ha, PLUG, "on" if on else "off"), [PLUG], 5)

    async def complete():
        rows = (await ha.history([PLUG], start, datetime.now(UTC)))[PLUG]
        return [r.state for r in rows if r.at > start] == ["on", "off", "on"]

    await eventually(complete, 40)  # the recorder of a real one lags, the more the younger it is
    rows = (await ha.history([PLUG, "sensor.nope"], start, datetime.now(UTC), attributes=True))[PLUG]
    assert rows[-1].attributes["friendly_name"] == "Bed Plug"
    assert [r.at for r in rows] == sorted(r.at for r in rows)


async def test_what_has_no_history_has_an_empty_one(ha):
    end = datetime.now(UTC)
    assert await ha.history(["sensor.nope"], end - timedelta(hours=1), end) == {"sensor.nope": []}
    assert await ha.statistics([PLUG], end - timedelta(hours=1), end, "hour") == {PLUG: []}


async def test_an_entity_that_is_no_longer_exposed_is_known_at_the_next_look(house, ha):
    told = set()
    ha.home.listen(lambda change: told.update(change.entity_ids if change.kind is ChangeKind.ENTITIES else ()))
    try:
        await house.expose(PLUG, False)

        async def closed():
            return await ha.is_exposed([PLUG]) == {PLUG: False}

        await eventually(closed, 4)
        assert not ha.home.entity(PLUG).exposed
        assert PLUG in told
    finally:
        await house.expose(PLUG, True)


async def test_exposing_what_has_no_registry_entry_is_noticed_too(house, connect, monkeypatch):
    """No event tells of it."""
    monkeypatch.setattr(home_sync, "POLL_EXPOSURE", 0.2)
    monkeypatch.setattr(home_sync, "EXPOSURE_FRESH", 0.1)
    ha = await connect()
    assert await ha.wait_ready(30)
    for exposed in (False, True, False):
        await house.expose("group.lights", exposed)
        await eventually(lambda exposed=exposed: ha.home.entity("group.lights").exposed is exposed)


async def test_a_new_alias_and_a_new_area_are_followed(house, ha):
    """Of an entity with a name of its own: the newest Home Assistant moves no other without its device."""
    await house.admin("config/entity_registry/update", entity_id=VALVE, aliases=["cosy"], area_id="kitchen")
    try:
        await eventually(lambda: ha.home.entity(VALVE).aliases == ("cosy",))
        assert ha.home.entity(VALVE).area.name == "Kitchen"
    finally:
        await house.admin("config/entity_registry/update", entity_id=VALVE, aliases=[], area_id="bedroom")
    await eventually(lambda: ha.home.entity(VALVE).area.name == "Bedroom")


async def test_a_renamed_area_is_followed(house, ha):
    await house.admin("config/area_registry/update", area_id="kitchen", name="Cookhouse")
    try:
        await eventually(lambda: ha.home.entity(LIGHT).area.name == "Cookhouse")
        assert ha.home.areas["kitchen"].name == "Cookhouse"
    finally:
        await house.admin("config/area_registry/update", area_id="kitchen", name="Kitchen")


async def test_a_renamed_entity_is_followed(house, ha):
    await house.admin("config/entity_registry/update", entity_id="switch.pump", name="Fountain")
    try:
        await eventually(lambda: "Fountain" in ha.home.entity("switch.pump").name)
    finally:
        await house.admin("config/entity_registry/update", entity_id="switch.pump", name=None)


async def test_what_changed_a_moment_ago_is_known_when_it_matters(house, ha, monkeypatch):
    monkeypatch.setattr(home_sync, "_GATHER", 60.0)
    change = ha._link.socket.command
    try:
        await change("config/entity_registry/update", entity_id=PLUG, name="Cellar hatch")
        await change("homeassistant/expose_entity", assistants=["conversation"], entity_ids=[PLUG], should_expose=False)
        await ha.catch_up()
        assert "Cellar hatch" in ha.home.entity(PLUG).name
        assert not ha.home.entity(PLUG).exposed
    finally:
        await change("config/entity_registry/update", entity_id=PLUG, name=None)
        await house.expose(PLUG, True)


async def test_records_under_a_former_id_are_found(house, ha):
    start = datetime.now(UTC)
    for on in (True, False):
        await house.press(PLUG, on=on)
        await eventually(is_state(ha, PLUG, "on" if on else "off"))
    await house.admin("config/entity_registry/update", entity_id=PLUG, new_entity_id="switch.night_plug")
    try:
        await eventually(lambda: ha.home.state("switch.night_plug"))
        assert ha.home.state(PLUG) is None
        ha.former_ids = {"switch.night_plug": (FormerId(PLUG, datetime.now(UTC).timestamp()),)}

        async def found():
            rows = (await ha.history(["switch.night_plug"], start, datetime.now(UTC)))["switch.night_plug"]
            assert [row.at for row in rows] == sorted(row.at for row in rows)
            return "on" in [row.state for row in rows] and {row.entity_id for row in rows} == {"switch.night_plug"}

        await eventually(found, 10)
    finally:
        await house.admin("config/entity_registry/update", entity_id="switch.night_plug", new_entity_id=PLUG)
    await eventually(lambda: ha.home.state(PLUG))


async def test_entities_come_and_go(house, ha):
    state = {"state": "12", "attributes": {"friendly_name": "Made up", "unit_of_measurement": "°C"}}
    await house.rest("POST", "/api/states/sensor.made_up", json=state)
    try:
        await eventually(lambda: ha.home.entity("sensor.made_up"))
        assert (ha.home.entity("sensor.made_up").name, ha.home.state("sensor.made_up").state) == ("Made up", "12")
    finally:
        await house.rest("DELETE", "/api/states/sensor.made_up")
    await eventually(lambda: ha.home.entity("sensor.made_up") is None)
    assert ha.home.state("sensor.made_up") is None


async def test_what_a_script_and_a_scene_do_can_be_read(ha):
    script = await ha.script_config("script.good_night")
    assert script["sequence"][0]["target"] == {"entity_id": PLUG}
    assert await ha.script_config("script.nope") is None
    assert ha.home.entity("scene.evening").members == (LIGHT,)


async def test_reload_counts_what_there_is(ha):
    counts = await ha.reload()
    assert counts["entities"] == len(ha.home.entities) >= 10
    assert (counts["areas"], counts["floors"]) == (2, 2)
    assert counts["exposed"] == len(ha.home.exposed()) > 0


async def test_reload_does_not_lose_the_stream(house, ha):
    await ha.reload()
    await house.press(PLUG, on=True)
    assert await ha.home.wait_until(is_state(ha, PLUG, "on"), [PLUG], 5)


async def test_an_event_can_be_fired(ha):
    await ha.fire_event("home_agent.test", {"answer": 42})


async def test_without_administrators_rights_a_cautious_rule_says_what_is_exposed(house, connect):
    url = house.guest.url if isinstance(house, DemoHouse) else house.url
    ha = await connect(house.user_token, url)
    assert await ha.wait_ready(30), ha.status
    assert (ha.status.is_admin, ha.status.exposure) == (False, "domains")
    assert "administrator" in ha.status.warnings[0]
    assert await ha.is_exposed([LIGHT, "lock.front_door"]) == {LIGHT: True, "lock.front_door": False}
    assert not ha.home.entity("script.good_night").exposed


async def test_a_wrong_token_is_said_and_never_logged(connect, caplog):
    caplog.set_level(logging.DEBUG)
    ha = await connect("eyJ-not-a-token")
    await eventually(lambda: ha.status.error)
    assert isinstance(ha.status.error, HomeAssistantAuthError)
    assert not ha.status.connected
    with pytest.raises(HomeAssistantAuthError):
        await ha.reload()
    with pytest.raises(HomeAssistantAuthError):
        await ha.fire_event("home_agent.test", {})
    with pytest.raises(HomeAssistantUnavailable):
        await ha.call_service("light", "turn_on", entity_ids=[LIGHT])
    assert "eyJ-not-a-token" not in logged(caplog) + str(ha.status) + repr(ha)


async def test_the_right_token_is_never_logged_either(house, ha, caplog):
    caplog.set_level(logging.DEBUG)
    other = type(ha)(house.url, house.token)
    await other.start()
    assert await other.wait_ready(30)
    await other.fire_event("home_agent.test", {})
    await other.stop()
    assert house.token not in logged(caplog)


@pytest.mark.parametrize("house", ["demo"], indirect=True)
async def test_after_a_restart_everything_missed_is_read(house, ha):
    server = house.server
    await server.stop()
    await eventually(lambda: not ha.status.connected)
    assert isinstance(ha.status.error, HomeAssistantUnavailable)
    with pytest.raises(HomeAssistantUnavailable):
        await ha.is_exposed([PLUG])
    server.set_state(PLUG, "on")
    server.set_exposed(LIGHT, False)
    await server.start()
    assert await ha.wait_ready(20), ha.status
    assert ha.home.state(PLUG).state == "on"
    assert not ha.home.entity(LIGHT).exposed
    await house.press(PLUG, on=False)
    assert await ha.home.wait_until(is_state(ha, PLUG, "off"), [PLUG], 5)
