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
    if before is not None and not before:
        return Request(Act.SAY, say="left_alone")
    calls = [call for call in past.calls if call.name == CONTROL]
    opposites = {OPPOSITE.get(str(call.parameters.get("action")), "") for call in calls}
    plain = not any(call.parameters.get("parameters") for call in calls)
    if plain and past.targets and len(opposites) == 1 and all(opposites):
        return Request(Act.CONTROL, each(tuple(before or past.targets)), action=opposites.pop())
    actions = {_BACK.get(state, "") for state in (before or {}).values()}
    if before and set(before) >= set(past.targets) and len(actions) == 1 and all(actions):
        return Request(Act.CONTROL, each(tuple(before)), action=actions.pop())
    return None
