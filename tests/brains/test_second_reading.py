"""What a sentence is for by its meaning, where its words were not understood: read again as the plain sentence."""

from __future__ import annotations

from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest

from homeagent.brains.local.brain import LocalBrain
from homeagent.brains.local.frame_plans import FramePlanner, FramePlans, offered
from homeagent.brains.local.second_reading.order_guesses import order_guesses
from homeagent.brains.local.second_reading.second_reader import UNANSWERABLE
from homeagent.brains.local.surroundings import Catalog, Surroundings
from homeagent.demo.server import DemoServer
from homeagent.errors import InvalidLanguagePack
from homeagent.evaluation.packs.coverage import missing_sentences
from homeagent.ha.connection import HomeAssistant
from homeagent.intents.canonical import CanonicalFile, canonical_sentences, filled, slots_of
from homeagent.intents.classifier import Guess
from homeagent.intents.intent import QUESTIONS, Intent
from homeagent.intents.intent_reader import IntentReader
from homeagent.languages.answers import load_answers
from homeagent.languages.folder import Part, languages_with
from homeagent.languages.pack_schema import _read
from homeagent.tools.ha_query import HaQuery
from homeagent.tools.todo_items import open_items
from homeagent.turn import Say, Step, Turn
from homeagent.turns.reply import Reply
from tests.brains.talking import pressed
from tests.turning import Stage

FROM_MODEL = "from the model"
WHEN = {"en": "tomorrow", "de": "morgen", "fr": "demain", "es": "mañana", "nl": "morgen", "ko": "내일"}
COLOUR = {"en": "blue", "de": "blau", "fr": "bleu", "es": "azul", "nl": "blauw", "ko": "파란색"}
HOW_LONG = {"en": "4 minutes", "de": "4 Minuten", "fr": "4 minutes", "es": "4 minutos", "nl": "4 minuten", "ko": "4분"}


NO_STATE = "no state of the home is an answer to it"
FREE_TEXT = "where its text begins and ends no rule tells"
LEANS = "it leans on the turn before"
NOT_FROM_ONE = "what is ordered is an intent of its own"
NO_WAY_BACK = "what is cancelled by mistake is missed"
WITHOUT_SENTENCE = {
    **dict.fromkeys(UNANSWERABLE, NO_STATE),
    **dict.fromkeys((Intent.ANNOUNCE, Intent.REMINDER_SET), FREE_TEXT),
    **dict.fromkeys((Intent.UNDO, Intent.STOP, Intent.REPEAT), LEANS),
    **dict.fromkeys((Intent.ORDER_LATER, Intent.ORDER_WHEN), NOT_FROM_ONE),
    **dict.fromkeys((Intent.TIMER_CANCEL, Intent.ALARM_CANCEL), NO_WAY_BACK),
    Intent.ERRAND: "no home does it",
    Intent.HISTORY_WAS: "which state is asked for the words have to tell",
}
"""The intents that have no plain sentence, and why."""


class Guessing(IntentReader):
    """Takes every sentence to be for one thing, or a little for its ``opposite``; notes which it was asked about."""

    def __init__(self, intent: Intent, share: float, opposite: tuple[Intent, float] | None = None) -> None:
        self.asked: list[str] = []
        shares = {intent: share, **({opposite[0]: opposite[1]} if opposite else {})}
        rest = (1 - sum(shares.values())) / (len(Intent) - len(shares))
        self._guess = Guess({one: shares.get(one, rest) for one in Intent})

    async def read(self, text: str) -> Guess | None:
        self.asked.append(text)
        return self._guess


class Model:
    name = "llm"
    available = True

    async def next_step(self, turn: Turn, say: Say) -> Step:
        return Step(text=FROM_MODEL)


@asynccontextmanager
async def talking(ha: HomeAssistant, folder: Path, intents: IntentReader, *, model: bool = False, lists: bool = False):
    stage = Stage(ha, folder, tools=[HaQuery(ha)])
    opened = partial(open_items, ha) if lists else None
    local = LocalBrain(ha.home, timers=stage.timers.find, intents=intents, lists=opened)
    agent = stage.agent({"local": local, "llm": Model()}, "auto") if model else stage.agent(local, mode="local")
    conversation: list[str] = []

    async def say(text: str, language: str = "en") -> Reply:
        known = conversation[0] if conversation else None
        reply = await agent.process(text, language=language, conversation_id=known, trace=True)
        conversation[:] = [reply.conversation_id]
        return reply

    try:
        yield say
    finally:
        await stage.close()


