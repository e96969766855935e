"""How a thing is brought back to how it was, from its state and attributes before and after."""

from __future__ import annotations

from typing import Any

import pytest

from homeagent.domains import DOMAINS
from homeagent.domains.way_back import action_into, calls_back, settings_before

Held = tuple[str, dict[str, Any]]
WHITE = {"color_mode": "color_temp", "color_temp_kelvin": 3000, "rgb_color": (255, 177, 110), "brightness": 200}
RED = {"color_mode": "hs", "color_temp_kelvin": None, "rgb_color": (255, 0, 0), "brightness": 200}
BLUE = {**RED, "rgb_color": (0, 0, 255)}
DARK = {"color_mode": None, "color_temp_kelvin": None, "rgb_color": None, "brightness": None}

BACK: dict[str, tuple[str, Held, Held, list[tuple[str, dict[str, Any]]]]] = {
    "switched": ("light", ("off", DARK), ("on", RED), [("turn_off", {})]),
    "dimmed": ("light", ("on", {**RED, "brightness": 128}), ("on", RED), [("set_value", {"brightness": 128})]),
    "switched off": ("light", ("on", {"brightness": 128}), ("off", DARK), [("turn_on", {"brightness": 128})]),
    "tinted": ("light", ("on", BLUE), ("on", RED), [("set_value", {"rgb_color": (0, 0, 255)})]),
    "white to colour": ("light", ("on", WHITE), ("on", RED), [("set_value", {"color_temp_kelvin": 3000})]),
    "colour to white": ("light", ("on", RED), ("on", WHITE), [("set_value", {"rgb_color": (255, 0, 0)})]),
    "half open": (
        "cover", ("open", {"current_position": 40}), ("closed", {"current_position": 0}),
        [("set_value", {"position": 40})],
    ),
    "no positions": ("cover", ("open", {}), ("closed", {}), [("open", {})]),
    "locked": ("lock", ("locked", {}), ("unlocked", {}), [("lock", {})]),
    "warmer": (
        "climate", ("heat", {"temperature": 19}), ("heat", {"temperature": 23}), [("set_value", {"temperature": 19})]
    ),
    "heating off": (
        "climate", ("off", {"temperature": 19}), ("heat", {"temperature": 19}), [("set_value", {"hvac_mode": "off"})]
    ),
    "slower": ("fan", ("on", {"percentage": 33}), ("on", {"percentage": 100}), [("set_value", {"percentage": 33})]),
    "number": ("input_number", ("5.0", {}), ("7.0", {}), [("set_value", {"value": 5.0})]),
    "select": ("input_select", ("Home", {}), ("Away", {}), [("set_value", {"option": "Home"})]),
    "paused": ("media_player", ("playing", {}), ("paused", {}), [("play", {})]),
    "docked": ("vacuum", ("docked", {}), ("cleaning", {}), [("return_to_base", {})]),
    "nothing": ("light", ("on", RED), ("on", {**RED, "friendly_name": "Lamp"}), []),
    "a script": ("script", ("off", {}), ("on", {}), []),
    "a scene": ("scene", ("2026-01-01T00:00:00+00:00", {}), ("2026-01-02T00:00:00+00:00", {}), []),
}  # fmt: skip


@pytest.mark.parametrize("what", BACK)
def test_the_calls_that_bring_it_back(what: str) -> None:
    domain, before, after, expected = BACK[what]
    assert calls_back(domain, before[0], after[0], settings_before(domain, before, after)) == expected


def test_what_it_cannot_be_set_to_is_left_out() -> None:
    no_positions = {"supported_features": 3}
    before, after = (
        ("open", {"current_position": 40, **no_positions}),
        ("closed", {"current_position": 0, **no_positions}),
    )
    assert calls_back("cover", "open", "closed", settings_before("cover", before, after)) == [("open", {})]


@pytest.mark.parametrize("domain", sorted(DOMAINS))
def test_an_action_into_a_state_is_one_of_the_domain(domain: str) -> None:
    states = {state for service in DOMAINS[domain].actions.values() for state in service.reaches}
    for state in states:
        action = action_into(domain, state)
        assert action is not None
        assert state in DOMAINS[domain].actions[action].reaches or not DOMAINS[domain].actions[action].reaches
