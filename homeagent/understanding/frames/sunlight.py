"""The sun in a room: the blinds, shades, curtains and shutters there let it in, or keep it out."""

from __future__ import annotations

from collections.abc import Iterator

from homeagent.domains.cover import SHADES
from homeagent.languages.concepts import Complaint, Particle, Role, Sky, Sunlight, Verb
from homeagent.understanding.clauses import Clause
from homeagent.understanding.frame import ActKind, Frame
from homeagent.understanding.frame_costs import frame
from homeagent.understanding.grounding import Grounded, TargetFit, in_area
from homeagent.understanding.request import Act, Request, Scope
from homeagent.understanding.spans import InArea, Named, OfKind, OnFloor
from indexer.entity import Entity


def sunlight(clause: Clause) -> Iterator[Frame]:
    """The order to let the sun in; where it blinds somebody, or is to be kept out, the offer to close what shades."""
    sun, denied = clause.at(Sunlight.SUN, Sky.SUN), clause.at(Role.NEGATION)
    out, let_in = clause.at(Sunlight.OUT, Complaint.BRIGHT), clause.at(Sunlight.IN) - sun
    if not sun or not (out or let_in) or clause.asks or denied or clause.of(Named, OfKind) - sun - out - let_in:
        return
    shades = shading(clause)
    if not shades:
        return
    action = Verb.CLOSE.value if out else Verb.OPEN.value
    scope = Scope(tuple((e.entity_id,) for e in shades), every=True)
    grounded = Grounded(scope, TargetFit.EXACT, frozenset(e.entity_id for e in shades))
    small = clause.neutral | clause.at(Role.PLACE, Role.TO, Role.STATEMENT, Role.HERE, Role.PRONOUN, Role.COPULA)
    small |= clause.at(Particle.OUT, Particle.OFF) if out else set()  # "sperr die Sonne aus"
    cells = sun | out | let_in | small | clause.of(InArea, OnFloor)
    here = clause.of(InArea, OnFloor) or clause.area_id is not None or len(shades) == 1
    if out or not here:
        request = Request(Act.SAY, scope, action=action, say="suggest")
        yield frame(clause, ActKind.COMPLAINT, request, cells, None, grounded)
        return
    yield frame(clause, ActKind.CONTROL, Request(Act.CONTROL, scope, action=action), cells, None, grounded)


def shading(clause: Clause) -> list[Entity]:
    """What keeps the sun out of the rooms that were said, else of the speaker's."""
    found = [e for e in clause.names.of_domain("cover") if e.device_class in SHADES]
    areas = [a.area_id for _, a in clause.said(InArea)] or ([clause.area_id] if clause.area_id else [])
    return in_area(found, areas, [f.floor_id for _, f in clause.said(OnFloor)])
