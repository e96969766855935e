"""What a guessed order may come to: which opposite is meant, and whether it is carried out or asked about.

Of opposites the vector tells the one from the other badly. So a word or the state of the home has to tell, or a value
that was said, or it is asked.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass
from functools import partial

from homeagent.intents.classifier import Guess
from homeagent.intents.intent import Intent
from homeagent.languages.concepts import Dimension, Heading, Way

_OFFERED = 0.5
"""From this share on, opposites together, an order is offered."""
_LEFT_OPEN = 1 / 8
"""So much of its own share the other way may have at most where a guess tells which: of 299 unseen sentences of six
languages 5 % then meant the opposite, without a limit 10 %. With less than that beside the other the state of the home
makes no way likely either."""
_DONE: Mapping[Intent, float] = {
    **dict.fromkeys((Intent.NEXT_TRACK, Intent.CHOOSE_SOURCE, Intent.LIST_ADD), 0.6),
    **dict.fromkeys((Intent.LIGHT_BRIGHTER, Intent.QUIETER, Intent.VACUUM_START, Intent.VACUUM_STOP), 0.7),
    **dict.fromkeys((Intent.MEDIA_PAUSE, Intent.MUTE, Intent.PREVIOUS_TRACK, Intent.LIST_REMOVE), 0.75),
    **dict.fromkeys((Intent.LIGHT_ON, Intent.LIGHT_COLOUR, Intent.LIGHT_DIMMER), 0.8),
    **dict.fromkeys((Intent.TIMER_SET, Intent.SCENE, Intent.LOUDER), 0.8),
    **dict.fromkeys((Intent.ALARM_SET, Intent.LIGHT_OFF), 0.9),
}
"""Orders of which nothing bad comes by mistake: carried out from these shares on, if nothing is left out; where words
say which way something is moved, from `_OFFERED` on. Nine of ten sentences of people whom no fit had read are for them
there (docs/decisions.md has the table). No temperature and no position is: "24 degrees would be too much" reads like
setting it, and timers and scenes, too, are spoken of where nothing is to be done."""
_HEADINGS: Mapping[Intent, Heading] = {
    Intent.LIGHT_BRIGHTER: Heading(Way.UP, Dimension.BRIGHTNESS),
    Intent.LIGHT_DIMMER: Heading(Way.DOWN, Dimension.BRIGHTNESS),
    Intent.WARMER: Heading(Way.UP, Dimension.TEMPERATURE),
    Intent.COOLER: Heading(Way.DOWN, Dimension.TEMPERATURE),
    Intent.LOUDER: Heading(Way.UP, Dimension.VOLUME),
    Intent.QUIETER: Heading(Way.DOWN, Dimension.VOLUME),
}
"""Which way an order moves a value, and of what."""


@dataclass(frozen=True, slots=True)
class Sides:
    """Orders of one way, and those of the other. ``shown``: the state of the home tells which is left to be done."""

    one: tuple[Intent, ...]
    other: tuple[Intent, ...] = ()
    shown: bool = True


_SIDES = (
    Sides((Intent.LIGHT_ON, Intent.LIGHT_BRIGHTER), (Intent.LIGHT_OFF, Intent.LIGHT_DIMMER)),
    Sides((Intent.COVER_OPEN,), (Intent.COVER_CLOSE,)),
    Sides((Intent.VACUUM_START,), (Intent.VACUUM_STOP,)),
    Sides((Intent.DEVICE_ON,), (Intent.DEVICE_OFF,)),
    Sides((Intent.LOCK,), (Intent.UNLOCK,)),
    Sides((Intent.CHOOSE_SOURCE, Intent.MEDIA_PLAY), (Intent.MEDIA_PAUSE,)),
    Sides((Intent.LOUDER,), (Intent.QUIETER, Intent.MUTE), shown=False),
    Sides((Intent.WARMER,), (Intent.COOLER,), shown=False),
    Sides((Intent.NEXT_TRACK,), (Intent.PREVIOUS_TRACK,), shown=False),
    Sides((Intent.LIST_ADD,), (Intent.LIST_REMOVE,), shown=False),
    Sides((Intent.ALARM_SET,), (Intent.ALARM_CANCEL,), shown=False),
)

_OPENING = frozenset({Intent.UNLOCK, Intent.COVER_OPEN, Intent.GARAGE_OPEN})
"""These are not offered to somebody who much more likely wants it shut, and it is."""


@dataclass(frozen=True, slots=True)
class OrderGuess:
    """One order that may be meant. ``share``: how likely its side is, ``against``: the other one, both 0 to 1.
    ``shown``: as of its `Sides`."""

    intent: Intent
    share: float
    against: float
    shown: bool

    @property
    def second(self) -> bool:
        """Whether it is of the side that is less likely."""
        return self.share < self.against

    def is_open(self, said: Set[Heading], *, stepping: bool, valued: bool) -> bool:
        """Whether nothing tells that its way is meant. ``said``: the ways that words say; ``stepping``: a value is
        moved; ``valued``: it is set to one that was said."""
        ways = self._ways(said)
        if ways:
            return ways != {_HEADINGS[self.intent].way}
        if valued and self.intent in _HEADINGS:
            return False
        if self.intent in _OPENING and self.share < self.against / 2:
            return True
        if self.shown and not stepping:
            return self.share < _LEFT_OPEN * self.against
        return self.against > _LEFT_OPEN * self.share

    def is_done(self, said: Set[Heading], *, valued: bool) -> bool:
        """Whether it may be carried out at once: its share is large, and which way is meant is told, not guessed, or
        it is to be quieter, which what plays too loud is seldom said to be by a word for it."""
        least, ways = _DONE.get(self.intent), self._ways(said)
        if least is None or (self.intent in _HEADINGS and not (ways or valued or self.intent is Intent.QUIETER)):
            return False
        return self.share >= (min(least, _OFFERED) if ways else least)

    def _ways(self, said: Set[Heading]) -> set[Way]:
        own = _HEADINGS.get(self.intent)
        return {heading.way for heading in said if own is not None and heading.dimension is own.dimension}


def is_sure(guess: Guess, intent: Intent) -> bool:
    """Whether a guess alone is enough to carry out an order of which nothing bad comes by mistake."""
    return guess.shares[intent] >= _DONE[intent]


def order_guesses(guess: Guess) -> list[OrderGuess]:
    """The orders that may be meant, the likelier side first, and of a side the likelier order; none where they are too
    unlikely together."""
    intent = guess.likeliest
    found = next((s for s in _SIDES if intent in (*s.one, *s.other)), Sides((intent,)))
    one, other = guess.share_of(found.one), guess.share_of(found.other)
    if one + other < _OFFERED:
        return []
    likelier = partial(sorted, key=guess.shares.__getitem__, reverse=True)
    first = [OrderGuess(i, one, other, found.shown) for i in likelier(found.one)]
    second = [OrderGuess(i, other, one, found.shown) for i in likelier(found.other)]
    return [*first, *second] if one >= other else [*second, *first]
