"""What is put right, added or asked right after something was put on a list, or planned."""

from __future__ import annotations

import pytest

from homeagent.demo.server import DemoServer
from tests.brains.talking import Other

_HOME = """
entities:
  - {name: %s, id: todo.shopping, x-items: [tea]}
  - {name: Family, id: calendar.family, x-events: [{summary: Dentist, start: "1d 09:30", hours: 1}]}
"""


def _items(server: DemoServer) -> list[str]:
    return [i["summary"] for i in server.world.devices["todo.shopping"].items if i["status"] == "needs_action"]


@pytest.mark.parametrize(
    ("language", "name", "first", "then", "left"),
    [
        ("en", "Shopping list", "add milk and limes to the shopping list", "no wait, lemons, not limes", "milk lemons"),
        ("en", "Shopping list", "add milk and butter to the shopping list", "actually leave the butter off", "milk"),
        ("de", "Einkaufsliste", "setz Milch und Butter auf die Einkaufsliste", "lass die Butter doch weg", "Milch"),
        ("fr", "Courses", "ajoute du lait et du beurre aux courses", "non, pas de beurre", "lait"),
        ("es", "Compra", "añade leche y limas a la compra", "no, limones, no limas", "leche limones"),
        ("nl", "Lijst", "zet melk en limoenen op de lijst", "nee, citroenen, geen limoenen", "melk citroenen"),
        ("ko", "장보기 목록", "장보기 목록에 우유랑 버터 추가해 줘", "버터는 빼 줘", "우유"),
    ],
)
async def test_what_was_just_added_is_put_right(
    other_home: Other, language: str, name: str, first: str, then: str, left: str
) -> None:
    async with other_home(_HOME % name) as (ask, server):
        await ask(first, language=language)
        await ask(then, language=language)
        assert _items(server) == ["tea", *left.split()]


_LIST = {
    "en": ("Shopping list", "add cheese to the shopping list"),
    "de": ("Einkaufsliste", "setz Käse auf die Einkaufsliste"),
    "fr": ("Courses", "ajoute du fromage aux courses"),
    "es": ("Compra", "añade queso a la compra"),
    "nl": ("Boodschappen", "zet kaas op de boodschappen"),
    "ko": ("장보기 목록", "장보기 목록에 치즈 추가해 줘"),
}


@pytest.mark.parametrize(
    ("language", "then", "left"),
    [
        *[("en", "no, not the milk", 2), ("en", "actually no", 1), ("en", "just kidding", 1)],
        *[("de", "nein, nicht die Milch", 2), ("de", "doch nicht", 1), ("de", "das war ein Witz", 1)],
        *[("fr", "non pas le lait", 2), ("fr", "finalement non", 1), ("fr", "c'était pour rire", 1)],
        *[("es", "no, la leche no", 2), ("es", "mejor no", 1), ("es", "estaba bromeando", 1)],
        *[("nl", "nee, niet de melk", 2), ("nl", "toch niet", 1), ("nl", "geintje", 1)],
        ("ko", "아니, 안 넣어도 돼", 2),
        *[("ko", "아니 우유 말고", 2), ("ko", "아니야 됐어", 1), ("ko", "농담이야", 1)],
    ],
)
async def test_only_what_was_just_added_is_taken_off(other_home: Other, language: str, then: str, left: int) -> None:
    name, first = _LIST[language]
    async with other_home(_HOME % name) as (ask, server):
        await ask(first, language=language)
        await ask(then, language=language)
        assert len(_items(server)) == left


@pytest.mark.parametrize(
    ("language", "text"),
    [
        *[("en", "add nothing to the shopping list"), ("en", "add cheese to the shopping list, just kidding")],
        *[("de", "setz nichts auf die Einkaufsliste"), ("de", "setz Käse auf die Einkaufsliste, ach vergiss es")],
        *[("fr", "ajoute rien aux courses"), ("fr", "ajoute du fromage aux courses, je plaisante")],
        *[("es", "no añadas nada a la compra"), ("es", "añade queso a la compra, no, olvídalo")],
        *[("nl", "zet niks op de boodschappen"), ("nl", "zet kaas op de boodschappen, geintje")],
        *[("ko", "장보기 목록에 아무것도 추가하지 마"), ("ko", "장보기 목록에 치즈 추가해 줘, 농담이야")],
    ],
)
async def test_nothing_is_added_where_nothing_is_wanted(other_home: Other, language: str, text: str) -> None:
    async with other_home(_HOME % _LIST[language][0]) as (ask, server):
        await ask(text, language=language)
        assert _items(server) == ["tea"]


