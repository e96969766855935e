"""What a script may do is read to the last word: each call with its things and data, or it cannot be told."""

from __future__ import annotations

from typing import Any

import pytest

from homeagent.targets.scripts import Unreadable, script_actions
from indexer.entity import Area, Entity, Floor
from tests.policy.house import House

HALL, GROUND = Area("hall", "Hall", (), "ground"), Floor("ground", "Ground floor", (), 0)
DOOR = Entity("lock.door", "Door", area=HALL, floor=GROUND, device_id="d1", label_ids=("night",))
LAMP = Entity("light.lamp", "Lamp", area=HALL, floor=GROUND, device_id="d2", label_ids=("night", "warm"))
SHED = Entity("lock.shed", "Shed", exposed=False)
COME = Entity("script.come", "Come in")
OLD = Entity("scene.old", "Old scene")
HOME = House(DOOR, LAMP, SHED, COME, OLD).home
SCENE = ("scene", "turn_on", "turn_on", ["scene.old"], {})
BOTH = ("lock", "unlock", "unlock", ["lock.door", "lock.shed"], {})
NONE = ("lock", "unlock", "unlock", [], {})

UNLOCK: dict[str, Any] = {"action": "lock.unlock", "target": {"entity_id": "lock.door"}}
UNLOCKED = ("lock", "unlock", "unlock", ["lock.door"], {})
LIT = ("light", "turn_on", "turn_on", ["light.lamp"], {})
MADE: dict[str, Any] = {
    "action": "scene.create",
    "data": {"scene_id": "made", "entities": {"lock.door": "unlocked"}, "snapshot_entities": "lock.shed"},
}
SET = ("scene", "apply", "apply", ["lock.door", "lock.shed"], {**MADE["data"]})


def started(*scenes: str, **more: Any) -> dict[str, Any]:
    return {"action": "scene.turn_on", "target": {"entity_id": list(scenes), **more}}


def read(config: Any) -> list[tuple[Any, ...]]:
    found = script_actions(config, HOME)
    return [(d.domain, d.service, d.action, [e.entity_id for e in d.entities], dict(d.data)) for d in found]


