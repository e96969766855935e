"""What a family asks and orders in a week, in French, Spanish and Korean: whole days, two questions, names by sound."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import pytest

from homeagent.languages.pack import load_pack
from homeagent.understanding.choosing import understand
from homeagent.understanding.deciding import Verdict, decide
from homeagent.understanding.home_names import HomeNames
from homeagent.understanding.sentence_context import SentenceContext
from homeagent.understanding.spans import Choice
from homeagent.understanding.tokeniser import tokenise
from indexer.entity import Area, Floor
from tests.understanding.reading import NOW, TODAY, thing

GROUND = Floor("ground", "0", level=0)


class Words(NamedTuple):
    """What the same home is called in a language: living room, bedroom, garage, children's room; lamp, to-do list."""

    living: str
    bedroom: str
    garage: str
    children: str
    lamp: str
    tasks: str


WORDS = {
    "fr": Words("Salon", "Chambre", "Garage", "Chambre des enfants", "Lampadaire", "Liste de tâches"),
    "es": Words("Salón", "Dormitorio", "Garaje", "Cuarto de los niños", "Lámpara de pie", "Lista de tareas"),
    "ko": Words("거실", "침실", "차고", "아이방", "플로어 스탠드", "할 일 목록"),
}


@cache
def home(language: str) -> HomeNames:
    pack = load_pack(language)
    assert pack is not None
    said = WORDS[language]
    rooms = ("living", "bedroom", "garage", "children")
    living, bedroom, garage, children = (Area(r, getattr(said, r), (), "ground") for r in rooms)
    things = (
        thing("light.floor", said.lamp, living),
        thing("light.kids", f"1 {said.children}", children),
        thing("light.garage", f"2 {said.garage}", garage),
        thing("cover.garage", f"3 {said.garage}", garage, "garage"),
        thing("sensor.living", "T1", living, "temperature"),
        thing("climate.bedroom", "T2", bedroom),
        thing("media_player.tv", "TV", living, "tv"),
        thing("vacuum.robot", "Roomba", living),
        thing("lock.front", {"fr": "Porte d'entrée", "es": "Puerta de entrada", "ko": "현관문"}[language]),
        thing("person.ben", "Ben"),
        thing("weather.home", "W1"),
        thing("calendar.family", "C1"),
        thing("todo.shopping", {"fr": "Liste de courses", "es": "Lista de la compra", "ko": "장보기 목록"}[language]),
        thing("todo.tasks", said.tasks),
    )
    return HomeNames(things, (living, bedroom, garage, children), (GROUND,), pack)


def told(text: str, language: str) -> tuple[str, str]:
    """The verdict and what the best reading asks for or does: act, attribute or action, things, days from today."""
    choices = {"netflix": (Choice("media_player.tv", "source", "Netflix"),)}
    found = decide(understand(tokenise(text), SentenceContext(home(language), TODAY, choices=choices, now=NOW)))
    wanted = found.best.asking_for if found.best is not None and found.verdict is not Verdict.HAND_OVER else ()
    parts = []
    for frame in wanted:
        request = frame.request
        assert request is not None
        period = request.period.days_ago if request.period is not None else None
        what = request.action or request.attribute or "/".join(request.states)
        item = request.parameters.get("item")
        ids = "+".join(sorted(frame.entity_ids))
        parts.append(" ".join(str(p) for p in (frame.act, what, ids, item, period) if p not in ("", None)))
    return found.verdict.value, "; ".join(parts)


