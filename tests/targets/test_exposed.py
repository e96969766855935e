"""What a target comes to is looked up on the home as it is now, and nothing leaves that is not exposed this moment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast

import pytest

from homeagent.errors import NotExposed, UnknownTarget
from homeagent.ha.connection import HomeAssistant
from homeagent.targets.resolve import TargetParams, exposed_targets
from indexer.entity import Area, Entity, EntityCategory, Floor
from tests.policy.house import House

HALL, GROUND = Area("hall", "Hall", (), "ground"), Floor("ground", "Ground floor", (), 0)
LAMP = Entity("light.lamp", "Lamp", area=HALL, labels=("Evening",), label_ids=("evening",))
DESK = Entity("light.desk", "Desk")
DOOR = Entity("lock.door", "Door")
LED = Entity("switch.led", "LED", category=EntityCategory.CONFIG)
OLD = Entity("light.old", "Old lamp", exposed=False)


class Asked(House):
    """``now``: whether Home Assistant says, when asked, that an entity is exposed; where it is new, the home learns."""

    def __init__(self, *entities: Entity, now: dict[str, bool] | None = None) -> None:
        super().__init__(*entities, areas=(HALL,))
        self.now = now or {}
        self.asked: list[list[str]] = []
        self.caught_up = False

    async def catch_up(self) -> None:
        self.caught_up = True

    async def is_exposed(self, entity_ids: Sequence[str]) -> dict[str, bool]:
        self.asked.append(list(entity_ids))
        known = self.home.entities
        self.home.put_entities([replace(known[i], exposed=exposed) for i, exposed in self.now.items()])
        return {i: self.home.entities[i].exposed for i in entity_ids}


async def found(house: Asked, technical: bool = False, **target: Any) -> list[str]:
    ha = cast(HomeAssistant, house)
    return [e.entity_id for e in await exposed_targets(ha, TargetParams(**target), technical=technical)]


async def test_a_set_has_those_members_that_are_exposed_now() -> None:
    house = Asked(LAMP, DESK, DOOR, now={"light.desk": False})
    assert await found(house, domain="light") == ["light.lamp"]
    assert house.caught_up
    assert house.asked == [["light.lamp", "light.desk"]]


async def test_one_that_is_named_must_be_exposed_now() -> None:
    house = Asked(LAMP, DESK, now={"light.desk": False})
    for named in ("light.desk", ["light.lamp", "light.desk"]):
        with pytest.raises(NotExposed, match=r"light\.desk is not exposed"):
            await found(house, entity_id=named)
    assert await found(Asked(LAMP, DESK), entity_id=["light.lamp", "light.desk"]) == ["light.lamp", "light.desk"]


async def test_where_none_of_a_set_is_exposed_nothing_is_done() -> None:
    with pytest.raises(NotExposed, match="Nothing of that"):
        await found(Asked(LAMP, now={"light.lamp": False}), domain="light")


async def test_what_is_named_and_hidden_is_asked_about_once_more() -> None:
    hidden = Asked(OLD)
    with pytest.raises(NotExposed):
        await found(hidden, entity_id="light.old")
    assert hidden.asked == [[]]
    assert await found(Asked(OLD, now={"light.old": True}), entity_id="light.old") == ["light.old"]
    led = Asked(LED, OLD, now={"light.old": True})
    assert await found(led, technical=True, entity_id=["light.old", "switch.*"]) == ["light.old", "switch.led"]


async def test_what_is_chosen_of_a_set_is_what_is_asked_about() -> None:
    house = Asked(LAMP, DESK, DOOR)
    chosen = await exposed_targets(
        cast(HomeAssistant, house), TargetParams(domain="light"), lambda resolved: resolved.entities[:1]
    )
    assert [e.entity_id for e in chosen] == ["light.lamp"]
    assert house.asked == [["light.lamp"]]


async def test_technical_things_are_found_for_looking_alone() -> None:
    assert await found(Asked(LED), technical=True, domain="switch") == ["switch.led"]
    with pytest.raises(UnknownTarget):
        await found(Asked(LED), domain="switch")
    with pytest.raises(UnknownTarget):
        await exposed_targets(cast(HomeAssistant, Asked(LED)), TargetParams(domain="switch"))


@pytest.mark.parametrize(
    ("written", "same"),
    [
        ({"area_id": "Hall"}, {"area": "Hall"}),
        ({"label_id": "evening"}, {"label": "evening"}),
        ({"except": "light.desk", "domain": "light"}, {"exclude": "light.desk", "domain": "light"}),
    ],
)
async def test_fields_may_be_called_as_home_assistant_calls_them(written: Any, same: Any) -> None:
    house = Asked(LAMP, DESK, DOOR)
    assert await found(house, **written) == await found(house, **same) == ["light.lamp"]