@pytest.mark.parametrize(
    ("steps", "told"),
    [
        # Where a step says its service, its things and its data.
        (
            [{"service": "lock.unlock", "data": {"entity_id": "lock.door", "code": "1"}}],
            [(*UNLOCKED[:4], {"code": "1"})],
        ),
        ([{"service": "lock.unlock", "entity_id": "lock.door"}], [UNLOCKED]),
        ([{"service": "lock.unlock", "area_id": "hall"}], [UNLOCKED]),
        ([{"service": "lock.lock", **UNLOCK}], [UNLOCKED]),
        (
            [{**UNLOCK, "data": {"code": "1", "a": 1}, "data_template": {"code": "2"}}],
            [(*UNLOCKED[:4], {"code": "2", "a": 1})],
        ),
        ([{**UNLOCK, "data": {"entity_id": "light.lamp"}}], [UNLOCKED]),
        ([{**UNLOCK, "data": None, "enabled": True}], [UNLOCKED]),
        ([{**UNLOCK, "enabled": None}], [UNLOCKED]),
        ([{"action": "lock.unlock", "target": {"entity_id": "lock.door, lock.shed"}}], [BOTH]),
        ([{"action": "lock.unlock", "target": {"entity_id": "none"}}], [NONE]),
        ([{"action": "lock.unlock", "target": {"entity_id": ["none", "lock.door"]}}], [UNLOCKED]),
        ([{"action": "lock.unlock", "target": {"entity_id": "all"}}], [BOTH]),
        # Places reach what is of the domain.
        ([{"action": "lock.unlock", "target": {"area_id": "hall"}}], [UNLOCKED]),
        ([{"action": "lock.unlock", "target": {"floor_id": "ground"}}], [UNLOCKED]),
        ([{"action": "lock.unlock", "target": {"device_id": ["d2", "d1"]}}], [UNLOCKED]),
        ([{"action": "lock.unlock", "target": {"label_id": "night"}}], [UNLOCKED]),
        ([{"action": "lock.unlock", "target": {"label_id": "warm"}}], [NONE]),
        (
            [{"action": "homeassistant.turn_on", "target": {"area_id": "hall"}, "data": {"x": 1}}],
            [("lock", "turn_on", "turn_on", ["lock.door"], {"x": 1}), (*LIT[:4], {"x": 1})],
        ),
        (
            [{"action": "homeassistant.toggle", "entity_id": "light.lamp"}],
            [("light", "toggle", "toggle", ["light.lamp"], {})],
        ),
        (
            [{"action": "homeassistant.restart", "data": {"safe_mode": True}}],
            [("homeassistant", "restart", "restart", [], {"safe_mode": True})],
        ),
        # Scenes and scripts that are called as such.
        ([{"scene": "scene.old"}], [SCENE]),
        ([{"action": "script.come"}], [("script", "turn_on", "turn_on", ["script.come"], {})]),
        (
            [{"action": "script.come", "data": {"who": "me"}}],
            [("script", "turn_on", "turn_on", ["script.come"], {"variables": {"who": "me"}})],
        ),
        (
            [{"action": "script.turn_off", "target": {"entity_id": "script.come"}}],
            [("script", "turn_off", "turn_off", ["script.come"], {})],
        ),
        (
            [{"action": "script.turn_on", "target": {"entity_id": "script.come"}}],
            [("script", "turn_on", "turn_on", ["script.come"], {})],
        ),
        (
            [{"action": "script.toggle", "target": {"entity_id": "script.come"}}],
            [("script", "toggle", "toggle", ["script.come"], {})],
        ),
        ([{"action": "script.reload"}], [("script", "reload", "reload", [], {})]),
        ([{"action": "scene.apply", "data": MADE["data"]}], [SET]),
        # A scene that was made is judged where it is made; one that is there, or is not yet made, where it is started.
        ([MADE, started("scene.made")], [SET]),
        (
            [{**MADE, "service": "lock.lock"}, {"service": "scene.turn_on", "target": {"entity_id": "scene.made"}}],
            [SET],
        ),
        ([{"service": "scene.create", "data": MADE["data"]}, started("scene.made")], [SET]),
        (
            [MADE, {"action": "scene.turn_on", "data": {"entity_id": "scene.old"}}],
            [SET, SCENE],
        ),
        (
            [{"action": "scene.create", "data": {"scene_id": "old"}}, started("scene.old")],
            [
                ("scene", "apply", "apply", [], {"scene_id": "old"}),
                SCENE,
            ],
        ),
        # Messages, and what harms nobody.
        (
            [{"action": "notify.phone", "data": {"message": "x"}}],
            [("notify", "phone", "send_message", [], {"message": "x"})],
        ),
        (
            [
                {"action": f"{domain}.x"}
                for domain in ("persistent_notification", "tts", "logbook", "system_log", "weather")
            ],
            [],
        ),
        ([{step: 1} for step in ("delay", "wait_template", "wait_for_trigger", "condition", "and", "or", "not")], []),
        ([{step: 1} for step in ("conditions", "variables", "stop", "set_conversation_response")], []),
        (["{{ is_state('light.lamp', 'on') }}", "{% if x %}on{% endif %}", UNLOCK], [UNLOCKED]),
        ([{**UNLOCK, "enabled": False}, UNLOCK], [UNLOCKED]),
        # Branches, loops, what is done side by side.
        ([{"choose": [{"sequence": [{"delay": 1}]}, {"sequence": UNLOCK}]}], [UNLOCKED]),
        ([{"choose": {"sequence": UNLOCK}}], [UNLOCKED]),
        ([{"choose": [], "default": UNLOCK}], [UNLOCKED]),
        ([{"if": "{{ x }}", "then": UNLOCK}], [UNLOCKED]),
        ([{"if": "{{ x }}", "then": {"delay": 1}, "else": [UNLOCK]}], [UNLOCKED]),
        ([{"repeat": {"while": [], "sequence": UNLOCK}}], [UNLOCKED]),
        ([{"parallel": [{"delay": 1}, UNLOCK]}], [UNLOCKED]),
        ([{"sequence": [{"sequence": [UNLOCK]}]}], [UNLOCKED]),
        (
            [{"choose": []}, {"if": [], "then": []}, {"repeat": {}}, {"parallel": []}, {"sequence": []}, UNLOCK],
            [UNLOCKED],
        ),
    ],
)
def test_each_call_is_told_with_its_things_and_data(steps: Any, told: Any) -> None:
    for name in ("sequence", "actions", "action"):
        assert read({name: steps}) == told


