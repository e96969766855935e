"""What was said, asked and done before: that on which an incomplete sentence leans."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from homeagent.languages.concepts import Dimension, Way
from homeagent.timers.timer import TimerKind
from homeagent.understanding.home_names import HomeNames
from homeagent.understanding.request import Act, Asked, Request, Scope
from homeagent.understanding.value_changes import SCALES
from indexer.entity import Entity

SETS = frozenset({Asked.WHICH, Asked.HOW_MANY, Asked.ANY, Asked.ALL})
"""Forms of questions for all that are so."""
_BY_CLASS = frozenset({"cover", "binary_sensor", "sensor", "media_player"})
"""Domains of which each holds several kinds of things, by their device class."""


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """A question that was asked back and is not answered: the request, and the things to choose from. Without
    ``candidates`` any thing may be the answer.
    """

    request: Request
    candidates: tuple[str, ...] = ()


class UndoSteps(Protocol):
    """What tells the request that takes steps back."""

    def __call__(self, count: int | None, named: frozenset[str] = ..., *, at_first: bool = ...) -> Request | None:
        """That for the last so many steps, None: all; with ``named`` for the last step that changed one of these.
        ``at_first``: how these, else what the last step changed, were before any step."""


@dataclass(frozen=True, slots=True)
class LastTimer:
    """The timer that was spoken of last; without an id several of that kind. ``fresh``: in the very last turn."""

    timer_id: str
    kind: TimerKind
    fresh: bool = True
    changed: bool = False
    """Whether that turn changed one that was set before."""
    does: frozenset[str] = frozenset()
    """The actions of what it does then."""
    moved: timedelta | None = None
    """By how much that turn moved it; None where it did not, or that is not known."""
    due: datetime | None = None
    """When it is due, in the home's zone; None where it comes again and again, or waits for something."""


@dataclass(frozen=True, slots=True)
class ToldEvent:
    """An event of a calendar that was told of; ``starts`` is in the home's zone."""

    title: str
    starts: datetime


@dataclass(frozen=True, slots=True)
class PreviousTurn:
    """The last turn that was about something, and what the turns before leave to refer to.

    ``request``: what was asked for; ``entity_ids``: what that turn was about, in the order of its answer.
    """

    request: Request | None = None
    entity_ids: tuple[str, ...] = ()
    fresh: bool = True
    """Whether it is the very last turn."""
    two: tuple[str, ...] = ()
    """The two things that were spoken of last, or the things of the last two turns; none where it is not clear which.
    """
    several: tuple[str, ...] = ()
    """The things that "all of them" means."""
    spared: tuple[str, ...] = ()
    """What the very last turn excepted of things like those it was about."""
    offered: tuple[str, ...] = ()
    """Those of which one was to be chosen of late, and was."""
    changed: tuple[str, ...] | None = None
    """What the very last turn really changed; None where that is not known."""
    lately: tuple[tuple[str, ...], ...] = ()
    """What each of the last turns really changed, the newest first."""
    ours: tuple[str, ...] = ()
    """What the last turns changed and is since as they left it."""
    undo: Request | None = None
    """What takes back what the very last turn did."""
    undo_steps: UndoSteps | None = None
    """None where nothing was done of late."""
    which: Request | None = None
    """The last question for all that are in some state."""
    waiting: OpenQuestion | None = None
    timer: LastTimer | None = None
    event: ToldEvent | None = None
    """The only event that the very last turn told of, where it has a time of day."""
    counts: bool = False
    """Whether that turn said a number: "10 less", and not "a bit darker"."""
    way: Way | None = None
    """Which way the very last turn moved what it set to a value."""
    shades: bool = False
    """Whether the very last turn was about lamps alone that can be warmer or cooler in their white."""

    @property
    def orders(self) -> bool:
        """Whether that turn carried out an order."""
        return self.request is not None and self.request.act is Act.CONTROL

    @property
    def domains(self) -> tuple[str, ...]:
        """The domains of the things it was about, each once."""
        return tuple(dict.fromkeys(i.partition(".")[0] for i in self.entity_ids))

    @property
    def dimension(self) -> Dimension | None:
        """The dimension that it set or moved; None where there was none."""
        said = self.request.parameters if self.request is not None else {}
        return next((d for d, scale in SCALES.items() if scale.value in said or scale.step in said), None)

    @property
    def usual_dimension(self) -> Dimension | None:
        """The dimension that it set or moved, else the usual one of the things it was about."""
        usual = next(
            (d for d, scale in SCALES.items() if self.domains and set(self.domains) <= set(scale.domains)), None
        )
        return self.dimension or usual

    def kin(self, names: HomeNames) -> tuple[Entity, ...]:
        """All things of the same kind as those it was about; empty where those are of several kinds."""
        kinds = {_kind(e) for i in self.entity_ids if (e := names.by_id.get(i)) is not None}
        return tuple(e for e in names.entities if _kind(e) in kinds and e.in_plurals) if len(kinds) == 1 else ()


def each(ids: Iterable[str]) -> Scope:
    """A scope of every one of these ids."""
    return Scope(tuple((i,) for i in ids), every=True)


def _kind(entity: Entity) -> tuple[str, str | None]:
    return entity.domain, entity.device_class if entity.domain in _BY_CLASS else None
