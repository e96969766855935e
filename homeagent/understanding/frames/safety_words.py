"""What a clause says of safety, word by word: the kinds of things, and how they may be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from homeagent.languages.concepts import ArmingMode, Role, SafetyKind, SafetySign, SafetyWord, StateWord, Verb
from homeagent.languages.concepts import SafetyState as Is
from homeagent.safety.guards import HAZARDS, HOT, OPENINGS
from homeagent.understanding.clauses import THINGS, Clause
from homeagent.understanding.spans import Cell, InArea, Named, OfKind, OnFloor

SAID_OF: Mapping[SafetyKind, frozenset[Is]] = {
    **{kind: frozenset({Is.PRESENT, Is.ALARMED, Is.QUIET, Is.ON, Is.OFF}) for kind in HAZARDS},
    **{kind: frozenset({Is.OPEN, Is.CLOSED, Is.LOCKED, Is.UNLOCKED}) for kind in (*OPENINGS, SafetyKind.LOCK)},
    **{kind: frozenset({Is.ON, Is.OFF}) for kind in HOT},
    SafetyKind.ALARM: frozenset({Is.ARMED, Is.DISARMED, Is.ON, Is.OFF, Is.ALARMED, Is.QUIET}),
    SafetyKind.SIREN: frozenset({Is.ON, Is.OFF, Is.ALARMED, Is.QUIET}),
    SafetyKind.MOTION: frozenset({Is.PRESENT, Is.QUIET}),
    SafetyKind.PRESENCE: frozenset({Is.PRESENT, Is.QUIET}),
}
"""What can be said of a kind."""
_KINDS = {
    "smoke": SafetyKind.SMOKE,
    "gas": SafetyKind.GAS,
    "carbon_monoxide": SafetyKind.CARBON_MONOXIDE,
    "moisture": SafetyKind.LEAK,
    "lock": SafetyKind.LOCK,
    "door": SafetyKind.DOOR,
    "window": SafetyKind.WINDOW,
    "garage_door": SafetyKind.GARAGE,
    "gate": SafetyKind.GATE,
    "alarm": SafetyKind.ALARM,
    "siren": SafetyKind.SIREN,
}
"""By the concept that a word for a kind of thing says."""
_BY_CLASS: Mapping[str, Mapping[str, Is]] = {
    **{c: {"on": Is.OPEN, "off": Is.CLOSED} for c in ("door", "window", "garage_door", "opening")},
    **{c: {"on": Is.PRESENT, "off": Is.QUIET} for c in ("smoke", "gas", "carbon_monoxide", "moisture")},
    "lock": {"on": Is.UNLOCKED, "off": Is.LOCKED},
    "default": {i.value: i for i in Is}
    | {"triggered": Is.ALARMED}
    | {f"armed_{g.value}": Is.ARMED for g in ArmingMode},
}
"""By the device class that a state is of, and its raw state."""
_DONE = {
    Verb.LOCK: Is.LOCKED,
    Verb.UNLOCK: Is.UNLOCKED,
    Verb.OPEN: Is.OPEN,
    Verb.CLOSE: Is.CLOSED,
    Verb.TURN_ON: Is.ON,
    Verb.TURN_OFF: Is.OFF,
    Verb.ARM: Is.ARMED,
    Verb.DISARM: Is.DISARMED,
}
"""What somebody's deed leads to."""
_WEAKER = {Is.LOCKED: Is.CLOSED, Is.UNLOCKED: Is.OPEN}
"""A word that says both says the second: "zu" need not be locked."""
_OPPOSITE = {
    one: other
    for pair in (
        *((Is.OPEN, Is.CLOSED), (Is.LOCKED, Is.UNLOCKED), (Is.ON, Is.OFF)),
        *((Is.ARMED, Is.DISARMED), (Is.ALARMED, Is.QUIET)),
    )
    for one, other in (pair, pair[::-1])
} | {Is.PRESENT: Is.QUIET}


