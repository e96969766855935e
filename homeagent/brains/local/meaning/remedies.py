"""A complaint and the order that answers it: "the living room is too bright, bring it down a bit"."""

from __future__ import annotations

from dataclasses import replace

from homeagent.brains.language.reading import Reading
from homeagent.brains.local.meaning import settings
from homeagent.brains.local.meaning.asides import segments
from homeagent.brains.local.meaning.understanding import complained_of, complaint
from homeagent.brains.local.things.grounding import Ground
from homeagent.understanding.request import Act, Request


def remedy_request(reading: Reading, around: Ground) -> Request | None:
    """The order of a mere "bring it down" that follows a complaint about a room: the complaint tells what is too much.

    None where the complaint is about a thing, which the order then names as "it", or the order says more.
    """
    segmented = segments(reading)
    if len(segmented) != 2:
        return None
    parts = [reading.part(a, b) for a, b in segmented]
    if complained_of(parts[0], around):
        return None
    offered = complaint(parts[0], around)
    if offered is None or not offered.scope.selector.area_ids or not _says_only_how_much(parts[1]):
        return None
    dimension = settings.dimension_of(offered.parameters, "")
    parameters = settings.change_of(parts[1], dimension) if dimension else {}
    return replace(offered, act=Act.CONTROL, say="", parameters=parameters) if parameters else None


def _says_only_how_much(reading: Reading) -> bool:
    said = {p for s in reading.of("adjust", "more", "set", "pronouns", "amounts") for p in s.positions}
    return not set(reading.target) - said and not reading.has("negation") and not reading.has("questions")
