"""When the sun rises and sets, as far as the home tells."""

from __future__ import annotations

from homeagent.brains.language.reading import Reading
from homeagent.brains.local.meaning.outlook import orders
from homeagent.brains.local.meaning.request import Act, Asked, Request, Scope
from homeagent.brains.local.things.grounding import Ground

_SUN = "sun"
_NEXT = {"rise": "next_rising", "set": "next_setting"}
UNKNOWN_SUN = "no_sun"
"""The phrase for what the home does not tell."""


def sun_request(reading: Reading, around: Ground) -> Request | None:
    """The question for the next sunrise or sunset; None where it asks for a past one, or for something else."""
    said = [s for s in reading.unmarked if s.section == _SUN]
    asks = reading.has("questions", "when", "value") or reading.has("asking", "when") or reading.has("clock")
    if not said or not asks or orders(reading) or reading.has("past"):
        return None
    if set(reading.target) - {p for s in reading.unmarked if s.section == _SUN for p in s.positions} - _marked(reading):
        return None
    sun = next((e for e in around.exposed if e.domain == _SUN), None)
    state = around.home.state(sun.entity_id) if sun is not None else None
    attribute = _NEXT[said[0].concept]
    known = sun is not None and state is not None and attribute in state.attributes
    if sun is None or not known or reading.has("ahead", "1", "2"):
        return Request(Act.SAY, say=UNKNOWN_SUN)
    return Request(Act.QUERY, Scope(((sun.entity_id,),)), asked=Asked.VALUE, attribute=attribute)


def _marked(reading: Reading) -> set[int]:
    """Words that are only taken for names: what is called "at sunset" is not asked about."""
    return {i for i, w in enumerate(reading.words) if w.mark and not any(m.score == 1 for m in reading.mentions_at(i))}
