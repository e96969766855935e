"""Every action of every domain in the demo home: the service that reached the device, and the state it is in."""

import asyncio

import pytest

ON, OFF = "on", "off"


@pytest.mark.parametrize(
    ("entity_id", "action", "parameters", "service", "state"),
    [
        ("light.bedroom", "turn_on", {}, "turn_on", ON),
        ("light.hall", "turn_off", {}, "turn_off", OFF),
        ("light.hall", "toggle", {}, "turn_off", OFF),
        ("light.bedroom", "set_value", {"brightness_pct": 40}, "turn_on", {"brightness": 102}),
        ("light.bedroom", "turn_on", {"brightness": 128}, "turn_on", {"brightness": 128}),
        ("light.study", "set_value", {"brightness_step_pct": -50}, "turn_on", {"brightness": 128}),
        ("light.study", "turn_on", {"brightness": 0}, "turn_off", OFF),
        ("light.reading_lamp", "turn_on", {"color": "blue"}, "turn_on", {"hs_color": [240.0, 100.0]}),
        ("light.reading_lamp", "turn_on", {"color": "rgb(0, 255, 0)"}, "turn_on", {"hs_color": [120.0, 100.0]}),
        ("light.reading_lamp", "turn_on", {"color": "hsl(0, 100%, 50%)"}, "turn_on", {"hs_color": [0.0, 100.0]}),
        ("light.reading_lamp", "turn_on", {"rgb_color": [255, 0, 0]}, "turn_on", {"hs_color": [0.0, 100.0]}),
        ("light.reading_lamp", "turn_on", {"color_temp_kelvin": 2700}, "turn_on", {"color_temp_kelvin": 2700}),
        ("light.reading_lamp", "turn_on", {"color_temp": 400}, "turn_on", {"color_temp_kelvin": 2500}),
        ("light.reading_lamp", "turn_on", {"color": "warm white"}, "turn_on", {"color_temp_kelvin": 2700}),
        (
            "light.reading_lamp",
            "turn_on",
            {"color_temp_kelvin": 4000, "color": "red"},
            "turn_on",
            {"color_temp_kelvin": 4000},
        ),
        ("light.tv_backlight", "turn_on", {"effect": "Rainbow"}, "turn_on", {"effect": "rainbow"}),
        ("switch.coffee_machine", "turn_on", {}, "turn_on", ON),
        ("input_boolean.guest_mode", "toggle", {}, "turn_on", ON),
        ("siren.hall", "turn_on", {"tone": "chime", "duration": 3}, "turn_on", ON),
        ("fan.bedroom", "turn_on", {"percentage": 50}, "turn_on", {"percentage": 50}),
        ("fan.bedroom", "set_value", {"preset_mode": "sleep"}, "set_preset_mode", {"preset_mode": "sleep"}),
        ("fan.bedroom", "set_value", {"oscillating": True}, "oscillate", {"oscillating": True}),
        ("fan.bedroom", "set_value", {"direction": "reverse"}, "set_direction", {"direction": "reverse"}),
        ("fan.bedroom", "increase_speed", {}, "increase_speed", ON),
        ("climate.bedroom", "set_value", {"temperature": 21.5}, "set_temperature", {"temperature": 21.5}),
        ("climate.bedroom", "set_temperature", {"temperature": 20}, "set_temperature", {"temperature": 20}),
        ("climate.bedroom", "set_value", {"temperature_step": -1}, "set_temperature", {"temperature": 18}),
        ("climate.bedroom", "set_value", {"hvac_mode": "auto"}, "set_hvac_mode", "auto"),
        ("climate.bedroom", "turn_on", {"hvac_mode": "auto"}, "set_hvac_mode", "auto"),
        ("climate.bedroom", "set_value", {"preset_mode": "away"}, "set_preset_mode", {"preset_mode": "away"}),
        ("climate.bedroom", "turn_off", {}, "turn_off", OFF),
        ("climate.living_room", "set_value", {"fan_mode": "low"}, "set_fan_mode", {"fan_mode": "low"}),
        (
            "climate.living_room",
            "set_value",
            {"temperature_step": 1},
            "set_temperature",
            {"target_temp_low": 21, "target_temp_high": 25},
        ),
        (
            "climate.living_room",
            "set_value",
            {"target_temp_low": 19},
            "set_temperature",
            {"target_temp_low": 19, "target_temp_high": 24},
        ),
        ("water_heater.boiler", "set_value", {"temperature": 60}, "set_temperature", {"temperature": 60}),
        ("water_heater.boiler", "set_value", {"operation_mode": "performance"}, "set_operation_mode", "performance"),
        ("water_heater.boiler", "set_value", {"away_mode": True}, "set_away_mode", {"away_mode": "on"}),
        ("water_heater.boiler", "turn_off", {}, "turn_off", OFF),
        ("humidifier.kids_room", "turn_on", {"humidity": 55}, "turn_on", {"humidity": 55}),
        ("humidifier.kids_room", "set_value", {"mode": "sleep"}, "set_mode", {"mode": "sleep"}),
        ("lock.front_door", "lock", {}, "lock", "locked"),
        ("cover.bedroom_curtain", "open", {}, "open_cover", "open"),
        ("cover.bedroom_curtain", "turn_on", {}, "open_cover", "open"),
        ("cover.living_room_blinds", "close", {}, "close_cover", "closed"),
        ("cover.living_room_blinds", "set_value", {"position": 30}, "set_cover_position", {"current_position": 30}),
        (
            "cover.living_room_blinds",
            "set_value",
            {"position_step": -20},
            "set_cover_position",
            {"current_position": 80},
        ),
        (
            "cover.living_room_blinds",
            "set_value",
            {"tilt_position": 0},
            "set_cover_tilt_position",
            {"current_tilt_position": 0},
        ),
        ("cover.living_room_blinds", "open_tilt", {}, "open_cover_tilt", {"current_tilt_position": 100}),
        ("cover.garage_door", "close", {}, "close_cover", "closed"),
        ("valve.main_water", "close", {}, "close_valve", "closed"),
        ("alarm_control_panel.home", "arm_night", {"code": "4321"}, "alarm_arm_night", "armed_night"),
        ("media_player.living_room_speaker", "pause", {}, "media_pause", "paused"),
        ("media_player.living_room_speaker", "stop", {}, "media_stop", "idle"),
        ("media_player.living_room_speaker", "next", {}, "media_next_track", {"media_title": "All Blues"}),
        ("media_player.living_room_speaker", "previous", {}, "media_previous_track", {"media_title": "So What"}),
        ("media_player.living_room_speaker", "set_value", {"volume_level": 0.5}, "volume_set", {"volume_level": 0.5}),
        ("media_player.living_room_speaker", "set_value", {"volume_pct": 15}, "volume_set", {"volume_level": 0.15}),
        ("media_player.living_room_speaker", "set_value", {"volume_step": 0.1}, "volume_set", {"volume_level": 0.4}),
        ("media_player.living_room_speaker", "volume_up", {}, "volume_up", None),
        ("media_player.living_room_speaker", "mute", {}, "volume_mute", {"is_volume_muted": True}),
        (
            "media_player.living_room_speaker",
            "set_value",
            {"source": "radio 1"},
            "select_source",
            {"source": "Radio 1"},
        ),
        ("media_player.living_room_speaker", "set_value", {"shuffle": "on"}, "shuffle_set", {"shuffle": True}),
        ("media_player.living_room_speaker", "set_value", {"repeat": "all"}, "repeat_set", {"repeat": "all"}),
        (
            "media_player.living_room_speaker",
            "play_media",
            {"media_content_id": "spotify:x", "media_content_type": "music"},
            "play_media",
            "playing",
        ),
        ("media_player.kitchen_radio", "play", {}, "media_play", "playing"),
        ("media_player.tv", "turn_on", {}, "turn_on", None),
        ("remote.tv", "send_command", {"command": ["up", "ok"]}, "send_command", ON),
        ("vacuum.rosie", "start", {}, "start", "cleaning"),
        ("vacuum.rosie", "turn_on", {}, "start", "cleaning"),
        ("vacuum.rosie", "locate", {}, "locate", None),
        ("vacuum.rosie", "set_value", {"fan_speed": "max"}, "set_fan_speed", {"fan_speed": "max"}),
        ("lawn_mower.garden", "start", {}, "start_mowing", "mowing"),
        ("camera.front_door", "turn_off", {}, "turn_off", OFF),
        ("todo.shopping_list", "add_item", {"item": "eggs", "due_date": "2030-01-02"}, "add_item", "3"),
        ("todo.shopping_list", "complete_item", {"item": "Coffee Beans"}, "update_item", "1"),
        ("todo.shopping_list", "remove_item", {"item": "milk"}, "remove_item", "1"),
        ("todo.shopping_list", "remove_completed_items", {}, "remove_completed_items", "2"),
        (
            "calendar.family",
            "create_event",
            {"summary": "Cinema", "start_date_time": "2030-01-02T20:00", "end_date_time": "2030-01-02T22:00"},
            "create_event",
            None,
        ),
        ("input_number.night_temperature", "set_value", {"value": 18.5}, "set_value", "18.5"),
        ("input_number.night_temperature", "set_value", {"value_step": 1}, "set_value", "18.0"),
        ("input_number.night_temperature", "increment", {}, "increment", "17.5"),
        ("input_select.house_mode", "set_value", {"option": "Night"}, "select_option", "night"),
        ("input_select.house_mode", "select_option", {"option": "evening"}, "select_option", "evening"),
        ("input_select.house_mode", "select_next", {}, "select_next", "evening"),
        ("input_text.note", "set_value", {"value": "Call Tom"}, "set_value", "Call Tom"),
        ("input_datetime.wake_up", "set_value", {"time": "07:15"}, "set_datetime", "07:15:00"),
        ("input_datetime.wake_up", "set_value", {"value": "07:30"}, "set_datetime", "07:30:00"),
        ("input_button.doorbell", "press", {}, "press", None),
        ("counter.visitors", "increment", {}, "increment", "3"),
        ("counter.visitors", "set_value", {"value": 9}, "set_value", "9"),
        ("timer.pizza", "start", {"duration": "15m"}, "start", "active"),
        ("number.sprinkler_duration", "set_value", {"value": 20}, "set_value", "20.0"),
        ("select.washing_programme", "set_value", {"value": "wool"}, "select_option", "wool"),
        ("text.doorbell_message", "set_value", {"value": "Back soon"}, "set_value", "Back soon"),
        ("time.quiet_hours", "set_value", {"value": "21:30"}, "set_value", "21:30:00"),
        ("date.filter_changed", "set_value", {"value": "2026-02-03"}, "set_value", "2026-02-03"),
        ("notify.phone", "send_message", {"message": "Dinner!"}, "send_message", None),
        ("scene.movie_night", "turn_on", {}, "turn_on", None),
        ("script.good_night", "turn_on", {}, "turn_on", None),
        ("script.announce", "turn_on", {"variables": {"message": "hi"}}, "turn_on", None),
        ("automation.lights_on_at_sunset", "turn_off", {}, "turn_off", OFF),
    ],
)
async def test_an_action_reaches_the_device_and_shows(
    control, approve, demo, entity_id, action, parameters, service, state
):
    result = await control(action=action, entity_id=entity_id, parameters=parameters)
    if result.error_type == "confirmation_required":
        result = await approve(result.result["confirmation"]["id"])
    assert result.success, result.error
    assert (entity_id, service) in [(c.entity_id, c.service) for c in demo.calls]
    (target,) = result.result["targets"]
    assert target["entity_id"] == entity_id
    assert target["confirmed"] in (True, None)
    await asyncio.sleep(0.1)
    if isinstance(state, str):
        assert demo.state(entity_id)["state"] == state
        assert target["after"] == state or target["outcome"] == "under_way"
    for attribute, value in (state if isinstance(state, dict) else {}).items():
        assert (
            demo.state(entity_id)["attributes"][attribute] == pytest.approx(value, abs=1)
            if isinstance(value, int | float)
            else demo.state(entity_id)["attributes"][attribute] == value
        )


