"""The demo home through our own connection."""

from __future__ import annotations

from homeagent.demo.server import DemoServer
from homeagent.ha.connection import HomeAssistant


async def test_the_whole_home_is_read(home_assistant: HomeAssistant, demo: DemoServer) -> None:
    entities = home_assistant.home.entities
    assert len(entities) == len(demo.world.devices)
    reading_lamp = entities["light.reading_lamp"]
    assert reading_lamp.area is not None
    assert reading_lamp.area.name == "Living room"
    assert reading_lamp.floor is not None
    assert reading_lamp.floor.name == "Ground floor"
    assert entities["light.bedside_left"].aliases == ("left bedside lamp",)
    assert entities["light.kitchen_lights"].members == ("light.kitchen_ceiling", "light.kitchen_counter")
    plug = entities["switch.desk_plug_2"]
    assert plug.area is not None
    assert plug.area.area_id == "study"
    assert not entities["switch.server_rack"].exposed


async def test_a_service_call_reaches_the_device_and_comes_back_as_a_state(
    home_assistant: HomeAssistant, demo: DemoServer
) -> None:
    await home_assistant.call_service(
        "light", "turn_on", entity_ids=["light.reading_lamp"], data={"brightness_pct": 30, "color_temp_kelvin": 2500}
    )
    home = home_assistant.home
    assert await home.wait_until(
        lambda: home.state_text("light.reading_lamp") == "on", ["light.reading_lamp"], timeout=2
    )
    state = home.state("light.reading_lamp")
    assert state is not None
    assert state.attributes["brightness"] == 76
    assert [call.entity_id for call in demo.calls] == ["light.reading_lamp"]
