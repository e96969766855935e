"""Which nicknames hold: none that something in the home is really called, and none for a way into it."""

from __future__ import annotations

import pytest

from homeagent.ha.home import Home, HomeConfig
from homeagent.remembering.held_names import HeldNames, NoName
from indexer.entity import Area, Entity, Floor

ATTIC = Floor("attic", "Attic", ("Top floor",))
STUDY = Area("study", "Study", ("Den",), floor_id="attic")
DESK = Entity("light.desk", "Desk lamp", ("Glow",), STUDY, ATTIC, device_name="Hue bulb 7")
DOOR = Entity("lock.door", "Front door")
ALARM = Entity("alarm_control_panel.alarm", "Alarm")
GATE = Entity("switch.relay", "Gate pulse")
HIDDEN = Entity("light.hidden", "Secret lamp", exposed=False)


def held(*entities: Entity) -> HeldNames:
    home = Home()
    home.replace(
        config=HomeConfig(),
        areas=[STUDY],
        floors=[ATTIC],
        device_areas={},
        entities=[DESK, DOOR, ALARM, GATE, HIDDEN, *entities],
        states=[],
    )
    return HeldNames(home)


@pytest.mark.parametrize(
    ("nickname", "refusal"),
    [
        ("sparkle", None),
        ("lamp", None),
        ("desk lamp two", None),
        ("secret lamp", None),
        ("Desk lamp", NoName.TAKEN),
        ("DESK  LAMP", NoName.TAKEN),
        ("glow", NoName.TAKEN),
        ("hue bulb 7", NoName.TAKEN),
        ("study desk lamp", NoName.TAKEN),
        ("study glow", NoName.TAKEN),
        ("study", NoName.TAKEN),
        ("den", NoName.TAKEN),
        ("attic", NoName.TAKEN),
        ("top floor", NoName.TAKEN),
        ("front door", NoName.TAKEN),
        ("the burglar alarm", NoName.KIND),
        ("everything", NoName.KIND),
        ("lights", NoName.KIND),
    ],
)
def test_what_something_is_really_called_is_no_nickname(nickname, refusal):
    names = held()
    assert names.refusal(nickname, ["light.desk"]) is refusal
    assert names.refusal(nickname, ["light.desk"]) is refusal  # and so the second time


@pytest.mark.parametrize(
    ("entity_ids", "refusal"),
    [
        (["lock.door"], NoName.WAY_IN),
        (["alarm_control_panel.alarm"], NoName.WAY_IN),
        (["switch.relay"], NoName.WAY_IN),
        (["light.desk", "lock.door"], NoName.WAY_IN),
        (["light.gone", "switch.relay"], NoName.WAY_IN),
        (["light.desk"], None),
        (["light.gone"], None),
        ([], None),
    ],
)
def test_a_way_in_has_no_nickname(entity_ids, refusal):
    assert held().refusal("sparkle", entity_ids) is refusal


def test_a_room_that_is_called_as_a_gate_makes_no_gate_harmless():
    gate = Area("gate", "Gate")
    relay, lamp = Entity("switch.gate", "Gate", area=gate), Entity("light.post", "Post lamp", area=gate)
    home = Home()
    home.replace(config=HomeConfig(), areas=[gate], floors=[], device_areas={}, entities=[relay, lamp], states=[])
    assert HeldNames(home).refusal("sparkle", ["switch.gate"]) is NoName.WAY_IN
    assert HeldNames(home).refusal("sparkle", ["light.post"]) is None


@pytest.mark.parametrize(("name", "refusal"), [("Study", None), ("Fan room", NoName.WAY_IN)])
def test_a_cover_that_is_called_as_its_room_is_a_blind_and_any_other_may_be_a_way_in(name, refusal):
    assert held(Entity("cover.x", name, area=STUDY)).refusal("sparkle", ["cover.x"]) is refusal


def test_another_judge_of_ways_in_decides_alone():
    home = Home()
    home.replace(config=HomeConfig(), areas=[], floors=[], device_areas={}, entities=[DESK, DOOR], states=[])
    names = HeldNames(home, lambda entity: entity.domain == "light")
    assert names.refusal("sparkle", ["light.desk"]) is NoName.WAY_IN
    assert names.refusal("sparkle", ["lock.door"]) is None


def test_of_the_nicknames_in_a_sentence_those_hold_that_are_nobodys_name():
    said = {
        "sparkle": ["light.desk"],
        "großes licht": ["light.desk", "light.gone"],
        "glow": ["light.gone"],
        "portal": ["lock.door"],
        "moon": ["light.desk"],
    }
    text = "turn on the sparkle, the Grosses Licht, the glow and the portal"
    assert held().that_hold(said, text) == {"sparkle": ("light.desk",), "großes licht": ("light.desk", "light.gone")}
