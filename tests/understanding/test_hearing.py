"""Words that were misheard, cut or run together, and what they are read as."""

from __future__ import annotations

import pytest

from homeagent.understanding.choosing import understand
from homeagent.understanding.deciding import Decision, Verdict, decide
from homeagent.understanding.hearing import hearings
from homeagent.understanding.sentence_context import SentenceContext
from homeagent.understanding.tokeniser import tokenise
from indexer.entity import Entity
from indexer.words import normalise
from tests.understanding.reading import KITCHEN, LIVING, THINGS, TODAY, home_names, thing

FR: tuple[Entity, ...] = (
    thing("light.ceiling", "Plafonnier du salon", LIVING),
    thing("light.desk", "Lampe de bureau", LIVING),
    thing("cover.blinds", "Stores du salon", LIVING, "blind"),
    thing("media_player.tv", "TV", LIVING, "tv"),
)
ES: tuple[Entity, ...] = (
    thing("light.office", "Luz del despacho", LIVING),
    thing("light.desk", "Lámpara de escritorio", LIVING),
    thing("fan.ceiling", "Ventilador de techo", KITCHEN),
    thing("media_player.tv", "Tele", LIVING, "tv"),
)
KO: tuple[Entity, ...] = (
    thing("light.desk", "책상 스탠드", LIVING),
    thing("light.game", "게임방 조명", KITCHEN),
    thing("cover.blinds", "거실 블라인드", LIVING, "blind"),
)
HOMES = {"fr": FR, "es": ES, "ko": KO}


def heard(language: str, text: str) -> Decision:
    return decide(understand(tokenise(text), SentenceContext(home_names(HOMES[language], language), TODAY)))


@pytest.mark.parametrize(
    ("language", "text", "wanted"),
    [
        ("fr", "alume le plafonnié du salon", {("turn_on", "light.ceiling")}),
        ("fr", "et teins la lampe de bureau", {("turn_off", "light.desk")}),
        ("fr", "lume la lampe de bureau", {("turn_on", "light.desk")}),
        ("fr", "allume la lampe de bureau éteins la tv", {("turn_on", "light.desk"), ("turn_off", "media_player.tv")}),
        ("es", "enciende la lus del despacho", {("turn_on", "light.office")}),
        ("es", "ensiende el bentilador de techo", {("turn_on", "fan.ceiling")}),
        ("es", "ciende la lámpara de escritorio", {("turn_on", "light.desk")}),
        (
            "es",
            "enciende la luz del despacho apaga la tele",
            {("turn_on", "light.office"), ("turn_off", "media_player.tv")},
        ),
        ("ko", "책쌍 스텐드 켜 줘", {("turn_on", "light.desk")}),
        ("ko", "게 임 방 조명 꺼 줘", {("turn_off", "light.game")}),
        ("ko", "겜방 조명 꺼 줘", {("turn_off", "light.game")}),
        ("ko", "라인드 닫아 줘", {("close", "cover.blinds")}),
    ],
)
def test_what_sounds_alike_is_carried_out(language: str, text: str, wanted: set[tuple[str, str]]) -> None:
    made = heard(language, text)
    assert made.verdict is Verdict.ACT
    assert made.best is not None
    done = {(f.request.action, i) for f in made.best.asking_for if f.request is not None for i in f.entity_ids}
    assert done == wanted


@pytest.mark.parametrize(
    ("language", "text", "said", "alike"),
    [
        ("en", "paws the tv", "pause the tv", True),
        ("en", "turn the tea vee down", "turn the tv down", True),
        ("en", "close the living room blind sand", "close the living room blinds and", True),
        ("en", "turn the tv onplease", "turn the tv on please", True),
        ("en", "unluck the front door", "unlock the front door", False),
        ("fr", "étain la lampe de bureau", "étein la lampe de bureau", True),
        ("fr", "mets la lampe à vin pour cent", "mets la lampe à vingt pour cent", True),
        ("es", "está serrada la puerta", "está cerrada la puerta", True),
        ("es", "paga la luz del despacho", "apaga la luz del despacho", False),
        ("de", "mach die musick aus", "mach die musik aus", True),
        ("nl", "is het hart buiten", "is het hard buiten", True),
        ("ko", "책상 스텐드 켜 줘", "책상 스탠드 켜 줘", True),
    ],
)
def test_words_that_exist_are_heard_as_others(language: str, text: str, said: str, alike: bool) -> None:
    things = {"en": THINGS}.get(language) or HOMES.get(language, ES)
    found = {normalise(h.text): h.alike for h in hearings(tokenise(text), home_names(things, language))}
    assert found.get(normalise(said)) is alike


@pytest.mark.parametrize("text", ["not the lamp", "we went to rome by train on sunday in may"])
def test_a_denial_and_small_words_are_heard_as_written(text: str) -> None:
    words = {w for h in hearings(tokenise(text), home_names()) for w in h.text.split()}
    assert not words & {"knot", "two", "too", "buy", "inn"}


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("fr", "étends le linge dans le salon"),
        ("fr", "vends la lampe de bureau"),
        ("es", "paga la cuenta de la luz"),
        ("es", "vende la lámpara de escritorio"),
        ("ko", "게임방 그림 켜 줘"),
    ],
)
def test_another_word_beside_a_thing_does_nothing(language: str, text: str) -> None:
    made = heard(language, text)
    wanted = made.best.asking_for if made.verdict is Verdict.ACT and made.best is not None else ()
    assert not any(f.acts for f in wanted)
