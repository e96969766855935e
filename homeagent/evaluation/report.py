"""What a run comes to: figures as one object for programs."""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from homeagent.evaluation.cases import OutcomeKind
from homeagent.evaluation.judge import Verdict
from homeagent.evaluation.runner import Looked, Measured, Run
from homeagent.turn import Tokens


def summary(run: Run, *, failures: bool = False) -> dict[str, Any]:
    """The whole run as plain values. Shares are 0 to 1, times milliseconds, costs US dollars.

    ``refusals``: sentences that no brain took. ``retrieval``: of the sentences that change something and of the
    look-ups, the share for which every target was shown; that without what was shown only as one of a set any of which
    may be meant (``told_apart``); how many entities were shown, a large set being one line; what
    that weighs; and the share for which more than ten (and more than were meant) were listed. ``cost`` is null where
    tokens were used whose price is not known.
    """
    measured = run.measured
    result: dict[str, Any] = {
        **_shares(measured),
        "total": len(measured),
        "refusals": sum(m.refused for m in measured),
        "policy": run.policy,
        "retrieval": _retrieval(run),
        "latency_ms": _latency([m.latency_ms for m in measured]),
        "tokens": sum(_tokens(m)["total"] for m in measured),
        "cost": _cost(run),
        "by_category": _grouped(measured, lambda m: m.case.categories),
        "by_language": _grouped(measured, lambda m: (m.case.language,)),
        "by_size": _by_size(run),
        "problems": list(run.problems),
    }
    if failures:
        result["retrieval"]["missed"] = [_missed(m) for m in measured if m.shown and not _targets(m) <= m.shown.ids]
        wrong = [_failure(m) for m in measured if m.judgement.verdict is not Verdict.RIGHT]
        result["failures"] = [*wrong, *(_not_found(q) for q in run.looked if not _complete(q))]
    return result


def _shares(measured: Sequence[Measured]) -> dict[str, float]:
    total = max(1, len(measured))
    return {
        "success": round(sum(m.judgement.verdict is Verdict.RIGHT for m in measured) / total, 4),
        "wrong_actions": round(sum(m.judgement.verdict is Verdict.WRONG_ACTION for m in measured) / total, 4),
    }


def _retrieval(run: Run) -> dict[str, Any]:
    found = [(m.shown, _targets(m)) for m in run.measured if m.shown is not None]
    found += [(q.shown, q.lookup.targets) for q in run.looked]
    wanted = [(shown, targets) for shown, targets in found if targets]
    return {
        "all_targets": share(targets <= shown.ids for shown, targets in wanted),
        "told_apart": share(targets <= shown.told_apart for shown, targets in wanted),
        "over_limit": share(shown.over(targets) for shown, targets in wanted),
        "shown_mean": _mean([shown.lines for shown, _ in found]),
        "tokens_mean": _mean([shown.tokens for shown, _ in found]),
        "total": len(wanted),
        "ms": _latency([q.ms for q in run.looked] or [_found_ms(m) for m in run.measured if m.shown is not None]),
        **({"by_language": _by_language(run.looked)} if run.looked else {}),
    }


def _by_language(looked: Sequence[Looked]) -> dict[str, float]:
    languages = dict.fromkeys(q.lookup.language for q in looked)
    return {name: share(_complete(q) for q in looked if q.lookup.language == name) for name in languages}


def _complete(looked: Looked) -> bool:
    return looked.lookup.targets <= looked.shown.ids


def _targets(m: Measured) -> frozenset[str]:
    changes = (frozenset(o.changes) for o in m.say.acceptable if o.kind is OutcomeKind.CHANGES)
    return next(changes, frozenset())


def _mean(values: Sequence[float]) -> float:
    return round(statistics.fmean(values), 2) if values else 0.0


def _latency(ms: Sequence[float]) -> dict[str, float]:
    if not ms:
        return {"median": 0.0, "p95": 0.0}
    ordered = sorted(ms)
    return {
        "median": round(statistics.median(ordered), 1),
        "p95": round(ordered[max(0, round(0.95 * len(ordered)) - 1)], 1),
    }


def _cost(run: Run) -> float | None:
    used = [_tokens(m) for m in run.measured]
    if not any(t["total"] for t in used):
        return 0.0
    if run.prices is None:
        return None
    cost = sum(run.prices.of(Tokens(t["prompt"], t["completion"], t["cached"])) for t in used)
    return round(cost, 6)


def _grouped(measured: Iterable[Measured], keys: Callable[[Measured], Iterable[str]]) -> dict[str, object]:
    groups: defaultdict[str, list[Measured]] = defaultdict(list)
    for m in measured:
        for key in keys(m):
            groups[key].append(m)
    return {key: {**_shares(group), "total": len(group)} for key, group in sorted(groups.items())}


_SIZES = (50, 200, 500, 2000, 5000)
"""Entities of a home: up to so many are told together."""


def _by_size(run: Run) -> dict[str, object]:
    """Shares by how many entities the home has, small homes first."""
    homes: defaultdict[int, list[Measured]] = defaultdict(list)
    for m in run.measured:
        homes[sum(run.sizes.get(m.case.home, 0) > size for size in _SIZES)].append(m)
    names = [*(f"up to {size} entities" for size in _SIZES), f"more than {_SIZES[-1]} entities"]
    return {names[place]: {**_shares(group), "total": len(group)} for place, group in sorted(homes.items())}


def _failure(m: Measured) -> dict[str, object]:
    return {
        "case": m.case.case_id,
        "sentence": m.say.text,
        "language": m.case.language,
        "verdict": str(m.judgement.verdict),
        "why": m.judgement.why,
        "response": m.reply.response,
        "trace": m.reply.trace,
    }


def _missed(m: Measured) -> dict[str, object]:
    shown = m.shown.ids if m.shown else frozenset()
    return {"case": m.case.case_id, "sentence": m.say.text, "missing": sorted(_targets(m) - shown)}


def _not_found(looked: Looked) -> dict[str, object]:
    missing = sorted(looked.lookup.targets - looked.shown.ids)
    return {
        "case": looked.lookup.lookup_id,
        "sentence": looked.lookup.sentence,
        "language": looked.lookup.language,
        "verdict": "not found",
        "why": f"{', '.join(missing[:5])} of {len(looked.lookup.targets)} not among {looked.shown.lines} shown",
        "response": "",
        "trace": {"found": sorted(looked.shown.ids)[:20]},
    }


def _tokens(m: Measured) -> dict[str, int]:
    used = (m.reply.trace or {}).get("tokens") or {}
    return {name: int(used.get(name, 0)) for name in ("prompt", "completion", "cached", "total")}


def _found_ms(m: Measured) -> float:
    return float(((m.reply.trace or {}).get("retrieval") or {}).get("ms", 0.0))


def share(right: Iterable[bool]) -> float:
    """How many of them are true, 0 to 1, to four digits; 0 where there are none."""
    counted = list(right)
    return round(sum(counted) / max(1, len(counted)), 4)
