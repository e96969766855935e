"""What asks for a yes, through the whole app on a real Home Assistant: sentences in, the home's states out.

Locks, alarms, scenes, scripts, automations, relays and groups; what changes between the question and the yes; what a
sweeping order leaves alone; and what the policy and the audit log tell of all that.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx
import pytest
import pytest_asyncio

from homeagent.app import App
from homeagent.client.asgi_transport import StreamingAsgiTransport
from homeagent.demo.inventory import parse_inventory
from homeagent.errors import Refused
from homeagent.service.api import create_api
from homeagent.turns.reply import Reply
from tests.contract.houses import eventually
from tests.e2e import real

pytestmark = pytest.mark.asyncio(loop_scope="module")

TOKEN = "service-token"
ONOFF = {"supported_color_modes": ["onoff"]}
FRONT, BACK, PORCH, HALL = "lock.front_door", "lock.back_door", "light.porch", "light.hall"
ALARM, MAGLOCK, GATE = "alarm_control_panel.home", "switch.hall_maglock", "switch.gate_pulse"
HOME: dict[str, Any] = {
    "areas": [{"id": "hall", "name": "Hall"}, {"id": "porch", "name": "Porch"}],
    "devices": [{"id": "fountain", "name": "Fountain"}],
    "entities": [
        {"id": FRONT, "name": "Front door", "state": "locked", "area": "porch"},
        {"id": BACK, "name": "Back door", "state": "locked", "area": "porch"},
        {"id": PORCH, "name": "Porch lamp", "state": "off", "area": "porch", "attributes": ONOFF},
        {"id": HALL, "name": "Hall lamp", "state": "on", "area": "hall", "attributes": ONOFF},
        {"id": MAGLOCK, "name": "Hall maglock", "state": "on", "area": "hall"},
        {"id": GATE, "name": "Gate pulse", "state": "off"},
        {"id": "switch.fountain", "name": "Fountain", "state": "off", "device": "fountain"},
        {"id": "light.path", "name": "Path lamp", "state": "off", "attributes": ONOFF},
        {"id": "light.tree", "name": "Tree lamp", "state": "off", "attributes": ONOFF},
        {"id": "light.garden_lights", "name": "Garden lights", "state": "off", "attributes": ONOFF,
         "x-members": ["light.path", "light.tree"]},
        {"id": "group.locks", "name": "Locks", "x-members": [FRONT, BACK], "state": "locked", "x-registered": False},
        {"id": ALARM, "name": "Alarm", "state": "disarmed", "area": "hall",
         "attributes": {"supported_features": ["ARM_HOME", "ARM_AWAY", "ARM_NIGHT"]}},
        {"id": "scene.dusk", "name": "Dusk", "state": "unknown"},
    ],
}  # fmt: skip
START = {FRONT: "locked", BACK: "locked", PORCH: "off", HALL: "on", MAGLOCK: "on", GATE: "off", ALARM: "disarmed"}


def lock_step(service: str, entity_id: str) -> dict[str, Any]:
    return {"action": f"lock.{service}", "target": {"entity_id": entity_id}}


LAMP_ON = {"action": "light.turn_on", "target": {"entity_id": PORCH}}
COME_HOME = {"alias": "Come home", "sequence": [LAMP_ON, lock_step("unlock", FRONT)]}
SCRIPTS: dict[str, dict[str, Any]] = {
    "come_home": COME_HOME,
    "parcel": {"alias": "Parcel", "use_blueprint": {"path": "opener.yaml", "input": {"door": BACK}}},
    "welcome_light": {"alias": "Welcome light", "use_blueprint": {"path": "steps.yaml", "input": {"steps": [LAMP_ON]}}},
    "visitors": {
        "alias": "Visitors",
        "use_blueprint": {"path": "steps.yaml", "input": {"steps": [lock_step("unlock", FRONT)]}},
    },
    "surprise": {
        "alias": "Surprise",
        "sequence": [
            {
                "action": "homeassistant.turn_on",
                "target": {"entity_id": "{{ 'light.' ~ 'tree' }}"},
            }
        ],
    },
}
HIDDEN: dict[str, dict[str, Any]] = {
    "otter": {"action": "script.turn_on", "target": {"entity_id": "script.come_home"}},
    "heron": {"choose": [{"conditions": "{{ false }}", "sequence": [lock_step("unlock", BACK)]}]},
    "falcon": {"action": "lock.unlock", "target": {"area_id": "porch"}},
    "beaver": {"action": "automation.trigger", "target": {"entity_id": "automation.delivery"}},
    "marten": {"action": "automation.turn_off", "target": {"entity_id": "automation.greeting"}},
    "weasel": {"action": "scene.apply", "data": {"entities": {ALARM: "disarmed"}}},
    "lynx": {"action": "scene.turn_on", "target": {"entity_id": "scene.siesta"}},
    "stoat": {"service": "lock.unlock", "entity_id": BACK},  # as it was written before 2020
}
"""One step each, of a script that is called so."""
BLUEPRINTS = {
    "opener": """
