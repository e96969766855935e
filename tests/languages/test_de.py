"""German: what must be read from its typical and its hard forms in a small home, and what must do nothing."""

from __future__ import annotations

from datetime import date
from functools import partial
from typing import Any

import pytest

from homeagent.languages.pack import load_pack
from homeagent.understanding.choosing import understand
from homeagent.understanding.deciding import Verdict, decide
from homeagent.understanding.home_names import HomeNames
from homeagent.understanding.sentence_context import SentenceContext
from homeagent.understanding.tokeniser import tokenise
from indexer.entity import Area, Floor
from tests.understanding.reading import thing

GROUND, FIRST = Floor("ground", "Erdgeschoss", level=0), Floor("first", "Obergeschoss", level=1)
LIVING = Area("living", "Wohnzimmer", (), "ground")
KITCHEN = Area("kitchen", "Küche", (), "ground")
BATH = Area("bath", "Badezimmer", (), "first")
FLOORS = {"ground": GROUND, "first": FIRST}


_thing = partial(thing, floors=FLOORS)

THINGS = (
    _thing("light.ceiling", "Deckenlampe", LIVING),
    _thing("light.floor_lamp", "Stehlampe", LIVING),
    _thing("light.kitchen", "Küchenlicht", KITCHEN),
    _thing("light.counter", "Arbeitsplatte", KITCHEN),
    _thing("light.bath", "Badlicht", BATH),
    _thing("switch.coffee", "Kaffeemaschine", KITCHEN),
    _thing("cover.blinds", "Wohnzimmer Rollos", LIVING, "blind"),
    _thing("cover.garage", "Garagentor", None, "garage"),
    _thing("lock.front", "Haustür"),
    _thing("climate.living", "Heizung Wohnzimmer", LIVING),
    _thing("fan.ceiling", "Deckenventilator", LIVING),
    _thing("media_player.tv", "Fernseher", LIVING, "tv"),
    _thing("vacuum.robot", "Robbie", LIVING),
    _thing("todo.shopping", "Einkaufsliste"),
    _thing("weather.home", "Wetter"),
    _thing("sensor.bath_temperature", "Bad Temperatur", BATH, "temperature"),
)


def _names() -> HomeNames:
    pack = load_pack("de")
    assert pack is not None
    return HomeNames(THINGS, (LIVING, KITCHEN, BATH), (GROUND, FIRST), pack)


NAMES = _names()
COUNTER_AND_KITCHEN = ("light.counter", "light.kitchen")
Done = tuple[str, dict[str, Any], tuple[str, ...]]


def _read(text: str) -> tuple[Verdict, list[Done]]:
    """What would be done: action, parameters, ids of each order, asides left out."""
    decision = decide(understand(tokenise(text), SentenceContext(NAMES, date(2026, 11, 25), "living")))
    wanted = decision.best.asking_for if decision.best is not None else ()
    orders = [f for f in wanted if f.acts and f.request is not None and not f.vetoed]
    return decision.verdict, [
        (f.request.action, dict(f.request.parameters), tuple(sorted(f.entity_ids)))
        for f in orders
        if f.request is not None
    ]


OFF, ON, OPEN, CLOSE = "turn_off", "turn_on", "open", "close"


