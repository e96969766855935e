"""Music and films by their name: "play some jazz on the kitchen speaker". What to play is said in no known words."""

from __future__ import annotations

from homeagent.brains.language.reading import Reading
from homeagent.brains.local.meaning.request import Act, Request, Scope
from homeagent.brains.local.things.grounding import Ground, ground
from indexer.selector import Selector

_DOMAIN = ("media_player",)
_CLASS = "music"


def search_request(reading: Reading, around: Ground) -> Request | None:
    """The request to play something that is named, or None where the clause says no such thing."""
    verb = next((s for s in reading.of("search") if s.concept == "play"), None)
    if verb is None or not (content := _content(reading, verb.positions[-1])):
        return None
    scope, end = _where(reading, around, content)
    title = reading.words_at([p for p in content if p < end])
    if not title or scope is None:
        return None
    parameters = {"media_content_id": title, "media_content_type": _CLASS}
    return Request(Act.CONTROL, scope, action="play_media", parameters=parameters)


def _content(reading: Reading, verb: int) -> list[int]:
    """The positions after the verb, if something unknown is among them and it begins there."""
    after = list(range(verb + 1, len(reading.words)))
    weak = {p for s in reading.of("fillers") for p in s.positions}
    while after and after[0] in weak:
        after.pop(0)
    return after if after and after[0] in reading.left else []


def _where(reading: Reading, around: Ground, content: list[int]) -> tuple[Scope | None, int]:
    """The player that the end of the clause names, and where its words begin."""
    for spot in reversed([s for s in reading.of("search") if s.concept == "on" and s.positions[0] > content[0]]):
        part = reading.part(spot.positions[-1] + 1, len(reading.words))
        if not part.words:
            continue
        scope = ground(part, around, _DOMAIN)
        if isinstance(scope, Scope):
            return scope, spot.positions[0]
    return Scope(selector=Selector(domains=_DOMAIN)), len(reading.words)