blueprint: {name: Opener, domain: script, input: {door: {name: Door, selector: {entity: {}}}}}
sequence:
  - action: lock.unlock
    target: {entity_id: !input door}
""",
    "steps": """
blueprint: {name: Steps, domain: script, input: {steps: {name: Steps, selector: {action: {}}}}}
sequence: !input steps
""",
}
AUTOMATIONS: dict[str, dict[str, Any]] = {
    "delivery": {  # as they were written before 2024.10
        "alias": "Delivery",
        "trigger": [{"platform": "event", "event_type": "never"}],
        "action": [{"service": "lock.unlock", "target": {"entity_id": BACK}}],
    },
    "greeting": {
        "alias": "Greeting",
        "triggers": [{"trigger": "event", "event_type": "never"}],
        "actions": [LAMP_ON],
    },
}
SCENES: dict[str, dict[str, Any]] = {
    "1700000000001": {
        "name": "Party",
        "entities": {FRONT: {"friendly_name": "Front door", "state": "unlocked"}, PORCH: {"state": "on"}},
    },
    "1700000000002": {"name": "Open house", "entities": {"group.locks": {"state": "unlocked"}}},
}
"""Those of the editor, which writes every state with its attributes."""
EXTRA = f"""
scene by_hand: {json.dumps([{"name": "Arrival", "entities": {"group.locks": "unlocked", PORCH: "on"}}])}
switch outside:
  - {{platform: group, name: Outside plugs, unique_id: outside, entities: [switch.fountain, {GATE}]}}
lock together:
  - {{platform: group, name: Entrances, unique_id: entrances, entities: [{FRONT}, {BACK}]}}
