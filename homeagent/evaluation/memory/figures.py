"""What the checks come to: shares and counts, by language and by kind, and what failed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

from homeagent.evaluation.memory.dialogue_checks import Check, Figure

_SHARES_RIGHT = (
    Figure.STORED,
    Figure.REPLACED,
    Figure.FORGOTTEN,
    Figure.RECALLED,
    Figure.CURRENT,
    Figure.UNRELATED,
    Figure.OTHERS,
)


def summary(checks: Sequence[Check], dialogues: int, *, embedder: str | None) -> dict[str, object]:
    """The whole as plain values. Shares are 0 to 1; None where nothing was expected.

    ``junk_stored`` is the share of what must not be kept and was; ``cross_user_leaks`` counts answers and lists in
    which a user saw another's private memory. ``counts``: how many checks each figure stands on. ``embedder`` None:
    words alone.
    """
    return {
        "dialogues": dialogues,
        "embedder": embedder,
        **_figures(checks),
        "counts": {str(figure): sum(c.figure is figure for c in checks) for figure in Figure},
        "by_mode": _grouped(checks, lambda c: (c.mode,)),
        "by_language": _grouped(checks, lambda c: (c.language,)),
        "by_kind": _grouped(checks, lambda c: c.kinds),
        "failures": [
            {"figure": str(c.figure), "dialogue": c.dialogue, "kinds": c.kinds, "what": c.what, "why": c.why}
            for c in checks
            if not c.right
        ],
    }


def _figures(checks: Sequence[Check]) -> dict[str, float | None]:
    right: dict[str, float | None] = {str(figure): _share(checks, figure) for figure in _SHARES_RIGHT}
    kept_out = _share(checks, Figure.JUNK)
    right[Figure.JUNK] = None if kept_out is None else round(1 - kept_out, 4)
    right[Figure.LEAK] = sum(not c.right for c in checks if c.figure is Figure.LEAK)
    return {str(figure): right[figure] for figure in Figure}


def _share(checks: Iterable[Check], figure: Figure) -> float | None:
    of_it = [c.right for c in checks if c.figure is figure]
    return round(sum(of_it) / len(of_it), 4) if of_it else None


def _grouped(checks: Sequence[Check], keys: Callable[[Check], Iterable[str]]) -> dict[str, object]:
    groups: defaultdict[str, list[Check]] = defaultdict(list)
    for check in checks:
        for key in keys(check):
            groups[key].append(check)
    return {key: _figures(group) for key, group in sorted(groups.items())}