@pytest.mark.parametrize(
    ("text", "orders"),
    [
        # the particle at the end, at the verb, as an infinitive, in a clause of its own
        ("Mach das Licht in der Küche aus", [(OFF, {}, COUNTER_AND_KITCHEN)]),
        ("Mach das Licht in der Küche bitte aus", [(OFF, {}, COUNTER_AND_KITCHEN)]),
        ("Kannst du das Licht in der Küche ausmachen?", [(OFF, {}, COUNTER_AND_KITCHEN)]),
        ("Wäre es möglich, das Licht in der Küche auszumachen?", [(OFF, {}, COUNTER_AND_KITCHEN)]),
        ("Ich hätte gern, dass du das Licht in der Küche ausmachst", [(OFF, {}, COUNTER_AND_KITCHEN)]),
        ("Es wäre schön, wenn du das Licht in der Küche ausmachst", [(OFF, {}, COUNTER_AND_KITCHEN)]),
        ("Stehlampe einschalten", [(ON, {}, ("light.floor_lamp",))]),
        ("Lass die Stehlampe ausgehen", [(OFF, {}, ("light.floor_lamp",))]),
        ("Mach ein Licht im Bad aus", [(OFF, {}, ("light.bath",))]),
        ("Machst du die Stehlampe an?", [(ON, {}, ("light.floor_lamp",))]),
        ("ey mach ma die Stehlampe aus", [(OFF, {}, ("light.floor_lamp",))]),
        ("Schalten Sie bitte die Stehlampe ein", [(ON, {}, ("light.floor_lamp",))]),
        # verbs that mean something of their own with their particle
        ("Schließ die Haustür ab", [("lock", {}, ("lock.front",))]),
        ("Schließ bitte die Haustür auf", [("unlock", {}, ("lock.front",))]),
        ("Kannst du die Haustür abschließen?", [("lock", {}, ("lock.front",))]),
        ("Sperr die Haustür zu", [("lock", {}, ("lock.front",))]),
        ("Zieh die Rollos hoch", [(OPEN, {}, ("cover.blinds",))]),
        ("Denk bitte daran, die Rollos hochzuziehen", [(OPEN, {}, ("cover.blinds",))]),
        ("Lass die Rollos runter", [(CLOSE, {}, ("cover.blinds",))]),
        ("Fang bitte an zu saugen", [("start", {}, ("vacuum.robot",))]),
        ("Schick Robbie zurück zur Ladestation", [("return_to_base", {}, ("vacuum.robot",))]),
        ("Mach das Garagentor zu", [(CLOSE, {}, ("cover.garage",))]),
        # compounds, another word for the same kind, places
        ("Mach das Badezimmerlicht an", [(ON, {}, ("light.bath",))]),
        ("Wohnzimmerlampen aus", [(OFF, {}, ("light.ceiling", "light.floor_lamp"))]),
        ("Deckenlicht aus", [(OFF, {}, ("light.ceiling",))]),
        (
            "Mach unten das Licht aus",
            [(OFF, {}, ("light.ceiling", "light.counter", "light.floor_lamp", "light.kitchen"))],
        ),
        (
            "Mach zuhause alle Lichter aus außer im Bad",
            [(OFF, {}, ("light.ceiling", "light.counter", "light.floor_lamp", "light.kitchen"))],
        ),
        # values
        ("Stell die Heizung auf einundzwanzig Grad", [("set_value", {"temperature": 21}, ("climate.living",))]),
        ("Heizung zwei Grad runter", [("set_value", {"temperature_step": -2}, ("climate.living",))]),
        ("Dimm die Stehlampe auf die Hälfte", [(ON, {"brightness_pct": 50}, ("light.floor_lamp",))]),
        (
            "Kannst du die Stehlampe ein bisschen runterdimmen?",
            [(ON, {"brightness_step_pct": -10}, ("light.floor_lamp",))],
        ),
        ("Stell die Stehlampe auf Rot um", [(ON, {"color": "red"}, ("light.floor_lamp",))]),
        ("Mach es wärmer im Wohnzimmer", [("set_value", {"temperature_step": 1}, ("climate.living",))]),
        ("Fahr die Rollos auf 30 Prozent runter", [("set_value", {"position": 30}, ("cover.blinds",))]),
        ("Mach den Fernseher leiser", [("set_value", {"volume_step_pct": -10}, ("media_player.tv",))]),
        # lists and titles: the verb last, or none
        ("Setz Milch auf die Einkaufsliste", [("add_item", {"item": "Milch"}, ("todo.shopping",))]),
        ("Kannst du Milch auf die Einkaufsliste setzen?", [("add_item", {"item": "Milch"}, ("todo.shopping",))]),
        ("Tomaten auf die Einkaufsliste bitte", [("add_item", {"item": "Tomaten"}, ("todo.shopping",))]),
        ("Hak Milch auf der Einkaufsliste ab", [("complete_item", {"item": "Milch"}, ("todo.shopping",))]),
        ("Nimm die Bananen von der Einkaufsliste", [("remove_item", {"item": "Bananen"}, ("todo.shopping",))]),
        ("Mach mir bitte einen Kaffee", [(ON, {}, ("switch.coffee",))]),
        # asides, reasons and names in front
        ("Jarvis, mach die Stehlampe aus, weil das Baby schläft", [(OFF, {}, ("light.floor_lamp",))]),
        ("Mir ist kalt, mach die Heizung an", [(ON, {}, ("climate.living",))]),
        ("Sei so lieb und mach die Stehlampe an, ich hab keine Hand frei", [(ON, {}, ("light.floor_lamp",))]),
        ("Falls es keine Umstände macht, mach die Rollos zu", [(CLOSE, {}, ("cover.blinds",))]),
        # two orders
        ("Mach das Licht in der Küche an und im Bad aus", [(ON, {}, COUNTER_AND_KITCHEN), (OFF, {}, ("light.bath",))]),
        (
            "Schalte die Stehlampe ein und das Badlicht aus",
            [(ON, {}, ("light.floor_lamp",)), (OFF, {}, ("light.bath",))],
        ),
        ("Mach die Rollos zu und starte Robbie", [(CLOSE, {}, ("cover.blinds",)), ("start", {}, ("vacuum.robot",))]),
        (
            "Mach die Stehlampe an, aber nicht so hell",
            [(ON, {}, ("light.floor_lamp",)), (ON, {"brightness_step_pct": -10}, ("light.floor_lamp",))],
        ),
    ],
)
def test_what_is_ordered_is_done(text: str, orders: list[Done]) -> None:
    verdict, found = _read(text)
    assert found == orders
    assert verdict is Verdict.ACT


@pytest.mark.parametrize(
    "text",
    [
        "Lass das Licht an",
        "Lass die Haustür zu",
        "Mach das Licht bloß nicht an",
        "Ich möchte nicht, dass du das Licht ausmachst",
        "Wenn es dunkel wird, mach das Licht an",
        "Mach das Licht an, wenn es dunkel wird",
        "Mach in zehn Minuten das Licht aus",
        "Schalte morgen früh die Kaffeemaschine ein",
        "Das Licht ist an.",
        "Ich sehe, dass das Licht aus ist",
        "Oma hat gesagt, das Licht soll aus",
        "Mach das Licht im Keller aus",
        "Mach die Tischlampe an",
        "Ist die Haustür zu?",
        "Wie starte ich den Saugroboter?",
        "Warum ist das Licht an?",
        "Mach die Sauna an",
    ],
)
def test_what_is_no_order_does_nothing(text: str) -> None:
    verdict, found = _read(text)
    assert not found or verdict is Verdict.HAND_OVER