"""
EXPOSED = (
    *(f"script.{key}" for key in (*SCRIPTS, *HIDDEN, "badger", "ferret")), "automation.delivery",
    "automation.greeting", "scene.party", "scene.open_house", "scene.arrival", "scene.siesta", "scene.dusk",
    "group.locks", "light.garden_lights", "switch.outside_plugs", "lock.entrances",
)  # fmt: skip


class House:
    """The home, as its owner sees and changes it."""

    def __init__(self, app: App, http: httpx.AsyncClient) -> None:
        self._app = app
        self._http = http

    async def command(self, kind: str, **fields: Any) -> Any:
        return await self._app.ha._link.socket.command(kind, **fields)

    async def edit(self, domain: str, key: str, config: dict[str, Any]) -> None:
        """Save a script, a scene or an automation as the editor does, and wait until it counts."""
        (await self._http.post(f"/api/config/{domain}/config/{key}", json=config)).raise_for_status()
        await self.service(f"{domain}.reload")

    async def delete(self, domain: str, key: str) -> None:
        (await self._http.delete(f"/api/config/{domain}/config/{key}")).raise_for_status()

    async def expose(self, *entity_ids: str, to: bool = True) -> None:
        await self.command(
            "homeassistant/expose_entity", assistants=["conversation"], entity_ids=list(entity_ids), should_expose=to
        )

    async def service(self, name: str, **data: Any) -> None:
        domain, service = name.split(".")
        await self.command("call_service", domain=domain, service=service, service_data=data)

    async def put(self, entity_id: str, state: str, **values: Any) -> None:
        """A change on the device's side, and wait until the agent has seen it."""
        await self.service("synth_home.push", entity_id=entity_id, values=values)
        await eventually(lambda: self._app.home.state_text(entity_id) == state)

    async def device_action(self) -> dict[str, Any]:
        """A step as the editor makes it of a device."""
        entry = await self.command("config/entity_registry/get", entity_id="switch.fountain")
        return {"domain": "switch", "type": "turn_on", "device_id": entry["device_id"], "entity_id": entry["id"]}

    async def by_registry_id(self) -> dict[str, Any]:
        """A step whose target is the id of a registry entry, which Home Assistant takes as well."""
        entry = await self.command("config/entity_registry/get", entity_id=BACK)
        return lock_step("unlock", entry["id"])

    async def reset(self) -> None:
        await self.service("synth_home.reset")
        await eventually(lambda: all(self._app.home.state_text(i) == state for i, state in START.items()))

    async def states(self, *entity_ids: str) -> list[str]:
        """What Home Assistant says they are now."""
        return [(await self._http.get(f"/api/states/{i}")).json()["state"] for i in entity_ids]

    async def calls(self) -> list[tuple[str, str]]:
        """What reached the devices since the last look."""
        answer = await self._http.post("/api/services/synth_home/calls?return_response", json={"clear": True})
        return [(call["entity_id"], call["action"]) for call in answer.json()["service_response"]["calls"]]


class Person:
    """Somebody who talks to it, in one conversation."""

    def __init__(self, app: App, name: str | None = None, conversation_id: str | None = None) -> None:
        self._app = app
        self.name = name
        self.conversation_id = conversation_id

    async def says(self, text: str) -> Reply:
        reply = await self._app.agent.process(text, conversation_id=self.conversation_id, user_id=self.name)
        self.conversation_id = reply.conversation_id
        return reply

    async def is_asked(self, text: str, *words: str) -> Reply:
        """Say it: it must ask for a yes, with all these words, and wait."""
        reply = await self.says(text)
        assert reply.response.endswith(("Shall I?", "Shall I do it all the same?")), reply.response
        assert reply.question
        assert len(reply.pending) == 1, reply.response
        missing = [word for word in words if word.casefold() not in reply.response.casefold()]
        assert not missing, reply.response
        return reply

    async def is_not_asked(self, text: str) -> Reply:
        reply = await self.says(text)
        assert not reply.pending, reply.response
        assert not reply.question, reply.response
        return reply


