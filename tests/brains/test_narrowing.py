"""Narrowing a grammar to a sentence loses no reading of it."""

from __future__ import annotations

from functools import cache

import pytest
from hassil import Intents, TextSlotList
from hassil.recognize import recognize_all
from home_assistant_intents import get_intents

from homeagent.brains.language.narrowing import Narrowing, Text

_THINGS = {
    "en": {"desk lamp": "light", "garage door": "cover", "movie night": "scene", "desk fan": "fan"},
    "de": {"schreibtischlampe": "light", "garagentor": "cover", "filmabend": "scene"},
}
_AREAS = {"en": ("kitchen", "living room"), "de": ("küche", "wohnzimmer")}
_SAID = [
    ("en", "turn on the desk lamp"),
    ("en", "Set the brightness of the desk lamp to 30%"),
    ("en", "open the garage door"),
    ("en", "activate movie night"),
    ("en", "is the garage door open"),
    ("en", "set the desk fan to 50 percent"),
    ("en", "turn off all lights in the living-room"),
    ("en", "add milk to my shopping list"),
    ("de", "mach das Garagentor zu"),
    ("de", "aktiviere Filmabend"),
    ("de", "Schreibtischlampe auf rot stellen"),
    ("de", "wie warm ist es in der Küche"),
]


@cache
def _grammar(language: str) -> tuple[Intents, Narrowing]:
    data = get_intents(language)
    assert data is not None
    intents = Intents.from_dict(data)
    return intents, Narrowing(intents)


def _readings(text: str, intents: Intents, language: str, said: Text | None = None) -> list[tuple[object, ...]]:
    names = [(n, n, {"domain": d}) for n, d in _THINGS[language].items() if said is None or said.may_say(n)]
    areas = [(n, n) for n in _AREAS[language] if said is None or said.may_say(n)]
    slots = {
        "name": TextSlotList.from_tuples(names, allow_template=False, name="name"),
        "area": TextSlotList.from_tuples(areas, allow_template=False, name="area"),
        "floor": TextSlotList.from_tuples([], allow_template=False, name="floor"),
    }
    found = recognize_all(text, intents, slot_lists=slots, language=language)
    return sorted((r.intent.name, sorted((e.name, str(e.value)) for e in r.entities_list)) for r in found)


def _templates(intents: Intents) -> int:
    return sum(len(data.sentences) for intent in intents.intents.values() for data in intent.data)


@pytest.mark.parametrize(("language", "text"), _SAID)
def test_all_readings_are_left(language: str, text: str) -> None:
    whole, narrowing = _grammar(language)
    said = Text(text)
    domains = frozenset(d for n, d in _THINGS[language].items() if said.may_say(n))
    unsaid = ["floor"] if domains else ["floor", "name"]
    unsaid += [] if any(said.may_say(n) for n in _AREAS[language]) else ["area"]
    narrowed = narrowing.narrowed(said, unsaid, domains)
    assert _readings(text, narrowed, language, said) == _readings(text, whole, language)
    assert _readings(text, whole, language)
    assert _templates(narrowed) < _templates(whole) / 5


def test_a_kind_that_the_grammar_itself_brings_is_left() -> None:
    """A word of the grammar's own list may say what kind is meant, where no thing of the home was named."""
    machines = {"values": [{"in": "robots", "out": "all", "context": {"domain": "vacuum"}}]}
    data = [{"sentences": ["start {machines}"], "requires_context": {"domain": ["vacuum"]}}]
    given = {"language": "en", "intents": {"Start": {"data": data}}, "lists": {"machines": machines}}
    narrowing = Narrowing(Intents.from_dict(given))
    assert _templates(narrowing.narrowed(Text("start robots"), [], frozenset({"light"}))) == 1
    assert _templates(narrowing.narrowed(Text("start lamps"), [], frozenset({"light"}))) == 0


def test_a_template_for_another_kind_of_thing_is_left_out() -> None:
    _, narrowing = _grammar("en")
    text = Text("turn on the desk lamp")
    of_lights = narrowing.narrowed(text, ["area"], frozenset({"light"}))
    of_any_kind = narrowing.narrowed(text, ["area"])
    assert 0 < _templates(of_lights) < _templates(of_any_kind)
