"""What a run comes to: figures as one object for programs, and as tables for people."""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from homeagent.evaluation.dataset import OutcomeKind
from homeagent.evaluation.judge import Verdict
from homeagent.evaluation.runner import Measured, Run


def summary(run: Run, *, failures: bool = False) -> dict[str, Any]:
    """The whole run as plain values. Shares are 0 to 1, times milliseconds.

    ``refusals``: sentences that no brain took. ``retrieval.all_targets``: share of the sentences with expected changes
    whose every target was among the entities that were found.
    """
    measured = run.measured
    result: dict[str, Any] = {
        **_shares(measured),
        "total": len(measured),
        "refusals": sum(m.refused for m in measured),
        "policy": run.policy,
        "retrieval": _retrieval(measured),
        "latency_ms": _latency([m.latency_ms for m in measured]),
        "tokens": sum(_tokens(m) for m in measured),
        "cost": round(sum(float(_trace(m).get("cost") or 0) for m in measured), 6),
        "by_category": _grouped(measured, lambda m: m.case.categories),
        "by_language": _grouped(measured, lambda m: (m.case.language,)),
        "problems": list(run.problems),
    }
    if failures:
        result["failures"] = [_failure(m) for m in measured if m.judgement.verdict is not Verdict.RIGHT]
    return result


def _shares(measured: Sequence[Measured]) -> dict[str, float]:
    total = max(1, len(measured))
    return {
        "success": round(sum(m.judgement.verdict is Verdict.RIGHT for m in measured) / total, 4),
        "wrong_actions": round(sum(m.judgement.verdict is Verdict.WRONG_ACTION for m in measured) / total, 4),
    }


def _retrieval(measured: Sequence[Measured]) -> dict[str, float]:
    shown, complete = [], []
    for m in measured:
        found = [f["entity_id"] for f in _trace(m).get("retrieval", {}).get("found", ())]
        shown.append(len(found))
        if targets := _targets(m):
            as_a_set = _trace(m).get("retrieval", {}).get("selector") is not None
            complete.append(targets <= set(found) or (as_a_set and len(found) < len(targets)))
    return {
        "all_targets": round(sum(complete) / max(1, len(complete)), 4),
        "shown_mean": round(statistics.fmean(shown), 2) if shown else 0.0,
        "tokens_mean": round(statistics.fmean(_tokens(m) for m in measured), 1) if measured else 0.0,
    }


def _targets(m: Measured) -> set[str]:
    changes = (set(o.changes) for o in m.say.acceptable if o.kind is OutcomeKind.CHANGES)
    return next(changes, set())


def _latency(ms: Sequence[float]) -> dict[str, float]:
    if not ms:
        return {"median": 0.0, "p95": 0.0}
    ordered = sorted(ms)
    return {
        "median": round(statistics.median(ordered), 1),
        "p95": round(ordered[max(0, round(0.95 * len(ordered)) - 1)], 1),
    }


def _grouped(measured: Iterable[Measured], keys: Callable[[Measured], Iterable[str]]) -> dict[str, Any]:
    groups: defaultdict[str, list[Measured]] = defaultdict(list)
    for m in measured:
        for key in keys(m):
            groups[key].append(m)
    return {key: {**_shares(group), "total": len(group)} for key, group in sorted(groups.items())}


def _failure(m: Measured) -> dict[str, Any]:
    return {
        "case": m.case.case_id,
        "sentence": m.say.text,
        "language": m.case.language,
        "verdict": str(m.judgement.verdict),
        "why": m.judgement.why,
        "response": m.reply.response,
        "trace": m.reply.trace,
    }


def _trace(m: Measured) -> dict[str, Any]:
    return m.reply.trace or {}


def _tokens(m: Measured) -> int:
    return int((_trace(m).get("tokens") or {}).get("total", 0))