@pytest.mark.parametrize(
    ("steps", "why"),
    [
        ([{"action": None}], "a step that is not a service call"),
        ([{"action": 7}], "a service that is only known when it runs"),
        ([{"action": "lock.{{ x }}"}], "a service that is only known when it runs"),
        ([{"action": "unlock"}], "a service that is only known when it runs"),
        ([{**UNLOCK, "data": "{{ x }}"}], "data that is only known when it runs"),
        ([{**UNLOCK, "data_template": "{{ x }}"}], "data that is only known when it runs"),
        ([{**UNLOCK, "target": "{{ x }}"}], "data that is only known when it runs"),
        ([{"action": "lock.unlock", "target": {"entity_id": "{{ x }}"}}], "a target that is only known when it runs"),
        ([{"action": "lock.unlock", "target": {"area_id": "{{ x }}"}}], "a target that is only known when it runs"),
        ([{"scene": "scene.{{ x }}"}], "a target that is only known when it runs"),
        (
            [{"action": "scene.apply", "data": {"entities": {"lock.{{ x }}": "unlocked"}}}],
            "a target that is only known when it runs",
        ),
        ([{"scene": "scene.gone"}], "scene.gone, which I cannot find"),
        ([{"action": "script.gone"}], "script.gone, which I cannot find"),
        ([{"action": "lock.unlock", "target": {"entity_id": "lock.gone"}}], "lock.gone, which I cannot find"),
        ([{"action": "lock.unlock", "target": {"area_id": ["hall", "attic"]}}], "attic, where I know nothing"),
        ([{"action": "lock.unlock", "target": {"device_id": "hall"}}], "hall, where I know nothing"),
        ([{"action": "shell_command.open", "data": {"a": 1}}], "the service shell_command.open"),
        ([{"action": "scene.apply", "data": {"entities": "{{ x }}"}}], "data that is only known when it runs"),
        ([{"choose": ["nonsense"]}], "a step that I do not know"),
        ([{"choose": [{"sequence": [{"event": "x"}]}]}], "a step that is not a service call"),
        ([{"repeat": {"sequence": ["{ x }"]}}], "a step that I do not know"),
        ([MADE, started("scene.made", area_id="attic")], "scene.made, which I cannot find"),
        ([MADE, started("scene.made", "scene.other")], "scene.made, which I cannot find"),
        ([started("scene.made"), MADE], "scene.made, which I cannot find"),
        ([{**MADE, "data": "{{ x }}"}, started("scene.made")], "data that is only known when it runs"),
        ([{**MADE, "action": "scene.apply"}, started("scene.made")], "scene.made, which I cannot find"),
    ],
)
def test_what_cannot_be_told_is_said(steps: Any, why: str) -> None:
    with pytest.raises(Unreadable) as told:
        script_actions({"sequence": steps}, HOME)
    assert str(told.value) == why


def test_without_steps_nothing_is_told() -> None:
    with pytest.raises(Unreadable, match="steps that I cannot see"):
        script_actions({"use_blueprint": {"path": "gone.yaml"}}, HOME)


def test_an_empty_start_of_scenes_stays_a_call() -> None:
    assert read({"sequence": [started()]}) == [("scene", "turn_on", "turn_on", [], {})]
