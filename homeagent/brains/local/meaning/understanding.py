"""What a clause asks for, worked out from its words where the grammar has no sentence for it.

The order matters: what must never lead to an action (denials, delays, questions, statements) is looked at first.
"""

from __future__ import annotations

from homeagent.brains.language.reading import Reading
from homeagent.brains.local.meaning import settings
from homeagent.brains.local.things.grounding import Ground, ground
from homeagent.domains.actions import domains_for
from homeagent.understanding.request import Act, Request, Scope
from indexer.mentions import MentionKind
from indexer.selector import Selector


def is_question(reading: Reading) -> bool:
    """Whether the clause asks and does not order. A polite order ("can you turn …") is none."""
    if reading.asks is not None:
        return reading.asks
    polite = {p for s in reading.of("polite") for p in s.positions}
    if any(not polite & set(s.positions) for s in reading.of("asking")):
        return True
    if _starts_with_question(reading):
        return True
    if not reading.text.rstrip().endswith(("?", "？")):
        return False
    return not reading.has("polite") and not _orders(reading)


def _starts_with_question(reading: Reading) -> bool:
    """ "Will the door be locked" asks, too; the "va" of "va éteindre" sends somebody to do it."""
    opening = reading.opening
    if any(opening in s.positions for s in reading.of("questions")):
        return True
    ahead = next((s for s in reading.of("future") if opening in s.positions), None)
    return ahead is not None and not any(ahead.positions[-1] + 1 in s.positions for s in reading.of("actions", "set"))


def _orders(reading: Reading) -> bool:
    """Whether the clause opens with a verb of doing, of more than a mere "on" or "off"."""
    opening = reading.opening
    return any(opening in s.positions and len(s.positions) > 1 for s in reading.of("actions", "adjust"))


def complaint(reading: Reading, around: Ground) -> Request | None:
    """ "It is getting dark": nothing is done, but what could be done is offered."""
    what = reading.first("complaints")
    if what is None or not reading.has("complaining") or reading.of("set") or _orders(reading):
        return None
    wish = settings.REMEDIES.get(what)
    if wish is None:
        return None
    action, parameters = wish
    domains = domains_for(action, parameters)
    areas = tuple(v for m in reading.of_kind(MentionKind.AREA) for v in m.values) or (
        (around.area_id,) if around.area_id else ()
    )
    scope = Scope(selector=Selector(domains=domains[:1], area_ids=areas))
    return Request(Act.SAY, scope, action=action, parameters=parameters, say="suggest", words={"what": what})


def complained_of(reading: Reading, around: Ground) -> tuple[str, ...]:
    """The things that a clause only complains of: the next clause may say what to do about them."""
    if reading.first("complaints") is None or reading.of("actions") or reading.has("questions", "other"):
        return ()
    said = frozenset(p for s in reading.of("complaints", "complaining") for p in s.positions)
    scope = ground(reading, around, without=said)
    if not isinstance(scope, Scope) or len(scope.named) != 1:
        return ()
    return tuple(scope.named[0])
