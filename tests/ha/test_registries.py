"""Registry rows, with the shapes that Home Assistant 2025.4 and 2026.11 were seen to send."""

from datetime import UTC, datetime

import pytest

from homeagent.ha.exposure import DEFAULT_EXPOSED_DOMAINS, Exposure
from homeagent.ha.home import State
from homeagent.ha.registries import WHOLE, Registries, Registry
from homeagent.ha.websocket import CommandFailed
from indexer.entity import Entity, EntityCategory

ENTRY = {
    "area_id": None,
    "device_id": "d1",
    "entity_category": None,
    "has_entity_name": True,
    "hidden_by": None,
    "labels": [],
    "name": None,
    "original_name": "Lamp",
    "aliases": [],
    "device_class": None,
    "original_device_class": None,
}


class Answers:
    """Home Assistant's side of the connection: an answer a command, or a refusal."""

    def __init__(self, **entries):
        self.refused = {}
        self.entries = entries
        self.lists = {
            "floor": [{"floor_id": "up", "name": "Upstairs", "level": 1, "aliases": ["first floor"]}],
            "area": [
                {"area_id": "bed", "name": "Bedroom", "aliases": [], "floor_id": "up", "labels": ["quiet"]},
                {"area_id": "hall", "name": "Hall", "aliases": ["corridor"], "floor_id": None, "labels": []},
            ],
            "label": [{"label_id": "night", "name": "Night time"}, {"label_id": "quiet", "name": "Quiet"}],
            "device": [
                {"id": "d1", "name": "Plug 7", "name_by_user": "Bed plug", "area_id": "bed", "labels": ["night"]},
                {"id": "d2", "name": "Bridge", "name_by_user": None, "area_id": None, "labels": []},
            ],
        }

    async def command(self, kind, **fields):
        if code := self.refused.get(kind):
            raise CommandFailed("Unauthorized", wire_code=code)
        if kind == "config/entity_registry/get_entries":
            return {i: self.entries.get(i) for i in fields["entity_ids"]}
        if kind == "homeassistant/expose_entity/list":
            return {"exposed_entities": {"light.lamp": {"conversation": True}, "lock.door": {"cloud.alexa": True}}}
        return self.lists[kind.split("/")[1].removesuffix("_registry")]


async def entity_of(entry=None, *, entity_id="light.lamp", attributes=(), state="on", before=None, answers=None):
    answers = answers or Answers(**({entity_id: entry} if entry else {}))
    registries = Registries()
    for registry in WHOLE:
        await registries.read(answers, registry)
    await registries.read_entries(answers, [entity_id])
    now = datetime.now(UTC)
    return registries.entity(State(entity_id, state, dict(attributes), now, now), before)


async def test_an_entity_without_an_area_of_its_own_is_in_its_devices():
    entity = await entity_of(ENTRY)
    assert (entity.area.name, entity.floor.name, entity.device_name) == ("Bedroom", "Upstairs", "Bed plug")


async def test_its_own_area_goes_before_the_devices():
    entity = await entity_of(ENTRY | {"area_id": "hall"})
    assert entity.area.aliases == ("corridor",)
    assert entity.floor is None


@pytest.mark.parametrize("missing", [{"device_id": "d2"}, {"device_id": None}, {"device_id": "gone"}])
async def test_without_any_area_there_is_none(missing):
    entity = await entity_of(ENTRY | missing)
    assert entity.area is None
    assert entity.floor is None


async def test_an_area_that_was_deleted_is_none():
    assert (await entity_of(ENTRY | {"area_id": "deleted"})).area is None


async def test_the_name_is_what_home_assistant_shows():
    shown = {"friendly_name": "Living Room ceiling light Renamed light"}
    assert (await entity_of(ENTRY | {"name": "Renamed light"}, attributes=shown)).name == shown["friendly_name"]
    assert (await entity_of(ENTRY)).name == "Lamp"
    assert (await entity_of(None, entity_id="input_boolean.guest_mode")).name == "guest mode"


