"""A sentence cut into the commands and questions that it is made of."""

from __future__ import annotations

from homeagent.brains.language.reading import Reading

_DOING = ("actions", "adjust", "set", "questions", "future", "lists")
"""Sections whose words make a clause one of its own: "will it rain" asks without a word for asking."""


_ASKING = ("questions", "asking")
_TELLING = ("state.", "actions", "adjust", "attributes", "doing", "complaints", "finished")
"""Beginnings of the sections whose words say what is asked."""


def clauses(reading: Reading) -> tuple[Reading, ...]:
    """A sentence cut into commands: at a joining word (or a comma) with something to do on both sides of it."""
    cuts = [0]
    doing = {p for s in reading.of("doing") for p in s.positions} | reading.courtesy
    excepting = min((s.positions[0] for s in reading.of("except")), default=len(reading.words))
    for spot in reading.of("joiners"):
        place = spot.positions[0]
        if place in doing:
            continue
        if place > excepting:
            break  # "all but the hall and the porch": still one command
        # what is taken out ("but keep the lamp on") is told by no command of its own
        end = excepting if excepting < len(reading.words) else None
        if _asks_on(reading, cuts[-1], place):
            continue
        if _does_something(reading, cuts[-1], place) and _does_something(reading, spot.positions[-1] + 1, end):
            cuts.append(place)
    for place in range(1, len(reading.words)):
        between = reading.text[reading.words[place - 1].end : reading.words[place].start]
        if set(between) & set(",;.!?、。") and place not in cuts and not _in_a_phrase(reading, place):
            before = max((c for c in cuts if c < place), default=0)
            if _does_something(reading, before, place) and _does_something(reading, place, None):
                cuts.append(place)
    for spot in reading.of("closers"):
        # a verb that ends its clause and leads on to the next
        place = spot.positions[-1] + 1
        before = max((c for c in cuts if c < place), default=0)
        if (
            place not in cuts
            and not doing & set(spot.positions)
            and _does_something(reading, before, place)
            and _does_something(reading, place, None)
        ):
            cuts.append(place)
    cuts = sorted(set(cuts))
    if len(cuts) == 1:
        return (reading,)
    ends = [*cuts[1:], len(reading.words)]
    parts = tuple(reading.part(a, b) for a, b in zip(cuts, ends, strict=True) if a < b)
    for previous, part in zip((None, *parts), parts, strict=False):
        part.asks = _asks(reading, previous, part)
    return parts


def _asks_on(reading: Reading, start: int, place: int) -> bool:
    """Whether a question begins before ``place`` and says what it asks only behind it: "are the lamp and …"."""
    inside = [s for s in reading.spots if start <= s.positions[0] and s.positions[-1] < place]
    asks = any(s.section in _ASKING and s.concept == "yesno" for s in inside)
    behind = any(s.section in _ASKING and s.positions[0] > place for s in reading.spots)
    return asks and not behind and not any(s.section.startswith(_TELLING) for s in inside)


def _asks(reading: Reading, before: Reading | None, part: Reading) -> bool | None:
    """Whether a clause goes on with a question, or with a polite order (False); None: its own words tell."""
    if _opens_question(part):
        return None
    if before is not None and (before.asks or _opens_question(before, "yesno")) and _goes_on(before, part):
        return True
    return False if reading.has("polite") else None


def _opens_question(part: Reading, *concepts: str) -> bool:
    return any(part.opening in s.positions and (not concepts or s.concept in concepts) for s in part.of(*_ASKING))


def _goes_on(before: Reading, part: Reading) -> bool:
    """ "Did you turn off the lamp and lock the door" orders nothing; "is it dark, turn on the lamp" does."""
    if set(before.text[before.words[-1].end : part.words[0].start]) & set(".!?;。？"):
        return False
    particles = {p for s in part.of("particles") for p in s.positions}
    ordered = any(part.opening in s.positions and not set(s.positions) <= particles for s in part.of("actions", "set"))
    return not ordered or not before.has("copula") or part.text.rstrip().endswith(("?", "？"))


def _in_a_phrase(reading: Reading, place: int) -> bool:
    """Whether the words for one action stand on both sides: "stell sicher, dass … aus ist"."""
    return any(s.positions[0] < place <= s.positions[-1] for s in reading.of("actions"))


def _does_something(reading: Reading, start: int, end: int | None) -> bool:
    stop = len(reading.words) if end is None else end
    inside = (s for s in reading.of(*_DOING) if s.positions[0] >= start)
    return any(s.positions[-1] < stop and s.concept not in ("any", "into", "show") for s in inside)
