"""The services about memories: private ones are their user's alone, and export comes back as it was."""

from __future__ import annotations

from tests.service.conftest import Services


async def test_a_memory_can_be_shown_edited_exported_and_explained(call: Services) -> None:
    first = await call("add_memory", content="Anna likes 19 degrees at night")
    second = await call("add_memory", content="Anna likes 20 degrees at night")
    mine = await call("add_memory", content="I like tea", user_id="anna")
    shown = await call("get_memory", memory_id=second["memory_id"])
    assert [old["id"] for old in shown["history"]] == [first["memory_id"]]
    assert [line["what"] for line in shown["log"]] == ["stored"]
    exported = (await call("export_memories", user_id="anna"))["memories"]
    assert len(exported) == 3
    assert await call("import_memories", memories=exported) == {"imported": 0, "known": 3}
    edited = await call("edit_memory", memory_id=mine["memory_id"], content="I like green tea", user_id="anna")
    assert edited["memory"]["content"] == "I like green tea"
    assert len((await call("export_memories", user_id="ben"))["memories"]) == 2
    assert (await call("clear_memories", confirm=True, user_id="anna")) == {"deleted": 1}
    assert len((await call("list_memories"))["memories"]) == 1


async def test_a_private_memory_cannot_be_forgotten_by_others(call: Services) -> None:
    mine = await call("add_memory", content="I like tea", user_id="anna")
    for other in ({}, {"user_id": "ben"}):
        assert (await call.error("delete_memory", memory_id=mine["memory_id"], **other))[0] == 404
    assert await call("delete_memory", memory_id=mine["memory_id"], user_id="anna") == {"deleted": mine["memory_id"]}