@pytest.mark.parametrize(
    ("entity_id", "action", "parameters", "names"),
    [
        ("light.hall", "turn_on", {"brightness": 50}, "on and off"),
        ("light.bedroom", "turn_on", {"color": "red"}, "brightness"),
        ("light.kitchen_ceiling", "turn_on", {"color": "red"}, "colour temperature"),
        ("light.bedroom", "turn_on", {"brightness": 300}, "0 to 255"),
        ("light.bedroom", "turn_on", {"brightness": 3, "brightness_pct": 3}, "several"),
        ("light.bedroom", "turn_on", {"brightnes": 3}, "brightness_pct"),
        ("light.bedroom", "turn_on", {"color": "blurple"}, "#RRGGBB"),
        ("light.bedroom", "set_value", {}, "brightness"),
        ("light.reading_lamp", "turn_on", {"color_temp_kelvin": 9000}, "2000 to 6500"),
        ("light.bedroom", "lock", {}, "turn_on, turn_off, toggle"),
        ("light.bedroom", "set_value", {"brightness_step_pct": -10}, "off"),
        ("climate.bedroom", "set_value", {"temperature": 35}, "5 to 25"),
        ("climate.bedroom", "set_value", {"hvac_mode": "cool"}, "heat"),
        ("climate.bedroom", "set_value", {"temperature": "warm"}, "number"),
        ("climate.bathroom_floor", "set_value", {"preset_mode": "eco"}, "temperature"),
        ("fan.extractor_hood", "set_value", {"percentage": 30}, "percentage"),
        ("media_player.kitchen_radio", "next", {}, "play, pause"),
        ("cover.garage_door", "set_value", {"position": 30}, "open"),
        ("input_select.house_mode", "set_value", {"option": "party"}, "evening"),
        ("input_number.night_temperature", "set_value", {"value": 90}, "10 to 25"),
        ("sensor.power", "turn_on", {}, "only be read"),
        ("person.anna", "turn_off", {}, "only be read"),
        ("todo.shopping_list", "complete_item", {"item": "mlik"}, "milk"),
        ("todo.shopping_list", "add_item", {}, "item"),
        ("timer.pizza", "start", {"duration": "soon"}, "30m"),
        ("vacuum.rosie", "clean_spot", {}, "return_to_base"),
    ],
)
async def test_what_is_not_supported_is_an_error_that_names_what_is(
    control, called, entity_id, action, parameters, names
):
    result = await control(action=action, entity_id=entity_id, parameters=parameters)
    assert not result.success
    assert names in (result.error or "")
    assert called() == []


async def test_one_action_can_take_several_settings(control, called):
    result = await control(
        action="turn_on", entity_id="media_player.tv", parameters={"source": "Netflix", "volume_level": 0.1}
    )
    assert result.success, result.error
    services = [service for _, service in called()]
    assert services == ["turn_on", "select_source", "volume_set"]


async def test_a_colour_name_of_the_persons_language(control, demo, turn):
    turn.language = "de"
    result = await control(action="turn_on", entity_id="light.reading_lamp", parameters={"color": "grün"})
    assert result.success, result.error
    assert demo.state("light.reading_lamp")["attributes"]["hs_color"] == [120.0, 100.0]