@pytest.mark.parametrize(
    ("language", "texts"),
    [
        ("en", ("add cheese and basil to the shopping list", "not the cheese", "and not the basil either")),
        ("de", ("setz Käse und Basilikum auf die Einkaufsliste", "Käse doch nicht", "Basilikum auch nicht")),
        ("fr", ("ajoute du fromage et du basilic aux courses", "pas le fromage", "et pas le basilic non plus")),
        ("es", ("añade queso y albahaca a la compra", "el queso no", "la albahaca tampoco")),
        ("nl", ("zet kaas en basilicum op de boodschappen", "toch geen kaas", "basilicum ook niet")),
        ("ko", ("장보기 목록에 치즈랑 바질 추가해 줘", "치즈는 말고", "바질도 말고")),
    ],
)
async def test_one_more_may_be_denied(other_home: Other, language: str, texts: tuple[str, ...]) -> None:
    async with other_home(_HOME % _LIST[language][0]) as (ask, server):
        for text in texts:
            await ask(text, language=language)
        assert _items(server) == ["tea"]


@pytest.mark.parametrize(
    ("language", "items", "text"),
    [
        ("en", "eggs, milk", "take the eggs off the shopping list, no, the milk"),
        ("de", "Eier, Milch", "nimm die Eier von der Einkaufsliste, nein, die Milch"),
        ("fr", "œufs, lait", "enlève les œufs des courses, non, le lait"),
        ("es", "huevos, leche", "quita los huevos de la compra, no, la leche"),
        ("nl", "eieren, melk", "haal de eieren van de boodschappen, nee, de melk"),
        ("ko", "계란, 우유", "장보기 목록에서 계란 빼 줘, 아니 우유"),
    ],
)
async def test_an_item_corrected_in_one_breath_is_the_only_one(
    other_home: Other, language: str, items: str, text: str
) -> None:
    async with other_home(_HOME.replace("[tea]", f"[{items}]") % _LIST[language][0]) as (ask, server):
        await ask(text, language=language)
        assert _items(server) == [items.split(", ")[0]]


_FIRST = {
    "en": ("Shopping list", "add candles to the shopping list", "and matches"),
    "de": ("Einkaufsliste", "setz Kerzen auf die Einkaufsliste", "und Streichhölzer"),
    "fr": ("Courses", "ajoute des bougies aux courses", "et des allumettes"),
    "es": ("Compra", "añade velas a la compra", "y cerillas"),
    "nl": ("Lijst", "zet kaarsen op de lijst", "en lucifers"),
    "ko": ("장보기 목록", "장보기 목록에 양초 추가해 줘", "성냥도"),
}


@pytest.mark.parametrize(
    ("language", "then", "stays"),
    [
        ("en", "oh wait, no candles, mum's bringing them", False),
        ("en", "actually not the candles, we still have some", False),
        ("en", "don't take the candles off", True),
        ("en", "we have no candles", True),
        ("en", "not just candles", True),
        ("de", "Kerzen doch nicht, die mag keiner", False),
        ("de", "vergiss die Kerzen nicht", True),
        ("fr", "ah non, pas les bougies, maman en apporte", False),
        ("fr", "n'oublie pas les bougies", True),
        ("es", "ay no, las velas no, las trae mi madre", False),
        ("es", "que no se te olviden las velas", True),
        ("nl", "kaarsen toch maar niet, er staat nog een pak", False),
        ("nl", "vergeet de kaarsen niet", True),
        ("ko", "아 양초는 됐어, 엄마가 가져온대", False),
        ("ko", "양초 빼지 마", True),
    ],
)
async def test_what_was_added_is_taken_off_where_it_is_not_wanted_after_all(
    other_home: Other, language: str, then: str, stays: bool
) -> None:
    name, first, more = _FIRST[language]
    async with other_home(_HOME % name) as (ask, server):
        await ask(first, language=language)
        await ask(more, language=language)
        added = _items(server)
        await ask(then, language=language)
        assert _items(server) == (added if stays else [added[0], added[2]])


