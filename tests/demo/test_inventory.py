"""Reading homes: the public format, our additions, and what is wrong with a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from homeagent.demo.generate import generate
from homeagent.demo.inventory import Inventory, InventoryError, load_inventory, parse_inventory


def entity(**fields):
    return parse_inventory({"entities": [fields]}).entities[0]


def test_the_public_formats_words_become_home_assistants() -> None:
    sensor = entity(
        id="sensor.heat",
        name="Heat",
        attributes={
            "native_value": 22,
            "native_unit_of_measurement": "°C",
            "device_class": "sensor.SensorDeviceClass.TEMPERATURE",
        },
    )
    assert sensor.state == "22"
    assert sensor.attributes == {"unit_of_measurement": "°C", "device_class": "temperature"}


def test_a_thermostats_mode_is_its_state_and_features_are_named() -> None:
    thermostat = entity(
        id="climate.hall",
        attributes={
            "hvac_mode": "cool",
            "target_temperature": 22,
            "supported_features": ["climate.ClimateEntityFeature.FAN_MODE", "TURN_ON"],
        },
    )
    assert thermostat.state == "cool"
    assert thermostat.attributes["temperature"] == 22
    assert thermostat.attributes["supported_features"] == 8 + 256


@pytest.mark.parametrize(
    ("entity_id", "given", "state"),
    [
        ("binary_sensor.a", True, "on"),
        ("switch.a", False, "off"),
        ("cover.a", False, "closed"),
        ("lock.a", True, "locked"),
        ("sensor.a", 3, "3"),
    ],
)
def test_true_and_false_are_words_of_the_domain(entity_id: str, given: object, state: str) -> None:
    assert entity(id=entity_id, state=given).state == state


def test_a_light_that_has_a_brightness_and_no_state_is_on() -> None:
    assert entity(id="light.a", attributes={"supported_color_modes": ["brightness"], "brightness": 100}).state == "on"


def test_floors_of_the_public_format_are_names_on_areas() -> None:
    home = parse_inventory({"areas": [{"name": "Kitchen", "floor": "Ground"}, {"name": "Hall", "floor": "Ground"}]})
    assert [(floor.id, floor.name) for floor in home.floors] == [("ground", "Ground")]
    assert {area.floor for area in home.areas} == {"ground"}


def test_names_of_other_scripts_get_ids_of_their_own() -> None:
    home = parse_inventory({"areas": [{"name": "거실"}, {"name": "부엌"}, {"name": "Küche"}]})
    ids = [area.id for area in home.areas]
    assert len(set(ids)) == 3
    assert ids[2] == "kuche"
    assert all(area_id.isascii() for area_id in ids)


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        ({"entities": [{"id": "light.a"}, {"id": "light.a"}]}, "light.a is listed twice"),
        ({"entities": [{"id": "light.a", "area": "moon"}]}, "light.a is in the area 'moon'"),
        ({"entities": [{"id": "light.a", "device": "x"}]}, "belongs to the device 'x'"),
        ({"entities": [{"id": "lamp"}]}, "'lamp' is no entity id"),
        ({"entities": [{"id": "fan.a", "attributes": {"supported_features": ["FLY"]}}]}, "fan has no feature FLY"),
        ({"entities": [{"id": "fan.a", "x-behavior": {"sulks": True}}]}, "sulks"),
        ([], "an inventory is a mapping"),
    ],
)
def test_what_cannot_be_is_named(raw, words: str) -> None:
    with pytest.raises(InventoryError, match=words):
        parse_inventory(raw)


def test_a_broken_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "home.yaml"
    path.write_text("areas: [")
    with pytest.raises(InventoryError, match=r"home\.yaml"):
        load_inventory(path)


def test_the_demo_home_has_the_odd_things(demo_inventory: Inventory) -> None:
    entities = demo_inventory.entities
    assert len({spec.domain for spec in entities}) > 30
    names = [spec.name for spec in entities]
    assert any(names.count(name) > 1 for name in names)
    assert any(spec.hidden for spec in entities)
    assert {spec.category for spec in entities} == {None, "config", "diagnostic"}
    assert any(spec.state == "unavailable" for spec in entities)
    assert any(spec.attributes.get("assumed_state") for spec in entities)
    assert any(not (spec.name or "").isascii() for spec in entities)


@pytest.mark.parametrize("size", [1, 50, 500, 5000])
def test_a_generated_home_has_the_size_and_is_the_same_each_time(size: int) -> None:
    home = generate(size)
    assert len(home.entities) == size
    assert home == generate(size)
    assert size < 50 or len({spec.domain for spec in home.entities}) > 5


def test_what_yaml_takes_for_a_date_is_a_text(tmp_path: Path) -> None:
    home = tmp_path / "home.yaml"
    home.write_text("entities:\n- {id: sensor.bins, name: Bins, state: 2026-11-29, attributes: {next: [2026-12-06]}}\n")
    sensor = load_inventory(home).entities[0]
    assert (sensor.state, sensor.attributes["next"]) == ("2026-11-29", ["2026-12-06"])