@pytest.fixture(scope="module")
def instance(tmp_path_factory: pytest.TempPathFactory) -> Iterator[real.RealHomeAssistant]:
    instance = real.start(parse_inventory(HOME), tmp_path_factory.mktemp("guarded"), EXTRA)
    yield instance
    real.stop(instance, for_good=True)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def app(instance: real.RealHomeAssistant, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[App]:
    async with real.agent_over(instance, tmp_path_factory.mktemp("data")) as app:
        yield app


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def furnished(app: App, instance: real.RealHomeAssistant) -> AsyncIterator[House]:
    """The home with what its owner has made in the editors, all of it exposed."""
    headers = {"Authorization": f"Bearer {instance.token}"}
    async with httpx.AsyncClient(base_url=instance.url, headers=headers, timeout=30) as http:
        house = House(app, http)
        hidden = {key: {"alias": key.title(), "sequence": [step]} for key, step in HIDDEN.items()}
        for path, text in BLUEPRINTS.items():
            await house.command("blueprint/save", domain="script", path=path, yaml=text)
        for domain, configs in (("script", SCRIPTS | hidden), ("automation", AUTOMATIONS), ("scene", SCENES)):
            for key, config in configs.items():
                await house.edit(domain, key, config)
        await house.edit("script", "badger", {"alias": "Badger", "sequence": [await house.device_action()]})
        await house.edit("script", "ferret", {"alias": "Ferret", "sequence": [await house.by_registry_id()]})
        await house.service("scene.create", scene_id="siesta", entities={BACK: "unlocked"})
        await house.expose(*EXPOSED)
        await app.ha.reload()
        assert not [i for i in EXPOSED if not app.home.entity(i)]
        yield house


@pytest_asyncio.fixture(loop_scope="module")
async def house(furnished: House) -> House:
    await furnished.reset()
    return furnished


@pytest.fixture
def person(app: App) -> Person:
    return Person(app)


# --- locks: who says yes, and how


async def test_a_lock_waits_for_a_yes(house: House, person: Person) -> None:
    asked = await person.is_asked("unlock the front door", "Front door")
    assert asked.response == "That unlocks Front door. Shall I?"
    assert await house.states(FRONT) == ["locked"]
    assert await house.calls() == []
    await person.is_not_asked("yes")
    assert await house.states(FRONT, BACK) == ["unlocked", "locked"]
    assert await house.calls() == [(FRONT, "unlock")]


async def test_a_question_back_is_no_yes(house: House, person: Person) -> None:
    await person.is_asked("unlock the front door")
    await person.is_asked("yes?", "Front door")
    assert await house.states(FRONT) == ["locked"]
    await person.is_not_asked("yes")
    assert await house.states(FRONT) == ["unlocked"]


async def test_a_no_leaves_it(house: House, person: Person) -> None:
    await person.is_asked("unlock the front door")
    await person.is_not_asked("no")
    await person.says("yes")
    assert await house.states(FRONT) == ["locked"]


async def test_only_who_was_asked_can_say_yes(app: App, house: House) -> None:
    anna = Person(app, "anna")
    asked = await anna.is_asked("unlock the front door")
    for other in (Person(app, "ben", anna.conversation_id), Person(app, None, anna.conversation_id)):
        await other.says("yes")
        assert await house.states(FRONT) == ["locked"]
    with pytest.raises(Refused):
        await app.agent.confirm(asked.pending[0].id, True, user_id="ben")
    assert await house.calls() == []
    await app.agent.confirm(asked.pending[0].id, True, user_id="anna")
    assert await house.states(FRONT) == ["unlocked"]


async def test_locking_needs_no_yes(house: House, person: Person) -> None:
    await house.put(FRONT, "unlocked", is_locked=False)
    await person.is_not_asked("lock the front door")
    assert await house.states(FRONT) == ["locked"]


@pytest.mark.parametrize("sentence", ["unlock the entrances", "unlock all doors"])
async def test_a_group_of_locks_waits_for_a_yes(house: House, person: Person, sentence: str) -> None:
    await person.is_asked(sentence, "Front door", "Back door")
    assert await house.states(FRONT, BACK) == ["locked", "locked"]
    await person.is_not_asked("yes")
    assert await house.states(FRONT, BACK) == ["unlocked", "unlocked"]


# --- the alarm


async def test_disarming_waits_for_a_yes(house: House, person: Person) -> None:
    await house.put(ALARM, "armed_away", alarm_state="armed_away")
    await person.is_asked("disarm the alarm", "disarms Alarm")
    assert await house.states(ALARM) == ["armed_away"]
    await person.is_not_asked("yes")
    assert await house.states(ALARM) == ["disarmed"]


async def test_arming_less_waits_for_a_yes(house: House, person: Person) -> None:
    await house.put(ALARM, "armed_away", alarm_state="armed_away")
    await person.is_asked("arm the alarm in home mode", "Alarm")
    assert await house.states(ALARM) == ["armed_away"]
    await person.is_not_asked("yes")
    assert await house.states(ALARM) == ["armed_home"]


@pytest.mark.parametrize("before", ["disarmed", "armed_home"])
async def test_arming_more_is_done(house: House, person: Person, before: str) -> None:
    await house.put(ALARM, before, alarm_state=before)
    await person.is_not_asked("arm the alarm in away mode")
    assert await house.states(ALARM) == ["armed_away"]


# --- scenes


@pytest.mark.parametrize(
    ("scene", "opened", "named"),
    [
        ("Arrival", [FRONT, BACK], ["Front door", "Back door"]),  # of the configuration, over group.locks
        ("Open house", [FRONT, BACK], ["Front door", "Back door"]),  # of the editor, over group.locks
        ("Party", [FRONT], ["Front door"]),  # of the editor
        ("Siesta", [BACK], ["Back door"]),  # made by a service call: its configuration is nowhere
    ],
)
async def test_a_scene_that_unlocks_waits_for_a_yes(
    house: House, person: Person, scene: str, opened: list[str], named: list[str]
) -> None:
    tells = f"{scene} unlocks" if scene in ("Open house", "Party") else f"I cannot tell what {scene}"
    asked = await person.is_asked(f"activate {scene}", *named)
    assert tells.casefold() in asked.response.casefold()
    assert "Porch lamp" not in asked.response
    assert await house.calls() == []
    await person.is_not_asked("yes")
    assert await house.states(*opened) == ["unlocked"] * len(opened)
    locks = {entity_id for entity_id, action in await house.calls() if action == "unlock"}
    assert locks == set(opened)


async def test_a_scene_of_a_bridge_cannot_be_told(house: House, person: Person) -> None:
    asked = await person.is_asked("activate dusk")
    assert asked.response == "I cannot tell what Dusk does. Shall I do it all the same?"
    assert await house.calls() == []
    await person.is_not_asked("yes")
    assert await house.calls() == [("scene.dusk", "activate")]


# --- scripts and automations


@pytest.mark.parametrize(
    ("script", "named"),
    [("Come home", "Front door"), ("Parcel", "Back door"), ("Visitors", "Front door")],
)
async def test_a_script_that_unlocks_waits_for_a_yes(house: House, person: Person, script: str, named: str) -> None:
    asked = await person.is_asked(f"run the {script} script")
    assert asked.response == f"{script} unlocks {named}. Shall I?"
    assert await house.calls() == []
    await person.is_not_asked("yes")
    assert (FRONT if named == "Front door" else BACK, "unlock") in await house.calls()


async def test_a_script_that_only_lights_a_lamp_is_run(house: House, person: Person) -> None:
    await person.is_not_asked("run the welcome light script")
    assert await house.states(PORCH) == ["on"]


async def test_a_script_whose_target_is_a_template_cannot_be_told(house: House, person: Person) -> None:
    asked = await person.is_asked("run the surprise script")
    assert asked.response == "I cannot tell what Surprise does. Shall I do it all the same?"
    assert await house.calls() == []
    await person.is_not_asked("yes")
    assert [action for _, action in await house.calls()] == ["turn_on"]


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("otter", ["unlocks Front door"]),
        ("heron", ["unlocks Back door"]),
        ("falcon", ["Front door", "Back door"]),
        ("beaver", ["unlocks Back door"]),
        ("marten", ["turns off Greeting"]),
        ("weasel", ["disarms Alarm"]),
        ("lynx", ["I cannot tell what siesta does with Back door"]),
        ("stoat", ["unlocks Back door"]),
        ("badger", ["I cannot tell what Badger does"]),
        ("ferret", ["I cannot tell what Ferret does"]),
    ],
)
async def test_no_step_hides_what_it_does(house: House, person: Person, script: str, words: list[str]) -> None:
    await person.is_asked(f"run the {script} script", *words)
    assert await house.calls() == []
    assert await house.states("automation.greeting") == ["on"]


