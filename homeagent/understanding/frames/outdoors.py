"""What is asked of the open air: what the weather is like by a measure of it, and how inside differs from it."""

from __future__ import annotations

from homeagent.languages.concepts import (
    Attribute,
    Complaint,
    DayWord,
    Dimension,
    Heading,
    Question,
    Reference,
    Role,
    Sky,
    Topic,
    Way,
)
from homeagent.understanding.clauses import THINGS, Clause
from homeagent.understanding.request import WeatherMeasure
from homeagent.understanding.spans import InArea, Named, OnFloor

_WEATHER, _FAN = "weather", "fan"
_OF = {Dimension.TEMPERATURE: Attribute.TEMPERATURE, Dimension.HUMIDITY: Attribute.HUMIDITY}
WARMTH = {Complaint.COLD: Way.DOWN, Complaint.HOT: Way.UP}


def contrasts(clause: Clause) -> bool:
    """Whether it asks how the open air differs from inside, now."""
    apart = clause.at(Role.DIFFERENCE)
    asks = bool(clause.of(Question)) or clause.asks or bool(apart)
    more = clause.postpositions or any(h.dimension is None for _, h in clause.said(Heading))
    adjective = more and standard(clause) and clause.at(Attribute.TEMPERATURE)
    out = outdoors_said(clause)
    if out and asks and _asks_for_both(clause, out):
        return True
    if not (out and asks and (way_said(clause) or apart or adjective)):
        return False
    if clause.of(DayWord) - clause.at(DayWord.TODAY) or clause.at(Role.COURTESY) - out - clause.of(Question):
        return False
    inside = (clause.of(InArea, OnFloor) | clause.at(Reference.INDOORS, Role.HERE)) - out
    how_far = clause.at(Question.VALUE, Question.HOW_MANY) - clause.at(Question.YESNO)
    return bool(inside or apart or how_far or _held_against(clause))


def _asks_for_both(clause: Clause, out: set[int]) -> bool:
    """Whether it asks for one measure inside and outside ("how warm is it inside and outside"), now."""
    inside = (clause.at(Reference.INDOORS) | clause.of(InArea)) - out
    joined = {i for i in clause.at(Role.JOIN) if min(inside | out) < i < max(inside | out)} if inside else set()
    measured = clause.at(Attribute.TEMPERATURE, Attribute.HUMIDITY)
    return bool(joined and measured) and not clause.of(DayWord, Named) and not way_said(clause)


def _held_against(clause: Clause) -> bool:
    """Whether it says what it is compared with: "than" stands behind the comparative, or as a suffix on a word."""
    differs = min(clause.of(Heading, Complaint) | clause.at(Role.ABOVE, Role.BELOW), default=len(clause.cells))
    return any(i >= differs or clause.postpositions for i in standard(clause))


def outdoors_said(clause: Clause) -> set[int]:
    """The indexes of words for the open air."""
    outside = clause.names.pack.outside
    said = {i for i, c in enumerate(clause.cells) if any(t.text in outside for t in clause.tokens[c.first : c.end])}
    return said | clause.at(Topic.OUTDOORS)


def way_said(clause: Clause) -> Way | None:
    """The direction in which it differs: of a comparative, or of an adjective beside "than"."""
    said = next((h.way for _, h in clause.said(Heading) if h.dimension in _OF), None)
    warm = next((WARMTH[c] for _, c in clause.said(Complaint) if c in WARMTH), None)
    above, below = clause.at(Role.ABOVE), clause.at(Role.BELOW)
    if said is None and not clause.numbers and (above or below) & standard(clause):
        said = Way.UP if above else Way.DOWN  # "kouder dan"
    return said or (warm if standard(clause) else None)


def standard(clause: Clause) -> set[int]:
    """The indexes of "than", or of the words with it as a suffix."""
    return {i for i in range(len(clause.cells)) if _says_than(clause, i)}


def _says_than(clause: Clause, place: int) -> bool:
    than = clause.names.pack.than
    cell = clause.cells[place]
    said = [t.text for t in clause.tokens[cell.first : cell.end]]
    if clause.postpositions:
        return any(text.endswith(word) for text in said for word in than)
    return any(text in than for text in said)


def measure_said(clause: Clause) -> WeatherMeasure | None:
    """The measure of the weather asked about; None where there is none, or the home has no weather service."""
    if not clause.names.of_domain(_WEATHER):
        return None
    skies = {sky for _, sky in clause.said(Sky)}
    if Sky.WIND in skies and skies <= {Sky.WIND, Sky.STORM}:
        return WeatherMeasure.WIND
    open_air = clause.at(Topic.WEATHER) | outdoors_said(clause)
    things = clause.of(*THINGS) - open_air - clause.at(Attribute.HUMIDITY)
    if clause.at(Attribute.HUMIDITY) and open_air and not (skies or things or clause.of(DayWord)):
        return WeatherMeasure.HUMIDITY
    return WeatherMeasure.PRESSURE if clause.at(Attribute.PRESSURE) - clause.of(Named) else None


def is_of_a_fan(clause: Clause) -> bool:
    """Whether the word for wind also means a fan's speed in the language, and the home has a fan."""
    both = clause.at(Sky.WIND) & clause.at(Attribute.FAN_SPEED)
    return bool(both) and not outdoors_said(clause) and bool(clause.names.of_domain(_FAN))
