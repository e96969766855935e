"""Questions about what was: when, how often, how long, at most, whether anybody was there, and over which time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from homeagent.brains.language.lexicon import Word
from homeagent.brains.language.reading import Reading
from homeagent.brains.local.meaning.asking import states_said
from homeagent.brains.local.meaning.outlook import orders
from homeagent.brains.local.meaning.past_of import askings, places
from homeagent.brains.local.meaning.request import Act, Asked, Away, Past, Request, Tell, Wanted
from homeagent.brains.local.things.grounding import Ground
from homeagent.history.when.find import When, find_times
from homeagent.history.when.words import ASKED, time_words
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
_DEEDS = frozenset(
    {
        *("opened", "closed", "unlocked", "locked", "turned_on", "turned_off", "ran"),
        *("left", "came", "at_home", "there", "changed", "counted"),
    }
)
_DOINGS = frozenset({"opened", "closed", "unlocked", "locked", "turned_on", "turned_off", "changed"})
"""What somebody does to a thing."""
_COMINGS = frozenset({"left", "came", "at_home"})
_ACTS = {"acts_automation": "automation", "acts_script": "script", "acts_scene": "scene"}
_AWAY = {"away": Away.EVERYBODY, "me_away": Away.SPEAKER}
_OWN_TIMES = frozenset({"forecast", "events"})
"""Attributes that are asked for by days."""
_TIMELESS = frozenset({Tell.WHY, Tell.WHO, Tell.ACTS})
"""What may be asked without a time: the last time is meant."""


@dataclass(frozen=True, slots=True)
class _Heard:
    """What a sentence says of the past, and the positions of the words that say it."""

    times: tuple[When, ...]
    concepts: frozenset[str]
    positions: frozenset[int]

    @property
    def deeds(self) -> frozenset[str]:
        deeds = self.concepts & _DEEDS
        asks_who = "who" in self.concepts and not deeds & (_DOINGS | _COMINGS)
        return deeds | {"there"} if asks_who else deeds  # "who was in the garden"

    @property
    def away(self) -> Away | None:
        return next((away for concept, away in _AWAY.items() if concept in self.concepts), None)

    @property
    def acts(self) -> str:
        return next((source for concept, source in _ACTS.items() if concept in self.concepts), "")

    @property
    def causes(self) -> Tell | None:
        """What is asked of why something is or was so; None where nothing is."""
        if self.acts and self.deeds & _DOINGS:
            return Tell.ACTS
        if "why" in self.concepts:
            return Tell.WHY
        asks_more = self.concepts & {"how_often", "how_long", "when"}  # "how often did somebody switch it on"
        return Tell.WHO if "who" in self.concepts and self.deeds & _DOINGS and not asks_more else None


def past_request(reading: Reading, around: Ground) -> Request | None:
    """The question about the past, or None where the clause is none, or speaks of what is not understood."""
    heard = _heard(reading, around)
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
    if not of and tell is Tell.WHETHER:  # "what was the humidity yesterday"
        tell = Tell.AVERAGE
        wanted = replace(wanted, tell=tell)
        of = askings(about, around, wanted)
    if not of and tell is Tell.AVERAGE and reading.has("questions"):  # "what was the radio title at eight"
        tell = Tell.STATES
        wanted = replace(wanted, tell=tell)
        of = askings(about, around, wanted)
    if not of or (_numbers_only(of, around) and tell in (Tell.WHETHER, Tell.COUNT, Tell.TIME)):
        return None
    return Request(Act.HISTORY, past=replace(past, tell=tell, of=of, wanted=wanted))


def misses_the_past(understood: Sequence[Request], reading: Reading, around: Ground) -> bool:
    """Whether what was understood of a clause otherwise is no answer, as the clause speaks of a time that is over (or
    asks when nobody was there) and of something that no question about the past is about: it would be what is now, or
    figures of something else."""
    if not any(r.act in (Act.QUERY, Act.HISTORY) and r.attribute not in _OWN_TIMES for r in understood):
        return False
    heard = _heard(reading, around)
    if heard is None:
        return False
    if not heard.times and any(r.act is Act.HISTORY for r in understood):
        return True  # the last time may be longer ago than a day
    return "nobody" in heard.concepts or any(t.end < around.home.now() for t in heard.times)


def times_of(reading: Reading, around: Ground) -> tuple[When, ...]:
    """The stretches of the past that a clause names."""
    home, language = around.home, reading.lexicon.language
    return tuple(find_times(reading.text, language, home.now(), home.config.time_zone, _perhaps_times(reading)))


def _heard(reading: Reading, around: Ground) -> _Heard | None:
    """None where neither a time gone by is named nor asked for the first or the last time, in a known language."""
    language = reading.lexicon.language
    known = time_words(language)
    if known is None or not reading.words:
        return None
    times = times_of(reading, around)
    taken = frozenset(
        i for i, word in enumerate(reading.words) if any(word.start < t.last and word.end > t.first for t in times)
    )
    words = [replace(w, mark="time") if i in taken else w for i, w in enumerate(reading.words)]
    spots = [s for s in known.asked.spot(words) if s.section == ASKED]
    concepts = frozenset(s.concept for s in spots)
    fillers = {i for i, w in enumerate(words) if w.text in known.fillers}
    heard = _Heard(times, concepts, taken | fillers | {p for s in spots for p in s.positions})
    occasion = bool(concepts & {"first", "last"}) and "when" in concepts
    timeless = occasion or heard.away is not None or heard.causes is not None
    return heard if timeless or _is_past(reading, times, concepts, around) else None


def _perhaps_times(reading: Reading) -> list[Word]:
    """The words, those free that are only much like a name: "entre" is no "entrée"."""
    sure = [m for m in reading.mentions if m.score == 1]
    return [
        replace(w, mark="" if w.mark and not any(m.start < w.end and m.end > w.start for m in sure) else w.mark)
        for w in reading.words
    ]


def _is_past(reading: Reading, times: Sequence[When], concepts: frozenset[str], around: Ground) -> bool:
    """A time that is over, or one that still runs where the question can only be about what has been."""
    if not times:
        return False
    over = any(t.end < around.home.now() for t in times)
    form = bool(concepts & {"how_long", "how_often", "when", "avg", "max", "min", "counted", "there", "happened"})
    return over or form or reading.has("past")


def _is_order(reading: Reading, heard: _Heard) -> bool:
    """Whether something is to be done: words for doing that neither ask nor belong to what is asked."""
    asks = (
        heard.causes is not None
        or "happened" in heard.concepts
        or reading.has("questions")
        or reading.has("asking")
        or bool(heard.concepts & {*_FORMS, "how_much"})
    )
    return not asks and (orders(reading) or not reading.text.rstrip().endswith(("?", "？")))


def _tell(reading: Reading, heard: _Heard) -> Tell | None:
    if heard.causes is not None:
        return heard.causes
    if "happened" in heard.concepts:
        return Tell.HAPPENED
    said = {s.concept for s in reading.of("questions")} | heard.concepts
    asked = next((form for word, form in _FORMS.items() if word in said), None)
    if "changed" in heard.concepts and asked is Asked.HOW_OFTEN:
        return Tell.CHANGES
    if asked in _TELLS:
        return _TELLS[asked]
    if asked is Asked.WHEN:
        return Tell.FIRST if "first" in heard.concepts else Tell.LAST if "last" in heard.concepts else Tell.TIMES
    if "counted" in heard.concepts:
        return Tell.SUM
    if reading.has("attributes") and not states_said(_without(reading, heard)):
        return Tell.AVERAGE
    return Tell.WHETHER if heard.times or heard.away else None


def _may_be(tell: Tell, reading: Reading) -> bool:
    """Whether what asks how things are brought about, or what would be, can be answered: only why they are so can."""
    if tell in (*_TIMELESS, Tell.HAPPENED):
        return not reading.has("negation")
    return not reading.has("questions", "other")


def _explained(reading: Reading, heard: _Heard) -> bool:
    """Whether every word is understood: what is not may be what is asked about."""
    return not [p for p in reading.left if p not in heard.positions]


def _without_times(reading: Reading, heard: _Heard) -> Reading:
    """The clause without the mentions that its words for a time seem to hold."""
    kept = [m for m in reading.mentions if m.kind is MentionKind.NAME or not _covers(reading, heard, m.start, m.end)]
    part = reading.part(0, len(reading.words))
    part.mentions = tuple(kept)
    return part


def _without(reading: Reading, heard: _Heard) -> Reading:
    """The clause with the words for its time taken for explained, so that no state is read from them."""
    times = [(t.first, t.last) for t in heard.times]
    part = reading.part(0, len(reading.words))
    hidden = {i for i, w in enumerate(part.words) if any(w.start < b and w.end > a for a, b in times)}
    part.spots = tuple(s for s in part.spots if not hidden & set(s.positions))
    return part


def _covers(reading: Reading, heard: _Heard, start: int, end: int) -> bool:
    return any(start < t.last and end > t.first for t in heard.times)


def _numbers_only(of: Sequence[object], around: Ground) -> bool:
    ids = [getattr(o, "entity_id", "") for o in of if not getattr(o, "states", ())]
    entities = [e for i in ids if (e := around.home.entity(i)) is not None]
    return bool(entities) and all(e.domain in ("sensor", "number", "input_number") for e in entities)