async def test_an_automation_run_by_hand_is_judged_by_what_it_does(house: House, person: Person) -> None:
    await person.is_not_asked("trigger the greeting automation")
    assert await house.states(PORCH) == ["on"]
    asked = await person.is_asked("trigger the delivery automation")
    assert asked.response == "Delivery unlocks Back door. Shall I?"
    assert await house.states(BACK) == ["locked"]
    await person.is_not_asked("yes")
    assert await house.states(BACK) == ["unlocked"]


async def test_turning_an_automation_off_waits_for_a_yes(house: House, person: Person) -> None:
    await person.is_asked("turn off the greeting automation", "turns off Greeting")
    assert await house.states("automation.greeting") == ["on"]
    await person.is_not_asked("yes")
    assert await house.states("automation.greeting") == ["off"]
    await person.is_not_asked("turn on the greeting automation")
    assert await house.states("automation.greeting") == ["on"]


# --- relays and groups by what they are called


@pytest.mark.parametrize("sentence", ["turn on the gate pulse", "toggle the gate pulse", "activate the gate pulse"])
async def test_a_relay_at_the_gate_waits_for_a_yes(house: House, person: Person, sentence: str) -> None:
    await person.is_asked(sentence, "Gate pulse")
    assert await house.states(GATE) == ["off"]
    await person.is_not_asked("yes")
    assert await house.states(GATE) == ["on"]