_NO_PART = (SafetyWord.STILL, SafetyWord.AT_LARGE)
"""What is no part of a question that is wholly understood."""


@dataclass(frozen=True, slots=True)
class Said:
    """What a clause says of safety. ``cells``: the indexes of the cells that say it; ``denied``: something besides a
    state is denied; ``detector``: a kind is said by a word for its detector; ``called``: a word for a kind is also a
    thing's whole name.
    """

    kinds: tuple[SafetyKind, ...]
    states: frozenset[Is]
    words: frozenset[SafetyWord]
    modes: frozenset[ArmingMode]
    cells: frozenset[int]
    denied: bool = False
    detector: bool = False
    called: bool = False

    @property
    def past(self) -> bool:
        """Whether it asks about the past. What somebody has left open is asked of the present."""
        return SafetyWord.WAS in self.words and SafetyWord.DONE not in self.words


def said_in(clause: Clause) -> Said:
    """What the cells of a clause say of safety."""
    kinds = {i: found for i, cell in enumerate(clause.cells) if (found := tuple(kinds_said(cell)))}
    places = clause.of(InArea, OnFloor)
    if not kinds.keys() <= places:
        kinds = {i: found for i, found in kinds.items() if i not in places}  # "the door in the garage"
    words = tuple(clause.said(SafetyWord))
    done = clause.at(SafetyWord.DONE, SafetyWord.FORGOT)
    states: set[Is] = set()
    cells = {*kinds, *(i for i, word in words if word not in _NO_PART)}
    denials = clause.at(Role.NEGATION)
    for i, cell in enumerate(clause.cells):
        how = set() if i in kinds or i in places else set(_states(cell))
        if not how and done:
            how = {_DONE[v] for v in cell.all(Verb) if v in _DONE}
            cells |= {i} if cell.says(Verb.DO, Verb.KEEP) and not cell.has(*THINGS) else set()
        if how and i - 1 in denials:
            how = {_OPPOSITE[s] for s in how}
            denials = denials - {i - 1}
            cells.add(i - 1)
        cells |= {i} if how else set()
        states |= how
    modes = {i: g for i, g in clause.said(ArmingMode) if i not in kinds and not clause.cells[i].says(Role.WHOLE_HOME)}
    if states & {Is.ARMED, Is.ON}:
        cells |= modes.keys()
    raw = {r for _, word in clause.said(StateWord) for _, r in word.raw}
    own = {g for g in ArmingMode if f"armed_{g.value}" in raw and "armed" not in raw}
    return Said(
        tuple(dict.fromkeys(k for found in kinds.values() for k in found)),
        frozenset(states),
        frozenset(word for _, word in words),
        frozenset({*modes.values(), *own}),
        frozenset(cells),
        denied=bool(denials - cells or clause.at(SafetyWord.NONE)),
        detector=any(clause.cells[i].end - clause.cells[i].first > 1 for i in kinds),
        called=any((n := clause.cells[i].get(Named)) is not None and not n.part for i in kinds),
    )


def kinds_said(cell: Cell) -> Iterator[SafetyKind]:
    """The safety kinds that a cell may mean: by a word of safety, a sign of one, or a kind of thing where it is no
    name.
    """
    yield from cell.all(SafetyKind)
    yield from (sign.kind for sign in cell.all(SafetySign))
    if not cell.has(SafetyKind, Named):
        for kind in cell.all(OfKind):
            yield from (_KINDS[c.concept_id] for c in kind.concepts if c.concept_id in _KINDS)


def _states(cell: Cell) -> Iterator[Is]:
    """The states that a word says; where it says two, the weaker one."""
    said = set(cell.all(Is))
    for word in cell.all(StateWord):
        said |= {s for cls, raw in word.raw if (s := _BY_CLASS.get(cls, {}).get(raw)) is not None}
    yield from (s for s in said if _WEAKER.get(s) not in said)
