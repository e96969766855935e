"""The question about the past before, asked of another time or of something else: "and yesterday?"."""

from __future__ import annotations

from dataclasses import replace

from homeagent.brains.language.reading import Reading
from homeagent.brains.local.meaning import settings
from homeagent.brains.local.meaning.heard import times_of
from homeagent.brains.local.meaning.past_of import places, same_kind
from homeagent.brains.local.things.grounding import Ground
from homeagent.history.when.words import time_words
from homeagent.understanding.request import Past, Request, Tell


def asked_again(reading: Reading, before: Request, around: Ground) -> Request | None:
    """The request before with the time, the place or the thing that this clause names; None where it says more."""
    past = before.past
    if past is None:
        return None
    times = times_of(reading, around)
    said = {p for p, w in enumerate(reading.words) if any(w.start < t.last and w.end > t.first for t in times)}
    if any(not said & set(s.positions) for s in reading.of("actions", "adjust", "set")):
        return None
    if not times and (settings.says_setting(reading) or _asks_of_now(reading)):
        return None
    known = time_words(reading.lexicon.language)
    idle = known.fillers if known is not None else frozenset()
    if [p for p in reading.left if p not in said and reading.words[p].text not in idle]:
        return None
    target = [p for p in reading.target if p not in said and p not in reading.left]
    if times:
        words = tuple(reading.text[t.first : t.last] for t in times)
        past = replace(past, periods=times[:2], said=words[:2], away=None)
    if target and (past := _of(past, reading, around)) is None:
        return None
    return replace(before, past=past) if times or target else None


def _asks_of_now(reading: Reading) -> bool:
    """Whether it is a question of its own, by more than "what about …", and not about what was."""
    also = {p for s in reading.of("also") for p in s.positions}
    asks = any(not set(s.positions) <= also for s in reading.of("questions", "asking", "copula"))
    return asks and not reading.has("past")


def _of(past: Past, reading: Reading, around: Ground) -> Past | None:
    """The question of what the clause names."""
    if past.tell is Tell.HAPPENED:
        return replace(past, where=places(reading, around))
    of = same_kind(reading, around, past.of, past.wanted) if past.wanted is not None else ()
    return replace(past, of=of) if of else None
