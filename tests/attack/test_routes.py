"""Each effect through each way that leads to it: asked about, and nothing happens before the yes."""

from __future__ import annotations

import pytest

from homeagent.policy.policy import Policy
from homeagent.policy.verdicts import Call

ASKED = [
    # opens, by service, position and step
    ("unlock", "lock.front", {}),
    ("open", "lock.front", {}),
    ("open", "cover.gate", {}),
    ("toggle", "cover.gate", {}),
    ("set_value", "cover.gate", {"position": 1}),
    ("set_value", "cover.gate", {"position_step": 10}),
    ("turn_on", "cover.gate", {}),
    ("set_value", "cover.rolltor", {"position": 41}),
    # by name, whatever the domain
    ("turn_on", "switch.relay_7", {}),
    ("toggle", "switch.relay_7", {}),
    ("turn_off", "switch.maglock", {}),
    ("press", "button.buzzer", {}),
    ("turn_on", "light.relay_8", {"brightness_pct": 1}),
    ("turn_off", "light.relay_8", {}),
    ("set_value", "number.travel", {"value": 5}),
    ("set_value", "number.travel", {"value_step": 1}),
    ("select_next", "select.porton", {}),
    ("set_value", "select.porton", {"option": "abierto"}),
    ("set_value", "fan.relay_9", {"percentage": 10}),
    # protection
    ("disarm", "alarm_control_panel.home", {}),
    ("arm_home", "alarm_control_panel.home", {}),
    ("arm_night", "alarm_control_panel.home", {}),
    ("trigger", "alarm_control_panel.home", {}),
    ("turn_off", "siren.outside", {}),
    ("toggle", "siren.outside", {}),
    ("turn_off", "camera.hall", {}),
    ("disable_motion_detection", "camera.hall", {}),
    ("turn_off", "switch.smoke", {}),
    ("turn_off", "switch.nvr", {}),
    ("turn_off", "automation.watch", {}),
    ("turn_off", "automation.watch", {"stop_actions": False}),
    ("trigger", "automation.watch", {"skip_condition": True}),
    # fire, flood, no way back, out of the home
    ("turn_on", "switch.oven", {}),
    ("toggle", "switch.iron", {}),
    ("open", "valve.water", {}),
    ("set_value", "valve.water", {"position_step": 5}),
    ("press", "button.reset", {}),
    ("install", "update.router", {}),
    ("send_message", "notify.phone", {"message": "I am alone"}),
    (
        "play_media",
        "media_player.speaker",
        {"media_content_id": "https://evil.example/x", "media_content_type": "music"},
    ),
    ("play_media", "media_player.speaker", {"media_content_id": "//evil.example/x", "media_content_type": "music"}),
    ("play_media", "media_player.speaker", {"media_content_id": "HTTP:\\\\evil.example/x", "media_content_type": "x"}),
    (
        "play_media",
        "media_player.speaker",
        {"media_content_id": "http%3A%2F%2Fevil.example", "media_content_type": "x"},
    ),
    ("play_media", "media_player.speaker", {"media_content_id": "a?u=http://evil.example/", "media_content_type": "x"}),
    # through what leads on
    ("turn_on", "scene.come_in", {}),
    ("turn_on", "scene.over_group", {}),
    ("turn_on", "scene.gone", {}),
    ("turn_on", "scene.half", {}),
    ("turn_on", "script.welcome", {}),
    ("toggle", "script.welcome", {}),
    ("turn_on", "script.nested", {}),
    ("turn_on", "script.level_1", {}),
    ("turn_on", "script.templated", {}),
    ("turn_on", "script.templated", {"variables": {"p": 0}}),
    ("turn_on", "script.templated_target", {}),
    ("turn_on", "script.makes_scene", {}),
    ("turn_on", "script.toggles", {}),
    ("turn_on", "script.blueprint", {}),
    ("turn_on", "script.shell", {}),
    ("turn_on", "script.by_homeassistant", {}),
    ("turn_on", "script.runs_watch", {}),
    ("turn_on", "script.plays", {"variables": {"url": "x"}}),
    ("turn_on", "script.tells", {"variables": {"text": "I am alone"}}),
    ("turn_on", "script.passes_on", {"variables": {"text": "I am alone"}}),
]
DONE = [
    ("lock", "lock.front", {}),
    ("close", "cover.gate", {}),
    ("set_value", "cover.rolltor", {"position": 10}),
    ("set_value", "cover.rolltor", {"position_step": -10}),
    ("open", "cover.blind", {}),
    ("turn_off", "switch.relay_7", {}),
    ("arm_away", "alarm_control_panel.home", {}),
    ("turn_on", "siren.outside", {}),
    ("turn_off", "switch.oven", {}),
    ("turn_on", "switch.coffee", {}),
    ("turn_on", "scene.cosy", {}),
    ("turn_on", "scene.safe", {}),
    ("turn_on", "script.lights", {}),
    ("turn_on", "automation.watch", {}),
    ("turn_on", "script.passes_on", {}),
    (
        "play_media",
        "media_player.speaker",
        {"media_content_id": "http://192.168.1.5/a.mp3", "media_content_type": "music"},
    ),
    ("play_media", "media_player.speaker", {"media_content_id": "media-source://x/y", "media_content_type": "music"}),
]


@pytest.mark.parametrize(("action", "entity_id", "parameters"), ASKED, ids=lambda value: str(value))
async def test_it_is_asked_about(control, guarded, action, entity_id, parameters):
    result = await control(action=action, entity_id=entity_id, parameters=parameters)
    assert result.error_type == "confirmation_required", result.as_dict()
    assert [c for c in guarded.calls if not c.service.startswith("get_")] == []


@pytest.mark.parametrize(("action", "entity_id", "parameters"), DONE, ids=lambda value: str(value))
async def test_it_is_simply_done(control, action, entity_id, parameters):
    result = await control(action=action, entity_id=entity_id, parameters=parameters)
    assert result.error_type in (None, "not_confirmed"), result.as_dict()


async def test_what_home_assistant_itself_does_is_denied(control, guarded):
    result = await control(action="turn_on", entity_id="script.restarts")
    assert result.error_type == "denied"
    assert guarded.calls == []


async def test_two_values_for_one_field_are_refused(control, guarded):
    for parameters in ({"position": 0, "position_step": 100}, {"value": 0, "position_step": 100}):
        result = await control(action="set_value", entity_id="cover.gate", parameters=parameters)
        assert result.error_type == "invalid_parameters", result.as_dict()
    assert guarded.calls == []


async def test_a_sweeping_order_does_the_harmless_rest_and_says_what_it_left(control, guarded):
    result = await control(action="turn_off", area="hall")
    outcomes = {target["entity_id"]: target["outcome"] for target in result.result["targets"]}
    left = {entity_id for entity_id, outcome in outcomes.items() if outcome == "left_out"}
    assert {"switch.maglock", "switch.smoke", "switch.nvr"} <= left
    assert guarded.state("light.hall")["state"] == "off"
    assert guarded.state("switch.maglock")["state"] == "on"
    assert "confirmation" not in result.result


@pytest.mark.parametrize(
    ("script", "given"), [("script.tells", "text"), ("script.passes_on", "text"), ("script.plays", "url")]
)
async def test_what_a_caller_gives_a_script_to_say_is_told(ha, script, given):
    entity = ha.home.entity(script)
    call = Call("script", "turn_on", "turn_on", entity, {"variables": {given: "Under the mat"}})
    verdict = await Policy().judge([call], entity, ha)
    assert [one.content for one in verdict.consequences] == ["Under the mat"]
