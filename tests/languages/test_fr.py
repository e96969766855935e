"""What is read from French, in a small home: typical orders and questions, hard forms, and what must do nothing."""

from __future__ import annotations

from datetime import date
from functools import partial
from typing import Any

import pytest

from homeagent.domains.actions import action_for
from homeagent.languages.pack import load_pack
from homeagent.understanding.choosing import understand
from homeagent.understanding.deciding import Decision, decide
from homeagent.understanding.home_names import HomeNames
from homeagent.understanding.sentence_context import SentenceContext
from homeagent.understanding.tokeniser import tokenise
from indexer.entity import Area, Floor
from tests.understanding.reading import thing

GROUND, FIRST = Floor("ground", "Rez-de-chaussée", level=0), Floor("first", "Étage", level=1)
LIVING = Area("living", "Salon", (), "ground")
KITCHEN = Area("kitchen", "Cuisine", (), "ground")
BEDROOM = Area("bedroom", "Chambre", (), "first")
FLOORS = {"ground": GROUND, "first": FIRST}


_thing = partial(thing, floors=FLOORS)

THINGS = (
    _thing("light.ceiling", "Plafonnier de la cuisine", KITCHEN),
    _thing("light.counter", "Lumière du plan de travail", KITCHEN),
    _thing("light.floor_lamp", "Lampadaire", LIVING),
    _thing("light.bedside", "Lampe de chevet", BEDROOM),
    _thing("switch.coffee", "Machine à café", KITCHEN),
    _thing("cover.blinds", "Stores du salon", LIVING, "blind"),
    _thing("cover.garage", "Porte du garage", None, "garage"),
    _thing("lock.front", "Porte d'entrée"),
    _thing("climate.bedroom", "Thermostat de la chambre", BEDROOM),
    _thing("fan.bedroom", "Ventilateur de plafond", BEDROOM),
    _thing("media_player.tv", "Télé", LIVING, "tv"),
    _thing("media_player.speaker", "Enceinte de la cuisine", KITCHEN, "speaker"),
    _thing("vacuum.robot", "Roomba", LIVING),
    _thing("todo.shopping", "Liste de courses"),
    _thing("sensor.living_temperature", "Température du salon", LIVING, "temperature"),
)
LIGHTS_OF_KITCHEN = ("light.ceiling", "light.counter")


@pytest.fixture(scope="module")
def names() -> HomeNames:
    pack = load_pack("fr")
    assert pack is not None
    return HomeNames(THINGS, (LIVING, KITCHEN, BEDROOM), (GROUND, FIRST), pack)


def _decision(text: str, names: HomeNames, last: tuple[str, ...] = ()) -> Decision:
    return decide(understand(tokenise(text), SentenceContext(names, date(2026, 11, 25), None, last)))


def _deeds(
    text: str, names: HomeNames, last: tuple[str, ...] = ()
) -> list[tuple[str, tuple[str, ...], dict[str, Any]]]:
    """What would be done at once: the actions as each thing has them, whom they reach, and with what."""
    found = _decision(text, names, last)
    if found.verdict != "act" or found.best is None:
        return []
    return [
        (
            "/".join(sorted({action_for(f.request.action, i.partition(".")[0]) for i in f.entity_ids})),
            tuple(sorted(f.entity_ids)),
            dict(f.request.parameters),
        )
        for f in found.best.asking_for
        if f.acts and f.request is not None and f.request.given is None
    ]