async def test_a_group_with_such_a_relay_waits_for_a_yes(house: House, person: Person) -> None:
    await person.is_asked("turn on the outside plugs", "Gate pulse")
    assert await house.states(GATE, "switch.fountain") == ["off", "off"]
    await person.is_not_asked("yes")
    assert await house.states(GATE, "switch.fountain") == ["on", "on"]


async def test_a_group_of_lamps_is_switched(house: House, person: Person) -> None:
    await person.is_not_asked("turn on the garden lights")
    assert await house.states("light.path", "light.tree") == ["on", "on"]


async def test_a_sweeping_order_leaves_the_lock_and_says_so(house: House, person: Person) -> None:
    reply = await person.is_not_asked("turn off everything in the hall")
    assert await house.states(HALL, MAGLOCK) == ["off", "on"]
    assert await house.calls() == [(HALL, "turn_off")]
    assert "Hall maglock" in reply.response
    await person.is_asked("turn off the hall maglock", "Hall maglock")
    assert await house.states(MAGLOCK) == ["on"]
    await person.is_not_asked("yes")
    assert await house.states(MAGLOCK) == ["off"]


# --- what changes between the question and the yes


async def test_a_script_that_is_edited_after_the_question_is_asked_about_anew(house: House, person: Person) -> None:
    await person.is_asked("run the come home script", "Front door")
    try:
        await house.edit("script", "come_home", {**COME_HOME, "sequence": [lock_step("unlock", BACK)]})
        await person.is_asked("yes", "Come home unlocks Back door")
        assert await house.calls() == []
        await person.is_not_asked("yes")
        assert await house.states(FRONT, BACK) == ["locked", "unlocked"]
    finally:
        await house.edit("script", "come_home", COME_HOME)


async def test_a_script_within_a_script_that_is_edited_is_asked_about_anew(house: House, person: Person) -> None:
    await person.is_asked("run the otter script", "Front door")
    try:
        await house.edit("script", "come_home", {**COME_HOME, "sequence": [lock_step("unlock", BACK)]})
        await person.is_asked("yes", "unlocks Back door")
        assert await house.calls() == []
    finally:
        await house.edit("script", "come_home", COME_HOME)


async def test_a_script_that_is_deleted_after_the_question_does_nothing(app: App, house: House, person: Person) -> None:
    await person.is_asked("run the come home script", "Front door")
    try:
        await house.delete("script", "come_home")
        reply = await person.is_not_asked("yes")
        assert await house.calls() == []
        assert "done" not in reply.response.casefold()
    finally:
        await house.edit("script", "come_home", COME_HOME)
        await house.expose("script.come_home")
        await eventually(lambda: (e := app.home.entity("script.come_home")) and e.exposed)