async def test_a_null_among_the_aliases_stands_for_the_name():
    assert (await entity_of(ENTRY | {"aliases": [None, "reading light"]})).aliases == ("reading light",)


async def test_aliases_are_values_of_their_own_in_an_order_that_stays():
    one = await entity_of(ENTRY | {"aliases": ["lantern", "a, b", "Bulb"]})
    other = await entity_of(ENTRY | {"aliases": ["Bulb", "lantern", "a, b"]})
    assert one.aliases == other.aliases
    assert set(one.aliases) == {"lantern", "a, b", "Bulb"}


async def test_labels_go_by_name_and_come_from_device_and_area_too():
    assert (await entity_of(ENTRY)).labels == ("Night time", "Quiet")
    assert "unheard" in (await entity_of(ENTRY | {"labels": ["unheard"]})).labels


async def test_the_newest_release_leaves_fields_out():
    row = {k: v for k, v in ENTRY.items() if k not in ("has_entity_name", "name", "labels", "original_device_class")}
    assert (await entity_of(row, attributes={"friendly_name": "Lamp"})).name == "Lamp"


async def test_hidden_and_diagnostic_entities_are_in_no_plural():
    assert (await entity_of(ENTRY | {"entity_category": "diagnostic"})).category is EntityCategory.DIAGNOSTIC
    assert not (await entity_of(ENTRY | {"entity_category": "diagnostic"})).in_plurals
    assert not (await entity_of(ENTRY | {"hidden_by": "user"})).in_plurals


async def test_a_group_knows_its_members_even_while_it_is_unavailable():
    group = await entity_of(ENTRY, attributes={"entity_id": ["light.a", "light.b"]})
    assert group.members == ("light.a", "light.b")
    assert (await entity_of(ENTRY, state="unavailable", before=group)).members == group.members
    assert (await entity_of(ENTRY, state="on", before=group)).members == ()


async def test_a_refused_registry_counts_as_empty_and_is_reported():
    answers = Answers(**{"light.lamp": ENTRY})
    answers.refused["config/device_registry/list"] = "unauthorized"
    registries = Registries()
    for registry in WHOLE:
        await registries.read(answers, registry)
    assert registries.unreadable == {Registry.DEVICE}
    assert (await entity_of(answers=answers)).area is None


def thing(entity_id, **more):
    return Entity(entity_id, "Thing", exposed=False, **more)


async def test_only_exposure_to_conversation_agents_counts():
    exposure = Exposure(DEFAULT_EXPOSED_DOMAINS)
    await exposure.read(Answers())
    assert exposure.source == "home_assistant"
    assert exposure.exposes(thing("light.lamp"))
    assert not exposure.exposes(thing("lock.door"))
    assert not exposure.exposes(thing("light.other"))


@pytest.mark.parametrize("code", ["unauthorized", "unknown_command"])
async def test_without_the_list_nothing_that_lets_somebody_in_is_exposed(code):
    answers, exposure = Answers(), Exposure(DEFAULT_EXPOSED_DOMAINS)
    answers.refused["homeassistant/expose_entity/list"] = code
    await exposure.read(answers)
    assert exposure.source == "domains"
    assert all(exposure.exposes(thing(f"{d}.x")) for d in ("light", "switch", "fan", "climate", "cover"))
    assert not any(
        exposure.exposes(thing(f"{d}.x")) for d in ("lock", "alarm_control_panel", "script", "scene", "automation")
    )
    assert not exposure.exposes(thing("cover.x", device_class="garage"))
    assert not exposure.exposes(thing("switch.x", category=EntityCategory.CONFIG))
    assert not exposure.exposes(thing("light.x", hidden=True))


async def test_a_passing_fault_does_not_open_what_the_list_keeps_closed():
    answers, exposure = Answers(), Exposure(DEFAULT_EXPOSED_DOMAINS)
    await exposure.read(answers)
    answers.refused["homeassistant/expose_entity/list"] = "unknown_error"
    with pytest.raises(CommandFailed):
        await exposure.read(answers)
    assert not exposure.exposes(thing("light.other"))
