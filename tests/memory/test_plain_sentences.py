"""Plain sentences of six languages do what they mean, without a language model: kept, corrected, taken back, or not."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import Engine

from memory.explicit import heard_in
from memory.secrets import holds_a_secret
from memory.store import Memories
from tests.memory.fakes import TOLD, meant_as
from tests.memory.plain_sentences import LANGUAGES, Household, has, same, sentences

_NOT_KNOWN = {"Remember our wifi key, it's correct horse battery."}
"""A password that begins like something that is said of one."""


def each(kind: str) -> list[Any]:
    return [(language, case) for language in LANGUAGES for case in sentences(language).get(kind, ())]


@pytest.mark.parametrize(("language", "case"), each("keep"))
def test_all_of_a_statement_is_kept_and_nothing_else(language: str, case: list[str]) -> None:
    said, kept = case
    found = [asked for one in heard_in(said, language, "anna") for asked in one.asked]
    assert [same(one.keep.content, kept) for one in found if one.keep is not None] == [True], found
    assert all(one.sure and one.tells for one in found)


@pytest.mark.parametrize(("language", "case"), each("two"))
def test_two_statements_are_two_memories(language: str, case: Any) -> None:
    said, kept = case
    found = [asked.keep.content for one in heard_in(said, language, "anna") for asked in one.asked if asked.keep]
    assert len(found) == len(kept)
    assert all(same(one, other) for one, other in zip(found, kept, strict=True)), found


@pytest.mark.parametrize(("language", "case"), each("beside"))
def test_what_stands_beside_a_request_is_left_for_the_brains(language: str, case: list[str]) -> None:
    said, kept, rest = case
    [heard] = heard_in(said, language, "anna")
    [asked] = heard.asked
    assert asked.keep is not None
    assert same(asked.keep.content, kept)
    assert same(heard.rest, rest), heard.rest


@pytest.mark.parametrize(("language", "case"), each("correct"))
async def test_a_correction_leaves_one_current_value(
    memories: Memories, engine: Engine, language: str, case: Any
) -> None:
    told, said, there, gone = case
    home = Household(memories, engine, language)
    await home.say(told)
    [before] = await home.kept()
    await home.say(said)
    [now] = await home.kept()
    assert all(has(now, word) for word in there), now.content
    assert not any(has(now, word) for word in gone), now.content
    assert [one.id for one in await memories.history(now.id, "anna")] == [before.id]


@pytest.mark.parametrize(("language", "case"), each("apart"))
async def test_what_is_told_of_another_thing_lives_beside_it(
    memories: Memories, engine: Engine, language: str, case: list[str]
) -> None:
    home = Household(memories, engine, language)
    for said in case:
        await home.say(said)
    assert len(await home.kept()) == 2


@pytest.mark.parametrize(("language", "case"), each("retract"))
async def test_what_is_taken_back_is_gone(memories: Memories, engine: Engine, language: str, case: list[str]) -> None:
    told, said = case
    home = Household(memories, engine, language)
    await home.say(told)
    assert len(await home.kept()) == 1
    await home.say(said)
    assert await home.kept() == []


@pytest.mark.parametrize(("language", "said"), each("junk"))
async def test_what_lasts_no_longer_than_the_moment_is_not_kept(
    memories: Memories, engine: Engine, language: str, said: str
) -> None:
    home = Household(memories, engine, language)
    await home.say(said)
    assert await home.kept() == []


@pytest.mark.parametrize(("language", "case"), each("like"))
async def test_what_somebody_likes_is_their_own(
    memories: Memories, engine: Engine, language: str, case: list[str]
) -> None:
    said, word = case
    home = Household(memories, engine, language, guess=meant_as(TOLD))
    await home.say(said)
    [kept] = await home.kept()
    assert has(kept, word)
    assert kept.user_id == "anna"


@pytest.mark.parametrize(("language", "said"), each("secret"))
def test_what_opens_or_pays_is_a_secret(language: str, said: str) -> None:
    assert holds_a_secret(said, language) is (said not in _NOT_KNOWN)


@pytest.mark.parametrize(("language", "said"), each("harmless"))
def test_what_is_only_said_of_a_lock_or_a_number_is_none(language: str, said: str) -> None:
    assert not holds_a_secret(said, language)
