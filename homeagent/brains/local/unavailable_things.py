"""What is said of a thing that is unavailable, where a sentence that names it leads to nothing."""

from __future__ import annotations

from collections.abc import Sequence

from homeagent.brains.local.frame_plans import LOST, NO_ANSWER
from homeagent.brains.local.planning.plans import Plan, Saying
from homeagent.brains.local.wording.spoken_values import moment_words
from homeagent.ha.home import UNAVAILABLE, Home
from homeagent.understanding.home_names import HomeNames
from homeagent.understanding.request import Act, Request
from homeagent.understanding.sentence_parts import parts_of

_OFFERS = "suggest"


def unavailable_named(text: str, names: HomeNames | None, home: Home, plans: Sequence[Plan]) -> Plan | None:
    """A plan that tells since when the one thing that is named is unavailable, where ``plans`` do nothing and answer
    nothing: so whoever complains that it does nothing learns why. Blocks.
    """
    said = [p.saying.key if p.saying is not None and not p.calls else "" for p in plans]
    if names is None or not all(key in LOST | NO_ANSWER or key.startswith(_OFFERS) for key in said):
        return None
    named = {e.entity_id for _, things in parts_of(text, names).named if len(things) == 1 for e in things}
    state = home.state(named.pop()) if len(named) == 1 else None
    if state is None or state.state != UNAVAILABLE:
        return None
    since = moment_words(state.last_changed.isoformat(), home)
    saying = Saying("unavailable_since", {"time": since}, (state.entity_id,))
    return Plan(Request(Act.SAY, say=saying.key), saying=saying)
