"""What a call leads to counts as if it were asked for: through groups, scenes, scripts and automations, to the end."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from homeagent.policy.policy import Policy
from homeagent.policy.verdicts import Call, Consequence, Decision, Effect, Rule
from indexer.entity import Area, Entity
from tests.policy.house import NOW, House

ALLOW, CONFIRM, DENY = Decision.ALLOW, Decision.CONFIRM, Decision.DENY
OPENS, UNPROTECTS, FIRE = Effect.OPENS, Effect.UNPROTECTS, Effect.FIRE_OR_FLOOD
DOOR = Entity("lock.door", "Front door")
GATE = Entity("cover.gate", "Gate", device_class="gate")
LAMP = Entity("light.lamp", "Lamp")
ALARM = Entity("alarm_control_panel.alarm", "Alarm")
EVENING = Entity("scene.evening", "Evening")
COME = Entity("script.come", "Come in")
RADIO, AWAY = Entity("media_player.x", "Radio"), {"media_content_id": "https://evil.example/a"}
WATCH = Entity("automation.watch", "Night watch")


def effects_of(verdict: Any) -> set[Effect]:
    return {consequence.effect for consequence in verdict.consequences}


# --- scenes


@pytest.mark.parametrize(
    ("entity_id", "name", "wanted", "effects"),
    [
        ("lock.x", "Door", "unlocked", {OPENS}),
        ("lock.x", "Door", "open", {OPENS}),
        ("lock.x", "Door", "locked", set()),
        ("lock.x", "Door", {"state": "unlocked"}, {OPENS}),
        ("lock.x", "Door", {"state": "locked", "battery": 7}, set()),
        ("lock.x", "Door", {"battery": 7}, {OPENS}),
        ("lock.x", "Door", "{{ states('lock.y') }}", {OPENS}),
        ("lock.x", "Door", None, {OPENS}),
        ("lock.x", "Door", "jammed", {OPENS}),
        ("cover.x", "Gate", "open", {OPENS}),
        ("cover.x", "Gate", "closed", set()),
        ("cover.x", "Gate", {"state": "closed", "current_position": 0}, set()),
        ("cover.x", "Gate", {"state": "closed", "current_position": 5}, {OPENS}),
        ("cover.x", "Gate", {"state": "closed", "position": 5}, set()),
        ("cover.x", "Gate", {"state": "open", "current_position": 0}, {OPENS}),
        ("cover.x", "Blind", {"state": "open", "current_position": 90}, set()),
        ("valve.x", "Thing", "open", {FIRE}),
        ("valve.x", "Thing", "closed", set()),
        ("valve.x", "Thing", "opening", {FIRE}),
        ("valve.x", "Thing", {"state": "opening", "position": 0}, {FIRE}),
        ("alarm_control_panel.x", "Alarm", "disarmed", {UNPROTECTS}),
        ("alarm_control_panel.x", "Alarm", "triggered", {Effect.IRREVERSIBLE}),
        ("alarm_control_panel.x", "Alarm", "armed_away", {UNPROTECTS}),
        ("alarm_control_panel.x", "Alarm", "armed_home", {UNPROTECTS}),
        ("switch.x", "Oven", "on", {FIRE}),
        ("switch.x", "Oven", True, {FIRE}),
        ("switch.x", "Oven", "off", set()),
        ("switch.x", "Oven", False, set()),
        ("switch.x", "Oven", {"state": True}, {FIRE}),
        ("switch.x", "Smoke alarm", "off", {UNPROTECTS}),
        ("switch.x", "Smoke alarm", False, {UNPROTECTS}),
        ("switch.x", "Smoke alarm", "on", set()),
        ("switch.x", "Smoke alarm", True, set()),
        ("cover.x", "Gate", {"current_position": 0}, {OPENS}),
        ("alarm_control_panel.x", "Alarm", "armed_{{ level }}", {UNPROTECTS, Effect.IRREVERSIBLE}),
        ("input_boolean.x", "Oven", "on", {FIRE}),
        ("input_boolean.x", "Oven", "off", set()),
        ("fan.x", "Sauna", "on", {FIRE}),
        ("fan.x", "Sauna", "off", set()),
        ("humidifier.x", "Sauna", "on", {FIRE}),
        ("humidifier.x", "Sauna", "off", set()),
        ("siren.x", "Thing", "off", {UNPROTECTS}),
        ("siren.x", "Thing", "on", set()),
        ("automation.x", "Thing", "off", {UNPROTECTS}),
        ("automation.x", "Thing", "on", set()),
        ("camera.x", "Thing", "off", {UNPROTECTS}),
        ("camera.x", "Thing", "on", set()),
        ("camera.x", "Thing", "recording", {UNPROTECTS}),
        ("remote.x", "Gate", "on", {OPENS}),
        ("remote.x", "Gate", "off", set()),
        ("light.x", "Gate", "on", {OPENS}),
        ("light.x", "Gate", "off", set()),
        ("light.x", "Lamp", {"state": "on", "brightness": 9}, set()),
        ("number.x", "Oven", "200", {FIRE}),
        ("input_number.x", "Oven", 200, {FIRE}),
        ("select.x", "Oven", "Pizza", {FIRE}),
        ("input_select.x", "Oven", "Pizza", {FIRE}),
        ("text.x", "Oven", "Pizza", {FIRE}),
        ("input_text.x", "Oven", "Pizza", {FIRE}),
        ("number.x", "Shade", "200", set()),
        ("climate.x", "Sauna", "heat", {FIRE}),
        ("climate.x", "Bedroom", "heat", set()),
        ("water_heater.x", "Sauna", "eco", {FIRE}),
        ("media_player.x", "Radio", "playing", set()),
        (
            "media_player.x",
            "Radio",
            {"state": "playing", "media_content_id": "https://evil.example/a"},
            {Effect.LETS_OUT},
        ),
        ("media_player.x", "Radio", {"state": "off", "media_content_id": "http://homeassistant.example/a"}, set()),
    ],
)
async def test_what_a_scene_sets_is_judged_as_the_call_that_does_it(entity_id, name, wanted, effects):
    house = House(EVENING, Entity(entity_id, name), configs={EVENING.entity_id: {"entities": {entity_id: wanted}}})
    verdict = await house.verdict(EVENING.entity_id, "turn_on")
    assert effects_of(verdict) == effects
    assert {one.through for one in verdict.consequences} <= {"Evening"}


PLAYED = Consequence(Effect.LETS_OUT, "turn_off", "Radio", "Evening", content="evil.example")


@pytest.mark.parametrize(
    ("entity", "wanted", "told"),
    [
        (DOOR, "unlocked", Consequence(OPENS, "unlock", "Front door", "Evening")),
        (DOOR, "?", Consequence(OPENS, "set", "Front door", "Evening")),
        (GATE, "?", Consequence(OPENS, "set", "Gate", "Evening")),
        (GATE, "open", Consequence(OPENS, "open", "Gate", "Evening")),
        (ALARM, "?", Consequence(UNPROTECTS, "set", "Alarm", "Evening")),
        (ALARM, "armed_home", Consequence(UNPROTECTS, "arm_home", "Alarm", "Evening")),
        (WATCH, "?", Consequence(UNPROTECTS, "set", "Night watch", "Evening")),
        (Entity("valve.x", "Tap"), "?", Consequence(FIRE, "set", "Tap", "Evening")),
        (Entity("switch.x", "Oven"), "?", Consequence(FIRE, "set", "Oven", "Evening")),
        (Entity("number.x", "Oven"), "200", Consequence(FIRE, "set_value", "Oven", "Evening")),
        (Entity("climate.x", "Sauna"), "heat", Consequence(FIRE, "set_value", "Sauna", "Evening")),
        (
            RADIO,
            {"state": "on", **AWAY},
            Consequence(Effect.LETS_OUT, "play_media", "Radio", "Evening", content="evil.example"),
        ),
        (
            RADIO,
            {"state": "off", **AWAY},
            Consequence(Effect.LETS_OUT, "turn_off", "Radio", "Evening", content="evil.example"),
        ),
    ],
)
async def test_a_person_hears_what_happens_to_which_thing_and_through_what(entity, wanted, told):
    house = House(EVENING, entity, configs={EVENING.entity_id: {"entities": {entity.entity_id: wanted}}})
    verdict = await house.verdict(EVENING.entity_id, "turn_on")
    assert told in verdict.consequences


async def test_a_group_in_a_scene_is_set_to_the_last_member():
    doors = Entity("group.doors", "Doors", members=("lock.door", "group.more"))
    more = Entity("group.more", "More", members=("cover.gate",))
    for wanted, effects in (("unlocked", {OPENS}), ("locked", {OPENS}), ("closed", {OPENS})):
        house = House(
            EVENING, DOOR, GATE, doors, more, configs={"scene.evening": {"entities": {"group.doors": wanted}}}
        )
        assert effects_of(await house.verdict("scene.evening", "turn_on")) == effects
    shut = House(EVENING, GATE, more, configs={"scene.evening": {"entities": {"group.more": "closed"}}})
    assert (await shut.verdict("scene.evening", "turn_on")).decision is ALLOW


@pytest.mark.parametrize("config", [None, {}, {"entities": None}, {"entities": ["light.lamp"]}])
async def test_a_scene_that_does_not_tell_may_set_its_members_to_anything(config):
    for member, decision in ((DOOR, CONFIRM), (LAMP, ALLOW)):
        scene = replace(EVENING, members=(member.entity_id,))
        house = House(scene, member, configs={"scene.evening": config})
        assert (await house.verdict("scene.evening", "turn_on")).decision is decision
    alone = House(EVENING, configs={"scene.evening": config})
    verdict = await alone.verdict("scene.evening", "turn_on")
    assert verdict.decision is CONFIRM
    assert verdict.consequences == (
        Consequence(Effect.UNREADABLE, "turn_on", "Evening", "Evening", "what Evening changes cannot be read"),
    )


async def test_what_a_scene_sets_and_nobody_knows_is_asked_about():
    house = House(EVENING, LAMP, configs={"scene.evening": {"entities": {"light.lamp": "on", "lock.gone": "locked"}}})
    verdict = await house.verdict("scene.evening", "turn_on")
    assert (verdict.decision, verdict.reason) == (CONFIRM, "it sets lock.gone, which I cannot find")
    assert effects_of(verdict) == {Effect.UNREADABLE}


# --- scripts and automations


def steps(*of: Any) -> dict[str, Any]:
    return {"sequence": list(of)}


UNLOCK = {"action": "lock.unlock", "target": {"entity_id": "lock.door"}}
LIGHT = {"action": "light.turn_on", "target": {"entity_id": "light.lamp"}}


@pytest.mark.parametrize("service", ["turn_on", "toggle"])
async def test_a_script_does_all_its_steps(service):
    house = House(COME, DOOR, LAMP, configs={"script.come": steps(LIGHT, UNLOCK)})
    verdict = await house.verdict("script.come", service)
    assert verdict.consequences == (Consequence(OPENS, "unlock", "Front door", "Come in"),)
    assert verdict.reason == "it opens or unlocks Front door"


async def test_a_script_that_is_only_stopped_does_nothing():
    house = House(COME, DOOR, configs={"script.come": steps(UNLOCK)})
    assert (await house.verdict("script.come", "turn_off")).decision is ALLOW


async def test_an_automation_does_its_actions_when_it_is_run_and_not_when_it_is_switched_on():
    house = House(WATCH, DOOR, configs={"automation.watch": {"actions": [UNLOCK]}})
    told = await house.verdict("automation.watch", "trigger")
    assert told.consequences == (Consequence(OPENS, "unlock", "Front door", "Night watch"),)
    assert (await house.verdict("automation.watch", "turn_on")).decision is ALLOW


@pytest.mark.parametrize(
    ("entity", "service", "detail"),
    [
        (COME, "turn_on", "what Come in does cannot be read"),
        (COME, "toggle", "what Come in does cannot be read"),
        (WATCH, "trigger", "what Night watch does cannot be read"),
    ],
)
async def test_what_cannot_be_read_is_asked_about_with_the_reason(entity, service, detail):
    verdict = await House(entity).verdict(entity.entity_id, service)
    assert (verdict.decision, verdict.reason) == (CONFIRM, detail)
    assert verdict.consequences == (Consequence(Effect.UNREADABLE, service, entity.name, entity.name, detail),)


async def test_a_step_that_cannot_be_told_makes_the_whole_script_asked_about():
    house = House(COME, LAMP, configs={"script.come": steps(LIGHT, {"event": "open_sesame"})})
    verdict = await house.verdict("script.come", "turn_on")
    assert (verdict.decision, verdict.reason) == (CONFIRM, "Come in has a step that is not a service call")


async def test_an_automation_that_cannot_be_told_is_named_in_the_reason():
    config = {"actions": [{"event": "open_sesame"}]}
    verdict = await House(WATCH, configs={WATCH.entity_id: config}).verdict(WATCH.entity_id, "trigger")
    assert (verdict.decision, verdict.reason) == (CONFIRM, "Night watch has a step that is not a service call")


async def test_a_scene_is_only_ever_switched_on():
    house = House(EVENING, DOOR, configs={"scene.evening": {"entities": {"lock.door": "unlocked"}}})
    assert (await house.verdict("scene.evening", "reload")).decision is ALLOW
    assert (await house.verdict("scene.evening", "toggle")).decision is CONFIRM


async def test_services_of_home_assistant_itself_are_denied_wherever_they_stand():
    restart = {"action": "homeassistant.restart"}
    house = House(COME, LAMP, EVENING, configs={"script.come": steps(LIGHT, restart)})
    verdict = await house.verdict("script.come", "turn_on")
    assert (verdict.decision, verdict.reason) == (DENY, "Come in calls homeassistant.restart")
    allowed = await house.verdict("script.come", "turn_on", policy=Policy([Rule(ALLOW, target="script.*")]))
    assert allowed.decision is DENY


async def test_a_scene_that_a_script_makes_is_judged_by_what_it_sets():
    for wanted, decision in (("unlocked", CONFIRM), ("locked", ALLOW)):
        apply = {"action": "scene.apply", "data": {"entities": {"lock.door": wanted}}}
        house = House(COME, DOOR, configs={"script.come": steps(apply)})
        assert (await house.verdict("script.come", "turn_on")).decision is decision
    copied = {"action": "scene.create", "data": {"scene_id": "x", "snapshot_entities": ["lock.door"]}}
    house = House(COME, DOOR, configs={"script.come": steps(copied)})
    assert (await house.verdict("script.come", "turn_on")).decision is CONFIRM


async def test_the_owners_message_goes_out_and_the_callers_is_asked_about():
    message = {"action": "notify.phone", "data": {"message": "{{ text }}"}}
    house = House(COME, configs={"script.come": steps(message)})
    assert (await house.verdict("script.come", "turn_on")).decision is ALLOW
    told = await house.verdict("script.come", "turn_on", variables={"text": "x"})
    assert told.consequences == (Consequence(Effect.LETS_OUT, "send_message", "notify.phone", "Come in", content="x"),)


async def test_a_script_may_arm_further_and_never_less_unasked():
    away = {"action": "alarm_control_panel.alarm_arm_home", "target": {"entity_id": ALARM.entity_id}}
    for now, decision in (("disarmed", ALLOW), ("armed_away", CONFIRM)):
        house = House(COME, ALARM, configs={"script.come": steps(away)}, states={ALARM.entity_id: now})
        assert (await house.verdict("script.come", "turn_on")).decision is decision
    scene = {
        "scene.evening": {"entities": {ALARM.entity_id: "armed_home"}},
        "script.come": steps({"scene": "scene.evening"}),
    }
    house = House(COME, EVENING, ALARM, configs=scene, states={ALARM.entity_id: "armed_away"})
    assert (await house.verdict("script.come", "turn_on")).decision is CONFIRM


async def test_a_switch_is_not_taken_for_harmless_because_its_room_is_called_so():
    for rooms in ((Area("bolt", "Bolt"),), ()):
        house = House(Entity("switch.bolt", "Bolt"), areas=rooms)
        assert (await house.verdict("switch.bolt", "turn_off")).decision is CONFIRM


async def test_a_cover_that_is_only_called_as_its_room_is_taken_for_a_blind():
    for rooms, decision in (((Area("kitchen", "Kitchen"),), ALLOW), ((), CONFIRM)):
        house = House(Entity("cover.kitchen", "Kitchen"), areas=rooms)
        assert (await house.verdict("cover.kitchen", "open_cover")).decision is decision


# --- depth


def chain(length: int) -> House:
    """Scripts that call each other; the last switches a lamp on."""
    scripts = [Entity(f"script.step_{i}", f"Step {i}") for i in range(length)]
    configs = {s.entity_id: steps({"action": f"script.step_{i + 1}"}) for i, s in enumerate(scripts)}
    configs[scripts[-1].entity_id] = steps(LIGHT)
    return House(LAMP, *scripts, configs=configs)


async def test_scripts_that_call_scripts_are_followed_so_far_and_then_asked_about():
    assert (await chain(6).verdict("script.step_0", "turn_on")).decision is ALLOW
    verdict = await chain(7).verdict("script.step_0", "turn_on")
    assert (verdict.decision, verdict.reason) == (CONFIRM, "Step 6 reaches too many other things")
    assert verdict.consequences[0].through == "Step 6"


async def test_a_script_that_calls_itself_is_asked_about():
    house = House(COME, configs={"script.come": steps({"action": "script.come"})})
    assert (await house.verdict("script.come", "turn_on")).decision is CONFIRM


async def test_a_group_of_groups_is_opened_to_the_last_member():
    ring = [Entity(f"cover.ring_{i}", f"Shade {i}", members=(f"cover.ring_{i + 1}",)) for i in range(3)]
    house = House(*ring, Entity("cover.ring_3", "Gate"))
    assert (await house.verdict("cover.ring_0", "open_cover")).decision is CONFIRM
    shade = House(*ring, Entity("cover.ring_3", "Shade 3"))
    assert (await shade.verdict("cover.ring_0", "open_cover")).decision is ALLOW


async def test_a_member_that_the_home_no_longer_has_is_what_its_id_says():
    for gone, decision in (("cover.garage_gate", CONFIRM), ("cover.bedroom_blind", ALLOW)):
        group = Entity("cover.all", "All shades", members=(gone,))
        verdict = await House(group).verdict("cover.all", "open_cover")
        assert verdict.decision is decision
    assert "Front door gate" not in verdict.reason
    group = Entity("cover.all", "All shades", members=("cover.garage_gate",))
    assert (await House(group).verdict("cover.all", "open_cover")).consequences[0].name == "garage gate"


async def test_a_member_of_another_kind_is_judged_as_its_own_kind():
    group = Entity("switch.all", "All", members=("siren.hall",))
    house = House(group, Entity("siren.hall", "Hall"))
    assert effects_of(await house.verdict("switch.all", "turn_off")) == {UNPROTECTS}
    assert (await house.verdict("switch.all", "turn_on")).decision is ALLOW


async def test_what_only_stands_for_itself_leads_nowhere():
    verdict = await House(LAMP).verdict("light.lamp", "turn_on")
    assert (verdict.decision, verdict.reason, verdict.consequences) == (ALLOW, "", ())


# --- the home's own rules


async def test_a_rule_of_the_home_weighs_more_than_what_is_delivered_and_less_than_a_denial_inside():
    house = House(COME, DOOR, LAMP, configs={"script.come": steps(UNLOCK)})
    allowed = await house.verdict("script.come", "turn_on", policy=Policy([Rule(ALLOW, target="script.come")]))
    assert (allowed.decision, allowed.reason, allowed.consequences) == (ALLOW, "", ())
    inside = Policy([Rule(DENY, target="lock.door"), Rule(ALLOW, target="script.come")])
    denied = await house.verdict("script.come", "turn_on", policy=inside)
    assert (denied.decision, denied.reason) == (DENY, "your own rule says so")


async def test_a_rule_of_the_home_that_asks_is_told_as_such_also_from_inside():
    asking = Policy([Rule(CONFIRM, target="light.lamp")])
    house = House(COME, LAMP, configs={"script.come": steps(LIGHT)})
    direct = await house.verdict("light.lamp", "turn_on", policy=asking)
    assert (direct.decision, direct.reason) == (CONFIRM, "your own rule says so")
    assert direct.consequences == (Consequence(Effect.OWN_RULE, "turn_on", "Lamp"),)
    through = await house.verdict("script.come", "turn_on", policy=asking)
    assert through.consequences == (Consequence(Effect.OWN_RULE, "turn_on", "Lamp", "Come in"),)


async def test_a_home_that_may_only_be_looked_at_denies_everything():
    verdict = await House(LAMP).verdict("light.lamp", "turn_on", policy=Policy(read_only=True))
    assert (verdict.decision, verdict.reason) == (DENY, "I may only look at this home, not change it")
    allowed = Policy([Rule(ALLOW)], read_only=True)
    assert (await House(LAMP).verdict("light.lamp", "turn_on", policy=allowed)).decision is DENY


# --- what a yes is bound to


async def test_a_yes_is_bound_to_all_that_is_done_and_to_nothing_that_is_secret():
    async def digest(service: str = "turn_on", *, door: Entity = DOOR, by: Any = UNLOCK, **data: Any) -> str:
        house = House(COME, door, LAMP, configs={"script.come": steps(by)})
        return (await house.verdict("script.come", service, **data)).digest

    first = await digest()
    assert len(first) == 64
    assert await digest() == first
    assert await digest("toggle") != first
    assert await digest(variables={"x": 1}) != first
    assert await digest(door=replace(DOOR, name="Back door")) != first
    assert await digest(by={**UNLOCK, "alias": "other"}) != first
    assert await digest(by=LIGHT) != first
    assert await digest(code="1234") == await digest(code="4321")
    unreadable = {"event": "open_sesame"}
    assert await digest(by=unreadable) != await digest(by={**unreadable, "event_data": {"x": 1}})


async def test_a_yes_to_a_group_or_a_scene_is_bound_to_its_members():
    async def digest(*members: str, scene: bool = False, states: Any = None) -> str:
        config = {"entities": states} if states else None
        whole = replace(EVENING if scene else Entity("switch.all", "All"), members=members)
        things = [Entity(m, m.partition(".")[2]) for m in ("switch.gate", "switch.oven")]
        house = House(whole, *things, configs={"scene.evening": config})
        return (await house.verdict(whole.entity_id, "turn_on")).digest

    assert await digest("switch.gate") != await digest("switch.gate", "switch.oven")
    assert await digest("switch.gate", "switch.oven") == await digest("switch.oven", "switch.gate")
    assert await digest("switch.gate", scene=True) != await digest("switch.oven", scene=True)
    part, other = [{"switch.gate": "on", "cover.x": {"state": "open", "position": 9, "tilt": n}} for n in (1, 2)]
    assert await digest(scene=True, states=part) != await digest(scene=True, states=other)
    one, two = {"switch.gate": "on"}, {"switch.gate": {"state": "on", "x": 1}}
    assert await digest(scene=True, states=one) != await digest(scene=True, states=two)


async def test_a_yes_is_to_what_is_written_however_it_is_written_down():
    async def digest(config: dict[str, Any]) -> str:
        return (await House(COME, LAMP, configs={"script.come": config}).verdict("script.come", "turn_on")).digest

    one, other = {"alias": "A", "since": NOW, **steps(LIGHT)}, {**steps(LIGHT), "since": NOW, "alias": "A"}
    assert await digest(one) == await digest(other)
    assert await digest(one) != await digest({**one, "since": NOW.replace(year=2027)})


async def test_a_yes_for_measuring_still_has_its_digest():
    house = House(DOOR)
    asked = await house.verdict("lock.door", "unlock")
    measured = await house.verdict("lock.door", "unlock", policy=Policy(allow_all=True))
    assert (measured.entity, measured.decision, measured.digest) == (DOOR, ALLOW, asked.digest)


@pytest.mark.parametrize(
    ("entity", "service", "reason"),
    [
        (DOOR, "unlock", "it opens or unlocks Front door"),
        (ALARM, "alarm_disarm", "it takes protection away: Alarm"),
        (Entity("switch.x", "Oven"), "turn_on", "Oven can start a fire or a flood"),
        (Entity("update.x", "Router"), "install", "it cannot be undone: Router"),
        (Entity("notify.x", "Phone"), "send_message", "it lets data out of the home: Phone"),
    ],
)
async def test_a_model_is_told_why(entity, service, reason):
    assert (await House(entity).verdict(entity.entity_id, service)).reason == reason


async def test_several_reasons_are_told_each_once():
    siren = Entity("siren.gate", "Front door lock")
    verdict = await House(siren).verdict("siren.gate", "turn_off")
    assert verdict.reason == "it opens or unlocks Front door lock; it takes protection away: Front door lock"


async def test_a_call_that_names_no_thing_is_judged_by_its_service():
    house = House()
    call = Call("notify", "phone", "send_message", None)
    verdict = await Policy().judge([call], LAMP, house)
    assert effects_of(verdict) == {Effect.LETS_OUT}
    assert verdict.consequences[0].name == ""


async def test_nothing_to_be_done_needs_no_yes():
    verdict = await Policy().judge([], LAMP, House())
    assert (verdict.entity, verdict.decision, verdict.consequences) == (LAMP, ALLOW, ())


async def test_a_group_is_named_in_no_question_and_the_script_that_works_it_is():
    gates = Entity("cover.gates", "All shades", members=("cover.gate",))
    opening = {"action": "cover.open_cover", "target": {"entity_id": "cover.gates"}}
    house = House(COME, GATE, gates, configs={"script.come": steps(opening)})
    direct = await house.verdict("cover.gates", "open_cover")
    assert direct.consequences == (Consequence(OPENS, "open_cover", "Gate"),)
    through = await house.verdict("script.come", "turn_on")
    assert through.consequences == (Consequence(OPENS, "open", "Gate", "Come in"),)


async def test_a_yes_to_what_an_own_rule_asks_about_is_bound_to_that_thing_and_deed():
    policy = Policy([Rule(CONFIRM)])
    house = House(LAMP, Entity("light.other", "Other"))
    calls = [("light.lamp", "turn_on"), ("light.lamp", "turn_off"), ("light.other", "turn_on")]
    digests = {(await house.verdict(entity_id, service, policy=policy)).digest for entity_id, service in calls}
    assert len(digests) == 3
    inside = House(COME, LAMP, configs={"script.come": steps(LIGHT)})
    changed = House(COME, LAMP, configs={"script.come": steps(LIGHT, LIGHT)})
    asking = Policy([Rule(CONFIRM, target="script.come")])
    before, after = [await one.verdict("script.come", "turn_on", policy=asking) for one in (inside, changed)]
    assert before.digest != after.digest


async def test_what_comes_from_the_homes_own_host_lets_nothing_out():
    house = House(Entity("media_player.x", "Radio"))
    for address, decision in (("http://homeassistant.example/a", ALLOW), ("http://other.example/a", CONFIRM)):
        verdict = await house.verdict("media_player.x", "play_media", media_content_id=address)
        assert verdict.decision is decision


async def test_an_automation_that_runs_itself_is_asked_about():
    again = {"action": "automation.trigger", "target": {"entity_id": WATCH.entity_id}}
    house = House(WATCH, configs={WATCH.entity_id: {"actions": [again]}})
    verdict = await house.verdict(WATCH.entity_id, "trigger")
    assert (verdict.decision, verdict.reason) == (CONFIRM, "Night watch reaches too many other things")


@pytest.mark.parametrize("last", [EVENING, WATCH, replace(LAMP, entity_id="light.all", members=("light.lamp",))])
async def test_whatever_leads_on_too_deep_is_asked_about(last):
    scripts = [Entity(f"script.step_{i}", f"Step {i}") for i in range(6)]
    configs: dict[str, Any] = {s.entity_id: steps({"action": f"script.step_{i + 1}"}) for i, s in enumerate(scripts)}
    service = "automation.trigger" if last is WATCH else f"{last.domain}.turn_on"
    configs["script.step_5"] = steps({"action": service, "target": {"entity_id": last.entity_id}})
    configs |= {EVENING.entity_id: {"entities": {"light.lamp": "on"}}, WATCH.entity_id: {"actions": [LIGHT]}}
    house = House(LAMP, last, *scripts, configs=configs)
    assert (await house.verdict("script.step_0", "turn_on")).decision is CONFIRM
    assert (await house.verdict("script.step_1", "turn_on")).decision is ALLOW
