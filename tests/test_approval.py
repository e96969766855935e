"""A yes or a no settles exactly what the last turn asked about: what runs, what is told, and what is left alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine
from sqlalchemy import text as sql

from homeagent.confirmations import Confirmations, Pending
from homeagent.conversations import Answer
from homeagent.policy.verdicts import Consequence, Effect
from homeagent.turn import PastTurn, Step, ToolCall, ToolResult, Turn, TurnContext
from homeagent.turns.approval import Approvals
from homeagent.turns.question_back import QuestionBack, QuestionKind
from indexer.entity import Entity
from indexer.mentions import Mentions
from indexer.retrieve import Retrieval
from tests.databases import database
from tests.policy.house import House

DOOR, SHED = Entity("lock.door", "Front door"), Entity("lock.shed", "Shed")
NOTHING_FOUND = Retrieval("", Mentions(""), (), 0)
UNLOCKS = Consequence(Effect.OPENS, "unlock", "Front door")
OPENS_SHED = Consequence(Effect.OPENS, "open", "Shed")


class Tools:
    """Notes what was run, and with which yes."""

    def __init__(self, *results: ToolResult) -> None:
        self.ran: list[tuple[str, dict[str, Any]]] = []
        self.approved: list[frozenset[str]] = []
        self._results = list(results)

    async def call(self, call: ToolCall, turn: Turn) -> ToolResult:
        assert turn.confirmed
        self.ran.append((call.name, dict(call.parameters)))
        self.approved.append(turn.approved)
        return self._results.pop(0) if self._results else ToolResult(success=True, result={})


class Wording:
    """A brain that words what was done."""

    name = "local"

    def __init__(self, step: Step | None) -> None:
        self._step = step

    async def next_step(self, turn: Turn, say: Any) -> Step | None:
        assert turn.rounds
        assert say is _silent
        return self._step


class Asking:
    """A home in which somebody was asked; ``says`` is what is said next."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.confirmations = Confirmations(engine, 90.0)
        self.tools = Tools()
        self.wording: Wording | None = None
        self.turn: Turn | None = None

    @property
    def approvals(self) -> Approvals:
        return Approvals(self.confirmations, self.tools, self.wording, House(DOOR, SHED).home)

    async def ask(self, entity: Entity, *told: Consequence, digest: str = "d", **more: Any) -> Pending:
        call = {"action": "unlock", "entity_id": [entity.entity_id], "parameters": {}}
        turn = Turn(text="", conversation_id="talk", user_id="anna", language=more.pop("language", "en"))
        return await self.confirmations.create(
            turn,
            "ha_control",
            more.pop("parameters", call),
            more.pop("targets", [entity.entity_id]),
            f"unlock {entity.name}",
            consequences=told,
            digest=digest,
        )

    async def says(self, text: str, asked: Sequence[Pending] | None, **turn: Any) -> Answer | None:
        question = None if asked is None else QuestionBack(confirmations=tuple(one.id for one in asked))
        past = PastTurn("1", "open up", "Shall I?", question=question)
        context = TurnContext(NOTHING_FOUND, history=(past,))
        self.turn = Turn(text=text, **{"conversation_id": "talk", "user_id": "anna", "context": context, **turn})
        return await self.approvals.answer(self.turn, _silent)


async def _silent(_: str) -> None:
    return None


@pytest.fixture
def asking(tmp_path: Path) -> Iterator[Asking]:
    engine = database(tmp_path)
    yield Asking(engine)
    engine.dispose()


def told(answer: Answer | None) -> str | None:
    return answer.text if answer else None


# --- the question


async def test_the_question_names_each_deed_once_and_stands_last(asking):
    both = [await asking.ask(DOOR, UNLOCKS), await asking.ask(SHED)]
    assert asking.approvals.question(both, "en") == "That unlocks Shed. That unlocks Front door. Shall I?"
    answer = asking.approvals.asking(Turn(text=""), Answer("It is noon.", "llm"), both[:1])
    assert (answer.text, answer.question, answer.brain) == (
        "It is noon. That unlocks Front door. Shall I?",
        True,
        "llm",
    )
    assert (
        asking.approvals.asking(Turn(text=""), Answer("", "llm"), both[:1]).text == "That unlocks Front door. Shall I?"
    )
    unasked = Answer("It is noon.", "llm")
    assert asking.approvals.asking(Turn(text=""), unasked, []) == unasked


async def test_the_question_is_in_the_persons_language(asking):
    one = [await asking.ask(DOOR, UNLOCKS)]
    answer = asking.approvals.asking(Turn(text="", language="de"), Answer("", "local"), one)
    assert answer.text == "Das entriegelt Front door. Soll ich?"


async def test_what_has_no_deed_is_asked_about_as_it_was_described(asking):
    forgetting = await asking.ask(SHED, parameters={"memory_id": "x"}, targets=[])
    assert asking.approvals.question([forgetting], "en") == "unlock Shed Shall I?"


