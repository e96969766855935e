"""A day of a whole area: what happened to the things in it, the most telling first."""

from __future__ import annotations

from collections.abc import Iterable

from homeagent.history.summaries.kinds import ORDER, Kind
from homeagent.history.summaries.summary import Summary

_MOST = 8
_LONGEST = 700
"""Characters."""


def summarise_area(things: Iterable[tuple[str, Summary]]) -> Summary:
    """The day of an area from those of its things, each with its name. Quiet where all of them are."""
    worth = [(name, s) for name, s in things if not s.quiet]
    if not worth:
        return Summary(Kind.AREA)
    worth.sort(key=lambda told: (ORDER.index(told[1].kind), told[0]))
    lines: list[str] = []
    length = 0
    for name, summary in worth[:_MOST]:
        line = f"{name}: {summary.text.partition('; ')[0]}"
        if lines and length + len(line) > _LONGEST:
            break
        lines.append(line)
        length += len(line) + 2
    if len(worth) > len(lines):
        lines.append(f"{len(worth) - len(lines)} more things")
    gist = ", ".join(f"{name} {summary.gist}" for name, summary in worth[: len(lines)])
    facts = {"things": len(worth)}
    return Summary(Kind.AREA, "; ".join(lines), gist[:_LONGEST], False, facts, sum(s.points for _, s in worth))
