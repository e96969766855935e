"""After "undo" everything is as it was: states, brightness, colours, positions, degrees, lists."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.contract.houses import eventually
from tests.demo.showing import Shown, shown

pytestmark = pytest.mark.dear

SETTINGS = (
    "brightness", "temperature", "current_position", "volume_level", "rgb_color", "color_temp_kelvin", "hvac_mode",
)  # fmt: skip
ORDERS = {
    "en": (
        "set the bedroom heating to 23", "warmer in the bedroom", "set the living room blinds to 30 %",
        "make the living room lights red", "turn the volume of the kitchen radio to 60 %", "turn off all the lights",
        "turn on the kitchen lights and close the blinds", "dim the study light to 20 %", "open the bedroom curtain",
        "add milk and eggs to the shopping list",
    ),
    "de": ("alle Lichter aus",),
    "fr": ("éteins toutes les lumières",),
    "es": ("apaga todas las luces",),
    "nl": ("alle lampen uit",),
    "ko": ("모든 조명 꺼줘",),
}  # fmt: skip
UNDO = {
    "en": "undo that",
    "de": "rückgängig",
    "fr": "annule",
    "es": "deshaz eso",
    "nl": "maak dat ongedaan",
    "ko": "되돌려줘",
}


def home_of(home: Shown) -> Mapping[str, Any]:
    """What people see of the home. A sensor measures what it wants."""
    return {
        entity_id: (found["state"], {name: found["attributes"].get(name) for name in SETTINGS})
        for entity_id in home.server.world.devices
        if not entity_id.startswith(("sensor.", "binary_sensor.")) and (found := home.server.state(entity_id))
    }


@pytest.mark.parametrize(("language", "order"), [(code, order) for code, orders in ORDERS.items() for order in orders])
async def test_all_is_as_it_was(language: str, order: str, tmp_path: Path) -> None:
    async with shown(tmp_path, language) as home:
        before = home_of(home)
        said = await home.ask(order)
        assert home_of(home) != before, said.response
        undone = await home.ask(UNDO[language], said.conversation_id)
        assert undone.handled, undone.response
        await eventually(lambda: home_of(home) == before)


TWO_STEPS = {
    "en": ("turn on the kitchen lights", "dim the study light to 20 %", ("undo both", "put it all back")),
    "de": ("Küchenlicht an", "dimm das Arbeitszimmerlicht auf 20 %", ("mach beides rückgängig", "nimm alles zurück")),
    "fr": ("allume la lumière de la cuisine", "éteins le bureau", ("annule les deux", "remets tout comme avant")),
    "es": ("enciende la luz de la cocina", "apaga el estudio", ("deshaz las dos cosas", "deja todo como estaba")),
    "nl": ("doe de keukenlampen aan", "doe de studeerkamerlamp uit", ("draai allebei terug", "zet alles terug")),
    "ko": ("주방 불 켜줘", "서재 불 꺼줘", ("둘 다 되돌려줘", "전부 되돌려줘")),
}  # fmt: skip


@pytest.mark.parametrize("language", TWO_STEPS)
async def test_both_and_all_take_back_each_step(language: str, tmp_path: Path) -> None:
    first, second, undos = TWO_STEPS[language]
    async with shown(tmp_path, language) as home:
        before = home_of(home)
        for undo in undos:
            said = await home.ask(first)
            talk = said.conversation_id
            await home.ask(second, talk)
            undone = await home.ask(undo, talk)
            assert undone.handled, undone.response
            await eventually(lambda: home_of(home) == before)


async def test_all_that_can_be_is_put_back_and_the_rest_is_told(tmp_path: Path) -> None:
    async with shown(tmp_path) as home:
        talk = (await home.ask("turn on the kitchen lights")).conversation_id
        for order in ("add milk to the shopping list", "set a timer for 5 minutes", "next song"):
            await home.ask(order, talk)
        undone = await home.ask("undo everything", talk)
        assert home.state("light.kitchen_lights") == "off"
        assert "I cannot put that back by myself." in undone.response
        assert "Cancelled: Timer." in undone.response
        left = await home.ask("which timers are set?", talk)
        assert left.response == "No timer is set."


@pytest.mark.parametrize("undo", ["undo", "undo everything"])
async def test_what_changed_nothing_is_told_so(undo: str, tmp_path: Path) -> None:
    async with shown(tmp_path) as home:
        talk = (await home.ask("lock the front door")).conversation_id
        before = home_of(home)
        reply = await home.ask(undo, talk)
        assert reply.response == "Nothing was changed, so there is nothing to undo."
        assert home_of(home) == before


async def test_a_question_between_does_not_hide_what_was_done(tmp_path: Path) -> None:
    async with shown(tmp_path) as home:
        before = home_of(home)
        talk = (await home.ask("turn on the kitchen lights")).conversation_id
        for said in ("what time is it?", "undo that"):
            await home.ask(said, talk)
        await eventually(lambda: home_of(home) == before)


async def test_and_done_again_by_another_undo(tmp_path: Path) -> None:
    async with shown(tmp_path) as home:
        said = await home.ask("dim the study light to 20 %")
        after = home_of(home)
        for _ in range(2):
            await home.ask("undo", said.conversation_id)
        assert home_of(home) == after


async def test_a_door_is_not_opened_by_it_without_a_yes(tmp_path: Path) -> None:
    async with shown(tmp_path) as home:
        home.server.set_state("lock.front_door", "unlocked")
        await eventually(lambda: home.app.home.state_text("lock.front_door") == "unlocked")
        said = await home.ask("lock the front door")
        assert home.state("lock.front_door") == "locked"
        reply = await home.ask("undo", said.conversation_id)
        assert reply.pending
        assert home.state("lock.front_door") == "locked"


@pytest.mark.parametrize("order", ["good night", "next song"])
async def test_what_cannot_be_put_back_is_told(order: str, tmp_path: Path) -> None:
    async with shown(tmp_path) as home:
        said = await home.ask(order)
        reply = await home.ask("undo", said.conversation_id)
        assert reply.response == "I cannot put that back by myself."


async def test_a_thing_that_was_not_changed_last_is_not_what_is_undone(tmp_path: Path) -> None:
    async with shown(tmp_path) as home:
        said = await home.ask("dim the study light to 20 %")
        after = home_of(home)
        await home.ask("undo the curtain", said.conversation_id)
        assert home_of(home) == after


NAMED = {
    "en": ("dim the study light to 20 %", "close the blinds", "undo the study light"),
    "de": ("dimm das Arbeitszimmerlicht auf 20 %", "mach die Rollos zu", "mach das Arbeitszimmerlicht rückgängig"),
    "fr": ("allume la lumière de la cuisine", "ferme les stores", "annule la lumière de la cuisine"),
    "es": ("enciende la luz de la cocina", "cierra las persianas", "deshaz la luz de la cocina"),
    "nl": ("doe de keukenlampen aan", "doe de jaloezieën dicht", "maak de keukenlampen ongedaan"),
    "ko": ("주방 불 켜줘", "블라인드 닫아줘", "주방 불 되돌려줘"),
}


@pytest.mark.parametrize("language", NAMED)
async def test_what_is_named_is_put_back_though_something_else_was_done_since(language: str, tmp_path: Path) -> None:
    first, second, undo = NAMED[language]
    async with shown(tmp_path, language) as home:
        before = home_of(home)
        said = await home.ask(first)
        lamps = {i for i, found in home_of(home).items() if found != before[i]}
        await home.ask(second, said.conversation_id)
        since = home_of(home)
        assert lamps
        assert any(since[i] != before[i] for i in before.keys() - lamps)
        reply = await home.ask(undo, said.conversation_id)
        expected = {i: before[i] if i in lamps else found for i, found in since.items()}
        await eventually(lambda: home_of(home) == expected)
        assert reply.handled


async def test_of_a_step_only_what_is_named_is_put_back(tmp_path: Path) -> None:
    async with shown(tmp_path) as home:
        before = home_of(home)
        said = await home.ask("dim the study light to 20 % and open the bedroom curtain")
        await home.ask("undo the study light", said.conversation_id)
        await eventually(lambda: home_of(home)["light.study"] == before["light.study"])
        assert home.state("cover.bedroom_curtain") == "open"


async def test_what_is_to_stay_stays(tmp_path: Path) -> None:
    async with shown(tmp_path) as home:
        said = await home.ask("open the bedroom curtain")
        after = home_of(home)
        undo = "undo everything but the curtain"
        await home.ask(undo, said.conversation_id)
        assert home_of(home) == after


async def test_of_a_group_only_what_was_on_is_on_again(tmp_path: Path) -> None:
    async with shown(tmp_path) as home:
        await home.ask("turn on the counter light")
        before = home_of(home)
        assert (before["light.kitchen_counter"][0], before["light.kitchen_ceiling"][0]) == ("on", "off")
        said = await home.ask("switch off the kitchen lights")
        assert home.state("light.kitchen_counter") == "off"
        await home.ask("undo", said.conversation_id)
        await eventually(lambda: home_of(home) == before)


async def test_lamps_of_a_group_have_their_own_colours_again(tmp_path: Path) -> None:
    async with shown(tmp_path) as home:
        await home.ask("set the kitchen lights to 50 %")
        await home.ask("set the kitchen ceiling to 3000 kelvin")
        await home.ask("set the kitchen counter to 5000 kelvin")
        before = home_of(home)
        ceiling, counter = (before[lamp][1] for lamp in ("light.kitchen_ceiling", "light.kitchen_counter"))
        assert (ceiling["color_temp_kelvin"], counter["color_temp_kelvin"]) == (3000, 5000)
        assert ceiling["brightness"] == counter["brightness"]
        said = await home.ask("set the kitchen lights to 4000 kelvin")
        assert home_of(home)["light.kitchen_ceiling"] == home_of(home)["light.kitchen_counter"]
        await home.ask("undo", said.conversation_id)
        await eventually(lambda: home_of(home) == before)