async def test_a_lock_that_cannot_be_reached_at_the_yes_is_not_called_unlocked(house: House, person: Person) -> None:
    await person.is_asked("unlock the front door")
    await house.put(FRONT, "unavailable", available=False)
    try:
        reply = await person.is_not_asked("yes")
        assert await house.calls() == []
        assert "unlocked" not in reply.response
    finally:
        await house.put(FRONT, "locked", available=True)


async def test_a_script_that_was_only_saved_again_is_run(house: House, person: Person) -> None:
    await person.is_asked("run the come home script")
    await house.edit("script", "come_home", COME_HOME)
    await person.is_not_asked("yes")
    assert await house.states(FRONT, PORCH) == ["unlocked", "on"]


async def test_a_blueprint_that_is_edited_after_the_question_is_asked_about_anew(house: House, person: Person) -> None:
    await person.is_asked("run the parcel script", "Back door")
    more = f"{BLUEPRINTS['opener']}  - {json.dumps(lock_step('unlock', FRONT))}\n"
    save = {"domain": "script", "path": "opener", "allow_override": True}
    try:
        await house.command("blueprint/save", **save, yaml=more)
        await house.service("script.reload")
        await person.is_asked("yes", "Front door", "Back door")
        assert await house.calls() == []
    finally:
        await house.command("blueprint/save", **save, yaml=BLUEPRINTS["opener"])
        await house.service("script.reload")


async def test_a_scene_that_is_edited_after_the_question_is_asked_about_anew(house: House, person: Person) -> None:
    key = "1700000000001"
    await person.is_asked("activate party", "Front door")
    try:
        await house.edit("scene", key, {"name": "Party", "entities": {BACK: {"state": "unlocked"}}})
        await person.is_asked("yes", "Party unlocks Back door")
        assert await house.calls() == []
    finally:
        await house.edit("scene", key, SCENES[key])


async def test_a_group_with_another_member_after_the_question_is_asked_about_anew(house: House, person: Person) -> None:
    await house.service("group.set", object_id="locks", entities=[FRONT])
    try:
        asked = await person.is_asked("activate arrival", "I cannot tell what Arrival does with Front door")
        assert "Back door" not in asked.response
        await house.service("group.set", object_id="locks", entities=[FRONT, BACK])
        await person.is_asked("yes", "Front door", "Back door")
        assert await house.calls() == []
    finally:
        await house.service("group.set", object_id="locks", entities=[FRONT, BACK])


@pytest.mark.parametrize("change", [{"name": "Cellar hatch"}, {"new_entity_id": "lock.cellar_hatch"}])
async def test_what_is_renamed_after_the_question_stays_locked(
    app: App, house: House, person: Person, change: dict[str, str]
) -> None:
    await person.is_asked("unlock the front door")
    now = change.get("new_entity_id", FRONT)
    try:
        await house.command("config/entity_registry/update", entity_id=FRONT, **change)
        reply = await person.says("yes")
        assert await house.states(now) == ["locked"]
        assert await house.calls() == []
        assert "unlocked" not in reply.response
    finally:
        back = {"new_entity_id": FRONT} if now != FRONT else {"name": None}
        await house.command("config/entity_registry/update", entity_id=now, **back)
        await eventually(lambda: (e := app.home.entity(FRONT)) and e.name == "Front door" and e.exposed)


async def test_what_is_no_longer_exposed_at_the_yes_stays_locked(app: App, house: House, person: Person) -> None:
    await person.is_asked("unlock the front door")
    try:
        await house.expose(FRONT, to=False)
        reply = await person.is_not_asked("yes")
        assert await house.states(FRONT) == ["locked"]
        assert await house.calls() == []
        assert "unlocked" not in reply.response
    finally:
        await house.expose(FRONT)
        await eventually(lambda: (e := app.home.entity(FRONT)) and e.exposed)


# --- told by the policy and the audit log


