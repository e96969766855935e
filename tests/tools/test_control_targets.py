"""Whom a call reaches, whom it must not reach, and what is told of each."""

import asyncio

import pytest


async def test_an_area_reaches_its_lights_and_a_group_and_its_members_once(control, called):
    result = await control(action="turn_on", area="Kitchen", domain="light")
    assert result.success, result.error
    assert sorted(called()) == [("light.kitchen_ceiling", "turn_on"), ("light.kitchen_counter", "turn_on")]


async def test_a_group_named_with_a_member_is_toggled_once(control, called):
    await control(action="toggle", entity_id=["light.kitchen_lights", "light.kitchen_ceiling"])
    assert [entity_id for entity_id, _ in called()].count("light.kitchen_ceiling") <= 1


async def test_an_excluded_member_is_spared_by_its_group(control, called):
    result = await control(action="turn_on", entity_id="light.kitchen_lights", exclude="light.kitchen_counter")
    assert result.success, result.error
    assert called() == [("light.kitchen_ceiling", "turn_on")]


async def test_an_area_by_alias_and_through_the_device(control, called):
    result = await control(action="turn_off", area="office", domain="switch")
    assert result.success, result.error
    assert called() == [("switch.desk_plug_2", "turn_off")]


async def test_many_targets_are_one_service_call(control, demo, home_assistant, monkeypatch):
    sent = []
    send = home_assistant.call_service

    async def watch(domain, service, **more):
        sent.append((domain, service, sorted(more["entity_ids"])))
        return await send(domain, service, **more)

    monkeypatch.setattr(home_assistant, "call_service", watch)
    await control(action="turn_on", entity_id=["light.bedroom", "light.bedside_left", "switch.coffee_machine"])
    assert sorted(sent) == [
        ("light", "turn_on", ["light.bedroom", "light.bedside_left"]),
        ("switch", "turn_on", ["switch.coffee_machine"]),
    ]


async def test_everything_in_a_room_leaves_what_secures_it(control, called):
    result = await control(action="turn_off", area="hall")
    assert result.success, result.error
    assert called() == [("light.hall", "turn_off")]


async def test_a_set_with_exceptions(control, called):
    result = await control(action="turn_on", area="bedroom", domain="light", exclude=["light.bedroom"])
    assert result.success, result.error
    assert sorted(e for e, _ in called()) == ["light.bedside_left", "light.bedside_right"]


@pytest.mark.parametrize(
    ("target", "kind", "names"),
    [
        ({"area": "Atlantis"}, "unknown_target", "Kitchen"),
        ({"area": "Kitchn", "domain": "light"}, "unknown_target", "Kitchen"),
        ({"floor": "attic"}, "unknown_target", "floor"),
        ({"domain": "submarine"}, "unknown_target", "light"),
        ({"domain": "lock", "area": "garden"}, "unknown_target", "lawn_mower.garden"),
        ({"label": "morning"}, "unknown_target", "evening"),
        ({"entity_id": "light.reading_lmp"}, "unknown_target", "light.reading_lamp"),
        ({"entity_id": ["light.hall", "light.livingroom_couch"]}, "unknown_target", "light.living_room_ceiling"),
        ({"entity_id": "Bedside lamp"}, "unknown_target", "light.bedside_left"),
        ({"entity_id": "all"}, "unknown_target", "all"),
        ({"entity_id": "*"}, "invalid_parameters", "light.*"),
        ({"entity_id": "light.nothing_*"}, "unknown_target", "light.nothing_*"),
        ({"area": "kitchen", "domain": "light", "exclude": "the moon"}, "unknown_target", "the moon"),
        ({"entity_id": "light.hall", "area": "kitchen"}, "invalid_parameters", "either"),
        ({}, "invalid_parameters", "entity_id is missing"),
        ({"device_id": "abc"}, "invalid_parameters", "entity_id"),
        ({"entity_id": "switch.server_rack"}, "not_exposed", "Expose"),
    ],
)
async def test_a_target_that_is_none_reaches_nobody_and_names_the_nearest(control, called, target, kind, names):
    result = await control(action="turn_off", **target)
    assert (result.success, result.error_type) == (False, kind)
    assert names in (result.error or "")
    assert called() == []


