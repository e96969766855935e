"""A step without a target: it reaches one thing at most, or what the conversation or the speaker's room tells."""

from __future__ import annotations

import pytest

from homeagent.demo.server import DemoServer
from tests.brains.talking import Ask, reached

_HALF = [
    ("en", "Too bright, half as bright please."),
    ("de", "zu hell, bitte halb so hell"),
    ("de", "mach es dunkler, auf die Hälfte"),
    ("fr", "trop lumineux, deux fois moins lumineux"),
    ("es", "demasiado brillante, ponlo a la mitad"),
    ("nl", "te fel, graag half zo fel"),
    ("ko", "너무 밝아, 절반으로 줄여줘"),
]


@pytest.mark.parametrize(("language", "text"), _HALF)
async def test_of_several_that_are_on_none_is_dimmed_unasked(
    ask: Ask, demo: DemoServer, language: str, text: str
) -> None:
    for _ in range(2):
        reply = await ask(text, language=language)
        assert reached(demo) == set(), reply.response


async def test_it_asks_which_of_those_that_are_on(ask: Ask, demo: DemoServer) -> None:
    reply = await ask("zu hell, bitte halb so hell", language="de")
    assert reply.response.startswith("Was meinst du: ")
    assert "Kitchen ceiling" not in reply.response
    await ask("Study light", language="de")
    assert reached(demo) == {"light.study"}


@pytest.mark.parametrize("text", ["zu hell, bitte halb so hell", "zu hell, etwas dunkler"])
async def test_after_an_order_it_means_what_that_dealt_with(ask: Ask, demo: DemoServer, text: str) -> None:
    await ask("Mach Reading lamp an", language="de")
    before = demo.state("light.reading_lamp")["attributes"]["brightness"]
    reply = await ask(text, language="de")
    assert demo.state("light.reading_lamp")["attributes"]["brightness"] < before, reply.response
    assert reached(demo) == {"light.reading_lamp"}
