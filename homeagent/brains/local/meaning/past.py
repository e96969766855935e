"""Questions about what was: when, how often, how long, at most, whether anybody was there, and over which time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from homeagent.brains.language.reading import Reading
from homeagent.brains.local.meaning.heard import Heard, heard_of
from homeagent.brains.local.meaning.outlook import orders
from homeagent.brains.local.meaning.past_of import askings, places
from homeagent.brains.local.meaning.states import states_said
from homeagent.brains.local.things.grounding import Ground
from homeagent.understanding.request import Act, Asked, Past, Request, Tell, Wanted
from indexer.mentions import MentionKind

_FORMS: Mapping[str, Asked] = {
    "how_long": Asked.HOW_LONG, "how_often": Asked.HOW_OFTEN, "avg": Asked.AVERAGE, "max": Asked.HIGHEST,
    "min": Asked.LOWEST, "when": Asked.WHEN,
}  # fmt: skip
"""The forms of a question, the one that says most first."""
_TELLS = {
    Asked.HOW_LONG: Tell.TIME, Asked.HOW_OFTEN: Tell.COUNT, Asked.AVERAGE: Tell.AVERAGE,
    Asked.HIGHEST: Tell.HIGHEST, Asked.LOWEST: Tell.LOWEST,
}  # fmt: skip
_OF_STATES = frozenset({Tell.WHETHER, Tell.THROUGHOUT, Tell.COUNT, Tell.TIME})
_OWN_TIMES = frozenset({"forecast", "events"})
"""Attributes that are asked for by days."""
_TIMELESS = frozenset({Tell.WHY, Tell.WHO, Tell.ACTS, Tell.DOES})
"""What may be asked without a time: the last time is meant."""


def past_request(reading: Reading, around: Ground) -> Request | None:
    """The question about the past, or None where the clause is none, or speaks of what is not understood."""
    heard = heard_of(reading, around)
    if heard is None or reading.has("future") or _is_order(reading, heard):
        return None
    tell = _tell(reading, heard)
    if tell is None or not _explained(reading, heard) or not _may_be(tell, reading) or "nobody" in heard.concepts:
        return None
    said = tuple(reading.text[w.first : w.last] for w in heard.times)
    past = Past(tell, (), heard.times[:2], said[:2], away=heard.away, source=heard.acts)
    about = _without_times(reading, heard)
    if tell is Tell.HAPPENED:
        return Request(Act.HISTORY, past=replace(past, where=places(about, around)))
    wanted = Wanted(heard.deeds, heard.concepts, states_said(_without(reading, heard)), tell)
    of = askings(about, around, wanted)
    if not of and tell in (Tell.WHETHER, Tell.THROUGHOUT):  # "what was the humidity yesterday"
        tell = Tell.HIGHEST if "rose" in heard.concepts else Tell.AVERAGE
        wanted = replace(wanted, tell=tell)
        of = askings(about, around, wanted)
    if not of and tell is Tell.AVERAGE and reading.has("questions"):  # "what was the radio title at eight"
        tell = Tell.STATES
        wanted = replace(wanted, tell=tell)
        of = askings(about, around, wanted)
    if not of or (_numbers_only(of, around) and tell in _OF_STATES):
        return None
    return Request(Act.HISTORY, past=replace(past, tell=tell, of=of, wanted=wanted))


def misses_the_past(understood: Sequence[Request], reading: Reading, around: Ground) -> bool:
    """Whether what was understood of a clause otherwise is no answer, as the clause speaks of a time that is over (or
    asks when nobody was there) and of something that no question about the past is about: it would be what is now, or
    figures of something else."""
    if not any(r.act in (Act.QUERY, Act.HISTORY) and r.attribute not in _OWN_TIMES for r in understood):
        return False
    heard = heard_of(reading, around)
    if heard is None:
        return False
    if not heard.times and any(r.act is Act.HISTORY for r in understood):
        return True  # the last time may be longer ago than a day
    if any(r.act is Act.QUERY for r in understood) and heard.times and reading.has("past"):
        return True  # "was it open today"
    return "nobody" in heard.concepts or any(t.end < around.home.now() for t in heard.times)


def _is_order(reading: Reading, heard: Heard) -> bool:
    """Whether something is to be done: words for doing that neither ask nor belong to what is asked."""
    asks = (
        heard.causes is not None
        or "happened" in heard.concepts
        or reading.has("questions")
        or reading.has("asking")
        or bool(heard.concepts & {*_FORMS, "how_much"})
    )
    return not asks and (orders(reading) or not reading.text.rstrip().endswith(("?", "？")))


def _tell(reading: Reading, heard: Heard) -> Tell | None:
    if heard.causes is not None:
        return heard.causes
    if "happened" in heard.concepts:
        return Tell.HAPPENED
    said = {s.concept for s in reading.of("questions")} | heard.concepts
    asked = next((form for word, form in _FORMS.items() if word in said), None)
    if "changed" in heard.concepts and asked is Asked.HOW_OFTEN:
        return Tell.CHANGES
    if asked is Asked.HOW_LONG and "last" in heard.concepts:
        return Tell.LAST
    if asked in _TELLS:
        return _TELLS[asked]
    if asked is Asked.WHEN or "which_day" in heard.concepts:
        return Tell.FIRST if "first" in heard.concepts else Tell.LAST if "last" in heard.concepts else Tell.TIMES
    if "counted" in heard.concepts:
        return Tell.SUM
    if reading.has("attributes") and not states_said(_without(reading, heard)):
        return Tell.HIGHEST if "rose" in heard.concepts else Tell.AVERAGE
    if not heard.times and not heard.away:
        return None
    return Tell.THROUGHOUT if "throughout" in heard.concepts else Tell.WHETHER


def _may_be(tell: Tell, reading: Reading) -> bool:
    """Whether what asks how things are brought about, or what would be, can be answered: only why they are so can."""
    if tell in (*_TIMELESS, Tell.HAPPENED):
        return not reading.has("negation")
    return not reading.has("questions", "other")


def _explained(reading: Reading, heard: Heard) -> bool:
    """Whether every word is understood: what is not may be what is asked about."""
    return not [p for p in reading.left if p not in heard.positions]


def _without_times(reading: Reading, heard: Heard) -> Reading:
    """The clause without the mentions that its words for a time seem to hold."""
    kept = [m for m in reading.mentions if m.kind is MentionKind.NAME or not _covers(reading, heard, m.start, m.end)]
    part = reading.part(0, len(reading.words))
    part.mentions = tuple(kept)
    return part


def _without(reading: Reading, heard: Heard) -> Reading:
    """The clause with the words for its time taken for explained, so that no state is read from them."""
    times = [(t.first, t.last) for t in heard.times]
    part = reading.part(0, len(reading.words))
    hidden = {i for i, w in enumerate(part.words) if any(w.start < b and w.end > a for a, b in times)}
    part.spots = tuple(s for s in part.spots if not hidden & set(s.positions))
    return part


def _covers(reading: Reading, heard: Heard, start: int, end: int) -> bool:
    return any(start < t.last and end > t.first for t in heard.times)


def _numbers_only(of: Sequence[object], around: Ground) -> bool:
    ids = [getattr(o, "entity_id", "") for o in of if not getattr(o, "states", ())]
    entities = [e for i in ids if (e := around.home.entity(i)) is not None]
    return bool(entities) and all(e.domain in ("sensor", "number", "input_number") for e in entities)
