"""Somebody is told of beside an order or a question, and an order that waits for somebody is none for now."""

from __future__ import annotations

import pytest

from homeagent.demo.server import DemoServer
from tests.brains.talking import Ask, reached


@pytest.mark.parametrize(
    ("language", "text", "meant"),
    [
        ("en", "my mum comes on Friday, turn off the hall light", "light.hall"),
        ("en", "turn off the hall light, my sister is coming at eight", "light.hall"),
        ("en", "extractor hood on, I'm frying fish", "fan.extractor_hood"),
        ("en", "close the blinds because my brother is asleep", "cover.living_room_blinds"),
        ("en", "I left the hall light on, turn it off", "light.hall"),
        ("de", "meine Schwester kommt um acht, mach Hall light aus", "light.hall"),
        ("de", "mein Onkel Heinz kommt am Freitag, mach Hall light aus", "light.hall"),
        ("fr", "ma mère arrive vendredi, éteins Hall light", "light.hall"),
        ("es", "mi hermano llega el viernes, apaga Hall light", "light.hall"),
        ("nl", "mijn broer komt morgen, doe Hall light uit", "light.hall"),
        ("ko", "내일 엄마가 오셔, Hall light 꺼줘", "light.hall"),
    ],
)
async def test_what_is_told_beside_an_order_does_not_keep_it_from_being_done(
    ask: Ask, demo: DemoServer, language: str, text: str, meant: str
) -> None:
    reply = await ask(text, language=language)
    assert reached(demo) == {meant}, reply.response


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "when my mum comes on Friday, turn off the hall light"),
        ("en", "turn off the hall light after my mum has left"),
        ("en", "leave the hall light on until I'm back"),
        ("en", "on Friday at eight, turn off the hall light"),
        ("en", "I turned off the hall light"),
        ("de", "wenn meine Mutter kommt, mach Hall light aus"),
        ("fr", "quand ma mère arrive, éteins Hall light"),
        ("es", "cuando llegue mi madre, apaga Hall light"),
        ("nl", "zodra mijn moeder komt, doe Hall light uit"),
        ("ko", "엄마가 오면 Hall light 꺼줘"),
    ],
)
async def test_an_order_that_waits_for_somebody_is_not_carried_out_now(
    ask: Ask, demo: DemoServer, language: str, text: str
) -> None:
    reply = await ask(text, language=language)
    assert not reached(demo), reply.response


async def test_a_question_beside_a_statement_with_a_time_is_answered(ask: Ask, demo: DemoServer) -> None:
    reply = await ask("my mum comes on Friday, which lamps are still burning in the lounge")
    assert "Living room ceiling" in reply.response
    assert not reached(demo)
