"""What is allowed, confirmed and denied, judged on what a call really reaches."""

from dataclasses import replace

import pytest

from homeagent.policy.policy import Policy
from homeagent.policy.verdicts import Decision, Rule
from homeagent.targets.scripts import Unreadable, script_actions
from indexer.entity import Entity

ALLOW, CONFIRM, DENY = Decision.ALLOW, Decision.CONFIRM, Decision.DENY


@pytest.mark.parametrize(
    ("action", "entity_id", "parameters", "decision"),
    [
        ("lock", "lock.front_door", {}, ALLOW),
        ("unlock", "lock.front_door", {}, CONFIRM),
        ("open", "lock.front_door", {}, CONFIRM),
        ("close", "cover.garage_door", {}, ALLOW),
        ("open", "cover.garage_door", {}, CONFIRM),
        ("open", "cover.living_room_blinds", {}, ALLOW),
        ("toggle", "cover.driveway_gate", {}, CONFIRM),
        ("close", "valve.main_water", {}, ALLOW),
        ("open", "valve.main_water", {}, CONFIRM),
        ("toggle", "valve.main_water", {}, ALLOW),
        ("arm_away", "alarm_control_panel.home", {}, ALLOW),
        ("disarm", "alarm_control_panel.home", {}, CONFIRM),
        ("turn_on", "siren.hall", {}, ALLOW),
        ("turn_off", "automation.lights_on_at_sunset", {}, CONFIRM),
        ("trigger", "automation.lights_on_at_sunset", {}, ALLOW),
        ("turn_off", "siren.hall", {}, CONFIRM),
        ("turn_off", "camera.front_door", {}, CONFIRM),
        ("play_media", "media_player.tv", {"media_content_id": "a", "media_content_type": "music"}, ALLOW),
        ("send_message", "notify.phone", {"message": "hi"}, CONFIRM),
        ("turn_on", "scene.movie_night", {}, ALLOW),
        ("turn_on", "scene.come_home", {}, CONFIRM),
        ("turn_on", "script.good_night", {}, ALLOW),
        ("turn_off", "script.good_night", {}, ALLOW),
        ("turn_on", "script.announce", {"variables": {"message": "hi"}}, CONFIRM),
        ("turn_on", "script.announce", {}, ALLOW),
        ("turn_on", "script.courier", {}, CONFIRM),
        ("turn_on", "light.kitchen_lights", {}, ALLOW),
        ("press", "button.restart_router", {}, CONFIRM),
    ],
)
@pytest.mark.asyncio(loop_scope="module")
async def test_as_delivered(judge_only, action, entity_id, parameters, decision):
    verdict = await judge_only(action, entity_id, parameters)
    assert verdict.decision is decision, verdict.reason
    assert bool(verdict.reason) == (decision is not ALLOW)


@pytest.mark.parametrize(
    ("parameters", "decision"),
    [
        ({"position": 30}, ALLOW),
        ({"position": 60}, CONFIRM),
        ({"position": "0"}, ALLOW),
        ({"position_step": -10}, ALLOW),
        ({"position_step": 10}, CONFIRM),
        ({"value": 100}, CONFIRM),
        ({"tilt_position": 50}, ALLOW),
    ],
)
async def test_a_door_that_only_closes_further_is_not_asked_about(judge, home_assistant, parameters, decision):
    """The blinds stand at 40; here they are a door."""
    home = home_assistant.home
    blinds, state = home.entities["cover.living_room_blinds"], home.state("cover.living_room_blinds")
    home.put_states([replace(state, attributes={**state.attributes, "current_position": 40})])
    verdict = await judge("set_value", replace(blinds, device_class="door"), parameters)
    assert verdict.decision is decision


async def test_a_group_is_judged_by_its_members(judge, home_assistant):
    home = home_assistant.home
    group = replace(home.entities["cover.bedroom_curtain"], members=("cover.bedroom_curtain", "cover.garage_door"))
    verdict = await judge("open", group)
    assert verdict.decision is CONFIRM
    assert "Garage door" in verdict.reason


