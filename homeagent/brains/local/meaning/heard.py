"""What a sentence says of the past: the stretches of time, and what is asked of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from homeagent.brains.language.lexicon import Lexicon, Spot, Word
from homeagent.brains.language.reading import Reading
from homeagent.brains.local.things.grounding import Ground
from homeagent.history.when.find import When, find_times
from homeagent.history.when.words import TimeWords, time_words
from homeagent.languages.folder import Part, read_part
from homeagent.understanding.request import Away, Tell

_ASKED = "asked"
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


@dataclass(frozen=True, slots=True)
class Heard:
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
        if "does" in self.concepts and not self.deeds:
            return Tell.DOES
        asks_more = self.concepts & {"how_often", "how_long", "when"}  # "how often did somebody switch it on"
        return Tell.WHO if "who" in self.concepts and self.deeds & _DOINGS and not asks_more else None


@lru_cache(maxsize=8)
def _asked(language: str) -> Lexicon:
    """What is asked of the past: "how long", "for the last time", "left"."""
    code, data = read_part(language, Part.TIMES) or ("", {_ASKED: {}})
    return Lexicon(code, {"concepts": {_ASKED: data[_ASKED]}})


def times_of(reading: Reading, around: Ground) -> tuple[When, ...]:
    """The stretches of the past that a clause names."""
    home, language = around.home, reading.lexicon.language
    known = time_words(language)
    if known is None:
        return ()
    words = _surely_named(reading, known)
    days = {
        p for s in _asked(language).spot(words) if s.concept == "which_day" for p in s.positions
    }  # none is named yet
    words = [replace(w, mark="asked") if i in days else w for i, w in enumerate(words)]
    return tuple(
        find_times(
            reading.text, language, home.now(), home.config.time_zone, [(w.start, w.end) for w in words if w.mark]
        )
    )


def heard_of(reading: Reading, around: Ground) -> Heard | None:
    """None where neither a time gone by is named nor asked for the first or the last time, in a known language."""
    language = reading.lexicon.language
    known = time_words(language)
    if known is None or not reading.words:
        return None
    times = times_of(reading, around)
    taken = frozenset(
        i for i, word in enumerate(reading.words) if any(word.start < t.last and word.end > t.first for t in times)
    )
    fillers = {i for i, w in enumerate(reading.words) if w.text in known.fillers}
    words = [replace(w, mark="time") if i in taken else w for i, w in enumerate(_surely_named(reading, known))]
    spots = [s for s in _asked(language).spot(words) if s.section == _ASKED]
    spots = [_whole(s, taken, fillers, len(words)) for s in spots]
    concepts = frozenset(s.concept for s in spots)
    heard = Heard(times, concepts, taken | fillers | {p for s in spots for p in s.positions})
    occasion = bool(concepts & {"first", "last"}) and bool(concepts & {"when", "which_day", "how_long"})
    timeless = occasion or heard.away is not None or heard.causes is not None
    return heard if timeless or _is_past(reading, times, concepts, around) else None


def _whole(spot: Spot, taken: frozenset[int], fillers: set[int], end: int) -> Spot:
    """ "All night" is throughout it, "all the lights" is not."""
    follows = next((i for i in range(spot.positions[-1] + 1, end) if i in taken or i not in fillers), None)
    return replace(spot, concept="throughout") if spot.concept == "whole" and follows in taken else spot


def _surely_named(reading: Reading, known: TimeWords) -> list[Word]:
    """The words, those free that are only much like a name ("entre" and "rentrée" are no "entrée"), or that say a time
    together with their neighbour, whatever is called so ("yesterday evening")."""
    sure = [m for m in reading.mentions if m.score == 1]
    timely = [w.text in known.single and w.text not in known.fillers for w in reading.words]

    def named(at: int, word: Word) -> bool:
        beside = any(timely[i] and not reading.words[i].mark for i in (at - 1, at + 1) if 0 <= i < len(timely))
        return any(m.start < word.end and m.end > word.start for m in sure) and not (timely[at] and beside)

    return [replace(w, mark=w.mark if w.mark and named(i, w) else "") for i, w in enumerate(reading.words)]


def _is_past(reading: Reading, times: Sequence[When], concepts: frozenset[str], around: Ground) -> bool:
    """A time that is over, or one that still runs where the question can only be about what has been."""
    if not times:
        return False
    over = any(t.end < around.home.now() for t in times)
    form = bool(concepts & {"how_long", "how_often", "when", "avg", "max", "min", "counted", "there", "happened"})
    return over or form or reading.has("past")
