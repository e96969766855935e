"""Whom a few words of a name mean: what stands between them, a kind beside them, several things that are called so."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from homeagent.brains.local.meaning.request import Request
from homeagent.understanding.choosing import Around, decide, understand
from homeagent.understanding.tokens import tokenise
from indexer.entity import Area, Entity
from tests.understanding.reading import BEDROOM, KITCHEN, LIVING, TODAY, home_names

ENTRY = Area("entry", "Entry")


def _thing(entity_id: str, name: str, area: Area | None = None, device_class: str | None = None) -> Entity:
    return Entity(entity_id, name, area=area, device_class=device_class)


NAMES = home_names(
    (
        _thing("binary_sensor.front", "Front Door", ENTRY, "door"),
        _thing("lock.front", "Front Door Lock", ENTRY),
        _thing("lock.bolt", "Front Door Deadbolt", ENTRY),
        _thing("lock.cellar", "Cellar Lock", ENTRY),
        _thing("cover.gate", "Front Yard Gate", None, "gate"),
        _thing("cover.shed", "Back Yard Gate", None, "gate"),
        _thing("light.smart", "Smart Bulb E7A2", KITCHEN),
        _thing("light.ceiling", "Kitchen ceiling", KITCHEN),
        _thing("light.play_left", "Hue Play Left", LIVING),
        _thing("light.play_right", "Hue Play Right", LIVING),
        _thing("media_player.tv", "Living TV", LIVING),
        _thing("media_player.other_tv", "Bedroom TV", BEDROOM),
        _thing("media_player.speaker", "Speaker", KITCHEN),
        _thing("binary_sensor.washer", "Washer Running", None, "running"),
    )
)


def _read(text: str) -> tuple[Request, frozenset[str]]:
    best = decide(understand(tokenise(text), Around(NAMES, TODAY))).best
    assert best is not None
    (frame,) = best.asking_for
    assert frame.request is not None
    return frame.request, frame.entity_ids


WANTED: Mapping[str, tuple[str, set[str]]] = {
    "lock the front door": ("lock", {"lock.front", "lock.bolt"}),
    "close the front gate": ("close", {"cover.gate"}),
    "turn on the smart bulb in the kitchen": ("turn_on", {"light.smart"}),
    "turn on the smart bulbs in the kitchen": ("turn_on", {"light.smart", "light.ceiling"}),
    "turn on both hue plays": ("turn_on", {"light.play_left", "light.play_right"}),
}


@pytest.mark.parametrize("text", WANTED)
def test_what_is_called_so_is_meant(text: str) -> None:
    request, found = _read(text)
    assert (request.action, set(found)) == WANTED[text]


def test_only_players_that_are_called_alike_are_asked_about() -> None:
    request, _ = _read("turn off the TV")
    assert request.scope.named == (("media_player.other_tv", "media_player.tv"),)


def test_a_sensor_is_asked_about_by_its_mere_name() -> None:
    request, found = _read("is the washer running")
    assert (request.states, set(found)) == (("on",), {"binary_sensor.washer"})
