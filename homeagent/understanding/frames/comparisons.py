"""Questions that compare: which of several has most or least, one against another, one against a number."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from homeagent.domains.states import ATTRIBUTES
from homeagent.languages.concepts import Attribute, Complaint, Dimension, Extreme, Heading, Question, Role, Way
from homeagent.understanding.clauses import Clause
from homeagent.understanding.frame import ActKind, Frame
from homeagent.understanding.frame_costs import frame
from homeagent.understanding.frames.attribute_questions import measuring, told_of
from homeagent.understanding.frames.inside_and_outside import outside_of
from homeagent.understanding.frames.outdoors import outdoors_said
from homeagent.understanding.grounding import Grounded, TargetFit
from homeagent.understanding.noun_phrases import Phrase, target_of
from homeagent.understanding.request import Act, Asked, Details, Request, Scope
from indexer.entity import Entity

_EXTREME = {Way.UP: Asked.HIGHEST, Way.DOWN: Asked.LOWEST}
_MEASURED = {
    Dimension.BRIGHTNESS: Attribute.BRIGHTNESS,
    Dimension.TEMPERATURE: Attribute.TEMPERATURE,
    Dimension.VOLUME: Attribute.VOLUME,
    Dimension.HUMIDITY: Attribute.HUMIDITY,
    Dimension.SPEED: Attribute.FAN_SPEED,
}
_SMALL = (Role.OR, Role.JOIN, Role.STATEMENT, Role.COPULA, Role.PLACE)


class _Compared(NamedTuple):
    way: Way
    attribute: Attribute
    cells: set[int]


_SIGN = " -"
"""How a number below nought is written behind a word."""


def comparing(clause: Clause) -> Iterator[Frame]:
    """Which of several things, or of two that are named, has the most or the least of something."""
    if clause.numbers or not (clause.of(Question) or clause.asks or clause.of(Extreme)):
        return
    said = _extreme(clause) or _comparative(clause)
    if said is None:
        return
    cells = said.cells | clause.of(Question) | clause.at(*_SMALL, said.attribute)
    target = target_of(clause, cells)
    phrases = [one for phrase in target.phrases for one in _each(phrase)]
    if not clause.of(Extreme) and len(phrases) < 2:
        return
    whole: list[Phrase | None] = [*phrases] if not target.empty else [None]
    by_name = [
        (name, [e for p in whole for e in _measured(p, clause, said.attribute, name)[: 1 if len(whole) > 1 else None]])
        for name in dict.fromkeys(row[2] for row in ATTRIBUTES[said.attribute.value])
    ]
    name, found = max(by_name, key=lambda pair: len(pair[1]))
    if len(found) < len(whole):
        return
    ids = tuple(dict.fromkeys(e.entity_id for e in found))
    grounded = Grounded(Scope(tuple((i,) for i in ids), every=True), TargetFit.EXACT, frozenset(ids))
    request = Request(Act.QUERY, grounded.scope, asked=_EXTREME[said.way], attribute=name)
    yield frame(clause, ActKind.ASKING, request, cells, target, grounded)


def against(clause: Clause) -> Iterator[Frame]:
    """Whether something measured is above or below a number ("is it over 20 degrees in the hall")."""
    if len(clause.numbers) != 1 or not _is_question(clause) or clause.at(Role.COURTESY):
        return
    number = clause.numbers[0]
    said = _comparative(clause)
    leads = clause.at(Role.ABOVE, Role.BELOW)
    below_nought = _sign_before(clause, min(number.cells))
    if said is not None and below_nought and below_nought <= said.cells and leads:
        said = None  # "under minus five"
    if said is None and not leads:
        return
    way = said.way if said is not None else Way.DOWN if clause.at(Role.BELOW) else Way.UP
    attributes = [said.attribute] if said is not None else [a for _, a in clause.said(Attribute)]
    attribute = attributes[0] if attributes else Attribute.TEMPERATURE
    if attribute.value not in ATTRIBUTES:
        return
    cells = set(number.cells) | leads | (said.cells if said is not None else set())
    value = -number.value if below_nought is not None else number.value
    cells |= below_nought or set()
    out = outdoors_said(clause)
    cells |= clause.of(Question) | clause.at(*_SMALL, attribute) | out
    target = target_of(clause, cells)
    open_air = outside_of(clause, attribute.value) if out and target.empty else ""
    for domain, device_class, name in ATTRIBUTES[attribute.value]:
        grounded = _alone(open_air, domain) if open_air else measuring(clause, target, domain, device_class)
        if grounded.entity_ids:
            details = Details(than=value, way=way)
            request = Request(Act.QUERY, grounded.scope, asked=Asked.VALUE, attribute=name, details=details)
            yield frame(clause, ActKind.ASKING, request, cells, target, grounded)
            return


def _sign_before(clause: Clause, place: int) -> set[int] | None:
    """The cell of a "minus" right before a number, none where it is written as a sign; None where there is neither."""
    if clause.tokens[clause.cells[place].first].gap == _SIGN:
        return set()
    before = clause.cells[place - 1] if place else None
    bare = (
        before is not None
        and not before.says(Role.BELOW)
        and any(h.dimension is None and h.way is Way.DOWN for h in before.all(Heading))
    )
    return {place - 1} if bare else None


def _alone(entity_id: str, domain: str) -> Grounded:
    ids = (entity_id,) if entity_id.startswith(f"{domain}.") else ()
    return Grounded(Scope((ids,) if ids else ()), TargetFit.EXACT, frozenset(ids))


def _is_question(clause: Clause) -> bool:
    """Whether a question word opens the clause or it ends as a question: in the middle the word may be another one
    ("à").
    """
    said = clause.of(Question)
    return clause.asks or clause.opening in said or (clause.postpositions and bool(said))


def _extreme(clause: Clause) -> _Compared | None:
    """A superlative and what it is of, said by the word itself or by another one; None where there is none."""
    place, extreme = next(clause.said(Extreme), (0, None))
    if extreme is None:
        return None
    said = [a for _, a in clause.said(Attribute) if a.value in ATTRIBUTES]
    attribute = extreme.attribute or next(iter(said), None)
    return _Compared(extreme.way, attribute, {place}) if attribute is not None else None


def _comparative(clause: Clause) -> _Compared | None:
    """A comparative that says its dimension ("warmer"), or a bare one beside what is measured ("a higher humidity")."""
    for place, heading in clause.said(Heading):
        if heading.dimension in _MEASURED:
            return _Compared(heading.way, _MEASURED[heading.dimension], {place})
    warm = {Complaint.COLD: Way.DOWN, Complaint.HOT: Way.UP}
    said = next(((i, c) for i, c in clause.said(Complaint) if c in warm), None)
    if said is not None and clause.at(Role.ABOVE, Role.BELOW):
        return _Compared(warm[said[1]], Attribute.TEMPERATURE, {said[0]})
    measured = next(((i, a) for i, a in clause.said(Attribute) if a.value in ATTRIBUTES), None)
    bare = next(((i, h) for i, h in clause.said(Heading) if h.dimension is None), None)
    if measured is not None and bare is not None:
        return _Compared(bare[1].way, measured[1], {measured[0], bare[0]})
    return None


def _each(phrase: Phrase) -> list[Phrase]:
    """A phrase for several areas as one phrase for each."""
    if not phrase.is_place or len(phrase.areas) < 2:
        return [phrase]
    return [replace(phrase, areas=(area,)) for area in phrase.areas]


def _measured(phrase: Phrase | None, clause: Clause, attribute: Attribute, name: str) -> list[Entity]:
    """The things of a phrase, or of the home, that have the attribute under this name; empty
    ``name``: as their state.
    """
    pool = told_of(phrase, clause) if phrase is not None else [e for e in clause.names.entities if not e.hidden]
    return [
        e
        for domain, device_class, told in ATTRIBUTES[attribute.value]
        if told == name
        for e in pool
        if e.domain == domain and (not device_class or e.device_class == device_class)
    ]
