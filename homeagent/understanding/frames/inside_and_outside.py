"""Questions that hold inside against outside: which is warmer, and by how much."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from homeagent.domains.states import ATTRIBUTES
from homeagent.languages.concepts import (
    Amount,
    Attribute,
    Dimension,
    Heading,
    Question,
    Reference,
    Role,
    Topic,
    Unit,
)
from homeagent.understanding.clauses import Clause
from homeagent.understanding.frame import ActKind, Feature, Frame
from homeagent.understanding.frame_costs import frame
from homeagent.understanding.frames.attribute_questions import told_of
from homeagent.understanding.frames.outdoors import WARMTH, contrasts, outdoors_said, standard, way_said
from homeagent.understanding.frames.outside import is_called_outside, sensor_outside
from homeagent.understanding.grounding import Grounded, TargetFit, in_area
from homeagent.understanding.noun_phrases import Target, target_of
from homeagent.understanding.reference import rooms
from homeagent.understanding.request import Act, Asked, Contrast, Details, Request, Scope
from indexer.entity import Entity

_WEATHER = "weather"
_MOST_EXPLAINED = 1.0
_SMALL = (
    *(Role.FILLER, Role.JOIN, Role.STATEMENT, Role.COPULA, Role.PLACE, Role.BETWEEN, Role.DIFFERENCE, Role.HERE),
    *(Role.ABOVE, Role.BELOW, Role.PRONOUN, Role.CONDITION, Role.EXCEPT),
)


def inside_and_outside(clause: Clause) -> Iterator[Frame]:
    """A frame that compares inside with outside ("is it warmer in the hall than outdoors", "how much colder is it
    outside").
    """
    if not contrasts(clause):
        return
    out, way, apart = outdoors_said(clause), way_said(clause), clause.at(Role.DIFFERENCE)
    humid = clause.at(Attribute.HUMIDITY) or any(h.dimension is Dimension.HUMIDITY for _, h in clause.said(Heading))
    attribute = Attribute.HUMIDITY if humid else Attribute.TEMPERATURE
    cells = out | clause.of(Question, Heading, Amount) | clause.at(*_SMALL, attribute, Unit.DEGREE, Topic.WEATHER)
    cells |= clause.at(*WARMTH, Reference.INDOORS) | standard(clause)
    target = target_of(clause, cells)
    if target.unknown or any(p.entity_ids or p.kinds for p in target.phrases):
        return
    said_inside = not target.empty or bool(clause.at(Reference.INDOORS, Role.HERE) - out)
    open_air = outside_of(clause, attribute.value)
    inside = _inside(clause, target, attribute)
    if not open_air or not inside:
        return
    ids = (open_air, *(e.entity_id for e in inside))
    grounded = Grounded(Scope(tuple((i,) for i in ids), every=True), TargetFit.EXACT, frozenset(ids))
    forms = {q for i, q in clause.said(Question) if i not in standard(clause) or i == clause.opening}
    differs = bool(apart) or bool(forms & {Question.VALUE, Question.HOW_MANY}) or _counts_degrees(clause)
    first = said_inside and _inside_first(clause, out, target)
    details = Details(contrast=Contrast(open_air, attribute, way, how_far=differs, inside_first=first))
    request = Request(Act.QUERY, grounded.scope, asked=Asked.VALUE, attribute="contrast", details=details)
    made = frame(clause, ActKind.ASKING, request, cells, target, grounded)
    explained = min(made.features.get(Feature.EXPLAINED, 0.0), _MOST_EXPLAINED)  # each of many words says one thing
    yield replace(made, features={**made.features, Feature.EXPLAINED: explained})


def _counts_degrees(clause: Clause) -> bool:
    """Whether a word for what is measured is the unit of the question ("um wie viel Grad")."""
    said = clause.names.pack.phrases
    cells = [clause.cells[i] for i in clause.at(Attribute.TEMPERATURE)]
    return any(Unit.DEGREE in said.get(t.text, ()) for c in cells for t in clause.tokens[c.first : c.end])


def outside_of(clause: Clause, device_class: str) -> str:
    """The id of what measures the open air: a sensor called so and standing outdoors, else called so, else outdoors;
    else the weather service. Empty where there is none.
    """
    found = sensor_outside(clause, device_class) or next(iter(clause.names.of_domain(_WEATHER)), None)
    return found.entity_id if found is not None else ""


def _inside(clause: Clause, target: Target, attribute: Attribute) -> list[Entity]:
    """The sensors inside: of the things or places said, else of the speaker's area, else of all areas."""
    names = clause.names
    if target.phrases:
        pool = [e for p in target.phrases for e in told_of(p, clause)]
    else:
        here = (clause.area_id,) if clause.area_id and not clause.at(Reference.INDOORS) else ()
        outside = {e.entity_id for e in names.in_areas(rooms(names, inside=False))}
        pool = [e for e in names.entities if not e.hidden and e.entity_id not in outside]
        pool = (in_area(pool, here, ()) if here else []) or [e for e in pool if e.area is not None]
    for domain, device_class, _ in ATTRIBUTES[attribute.value]:
        found = [e for e in pool if e.domain == domain and (not device_class or e.device_class == device_class)]
        found = [e for e in found if not is_called_outside(e, clause)]
        if found:
            return list(dict.fromkeys(found))
    return []


def _inside_first(clause: Clause, out: set[int], target: Target) -> bool:
    """Whether the inside is asked about and the open air only compared with."""
    than = [i for i in standard(clause) if i > min(clause.of(Heading), default=-1)] or [*standard(clause)]
    if than and clause.postpositions:
        return max(than) in out
    if than:
        return min(out) > max(than)
    inside = target.cells | (clause.at(Reference.INDOORS, Role.HERE) - out)
    return min(inside, default=len(clause.cells)) < min(out)
