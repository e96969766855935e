"""The stages of a fan: "speed 2" of one that has four is half of what it can."""

from __future__ import annotations

import math
from dataclasses import replace

from homeagent.brains.language.reading import Reading
from homeagent.brains.local.things.grounding import Ground, entities_of
from homeagent.understanding.request import Act, Request

_SET, _STEP = "percentage", "percentage_step"
_MOST = 10
"""A fan with more stages is thought of in percent."""


def in_stages(request: Request, reading: Reading, around: Ground) -> Request:
    """The request with the percentage of a stage, where a bare number was said that is one; "faster" is a stage up."""
    named = request.parameters.keys() & {_SET, _STEP}
    if request.act is not Act.CONTROL or not named:
        return request
    states = [s for e in entities_of(request.scope, around) if (s := around.home.state(e.entity_id)) is not None]
    step = next((float(s.attributes[_STEP]) for s in states if s.attributes.get(_STEP)), 0.0)
    name, said = next((n, float(request.parameters[n])) for n in named)
    bare = [n for n in reading.numbers if not n.unit and n.value == said]
    if name == _SET and bare and step and 1 <= said <= round(100 / step) <= _MOST:
        said *= step
    if name == _STEP and not reading.numbers:
        said = math.copysign(max(abs(said), step), said)
    return replace(request, parameters={**request.parameters, name: round(said)})
