"""What is put on a list that is not named goes where it belongs: a task, or a thing to buy."""

from __future__ import annotations

import pytest

from homeagent.demo.server import DemoServer
from tests.brains.talking import Other

_HOME = """
entities:
  - {name: %s, id: todo.shopping, x-items: []}
  - {name: %s, id: todo.tasks, x-items: []}
"""
LISTS = {
    "en": ("Shopping list", "To-do list"),
    "de": ("Einkaufsliste", "To-do-Liste"),
    "fr": ("Liste de courses", "Liste de tâches"),
    "es": ("Lista de la compra", "Lista de tareas"),
    "nl": ("Boodschappenlijst", "Takenlijst"),
    "ko": ("장보기 목록", "할 일 목록"),
}


def _items(server: DemoServer, list_id: str) -> list[str]:
    return [i["summary"] for i in server.world.devices[list_id].items]


SAID = {
    "en": (("jot down rice and a bag of flour", "rice", "bag of flour"), ("descale the kettle", "put %s on the list")),
    "de": (("schreib Reis und Mehl auf", "Reis", "Mehl"), ("Opa besuchen", "setz %s auf die Liste")),
    "fr": (("note du riz et de la farine", "riz", "farine"), ("repeindre la porte", "ajoute %s à la liste")),
    "es": (("apunta arroz y harina", "arroz", "harina"), ("barrer la terraza", "añade %s a la lista")),
    "nl": (("schrijf rijst en meel op", "rijst", "meel"), ("ramen lappen", "zet %s op de lijst")),
    "ko": (("쌀이랑 밀가루 목록에 추가해 줘", "쌀", "밀가루"), ("우편물 보내기", "%s 목록에 추가해 줘")),
}
"""What is to be bought, with the items; a task, and how it is put on a list."""


@pytest.mark.parametrize("language", SAID)
async def test_an_item_is_put_where_it_belongs(other_home: Other, language: str) -> None:
    (bought, *items), (task, order) = SAID[language]
    async with other_home(_HOME % LISTS[language]) as (ask, server):
        await ask(bought, language=language)
        await ask(order % task, language=language)
        assert _items(server, "todo.shopping") == items
        assert _items(server, "todo.tasks") == [task]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "add clean cloths to the list"),
        ("en", "add water bottles to the list"),
        ("de", "setz saure gurken auf die liste"),
    ],
)
async def test_what_may_be_both_is_asked(other_home: Other, language: str, text: str) -> None:
    async with other_home(_HOME % LISTS[language]) as (ask, server):
        reply = await ask(text, language=language)
        assert all(name in reply.response for name in LISTS[language])
        assert _items(server, "todo.shopping") == _items(server, "todo.tasks") == []


async def test_no_item_is_noted_without_the_others(other_home: Other) -> None:
    async with other_home(_HOME % LISTS["de"]) as (ask, server):
        await ask("Schreib Hefe, Mehl und ein Kilo Äpfel auf den Zettel", language="de")
        assert _items(server, "todo.shopping") in ([], ["Hefe", "Mehl", "Kilo Äpfel"])