@pytest.mark.parametrize(
    ("language", "name", "first", "then"),
    [
        ("en", "Shopping list", "add milk to the shopping list", "what else was on there?"),
        ("es", "Lista de la compra", "añade milk a la lista de la compra", "¿Qué más había?"),
        ("nl", "Boodschappenlijst", "zet milk op de boodschappenlijst", "wat stond er nog meer op?"),
        ("ko", "장보기 목록", "장보기 목록에 milk 추가해 줘", "또 뭐 있었지?"),
        ("en", "Shopping list", "add milk to the shopping list", "so what's on there now?"),
        ("de", "Einkaufsliste", "setz milk auf die Einkaufsliste", "und was steht da jetzt alles?"),
        ("fr", "Courses", "ajoute milk aux courses", "et il y a quoi dessus maintenant ?"),
        ("es", "Lista de la compra", "añade milk a la lista de la compra", "¿y ahora qué hay apuntado?"),
        ("nl", "Boodschappenlijst", "zet milk op de boodschappenlijst", "wat hebben we nu?"),
        ("ko", "장보기 목록", "장보기 목록에 milk 추가해 줘", "그래서 지금 뭐뭐 있어?"),
    ],
)
async def test_what_else_is_there_is_asked_of_the_list(
    other_home: Other, language: str, name: str, first: str, then: str
) -> None:
    async with other_home(_HOME % name) as (ask, _):
        await ask(first, language=language)
        assert "tea, milk" in (await ask(then, language=language)).response
        if language == "en":
            assert "tea" not in (await ask("how are you?", language=language)).response


@pytest.mark.parametrize(
    ("language", "first", "then", "now"),
    [
        ("en", "what's on tomorrow?", "what time was that again?", "what time is it?"),
        ("de", "Was steht morgen an?", "um wie viel Uhr noch mal?", "wie spät ist es?"),
        ("es", "¿qué tengo mañana?", "¿a qué hora era?", "¿qué hora es?"),
        ("nl", "wat heb ik morgen?", "hoe laat ook alweer?", "hoe laat is het?"),
    ],
)
async def test_the_time_is_the_events_unless_that_of_now_is_asked(
    other_home: Other, language: str, first: str, then: str, now: str
) -> None:
    async with other_home(_HOME % "Shopping list") as (ask, _):
        assert "09:30" in (await ask(first, language=language)).response
        assert "09:30" in (await ask(then, language=language)).response
        assert "Dentist" not in (await ask(now, language=language)).response


async def test_an_event_is_told_with_its_end_and_is_not_put_back(other_home: Other) -> None:
    async with other_home(_HOME % "Shopping list") as (ask, server):
        assert "09:30–10:30" in (await ask("when is the dentist?")).response
        await ask("put the vet in the calendar tomorrow at 12")
        assert (await ask("undo that")).response == "I cannot put that back by myself."
        assert len(server.world.devices["calendar.family"].events) == 2


async def test_two_things_that_are_used_up_are_offered(other_home: Other) -> None:
    async with other_home(_HOME % "Boodschappenlijst") as (ask, server):
        await ask("De rijst is op en het kattenvoer bijna ook", language="nl")
        await ask("ja", language="nl")
        assert _items(server) == ["tea", "rijst", "kattenvoer"]


@pytest.mark.parametrize(
    ("language", "asked", "then"),
    [
        ("en", "when is the dentist?", "remind me an hour before"),
        ("de", "Was steht morgen an?", "erinner mich eine Stunde vorher"),
        ("fr", "J'ai quoi demain ?", "rappelle-le-moi une heure avant"),
        ("es", "¿qué tengo mañana?", "avísame una hora antes"),
        ("nl", "wat heb ik morgen?", "herinner me een uur van tevoren"),
        ("ko", "내일 일정 뭐야?", "한 시간 전에 알려줘"),
    ],
)
async def test_so_long_before_is_before_the_event_that_was_told_of(
    other_home: Other, language: str, asked: str, then: str
) -> None:
    async with other_home(_HOME % "Shopping list") as (ask, _):
        alone = await ask(then, language=language)
        await ask(asked, language=language)
        reply = await ask(then, language=language)
        assert "08:30" in reply.response
        assert "Dentist" in reply.response
        assert "Dentist" not in alone.response
