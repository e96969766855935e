"""What is asked for another time: this agent does what is ordered at once, or not at all."""

from __future__ import annotations

from dataclasses import replace

from homeagent.brains.language.reading import Reading
from homeagent.brains.local.meaning.choosing import choice_positions
from homeagent.brains.local.meaning.listing import ACTIONS as LIST_ACTIONS
from homeagent.brains.local.meaning.request import Act, Request
from homeagent.brains.local.things.grounding import Ground

NOT_LATER = "no_timer"
"""The phrase for what would have to wait."""


def is_for_later(reading: Reading, around: Ground) -> bool:
    """Whether a time to come is said: a delay, or another day. A mode that is called "weekend" is none."""
    said = [s for s in reading.of("delays", "weekdays", "horizon", "ahead") if (s.section, s.concept) != ("ahead", "0")]
    chosen = choice_positions(reading, around) if said else frozenset()
    return any(not set(s.positions) <= chosen for s in said)


def unless_later(request: Request, reading: Reading, around: Ground) -> Request:
    """The request, or the refusal of an order that is meant for another time, however it was understood.

    What goes on a list may name a day: "add call the plumber tomorrow".
    """
    if request.act is not Act.CONTROL or request.action in LIST_ACTIONS.values() or not is_for_later(reading, around):
        return request
    return replace(Request(Act.SAY, say=NOT_LATER), intent=request.intent)
