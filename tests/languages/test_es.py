"""What is read in Spanish: pronouns that hang on verbs, "no" and past forms that order nothing, courtesies."""

from __future__ import annotations

from datetime import date
from functools import partial

import pytest

from homeagent.languages.pack import load_pack
from homeagent.understanding.choosing import understand
from homeagent.understanding.deciding import Decision, decide
from homeagent.understanding.home_names import HomeNames
from homeagent.understanding.sentence_context import SentenceContext
from homeagent.understanding.tokeniser import tokenise
from indexer.entity import Area, Floor
from tests.understanding.reading import thing

GROUND = Floor("ground", "Planta baja", level=0)
SALON = Area("salon", "Salón", (), "ground")
COCINA = Area("cocina", "Cocina", (), "ground")


_thing = partial(thing, floors={"ground": GROUND})


LAMP, CEILING, KITCHEN = "light.pie", "light.techo", "light.cocina"
BLIND, DOOR, CLIMATE, TV, ROBOT = "cover.persiana", "lock.puerta", "climate.salon", "media_player.tele", "vacuum.roomba"
LISTA, COFFEE = "todo.compra", "switch.cafetera"
THINGS = (
    _thing(LAMP, "Lámpara de pie", SALON),
    _thing(CEILING, "Luz del techo del salón", SALON),
    _thing(KITCHEN, "Luz de la cocina", COCINA),
    _thing(BLIND, "Persiana del salón", SALON, "blind"),
    _thing(DOOR, "Puerta de entrada"),
    _thing(CLIMATE, "Termostato", SALON),
    _thing(TV, "Tele", SALON, "tv"),
    _thing(ROBOT, "Roomba", SALON),
    _thing(LISTA, "Lista de la compra"),
    _thing(COFFEE, "Cafetera", COCINA),
)
PACK = load_pack("es")
assert PACK is not None
NAMES = HomeNames(THINGS, (SALON, COCINA), (GROUND,), PACK)


def _decision(text: str, *last: str) -> Decision:
    return decide(understand(tokenise(text), SentenceContext(NAMES, date(2026, 11, 25), None, last)))


def _deeds(text: str, *last: str) -> list[tuple[str, frozenset[str]]]:
    found = _decision(text, *last)
    if found.verdict != "act" or found.best is None:
        return []
    return [
        (f.request.action, f.entity_ids)
        for f in found.best.asking_for
        if f.acts and f.request is not None and f.request.given is None
    ]


@pytest.mark.parametrize(
    ("text", "action", "ids"),
    [
        ("enciende la luz de la cocina", "turn_on", {KITCHEN}),
        ("ya que te pones, enciende la luz de la cocina", "turn_on", {KITCHEN}),
        ("apaga la lámpara de pie, ¿no?", "turn_off", {LAMP}),
        ("apaga la lámpara de pie cuando tengas un ratito", "turn_off", {LAMP}),
        ("¿puede usted apagar la lámpara de pie?", "turn_off", {LAMP}),
        ("¿me enciendes la luz de la cocina?", "turn_on", {KITCHEN}),
        ("oye, ¿podrías apagarme la luz de la cocina, por favor?", "turn_off", {KITCHEN}),
        ("apágame la lámpara de pie", "turn_off", {LAMP}),
        ("prende la lámpara de pie porfa", "turn_on", {LAMP}),
        ("apague la lámpara de pie", "turn_off", {LAMP}),
        ("quita la luz de la cocina", "turn_off", {KITCHEN}),
        ("apaga las luces del salón", "turn_off", {LAMP, CEILING}),
        ("apágame todas las luces menos la lámpara de pie", "turn_off", {CEILING, KITCHEN}),
        ("que se apague la luz de la cocina", "turn_off", {KITCHEN}),
        ("me gustaría que encendieras la lámpara de pie", "turn_on", {LAMP}),
        ("sí, apaga la lámpara de pie", "turn_off", {LAMP}),
        ("jarvis, apaga la lámpara de pie", "turn_off", {LAMP}),
        ("baja la persiana porque me da el sol en los ojos", "close", {BLIND}),
        ("necesito que subas la persiana", "open", {BLIND}),
        ("abre la persiana del salón a la mitad", "set_value", {BLIND}),
        ("pon la persiana al 30 %", "set_value", {BLIND}),
        ("cierra la puerta de entrada con llave", "lock", {DOOR}),
        ("pon la calefacción a 21 grados", "set_value", {CLIMATE}),
        ("sube la temperatura dos grados", "set_value", {CLIMATE}),
        ("súbele el volumen a la tele", "set_value", {TV}),
        ("ponme la tele", "turn_on", {TV}),
        ("silencio", "mute", {TV}),
        ("siguiente canción", "next", {TV}),
        ("aspira el salón", "start", {ROBOT}),
        ("manda la roomba a su base", "return_to_base", {ROBOT}),
        ("que la aspiradora vuelva a la base", "return_to_base", {ROBOT}),
        ("pon la lámpara de pie en blanco cálido", "turn_on", {LAMP}),
        ("pon la lámpara de pie al cincuenta por ciento", "turn_on", {LAMP}),
        ("atenúa la lámpara de pie", "turn_on", {LAMP}),
        ("pon la lámpara de pie en rojo", "turn_on", {LAMP}),
        ("añade leche y huevos a la lista de la compra", "add_item", {LISTA}),
        ("quita el pan de la lista de la compra", "remove_item", {LISTA}),
        ("hazme un café", "turn_on", {COFFEE}),
    ],
)
def test_an_order_reaches_whom_it_is_for(text: str, action: str, ids: set[str]) -> None:
    assert _deeds(text) == [(action, frozenset(ids))]


@pytest.mark.parametrize(
    ("text", "action"), [("apágala", "turn_off"), ("enciéndemela", "turn_on"), ("¿puedes encendérmela?", "turn_on")]
)
def test_a_pronoun_on_a_verb_is_what_was_spoken_of(text: str, action: str) -> None:
    assert _deeds(text, LAMP) == [(action, frozenset({LAMP}))]


def test_orders_that_are_joined_keep_their_own_targets() -> None:
    assert _deeds("enciende la luz de la cocina y baja la persiana") == [
        ("turn_on", frozenset({KITCHEN})),
        ("close", frozenset({BLIND})),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "no sé por qué se apaga la lámpara de pie",
        "si me oyes llegar, enciende la luz de la cocina",
        "no enciendas la luz de la cocina",
        "no hace falta que enciendas la luz",
        "apagué la luz de la cocina",
        "ya apagué la lámpara de pie",
        "la luz de la cocina está encendida",
        "he encendido la luz de la cocina",
        "si llueve, baja la persiana",
        "apaga la luz dentro de diez minutos",
        "enciende la luz mañana por la mañana",
        "pon el despertador a las siete",
        "enciende la luz de la sauna",
        "¿por qué no enciendes la luz?",
        "¿cómo enciendo la luz?",
        "¿está encendida la luz de la cocina?",
        "qué luces están encendidas",
        "mi mujer dijo que apague la luz",
        "tengo frío",
    ],
)
def test_what_orders_nothing_does_nothing(text: str) -> None:
    assert _deeds(text) == []
