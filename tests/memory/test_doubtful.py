"""Candidates that tell nothing of their own, and statements that a later one takes back, in several languages."""

from __future__ import annotations

import pytest

from memory.doubtful import superfluous
from memory.extract import Call, Candidate, Subject, TurnFacts
from memory.reconcile import Relation, between, taken_back
from memory.statement_parts import wording
from memory.worth import refusal

USERS = {"lea": "Lea", "tom": "Tom"}
START = (Call("start", ("vacuum.robot",)),)


@pytest.mark.parametrize(
    ("code", "content", "said"),
    [
        ("en", "Tom asked how much the dryer draws", "How much does the dryer draw? 2 watts is normal for it."),
        ("de", "Tom hat nach dem Trockner gefragt", "Wie viel zieht der Trockner? 2 Watt sind normal."),
        ("nl", "Tom vroeg hoeveel de droger verbruikt", "Hoeveel verbruikt de droger? 2 watt is normaal."),
        ("ko", "톰이 건조기 소음을 물었다", "건조기 소음이 얼마야? 대기 중에는 2와트가 정상이야."),
    ],
)
def test_that_somebody_asked_is_nothing_to_keep_though_the_turn_told_something_too(
    code: str, content: str, said: str
) -> None:
    facts = TurnFacts(said, user_id="tom", language=code, users=USERS)
    assert refusal(Candidate(content, language=code), facts) == "question"


def test_what_was_told_beside_a_question_is_kept() -> None:
    facts = TurnFacts("How much does the dryer draw? 2 watts is normal for it.", user_id="tom", users=USERS)
    assert refusal(Candidate("2 watts is normal for the dryer"), facts) is None
    wish = TurnFacts("Can you make it cooler? I want 19 degrees at night.", user_id="tom", users=USERS)
    assert refusal(Candidate("Tom wants 19 degrees at night"), wish) is None


@pytest.mark.parametrize(
    ("content", "said", "calls", "why"),
    [
        ("Tom vacuums the hall in the evening", "Vacuum the hall", START, "commanded"),
        ("Tom loves pirates", "We call the robot the pirate", (), "not_said"),
        ("Tom owns a parrot named Coco", "We call the robot Coco", (), "not_said"),
        ("Tom prefers a warm bedroom", "I always freeze in the bedroom", (), None),
        ("Tom is at work on Mondays", "On Mondays I always work", (), None),
    ],
)
def test_a_conclusion_is_kept_only_where_what_it_is_about_was_said(
    content: str, said: str, calls: tuple[Call, ...], why: str | None
) -> None:
    facts = TurnFacts(said, user_id="tom", users=USERS, calls=calls)
    assert refusal(Candidate(content, inferred=True), facts) == why


def test_what_one_is_told_in_private_is_not_told_to_all_by_another_candidate() -> None:
    lea = (Subject("user", "lea", "Lea"),)
    private = Candidate("Lea plans a party for Tom on 21 June", user_id="lea", subjects=lea)
    shared = Candidate("There is a party for Tom on 21 June")
    other = Candidate("The ladder is in the cellar")
    for order in ([private, shared, other], [shared, private, other]):
        found = superfluous(order)
        assert [set(one.values()) for one in found] == [{"private"} if one is shared else set() for one in order]


def test_a_part_of_another_statement_is_no_statement_of_its_own() -> None:
    whole = Candidate("Tom has tea on the terrace at five, only when he works from home")
    found = superfluous([Candidate("Tom is on the terrace"), whole, Candidate("Lea has coffee on the terrace")])
    assert found == [{1: "fragment"}, {}, {}]


@pytest.mark.parametrize(
    ("code", "old", "new"),
    [
        ("en", "Tom usually gets up at seven", "Tom gets up at seven only on weekdays"),
        ("de", "Tom steht meistens um sieben auf", "Tom steht nur werktags um sieben auf"),
        ("nl", "Daan staat meestal om half zeven op", "Daan staat alleen doordeweeks om half zeven op"),
        ("ko", "준호는 보통 7시에 일어난다", "준호는 평일에만 7시에 일어난다"),
    ],
)
def test_a_narrower_statement_may_leave_out_that_it_is_only_usually_so(code: str, old: str, new: str) -> None:
    assert between(wording(new, code), wording(old, code)) is Relation.NARROWING


def test_usually_alone_does_not_make_two_statements_one() -> None:
    assert between(wording("100 ppm is normal"), wording("100 ppm is dangerous")) is Relation.DIFFERENT
    assert between(wording("Lea usually has tea"), wording("Lea usually has coffee")) is Relation.DIFFERENT


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The server rack draws 180 watts", "The server rack draws 0.24 kW"),
        ("The pond holds 900 litres", "The pond holds 850 l"),
    ],
)
def test_a_new_value_may_come_in_another_unit(old: str, new: str) -> None:
    assert between(wording(new, "en"), wording(old, "en")) is Relation.NEW_VALUE


def test_one_amount_in_two_units_is_one_amount() -> None:
    old, new = "The server rack draws 240 watts", "The server rack draws 0.24 kW"
    assert between(wording(new, "en"), wording(old, "en")) is Relation.SAME


def test_a_sentence_that_names_the_old_value_as_wrong_takes_it_back_however_it_is_worded() -> None:
    old, new = wording("3 watts is normal for the dryer in standby"), wording("In standby the dryer draws 5 watts")
    assert taken_back(new, old, wording("I looked: in standby the dryer draws 5 watts, not 3."))
    assert not taken_back(new, old, wording("I looked: in standby the dryer draws 5 watts."))
    assert not taken_back(new, wording("3 watts is normal for the oven"), wording("The dryer draws 5 watts, not 3."))
