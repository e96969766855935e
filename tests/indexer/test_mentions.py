"""What a sentence mentions, in six languages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homeagent.languages.folder import Part, read_part
from indexer import lexicon
from indexer.entity import Area, Entity
from indexer.mentions import MentionKind, Mentions
from indexer.sentence_reading import find_mentions
from indexer.vocabulary import Vocabulary
from tests.indexer.index_helpers import FLOORS, home

KIND = MentionKind


def vocabulary(*areas: Area, entities: tuple[Entity, ...] = ()) -> Vocabulary:
    known = Vocabulary()
    lived_in = {e.area.area_id: e.area for e in entities if e.area}
    known.set_places([*lived_in.values(), *areas], FLOORS.values())
    for entity in entities:
        known.add(entity)
    return known


def read(text: str, language: str = "en", *areas: Area) -> Mentions:
    return find_mentions(text, vocabulary(*areas, entities=home()), language)


def test_a_name_an_area_a_kind_and_a_number() -> None:
    found = read("set the Counter Light in the kitchen to 30 percent")
    assert found.values(KIND.NAME) == ("light.kitchen_counter",)
    assert found.values(KIND.AREA) == ("kitchen",)
    assert found.values(KIND.NUMBER) == ("30",)
    [name] = found.of(KIND.NAME)
    assert found.text[name.start : name.end] == "Counter Light"


@pytest.mark.parametrize(
    ("text", "language", "area", "domain"),
    [
        ("turn off all lights in the kitchen", "en", Area("k", "Kitchen"), "light"),
        ("Mach alle Lichter in der Küche aus", "de", Area("k", "Küche"), "light"),
        ("Schalte die Küchenlichter aus", "de", Area("k", "Küche"), "light"),
        ("éteins toutes les lumières de la cuisine", "fr", Area("k", "cuisine"), "light"),
        ("apaga todas las luces de la cocina", "es", Area("k", "Cocina"), "light"),
        ("doe alle keukenlampen uit", "nl", Area("k", "Keuken"), "light"),
        ("주방의 모든 불 꺼줘", "ko", Area("k", "주방"), "light"),
        ("ferme tous les volets du salon", "fr", Area("k", "salon"), "cover"),
        ("spegni tutte le luci in cucina", "it", Area("k", "Cucina"), "light"),
        ("wyłącz wszystkie światła w kuchni", "pl", Area("k", "Kuchnia"), "light"),
        ("zamknij rolety w sypialni", "pl", Area("k", "Sypialnia"), "cover"),
        ("släck lamporna i köket", "sv", Area("k", "Kök"), "light"),
        ("закрой шторы в спальне", "ru", Area("k", "Спальня"), "cover"),
        ("выключи все лампы в гостиной", "ru", Area("k", "Гостиная"), "light"),
        ("zhasni všechna světla v obývacím pokoji", "cs", Area("k", "Obývací pokoj"), "light"),
    ],
)
def test_whole_sets_in_many_languages(text: str, language: str, area: Area, domain: str) -> None:
    found = find_mentions(text, vocabulary(area), language)
    assert found.plural
    assert found.values(KIND.AREA) == (area.area_id,)
    assert domain in found.values(KIND.DOMAIN)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("turn on the lights in the observatory", "en"),
        ("turn off the observatory lights", "en"),
        ("Mach die Lichter im Observatorium an", "de"),
        ("allume les lumières de l'observatoire", "fr"),
        ("enciende las luces del observatorio", "es"),
        ("doe de lampen in het observatorium aan", "nl"),
        ("천문대에 있는 모든 불 켜줘", "ko"),
    ],
)
def test_a_place_that_is_not_there(text: str, language: str) -> None:
    assert read(text, language).of(KIND.UNKNOWN_PLACE)


@pytest.mark.parametrize(
    ("text", "language", "domain"),
    [
        ("zapal lampkę", "pl", "light"),
        ("włącz telewizor", "pl", "media_player"),
        ("какая температура", "ru", "sensor"),
        ("включи кондиционеру обогрев", "ru", "climate"),
        ("ztlum lampičku", "cs", "light"),
        ("var är dammsugaren", "sv", "vacuum"),
    ],
)
def test_a_form_of_a_kinds_word_is_known(text: str, language: str, domain: str) -> None:
    assert domain in read(text, language).values(KIND.DOMAIN)


def test_where_forms_are_listed_a_word_that_begins_alike_is_another() -> None:
    assert not read("turn on the lighthouse", "en").of(KIND.DOMAIN)
    assert not read("is it bathing time", "en", Area("b", "Bath")).of(KIND.AREA)


@pytest.mark.parametrize(
    "text",
    [
        "turn on all lights in the house",
        "wake me in the morning",
        "turn off the lights in ten minutes",
        "turn on the kitchen lights",
        "turn off the lights in here",
        "turn off the lights please",
        "play something in the background",
    ],
)
def test_no_place_is_made_up(text: str) -> None:
    assert not read(text).of(KIND.UNKNOWN_PLACE)


def test_an_unknown_place_comes_with_the_nearest_real_ones() -> None:
    [place] = read("is it warm in the kitchenette").of(KIND.UNKNOWN_PLACE) or read("lights in the kitchenette").of(
        KIND.AREA
    )
    assert "Kitchen" in place.values or "kitchen" in place.values


def test_a_misspelt_room_is_still_the_room() -> None:
    found = read("turn off the lights in the kichen")
    assert found.values(KIND.AREA) == ("kitchen",)
    assert found.of(KIND.AREA)[0].score < 1


def test_except_takes_out_by_name_and_place() -> None:
    found = read("turn off all lights except the bedside lamp")
    assert [m.values for m in found.excluded if m.kind is KIND.NAME] == [("switch.bedside_lamp",)]
    assert not found.of(KIND.NAME)
    found = read("turn off all lights except in the kitchen")
    assert [m.values for m in found.excluded] == [("kitchen",)]
    assert not found.of(KIND.AREA)


def test_a_longer_name_swallows_a_shorter_one() -> None:
    found = read("is the front door lock closed")
    assert found.values(KIND.NAME) == ("lock.front_door",)
    assert [m.kind for m in found.inner], "what the name has in it is still told"


def test_floors_labels_here_and_it() -> None:
    assert read("turn off everything upstairs").values(KIND.FLOOR) == ("upstairs",)
    assert read("turn off the night lights").values(KIND.LABEL) == ("night",)
    assert read("turn it off").of(KIND.AGAIN)
    assert read("is it cold in here").of(KIND.HERE)


def test_the_article_is_not_it() -> None:
    assert not read("allume la lampe", "fr").of(KIND.AGAIN)
    assert read("allume la", "fr").of(KIND.AGAIN)


def test_verbs_imply_domains_without_naming_them() -> None:
    found = read("pause the music")
    assert not found.of(KIND.DOMAIN)
    assert set(found.values(KIND.ACTION)) == {"media_player"}


def test_taking_a_word_out_costs_that_word_only(monkeypatch: pytest.MonkeyPatch) -> None:
    code, raw = read_part("en", Part.KINDS) or ("", {})
    del raw["concepts"]["light+"]
    monkeypatch.setattr(lexicon, "read_part", lambda *_: (code, raw))
    lexicon._lexicon.cache_clear()
    try:
        assert not read("turn off the lights").of(KIND.DOMAIN)
        assert read("turn off the lamp").of(KIND.DOMAIN)
        assert read("close the blinds").plural
    finally:
        monkeypatch.undo()
        lexicon._lexicon.cache_clear()


@pytest.mark.parametrize("language", [*lexicon.languages(), "zz", "de-CH"])
@given(text=st.text())
def test_any_text_in_any_language_can_be_read(language: str, text: str) -> None:
    found = find_mentions(text, vocabulary(entities=home()), language)
    for mention in (*found.items, *found.excluded, *found.inner):
        assert 0 <= mention.start < mention.end <= len(found.text)
        assert found.text[mention.start : mention.end] == mention.text
        assert 0 < mention.score <= 1


PIECES = st.sampled_from(
    ["turn", "off", "all", "lights", "except", "in", "the", "kitchen", "lamp", "2", "%", "bedside", "observatory", "it"]
)


@given(st.lists(PIECES, max_size=12))
def test_what_is_taken_out_is_never_asked_for(pieces: list[str]) -> None:
    found = read(" ".join(pieces))
    taken = {(m.start, m.end, m.kind) for m in found.excluded}
    assert not taken & {(m.start, m.end, m.kind) for m in found.items}


def test_a_very_long_sentence_is_cut() -> None:
    found = read("turn on the kettle " + "very " * 30_000)
    assert found.values(KIND.NAME) == ("switch.kettle",)
    assert len(found.text) <= 2000
