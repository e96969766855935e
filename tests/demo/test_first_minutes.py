"""What the README says that the agent does, asked of the demo home as a newcomer would."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from tests.demo.showing import Shown, shown


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def home(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Shown]:
    folder: Path = tmp_path_factory.mktemp("shown")
    async with shown(folder) as home:
        yield home


pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("when did the garage last open?", "Garage door was last open at "),
        ("when was the front door opened last?", "Front door contact was last open at "),
        ("how long was the heating on yesterday?", "Yesterday: Bathroom floor heating was on for 3 hours "),
        ("how long did the heating run this week and last week?", "Last week: Bathroom floor heating was on for "),
        ("how much energy did we use yesterday?", "kWh"),
        ("how warm was it outside last week?", "Last week: Outdoor temperature was "),
        ("why is the hall light on?", "The automation Motion in the hall did it at "),
        ("why did the light in the hall go on?", "That was because Hall motion was detected at "),
        ("why is the living room ceiling on?", "on from "),
        ("who unlocked the front door last?", " did it at "),
        ("is the front door locked?", "Yes, Front door is locked."),
    ],
)
async def test_what_was_and_why(home: Shown, asked: str, told: str) -> None:
    assert told in (await home.ask(asked)).response


async def test_whether_anybody_was_in_the_garden_last_night(home: Shown) -> None:
    answer = (await home.ask("was anybody in the garden last night?")).response
    assert answer.startswith(("No, Garden motion was not detected", "Yes. Garden motion was detected"))


async def test_it_says_what_was_done_through_itself(home: Shown) -> None:
    await home.ask("turn on the kitchen lights")
    assert home.state("light.kitchen_lights") == "on"
    assert "It was done through me" in (await home.ask("why are the kitchen lights on?")).response


async def test_it_learns_what_it_is_told(home: Shown) -> None:
    await home.ask("turn off the kitchen lights")
    await home.ask("call the counter light the cooking lamp")
    await home.ask("turn on the cooking lamp")
    assert home.state("light.kitchen_counter") == "on"
    assert home.state("light.kitchen_ceiling") == "off"
    await home.ask("remember that the paper bin goes out on Thursdays")
    assert "The paper bin goes out on Thursdays" in (await home.ask("when does the paper bin go out?")).response
