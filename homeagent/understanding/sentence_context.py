"""What a sentence is read against."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date

from homeagent.understanding.frames.control import Stop
from homeagent.understanding.home_names import HomeNames
from homeagent.understanding.lattice import Choices
from homeagent.understanding.past_times import Now
from homeagent.understanding.previous_turn import PreviousTurn


@dataclass(frozen=True, slots=True)
class SentenceContext:
    """What a sentence is read against: the home's names, the speaker's area, the ids spoken of last, the date, what the
    retrieved things can be set to, what a bare "stop" means now, and the previous turn.
    """

    names: HomeNames
    today: date
    area_id: str | None = None
    last_entities: tuple[str, ...] = ()
    choices: Choices = field(default_factory=dict)
    stop: Stop | None = None
    last: PreviousTurn | None = None
    now: Now | None = None
    """None: of the past, and of times to come, nothing is read."""
    rings: bool = False
    """Whether a timer or an alarm rang just now, and nobody has silenced it."""
    timer_names: tuple[str, ...] = ()
    """What the timers that run are called."""
