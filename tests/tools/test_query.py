"""What is told of the home, now and in its history."""

from datetime import UTC, datetime, timedelta

import pytest


def line(result):
    assert result.success, result.error
    (found,) = result.result.get("entities") or result.result["history"]
    return found


async def test_a_state_comes_with_unit_age_and_area(query):
    found = line(await query(entity_id="sensor.living_room_temperature"))
    assert (found["state"], found["unit"], found["area"]) == ("21.5", "°C", "Living room")
    assert found["age"]
    assert found["last_changed"].endswith(("+01:00", "+02:00"))


async def test_unavailable_is_said_and_is_not_off(query):
    found = line(await query(entity_id="light.bathroom"))
    assert found["state"] == "unavailable"
    assert "not known" in found["note"]


async def test_an_old_reading_is_flagged(query, demo, home_assistant):
    state = home_assistant.home.state("sensor.power")
    from dataclasses import replace

    old = datetime.now(UTC) - timedelta(days=3)
    home_assistant.home.put_states([replace(state, last_changed=old, last_updated=old)])
    found = line(await query(entity_id="sensor.power"))
    assert found["age"] == "3 d"
    assert "old reading" in found["note"]


async def test_a_wildcard_leaves_out_what_is_not_exposed(query):
    result = await query(entity_id="switch.*")
    ids = {e["entity_id"] for e in result.result["entities"]}
    assert "switch.coffee_machine" in ids
    assert not ids & {"switch.server_rack", "switch.internal_relay"}


async def test_the_set_can_be_narrowed_by_state_and_is_counted(query):
    result = await query(domain="light", state="on")
    assert {e["state"] for e in result.result["entities"]} == {"on"}
    assert result.result["total"] == len(result.result["entities"])
    assert result.result["by_state"]["unavailable"] == 1


async def test_a_long_list_is_capped_with_the_total_and_how_to_narrow(query):
    result = await query(entity_id="*e*")
    assert len(result.result["entities"]) == 40
    assert result.result["total"] > 40
    assert "area" in result.result["narrow"]


async def test_attributes_that_were_asked_for(query):
    found = line(await query(entity_id="climate.bedroom", attributes=["temperature", "current_temperature"]))
    assert found["attributes"] == {"temperature": 19.0, "current_temperature": 18.4}


async def test_an_attribute_that_does_not_exist_is_an_error_that_names_those_that_do(query):
    result = await query(entity_id="climate.bedroom", attributes="colour")
    assert result.error_type == "invalid_parameters"
    assert "hvac_modes" in result.error


async def test_brightness_is_told_in_percent_too(query):
    assert line(await query(entity_id="light.living_room_ceiling"))["attributes"]["brightness_pct"] == 50


async def test_keys_in_attributes_are_never_told(query):
    found = line(await query(entity_id="camera.front_door", attributes="*"))
    assert "access_token" not in str(found)


@pytest.mark.parametrize("entity_id", ["sensor.nothing", "light.livingroom_couch"])
async def test_an_unknown_entity_is_an_error_with_the_nearest(query, entity_id):
    for history in (None, {"duration": "24h"}):
        result = await query(entity_id=entity_id, history=history)
        assert result.error_type == "unknown_target"
        assert "Did you mean" in result.error


async def test_an_unexposed_entity_is_refused(query):
    assert (await query(entity_id="switch.server_rack")).error_type == "not_exposed"
    assert (await query(entity_id="sun.sun", history="1h")).error_type == "not_exposed"


async def test_the_items_of_a_list(query):
    found = line(await query(entity_id="todo.shopping_list"))
    assert found["items"] == ["milk", "coffee beans"]
    assert found["completed_items"] == ["bread"]


async def test_a_forecast(query):
    found = line(await query(entity_id="weather.home", forecast="daily"))
    assert [day["condition"] for day in found["forecast"]] == ["cloudy", "rainy", "sunny"]
    assert found["units"]["temperature"] == "°C"


async def test_calendar_events(query):
    found = line(await query(entity_id="calendar.family", events={"duration": "7d"}))
    assert "Dentist" in [event["summary"] for event in found["events"]]


# --- history


def past(hours: float) -> datetime:
    return datetime.now(UTC) - timedelta(hours=hours)


