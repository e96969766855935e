"""Rooms by another word for them: "the lounge" where there is a living room, "im Bad" where there is a Badezimmer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from homeagent.brains.language.lexicon import Lexicon, Spot, words_of
from homeagent.brains.language.likeness import name_words
from homeagent.brains.language.reading import Reading
from indexer.entity import Area
from indexer.mentions import Mention, MentionKind

_SECTION = "rooms"


def mentions(reading: Reading, areas: Iterable[Area], names: Sequence[str]) -> tuple[Mention, ...]:
    """The rooms that words mean which no room or thing here is called by; of several that fit none.

    ``names``: of what was found for the sentence.
    """
    if not reading.of(_SECTION):
        return ()
    called = {word for name in names for word in name_words(name)}
    spots = [s for s in reading.of(_SECTION) if not {reading.words[p].text for p in s.positions} & called]
    if not spots:
        return ()
    known = [(a, kind) for a in areas for n in (a.name, *a.aliases) if (kind := _kind(n, reading.lexicon))]
    found = []
    for spot in spots:
        fitting = tuple(dict.fromkeys(a.area_id for a, kind in known if kind == spot.concept))
        if len(fitting) == 1:
            found.append(_mention(reading, spot, fitting))
    return tuple(found)


def _kind(name: str, lexicon: Lexicon) -> str | None:
    """What kind of room a whole name says."""
    words = words_of(name)
    spots = (s for s in lexicon.spot(words) if s.section == _SECTION)
    return next((s.concept for s in spots if len(s.positions) == len(words)), None)


def _mention(reading: Reading, spot: Spot, areas: tuple[str, ...]) -> Mention:
    first, last = reading.words[spot.positions[0]], reading.words[spot.positions[-1]]
    return Mention(MentionKind.AREA, reading.text[first.start : last.end], first.start, last.end, areas)
