"""What lets somebody in, by all that it is called and by where it is."""

from __future__ import annotations

import pytest

from homeagent.policy.openings import Way, is_way_in, way_called
from indexer.entity import Area, Entity

STUDY, GARAGE = Area("study", "Study"), Area("garage", "Garage")
ROOMS = (STUDY, GARAGE)


@pytest.mark.parametrize(
    ("cover", "lets_in"),
    [
        (Entity("cover.x1", "Study", area=STUDY), False),
        (Entity("cover.x1", "Study", area=STUDY, device_name="Gate motor"), True),
        (Entity("cover.x1", "Study", area=GARAGE), True),
        (Entity("cover.x1", "Study", area=Area("entrance", "Entrance")), True),
        (Entity("cover.x1", "Thing 1", area=STUDY), True),
        (Entity("cover.x1", "Thing 1", area=STUDY, device_class="curtain"), False),
        (Entity("cover.x1", "Gate", device_class="curtain"), True),
        (Entity("cover.x1", "Garage", device_class="blind"), True),
        (Entity("cover.x1", "Blind", device_class="gate"), True),
        (Entity("cover.x1", "Everything", members=("cover.a",)), False),
    ],
)
def test_a_cover_lets_in_by_its_class_its_name_or_its_place(cover: Entity, lets_in: bool) -> None:
    assert is_way_in(cover, ROOMS) is lets_in


@pytest.mark.parametrize(
    "name",
    [
        "Open garage", "Open carport", "Garage blind", "Garage opener", "Garage shutter",
        "Garage roller", "Garage trigger", "Open the entrance",
        "Video door entry", "Video intercom", "Video doorphone", "Video entry system", "Interphone vidéo",
        "Video-Gegensprechanlage", "Vídeo portero", "Portero automático vídeo", "Video deurintercom", "비디오 도어폰",
    ],
)  # fmt: skip
def test_what_is_worked_at_a_door_opens_it(name: str) -> None:
    assert way_called(name) is Way.DOOR
    assert is_way_in(Entity("switch.x1", name))


@pytest.mark.parametrize(
    "name", ["Garage", "Garage light", "Video door entry camera", "Video intercom light", "Gate video", "Vidéo portail"]
)
def test_what_is_only_at_a_door_does_not(name: str) -> None:
    assert way_called(name) is Way.NONE
