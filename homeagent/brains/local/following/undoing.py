"""Taking back what the last order changed, as far as it is known how it was."""

from __future__ import annotations

from collections.abc import Mapping

from homeagent.brains.language.ensuring import INTO_STATE
from homeagent.brains.local.following.spoken import changed, each
from homeagent.brains.local.meaning.abilities import OPPOSITE
from homeagent.brains.local.meaning.request import Act, Request
from homeagent.brains.local.planning.plans import CONTROL
from homeagent.turn import PastTurn

_BACK: Mapping[str, str] = {**INTO_STATE, "playing": "play", "paused": "pause"}
"""By the state that something was in: the action that makes it so again."""


def undone(past: PastTurn) -> Request | None:
    """The request that puts back what a turn changed; None where that is not known, or takes several actions."""
    before = changed(past)
    actions = {_BACK.get(state, "") for state in before.values()}
    if before and len(actions) == 1 and all(actions):
        return Request(Act.CONTROL, each(tuple(before)), action=actions.pop())
    if before:
        return None
    for call in past.calls:
        opposite = OPPOSITE.get(str(call.parameters.get("action")))
        if call.name == CONTROL and opposite and past.targets and not call.parameters.get("parameters"):
            return Request(Act.CONTROL, each(past.targets), action=opposite)
    return None
