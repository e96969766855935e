"""What ha_control tells: the targets with what came of each, and in one sentence what was not done and why."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from homeagent.errors import ConfirmationRequired, HomeAgentError, PartlyDone, UnknownItem, UnknownTarget
from homeagent.privacy.redact import without_secrets
from homeagent.tools.carry_out import Done, Job, Outcome
from homeagent.tools.toolbox import Partial
from indexer.entity import Entity

_MOST_SHOWN = 50
"""Targets listed one by one in a result; failures come first, then what changed."""


def describe(action: str, entities: Sequence[Entity], parameters: Mapping[str, object]) -> str:
    """An action and its targets in words, without codes: ``unlock Front door``."""
    names = ", ".join(entity.name for entity in entities[:5])
    more = f" and {len(entities) - 5} more" if len(entities) > 5 else ""
    settings = ", ".join(f"{key}: {value}" for key, value in without_secrets(parameters).items())
    verb = "run" if {e.domain for e in entities} == {"script"} and action == "turn_on" else action.replace("_", " ")
    return f"{verb} {names}{more}" + (f" ({settings})" if settings else "")


def waits(job: Job) -> Done:
    """The outcome of a target that nothing was done to yet, because it needs a yes."""
    return Done(job.entity, Outcome.NEEDS_CONFIRMATION, job.before, job.before)


def answer(action: str, results: Sequence[Done], confirmation: dict[str, object] | None) -> Any:
    """The tool's result: whole, partial, or (one target, not done) the error alone with what was seen."""
    failed = [done for done in results if done.error]
    untouched = (Outcome.NEEDS_CONFIRMATION, Outcome.LEFT_OUT)
    good = [done for done in results if done.succeeded and done.outcome not in untouched]
    rest = [done for done in results if not done.error]
    shown = [*failed, *sorted(rest, key=lambda done: not done.changed)]
    result: dict[str, Any] = {"action": action, "targets": [done.as_dict() for done in shown[:_MOST_SHOWN]]}
    if len(shown) > _MOST_SHOWN:
        result |= {"total": len(shown), "more": _count(shown[_MOST_SHOWN:])}
    if confirmation:
        result["confirmation"] = confirmation
        return Partial(result, _asks(confirmation, good, failed))
    if not failed:
        return result
    if not good and all(done.outcome is Outcome.NOT_CALLED for done in failed) and len(failed) == 1:
        error = failed[0].error
        assert error is not None
        if not isinstance(error, UnknownItem):
            raise error
    return Partial(result, _summary(good, failed))


def _count(rest: Iterable[Done]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for done in rest:
        counts[done.outcome.value] = counts.get(done.outcome.value, 0) + 1
    return counts


def _asks(confirmation: Mapping[str, Any], good: Sequence[Done], failed: Sequence[Done]) -> ConfirmationRequired:
    parts = [f"This needs the person's yes first: {confirmation['description']}."]
    if good:
        parts.append(f"Done already: {_names(good)}.")
    if failed:
        parts.append(f"Not done: {_reasons(failed)}")
    return ConfirmationRequired(" ".join(parts), confirmation_id=confirmation["id"])


def _summary(good: Sequence[Done], failed: Sequence[Done]) -> HomeAgentError:
    first = failed[0].error
    assert first is not None
    if not good and len(failed) == 1:
        return first
    text = f"{len(good)} of {len(good) + len(failed)} done. Not done: {_reasons(failed)}"
    if good or len({type(done.error) for done in failed}) > 1:
        return PartlyDone(text)
    if isinstance(first, UnknownItem):
        return UnknownTarget(text)
    return type(first)(text) if not isinstance(first, ConfirmationRequired) else PartlyDone(text)


def _names(results: Sequence[Done]) -> str:
    more = f" and {len(results) - 5} more" if len(results) > 5 else ""
    return ", ".join(done.entity.name for done in results[:5]) + more


def _reasons(failed: Sequence[Done]) -> str:
    shown = [done.error.message for done in failed[:5] if done.error]
    more = f" And {len(failed) - 5} more." if len(failed) > 5 else ""
    return " ".join(shown) + more
