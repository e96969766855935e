"""What happened at all, in few words: what says most, and of the rest how much there was."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from homeagent.brains.language.responses import Phrases
from homeagent.brains.local.wording.spoken_values import moment_words, state_words
from homeagent.ha.home import Home

_MOST = 5
"""Lines that are read out."""

Line = Mapping[str, Any]


def words(told: Line, label: str, home: Home, phrases: Phrases) -> str:
    """The first happenings, each with how often and when, and the number of other things that changed."""
    lines = told.get("overview", ())
    if not lines:
        return f"{label} {phrases.say('nothing_happened')}".strip()
    said = [_line(line, home, phrases) for line in lines[:_MOST]]
    shown, named = ({line["entity_id"] for line in some} for some in (lines[:_MOST], lines))
    if more := int(told.get("more", 0)) + len(named - shown):
        said.append(phrases.say("happened_more", count=more))
    return f"{label} {' '.join(said)}".strip()


def _line(line: Line, home: Home, phrases: Phrases) -> str:
    entity = home.entity(str(line["entity_id"]))
    known = {
        "name": line["name"],
        "state": state_words(entity, str(line.get("state", "")), phrases),
        "count": line["count"],
        "first": moment_words(str(line["first"]), home),
        "last": moment_words(str(line.get("last") or line["first"]), home),
    }
    if not line.get("state"):
        return phrases.say("happened_once" if line["count"] == 1 else "happened_times", time=known["first"], **known)
    return phrases.say("past_once" if line["count"] == 1 else "past_times", time=known["first"], **known)
