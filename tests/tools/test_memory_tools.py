"""store_memory and recall_memory through the toolbox: what a brain gets back, and what is kept of whom."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from homeagent.confirmations import Confirmations
from homeagent.database import open_database
from homeagent.events import Emitter
from homeagent.tools.memory_tools import ForgetMemory, RecallMemory, StoreMemory
from homeagent.tools.toolbox import Toolbox
from homeagent.tools.user_profile import GetUserProfile, UpdateUserProfile
from homeagent.turn import SaidCode, ToolCall, ToolResult, Turn
from memory.model import Sensitivity
from memory.store import Memories
from tests.databases import database
from tests.memory.fakes import DictStore, HashEmbedder


@pytest.fixture
async def memories(tmp_path: Path) -> AsyncIterator[Memories]:
    engine = database(tmp_path)
    embedder = HashEmbedder()
    memories = Memories(engine, embedder, DictStore(), fingerprint=lambda: embedder.fingerprint)
    await memories.start()
    yield memories
    await memories.stop()
    engine.dispose()


async def call(memories: Memories, name: str, user_id: str | None = None, **parameters: Any) -> ToolResult:
    toolbox = Toolbox([StoreMemory(memories), RecallMemory(memories)], Emitter())
    turn = Turn("…", language="de", user_id=user_id, conversation_id="c", turn_id="t")
    return await toolbox.call(ToolCall("1", name, parameters), turn)


async def test_what_is_stored_is_recalled_and_says_where_it_came_from(memories: Memories) -> None:
    stored = await call(memories, "store_memory", "anna", content="Die Leselampe steht beim Sofa", importance=0.7)
    assert stored.success
    assert stored.result["new"]
    found = await call(memories, "recall_memory", "ben", query="wo steht die Leselampe")
    assert [m["content"] for m in found.result["memories"]] == ["Die Leselampe steht beim Sofa"]
    assert found.result["memories"][0]["relevance_score"] > 0.4
    [kept] = await memories.list()
    assert kept.source is not None
    assert kept.source.as_dict() == {"channel": "tool", "conversation_id": "c", "turn_id": "t", "user_id": "anna"}
    assert (kept.language, kept.user_id, kept.importance) == ("de", None, 0.7)


async def test_the_same_again_is_not_new(memories: Memories) -> None:
    first = await call(memories, "store_memory", content="The gate code is with Tom")
    again = await call(memories, "store_memory", content="the gate code is with Tom.")
    assert again.success
    assert not again.result["new"]
    assert again.result["memory_id"] == first.result["memory_id"]


async def test_a_private_memory_is_not_recalled_for_another(memories: Memories) -> None:
    await call(memories, "store_memory", "anna", content="Anna hides the present in the cellar", private=True)
    query = "where does Anna hide the present"
    assert (await call(memories, "recall_memory", "ben", query=query)).result == {"memories": []}
    assert (await call(memories, "recall_memory", None, query=query)).result == {"memories": []}
    assert len((await call(memories, "recall_memory", "anna", query=query)).result["memories"]) == 1


async def test_private_needs_to_know_who_speaks(memories: Memories) -> None:
    result = await call(memories, "store_memory", content="My secret", private=True)
    assert not result.success
    assert "nobody knows who is speaking" in str(result.error)
    assert await memories.list() == []


@pytest.mark.parametrize(
    ("name", "parameters", "said"),
    [
        ("store_memory", {"content": "  "}, "content"),
        ("store_memory", {"content": "x" * 2001}, "content"),
        ("store_memory", {"content": "x", "memory_type": "rumour"}, "memory_type"),
        ("store_memory", {"content": "x", "importance": 7}, "importance"),
        ("recall_memory", {"query": " "}, "query"),
        ("recall_memory", {"query": "x", "limit": 0}, "limit"),
    ],
)
async def test_wrong_parameters_are_named(memories: Memories, name: str, parameters: dict[str, Any], said: str) -> None:
    result = await call(memories, name, **parameters)
    assert (result.success, result.error_type) == (False, "invalid_parameters")
    assert said in str(result.error)


async def test_forgetting_names_what_would_go_and_waits_for_a_yes(memories: Memories, tmp_path: Path) -> None:
    engine = open_database(None, tmp_path)
    confirmations = Confirmations(engine, 90.0)
    await memories.add("The bins are collected on Tuesday")
    secret = await memories.add("Anna hides the present in the cellar", user_id="anna")
    toolbox = Toolbox([ForgetMemory(memories, confirmations)], Emitter())
    turn = Turn("…", user_id="ben", conversation_id="c")
    asked = await toolbox.call(ToolCall("1", "forget_memory", {"about": "the bins"}), turn)
    assert "The bins are collected on Tuesday" in asked.result["confirmation"]["description"]
    assert len(await memories.list()) == 1
    taken = await confirmations.take(asked.result["confirmation"]["id"], "ben")
    assert [one.name for one in taken.consequences] == ["The bins are collected on Tuesday"]
    turn.confirmed, turn.approved = True, frozenset([taken.digest])
    done = await toolbox.call(ToolCall("2", "forget_memory", dict(taken.parameters)), turn)
    assert done.result == {"forgotten": 1}
    assert await memories.list() == []
    other = await toolbox.call(ToolCall("3", "forget_memory", {"memory_ids": [secret.id]}), turn)
    assert (other.success, other.error_type) == (False, "not_found")
    engine.dispose()


async def test_what_is_forgotten_is_not_told_to_a_model_elsewhere(memories: Memories, tmp_path: Path) -> None:
    engine = open_database(None, tmp_path)
    confirmations = Confirmations(engine, 90.0)
    pills = await memories.add("Anna takes pills for her asthma", user_id="anna", sensitivity=Sensitivity.SENSITIVE)
    tea = await memories.add("Anna likes tea", user_id="anna")
    toolbox = Toolbox([ForgetMemory(memories, confirmations)], Emitter())
    turn = Turn("…", user_id="anna", conversation_id="c", keeps_back=True)
    asked = await toolbox.call(ToolCall("1", "forget_memory", {"memory_ids": [pills.id, tea.id]}), turn)
    assert "asthma" not in str(asked.result)
    assert "Anna likes tea" in asked.result["confirmation"]["description"]
    assert [one["memory_id"] for one in asked.result["would_forget"]] == [pills.id, tea.id]
    taken = await confirmations.take(asked.result["confirmation"]["id"], "anna")
    assert [one.name for one in taken.consequences] == ["Anna takes pills for her asthma", "Anna likes tea"]
    engine.dispose()


async def test_a_profile_has_one_value_of_a_key_and_is_its_users_alone(memories: Memories) -> None:
    toolbox = Toolbox([GetUserProfile(memories), UpdateUserProfile(memories)], Emitter())
    anna, ben = (Turn("…", user_id=user, conversation_id="c") for user in ("anna", "ben"))
    for value in ("19 degrees", "20 degrees"):
        parameters = {"category": "preference", "key": "Night temperature", "value": value}
        kept = await toolbox.call(ToolCall("1", "update_user_profile", parameters), anna)
    assert (kept.result["value"], kept.result["before"], kept.result["confidence"]) == (
        "20 degrees",
        "19 degrees",
        0.9,
    )
    [known] = (await toolbox.call(ToolCall("2", "get_user_profile", {}), anna)).result["profile"]
    assert (known["key"], known["value"]) == ("night temperature", "20 degrees")
    assert (await toolbox.call(ToolCall("3", "get_user_profile", {}), ben)).result == {"profile": []}
    code = {"category": "fact", "key": "alarm code", "value": "4321"}
    assert not (await toolbox.call(ToolCall("4", "update_user_profile", code), anna)).success


async def test_what_is_sensitive_is_its_persons_and_not_for_models_elsewhere(memories: Memories) -> None:
    toolbox = Toolbox([GetUserProfile(memories), UpdateUserProfile(memories), RecallMemory(memories)], Emitter())
    anna, ben, nobody = (Turn("…", user_id=user, conversation_id="c") for user in ("anna", "ben", None))
    given = {"category": "fact", "key": "illness", "value": "asthma", "sensitivity": "sensitive"}
    assert (await toolbox.call(ToolCall("1", "update_user_profile", given), anna)).success
    assert not (await toolbox.call(ToolCall("2", "update_user_profile", given), nobody)).success
    tea = {"category": "preference", "key": "tea", "value": "green", "confidence": 0.2, "inferred": True}
    assert (await toolbox.call(ToolCall("3", "update_user_profile", tea), anna)).success

    async def known(turn: Turn) -> list[str]:
        result = (await toolbox.call(ToolCall("4", "get_user_profile", {}), turn)).result
        return [entry["value"] for entry in result["profile"]]

    assert await known(anna) == ["asthma"]
    assert await known(ben) == []
    anna.keeps_back = True
    assert await known(anna) == []
    recalled = await toolbox.call(ToolCall("5", "recall_memory", {"query": "illness asthma"}), anna)
    assert recalled.result["memories"] == []


async def test_a_code_that_was_said_is_kept_by_no_tool(memories: Memories) -> None:
    toolbox = Toolbox([StoreMemory(memories), UpdateUserProfile(memories)], Emitter())
    turn = Turn("open the gate with 4 3 2 1", user_id="anna", conversation_id="c")
    turn.said_codes = (SaidCode("4 3 2 1", "4321"),)
    for content in ("Anna opens the gate with 4321", "The gate: 4 3-2 1"):
        assert not (await toolbox.call(ToolCall("1", "store_memory", {"content": content}), turn)).success
    for key, value in (("gate", "opens with 4321"), ("gate 4321", "opens"), ("gate", "4 3 2 1")):
        given = {"category": "fact", "key": key, "value": value}
        assert not (await toolbox.call(ToolCall("2", "update_user_profile", given), turn)).success
    assert await memories.list() == []
