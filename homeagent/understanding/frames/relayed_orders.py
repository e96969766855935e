"""An order that somebody else gave: "mum said to turn the TV off". It is never carried out unasked, but offered."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from homeagent.domains.person import PEOPLE
from homeagent.languages.concepts import Heading, Role, Verb
from homeagent.understanding.clauses import Clause
from homeagent.understanding.frame import ActKind, Feature, Frame
from homeagent.understanding.frames.clause_parts import without
from homeagent.understanding.spans import Cell, Named

Build = Callable[[Clause], Iterable[Frame]]
_OFFERED = frozenset({ActKind.CONTROL, ActKind.SETTING, ActKind.STEPPING})
_MOST_WORDS = 3
"""Cells, with an article: longer ones say more than who it was."""


def relayed(clause: Clause, build: Build) -> Iterator[Frame]:
    """The order of a clause that says who gave it, as one that is asked about."""
    places = _who_said(clause)
    rest = without(clause, places) if places and not clause.asks else None
    for found in build(rest) if rest is not None else ():
        features: dict[Feature, float] = {f: v for f, v in found.features.items() if f is not Feature.QUOTED}
        offered = replace(found, features={**features, Feature.RELAYED: 1.0})
        if found.act in _OFFERED and found.acts and not offered.vetoed:
            yield offered


def _who_said(clause: Clause) -> set[int]:
    """The indexes of who said it and of the word for saying; empty where something else is told."""
    said = clause.at(Role.REPORT)
    cells, first = clause.cells, clause.opening
    if not said or clause.at(Role.NEGATION):
        return set()
    if clause.postpositions:
        last = len(cells) - 1
        ordered = last in said and any(c.has(Verb, Heading) for c in cells[last - 1 :])
        own = {i for i in said if not cells[i].has(Verb, Heading)}
        return {first, *own} if ordered and last > first and is_somebody(cells[first]) else set()
    place = min(said)
    who = cells[first:place]
    behind = [c for c in cells[place + 1 :] if not c.means(Role.FILLER, Role.COURTESY, Role.PLACE, Role.TO, Role.BY)]
    ordered = bool(behind) and behind[0].has(Verb, Heading)
    told = len(said) > 1 or any(c.means(Role.STATEMENT) for c in behind)
    somebody = any(map(is_somebody, who)) and all(is_somebody(c) or c.says(Role.ARTICLE) for c in who)
    return {*range(first, place + 1)} if ordered and somebody and not told and len(who) < _MOST_WORDS else set()


def is_somebody(cell: Cell) -> bool:
    """Whether it may say who did something: a person, "my wife", or a word that nothing explains."""
    person = any(i.partition(".")[0] in PEOPLE for named in cell.all(Named) for i in named.entity_ids)
    return cell.free or cell.means(Role.STATEMENT) or person
