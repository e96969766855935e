"""What people say of another time, in six languages: with what the tool `timer` is called for it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import yaml

from homeagent.brains.local.planning.planning import plan
from homeagent.brains.local.surroundings import Catalog, Surroundings
from homeagent.domains.actions import action_for
from homeagent.ha.home import Home, HomeConfig, State
from homeagent.languages.pack import load_pack
from homeagent.timers.due import After, At, AtSun, Due, Every, Sun, Weekday
from homeagent.turn import ToolCall
from homeagent.understanding.choosing import understand
from homeagent.understanding.deciding import Verdict, decide
from homeagent.understanding.home_names import HomeNames
from homeagent.understanding.past_times import Now
from homeagent.understanding.sentence_context import SentenceContext
from homeagent.understanding.tokeniser import tokenise
from indexer.entity import Entity

TABLE: Mapping[str, Any] = yaml.safe_load(Path(__file__).with_name("sentences.yaml").read_text("utf-8"))
BERLIN = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 11, 25, 15, 30, tzinfo=BERLIN)
KINDS = {
    "lamp": ("light", None), "ceiling": ("light", None), "coffee": ("switch", None), "heater": ("climate", None),
    "blinds": ("cover", "blind"), "window": ("binary_sensor", "window"), "door": ("lock", None),
    "radio": ("media_player", None), "washer": ("binary_sensor", "running"),
}  # fmt: skip
STATES = {"lamp": "off", "window": "off", "washer": "on", "door": "locked", "radio": "playing", "heater": "heat"}


@cache
def home_of(language: str) -> Home:
    home = Home()
    entities = [
        Entity(f"{KINDS[key][0]}.{key}", name, device_class=KINDS[key][1])
        for key, name in TABLE[language]["names"].items()
    ]
    moment = NOW.astimezone(UTC)
    states = [
        State(e.entity_id, STATES.get(e.entity_id.partition(".")[2], "off"), {"temperature": 19}, moment, moment)
        for e in entities
    ]
    home.replace(
        config=HomeConfig(time_zone=BERLIN), areas=(), floors=(), device_areas={}, entities=entities, states=states
    )
    home.clock = lambda: NOW
    return home


@cache
def names_of(language: str) -> HomeNames:
    pack = load_pack(language)
    assert pack is not None
    return HomeNames(home_of(language).entities.values(), (), (), pack)


def called(text: str, language: str, running: tuple[str, ...] = ()) -> dict[str, Any]:
    """The parameters of the one call of `timer`, what it does then and what is done now in short."""
    return called_in(home_of(language), names_of(language), text, running)


def called_in(home: Home, names: HomeNames, text: str, running: tuple[str, ...] = ()) -> dict[str, Any]:
    """The same in another home."""
    around = Surroundings(home, Catalog(home.entities.values()))
    context = SentenceContext(names, NOW.date(), now=Now(NOW, BERLIN), timer_names=running)
    decision = decide(understand(tokenise(text), context))
    if decision.verdict is not Verdict.ACT or decision.best is None:
        return {}
    plans = [plan(f.request, around) for f in decision.best.asking_for if f.request is not None]
    calls = [c for p in plans for c in p.calls]
    timers = [c for c in calls if c.name == "timer"]
    if len(timers) != 1:
        return {}
    said = dict(timers[0].parameters)
    if "calls" in said:
        said["calls"] = " + ".join(map(_in_short, said["calls"]))
    if now := [_in_short(c.parameters) for c in calls if isinstance(c, ToolCall) and c.name != "timer"]:
        said["now"] = " + ".join(now)
    return said


def _in_short(call: Mapping[str, Any]) -> str:
    ids = call["entity_id"] if isinstance(call["entity_id"], list) else [call["entity_id"]]
    values = [f"{name}={value}" for name, value in (call.get("parameters") or {}).items()]
    action = action_for(call["action"], ids[0].partition(".")[0])
    return " ".join([action, ", ".join(sorted(i.partition(".")[2] for i in ids)), *values])


@pytest.mark.parametrize(
    ("language", "text", "wanted"),
    [(language, text, wanted) for language, said in TABLE.items() for text, wanted in said["sentences"].items()],
)
def test_this_is_set(language: str, text: str, wanted: dict[str, Any]) -> None:
    found = called(text, language)
    if "upon_state" in wanted and "name" not in wanted:
        found.pop("name", None)
    assert found == wanted


@pytest.mark.parametrize(
    ("language", "text", "acts"),
    [
        ("en", "if the window is still open at ten, tell me", False),
        ("en", "turn off the heater at ten if the window is open", True),
        ("de", "wenn das Fenster um zehn noch offen ist, sag mir Bescheid", False),
        ("de", "um zehn, falls das Fenster offen ist, mach die Heizung aus", True),
        ("fr", "si la fenêtre est encore ouverte à dix heures, préviens-moi", False),
        ("fr", "à dix heures, si la fenêtre est ouverte, éteins le chauffage", True),
        ("es", "si la ventana sigue abierta a las diez, avísame", False),
        ("es", "apaga la calefacción a las diez si la ventana está abierta", True),
        ("nl", "als het raam om tien uur nog open is, waarschuw me", False),
        ("nl", "zet de verwarming om tien uur uit als het raam open is", True),
        ("ko", "10시에 창문 아직 열려 있으면 알려 줘", False),
        ("ko", "10시에 창문 열려 있으면 난방 꺼 줘", True),
    ],
)
def test_what_has_to_be_so_then_is_looked_at_then(language: str, text: str, acts: bool) -> None:
    found = called(text, language)
    assert (found.get("only_entity_id"), found.get("only_state")) == ("binary_sensor.window", "on"), found
    assert found["at"] == "22:00"
    assert found.get("calls", "") == ("turn_off heater" if acts else "")


@pytest.mark.parametrize(
    ("language", "running", "text", "wanted"),
    [
        ("en", "roast", "how long has the roast got", {"action": "list"}),
        ("en", "roast", "another two minutes on the roast", {"action": "change", "add_seconds": 120}),
        ("en", "eggs", "add two minutes to the egg timer", {"action": "change", "add_seconds": 120}),
        ("de", "Nudeln", "wie lange noch bei den Nudeln", {"action": "list"}),
        ("de", "Nudeln", "gib den Nudeln noch zwei Minuten", {"action": "change", "add_seconds": 120}),
        ("fr", "riz", "il reste combien pour le riz", {"action": "list"}),
        ("es", "arroz", "cuánto le queda al arroz", {"action": "list"}),
        ("nl", "rijst", "hoe lang nog voor de rijst", {"action": "list"}),
        ("ko", "감자", "감자 몇 분 남았어", {"action": "list"}),
    ],
)
def test_one_that_runs_is_known_by_its_name(language: str, running: str, text: str, wanted: dict[str, Any]) -> None:
    assert called(text, language, (running,)) == wanted | {"kind": "timer", "name": running}
    assert "name" not in called(text, language) or "timer" in text


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "the eggs take six minutes"),
        ("en", "give me five minutes"),
        ("en", "we waited ten minutes"),
        ("en", "turn off the sauna ten minutes"),
        ("en", "the lamp has been on ten minutes"),
        ("en", "who told you ten minutes"),
        ("de", "das dauert zehn Minuten"),
        ("de", "gib mir zwei Minuten"),
        ("fr", "donne-moi cinq minutes"),
        ("fr", "il y a dix minutes de retard"),
        ("es", "la película dura dos horas"),
        ("es", "tardo diez minutos"),
        ("ko", "십 분 기다렸어"),
        ("nl", "dat duurt tien minuten"),
        ("ko", "영화가 두 시간이야"),
    ],
)
def test_a_length_that_is_told_sets_nothing(language: str, text: str) -> None:
    assert called(text, language) == {}


@pytest.mark.parametrize(
    "text",
    [
        "is the lamp on at 7",
        "if nobody is home turn off the lamp",
        "whenever the window opens turn off the heater",
        "the heater at 20",
        "heater to 6",
        "turn off the lamp yesterday",
        "every ten minutes turn on the lamp",
        "how long was the lamp on yesterday",
        "turn on the lamp between 2 and 4",
        "tell me if the lamp is on",
    ],
)
def test_this_is_no_order_for_another_time(text: str) -> None:
    assert called(text, "en") == {}


@pytest.mark.parametrize(
    ("options", "done"),
    [
        (("off", "washing", "spinning"), "off"),
        (("off", "idle", "washing"), "idle"),
        (("off", "idle", "washing", "finished"), "finished"),
    ],
)
def test_a_machine_is_done_in_the_state_that_says_most_of_its_end(options: tuple[str, ...], done: str) -> None:
    home, moment = Home(), NOW.astimezone(UTC)
    washer = Entity("sensor.washer", "Washing machine", device_class="enum")
    state = State(washer.entity_id, "washing", {"options": options}, moment, moment)
    config = HomeConfig(time_zone=BERLIN)
    home.replace(config=config, areas=(), floors=(), device_areas={}, entities=[washer], states=[state])
    home.clock = lambda: NOW
    pack = load_pack("en")
    assert pack is not None
    names = HomeNames(home.entities.values(), (), (), pack, attributes=lambda _id: state.attributes)
    assert called_in(home, names, "tell me when the washing machine is done")["upon_state"] == done


@pytest.mark.parametrize("text", ["put the heater at 16", "set the heater to twenty-one and a half"])
def test_a_number_that_a_thing_is_set_to_is_no_time(text: str) -> None:
    assert called(text, "en") == {}


@pytest.mark.parametrize(
    ("when", "wait", "then"),
    [
        ("at 9 pm", "10 minutes later", At(time(21, 10), date(2026, 11, 25))),
        ("at 11:55 pm", "10 minutes later", At(time(0, 5), date(2026, 11, 26))),
        ("at 7 am", "10 minutes later", At(time(7, 10), date(2026, 11, 26))),
        ("every day at 7 am", "20 minutes later", Every(time(7, 20), frozenset(Weekday))),
        ("at sunset", "an hour later", AtSun(Sun.SUNSET, timedelta(hours=1))),
        ("in 10 minutes", "5 minutes later", After(timedelta(minutes=15))),
        ("in 10 minutes", "in 30 minutes", After(timedelta(minutes=30))),
    ],
)
def test_what_would_be_undone_before_it_is_done_is_counted_from_that(when: str, wait: str, then: Due) -> None:
    context = SentenceContext(names_of("en"), NOW.date(), now=Now(NOW, BERLIN))
    text = f"turn on the {TABLE['en']['names']['lamp']} {when} and turn it off {wait}"
    requests = [f.request for f in understand(tokenise(text), context)[0].frames if f.request is not None]
    _, off = [request.timing for request in requests if request.timing is not None]
    assert off.due == then