async def test_a_question_in_other_words_is_answered_without_a_yes(
    home_assistant: HomeAssistant, tmp_path: Path
) -> None:
    async with talking(home_assistant, tmp_path, Guessing(Intent.ASK_RAIN, 0.9)) as say:
        reply = await say("Could I get away without an umbrella tomorrow?")
    assert "°C" in reply.response
    assert not reply.response.startswith(("Yes", "No"))
    guess = (reply.trace or {})["guess"]
    assert (guess["intent"], guess["read_as"]) == ("ask_rain", "will it rain tomorrow?")
    assert guess["share"] >= 0.9


async def test_what_was_understood_is_not_answered_as_its_kin(home_assistant: HomeAssistant, tmp_path: Path) -> None:
    async with talking(home_assistant, tmp_path, Guessing(Intent.ASK_WIND, 0.8, (Intent.ASK_SUN, 0.15))) as say:
        assert "Wind" in (await say("Wie windig ist es gerade?", "de")).response


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "is it warmer inside than outside?"),
        ("de", "ist es drinnen wärmer als draußen?"),
        ("fr", "il fait plus chaud dedans que dehors ?"),
        ("es", "¿hace más calor dentro que fuera?"),
        ("nl", "is het binnen warmer dan buiten?"),
        ("ko", "집 안이 바깥보다 따뜻해?"),
    ],
)
async def test_a_comparison_is_not_answered_as_one_of_its_sides(
    home_assistant: HomeAssistant, tmp_path: Path, language: str, text: str
) -> None:
    async with talking(home_assistant, tmp_path, Guessing(Intent.ASK_OUTDOOR_TEMPERATURE, 0.98)) as say:
        reply = await say(text, language)
    assert (reply.trace or {}).get("guess") is None
    assert reply.response.count("°C") > 1


async def test_a_doubtful_guess_answers_nothing(home_assistant: HomeAssistant, tmp_path: Path) -> None:
    async with talking(home_assistant, tmp_path, Guessing(Intent.ASK_RAIN, 0.5)) as say:
        reply = await say("Could I get away without an umbrella tomorrow?")
    assert "°C" not in reply.response


async def test_another_place_is_not_told_the_weather_of_this_one(home_assistant: HomeAssistant, tmp_path: Path) -> None:
    async with talking(home_assistant, tmp_path, Guessing(Intent.ASK_RAIN, 0.95)) as say:
        reply = await say("Would I get away without an umbrella in Glasgow?")
    assert "°C" not in reply.response


@pytest.mark.parametrize(("share", "answer"), [(0.9, "°C"), (0.7, FROM_MODEL)])
async def test_before_a_model_only_a_sure_question_is_answered(
    home_assistant: HomeAssistant, tmp_path: Path, share: float, answer: str
) -> None:
    async with talking(home_assistant, tmp_path, Guessing(Intent.ASK_RAIN, share), model=True) as say:
        assert answer in (await say("Could I get away without an umbrella tomorrow?")).response


async def test_an_order_is_a_models_to_carry_out(
    demo: DemoServer, home_assistant: HomeAssistant, tmp_path: Path
) -> None:
    async with talking(home_assistant, tmp_path, Guessing(Intent.LOCK, 0.95), model=True) as say:
        assert (await say("nobody ought to wander in by the front door")).response == FROM_MODEL
    assert demo.calls == []


async def test_an_order_is_asked_about_and_a_yes_does_it(
    demo: DemoServer, home_assistant: HomeAssistant, tmp_path: Path
) -> None:
    async with talking(home_assistant, tmp_path, Guessing(Intent.DEVICE_ON, 0.9)) as say:
        reply = await say("gasping for something hot from the coffee machine")
        assert reply.question
        assert "coffee machine" in reply.response.casefold()
        assert demo.calls == []
        await say("yes")
    assert [call.service for call in demo.calls] == ["turn_on"]


@pytest.mark.parametrize(
    ("intent", "text"),
    [
        (Intent.TIMER_SET, "tea wants twenty seconds, eggs twenty-five seconds, bread another half hour"),
        (Intent.LIGHT_ON, "gloomy round the reading lamp come 7 pm"),
        (Intent.LIGHT_ON, "gloomy round the reading lamp in ten minutes"),
        (Intent.VACUUM_START, "crumbs for Rosie in ten minutes"),
    ],
)
async def test_nothing_is_done_with_a_time_left_out(
    demo: DemoServer, home_assistant: HomeAssistant, tmp_path: Path, intent: Intent, text: str
) -> None:
    async with talking(home_assistant, tmp_path, Guessing(intent, 1.0)) as say:
        reply = await say(text)
    assert demo.calls == []
    assert reply.response_type.value != "action_done", reply.response