async def test_what_is_gone_from_the_home_goes_by_its_id(asking):
    gone = await asking.ask(SHED, targets=["lock.sold"])
    assert asking.approvals.question([gone], "en") == "That unlocks lock.sold. Shall I?"


async def test_what_a_turn_waits_for_is_noted_for_the_next_one(asking):
    one = await asking.ask(DOOR, UNLOCKS)
    await asking.ask(SHED, OPENS_SHED)  # of an earlier turn
    turn = Turn(text="", conversation_id="talk", question=QuestionBack(QuestionKind.WHICH))
    assert await asking.approvals.waiting(turn) == ()
    assert turn.question == QuestionBack(QuestionKind.WHICH)
    turn.question = QuestionBack(QuestionKind.WHICH, confirmations=(one.id, "gone"))
    assert [found.id for found in await asking.approvals.waiting(turn)] == [one.id]
    assert turn.question == QuestionBack(QuestionKind.WHICH, confirmations=(one.id,))


# --- the answer


async def test_a_yes_runs_the_call_exactly_as_it_was_bound(asking):
    one = await asking.ask(DOOR, UNLOCKS, digest="d1")
    answer = await asking.says("yes", [one])
    assert asking.tools.ran == [("ha_control", dict(one.parameters))]
    assert asking.tools.approved == [frozenset({"d1"})]
    assert (answer.text, answer.brain) == ("Done: Front door.", "local")
    assert told(await asking.says("yes", [one])) == "That request is no longer waiting."
    assert len(asking.tools.ran) == 1


async def test_a_yes_to_two_runs_both_and_each_result_is_told_of_its_own(asking):
    asking.tools = Tools(ToolResult(success=False, error="x", error_type="x"))
    both = [await asking.ask(DOOR, UNLOCKS, digest="d1"), await asking.ask(SHED, OPENS_SHED, digest="d2")]
    answer = await asking.says("yes", both)
    assert [call["entity_id"] for _, call in asking.tools.ran] == [["lock.door"], ["lock.shed"]]
    assert asking.tools.approved == [frozenset({"d1", "d2"})] * 2
    assert told(answer) == "That did not work: Front door. Done: Shed."


async def test_a_row_without_a_digest_approves_nothing(asking):
    one = await asking.ask(DOOR, UNLOCKS, digest="")
    await asking.says("yes", [one])
    assert asking.tools.approved == [frozenset()]


async def test_a_no_runs_nothing_and_uses_it_up(asking):
    one = await asking.ask(DOOR, UNLOCKS)
    answer = await asking.says("no", [one], language="de")
    assert (told(answer), answer.brain) == ("In Ordnung, ich lasse es.", "local")
    assert told(await asking.says("yes", [one])) == "That request is no longer waiting."
    assert asking.tools.ran == []


@pytest.mark.parametrize(("text", "approved"), [("yes", 1), ("no", 0)])
async def test_which_answer_it_was_is_kept(asking, text, approved):
    await asking.says(text, [await asking.ask(DOOR, UNLOCKS)])
    with asking.engine.connect() as connection:
        assert connection.execute(sql("select approved from confirmations")).scalars().all() == [approved]


async def test_the_code_that_was_given_with_the_wish_goes_with_the_yes(asking):
    call = {"action": "unlock", "entity_id": ["lock.door"], "parameters": {"code": "1234"}}
    await asking.says("yes", [await asking.ask(DOOR, UNLOCKS, parameters=call)])
    assert asking.tools.ran == [("ha_control", call)]


@pytest.mark.parametrize("text", ["yes", "no"])
async def test_nobody_else_settles_it(asking, text):
    one = await asking.ask(DOOR, UNLOCKS)
    answer = await asking.says(text, [one], user_id="ben")
    assert (told(answer), answer.brain) == ("You were not the one I asked, or not here, so I leave it.", "local")
    assert told(await asking.says(text, [one], device_id="hall")) == told(answer)
    assert asking.tools.ran == []
    assert [waits.id for waits in await asking.confirmations.open("talk")] == [one.id]


async def test_of_two_the_one_that_has_gone_is_left_and_the_other_runs(asking):
    both = [await asking.ask(DOOR, UNLOCKS), await asking.ask(SHED, OPENS_SHED)]
    await asking.confirmations.reject(both[0].id, "anna")
    assert told(await asking.says("yes", both)) == "Done: Shed."
    assert len(asking.tools.ran) == 1


async def test_who_may_not_confirm_is_told_so_and_it_stays_for_who_may(asking):
    one = await asking.ask(DOOR, UNLOCKS)
    answer = await asking.says("yes", [one], may_confirm=False)
    assert (told(answer), answer.brain) == ("You cannot approve that from here.", "local")
    assert asking.tools.ran == []
    assert told(await asking.says("no", [one], may_confirm=False)) == "All right, I leave it."


