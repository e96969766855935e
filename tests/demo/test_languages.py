"""The demo home in six languages: what its greeting proposes, and eight everyday sentences, by what they change."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from homeagent.config.settings import Settings
from homeagent.demo.shown_home import shown_home, shown_languages
from homeagent.errors import ConfigError
from homeagent.service.demo import for_demo, greeting
from tests.contract.houses import eventually
from tests.demo.showing import shown

SENTENCES = yaml.safe_load(Path(__file__).with_name("sentences.yaml").read_text("utf-8"))
LIVING_ROOM_LIGHTS = ("light.reading_lamp", "light.living_room_ceiling", "light.tv_backlight", "switch.standing_lamp")


def test_the_six_languages() -> None:
    assert set(shown_languages()) == set(SENTENCES) == {"de", "en", "es", "fr", "ko", "nl"}


@pytest.mark.parametrize("language", sorted(SENTENCES))
def test_everything_has_a_name_of_its_language(language: str) -> None:
    own, named = shown_home().inventory, shown_home(language).inventory
    assert named.language == language
    assert [entity.id for entity in named.entities] == [entity.id for entity in own.entities]
    if language != "en":
        as_before = [e.id for e, n in zip(own.entities, named.entities, strict=True) if e.name == n.name]
        kept = {"sensor.0x00158d0003f1a2b4", "media_player.tv", "vacuum.rosie", "person.anna", "person.ben"}
        # words of two languages, and a name that is not English in the first place
        alike = {"alarm_control_panel.home", "water_heater.boiler", "input_text.note", "light.nachtlicht_musli"}
        assert set(as_before) <= kept | alike
        assert not {area.name for area in named.areas} & ({area.name for area in own.areas} - {"Garage"})


def test_a_language_that_it_does_not_speak_is_told() -> None:
    with pytest.raises(ConfigError) as error:
        for_demo(Settings(), "xx")
    assert "de, en, es, fr, ko, nl" in str(error.value.hint)
    assert for_demo(Settings(), "de").agent.language == "de"


@pytest.mark.parametrize("language", sorted(SENTENCES))
async def test_what_it_proposes_works(language: str, tmp_path: Path) -> None:
    command, question, dangerous, reason, before = shown_home(language).to_try
    assert f'homeagent ask "{reason}"' in greeting("http://x", "homeagent", language)
    async with shown(tmp_path, language) as home:
        await home.ask(command)
        assert home.state("light.kitchen_lights") == "on"
        assert (await home.ask(question)).response_type.value == "query_answer"
        assert (await home.ask(dangerous)).pending
        assert home.state("lock.front_door") == "locked"
        automation = home.server.state("automation.hall_light_on_motion")["attributes"]["friendly_name"]
        assert automation in (await home.ask(reason)).response
        assert (
            home.server.state("climate.bathroom_floor")["attributes"]["friendly_name"]
            in (await home.ask(before)).response
        )


@pytest.mark.parametrize("language", sorted(SENTENCES))
async def test_eight_everyday_sentences(language: str, tmp_path: Path) -> None:
    lights, locked, unlock, warmer, eggs, all_off, blinds, vacuum = SENTENCES[language]
    async with shown(tmp_path, language) as home:
        await home.ask(lights)
        assert home.state("light.kitchen_ceiling") == home.state("light.kitchen_counter") == "on"
        assert (await home.ask(locked)).targets == ("lock.front_door",)
        assert (await home.ask(unlock)).pending
        assert home.state("lock.front_door") == "locked"
        await home.ask(warmer)
        assert home.server.state("climate.bedroom")["attributes"]["temperature"] == 21
        await home.ask(eggs)
        assert home.state("todo.shopping_list") == "3"
        await home.ask(all_off)
        assert [home.state(light) for light in LIVING_ROOM_LIGHTS] == ["off"] * 4
        await home.ask(blinds)
        await eventually(lambda: home.state("cover.living_room_blinds") == "closed")
        await home.ask(vacuum)
        await eventually(lambda: home.state("vacuum.rosie") == "cleaning")


_TIMER = {
    "en": ("start the pizza timer for 12 minutes", "how long is left on the pizza timer?", "minutes"),
    "de": ("starte den Pizza-Timer für 12 Minuten", "wie lange läuft der Pizza-Timer noch?", "Minuten"),
    "fr": (
        "démarre le minuteur pizza pour 12 minutes",
        "combien de temps reste-t-il sur le minuteur pizza ?",
        "minutes",
    ),
    "es": ("inicia el temporizador de pizza de 12 minutos", "¿cuánto queda en el temporizador de pizza?", "minutos"),
    "nl": ("start de pizzatimer voor 12 minuten", "hoe lang loopt de pizzatimer nog?", "minuten"),
    "ko": ("피자 타이머 12분으로 시작해줘", "피자 타이머 얼마나 남았어?", "분"),
}


@pytest.mark.parametrize("language", sorted(_TIMER))
async def test_a_timer_of_home_assistants_is_started_and_tells_what_is_left(language: str, tmp_path: Path) -> None:
    start, ask, minutes = _TIMER[language]
    async with shown(tmp_path, language) as home:
        await home.ask(start)
        assert home.state("timer.pizza") == "active"
        assert home.server.state("timer.pizza")["attributes"]["duration"] == "0:12:00"
        told = (await home.ask(ask)).response
        assert re.search(rf"(?<!\d)1[12] ?{minutes}", told), told  # and no clock's digits
        await home.app.ha.call_service("timer", "pause", entity_ids=["timer.pizza"])
        await eventually(lambda: home.app.home.state_text("timer.pizza") == "paused")
        assert minutes in (await home.ask(ask)).response
        await home.app.ha.call_service("timer", "cancel", entity_ids=["timer.pizza"])
        await eventually(lambda: home.app.home.state_text("timer.pizza") == "idle")
        assert minutes not in (await home.ask(ask)).response
