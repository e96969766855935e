"""What is asked for another time: this agent does what is ordered at once, or not at all."""

from __future__ import annotations

from dataclasses import replace

from homeagent.brains.language.lexicon import Spot, words_of
from homeagent.brains.language.reading import Reading
from homeagent.brains.local.meaning.choosing import choice_positions
from homeagent.brains.local.meaning.listing import ACTIONS as LIST_ACTIONS
from homeagent.brains.local.meaning.outlook import orders
from homeagent.brains.local.things.grounding import Ground
from homeagent.understanding.request import Act, Request

_TOLD_AS_SAID = frozenset({*LIST_ACTIONS.values(), "announce"})
"""Actions that carry the person's words: a day among these is part of them, as in "add call the plumber tomorrow"."""
NOT_LATER = "no_timer"
"""The phrase for what would have to wait."""
NOT_AHEAD = "not_ahead"
"""The phrase for how a thing will be."""
_PLANNED = frozenset({"weather", "forecast", "events", "items"})
"""What can be told of days to come."""
_NO_TIME_TO_COME = frozenset({("ahead", "0"), ("horizon", "last_week")})
_NEAR = 3
"""So many words behind a "when" tell of whom: "when my old mum comes"."""
_STILL = frozenset({("horizon", "week"), ("horizon", "month")})
"""Stretches that have begun: "is it closed this week" may be answered by what is."""


def is_for_later(reading: Reading, around: Ground) -> bool:
    """Whether a time to come is said: a delay, or another day. A mode that is called "weekend" is none."""
    said = _times(reading, "delays", "weekdays", "horizon", "ahead")
    chosen = choice_positions(reading, around) if said else frozenset()
    return any(not set(s.positions) <= chosen for s in said)


def waits(reading: Reading, *, asks: bool) -> bool:
    """Whether an order waits for something to happen: "when my mum comes, …", "… until I am back".

    ``asks``: it seems a question, as the first of these does; "… before we left?" is one.
    """
    if not orders(reading):
        return False
    aux = {p for s in reading.of("copula", "past", "future", "questions") for p in s.positions}
    somebody = {p for s in reading.of("tellers", "people") for p in s.positions}
    for spot in reading.of("subordinate"):
        behind = spot.positions[-1] + 1
        if spot.positions[0] == reading.opening and behind not in aux and _more_follows(reading, behind):
            return True
        if not asks and somebody & set(range(behind - 1, behind + _NEAR)):
            return True
    return False


def _more_follows(reading: Reading, start: int) -> bool:
    """Whether a clause ends behind ``start`` and another one begins."""
    return any(
        "," in reading.text[reading.words[i - 1].end : reading.words[i].start] for i in range(start, len(reading.words))
    )


def unless_later(request: Request, reading: Reading, around: Ground) -> Request:
    """The request, or the refusal of one that is meant for another time, however it was understood."""
    if request.act is Act.QUERY and _asks_ahead(request, reading, around):
        return replace(Request(Act.SAY, say=NOT_AHEAD), intent=request.intent)
    if request.act is not Act.CONTROL or request.action in _TOLD_AS_SAID or not is_for_later(reading, around):
        return request
    return replace(Request(Act.SAY, say=NOT_LATER), intent=request.intent)


def _asks_ahead(request: Request, reading: Reading, around: Ground) -> bool:
    """Whether it is asked how something will be on a day to come, unless that day is in its name."""
    if request.attribute in _PLANNED or request.period is not None or reading.has("past"):
        return False
    said = [s for s in _times(reading, "weekdays", "horizon", "ahead") if (s.section, s.concept) not in _STILL]
    named = [e for group in request.scope.named for i in group if (e := around.home.entity(i)) is not None]
    own = {w.text for e in named for name in e.names for w in words_of(name)}
    return any(not {reading.words[p].text for p in s.positions} <= own for s in said)


def _times(reading: Reading, *sections: str) -> list[Spot]:
    """The words for a time to come; neither today nor last week is one."""
    return [s for s in reading.of(*sections) if (s.section, s.concept) not in _NO_TIME_TO_COME]