@pytest.mark.parametrize(
    ("language", "text"),
    [("en", "Friday at 3 pm"), ("de", "Freitag um 15 Uhr"), ("fr", "vendredi à 15 h"), ("ko", "금요일 오후 3시")],
)
async def test_a_time_alone_sets_no_alarm(
    demo: DemoServer, home_assistant: HomeAssistant, tmp_path: Path, language: str, text: str
) -> None:
    async with talking(home_assistant, tmp_path, Guessing(Intent.ALARM_SET, 1.0)) as say:
        assert "15:00" not in (await say(text, language)).response


async def test_an_order_beside_a_question_is_not_left_out(
    demo: DemoServer, home_assistant: HomeAssistant, tmp_path: Path
) -> None:
    """The second reading answers the question alone: it would say nothing of the order."""
    async with talking(home_assistant, tmp_path, Guessing(Intent.LIST_ASK, 1.0)) as say:
        reply = await say("Setz Butter auf die Einkaufsliste. Was steht da sonst noch drauf?", "de")
    added = [call for call in demo.calls if call.service == "add_item"]
    assert added or "Shopping list" not in reply.response


@pytest.mark.parametrize(
    ("intent", "text", "services"),
    [
        (Intent.LIST_REMOVE, "scrap the milk, next door gave us a dozen", ["remove_item"]),
        (Intent.LIST_REMOVE, "scrap the milk, unless next door gave us a dozen", []),
        (Intent.PASSING, "scrap the milk, next door gave us a dozen", []),
        (Intent.LIST_ADD, "scrap the milk, next door gave us a dozen", []),
    ],
)
async def test_what_is_understood_in_part_is_done_where_the_whole_is_for_it(
    demo: DemoServer, home_assistant: HomeAssistant, tmp_path: Path, intent: Intent, text: str, services: list[str]
) -> None:
    async with talking(home_assistant, tmp_path, Guessing(intent, 0.7)) as say:
        await say(text)
    assert [call.service for call in demo.calls if call.service != "get_items"] == services


@pytest.mark.parametrize(("share", "services"), [(0.9, ["update_item"]), (0.6, [])])
async def test_what_is_told_to_be_bought_is_ticked_off_where_that_is_likely_meant(
    demo: DemoServer, home_assistant: HomeAssistant, tmp_path: Path, share: float, services: list[str]
) -> None:
    stage = Stage(home_assistant, tmp_path, tools=[HaQuery(home_assistant)])
    lists = partial(open_items, home_assistant)
    local = LocalBrain(home_assistant.home, intents=Guessing(Intent.LIST_REMOVE, share), lists=lists)
    reply = await stage.agent(local, mode="local").process("I bought the milk already", language="en")
    await stage.close()
    assert "milk" in reply.response
    assert [call.service for call in demo.calls if call.service != "get_items"] == services


async def test_what_no_order_is_for_is_not_left_out_by_one(
    demo: DemoServer, home_assistant: HomeAssistant, tmp_path: Path
) -> None:
    """The weather is called home as well."""
    await pressed(demo, home_assistant, "vacuum.rosie", "cleaning")
    async with talking(home_assistant, tmp_path, Guessing(Intent.VACUUM_STOP, 0.9)) as say:
        await say("that robot keeps bumping into my feet, home with it")
    assert [call.service for call in demo.calls] == ["return_to_base"]


async def test_a_lock_is_never_worked_by_a_guess(
    demo: DemoServer, home_assistant: HomeAssistant, tmp_path: Path
) -> None:
    async with talking(home_assistant, tmp_path, Guessing(Intent.UNLOCK, 1.0)) as say:
        reply = await say("my mum is waiting by the front door")
    assert demo.calls == []
    assert "front door" not in reply.response.casefold() or reply.question


async def test_a_value_and_a_thing_that_were_said_are_set_at_once(
    demo: DemoServer, home_assistant: HomeAssistant, tmp_path: Path
) -> None:
    async with talking(home_assistant, tmp_path, Guessing(Intent.LIGHT_DIMMER, 0.95)) as say:
        await say("the reading lamp barely a glimmer, fifteen percent")
    assert [(call.entity_id, call.data) for call in demo.calls] == [("light.reading_lamp", {"brightness_pct": 15})]


