"""Devices as they are: slow ones, stubborn ones, moving ones, groups, and how their states change."""

from __future__ import annotations

import asyncio

import pytest

from homeagent.demo.failures import CallFailed
from homeagent.demo.inventory import parse_inventory
from homeagent.demo.server import DemoServer
from homeagent.demo.world import World


@pytest.fixture
def world(demo_inventory) -> World:
    return World(demo_inventory, travel=0.1)


async def call(world: World, service: str, *entity_ids: str, **data) -> None:
    domain, _, name = service.partition(".")
    await world.services.call(domain, name, data, {"entity_id": list(entity_ids)})


def state(world: World, entity_id: str) -> str:
    found = world.states.get(entity_id)
    assert found is not None
    return found.state


async def test_a_slow_device_follows_later(world: World) -> None:
    await call(world, "light.turn_off", "light.study")
    assert state(world, "light.study") == "on"
    await asyncio.sleep(0.55)
    assert state(world, "light.study") == "off"


async def test_a_stubborn_device_takes_the_command_and_stays(world: World) -> None:
    await call(world, "light.turn_on", "light.utility_room")
    assert [call.entity_id for call in world.calls] == ["light.utility_room"]
    assert state(world, "light.utility_room") == "off"


async def test_a_device_that_is_away_is_not_reached(world: World) -> None:
    await call(world, "light.turn_on", "light.bathroom")
    assert world.calls == []


async def test_a_cover_moves_and_can_be_stopped_on_the_way(world: World) -> None:
    await call(world, "cover.open_cover", "cover.garage_door")
    assert state(world, "cover.garage_door") == "opening"
    await asyncio.sleep(0.05)
    await call(world, "cover.stop_cover", "cover.garage_door")
    assert state(world, "cover.garage_door") == "open"
    await asyncio.sleep(0.1)
    assert 20 <= world.devices["cover.garage_door"].where() <= 80


async def test_a_cover_tells_where_it_arrived(world: World) -> None:
    await call(world, "cover.set_cover_position", "cover.living_room_blinds", position=60)
    await asyncio.sleep(0.08)
    found = world.states.get("cover.living_room_blinds")
    assert found is not None
    assert (found.state, found.attributes["current_position"]) == ("open", 60)


async def test_a_light_remembers_its_brightness_while_it_is_off(world: World) -> None:
    await call(world, "light.turn_on", "light.reading_lamp", brightness=70)
    await call(world, "light.turn_off", "light.reading_lamp")
    found = world.states.get("light.reading_lamp")
    assert found is not None
    assert found.attributes["brightness"] is None
    await call(world, "light.turn_on", "light.reading_lamp")
    found = world.states.get("light.reading_lamp")
    assert found is not None
    assert found.attributes["brightness"] == 70


async def test_a_group_follows_its_members_and_passes_commands_on(world: World) -> None:
    await call(world, "light.turn_on", "light.kitchen_counter")
    assert state(world, "light.kitchen_lights") == "on"
    await call(world, "light.turn_off", "light.kitchen_lights")
    assert state(world, "light.kitchen_counter") == "off"
    assert [c.entity_id for c in world.calls][-2:] == ["light.kitchen_ceiling", "light.kitchen_counter"]


async def test_a_change_of_attributes_alone_leaves_last_changed(world: World) -> None:
    await call(world, "light.turn_on", "light.reading_lamp", brightness=50)
    first = world.states.get("light.reading_lamp")
    await call(world, "light.turn_on", "light.reading_lamp", brightness=60)
    second = world.states.get("light.reading_lamp")
    await call(world, "light.turn_on", "light.reading_lamp", brightness=60)
    assert first is not None
    assert second is not None
    assert second.last_changed == first.last_changed
    assert second.last_updated > first.last_updated
    assert world.states.get("light.reading_lamp") is second


async def test_a_device_that_fails_says_why() -> None:
    home = parse_inventory({"entities": [{"id": "switch.pump", "x-behavior": {"fails": "Pump is blocked"}}]})
    with pytest.raises(CallFailed, match="Pump is blocked"):
        await call(World(home), "switch.turn_on", "switch.pump")


async def test_a_scene_and_a_script_do_what_they_say(world: World) -> None:
    await call(world, "scene.turn_on", "scene.movie_night")
    await asyncio.sleep(0.15)
    assert state(world, "light.living_room_ceiling") == "off"
    assert state(world, "cover.living_room_blinds") == "closed"
    await world.services.call("script", "announce", {"message": "Dinner"})
    assert world.calls[-1].entity_id == "notify.phone"
    assert world.calls[-1].data == {"message": "Dinner"}


async def test_a_timer_runs_out(world: World) -> None:
    await call(world, "timer.start", "timer.pizza", duration=1)
    assert state(world, "timer.pizza") == "active"
    await asyncio.sleep(1.1)
    assert state(world, "timer.pizza") == "idle"


async def test_hidden_and_configuration_entities_are_not_reached_through_an_area(world: World) -> None:
    await world.services.call("switch", "turn_on", {}, {"area_id": ["hall", "kitchen"]})
    assert [c.entity_id for c in world.calls] == ["switch.coffee_machine", "switch.dishwasher_power"]


async def test_the_wall_switch_is_seen_too(demo: DemoServer) -> None:
    demo.set_state("light.hall", "off")
    assert demo.state("light.hall")["state"] == "off"
    assert demo.calls == []


async def test_put_back_it_is_as_in_the_beginning(world: World) -> None:
    before = {s.entity_id: (s.state, dict(s.attributes)) for s in world.states}
    world.set_state("light.kitchen_counter", "on")
    world.set_state("cover.garage_door", "open")
    world.reset()
    after = {s.entity_id: (s.state, dict(s.attributes)) for s in world.states}
    assert after == before


async def test_a_command_of_its_own_reaches_a_vacuum_that_takes_some() -> None:
    able = {"supported_features": ["START", "SEND_COMMAND"]}
    world = World(parse_inventory({"entities": [{"id": "vacuum.rosie", "attributes": able}]}))
    await call(world, "vacuum.send_command", "vacuum.rosie", command="app_goto", params=[1, 2])
    assert [(c.service, c.data["command"]) for c in world.calls] == [("send_command", "app_goto")]
    assert state(world, "vacuum.rosie") == "docked"


async def test_an_air_conditioner_swings_sideways_as_it_offers() -> None:
    able = {"swing_horizontal_modes": ["off", "wide"]}
    world = World(parse_inventory({"entities": [{"id": "climate.ac", "attributes": able}]}))
    await call(world, "climate.set_swing_horizontal_mode", "climate.ac", swing_horizontal_mode="wide")
    assert world.devices["climate.ac"].attributes["swing_horizontal_mode"] == "wide"
    with pytest.raises(CallFailed, match="Horizontal swing mode up is not valid"):
        await call(world, "climate.set_swing_horizontal_mode", "climate.ac", swing_horizontal_mode="up")
