"""What a target resolves to, on a small home without a wire."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homeagent.errors import HomeAgentError, InvalidParameters, NotExposed, UnknownTarget
from homeagent.ha.home import Home, HomeConfig, State
from homeagent.targets.resolve import TargetSpec, expand_groups, resolve, spec_from
from indexer.entity import Area, Entity, EntityCategory, Floor

GROUND = Floor("ground", "Ground floor", ("downstairs",), 0)
KITCHEN = Area("kitchen", "Kitchen", ("Küche",), "ground")
HALL = Area("hall_2", "Hall", (), "ground")


def thing(entity_id: str, area: Area | None = KITCHEN, **more) -> Entity:
    name = more.pop("name", entity_id.partition(".")[2].replace("_", " ").title())
    return Entity(entity_id, name, area=area, floor=GROUND if area else None, **more)


ENTITIES = (
    thing("light.ceiling", aliases=("Big lamp",), labels=("Evening",)),
    thing("light.counter"),
    thing("light.both", members=("light.ceiling", "light.counter")),
    thing("light.hall", HALL, labels=("Evening",)),
    thing("light.nowhere", None),
    thing("light.secret", exposed=False),
    thing("switch.kettle", device_class="outlet"),
    thing("switch.led", category=EntityCategory.CONFIG),
    thing("switch.hidden", hidden=True),
    thing("sensor.battery", device_class="battery", category=EntityCategory.DIAGNOSTIC),
    thing("group.mixed", None, members=("light.ceiling", "switch.kettle", "light.secret", "group.inner")),
    thing("group.inner", None, members=("light.hall", "group.mixed")),
    thing("cover.left", name="Blind"),
    thing("cover.right", name="Blind"),
)


@pytest.fixture(scope="module")
def home() -> Home:
    home, now = Home(), datetime.now(UTC)
    home.replace(
        config=HomeConfig(),
        areas=[KITCHEN, HALL],
        floors=[GROUND],
        device_areas={},
        entities=ENTITIES,
        states=[State(e.entity_id, "off", {}, now, now) for e in ENTITIES],
    )
    return home


def ids(home: Home, **spec) -> list[str]:
    return sorted(e.entity_id for e in resolve(home, spec_from(spec)).entities)


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ({"entity_id": "light.ceiling"}, ["light.ceiling"]),
        ({"entity_id": ["light.ceiling", "switch.kettle"]}, ["light.ceiling", "switch.kettle"]),
        ({"entity_id": "light.ceiling, switch.kettle"}, ["light.ceiling", "switch.kettle"]),
        ({"entity_id": "LIGHT.Ceiling"}, ["light.ceiling"]),
        ({"entity_id": "big LAMP"}, ["light.ceiling"]),
        ({"entity_id": "light.*"}, ["light.ceiling", "light.counter", "light.hall", "light.nowhere"]),
        ({"entity_id": "light.*", "exclude": "light.hall"}, ["light.ceiling", "light.counter", "light.nowhere"]),
        ({"entity_id": "light.*", "area": "hall"}, ["light.hall"]),
        ({"entity_id": "light.both"}, ["light.both"]),
        ({"entity_id": ["light.both", "light.ceiling"]}, ["light.both"]),
        ({"entity_id": ["light.both", "light.ceiling", "light.counter"]}, ["light.ceiling", "light.counter"]),
        ({"entity_id": "light.both", "exclude": "light.counter"}, ["light.ceiling"]),
        ({"area": "Küche", "domain": "light"}, ["light.ceiling", "light.counter"]),
        ({"area": "hall_2"}, ["light.hall"]),
        ({"floor": "downstairs", "domain": "light"}, ["light.ceiling", "light.counter", "light.hall"]),
        ({"domain": ["light", "valve"], "area": "kitchen"}, ["light.ceiling", "light.counter"]),
        ({"domain": "light", "exclude": ["Kitchen"]}, ["light.hall", "light.nowhere"]),
        ({"domain": "light", "area": "kitchen", "exclude": "light.both"}, None),
        ({"label": "evening"}, ["light.ceiling", "light.hall"]),
        ({"device_class": "outlet"}, ["switch.kettle"]),
        ({"domain": "switch"}, ["switch.kettle"]),
    ],
)
def test_a_target_resolves(home, spec, expected):
    if expected is None:
        with pytest.raises(UnknownTarget):
            ids(home, **spec)
    else:
        assert ids(home, **spec) == expected


@pytest.mark.parametrize(
    ("spec", "error", "says"),
    [
        ({}, InvalidParameters, "entity_id is missing"),
        ({"exclude": "light.hall"}, InvalidParameters, "entity_id is missing"),
        ({"entity_id": "light.celing"}, UnknownTarget, "light.ceiling"),
        ({"entity_id": "the moon"}, UnknownTarget, "the moon"),
        ({"entity_id": "blind"}, UnknownTarget, "cover.left, cover.right"),
        ({"entity_id": "light.secret"}, NotExposed, "light.secret"),
        ({"area": "kitchn"}, UnknownTarget, "Kitchen"),
        ({"area": "all"}, UnknownTarget, "all"),
        ({"floor": "moon"}, UnknownTarget, "Ground floor"),
        ({"area": "hall", "domain": "cover"}, UnknownTarget, "light.hall"),
        ({"entity_id": "?"}, InvalidParameters, "everything"),
    ],
)
def test_what_is_no_target_is_refused_with_the_nearest(home, spec, error, says):
    with pytest.raises(error, match=None) as caught:
        ids(home, **spec)
    assert says in str(caught.value)


def test_diagnostic_things_are_found_only_for_looking(home):
    spec = TargetSpec(device_classes=("battery",))
    assert [e.entity_id for e in resolve(home, spec, technical=True).entities] == ["sensor.battery"]
    with pytest.raises(UnknownTarget):
        resolve(home, spec)


def test_an_old_group_opens_into_its_exposed_members_even_in_a_ring(home):
    (group,) = resolve(home, TargetSpec(entity_ids=("group.mixed",))).entities
    assert sorted(e.entity_id for e in expand_groups(home, [group])) == ["light.ceiling", "light.hall", "switch.kettle"]


TEXT = st.text(max_size=12) | st.sampled_from(
    ["light.*", "kitchen", "light.ceiling", "*", "all", "l*", "group.*", "[a"]
)
FIELD = st.none() | TEXT | st.lists(TEXT, max_size=3)


@given(
    st.fixed_dictionaries(
        dict.fromkeys(("entity_id", "area", "floor", "domain", "device_class", "label", "exclude"), FIELD)
    )
)
def test_any_target_is_exposed_entities_each_once_or_a_clear_refusal(home, spec):
    try:
        found = [e.entity_id for e in resolve(home, spec_from(spec)).entities]
    except HomeAgentError:
        return
    assert found
    assert len(set(found)) == len(found)
    assert all(home.entities[i].exposed for i in found)


@pytest.mark.parametrize("text", ["Kitchen", "Küche", "kitchen", "area.kitchen"])
def test_an_area_in_place_of_an_entity_is_told(home: Home, text: str) -> None:
    """And no entity that is called a little like it is offered."""
    with pytest.raises(UnknownTarget) as raised:
        resolve(home, TargetSpec(entity_ids=(text,)))
    assert raised.value.hint == "It is area kitchen: give area, and domain."
    assert not raised.value.nearest
