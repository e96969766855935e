"""Of an order for two things the one that is known is done, and it is told or asked what the other one is."""

from __future__ import annotations

import pytest

from tests.brains.talking import Other, reached

FLAT = """
x-name: Flat
areas: [{id: hall, name: Hall}]
entities:
  - {name: Desk lamp, id: light.desk, area: hall, state: "off", x-aliases: [Bureaulamp]}
  - {name: Kettle, id: switch.kettle, area: hall, state: "off", x-aliases: [주전자]}
"""


@pytest.mark.parametrize(
    ("language", "text", "unknown"),
    [
        ("en", "turn on the kettle and the wibble", "wibble"),
        ("en", "turn on the wibble and the kettle", "wibble"),
        ("en", "turn on the kettle and turn off the gizmo lamp", "gizmo lamp"),
        ("de", "Kettle an und die Gizmolampe", "Gizmolampe"),
        ("de", "schalte Kettle ein und die Gizmolampe", "Gizmolampe"),
        ("fr", "allume Kettle et le zibulon", "zibulon"),
        ("es", "enciende Kettle y el zibulón", "zibulón"),
        ("nl", "zet Kettle aan en de wibbel", "wibbel"),
        ("ko", "주전자랑 토스터 켜 줘", "토스터"),
    ],
)
async def test_the_known_half_is_done(other_home: Other, language: str, text: str, unknown: str) -> None:
    async with other_home(FLAT) as (ask, server):
        reply = await ask(text, language=language)
        assert reached(server) == {"switch.kettle"}, reply.response
        assert unknown in reply.response


async def test_a_condition_of_the_other_half_keeps_both_from_being_done(other_home: Other) -> None:
    async with other_home(FLAT) as (ask, server):
        await ask("if it rains turn on the kettle and the wibble", language="en")
        assert not reached(server)


@pytest.mark.parametrize("text", ["the morning was awful so turn on the kettle", "kettle on and the wibble so"])
async def test_words_behind_what_is_ordered_break_nothing(other_home: Other, text: str) -> None:
    async with other_home(FLAT) as (ask, server):
        reply = await ask(text, language="en")
        assert reached(server) <= {"switch.kettle"}
        assert reply.error is None
