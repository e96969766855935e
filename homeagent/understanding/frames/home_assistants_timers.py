"""What is ordered of Home Assistant's own timers, where one of these is named."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from homeagent.history.when.due_times import gathered
from homeagent.languages.concepts import Role
from homeagent.timers.due import After
from homeagent.timers.timer import TimerAction, TimerKind
from homeagent.understanding.clauses import Clause
from homeagent.understanding.frame import ActKind, Feature, Frame
from homeagent.understanding.frame_costs import frame
from homeagent.understanding.frames.timed_orders import Ahead
from homeagent.understanding.frames.timer_clause import MOST_EXPLAINED, TimerClause
from homeagent.understanding.frames.timer_deeds import deed_of, due_of_timer
from homeagent.understanding.previous_turn import each
from homeagent.understanding.request import Act, Request
from homeagent.understanding.spans import Named

_OF_HOME_ASSISTANTS = {TimerAction.CANCEL: "cancel", TimerAction.PAUSE: "pause", TimerAction.RESUME: "start"}
"""The actions of Home Assistant's timers; `SET` needs a length, or is "start" as for any thing."""
_COSTLY = frozenset({Feature.HEARD, Feature.CORRECTED, Feature.SEVERAL_VERBS})


def home_assistants_named(clause: Clause) -> frozenset[str]:
    """The timers of Home Assistant's that are named."""
    named = [n for _, n in clause.said(Named) if not n.part]
    return frozenset(i for n in named for i in n.entity_ids if i.startswith("timer."))


def order_for_home_assistants(clause: Clause, own: frozenset[str], said: TimerClause, ahead: Ahead) -> Iterator[Frame]:
    """What is ordered of one of Home Assistant's timers: "set the pizza timer for 12 minutes", "cancel it"."""
    told = gathered(said.pieces)
    if told is None or len(own) != 1 or clause.asks or clause.at(Role.NEGATION):
        return
    deed = deed_of(said, told, clause)
    action = _OF_HOME_ASSISTANTS.get(deed, "") if deed is not None and not said.pieces else ""
    parameters: dict[str, object] = {}
    if (
        deed is TimerAction.SET
        and not said.more
        and isinstance(due := due_of_timer(TimerKind.TIMER, told, ahead), After)
    ):
        action, parameters = "start", {"duration": f"{round(due.wait.total_seconds())}s"}
    if action:
        request = Request(Act.CONTROL, each(own), action=action, parameters=parameters)
        made = frame(clause, ActKind.TIMED, request, range(len(clause.cells)))
        features: dict[Feature, float] = {f: v for f, v in made.features.items() if f in _COSTLY}
        yield replace(made, entity_ids=own, features={**features, Feature.EXPLAINED: MOST_EXPLAINED})