@pytest.mark.parametrize("text", ["yes?", "maybe", "yes, but later"])
async def test_what_is_unclear_is_asked_about_again_and_nothing_runs(asking, text):
    await asking.ask(SHED, OPENS_SHED)  # of an earlier turn
    one = await asking.ask(DOOR, UNLOCKS)
    answer = await asking.says(text, [one])
    assert (answer.text, answer.brain) == ("", "local")
    assert [waits.id for waits in await asking.approvals.waiting(asking.turn)] == [one.id]
    assert asking.tools.ran == []


async def test_what_is_unclear_where_nothing_waits_any_more_is_no_answer(asking):
    one = await asking.ask(DOOR, UNLOCKS)
    await asking.confirmations.reject(one.id, "anna")
    assert await asking.says("maybe", [one]) is None


async def test_another_wish_is_no_answer(asking):
    one = await asking.ask(DOOR, UNLOCKS)
    assert await asking.says("what time is it?", [one]) is None
    assert await asking.says("turn on the light", [one]) is None
    assert asking.tools.ran == []


async def test_a_yes_after_a_turn_that_asked_nothing_is_no_answer(asking):
    await asking.ask(DOOR, UNLOCKS)
    assert await asking.says("yes", None) is None
    assert await asking.says("yes", []) is None
    nothing_said = Turn(text="yes", conversation_id="talk", user_id="anna", context=TurnContext(NOTHING_FOUND))
    assert await asking.approvals.answer(nothing_said, _silent) is None
    assert asking.tools.ran == []


@pytest.mark.parametrize(
    ("text", "runs"),
    [
        ("yes, unlock it", True),
        ("yes, open it", True),
        ("yes, unlock the front door", True),
        ("yes, unlock the shed", False),
        ("yes, lock it", False),
        ("yes, turn it on", False),
    ],
)
async def test_a_yes_may_say_the_deed_and_the_thing_again_and_no_other(asking, text, runs):
    one = await asking.ask(DOOR, UNLOCKS)
    await asking.says(text, [one])
    assert bool(asking.tools.ran) == runs


@pytest.mark.parametrize(("effect", "runs"), [(Effect.OPENS, True), (Effect.FIRE_OR_FLOOD, False)])
async def test_only_what_opens_may_be_called_opening(asking, effect, runs):
    one = await asking.ask(DOOR, Consequence(effect, "turn_on", "Front door"))
    await asking.says("yes, open it", [one])
    assert bool(asking.tools.ran) == runs


async def test_a_yes_to_several_things_names_none_of_them(asking):
    both = [await asking.ask(DOOR, UNLOCKS), await asking.ask(SHED, OPENS_SHED)]
    await asking.says("yes, unlock the front door", both)
    assert asking.tools.ran == []


async def test_a_yes_to_what_was_kept_without_consequences_may_say_its_deed_and_name(asking):
    for text, runs in (("yes, unlock the shed", True), ("yes, lock the shed", False), ("yes, unlock the barn", False)):
        asking.tools = Tools()
        one = await asking.ask(SHED)
        await asking.says(text, [one])
        assert bool(asking.tools.ran) == runs, text
        assert runs or await asking.confirmations.reject(one.id, "anna")


async def test_the_script_may_be_named_and_what_opens_may_be_called_so(asking):
    one = await asking.ask(DOOR, Consequence(Effect.OPENS, "unlock", "Front door", "Come home"))
    answer = await asking.says("yes, open come home", [one])
    assert told(answer) == "Done: Come home."


@pytest.mark.parametrize(("text", "language"), [("ja", "en"), ("ja", "de"), ("yes", "de"), ("oui", "fr")])
async def test_a_yes_counts_in_the_language_of_the_question_and_in_that_of_the_sentence(asking, text, language):
    one = await asking.ask(DOOR, UNLOCKS, language="de")
    await asking.says(text, [one], language=language)
    assert asking.tools.ran


async def test_a_brain_words_what_was_done_where_it_can(asking):
    for step, text, question in (
        (Step("The door is open.", question=True), "The door is open.", True),
        (Step(""), "Done: Front door.", False),
        (None, "Done: Front door.", False),
    ):
        asking.wording = Wording(step)
        answer = await asking.says("yes", [await asking.ask(DOOR, UNLOCKS)])
        assert (answer.text, answer.question, answer.brain) == (text, question, "local")


async def test_what_is_asked_anew_is_not_said_to_have_failed(asking):
    one = await asking.ask(DOOR, UNLOCKS)
    anew = ToolResult(
        success=False, result={"confirmation": {"id": "new"}}, error="…", error_type="confirmation_required"
    )
    asking.tools = Tools(anew)
    assert told(await asking.says("yes", [one])) == ""


async def test_what_has_no_target_is_told_as_it_was_described(asking):
    one = await asking.ask(SHED, parameters={"memory_id": "x"}, targets=[])
    assert told(await asking.says("yes", [one])) == "Done: unlock Shed."


async def test_a_deed_without_consequences_is_told_by_the_names_of_now(asking):
    one = await asking.ask(SHED, targets=["lock.shed", "lock.door"])
    assert told(await asking.says("yes", [one])) == "Done: Shed, Front door."
