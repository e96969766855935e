"""Judging a reaction by the home before and after it, never by the words alone."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from homeagent.domains import profile_of
from homeagent.evaluation.cases import Change, Outcome, OutcomeKind
from indexer.normalise import caseless

Snapshot = Mapping[str, Mapping[str, Any]]
"""Entity id: ``{"state": str, "attributes": {...}}``, as Home Assistant gives it."""

# Attributes that are other words for one thing: who asks for one of them changes them all.
_SAME_THING = (
    frozenset({"hs_color", "rgb_color", "xy_color", "color_mode", "color_temp_kelvin", "color_temp"}),
    frozenset({"current_position", "is_closed"}),
    frozenset({"percentage", "preset_mode", "speed"}),
    frozenset({"temperature", "hvac_action"}),
)
_NEVER_COUNTS = frozenset({"last_activated", "last_triggered", "media_position", "media_position_updated_at"})


class Verdict(StrEnum):
    """Whether a reaction was what the case asks for."""

    RIGHT = "right"
    WRONG_ACTION = "wrong action"
    """It did something that it should not have done."""
    MISSED = "missed"
    """It did nothing wrong, and not what was asked, either."""


@dataclass(frozen=True, slots=True)
class Reaction:
    """What came of a sentence: the home before and after, the calls that reached devices, and the words."""

    before: Snapshot
    after: Snapshot
    device_calls: Sequence[object]
    response: str
    asked: bool


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict, and what speaks against the reaction."""

    verdict: Verdict
    why: str = ""


def judge(acceptable: Sequence[Outcome], reaction: Reaction) -> Judgement:
    """The best judgement that any acceptable outcome gives."""
    judgements = [_judge_one(outcome, reaction) for outcome in acceptable]
    order = (Verdict.RIGHT, Verdict.MISSED, Verdict.WRONG_ACTION)
    return min(judgements, key=lambda j: order.index(j.verdict))


def _judge_one(outcome: Outcome, reaction: Reaction) -> Judgement:
    if outcome.kind is OutcomeKind.ANYTHING:
        return Judgement(Verdict.RIGHT)
    extra = unexpected_changes(outcome, reaction.before, reaction.after)
    if extra:
        return Judgement(Verdict.WRONG_ACTION, "also changed " + ", ".join(extra))
    if outcome.kind is OutcomeKind.CHANGES:
        missing = missing_changes(outcome.changes, reaction.after)
        return Judgement(Verdict.MISSED, "; ".join(missing)) if missing else Judgement(Verdict.RIGHT)
    if reaction.device_calls:
        return Judgement(Verdict.WRONG_ACTION, f"called a device: {reaction.device_calls[0]}")
    if outcome.kind is OutcomeKind.ASK and not reaction.asked:
        return Judgement(Verdict.MISSED, "did not ask back")
    if outcome.kind is OutcomeKind.RESPONSE and not says_any(reaction.response, outcome.responses):
        return Judgement(Verdict.MISSED, f"said {reaction.response!r}, none of {list(outcome.responses)}")
    return Judgement(Verdict.RIGHT)


def missing_changes(changes: Mapping[str, Change], after: Snapshot) -> list[str]:
    """What was expected and is not so, in words."""
    missing = []
    for entity_id, change in changes.items():
        entity = after.get(entity_id)
        if entity is None:
            missing.append(f"{entity_id} does not exist")
            continue
        if change.state is not None and not _same(change.state, entity["state"]):
            missing.append(f"{entity_id} is {entity['state']}, not {change.state}")
        for name, value in change.attributes.items():
            actual = entity["attributes"].get(name)
            if not _same(value, actual):
                missing.append(f"{entity_id} has {name} {actual}, not {value}")
    return missing


def unexpected_changes(outcome: Outcome, before: Snapshot, after: Snapshot) -> list[str]:
    """What changed although nobody asked for it, in words."""
    extra = []
    for entity_id, then in before.items():
        now, change = after.get(entity_id), outcome.changes.get(entity_id)
        ignored = outcome.ignored.get(entity_id, frozenset())
        if now is None or "*" in ignored or profile_of(entity_id.partition(".")[0]).momentary:
            continue
        if now["state"] != then["state"] and "state" not in ignored and (change is None or not _explains(change)):
            extra.append(f"{entity_id} from {then['state']} to {now['state']}")
        extra.extend(
            f"{entity_id} {name} from {then['attributes'].get(name)} to {now['attributes'].get(name)}"
            for name in _changed_attributes(then, now)
            if name not in ignored and not _expected_attribute(name, change, then, now)
        )
    return extra


def _explains(change: Change) -> bool:
    """Whether a state change of the entity is covered: it was asked for, or follows from an attribute that was."""
    return change.state is not None or bool(change.attributes)


def _expected_attribute(
    name: str, change: Change | None, then: Mapping[str, object], now: Mapping[str, object]
) -> bool:
    if change is None:
        return bool(then["state"] != now["state"])  # then the state's own change is what is reported
    if name in change.attributes or then["state"] != now["state"]:
        return True
    return any(name in same and same & change.attributes.keys() for same in _SAME_THING)


def _changed_attributes(then: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    names = then["attributes"].keys() | now["attributes"].keys()
    return sorted(n for n in names - _NEVER_COUNTS if not _same(then["attributes"].get(n), now["attributes"].get(n)))


def _same(expected: Any, actual: Any) -> bool:
    """Equal, numbers within rounding: a brightness of 102 is 40 %, whichever way it was rounded."""
    if isinstance(expected, (list, tuple)) and isinstance(actual, (list, tuple)):
        return len(expected) == len(actual) and all(map(_same, expected, actual))
    try:
        return abs(float(expected) - float(actual)) <= max(0.011, 0.01 * abs(float(expected)))
    except (TypeError, ValueError):
        return str(expected) == str(actual)


def says_any(response: str, wanted: Sequence[str]) -> bool:
    """Whether a response holds one of these texts, each from the edge of a word on."""
    said = _folded(response)
    return any(re.search(_pattern(_folded(w)), said) for w in wanted)


def _pattern(wanted: str) -> str:
    """Words begin at a word's edge, and short ones end there, too: "no" is not in "know", "1" not in "17"."""
    latin = all(ord(character) < 0x250 for character in wanted)
    start = r"(?<![\w.,])" if latin else ""
    end = r"(?![\w]|[.,]\d)" if latin and len(wanted) <= 3 else ""
    return start + re.escape(wanted) + end


def _folded(text: str) -> str:
    return caseless(str(text)).strip()
