"""Whom a few words of a name mean: what stands between them, a kind beside them, several things that are called so."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from homeagent.understanding.choosing import understand
from homeagent.understanding.deciding import decide
from homeagent.understanding.request import Request
from homeagent.understanding.sentence_context import SentenceContext
from homeagent.understanding.tokeniser import tokenise
from indexer.entity import Area
from tests.understanding.reading import BEDROOM, KITCHEN, LIVING, TODAY, home_names, thing

ENTRY = Area("entry", "Entry")


NAMES = home_names(
    (
        thing("binary_sensor.front", "Front Door", ENTRY, "door"),
        thing("lock.front", "Front Door Lock", ENTRY),
        thing("lock.bolt", "Front Door Deadbolt", ENTRY),
        thing("lock.cellar", "Cellar Lock", ENTRY),
        thing("cover.gate", "Front Yard Gate", None, "gate"),
        thing("cover.shed", "Back Yard Gate", None, "gate"),
        thing("light.smart", "Smart Bulb E7A2", KITCHEN),
        thing("light.ceiling", "Kitchen ceiling", KITCHEN),
        thing("light.play_left", "Hue Play Left", LIVING),
        thing("light.play_right", "Hue Play Right", LIVING),
        thing("media_player.tv", "Living TV", LIVING),
        thing("media_player.other_tv", "Bedroom TV", BEDROOM),
        thing("media_player.speaker", "Speaker", KITCHEN),
        thing("binary_sensor.washer", "Washer Running", None, "running"),
    )
)


def _read(text: str) -> tuple[Request, frozenset[str]]:
    best = decide(understand(tokenise(text), SentenceContext(NAMES, TODAY))).best
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
