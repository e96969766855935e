"""A bare "stop": what is meant is whatever is at it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from homeagent.languages.concepts import Role, Verb
from homeagent.understanding.clauses import Clause
from homeagent.understanding.frame import ActKind, Frame
from homeagent.understanding.frame_costs import frame
from homeagent.understanding.grounding import Grounded, Standing
from homeagent.understanding.request import Act, Request
from homeagent.understanding.spans import Named, OfKind

_SMALL = (Role.PRONOUN, Role.COURTESY, Role.FILLER, Role.JOIN)


class Stop(Protocol):
    """What a bare "stop" means in the home as it is now; of things that move alone where ``only_moving``."""

    def __call__(self, *, only_moving: bool = False) -> Request: ...


def halting(clause: Clause, stop: Stop, *, refuses: bool) -> Iterator[Frame]:
    """The order to stop, where nothing but that is said in a clause.

    Where the sentence ``refuses`` something besides ("stop, don't close them"), only what moves is meant.
    """
    said = {i for i in clause.at(Verb.STOP) if not clause.cells[i].has(Named, OfKind)}
    if not said or clause.asks or not all(i in said or c.says(*_SMALL) for i, c in enumerate(clause.cells)):
        return
    request = stop(only_moving=refuses)
    ids = frozenset(i for group in request.scope.named for i in group)
    grounded = Grounded(request.scope, Standing.EXACT, ids)
    act = {Act.CONTROL: ActKind.CONTROL, Act.TIMER: ActKind.TIMED}.get(request.act, ActKind.CHAT)
    yield frame(clause, act, request, range(len(clause.cells)), None, grounded)
