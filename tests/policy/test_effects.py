"""What a call may bring about, by the rules: kinds, names, data and states."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from homeagent.ha.home import Home, HomeConfig, State
from homeagent.policy.effects import ANY_SERVICE, effects_of, is_foreign, only_closes, rules
from homeagent.policy.openings import Way, is_way_in, way_called
from homeagent.policy.verdicts import Call, Effect
from indexer.entity import Area, Entity

NOW = datetime(2026, 1, 1, tzinfo=UTC)
RANKED = ["disarmed", "armed_home", "armed_night", "armed_away", "armed_vacation"]
EQUAL = {"armed_home", "armed_night"}, {"armed_away", "armed_vacation"}


def home_with(entity: Entity, state: str, **attributes: object) -> Home:
    home = Home()
    home.replace(
        config=HomeConfig(),
        areas=[Area("hall", "Hall"), Area("garage", "Garage")],
        floors=[],
        device_areas={},
        entities=[entity],
        states=[State(entity.entity_id, state, attributes, NOW, NOW)],
    )
    return home


def effects(entity_id: str, service: str, name: str = "Thing", state: str = "unknown", **data: object) -> set[Effect]:
    entity = Entity(entity_id, name)
    return set(effects_of(Call(entity.domain, service, "", entity, data), home_with(entity, state)))


@pytest.mark.parametrize("now", [*RANKED, "triggered", "pending", "arming", "unknown", "unavailable"])
@pytest.mark.parametrize("wanted", RANKED[1:])
def test_an_alarm_may_be_armed_further_and_never_less_unasked(now, wanted):
    asked = effects("alarm_control_panel.home", f"alarm_{wanted.replace('armed_', 'arm_')}", state=now)
    same = any({now, wanted} <= group for group in EQUAL)
    known = now in RANKED
    allowed = known and (same or RANKED.index(wanted) >= RANKED.index(now))
    assert asked == (set() if allowed else {Effect.UNPROTECTS})


def test_bypassing_counts_as_less_than_armed_at_home():
    assert effects("alarm_control_panel.a", "alarm_arm_custom_bypass", state="armed_home") == {Effect.UNPROTECTS}
    assert effects("alarm_control_panel.a", "alarm_arm_home", state="armed_custom_bypass") == set()


def test_what_is_done_later_is_not_excused_by_the_state_of_now():
    alarm = Entity("alarm_control_panel.a", "Alarm")
    call = Call(alarm.domain, "alarm_arm_home", "", alarm, {}, delayed=True)
    assert effects_of(call, home_with(alarm, "armed_away")) == (Effect.UNPROTECTS,)
    gate = Entity("cover.gate", "Gate", device_class="gate")
    later = Call("cover", "set_cover_position", "", gate, {"position": 10}, delayed=True)
    assert effects_of(later, home_with(gate, "open", current_position=90)) == (Effect.OPENS,)


@pytest.mark.parametrize(
    ("service", "data", "closes"),
    [
        ("close_cover", {}, True),
        ("stop_cover", {}, True),
        ("open_cover", {}, False),
        ("toggle", {}, False),
        ("set_cover_position", {"position": 0}, True),
        ("set_cover_position", {"position": -1}, True),
        ("set_cover_position", {"position": 49}, True),
        ("set_cover_position", {"position": 50}, True),
        ("set_cover_position", {"position": 51}, False),
        ("set_cover_position", {"position": "0%"}, True),
        ("set_cover_position", {"position": "{{ 0 }}"}, False),
        ("set_cover_position", {}, False),
        ("set_cover_tilt_position", {"tilt_position": 90}, True),
    ],
)
def test_only_closing_further(service, data, closes):
    gate = Entity("cover.gate", "Gate")
    state = State("cover.gate", "open", {"current_position": 50}, NOW, NOW)
    assert only_closes(Call("cover", service, "", gate, data), state) is closes


def test_a_cover_that_does_not_tell_where_it_is_may_only_be_closed_whole():
    state = State("cover.gate", "open", {}, NOW, NOW)
    gate = Entity("cover.gate", "Gate")
    assert not only_closes(Call("cover", "set_cover_position", "", gate, {"position": 1}), state)
    assert not only_closes(Call("cover", "set_cover_position", "", gate, {"position": 1}), None)
    assert only_closes(Call("cover", "set_cover_position", "", gate, {"position": 0}), None)


@pytest.mark.parametrize(
    "text",
    [
        "http://evil.example/a",
        "HTTPS://EVIL.example",
        "https:\\\\evil.example",
        "http:///evil.example",
        "//evil.example/x",
        "\\\\evil.example\\x",
        "rtsp://evil.example",
        "wss://8.8.8.8/",
        "x=http%3A%2F%2Fevil.example",
        "http%253A%252F%252Fevil.example",
        "a https://evil.example b",
        "http://homeassistant.evil.example",
        "http://evil.example:80@10.0.0.1.evil.example/",
        "http://[2001:4860:4860::8888]/",
        "http://[evil.example/x",
        "http://homeassistant.lan.evil.example/",
        "{{ url }}",
        "{% if x %}a{% endif %}",
    ],
)
def test_addresses_on_the_internet_are_foreign(text):
    assert is_foreign(text, frozenset({"homeassistant"}))


@pytest.mark.parametrize(
    "text",
    [
        "media-source://tts/google?message=hello",
        "library://album/7",
        "spotify:track:7",
        "song about https",
        "http://192.168.1.4/a.mp3",
        "http://127.0.0.1:8123/x",
        "http://[fd00::1]/x",
        "http://nas/music",
        "http://nas.local/music",
        "http://nas.lan/music",
        "http://nas.home.arpa/music",
        "http://nas.internal/music",
        "http://169.254.7.7/music",
        "http://ha.example/local/a.mp3",
        "/local/a.mp3",
        "",
    ],
)
def test_what_stays_at_home_is_not_foreign(text):
    assert not is_foreign(text, frozenset({"ha.example"}))


@pytest.mark.parametrize(
    ("entity_id", "name", "service", "effect"),
    [
        ("switch.x", "Backofen", "turn_on", Effect.FIRE_OR_FLOOD),
        ("switch.x", "Fer à repasser", "toggle", Effect.FIRE_OR_FLOOD),
        ("climate.x", "Sauna", "set_hvac_mode", Effect.FIRE_OR_FLOOD),
        ("number.x", "Oven level", "set_value", Effect.FIRE_OR_FLOOD),
        ("switch.x", "Space heater", "turn_on", Effect.FIRE_OR_FLOOD),
        ("switch.x", "Llave de paso", "turn_on", Effect.FIRE_OR_FLOOD),
        ("switch.x", "Rauchmelder", "turn_off", Effect.UNPROTECTS),
        ("switch.x", "Caméra du salon", "turn_off", Effect.UNPROTECTS),
        ("select.x", "Beveiliging modus", "select_option", Effect.UNPROTECTS),
        ("button.x", "공장 초기화", "press", Effect.IRREVERSIBLE),
        ("button.x", "Neustart Router", "press", Effect.IRREVERSIBLE),
        ("script.x", "Reset everything", "turn_on", Effect.IRREVERSIBLE),
        ("todo.x", "Shopping", "remove_completed_items", Effect.IRREVERSIBLE),
        ("notify.x", "Phone", "send_message", Effect.LETS_OUT),
        ("remote.x", "Living room", "send_command", Effect.OPENS),
    ],
)
def test_an_effect_is_known_by_what_a_thing_is_called(entity_id, name, service, effect):
    data = {"command": ["gate open"]} if service == "send_command" else {}
    assert effect in effects(entity_id, service, name, **data)


@pytest.mark.parametrize(
    ("entity_id", "name", "service"),
    [
        ("switch.x", "Oven", "turn_off"),
        ("switch.x", "Oven light", "turn_on"),
        ("switch.x", "Iron Man lamp", "turn_on"),
        ("climate.x", "Heater", "set_temperature"),
        ("light.x", "Kitchen lamp", "turn_on"),
        ("switch.x", "Smoke alarm", "turn_on"),
        ("switch.x", "Alarm clock", "turn_off"),
        ("switch.x", "Camera light", "turn_off"),
        ("switch.x", "Wecker", "turn_off"),
        ("todo.x", "Shopping", "remove_item"),
        ("todo.x", "Front door", "add_item"),
        ("media_player.x", "Front door", "media_play"),
        ("vacuum.x", "Doorman", "start"),
        ("lock.x", "Front door", "lock"),
        ("remote.x", "Living room", "send_command"),
    ],
)
def test_everyday_things_have_none(entity_id, name, service):
    data = {"command": ["volume up"]} if service == "send_command" else {}
    assert effects(entity_id, service, name, **data) == set()


def test_what_may_be_set_to_anything_has_every_effect_of_its_kind():
    for entity_id, effect in (
        ("lock.x", Effect.OPENS),
        ("alarm_control_panel.x", Effect.UNPROTECTS),
        ("valve.x", Effect.FIRE_OR_FLOOD),
        ("siren.x", Effect.UNPROTECTS),
    ):
        assert effect in effects(entity_id, ANY_SERVICE, state="disarmed")
    assert effects("light.x", ANY_SERVICE) == set()


def test_a_switch_that_is_called_as_its_room_is_the_rooms():
    switch = Entity("switch.garage", "Garage")
    assert effects_of(Call("switch", "turn_on", "", switch), home_with(switch, "off")) == ()


def test_a_relay_that_only_says_how_it_is_worked_goes_by_its_device():
    relay = Entity("switch.relay_1", "Relay 1", device_name="Gate drive")
    assert is_way_in(relay)
    assert not is_way_in(Entity("switch.lamp", "Lamp", device_name="Gate drive"))
    assert is_way_in(Entity("switch.gate_pulse", "Number 7"))
    assert is_way_in(Entity("lock.x", "Locker"))
    assert not is_way_in(Entity("cover.x", "Blind", device_class="blind"))


def test_which_way_switching_may_open():
    assert way_called("Gate pulse") is Way.DOOR
    assert way_called("Maglock") is Way.LOCK
    assert way_called("gatePulse") is Way.DOOR
    assert way_called("Camera: front door") is Way.NONE
    assert way_called("Garage door (lamp)") is Way.NONE


def test_the_rules_are_read_whole():
    assert {rule.effect for rule in rules()} == set(Effect) - {Effect.UNREADABLE, Effect.OWN_RULE, Effect.AFTER_OUTSIDE}


def test_what_a_thing_is_counts_and_not_whose_service_is_called():
    oven = Entity("switch.oven", "Oven")
    assert effects_of(Call("homeassistant", "turn_on", "", oven), home_with(oven, "off")) == (Effect.FIRE_OR_FLOOD,)