@pytest.mark.parametrize(
    ("language", "text", "wanted"),
    [
        ("fr", "quel jour tombe le 24 décembre", "clock -29"),
        ("es", "en qué día cae el 24 de diciembre", "clock -29"),
        ("ko", "12월 24일이 무슨 요일이야", "clock -29"),
        ("ko", "15일이 무슨 요일이야", "clock -20"),
        ("fr", "qu'est-ce que j'ai le 3 décembre", "calendar events -8"),
        ("fr", "quel temps fait-il et qu'est-ce que j'ai demain ?", "weather weather; calendar events -1"),
        ("es", "qué tiempo hace y qué tengo mañana", "weather weather; calendar events -1"),
        ("es", "qué hay esta noche", "calendar events 0"),
        ("es", "cuántos grados hará mañana", "weather forecast -1"),
        ("ko", "내일 몇 도까지 올라가?", "weather forecast -1"),
        ("ko", "수요일에 뭐 있지", "calendar events -7"),
        ("ko", "치과 언제야", "calendar events"),
        ("ko", "수영 수업 몇 시야", "calendar events"),
        ("fr", "il fait quelle température dans le salon et dans la chambre",
         "asking sensor.living; asking current_temperature climate.bedroom"),
        ("es", "qué temperatura hay en el salón y en el dormitorio",
         "asking sensor.living; asking current_temperature climate.bedroom"),
        ("ko", "거실하고 침실 몇 도야", "asking sensor.living; asking current_temperature climate.bedroom"),
        ("ko", "현관문 잠겨 있고 플로어 스탠드 꺼져 있어?", "asking locked lock.front; asking off light.floor"),
        ("ko", "플로어 스탠드 켜 놓고 나왔나?", "asking on light.floor"),
        ("ko", "플로어 스탠드 켜놓고 나왔나", "asking on light.floor"),
        ("ko", "벤 들어왔어?", "asking home person.ben"),
        ("es", "¿ha llegado Ben?", "asking home person.ben"),
        ("fr", "allume le lampadaire et dis-moi quelle heure il est", "control turn_on light.floor; clock"),
        ("fr", "ouvre le garage", "control open cover.garage"),
        ("fr", "éteins la lumière des enfants", "control turn_off light.kids"),
        ("es", "apaga la luz de los niños", "control turn_off light.kids"),
        ("es", "que la Roomba pase por casa", "control start vacuum.robot"),
        ("es", "manda la Roomba a casa", "control return_to_base vacuum.robot"),
        ("ko", "거실불좀꺼주라", "control turn_off light.floor"),
        ("ko", "불켜줘거실", "control turn_on light.floor"),
        ("fr", "note d'appeler le notaire dans mes tâches", "list add_item todo.tasks appeler le notaire"),
        ("es", "quita los huevos de la lista", "list remove_item todo.shopping+todo.tasks huevos"),
        ("es", "pon la TV y además añade tomates a la lista de la compra",
         "control turn_on media_player.tv; list add_item todo.shopping tomates"),
    ],
)  # fmt: skip
def test_it_is_done_or_answered(language: str, text: str, wanted: str) -> None:
    assert told(text, language) == ("act", wanted)


@pytest.mark.parametrize(
    ("language", "text", "offered"),
    [
        ("fr", "maman a dit d'éteindre la TV", "control turn_off media_player.tv"),
        ("fr", "papa veut que tu allumes le lampadaire", "control turn_on light.floor"),
        ("es", "mamá ha dicho que apagues la TV", "control turn_off media_player.tv"),
        ("ko", "엄마가 티비 끄래", "control turn_off media_player.tv"),
    ],
)
def test_an_order_of_somebody_else_is_asked_about(language: str, text: str, offered: str) -> None:
    assert told(text, language) == ("ask", offered)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("es", "los niños duermen apaga el dormitorio"),
        ("fr", "éteins la lumière de mamie"),
        ("es", "enciende el salón no el dormitorio"),
        ("ko", "냉장고에 뭐 있어"),
        ("ko", "티비 끄래"),
    ],
)
def test_what_is_not_understood_is_neither_done_nor_answered(language: str, text: str) -> None:
    verdict, wanted = told(text, language)
    assert verdict != "act" or wanted.split()[0] in ("unknown", "refusal")


def test_a_choice_in_other_letters_is_known_by_its_sound() -> None:
    verdict, wanted = told("티비에서 넷플릭스 틀어줘", "ko")
    assert (verdict, wanted.split()[-1]) == ("act", "media_player.tv")
    assert "play_media" not in wanted