@pytest.mark.parametrize(
    ("text", "action", "ids", "parameters"),
    [
        ("tant que t'y es, éteins le lampadaire", "turn_off", ("light.floor_lamp",), {}),
        ("lance le roomba quand t'as une minute", "start", ("vacuum.robot",), {}),
        ("lance le roomba zou schnock", "start", ("vacuum.robot",), {}),
        ("tu penses à éteindre le lampadaire ?", "turn_off", ("light.floor_lamp",), {}),
        ("allume le lampadaire", "turn_on", ("light.floor_lamp",), {}),
        ("éteignez la lampe de chevet, s'il vous plaît", "turn_off", ("light.bedside",), {}),
        ("Jarvis, tu peux éteindre la télé parce que le bébé dort ?", "turn_off", ("media_player.tv",), {}),
        ("est-ce que tu pourrais allumer les lumières de la cuisine ?", "turn_on", LIGHTS_OF_KITCHEN, {}),
        ("éteins tout à l'étage", "turn_off", ("fan.bedroom", "light.bedside"), {}),
        ("coupe les lumières de la cuisine", "turn_off", LIGHTS_OF_KITCHEN, {}),
        ("ferme la lumière du plan de travail", "turn_off", ("light.counter",), {}),
        ("mets la machine à café en route", "turn_on", ("switch.coffee",), {}),
        ("fais-moi un café", "turn_on", ("switch.coffee",), {}),
        ("mets la lampe de chevet à trente pour cent", "turn_on", ("light.bedside",), {"brightness_pct": 30}),
        ("j'aimerais que la lampe de chevet soit rouge", "turn_on", ("light.bedside",), {"color": "red"}),
        ("passe le lampadaire en blanc chaud", "turn_on", ("light.floor_lamp",), {"color_temp_kelvin": 2700}),
        ("mets le lampadaire plus fort", "turn_on", ("light.floor_lamp",), {"brightness_step_pct": 10}),
        ("tamisez les lumières de la cuisine", "turn_on", LIGHTS_OF_KITCHEN, {"brightness_step_pct": -10}),
        ("mets le lampadaire à fond", "turn_on", ("light.floor_lamp",), {"brightness_pct": 100}),
        ("règle le thermostat sur vingt et un degrés", "set_value", ("climate.bedroom",), {"temperature": 21}),
        ("baisse le chauffage de deux degrés", "set_value", ("climate.bedroom",), {"temperature_step": -2}),
        ("monte un peu le son de la télé", "set_value", ("media_player.tv",), {"volume_step_pct": 10}),
        ("le volume de l'enceinte à 20 %", "set_value", ("media_player.speaker",), {"volume_level": 0.2}),
        ("coupe le son de la télé", "mute", ("media_player.tv",), {}),
        ("baisse les stores", "close", ("cover.blinds",), {}),
        ("ouvre les stores à moitié", "set_value", ("cover.blinds",), {"position": 50}),
        ("ferme la porte du garage", "close", ("cover.garage",), {}),
        ("ferme la porte d'entrée à clé", "lock", ("lock.front",), {}),
        ("déverrouille la porte d'entrée", "unlock", ("lock.front",), {}),
        ("passe l'aspirateur", "start", ("vacuum.robot",), {}),
        ("demande au roomba de faire le ménage", "start", ("vacuum.robot",), {}),
        ("renvoie le roomba à sa base", "return_to_base", ("vacuum.robot",), {}),
        ("ajoute de l'essuie-tout à la liste de courses", "add_item", ("todo.shopping",), {"item": "essuie-tout"}),
        (
            "il n'y a plus de farine, ajoute-la à la liste de courses",
            "add_item",
            ("todo.shopping",),
            {"item": "farine"},
        ),
        ("enlève le jus d'orange de la liste de courses", "remove_item", ("todo.shopping",), {"item": "jus d'orange"}),
        ("éteins les lumières sauf celles de la cuisine", "turn_off", ("light.bedside", "light.floor_lamp"), {}),
        ("si ça ne te dérange pas, allume le lampadaire", "turn_on", ("light.floor_lamp",), {}),
        ("n'oublie pas d'éteindre le lampadaire", "turn_off", ("light.floor_lamp",), {}),
        ("mets le ventilateur sur vitesse moyenne", "set_value", ("fan.bedroom",), {"percentage": 66}),
    ],
)
def test_an_order_is_done(
    text: str, action: str, ids: tuple[str, ...], parameters: dict[str, Any], names: HomeNames
) -> None:
    done = _deeds(text, names)
    assert [(a if "item" not in p else action, i, p) for a, i, p in done] == [(action, ids, parameters)]


@pytest.mark.parametrize(
    ("text", "first", "second"),
    [
        ("allume le lampadaire et mets-le à 30 %", {}, {"brightness_pct": 30}),
        ("éteins le lampadaire puis règle-le en bleu", {}, {"color": "blue"}),
    ],
)
def test_a_pronoun_on_an_imperative_means_what_was_named(
    text: str, first: dict[str, Any], second: dict[str, Any], names: HomeNames
) -> None:
    assert [(i, p) for _, i, p in _deeds(text, names)] == [(("light.floor_lamp",), p) for p in (first, second)]


def test_a_hyphen_tells_a_pronoun_from_an_article(names: HomeNames) -> None:
    assert [i for _, i, _ in _deeds("éteins-la", names, ("light.bedside",))] == [("light.bedside",)]
    assert _deeds("éteins la guirlande", names, ("light.bedside",)) == []


@pytest.mark.parametrize(
    "text",
    [
        "attends que le lampadaire soit éteint",
        "n'oublie pas que le lampadaire est allumé",
        "n'allume pas le lampadaire",
        "éteins pas la télé",
        "surtout n'ouvre jamais la porte d'entrée",
        "laisse le lampadaire allumé",
        "le lampadaire est allumé",
        "si la porte est ouverte, éteins la télé",
        "quand tu fermes les stores, allume le lampadaire",
        "allume le lampadaire dans dix minutes",
        "éteins la lumière de la piscine",
        "éteins la lampe cassée du voisin",
        "allume le lampadaire ou la lampe de chevet",
        "Anna a dit d'éteindre la télé",
        "comment allumer la télé ?",
        "pourquoi la lumière est allumée ?",
        "est-ce que la porte d'entrée est verrouillée ?",
        "j'ai froid",
        "évite d'allumer la télé",
        "le chat a allumé la télé",
        "allume l'autre lampe",
    ],
)
def test_nothing_is_done(text: str, names: HomeNames) -> None:
    assert _deeds(text, names) == []


@pytest.mark.parametrize(
    ("text", "asked", "ids"),
    [
        ("est-ce que la porte d'entrée est verrouillée ?", "yesno", {"lock.front"}),
        ("la porte du garage est-elle fermée ?", "yesno", {"cover.garage"}),
        ("quelle est la température du salon ?", "value", {"sensor.living_temperature"}),
        ("il fait combien dans le salon ?", "value", {"sensor.living_temperature"}),
        ("qu'est-ce qu'il y a sur la liste de courses ?", "value", {"todo.shopping"}),
    ],
)
def test_a_question_is_about_what_is_named(text: str, asked: str, ids: set[str], names: HomeNames) -> None:
    found = _decision(text, names)
    assert found.best is not None
    (frame,) = found.best.asking_for
    assert frame.request is not None
    assert (found.verdict, frame.request.asked, set(frame.entity_ids)) == ("act", asked, ids)