@pytest_asyncio.fixture(loop_scope="module")
async def api(app: App) -> AsyncIterator[httpx.AsyncClient]:
    transport = StreamingAsgiTransport(create_api(app, token=TOKEN))
    headers = {"Authorization": f"Bearer {TOKEN}"}
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost", headers=headers) as client:
        yield client


async def explained(api: httpx.AsyncClient, text: str) -> list[dict[str, Any]]:
    answer = await api.post("/api/services/explain_policy", json={"text": text})
    assert answer.status_code == 200, answer.text
    return answer.json()["verdicts"]


@pytest.mark.parametrize(
    ("text", "target", "through", "effects"),
    [
        ("unlock the front door", FRONT, "", [("opens", "unlock", "Front door")]),
        ('{"action": "unlock", "entity_id": "lock.front_door"}', FRONT, "", [("opens", "unlock", "Front door")]),
        ("run the come home script", "script.come_home", "Come home", [("opens", "unlock", "Front door")]),
        (
            "activate arrival",
            "scene.arrival",
            "Arrival",
            [("opens", "set", "Front door"), ("opens", "set", "Back door")],
        ),
        ("turn on the porch lamp", PORCH, "", []),
    ],
)
async def test_the_policy_explains_itself(
    house: House, api: httpx.AsyncClient, text: str, target: str, through: str, effects: list[tuple[str, str, str]]
) -> None:
    (verdict,) = await explained(api, text)
    assert verdict["entity_id"] == target
    assert verdict["decision"] == ("confirm" if effects else "allow")
    assert bool(verdict["reason"]) == bool(effects)
    assert [(e["effect"], e["action"], e["name"]) for e in verdict["effects"]] == effects
    assert {e["through"] for e in verdict["effects"]} <= {through}
    assert await house.calls() == []


async def test_the_audit_log_tells_what_was_done_for_whom_and_with_which_yes(
    app: App, house: House, api: httpx.AsyncClient
) -> None:
    anna = Person(app, "anna")
    asked = await anna.is_asked("run the come home script")
    await anna.is_not_asked("yes")
    assert await house.states(FRONT) == ["unlocked"]
    await anna.is_not_asked("turn off everything in the hall")
    answer = await api.post("/api/services/list_audit", json={"limit": 3})
    swept, done, first = answer.json()["entries"]

    assert (first["user_id"], first["text"], first["approved"]) == ("anna", "run the come home script", False)
    assert first["confirmation_id"] == asked.pending[0].id
    (target,) = first["targets"]
    assert (target["entity_id"], target["decision"]) == ("script.come_home", "confirm")
    assert target["outcome"] == "needs_confirmation"
    assert [(e["effect"], e["name"], e["through"]) for e in target["effects"]] == [("opens", "Front door", "Come home")]

    assert (done["user_id"], done["text"], done["approved"]) == ("anna", "yes", True)
    (target,) = done["targets"]
    assert (target["entity_id"], target["decision"]) == ("script.come_home", "confirm")
    assert target["outcome"] in ("done", "sent")

    outcomes = {target["entity_id"]: target["outcome"] for target in swept["targets"]}
    assert (outcomes[HALL], outcomes[MAGLOCK]) == ("done", "left_out")
    on_lock = await api.post("/api/services/list_audit", json={"limit": 1, "entity_id": MAGLOCK})
    assert on_lock.json()["entries"] == [swept]


async def test_what_was_asked_for_outright_is_told_with_its_states(
    house: House, person: Person, api: httpx.AsyncClient
) -> None:
    await person.is_asked("unlock the back door")
    await person.is_not_asked("yes")
    answer = await api.post("/api/services/list_audit", json={"limit": 1, "entity_id": BACK})
    ((target,),) = (entry["targets"] for entry in answer.json()["entries"])
    assert (target["before"], target["after"], target["outcome"]) == ("locked", "unlocked", "done")
    assert await house.states(BACK) == ["unlocked"]