async def test_a_value_is_asked_about_where_a_thing_is_left_out(
    demo: DemoServer, home_assistant: HomeAssistant, tmp_path: Path
) -> None:
    async with talking(home_assistant, tmp_path, Guessing(Intent.LIGHT_DIMMER, 0.95)) as say:
        reply = await say("the reading lamp glares on the tv backlight, fifteen percent")
    assert demo.calls == []
    assert "15%" in reply.response or not reply.question


@pytest.mark.parametrize(
    "text",
    [
        "gloomy round the reading lamp for 3 people",
        "gloomy round the reading lamp if anybody wonders",
        "gloomy everywhere except the reading lamp",
        "gloomy round the reading lamp last night",
    ],
)
async def test_nothing_is_done_or_offered_that_leaves_out_what_counts(
    demo: DemoServer, home_assistant: HomeAssistant, tmp_path: Path, text: str
) -> None:
    async with talking(home_assistant, tmp_path, Guessing(Intent.LIGHT_ON, 1.0)) as say:
        assert "lamp?" not in (await say(text)).response
    assert demo.calls == []


@pytest.mark.parametrize(
    ("intent", "text", "offered"),
    [
        (Intent.SET_TEMPERATURE, "bedroom thermostat, nineteen degrees is plenty", "19"),
        (Intent.COVER_POSITION, "living room blinds, forty percent is plenty", "40%"),
        (Intent.SCENE, "the kids love movie night", "Movie night"),
        (Intent.LIGHT_ON, "gloomy round the reading lamp or not", "Reading lamp"),
        (Intent.LIGHT_ON, "it was gloomy round the reading lamp", "Reading lamp"),
    ],
)
async def test_what_may_be_a_statement_or_moves_something_is_asked_about(
    demo: DemoServer, home_assistant: HomeAssistant, tmp_path: Path, intent: Intent, text: str, offered: str
) -> None:
    async with talking(home_assistant, tmp_path, Guessing(intent, 0.99)) as say:
        reply = await say(text)
    assert (reply.question, offered in reply.response, demo.calls) == (True, True, [])


async def test_a_value_is_not_answered_as_a_question_where_it_may_be_an_order(
    home_assistant: HomeAssistant, tmp_path: Path
) -> None:
    doubtful = Guessing(Intent.ASK_BRIGHTNESS_POSITION, 0.65, (Intent.LIGHT_DIMMER, 0.3))
    async with talking(home_assistant, tmp_path, doubtful) as say:
        assert "Reading lamp" not in (await say("forty percent is plenty for the reading lamp")).response


async def test_which_way_is_meant_is_told_by_words_or_asked(
    demo: DemoServer, home_assistant: HomeAssistant, tmp_path: Path
) -> None:
    demo.set_state("media_player.living_room_speaker", "playing", {"volume_level": 0.4})
    async with talking(home_assistant, tmp_path, Guessing(Intent.LOUDER, 0.9)) as say:
        reply = await say("granny cannot follow the tune")
        assert (reply.question, "turn up the volume" in reply.response) == (True, True)
        assert demo.calls == []
    unsure = Guessing(Intent.LOUDER, 0.6, (Intent.QUIETER, 0.3))
    async with talking(home_assistant, tmp_path, unsure) as say:
        assert "volume" not in (await say("granny cannot follow the tune")).response


async def test_no_alarm_is_set_by_a_guess_beside_another(
    demo: DemoServer, home_assistant: HomeAssistant, tmp_path: Path
) -> None:
    async with talking(home_assistant, tmp_path, Guessing(Intent.ALARM_SET, 0.95)) as say:
        assert "06:45" in (await say("haul me from the sheets at quarter to seven in the morning")).response
        assert "set" not in (await say("haul me from the sheets at quarter to eight in the morning")).response


async def test_what_is_only_said_is_acknowledged(home_assistant: HomeAssistant, tmp_path: Path) -> None:
    async with talking(home_assistant, tmp_path, Guessing(Intent.PASSING, 0.9)) as say:
        said = load_answers("en")
        assert said is not None
        assert (await say("my knees went wobbly at the parade")).response in said.phrases["heard"].splitlines()


async def test_what_can_be_done_is_told_of_this_home(home_assistant: HomeAssistant, tmp_path: Path) -> None:
    async with talking(home_assistant, tmp_path, Guessing(Intent.ASK_CAPABILITY, 0.9)) as say:
        reply = await say("what can you do?")
    assert all(kind in reply.response for kind in ("lights", "thermostats", "timers"))