async def test_an_average_is_weighted_by_time(query, demo):
    demo.put_history("sensor.study_co2", [(past(30), "400"), (past(6), "1000")])
    found = line(await query(entity_id="sensor.study_co2", history={"duration": "24h", "aggregate": "avg"}))
    assert found["value"] == pytest.approx((400 * 18 + 1000 * 6) / 24, abs=15)
    assert found["unit"] == "ppm"


async def test_unavailable_stretches_are_gaps(query, demo):
    demo.put_history("sensor.study_co2", [(past(8), "400"), (past(6), "unavailable"), (past(2), "800")])
    found = line(await query(entity_id="sensor.study_co2", history={"duration": "8h", "aggregate": "avg"}))
    assert found["value"] == pytest.approx(600, abs=10)
    assert "4 h" in found["gaps"]


@pytest.mark.parametrize(("aggregate", "value"), [("min", 400), ("max", 1000), ("count", 2), ("sum", 1500)])
async def test_other_aggregates(query, demo, aggregate, value):
    demo.put_history("sensor.study_co2", [(past(30), "400"), (past(6), "1000"), (past(3), "500")])
    history = {"from": past(20).isoformat(), "to": past(1).isoformat(), "aggregate": aggregate}
    found = line(await query(entity_id="sensor.study_co2", history=history))
    assert found["value"] == value


async def test_a_meter_tells_what_it_counted(query, demo):
    demo.put_history("sensor.energy_today", [(past(20), "5.0"), (past(10), "7.5"), (past(5), "0"), (past(2), "1.5")])
    history = {"from": past(19).isoformat(), "to": past(1).isoformat(), "aggregate": "sum"}
    found = line(await query(entity_id="sensor.energy_today", history=history))
    assert found["value"] == pytest.approx(4.0)
    assert "meter" in found["meaning"]


async def test_text_states_have_time_and_count(query, demo):
    demo.put_history(
        "cover.garage_door",
        [(past(30), "closed"), (past(5), "open"), (past(4), "closed"), (past(3), "open"), (past(2.5), "closed")],
    )
    found = line(await query(entity_id="cover.garage_door", history={"duration": "24h", "aggregate": "count"}))
    assert found["states"]["open"]["count"] == 2
    assert found["states"]["open"]["seconds"] == pytest.approx(1.5 * 3600, abs=5)
    assert found["at_start"] == "closed"


async def test_without_an_aggregate_the_change_points(query, demo):
    demo.put_history("binary_sensor.front_door", [(past(30), "off"), (past(5), "on"), (past(4), "off")])
    found = line(await query(entity_id="binary_sensor.front_door", history={"duration": "24h"}))
    assert [change["state"] for change in found["changes"]][:2] == ["on", "off"]
    assert found["changes"][0]["for"] == "1 h"
    assert (
        datetime.fromisoformat(found["changes"][0]["at"]) == past(5).replace(microsecond=0) or found["changes"][0]["at"]
    )


async def test_long_ranges_use_statistics(query):
    history = {"duration": "30d", "aggregate": "max"}
    found = line(await query(entity_id="sensor.living_room_temperature", history=history))
    assert found["source"] == "long-term statistics"
    assert found["value"] == pytest.approx(22.1, abs=0.2)


async def test_today_begins_at_midnight_of_the_home(query):
    result = await query(entity_id="cover.garage_door", history="today")
    assert "T00:00:00" in result.result["from"]
    assert result.result["from"].endswith(("+01:00", "+02:00"))


@pytest.mark.parametrize(
    ("history", "kind"),
    [
        ({"duration": "soon"}, "invalid_parameters"),
        ({"duration": "1h", "aggregate": "median"}, "invalid_parameters"),
        ({"from": "2999-01-01"}, "invalid_parameters"),
        ({}, "invalid_parameters"),
        ({"duration": 5}, "invalid_parameters"),
    ],
)
async def test_a_range_without_data_or_sense_is_an_error_and_no_number(query, history, kind):
    result = await query(entity_id="sensor.power", history=history)
    assert (result.success, result.error_type) == (False, kind)
    assert result.result is None


async def test_the_history_of_an_unavailable_thing_is_no_number(query):
    result = await query(entity_id="light.bathroom", history={"duration": "1h", "aggregate": "avg"})
    assert result.error_type == "not_found"


async def test_too_many_histories_at_once_are_refused(query):
    result = await query(entity_id="light.*", history="24h")
    assert result.error_type == "invalid_parameters"
    assert "Narrow" in result.error
