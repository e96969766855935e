"""What somebody tells to be done is found on the lists of the home, and ticked off as far as that was said."""

from __future__ import annotations

import pytest

from homeagent.demo.server import DemoServer
from tests.brains.talking import Other

_HOME = """
entities:
  - {name: %s, id: todo.shopping, x-items: [%s, %s]}
  - {name: %s, id: todo.tasks, x-items: [%s, %s]}
"""
_EN = ("Shopping list", "milk", "coffee beans", "To-do list", "pay the electricity bill", "call the plumber")
_DE = ("Einkaufsliste", "Milch", "Kaffeebohnen", "Aufgaben", "Stromrechnung bezahlen", "Klempner anrufen")
_FR = ("Liste de courses", "lait", "café", "Choses à faire", "payer la facture", "appeler le plombier")
_ES = ("Lista de la compra", "leche", "café", "Tareas", "pagar la factura de la luz", "llamar al fontanero")
_NL = ("Boodschappenlijst", "melk", "koffie", "Taken", "elektriciteitsrekening betalen", "loodgieter bellen")
_KO = ("장보기 목록", "우유", "원두", "할 일", "전기요금 내기", "배관공 부르기")


def _open(server: DemoServer, list_id: str) -> list[str]:
    return [i["summary"] for i in server.world.devices[list_id].items if i["status"] == "needs_action"]


@pytest.mark.parametrize(
    ("language", "names", "told", "yes"),
    [
        ("en", _EN, "I rang the plumber this morning by the way", "yes"),
        ("de", _DE, "Den Klempner hab ich heute früh angerufen", "ja"),
        ("fr", _FR, "Au fait, j'ai appelé le plombier", "oui"),
        ("es", _ES, "Ya he llamado al fontanero", "sí"),
        ("nl", _NL, "De loodgieter heb ik gebeld hoor", "ja"),
        ("ko", _KO, "배관공 아까 불렀어", "응"),
    ],
)
async def test_what_is_told_to_be_done_is_offered_to_be_ticked_off(
    other_home: Other, language: str, names: tuple[str, ...], told: str, yes: str
) -> None:
    async with other_home(_HOME % names) as (ask, server):
        offered = (await ask(told, language=language)).response
        assert names[5] in offered
        assert names[3] in offered
        assert _open(server, "todo.tasks") == list(names[4:])
        await ask(yes, language=language)
        assert _open(server, "todo.tasks") == [names[4]]


async def test_a_list_that_cannot_be_read_has_nothing_to_tick_off(other_home: Other) -> None:
    failing = (_HOME % _EN).replace("id: todo.tasks,", "id: todo.tasks, x-behavior: {fails: Too busy},")
    async with other_home(failing) as (ask, server):
        told = await ask("I rang the plumber this morning by the way")
        assert not told.trace["errors"]
        assert _open(server, "todo.tasks") == list(_EN[4:])


@pytest.mark.parametrize(
    ("language", "names", "told"),
    [
        ("en", _EN, "The electricity bill's paid, you can cross it off"),
        ("de", _DE, "Stromrechnung ist bezahlt, kannst du abhaken"),
        ("fr", _FR, "La facture est payée, tu peux la cocher"),
        ("es", _ES, "La factura de la luz está pagada, puedes tacharla"),
        ("nl", _NL, "De elektriciteitsrekening is betaald, vink maar af"),
        ("ko", _KO, "전기요금 냈으니까 체크해 줘"),
    ],
)
async def test_what_is_done_is_ticked_off_where_that_is_said(
    other_home: Other, language: str, names: tuple[str, ...], told: str
) -> None:
    async with other_home(_HOME % names) as (ask, server):
        await ask(told, language=language)
        assert _open(server, "todo.tasks") == [names[5]]
        assert len(_open(server, "todo.shopping")) == 2


