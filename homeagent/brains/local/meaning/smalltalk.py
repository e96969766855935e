"""What is only said: a greeting, a farewell."""

from __future__ import annotations

from homeagent.brains.language.reading import Reading
from homeagent.brains.local.meaning.request import Act, Request
from homeagent.brains.local.things.grounding import Ground

_SAID = frozenset({"welcome", "farewell"})


def greeting_request(reading: Reading, around: Ground) -> Request | None:
    """ "I'm home" is answered in kind and starts nothing, whatever is called "Home"."""
    concept = reading.says_only("chat")
    return Request(Act.SAY, say=concept) if concept in _SAID else None