@pytest.mark.parametrize(
    "parameters",
    [
        {"entity_id": "lock.front_door"},
        {"area_id": "garage"},
        {"target": {"entity_id": "lock.front_door"}},
        {"brightness": 5, "Device_ID": "x"},
    ],
)
async def test_parameters_cannot_name_another_target(control, called, parameters):
    result = await control(action="turn_on", entity_id="light.bedroom", parameters=parameters)
    assert result.error_type == "invalid_parameters"
    assert called() == []


async def test_variables_cannot_name_another_target_either(control, called):
    result = await control(
        action="turn_on", entity_id="script.announce", parameters={"variables": {"entity_id": "lock.front_door"}}
    )
    assert result.error_type == "invalid_parameters"
    assert called() == []


async def test_what_was_unexposed_a_moment_ago_is_refused(control, demo, called, home_assistant):
    demo.set_exposed("light.bedroom", False)
    await home_assistant.reload()
    result = await control(action="turn_on", entity_id="light.bedroom")
    assert result.error_type == "not_exposed"
    result = await control(action="turn_on", area="bedroom", domain="light")
    assert result.success, result.error
    assert ("light.bedroom", "turn_on") not in called()


async def test_hidden_and_technical_things_are_in_no_set(control, called):
    await control(action="turn_on", domain="switch")
    reached = {entity_id for entity_id, _ in called()}
    assert reached
    assert not reached & {"switch.internal_relay", "switch.dishwasher_child_lock", "switch.server_rack"}


async def test_an_unavailable_device_is_not_called_and_it_is_said(control, called):
    result = await control(action="turn_on", entity_id="light.bathroom")
    assert (result.success, result.error_type) == (False, "entity_unavailable")
    assert "unavailable" in (result.error or "")
    assert called() == []


async def test_a_light_that_ignores_commands_is_not_confirmed(control):
    result = await control(action="turn_on", entity_id="light.utility_room")
    assert (result.success, result.error_type) == (False, "not_confirmed")
    assert "did not react" in (result.error or "")
    (target,) = result.result["targets"]
    assert (target["before"], target["after"], target["confirmed"]) == ("off", "off", False)


async def test_an_assumed_state_is_sent_and_cannot_be_verified(control):
    result = await control(action="turn_on", entity_id="light.terrace")
    assert result.success, result.error
    (target,) = result.result["targets"]
    assert (target["confirmed"], target["outcome"]) == (None, "sent")
    assert "cannot be verified" in target["note"]


async def test_a_slow_device_is_waited_for(control):
    result = await control(action="turn_off", entity_id="light.study")
    (target,) = result.result["targets"]
    assert (target["before"], target["after"], target["confirmed"]) == ("on", "off", True)


async def test_a_partial_failure_says_which_part(control, called):
    result = await control(action="turn_on", entity_id=["light.bedroom", "light.bathroom", "light.utility_room"])
    assert (result.success, result.error_type) == (False, "partly_done")
    assert "1 of 3 done" in (result.error or "")
    assert "Bathroom light" in (result.error or "")
    assert "Utility room light" in (result.error or "")
    told = {t["entity_id"]: t["outcome"] for t in result.result["targets"]}
    assert told == {"light.bedroom": "done", "light.bathroom": "not_called", "light.utility_room": "no_reaction"}


async def test_a_refusal_of_home_assistant_is_told_in_its_words(control):
    result = await control(action="lock", entity_id="lock.back_door", parameters={"code": "9876"})
    assert (result.success, result.error_type) == (False, "service_call_failed")
    assert "9876" not in (result.error or "")


async def test_two_calls_on_one_entity_do_not_mix(control, demo):
    await asyncio.gather(*(control(action="toggle", entity_id="light.bedroom") for _ in range(4)))
    await asyncio.sleep(0.1)
    assert demo.state("light.bedroom")["state"] == "off"


async def test_two_steps_at_once_both_count(control, demo):
    step = {"action": "set_value", "entity_id": "climate.bedroom", "parameters": {"temperature_step": 1}}
    await asyncio.gather(control(**step), control(**step))
    await asyncio.sleep(0.1)
    assert demo.state("climate.bedroom")["attributes"]["temperature"] == 21


async def test_services_of_homeassistant_are_denied(control, called):
    result = await control(action="homeassistant.restart", entity_id="light.hall")
    assert result.error_type == "denied"
    assert called() == []
