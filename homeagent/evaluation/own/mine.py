"""The owner's own tests, run: each sentence that went wrong is said again in the part of the home that was kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from homeagent.brains.call_outcomes import only_looks
from homeagent.evaluation.cases import Case, Change, DataSet, Outcome, OutcomeKind, Say
from homeagent.evaluation.judge import Verdict, says_any
from homeagent.evaluation.runner import How, Measured, Progress, run
from homeagent.turn import ToolCall

if TYPE_CHECKING:
    from homeagent.config.loading import Settings

_HERE = "here"
"""The id of a device in the room in which the sentence was said."""
_ANYTHING = (Outcome(OutcomeKind.ANYTHING),)
_UNLIKE = frozenset({"keep_own_test"})

Test = Mapping[str, Any]
"""A test as the service tells it."""


@dataclass(frozen=True, slots=True)
class Tried:
    """One test: whether it passes now, why not, and what was answered."""

    number: int
    text: str
    passed: bool
    why: str
    response: str


async def try_mine(tests: Sequence[Test], settings: Settings, *, progress: Progress | None = None) -> list[Tried]:
    """Run these, each in a simulated home of its own, under the policy that is set; what is asked is agreed to."""
    cases = {Path(str(test["id"])): _case(test) for test in tests}
    homes = {Path(str(test["id"])): _home(test) for test in tests}
    done = await run(DataSet(tuple(cases.values()), homes=homes), settings, How(real_policy=True), progress=progress)
    last = {measured.case.case_id: measured for measured in done.measured}
    return [_tried(test, last.get(str(test["id"]))) for test in tests]


def _case(test: Test) -> Case:
    led_up = [Say(text, _ANYTHING) for text in test["led_up"]]
    return Case(
        str(test["id"]),
        Path(str(test["id"])),
        ("mine",),
        test["language"],
        (*led_up, Say(test["text"], _right(test["right"]))),
        context_device=_HERE if test["area"] else None,
    )


def _right(right: Mapping[str, Any]) -> tuple[Outcome, ...]:
    """What is to come of it. Where an answer was told beside states, `_tried` looks at it."""
    if right["states"]:
        return (Outcome(OutcomeKind.CHANGES, {i: Change(state) for i, state in right["states"].items()}),)
    if right["says"]:
        return (Outcome(OutcomeKind.RESPONSE, responses=(right["says"],)),)
    return _ANYTHING


def _home(test: Test) -> dict[str, Any]:
    home = dict(test["home"])
    areas = {area["id"] for area in home["areas"]}
    if test["area"]:
        missing = [] if test["area"] in areas else [{"id": test["area"], "name": test["area"].replace("_", " ")}]
        home["areas"] = [*home["areas"], *missing]
        home["devices"] = [*home["devices"], {"id": _HERE, "name": _HERE, "area": test["area"]}]
    return home


def _tried(test: Test, measured: Measured | None) -> Tried:
    if measured is None or measured.say.text != test["text"]:
        return Tried(test["id"], test["text"], False, "it was not tried", "")
    response, verdict = measured.reply.response, measured.judgement.verdict
    why = "" if verdict is Verdict.RIGHT else measured.judgement.why
    right = test["right"]
    if not why and right["states"] and right["says"] and not says_any(response, [right["says"]]):
        why = f"said {response!r}"
    if not why and not (right["states"] or right["says"]) and _as_before(test, measured):
        why = "the same again"
    return Tried(test["id"], test["text"], not why, why, response)


def _as_before(test: Test, measured: Measured) -> bool:
    """Whether it did what it had done: the same calls that change something, else the same look-ups and words."""
    steps = (measured.reply.trace or {}).get("steps", ())
    now = [(c["name"], c["parameters"]) for step in steps for c in step["calls"]]
    then = [(c["name"], c["parameters"]) for c in test["calls"] if c["name"] not in _UNLIKE]
    deeds, deeds_then = _deeds(now), _deeds(then)
    if deeds or deeds_then:
        return deeds == deeds_then
    return now == then and (bool(now) or measured.reply.response == test["answer"])


def _deeds(calls: Sequence[tuple[str, Mapping[str, Any]]]) -> list[tuple[str, Mapping[str, Any]]]:
    return [(name, parameters) for name, parameters in calls if not only_looks(ToolCall("", name, dict(parameters)))]
