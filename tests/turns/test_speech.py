"""What is said while a turn goes on, and the answer in the end: plain text, each word once."""

from __future__ import annotations

import pytest

from homeagent.turns.speech import Speech

ESCAPED = "It is \x1b[31mon\x1b[0m, \u202eand\u202c the 👩\u200d👩\u200d👧 room\u200d is \x1b]0;x\x07warm.\r\n"
PLAIN = "It is on, and the 👩\u200d👩\u200d👧 room is 0;xwarm."


@pytest.mark.parametrize("size", [1, 2, 3, 7, 200])
async def test_pieces_are_plain_wherever_they_are_cut(size: int) -> None:
    said: list[str] = []

    async def say(piece: str) -> None:
        said.append(piece)

    speech = Speech(say)
    for at in range(0, len(ESCAPED), size):
        await speech(ESCAPED[at : at + size])
    assert await speech.finish(ESCAPED) == PLAIN
    assert "".join(said).strip() == PLAIN


async def test_without_a_listener_the_answer_is_plain() -> None:
    assert await Speech(None).finish(ESCAPED.strip()) == PLAIN


async def test_what_was_never_said_in_pieces_is_plain() -> None:
    said: list[str] = []

    async def say(piece: str) -> None:
        said.append(piece)

    speech = Speech(say)
    await speech("One moment.\x1b")
    speech.next_step()
    assert await speech.finish("\x1b[1mDone.") == "One moment. Done."
    assert "".join(said) == "One moment. Done."
