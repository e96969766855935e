"""One thing or another: nothing is done to either before it is known which."""

from __future__ import annotations

from homeagent.brains.language.reading import Reading
from homeagent.brains.local.meaning.request import Act, Request
from homeagent.brains.local.planning.plans import Plan, ask_which
from homeagent.brains.local.things.grounding import Ground, entities_of


def which_of_them(request: Request, reading: Reading, around: Ground) -> Plan | None:
    """The question back to an order for "the lamp or the fan"; None where it is no such order."""
    if request.act is not Act.CONTROL or not reading.of("alternatives"):
        return None
    ids = list(dict.fromkeys(e.entity_id for e in entities_of(request.scope, around)))
    return ask_which(request, ids) if len(ids) > 1 else None