@pytest.mark.parametrize(("share", "done"), [(0.5, True), (0.2, False)])
async def test_what_words_offer_and_meaning_is_for_is_done(
    demo: DemoServer, home_assistant: HomeAssistant, tmp_path: Path, share: float, done: bool
) -> None:
    async with talking(home_assistant, tmp_path, Guessing(Intent.LIGHT_ON, share)) as say:
        reply = await say("It is too dark in the garage")
    assert reply.question is not done
    assert (demo.state("light.garage")["state"] == "on") is done


async def test_nobody_guesses_about_an_order_in_plain_words(home_assistant: HomeAssistant, tmp_path: Path) -> None:
    intents = Guessing(Intent.LIGHT_OFF, 1.0)
    async with talking(home_assistant, tmp_path, intents) as say:
        await say("turn on the kitchen lights")
        await say("is the front door locked?")
    assert intents.asked == []


@pytest.mark.parametrize("language", languages_with(Part.CANONICAL))
def test_the_plain_sentences_are_understood(looked_at: HomeAssistant, language: str) -> None:
    home = looked_at.home
    players = tuple(e for e in home.exposed() if e.domain == "media_player")
    planner, around = FramePlanner(home), Surroundings(home, Catalog(home.entities.values()), players)
    names = planner.names(language)
    assert names is not None
    said = {"day": WHEN[language], "duration": HOW_LONG[language], "place": "Living Room", "title": "Yoga"}
    said |= {"clock": "6:30", "percent": "30", "temperature": "21.5", "item": "Yoga", "colour": COLOUR[language]}
    said |= {"source": next(str(s) for e in players for s in home.state(e.entity_id).attributes.get("source_list", ()))}

    def fill(slot: str) -> str | None:
        domain = "light" if slot == "thing" else slot
        return said.get(slot) or next((e.name for e in home.exposed() if e.domain == domain), None)

    def holds(intent: Intent, read: FramePlans) -> bool:
        if intent in QUESTIONS or intent is Intent.ASK_CAPABILITY:
            return read.answers
        return read.settles or bool(offered(read, around))

    failing = [
        sentence
        for intent, sentences in canonical_sentences(language).items()
        for one in sentences
        if (sentence := filled(one, fill)) is not None
        and intent not in (Intent.ASK_ENERGY, Intent.ASK_BATTERY, Intent.ASK_HUMIDITY_AIR)
        and not holds(intent, planner.read(sentence, language, around, None))
    ]
    assert failing == []
    assert missing_sentences(language) == {}


@pytest.mark.parametrize("language", languages_with(Part.CANONICAL))
def test_what_has_no_plain_sentence_has_a_reason(language: str) -> None:
    assert set(Intent) - set(canonical_sentences(language)) == set(WITHOUT_SENTENCE)


def test_a_slot_that_nothing_fills_leaves_its_part_out_or_the_sentence() -> None:
    words = {"day": "tomorrow"}
    assert filled("will it rain[ {day}]?", words.get) == "will it rain tomorrow?"
    assert filled("will it rain[ {day}]?", {}.get) == "will it rain?"
    assert filled("how bright is {light}?", words.get) is None
    assert slots_of("turn on {light}[ {day}]") == {"light", "day"}


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("ask_rain: ['will it rain {when}?']", "no such slot: when"),
        ("ask_rain: ['will it rain[ {day}?']", "not closed"),
        ("ask_snow: ['will it snow?']", "ask_rain"),
        ("ask_rain: []", "at least 1"),
    ],
)
def test_a_file_that_is_not_valid_names_line_and_reason(tmp_path: Path, written: str, told: str) -> None:
    (tmp_path / "canonical.yaml").write_text(written, "utf-8")
    with pytest.raises(InvalidLanguagePack, match="line 1") as error:
        _read(tmp_path / "canonical.yaml", CanonicalFile)
    assert told in str(error.value)


@pytest.mark.parametrize(("lock", "unlock", "likely"), [(0.85, 0.06, False), (0.51, 0.42, True)])
def test_a_way_in_is_not_offered_to_who_wants_it_shut(lock: float, unlock: float, *, likely: bool) -> None:
    guess = Guess({**dict.fromkeys(Intent, 0.0), Intent.LOCK: lock, Intent.UNLOCK: unlock})
    second = next(one for one in order_guesses(guess) if one.intent is Intent.UNLOCK)
    assert second.is_open(frozenset(), stepping=False, valued=False) is not likely
