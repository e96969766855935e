"""What is embedded of an entity: enough to find it by, and nothing that changes by itself."""

from __future__ import annotations

import dataclasses

from indexer.describe import describe, text_hash
from tests.indexer.index_helpers import BEDROOM, entity

LAMP = entity(
    "light.reading",
    "Reading Lamp",
    BEDROOM,
    aliases=("book light",),
    device_name="Hue Go",
    labels=("night", "cosy"),
)


def test_name_place_aliases_device_and_labels_are_in_it() -> None:
    text = describe(LAMP)
    for part in ("Reading Lamp", "Bedroom", "Upstairs", "book light", "Hue Go", "night", "cosy", "light"):
        assert part in text


def test_it_is_stable_and_changes_with_what_it_says() -> None:
    same = dataclasses.replace(LAMP, labels=("cosy", "night"))
    assert describe(LAMP) == describe(same)
    for change in ({"name": "Lamp"}, {"area": None}, {"aliases": ()}, {"device_class": "x"}, {"floor": None}):
        assert describe(dataclasses.replace(LAMP, **change)) != describe(LAMP)


def test_a_class_brings_everyday_words() -> None:
    assert "thermostat" in describe(entity("climate.x", "Bedroom"))
    assert "how hot" in describe(entity("sensor.x", "Outside", device_class="temperature"))


def test_hashes_tell_texts_apart() -> None:
    assert len(text_hash("a")) == 64
    assert text_hash("a") != text_hash("b")
