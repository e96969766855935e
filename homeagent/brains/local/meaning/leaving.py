"""Orders to leave something as it is: "leave the lamp on"."""

from __future__ import annotations

from homeagent.brains.language.clauses import clauses
from homeagent.brains.language.reading import Reading
from homeagent.brains.local.meaning.request import Act, Request
from homeagent.brains.local.things.grounding import Ground


def leave_request(reading: Reading, around: Ground) -> Request | None:
    """The answer that all stays as it is; None where something else is ordered, too."""
    spot = next((s for s in reading.of("leaves") if s.positions[0] == _first(reading)), None)
    if spot is None or len(clauses(reading)) > 1:
        return None
    return Request(Act.SAY, say="left_alone")


def _first(reading: Reading) -> int | None:
    """The first word that is no courtesy; in some languages the verb for leaving is one of courtesy, too."""
    leads = {s.positions[0] for s in reading.of("leaves")}
    polite = {p for s in reading.of("polite", "joiners") for p in s.positions} - leads
    return next((i for i in range(len(reading.words)) if i not in polite), None)