ENTRANCES = {
    "en": "Front door, Backdoor, Driveway gate, Kitchen door, Garage, Garage shutter, Entrance, Pool cover, Cover 1",
    "de": "Garagentor links, Einfahrtstor, Rolltor, Schiebetor, Hoftore, Garagentür, Haustür, Haustuer, Tiefgarage",
    "fr": "Porte du garage, Portail, Portillon, Grille d'entrée, Barrière, Porte d'entrée",
    "es": "Garaje, Puerta principal, Portón, Verja, Cancela",
    "nl": "Garagepoort, Voordeur, Schuifdeur, Tuinhek, Oprit",
    "ko": "차고 문, 차고문, 차고 셔터, 현관문, 대문, 뒷문",
    "none": "Somfy RTS 3, Hörmann, ворота",
}
SHADES = {
    "en": "Sofa shade, Outdoor blinds, Door blind, Patio awning, Left skylight, Kitchen, Kitchen 2, Bedroom motor",
    "de": "Rollladen Terrassentür, Rollläden, Rolladenaktor 3, Raffstore, Storen Süd, Markise, Dachfenster, Plissee",
    "fr": "Volet porte-fenêtre, Store banne, Stores, Rideau, Fenêtre",
    "es": "Persiana puerta balcón, Toldo, Estor, Ventana",
    "nl": "Rolluik voordeur, Jaloezieën, Zonnescherm, Overgordijnen, Dakraam",
    "ko": "안방 블라인드, 커튼, 거실창, 창문, 암막커튼",
}


def called(names):
    return [name for of_one_language in names.values() for name in of_one_language.split(", ")]


@pytest.mark.parametrize(
    ("name", "decision"), [(n, CONFIRM) for n in called(ENTRANCES)] + [(n, ALLOW) for n in called(SHADES)]
)
@pytest.mark.asyncio(loop_scope="module")
async def test_a_cover_without_a_device_class_is_known_by_its_name(judge_only, looked_at, name, decision):
    cover = looked_at.home.entities["cover.bedroom_curtain"]
    renamed = replace(cover, entity_id="cover.x", name=name, aliases=(), device_name=None, device_class=None)
    verdict = await judge_only("open", renamed, like=cover.entity_id)
    assert verdict.decision is decision


async def test_what_a_cover_without_a_device_class_is_may_be_told_by_where_it_is(judge, home_assistant):
    garage = replace(home_assistant.home.entities["cover.garage_door"], device_class=None)
    for name, decision in (("Left", CONFIRM), ("Left blind", ALLOW)):
        renamed = replace(garage, entity_id="cover.left", name=name, aliases=())
        verdict = await judge("open", renamed, like=garage.entity_id)
        assert verdict.decision is decision, name


async def test_a_group_whose_name_tells_nothing_is_what_its_members_are(judge, home_assistant):
    curtain = home_assistant.home.entities["cover.bedroom_curtain"]
    group = replace(curtain, entity_id="cover.all", name="Everything", aliases=(), device_class=None)
    for members, decision in ((("cover.bedroom_curtain",), ALLOW), (("cover.garage_door",), CONFIRM)):
        verdict = await judge("open", replace(group, members=members), like=curtain.entity_id)
        assert verdict.decision is decision, members


OPENERS = (
    "Garage door", "Gate opener", "Front gate", "Door buzzer", "Garagentor", "Türöffner", "Torantrieb", "Haustür",
    "Portail", "Gâche", "Ouvre-porte", "Portón", "Abrepuertas", "Poort", "Deuropener", "차고문", "대문 개폐기",
    "Garage door button", "Garage door 1", "Gate 2", "Garagentor Taster", "Haustür öffnen", "Tor 1", "Portail relais",
)  # fmt: skip
NO_OPENERS = (
    "Garage", "Garage light", "Door lamp", "Hall lamp", "Coffee machine", "Garden pump", "Doorbell", "Motor",
    "Hoflicht", "Kühlschrank", "Lampe porte", "Puerta luz", "Deurlamp", "차고 조명", "Fan",
    "Garage radio", "Radio garage", "Radio porte", "Door radio",
    "Refrigerator door", "Washing machine door", "Transistor", "Kontor", "Kühlschranktür", "Light switch", "Button 2",
)  # fmt: skip


SWITCHING = {"switch": "switch.coffee_machine", "input_boolean": "input_boolean.guest_mode"}


@pytest.mark.parametrize("domain", SWITCHING)
@pytest.mark.parametrize(("name", "decision"), [(n, CONFIRM) for n in OPENERS] + [(n, ALLOW) for n in NO_OPENERS])
@pytest.mark.asyncio(loop_scope="module")
async def test_a_relay_that_opens_a_door_is_known_by_its_name(judge_only, domain, name, decision):
    relay = Entity(f"{domain}.relay_1", name)
    for action in ("turn_on", "toggle"):
        verdict = await judge_only(action, relay, like=SWITCHING[domain])
        assert verdict.decision is decision


