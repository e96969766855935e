"""One thing or another: nothing is done to either before it is known which."""

from __future__ import annotations

from dataclasses import replace

from homeagent.brains.language.reading import Reading
from homeagent.brains.local.meaning.abilities import domains_for
from homeagent.brains.local.meaning.request import Act, Request
from homeagent.brains.local.planning.plans import Plan, ask_which
from indexer.mentions import MentionKind


def which_of_two(request: Request, reading: Reading) -> Plan | None:
    """The question back to an order for "the lamp or the fan"; None where it is no such order."""
    said = reading.of("alternatives")
    if not said or not request.action:
        return None
    joint = reading.words[said[0].positions[0]]
    names = reading.of_kind(MentionKind.NAME)
    able = domains_for(request.action, request.parameters)
    before = [v for m in names if m.end <= joint.start for v in m.values if v.partition(".")[0] in able]
    behind = [v for m in names if m.start >= joint.end for v in m.values if v.partition(".")[0] in able]
    if not before or not behind:
        return None
    order = replace(request, act=Act.CONTROL, say="", words={})
    return ask_which(order, list(dict.fromkeys((*before, *behind))))
