"""Questions about safety that are not understood: what they name is told, and nothing else ever is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from homeagent.brains.local.brain import LocalBrain
from homeagent.conversations import Answer
from homeagent.ha.connection import HomeAssistant
from homeagent.languages.safety import safety_words
from homeagent.tools.ha_query import HaQuery
from homeagent.turn import Brain, Step, Turn
from homeagent.turns.agent_phrases import phrase as needs_llm
from tests.brains.safety_material import faults, homes, questions, written
from tests.brains.talking import Other, reached
from tests.turning import ScriptedBrain, Stage

LANGUAGES = ["en", "de", "fr", "es", "nl", "ko"]
TRAPS = Path(__file__).with_name("data") / "safety_traps_2026-11-29.jsonl"
MISSED = {
    "could some bloke just stroll in round the back": "nothing tells that it asks",
    "Banging headache and the boiler's been on all night, is there any of that silent killer about?": "a byname",
    "my little one climbs everything, her bedroom window, is it shut?": "whose room is meant",
    "Bad überschwemmt??": "right, but the only detector is called what is lacking",
    "un cambrioleur passerait facilement par derrière, là ?": "whether somebody could come in, without saying so",
    "Les petits dorment, leur fenêtre est bien close ?": "whose room is meant; all windows are told",
    "Ça pique la gorge et on voit trouble dans le couloir, y a un détecteur qui réagit ?": "which detector",
    "¿eché la llave de la puerta de la calle?": "the front door by another name",
    "Estoy sola y juraría que alguien anda por el sótano, ¿ves algo?": "“anda” is taken for a courtesy",
    "kan er achterom zo iemand binnenlopen": "nothing tells that it asks",
}
"""Of the fourth set, and why."""
CAUGHT = {
    "would the range still be good after five years?": "which range",
    "¿Sigue en pie la barrera de los dos euros?": "a figure of speech",
    "다리미질 아직도 싫어해?": "ironing, which begins as the iron does",
    "창 던지기 아직 하고 있어?": "the javelin, which is called as a window is",
}
"""Sentences whose word for safety is used otherwise, and that are answered all the same."""


@pytest.mark.parametrize("language", LANGUAGES)
async def test_what_is_asked_in_a_roundabout_way(other_home: Other, language: str) -> None:
    things = homes()[language]
    asked = [q for q in questions("safety_questions_fourth") if q.language == language]
    wrong = {}
    async with other_home(written(language, things)) as (ask, demo):
        for question in asked:
            reply = await ask(question.text, language=language, anew=True)
            if found := faults(question, reply.response, things):
                wrong[question.text] = (reply.response, found)
    assert asked
    assert set(wrong) == {q.text for q in asked} & set(MISSED), wrong
    assert not reached(demo)


@pytest.mark.parametrize("language", LANGUAGES)
async def test_other_uses_of_these_words_are_not_answered(other_home: Other, language: str) -> None:
    """Neither with a state nor with what is lacking."""
    known = safety_words(language)
    assert known is not None
    lacks = [known.phrases["lacks"].format(kind=kind) for kind in known.lacking.values()]
    traps = [t["text"] for t in map(json.loads, TRAPS.read_text("utf-8").splitlines()) if t["lang"] == language]
    answered = {}
    async with other_home(written(language, homes()[language])) as (ask, _):
        for text in traps:
            reply = await ask(text, language=language, anew=True)
            looked = any(c["name"] == "ha_query" for s in (reply.trace or {})["steps"] for c in s["calls"])
            if looked or any(lack in reply.response for lack in lacks):
                answered[text] = reply.response
    assert traps
    assert set(answered) == set(traps) & set(CAUGHT), answered


@pytest.mark.parametrize(
    ("language", "text", "done"),
    [
        ("en", "make sure nobody forgets the oven again, get it cold, will you?", set()),
        ("fr", "tu pourrais tirer la porte du garage et me dire si elle est fermée ?", set()),
        ("fr", "éteins-moi vite ce four qui chauffe encore, tu veux ?", {"switch.oven"}),
        ("es", "¿podrías echar el cerrojo de la puerta trasera y decirme si está cerrada?", set()),
        ("nl", "wil je de achterdeur even dichtgooien en zeggen of hij dicht is?", set()),
        ("ko", "뒷문 얼른 잠그고 알려 줄래?", {"lock.back_door"}),
        ("ko", "오븐 빨리 좀 꺼 주지 그래?", {"switch.oven"}),
    ],
)
async def test_an_order_is_never_answered_as_if_it_was_done(
    other_home: Other, language: str, text: str, done: set[str]
) -> None:
    """It is carried out, or else left alone."""
    async with other_home(written(language, homes()[language])) as (ask, demo):
        reply = await ask(text, language=language)
    assert reached(demo) == done
    assert reply.response.startswith(needs_llm("needs_llm", language)) is not bool(done)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("is that oven of ours roasting away again?", "Oven is on."),
        ("goodness, is there a puddle in the bathroom?", "I have no water leak sensor in Bathroom."),
        ("goodness, is there a puddle in the laundry room?", "No, Water leak sensor is dry."),
        ("Anna thinks the patio door got forgotten, did it?", "Patio door is closed."),
        ("my gosh, could somebody just come in by the back door?", "Back door lock is unlocked. Back door is closed."),
        (
            "do you reckon somebody down there is creeping about?",
            "Living room motion is detected. Hall motion and Cellar motion are clear.",
        ),
    ],
)
async def test_it_tells_what_is_named(other_home: Other, text: str, said: str) -> None:
    async with other_home(written("en", homes()["en"])) as (ask, demo):
        assert (await ask(text)).response == said
        assert not reached(demo)


async def test_a_model_is_asked_first_and_nothing_that_is_there_is_denied(
    home_assistant: HomeAssistant, tmp_path: Path
) -> None:
    text = "Something smells singed, has the thing on the ceiling gone off?"
    model = ScriptedBrain(Step(text="Open a window."), name="llm")
    assert await _say(text, home_assistant, tmp_path, model) == "Open a window."
    assert await _say(text, home_assistant, tmp_path, None) == "I have no smoke detector."


async def test_what_is_remembered_goes_before_it(home_assistant: HomeAssistant, tmp_path: Path) -> None:
    said = await _say("did Tom forget the oven again, I wonder?", home_assistant, tmp_path, None, _Remembers())
    assert said == "You told me."


class _Remembers:
    """Remembers an answer to every question."""

    async def speaker(self, user_id: str | None) -> str | None:
        return user_id

    async def answer(self, turn: Turn, *, otherwise: bool = False) -> Answer | None:
        return None

    async def meant(self, turn: Turn) -> None:
        return None

    async def not_known(self, turn: Turn) -> Answer | None:
        return None

    async def tell(self, turn: Turn) -> Answer | None:
        return Answer("You told me.", "memory")

    def noting(self, turn: Turn, answer: Answer) -> None:
        return None

    def wake(self) -> None: ...


async def _say(
    text: str, ha: HomeAssistant, folder: Path, model: Brain | None, remembering: _Remembers | None = None
) -> str:
    stage = Stage(ha, folder, tools=[HaQuery(ha)])
    agent = stage.agent({"local": LocalBrain(ha.home), "llm": model}, remembering=remembering)
    reply = await agent.process(text, language="en")
    await stage.close()
    return reply.response
