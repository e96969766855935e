"""What was said: listed, shown and forgotten; one of a person is there for that person alone."""

from __future__ import annotations

from typing import Any

from tests.service.conftest import Services


async def _said(call: Services, text: str, **who: Any) -> str:
    return str((await call("process", text=text, **who))["conversation_id"])


async def test_the_latest_stand_first_with_how_they_began(call: Services) -> None:
    first = await _said(call, "is the front door locked?")
    await _said(call, "turn on the kitchen lights", conversation_id="second")
    await _said(call, "and the back door?", conversation_id=first)
    listed = (await call("list_conversations"))["conversations"]
    assert [(one["id"], one["turns"], one["said"]) for one in listed] == [
        (first, 2, "is the front door locked?"),
        ("second", 1, "turn on the kitchen lights"),
    ]
    assert len((await call("list_conversations", limit=1))["conversations"]) == 1
    turns = (await call("get_conversation", conversation_id=first))["turns"]
    assert [turn["text"] for turn in turns] == ["is the front door locked?", "and the back door?"]
    assert all(turn["answer"] for turn in turns)


async def test_a_code_that_was_said_is_not_shown(call: Services) -> None:
    which = await _said(call, "disarm the alarm with code 4711")
    shown = await call("get_conversation", conversation_id=which)
    assert "4711" not in str(shown)
    assert "4711" not in str(await call("list_conversations"))


async def test_one_persons_conversation_is_not_there_for_others(call: Services) -> None:
    annas = await _said(call, "is the front door locked?", user_id="anna")
    for other in ({}, {"user_id": "ben"}):
        assert (await call("list_conversations", **other))["conversations"] == []
        for service in ("get_conversation", "delete_conversation"):
            assert (await call.error(service, conversation_id=annas, **other))[0] == 404
            assert (await call.error(service, conversation_id=annas[:8], **other))[0] == 404
    assert len((await call("list_conversations", everybody=True))["conversations"]) == 1
    assert await call("delete_conversation", conversation_id=annas[:8], user_id="anna") == {"deleted": annas}


async def test_a_beginning_that_several_ids_share_is_asked_back(call: Services) -> None:
    for name in ("evening", "evening-talk", "everything"):
        await _said(call, "is the front door locked?", conversation_id=name)
    status, error = await call.error("get_conversation", conversation_id="eve")
    assert (status, error["code"]) == (400, "ambiguous_id")
    assert "evening" in error["detail"]
    assert (await call("get_conversation", conversation_id="evening"))["conversation_id"] == "evening"
    assert (await call.error("get_conversation", conversation_id="%"))[0] == 404
