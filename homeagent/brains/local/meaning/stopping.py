"""Whether a clause is a bare "stop"; what that means now is told by `brains.local.stopping`."""

from __future__ import annotations

from homeagent.brains.language.reading import Reading
from homeagent.brains.local.meaning.request import Request
from homeagent.brains.local.stopping import stop_what_runs
from homeagent.brains.local.things.grounding import Ground


def stop_request(reading: Reading, around: Ground) -> Request | None:
    """The request to stop what is at it; None where the clause says what to stop, or something else."""
    return stop_what_runs(around) if says_only_stop(reading) else None


def says_only_stop(reading: Reading) -> bool:
    """Whether a clause is a bare "stop"."""
    said = {p for s in reading.of("halting") for p in s.positions}
    if not said or set(reading.target) - said:
        return False
    if reading.of("ahead", "weekdays", "horizon", "delays"):
        return False
    doing = {p for s in reading.of("actions", "adjust", "questions", "set", "negation") for p in s.positions}
    return doing <= said and not reading.numbers