@pytest.mark.parametrize(
    ("language", "names", "told"),
    [
        ("en", _EN, "I haven't called the plumber yet"),
        ("de", _DE, "Ich habe den Klempner noch nicht angerufen"),
        ("fr", _FR, "Je n'ai pas encore appelé le plombier"),
        ("es", _ES, "Todavía no he llamado al fontanero"),
        ("nl", _NL, "Ik heb de loodgieter nog niet gebeld"),
        ("ko", _KO, "배관공 아직 안 불렀어"),
        ("en", _EN, "my sister called"),
        ("en", _EN, "did I pay the electricity bill?"),
    ],
)
async def test_nothing_is_offered_of_what_is_not_done(
    other_home: Other, language: str, names: tuple[str, ...], told: str
) -> None:
    async with other_home(_HOME % names) as (ask, server):
        answer = (await ask(told, language=language)).response
        assert not any(item in answer for item in names[4:])
        assert len(_open(server, "todo.tasks")) == 2


@pytest.mark.parametrize(
    ("language", "names", "text", "items"),
    [
        (
            *("en", _EN, "put light bulbs, a door handle and bring in the cushions on the to-do list"),
            ("light bulbs", "door handle", "bring in the cushions"),
        ),
        ("en", _EN, "add ring the alarm company to my to-do list", ("ring the alarm company",)),
        ("de", _DE, "Trag Wecker umtauschen in die Aufgaben ein", ("Wecker umtauschen",)),
        ("fr", _FR, "mets éteindre la chaudière dans les choses à faire", ("éteindre la chaudière",)),
        ("es", _ES, "pon chocolate negro y zumo de naranja en las tareas", ("chocolate negro", "zumo de naranja")),
        ("nl", _NL, "zet rolluik op zolder repareren op de taken", ("rolluik op zolder repareren",)),
        ("ko", _KO, "할 일에 휴가 전에 보일러 끄기 넣어 줄 수 있어?", ("휴가 전에 보일러 끄기",)),
    ],
)
async def test_an_item_is_taken_as_it_is_said_whatever_its_words_mean(
    other_home: Other, language: str, names: tuple[str, ...], text: str, items: tuple[str, ...]
) -> None:
    async with other_home(_HOME % names) as (ask, server):
        await ask(text, language=language)
        assert tuple(_open(server, "todo.tasks")[2:]) == items


@pytest.mark.parametrize(
    ("language", "names", "text"),
    [
        ("en", _EN, "don't put sugar on the shopping list"),
        ("de", _DE, "setz keinen Zucker auf die Einkaufsliste"),
        ("fr", _FR, "n'ajoute pas de sucre à la liste de courses"),
        ("es", _ES, "no pongas azúcar en la lista de la compra"),
        ("nl", _NL, "zet geen suiker op de boodschappenlijst"),
        ("ko", _KO, "장보기 목록에 설탕 넣지 마"),
    ],
)
async def test_what_is_not_to_be_on_a_list_is_not_put_there(
    other_home: Other, language: str, names: tuple[str, ...], text: str
) -> None:
    async with other_home(_HOME % names) as (ask, server):
        await ask(text, language=language)
        assert _open(server, "todo.shopping") == [names[1], names[2]]


@pytest.mark.parametrize(
    ("language", "names", "text"),
    [
        ("en", _EN, "tick off the milk and remove the coffee beans from the shopping list"),
        ("de", _DE, "Hak die Milch ab und nimm die Kaffeebohnen von der Einkaufsliste"),
        ("fr", _FR, "coche le lait et enlève le café de la liste de courses"),
        ("es", _ES, "tacha la leche y quita el café de la lista de la compra"),
        ("nl", _NL, "vink de melk af en haal de koffie van de boodschappenlijst"),
        ("en", _EN, "I've bought the milk, so remove the coffee beans from the shopping list"),
        ("ko", _KO, "우유 체크하고 원두는 장보기 목록에서 빼 줘"),
    ],
)
async def test_an_order_takes_nothing_else_off_the_list(
    other_home: Other, language: str, names: tuple[str, ...], text: str
) -> None:
    async with other_home(_HOME % names) as (ask, server):
        await ask(text, language=language)
        assert names[1] in [i["summary"] for i in server.world.devices["todo.shopping"].items]
        assert names[2] not in _done(server)


def _done(server: DemoServer) -> list[str]:
    return [i["summary"] for i in server.world.devices["todo.shopping"].items if i["status"] == "completed"]