async def test_the_first_rule_of_the_home_that_fits_decides(judge):
    policy = Policy(
        [
            Rule(DENY, target="switch.coffee_machine"),
            Rule(ALLOW, action="unlock", target="lock.front_door"),
            Rule(CONFIRM, action="turn_*", target="media_player"),
        ]
    )
    expected = {
        ("turn_on", "switch.coffee_machine"): DENY,
        ("turn_on", "switch.sprinkler"): ALLOW,
        ("unlock", "lock.front_door"): ALLOW,
        ("open", "lock.front_door"): CONFIRM,
        ("turn_off", "media_player.tv"): CONFIRM,
        ("pause", "media_player.tv"): ALLOW,
        ("turn_on", "scene.come_home"): ALLOW,
    }
    for (action, entity_id), decision in expected.items():
        assert (await judge(action, entity_id, policy=policy)).decision is decision, entity_id


async def test_a_denied_thing_is_denied_through_a_scene_too(judge):
    policy = Policy([Rule(DENY, target="light.hall"), Rule(ALLOW, target="scene.*")])
    assert (await judge("turn_on", "scene.come_home", policy=policy)).decision is DENY


async def test_for_measuring_nothing_is_asked_but_denied_stays_denied(judge):
    policy = Policy([Rule(DENY, target="light.hall")], allow_all=True)
    assert (await judge("unlock", "lock.front_door", policy=policy)).decision is ALLOW
    assert (await judge("turn_on", "light.hall", policy=policy)).decision is DENY


def sequence(*steps):
    return {"sequence": list(steps)}


LOCKS = ["lock.back_door", "lock.front_door"]
OPEN_GATE = {"action": "cover.open_cover", "target": {"entity_id": "cover.driveway_gate"}}


@pytest.mark.parametrize(
    ("config", "reached"),
    [
        (sequence({"service": "light.turn_on", "entity_id": "light.hall"}), ["light.hall"]),
        (sequence({"action": "lock.unlock", "target": {"area_id": "hall"}}), ["lock.front_door"]),
        (
            sequence({"action": "lock.unlock", "target": {"floor_id": ["ground"]}}),
            ["lock.back_door", "lock.front_door"],
        ),
        (sequence({"action": "lock.unlock", "data": {"entity_id": "all"}}), ["lock.back_door", "lock.front_door"]),
        (sequence({"choose": [{"conditions": [], "sequence": [OPEN_GATE]}], "default": []}), ["cover.driveway_gate"]),
        (sequence({"if": [], "then": [{"delay": 1}], "else": [OPEN_GATE]}), ["cover.driveway_gate"]),
        (sequence({"repeat": {"count": 2, "sequence": [OPEN_GATE]}}), ["cover.driveway_gate"]),
        (sequence({"parallel": [{"sequence": [OPEN_GATE]}, {"delay": 1}]}), ["cover.driveway_gate"]),
        (sequence({"scene": "scene.come_home"}), ["scene.come_home"]),
        (sequence({"action": "script.courier"}), ["script.courier"]),
        (sequence({"action": "homeassistant.turn_off", "target": {"entity_id": "light.hall"}}), ["light.hall"]),
        (
            sequence({"action": "scene.apply", "data": {"entities": {"lock.front_door": "unlocked"}}}),
            ["lock.front_door"],
        ),
        (sequence({"action": "notify.mobile", "data": {"message": "{{ x }}"}}, {"wait_template": "{{ y }}"}), []),
        (sequence({"enabled": False, **OPEN_GATE}), []),
        ({"sequence": OPEN_GATE}, ["cover.driveway_gate"]),
    ],
)
@pytest.mark.asyncio(loop_scope="module")
async def test_a_script_is_read_through_all_its_branches(looked_at, config, reached):
    found = {e.entity_id for deed in script_actions(config, looked_at.home) for e in deed.entities}
    assert sorted(found) == reached


@pytest.mark.parametrize(
    "step",
    [
        {"action": "{{ 'lock' }}.unlock"},
        {"action": "light.turn_on", "target": {"entity_id": "{{ which }}"}},
        {"action": "light.turn_on", "target": "{{ which }}"},
        {"action": "shell_command.open_the_door"},
        {"action": "mqtt.publish", "data": {"topic": "door"}},
        {"action": "light.turn_on", "target": {"entity_id": "light.unheard_of"}},
        {"device_id": "abc", "domain": "lock", "type": "unlock"},
        {"event": "open_the_door"},
        "nonsense",
        7,
    ],
)
@pytest.mark.asyncio(loop_scope="module")
async def test_what_cannot_be_told_is_unreadable(looked_at, step):
    with pytest.raises(Unreadable):
        script_actions(sequence({"delay": 1}, step), looked_at.home)
