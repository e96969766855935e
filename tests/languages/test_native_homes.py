"""What is read in homes whose things are called in their own language: `native_homes.yaml`."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from homeagent.languages.pack import load_pack
from homeagent.understanding.home_names import HomeNames
from homeagent.values.yaml_text import read_yaml
from indexer.entity import Area, Floor
from tests.understanding.reading import decision, deeds, outcome, thing

HOMES = read_yaml(Path(__file__).with_name("native_homes.yaml").read_text("utf-8"))


@cache
def names(language: str) -> HomeNames:
    home, pack = HOMES[language], load_pack(language)
    assert pack is not None
    floors = {f: Floor(f, name, level=level) for level, (f, name) in enumerate(home["floors"].items())}
    areas = {a: Area(a, name, tuple(aliases), f) for a, (f, name, *aliases) in home["areas"].items()}
    things = [
        thing(entity_id, name, areas.get("".join(more[:1])), *more[1:], floors=floors)
        for entity_id, (name, *more) in home["things"].items()
    ]
    return HomeNames(things, tuple(areas.values()), tuple(floors.values()), pack)


@pytest.mark.parametrize(
    ("language", "text", "wanted"),
    [(language, text, wanted) for language, home in HOMES.items() for text, wanted in home["sentences"].items()],
)
def test_this_comes_of_it(language: str, text: str, wanted: str) -> None:
    at = HOMES[language].get("at")
    if wanted:
        assert outcome(text, names=names(language), area_id=at) == wanted
    else:
        assert deeds(text, at, names=names(language)) == []


@pytest.mark.parametrize(
    ("language", "text", "before", "wanted"),
    [
        ("fr", "éteins-la", "light.bedside", "turn_off bedside"),
        ("fr", "éteins la guirlande", "light.bedside", "ask: unknown_device"),
        ("es", "apágala", "light.pie", "turn_off pie"),
        ("es", "enciéndemela", "light.pie", "turn_on pie"),
        ("es", "¿puedes encendérmela?", "light.pie", "turn_on pie"),
    ],
)
def test_a_pronoun_on_a_verb_is_what_was_spoken_of(language: str, text: str, before: str, wanted: str) -> None:
    assert outcome(text, names=names(language), last=(before,)) == wanted


@pytest.mark.parametrize(
    ("language", "text", "asked"),
    [
        ("fr", "est-ce que la porte d'entrée est verrouillée ?", "yesno"),
        ("fr", "quelle est la température du salon ?", "value"),
        ("fr", "il fait combien dans le salon ?", "value"),
        ("fr", "qu'est-ce qu'il y a sur la liste de courses ?", "value"),
        ("ko", "거실 불 켰어?", "yesno"),
        ("ko", "침실 창문 열려 있어?", "yesno"),
        ("ko", "어떤 불이 켜져 있어?", "which"),
        ("ko", "로봇청소기 어디 있어?", "where"),
        ("ko", "장보기 목록에 뭐 있는지 알려줘", "value"),
        ("ko", "내일 비 와?", "yesno"),
    ],
)
def test_what_is_asked(language: str, text: str, asked: str) -> None:
    found = decision(text, names=names(language)).best
    assert found is not None
    assert [frame.request.asked.value for frame in found.asking_for if frame.request is not None] == [asked]
