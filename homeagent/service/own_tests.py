"""The services about sentences that went wrong: said to be wrong, kept as tests, told what would be right."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from homeagent.access import Scope
from homeagent.errors import NotFound, Refused
from homeagent.languages.answers import load_answers
from homeagent.own_tests.store import OwnTest, Right
from homeagent.past_turns import Sees
from homeagent.service import request_fields
from homeagent.service.sentences import as_answer
from homeagent.values.jsonable import jsonable

if TYPE_CHECKING:
    from homeagent.app import App


async def mark_wrong(app: App, fields: request_fields.MarkWrong) -> dict[str, Any]:
    """Say that the last sentence of a conversation went wrong: it is taken back, and kept as a test."""
    await app.need_home()
    language = fields.language or app.language
    reply = await app.agent.process(
        await asyncio.to_thread(_was_wrong, language),
        conversation_id=await _conversation(app, fields),
        user_id=fields.user_id,
        device_id=fields.device_id,
        language=language,
        may_confirm=fields.caller.may(Scope.CONFIRM),
    )
    return as_answer(app, reply, language)


async def list_own_tests(app: App, fields: request_fields.ListOwnTests) -> dict[str, Any]:
    """The tests, newest first; ``homes``: each with the home that it is tried in."""
    found = [test for test in await app.own_tests.all() if _may_see(test, fields)]
    return {"tests": [_shown(app, test, home=fields.homes) for test in found]}


async def get_own_test(app: App, fields: request_fields.OwnTestId) -> dict[str, Any]:
    """One test with everything."""
    return _shown(app, await _one(app, fields), home=True)


async def say_right(app: App, fields: request_fields.SayRight) -> dict[str, Any]:
    """Say what would have been right, in place of what was said before."""
    test = await _one(app, fields)
    right = Right(dict(fields.states), fields.says)
    return _shown(app, await app.own_tests.say_right(test.id, right), home=False)


async def delete_own_test(app: App, fields: request_fields.OwnTestId) -> dict[str, Any]:
    """Forget one test."""
    test = await _one(app, fields)
    await app.own_tests.delete(test.id)
    return {"deleted": str(test.id)}


def _was_wrong(language: str) -> str:
    """The sentence for it; English where the language has none."""
    answers = load_answers(language) or load_answers("en")
    assert answers is not None
    return answers.phrases["was_wrong"]


async def _conversation(app: App, fields: request_fields.MarkWrong) -> str:
    if fields.conversation_id is not None:
        return await app.conversations.named(fields.conversation_id, fields.user_id)
    latest = await app.past_turns.conversations(Sees(fields.user_id), 1)
    if not latest:
        raise NotFound("Nothing was said yet.")
    return latest[0].id


async def _one(app: App, fields: request_fields.OwnTestId) -> OwnTest:
    test = await app.own_tests.get(fields.id)
    if not _may_see(test, fields):
        raise Refused("This test is of another user.")
    return test


def _may_see(test: OwnTest, fields: request_fields.OwnTestId | request_fields.ListOwnTests) -> bool:
    """Whether it is this user's, the household's, or the caller may speak for others."""
    return test.user_id in (None, fields.user_id) or fields.caller.may(Scope.SPEAK_FOR_OTHERS)


def _shown(app: App, test: OwnTest, *, home: bool) -> dict[str, Any]:
    kept = test if home else replace(test, home={})
    told: dict[str, Any] = {**jsonable(kept), "at": app.home.config.local(test.at)}
    return told if home else {name: value for name, value in told.items() if name != "home"}
