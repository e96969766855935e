"""One clause: its cells, its numbers, and what "it" means in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, TypeVar

from homeagent.languages.concepts import (
    Amount,
    Colour,
    Concept,
    Count,
    DayWord,
    Dimension,
    Heading,
    Level,
    ListAction,
    Mode,
    Particle,
    Reference,
    Role,
    Share,
    Unit,
    Verb,
    White,
)
from homeagent.understanding.endings import bare
from homeagent.understanding.spans import (
    Cell,
    Free,
    InArea,
    Items,
    Named,
    NoPlace,
    OfChoice,
    OfKind,
    OnFloor,
    TimeGone,
    TimeOfDay,
)
from homeagent.understanding.tokeniser import Token

if TYPE_CHECKING:
    from homeagent.understanding.home_names import HomeNames
    from homeagent.understanding.noun_phrases import Target
    from homeagent.understanding.previous_turn import PreviousTurn

V = TypeVar("V")

THINGS = (Named, InArea, OnFloor, OfKind)
"""Sorts of cells that say whom a clause is about."""
_OF_HOME = (*THINGS, Items, NoPlace, OfChoice, TimeOfDay, TimeGone, Free)
_LEAD = 2
"""So many cells before a number the word may stand that leads it."""
_LEADS = (Role.TO, Role.BY, Role.AT)
UNITS_OF_TIME = frozenset({Unit.SECOND, Unit.MINUTE, Unit.HOUR, Unit.DAY, Unit.OCLOCK})
_COUNTED = (Unit.DEGREE, Unit.PERCENT)
"""Units that may stand for one of themselves."""
_ALL = (Role.EVERY, Role.EVERYTHING)
_HOURS = 24
_HALF = Level(50)
_STATES = (
    *(Particle.ON, Particle.OFF, Particle.OUT, Particle.OPENED, Particle.CLOSED, Particle.LOCKED, Particle.UNLOCKED),
)


@dataclass(frozen=True, slots=True)
class Number:
    """A number that was said. ``cells``: the indexes of its own cell, its unit's and that of ``lead``, the word before
    it ("to", "by").
    """

    value: float
    unit: Unit | None
    lead: Role | None
    cells: tuple[int, ...]

    @property
    def of_time(self) -> bool:
        """Whether it is a time of day or a duration."""
        if self.unit is not None:
            return self.unit in UNITS_OF_TIME
        return self.lead is Role.AT and 0 <= self.value <= _HOURS and self.value.is_integer()


@dataclass(frozen=True)
class Clause:
    """A stretch of a segmentation. ``asks``: it ends with a question mark. ``area_id``: where the speaker is.

    ``antecedent``: what was spoken of last, in this sentence or before it; ``last``: the previous turn, as long as
    nothing was spoken of in this sentence. ``told``: it continues a statement. ``dated``: the day that it says by its
    date, and the indexes of the words for that.
    """

    cells: tuple[Cell, ...]
    tokens: tuple[Token, ...]
    names: HomeNames
    asks: bool = False
    area_id: str | None = None
    antecedent: Target | None = None
    numbers: tuple[Number, ...] = ()
    last: PreviousTurn | None = None
    told: bool = False
    dated: tuple[date, frozenset[int]] | None = None
    targets: dict[tuple[frozenset[int], int, int], Target] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    """What `phrases.target_of` has worked out: many builders ask the same."""
    _places: Mapping[Concept | type, set[int]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        places: dict[Concept | type, set[int]] = {}
        for i, cell in enumerate(self.cells):
            for reading in cell.readings:
                places.setdefault(type(reading.meaning), set()).add(i)
                if not isinstance(reading.meaning, _OF_HOME):
                    places.setdefault(reading.meaning, set()).add(i)
        object.__setattr__(self, "_places", places)

    def said(self, sort: type[V]) -> Iterator[tuple[int, V]]:
        """The readings of a sort, each with the index of its cell."""
        for i in sorted(self._places.get(sort, ())):
            for value in self.cells[i].all(sort):
                yield i, value

    def at(self, *concepts: Concept) -> set[int]:
        """The indexes of the cells that can mean one of these concepts."""
        return set().union(*[self._places[c] for c in concepts if c in self._places])

    def of(self, *sorts: type) -> set[int]:
        """The indexes of the cells with a reading of one of these sorts."""
        return set().union(*[self._places[s] for s in sorts if s in self._places])

    def text(self, first: int, last: int | None = None) -> str:
        """The words of the cells from ``first`` to ``last`` as they were typed; a particle that hangs on the last word
        is left out.
        """
        end = self.cells[first if last is None else last].end
        said = self.tokens[self.cells[first].first : end]
        typed = (*(t.raw for t in said[:-1]), bare(said[-1].raw, self.names))
        return "".join(f"{t.gap if i else ''}{raw}" for i, (t, raw) in enumerate(zip(said, typed, strict=True)))

    def kinds_as_said(self, places: Sequence[int]) -> str:
        """The words of these cells from the first to the last that names a kind; empty where none does."""
        said = [i for i in places if self.cells[i].has(OfKind)]
        return self.text(min(said), max(said)) if said else ""

    def mark(self, place: int) -> str:
        """The punctuation before a cell."""
        return self.tokens[self.cells[place].first].mark

    def next_to(self, place: int, *roles: Role) -> set[int]:
        """The index of a neighbouring cell with one of these roles: the one before; with postpositions the one behind,
        or the cell itself.
        """
        if self.postpositions:
            behind = self.cells[place + 1 : place + 2]
            if any(c.means(*roles) for c in behind):
                return {place + 1}
            return {place} if self.cells[place].says(*roles) else set()
        return {place - 1} if place and self.cells[place - 1].says(*roles) else set()

    def leads_to_a_thing(self, place: int) -> bool:
        """Whether the cell is a preposition of place with a thing or a place behind it."""
        behind = next((c for c in self.cells[place + 1 :] if not c.says(Role.FILLER)), None)
        return self.cells[place].says(Role.PLACE) and behind is not None and behind.has(*THINGS)

    @property
    def leading_joins(self) -> set[int]:
        """The indexes of the conjunctions that open the clause. There they are nothing else:
        "luego" is then no time.
        """
        count = next((i for i, c in enumerate(self.cells) if not c.says(Role.JOIN, Role.FILLER)), len(self.cells))
        return {i for i in range(count) if self.cells[i].says(Role.JOIN)}

    @property
    def opening(self) -> int:
        """The index of the first cell that is neither a conjunction nor a filler."""
        for i, cell in enumerate(self.cells):
            if not cell.says(Role.JOIN, Role.FILLER) or cell.has(Verb):
                return i
        return 0

    @property
    def opening_deed(self) -> int:
        """The index of the first cell that is neither a conjunction, a filler nor a courtesy."""
        small = (Role.JOIN, Role.FILLER, Role.COURTESY)
        return next((i for i, c in enumerate(self.cells) if not c.means(*small)), len(self.cells) - 1)

    @property
    def exception(self) -> int:
        """The index of the word that excludes something ("except"); the number of cells where there is none.

        A conjunction that opens the clause ("but …") excludes nothing, nor does a word with nothing to exclude behind
        it. Behind everything "only … not" excludes, too ("everything off, only not the lamp").
        """
        bare = 0 if self.postpositions else len(self.cells) - 1
        said = {i for i in self.at(Role.EXCEPT) if i != bare and (i or not self.cells[i].says(Role.JOIN))}
        if self.at(Role.NEGATION):
            said |= {i for i in self.at(Role.ONLY, Role.JOIN) if i and self._denies_a_part(i)}
        return min(said, default=len(self.cells))

    def _denies_a_part(self, place: int) -> bool:
        """Whether all that is behind a cell is something of everything before it, and a "not"."""
        before, behind = self.cells[:place], self.cells[place + 1 :]
        denied = [c for c in behind if c.says(Role.NEGATION)]
        rest = [c for c in behind if not c.says(Role.NEGATION)]
        told = all(c.has(*THINGS) or c.says(Role.PLACE, Role.FILLER, Role.ARTICLE, Role.JOIN, Role.OR) for c in rest)
        return len(denied) == 1 and bool(rest) and told and any(c.says(*_ALL) for c in before)

    @property
    def excepted(self) -> range:
        """The indexes of the word that excludes and of what it excludes; empty where nothing is excluded.

        With postpositions it excludes the one phrase before it; a word for a kind ends a phrase. Where nothing is
        ordered before it, it excludes what stands up to the order ("apart from the lamp turn all off"). A particle at
        the end of the clause belongs to the order where no other word orders anything ("all but the lamp off"), else
        to what is excluded ("… and the lamp, but leave the TV on").
        """
        place, end = self.exception, len(self.cells)
        if place == end:
            return range(end, end)
        if not self.postpositions:
            before = self.cells[: place + 1]
            ordered = any(c.has(Verb, Particle, Heading) and not c.says(Verb.DO) for c in before[:-1])
            everything = any(c.says(Role.EVERY, Role.EVERYTHING) for c in before)
            if not (ordered or everything):
                return range(place, next((i for i in range(place + 2, end) if self._begins_the_order(i)), end))
            return range(place, end - (not ordered and self.cells[-1].has(Particle)))
        start = place
        while start and not self.mark(start):
            cell = self.cells[start - 1]
            joined = any(c.says(Role.JOIN) for c in self.cells[start - 1 : start + 1])
            ends = start < place and cell.has(OfKind) and not joined
            if ends or cell.has(Verb) or cell.means(Role.EVERY, Role.EVERYTHING):
                break
            start -= 1
        return range(start, place + 1)

    def _begins_the_order(self, place: int) -> bool:
        """Whether an order for all but what is excluded may begin at a cell."""
        return bool(self.mark(place)) or self.cells[place].has(Verb) or self.cells[place].says(*_ALL)

    @property
    def postpositions(self) -> bool:
        """Whether the language puts its case words behind the noun and the verb last."""
        return self.names.pack.postpositions

    @property
    def days(self) -> set[int]:
        """The indexes of the words that say a day."""
        return self.of(DayWord) | (self.dated[1] if self.dated is not None else set())

    @property
    def times(self) -> set[int]:
        """The indexes of words for another time than now."""
        leads = {
            i for i in self.at(Role.TIME) & self.at(Role.FILLER) if i + 1 in self.at(Role.TO)
        }  # "schakel over naar"
        said = (self.at(Role.TIME) - self.leading_joins - leads) | self.of(TimeOfDay)
        return said | {place for n in self.numbers if n.of_time for place in n.cells}

    @property
    def neutral(self) -> set[int]:
        """The indexes of verbs without a meaning of their own ("do", "make") and of words like "make sure"."""
        ensured = self.at(Role.ENSURE)
        return self.at(Verb.DO) | ensured | (self.at(Role.COPULA) if ensured else set())

    @property
    def keeps(self) -> bool:
        """Whether it asks to leave something as it is: "keep" with a state, or with a thing and no more, and neither
        another verb nor a value.
        """
        verbs = {v for i, v in self.said(Verb) if not self.cells[i].says(*_STATES)}
        if Verb.KEEP not in verbs or not verbs <= {Verb.KEEP, Verb.DO}:
            return False
        if self.of(Heading, Level, Share) or self.of(Count) - self.at(Role.PRONOUN):
            return False
        more = self.of(Particle, Dimension, Colour, White, Mode, ListAction, OfChoice, Unit, Amount) - self.of(OfKind)
        ones = self.of(InArea, OnFloor) and self.at(Role.PRONOUN, Reference.ONES)  # "the bathroom one"
        whole = self.of(InArea, OnFloor) and self.postpositions  # "leave the bathroom as it is"
        return bool(self.particles(*_STATES)) or (bool(self.of(Named, OfKind) or ones or whole) and not more)

    @property
    def keeps_another(self) -> bool:
        """Whether it asks to leave a thing as it is, behind another clause ("…, the bathroom one should stay on")."""
        about = self.of(*THINGS) or self.at(Role.PRONOUN)
        return bool(self.cells[0].first and about and self.keeps and not self.asks)

    def particles(self, *particles: Particle) -> set[int]:
        """The indexes of the cells that can be one of these particles, those of excluded things too."""
        return self.at(*particles)


def numbers_of(cells: Sequence[Cell], tokens: Sequence[Token], *, postpositions: bool = False) -> tuple[Number, ...]:
    """The numbers of a clause, each with its unit and the word that leads it ("to", "by"); with ``postpositions`` that
    word stands behind.
    """
    found = []
    for i, cell in enumerate(cells):
        count = cell.get(Count)
        if count is None:
            if (found_alone := _unit_alone(cells, i)) is None:
                continue
            value, unit, own = found_alone
        else:
            value, unit, own = count.value, None, [i]
            if i + 1 < len(cells) and not tokens[cells[i + 1].first].mark:
                unit = cells[i + 1].get(Unit)
            if unit is not None:
                own.append(i + 1)
            led = i > 0 and cells[i - 1].says(*_LEADS)
            if unit is None and (cell.says(Role.FILLER) or (cell.says(Role.PRONOUN) and not led)):
                continue  # an article, or "the left one"
            half = _half_behind(cells, own[-1])
            own += half
            value += 0.5 if half else 0
            behind = cells[own[-1] + 1] if half and unit is None and own[-1] + 1 < len(cells) else None
            if behind is not None and (unit := behind.get(Unit)) is not None:
                own.append(own[-1] + 1)
        lead = None
        first = min(own)
        places = (
            range(first, min(len(cells), own[-1] + 2))
            if postpositions
            else range(first - 1, max(-1, first - 1 - _LEAD), -1)
        )
        for place in places:
            lead = next((role for role in _LEADS if cells[place].says(role)), None)
            if lead is not None:
                own.append(place)
                of_value = lead is Role.AT and unit is None and place > 0 and _takes_a_value(cells, place)
                lead = Role.TO if of_value else lead  # "the volume at 5"
                break
        found.append(Number(value, unit, lead, tuple(own)))
    return tuple(found)


def _takes_a_value(cells: Sequence[Cell], place: int) -> bool:
    """Whether "at" leads a value here: behind a dimension ("the volume at 5"), or behind a thing for which nothing else
    is ordered ("leave the bedroom at 18")."""
    before = cells[place - 1]
    if before.has(Dimension):
        return True
    ordered = [c for c in cells if c.has(Verb, Heading, Particle) and not c.says(Role.AT)]
    set_only = bool(ordered) and all(c.says(Verb.DO, Verb.KEEP) for c in ordered)
    return before.has(*THINGS) and set_only and not any(c.says(Role.TIMER, Role.TIME) for c in cells)


def _unit_alone(cells: Sequence[Cell], place: int) -> tuple[float, Unit, list[int]] | None:
    """The number that a unit says without a numeral: "half a degree" 0.5, "a degree" 1, "a degree and a half" 1.5."""
    unit = cells[place].get(Unit)
    before = place - 1
    while before >= 0 and cells[before].says(Role.FILLER) and not cells[before].has(Count, Level):
        before -= 1
    if unit not in _COUNTED or (before >= 0 and cells[before].has(Count)):
        return None
    if before >= 0 and cells[before].says(_HALF):
        more = any(c.says(Role.JOIN) for c in cells[max(0, before - _LEAD) : before])
        return None if more else (0.5, unit, list(range(before, place + 1)))
    half = _half_behind(cells, place)
    article = list(range(before + 1, place))
    return (1.5 if half else 1.0, unit, [*article, place, *half]) if half or article else None


def _half_behind(cells: Sequence[Cell], place: int) -> list[int]:
    """The index of "and a half" right behind a number or its unit; empty where there is none."""
    return [place + 1] if any(c.says(Role.HALF) for c in cells[place + 1 : place + 2]) else []
