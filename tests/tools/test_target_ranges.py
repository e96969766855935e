"""One target for a thermostat that heats and cools to two: the room comes to it, and both ends are told."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.contract.houses import eventually
from tests.demo.showing import Shown, shown

LIVING_ROOM = "climate.living_room"
HELD = {
    "supported_features": 386, "temperature": None, "target_temp_low": 19, "target_temp_high": 25,
    "min_temp": 7, "max_temp": 30, "hvac_modes": ["off", "heat", "cool", "heat_cool"],
}  # fmt: skip


@pytest.mark.parametrize(
    ("now", "wanted", "low", "high"),
    [(21.5, 24, 24, 25), (21.5, 27, 27, 30), (26, 22, 19, 22), (26, 18, 12, 18), (None, 22, 19, 25), (23, 23, 20, 26)],
)
async def test_it_comes_to_the_target(now: float | None, wanted: int, low: float, high: float, tmp_path: Path) -> None:
    async with shown(tmp_path) as home:
        home.server.set_state(LIVING_ROOM, "heat_cool", {**HELD, "current_temperature": now})
        await eventually(lambda: _told_of(home))
        reply = await home.ask(f"set the living room thermostat to {wanted}")
        held = home.server.state(LIVING_ROOM)["attributes"]
        assert (held["target_temp_low"], held["target_temp_high"]) == (low, high), reply.response
        assert f"lowest target {low} °C, highest target {high} °C" in reply.response


def _told_of(home: Shown) -> bool:
    """The agent has the range: it was heating and cooling before, too, to another."""
    state = home.app.home.state(LIVING_ROOM)
    return state is not None and state.attributes["target_temp_high"] == HELD["target_temp_high"]
