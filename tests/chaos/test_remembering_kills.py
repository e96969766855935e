"""The short version of what ``python -m tests.chaos`` does to whatever remembers."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.chaos.remembering_kills import Killer

pytestmark = pytest.mark.slow  # it starts processes


@pytest.mark.timeout(300)
async def test_killed_while_it_remembers_it_loses_nothing_and_goes_on(tmp_path: Path) -> None:
    killer = Killer(tmp_path, turns=40, seed=1)
    try:
        await killer.drain(kills=3)
        await killer.take_over(kills=2)
    finally:
        killer.close()
    assert killer.figures.replaced == 35, "each tank has had eight values, one of which holds"
    assert killer.figures.imported == 80
