"""With a model configured, what the local brain does not explain wholly is the model's business."""

from __future__ import annotations

from pathlib import Path

import pytest

from homeagent.agent import Reply
from homeagent.brains.local.brain import LocalBrain
from homeagent.demo.server import DemoServer
from homeagent.ha.connection import HomeAssistant
from homeagent.tools.ha_query import HaQuery
from homeagent.turn import Say, Step, Turn
from tests.turning import Stage

FROM_MODEL = "This is from the model."
HALF_KNOWN = [
    ("en", "turn on the kitchen lights and order me a pizza"),
    ("en", "make the living room feel like a beach at dusk"),
    ("en", "the bulb in the hall lamp needs replacing, which one fits?"),
    ("en", "turn off everything that wastes power tonight"),
    ("en", "set the living room lights to the mood of a jazz bar"),
    ("en", "turn on whatever makes the hall less gloomy"),
    ("en", "prepare the house for a thunderstorm"),
    ("en", "dim the kitchen as if a film were on"),
    ("de", "mach das Wohnzimmer gemütlich wie im Advent"),
    ("de", "schalte das Küchenlicht ein und bestell eine Pizza"),
    ("de", "stell die Heizung so, wie meine Frau es mag"),
    ("fr", "prépare la maison pour un orage"),
    ("fr", "allume la cuisine et commande une pizza"),
    ("es", "prepara la casa para una tormenta"),
    ("es", "enciende la cocina y pide una pizza"),
    ("nl", "maak het huis klaar voor een onweersbui"),
    ("nl", "doe het keukenlicht aan en bestel een pizza"),
    ("ko", "주방 불 켜고 피자 주문해줘"),
]
WHOLLY_KNOWN = [
    ("en", "turn on the kitchen lights"),
    ("en", "could you please turn the kitchen lights on for me?"),
    ("en", "is the front door locked?"),
    ("de", "mach bitte Kitchen lights an"),
    ("fr", "allume Kitchen lights s'il te plaît"),
]


class Model:
    """Answers everything. ``available``: whether it can be reached."""

    name = "llm"
    available = True

    async def next_step(self, turn: Turn, say: Say) -> Step:
        return Step(text=FROM_MODEL)


async def said(ha: HomeAssistant, folder: Path, language: str, sentence: str, *, reachable: bool = True) -> Reply:
    stage, model = Stage(ha, folder, tools=[HaQuery(ha)]), Model()
    model.available = reachable
    agent = stage.agent({"local": LocalBrain(ha.home, timers=stage.timers.find), "llm": model}, "auto")
    try:
        return await agent.process(sentence, language=language)
    finally:
        await stage.close()


@pytest.mark.parametrize(("language", "sentence"), HALF_KNOWN)
async def test_a_half_known_sentence_goes_to_the_model(
    demo: DemoServer, home_assistant: HomeAssistant, tmp_path: Path, language: str, sentence: str
) -> None:
    assert (await said(home_assistant, tmp_path, language, sentence)).response == FROM_MODEL
    assert demo.calls == []


@pytest.mark.parametrize(("language", "sentence"), WHOLLY_KNOWN)
async def test_a_wholly_known_sentence_does_not(
    home_assistant: HomeAssistant, tmp_path: Path, language: str, sentence: str
) -> None:
    reply = await said(home_assistant, tmp_path, language, sentence)
    assert FROM_MODEL not in reply.response
    assert reply.handled


async def test_while_no_model_can_be_reached_the_local_brain_takes_what_it_explains_in_part(
    demo: DemoServer, home_assistant: HomeAssistant, tmp_path: Path
) -> None:
    sentence = "turn the kitchen ceiling up to full brightness"
    reply = await said(home_assistant, tmp_path, "en", sentence, reachable=False)
    reachable = await said(home_assistant, tmp_path, "en", sentence)
    assert reachable.response == FROM_MODEL
    assert FROM_MODEL not in reply.response
    assert demo.state("light.kitchen_ceiling")["attributes"]["brightness"] == 255
