"""Judging by the home before and after, not by the words."""

import pytest

from homeagent.evaluation.cases import Change, Outcome, OutcomeKind
from homeagent.evaluation.judge import Reaction, Verdict, judge

OFF = {"state": "off", "attributes": {}}
ON = {"state": "on", "attributes": {"brightness": 255, "color_mode": "brightness"}}
LAMP_ON = Outcome(OutcomeKind.CHANGES, {"light.lamp": Change(state="on")})


def react(after, *, before=None, response="", asked=False, calls=()):
    before = before or {"light.lamp": OFF, "light.other": OFF}
    return Reaction(before, {**before, **after}, calls, response, asked)


def test_the_expected_change_is_right_with_what_comes_along():
    assert judge([LAMP_ON], react({"light.lamp": ON})).verdict is Verdict.RIGHT


def test_nothing_happened_is_missed_whatever_the_words_say():
    assert judge([LAMP_ON], react({}, response="Done, the lamp is on")).verdict is Verdict.MISSED


def test_one_change_too_many_is_a_wrong_action():
    judgement = judge([LAMP_ON], react({"light.lamp": ON, "light.other": ON}))
    assert judgement.verdict is Verdict.WRONG_ACTION
    assert "light.other" in judgement.why


def test_an_ignored_entity_may_change():
    outcome = Outcome(OutcomeKind.CHANGES, LAMP_ON.changes, {"light.other": frozenset({"*"})})
    assert judge([outcome], react({"light.lamp": ON, "light.other": ON})).verdict is Verdict.RIGHT


def test_an_attribute_nobody_asked_for_is_a_wrong_action():
    dim = {"state": "on", "attributes": {"brightness": 20}}
    outcome = Outcome(OutcomeKind.CHANGES, {"light.lamp": Change(attributes={"effect": "none"})})
    judgement = judge([outcome], react({"light.lamp": dim}, before={"light.lamp": ON}))
    assert judgement.verdict is Verdict.WRONG_ACTION


def test_colours_are_one_thing():
    red = {"state": "on", "attributes": {"hs_color": [0, 100], "rgb_color": [255, 0, 0], "color_mode": "hs"}}
    white = {"state": "on", "attributes": {"color_temp_kelvin": 3000, "color_mode": "color_temp"}}
    outcome = Outcome(OutcomeKind.CHANGES, {"light.lamp": Change(attributes={"hs_color": [0.0, 100.0]})})
    assert judge([outcome], react({"light.lamp": red}, before={"light.lamp": white})).verdict is Verdict.RIGHT


def test_a_question_must_reach_no_device_even_without_a_visible_change():
    outcome = Outcome(OutcomeKind.RESPONSE, responses=("off",))
    assert judge([outcome], react({}, response="It is off.")).verdict is Verdict.RIGHT
    called = react({}, response="It is off.", calls=["light.turn_off light.lamp"])
    assert judge([outcome], called).verdict is Verdict.WRONG_ACTION


@pytest.mark.parametrize(
    ("wanted", "said", "right"),
    [
        ("no", "No, it is closed.", True),
        ("no", "I know.", False),
        ("1", "11 windows", False),
        ("1", "1 window", True),
        ("17,5", "Es sind 17,5 °C.", True),
        ("7,5", "Es sind 17,5 °C.", False),
        ("regn", "Regnerisch", True),
        ("켜", "켜져 있어요", True),
    ],
)
def test_answers_are_compared_by_words(wanted, said, right):
    verdict = judge([Outcome(OutcomeKind.RESPONSE, responses=(wanted,))], react({}, response=said)).verdict
    assert (verdict is Verdict.RIGHT) is right


def test_asking_back_is_not_the_same_as_refusing():
    ask = [Outcome(OutcomeKind.ASK)]
    assert judge(ask, react({}, response="Which one?", asked=True)).verdict is Verdict.RIGHT
    assert judge(ask, react({}, response="I can't.")).verdict is Verdict.MISSED


def test_the_best_of_several_acceptable_outcomes_counts():
    outcomes = [Outcome(OutcomeKind.CHANGES, {"light.other": Change(state="on")}), LAMP_ON]
    assert judge(outcomes, react({"light.lamp": ON})).verdict is Verdict.RIGHT
