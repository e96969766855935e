"""The weather, now and on days to come."""

from __future__ import annotations

from collections.abc import Mapping

from homeagent.brains.language.reading import Reading
from homeagent.brains.local.meaning.days import day_meant, day_positions, when_said
from homeagent.brains.local.meaning.facts import STATE
from homeagent.brains.local.meaning.request import Act, Asked, Request, Scope
from homeagent.brains.local.things.fitting import is_place
from homeagent.brains.local.things.grounding import Ground
from indexer.mentions import MentionKind
from indexer.selector import Selector

_DOMAIN = "weather"
SKIES: Mapping[str, tuple[str, ...]] = {
    "rain": ("rainy", "pouring", "lightning-rainy", "snowy-rainy", "hail"),
    "snow": ("snowy", "snowy-rainy"),
    "sun": ("sunny", "partlycloudy"),
    "wind": ("windy", "windy-variant"),
    "storm": ("lightning", "lightning-rainy", "exceptional"),
    "fog": ("fog",),
    "clouds": ("cloudy", "partlycloudy", "windy-variant"),
}
"""What is asked for in the words of Home Assistant's weather entities."""
_AT_HOME = frozenset({"home", "not_home"})
_PLACES = (MentionKind.AREA, MentionKind.FLOOR, MentionKind.LABEL)


def weather_request(reading: Reading, around: Ground) -> Request | None:
    """The question about the weather, or None where the clause is about something else."""
    if orders(reading) or reading.has("questions", "other") or _is_past(reading):
        return None
    period = day_meant(reading, around.home)
    if _of_outside(reading):
        return Request(Act.QUERY, _scope(reading), attribute="weather")
    if _names_a_thing(reading) or _tells(reading):
        return None
    if not (_of_weather(reading) or _of_sky(reading) or _of_warmth(reading, ahead=period is not None)):
        return None
    states = tuple(dict.fromkeys(raw for s in reading.of("skies") for raw in SKIES[s.concept]))
    chance = {"chance": "rain"} if reading.has("skies", "rain") else {}
    return Request(
        Act.QUERY,
        _scope(reading),
        asked=Asked.YESNO if states else Asked.VALUE,
        states=states,
        attribute="forecast" if period is not None else "weather",
        period=period,
        words={"when": when_said(reading), **chance},
    )


def _of_outside(reading: Reading) -> bool:
    """ "What's it like outside?", also where there is a place that is called so."""
    asked = [s for s in reading.unmarked if s.section == "about_weather"]
    return bool(asked) and not {p for p in reading.target if not is_place(reading, p)} - set(asked[0].positions)


def _tells(reading: Reading) -> bool:
    """ "I'm home" tells of somebody, though a weather service be called "Home"."""
    return any(reading.opening in s.positions for s in reading.of("tellers"))


def _scope(reading: Reading) -> Scope:
    named = _named(reading)
    return Scope((tuple(named),), every=True) if named else Scope(selector=Selector(domains=(_DOMAIN,)))


def _named(reading: Reading) -> list[str]:
    """The weather services that were called by their names."""
    if any(s.section == f"{STATE}default" and s.concept in _AT_HOME for s in reading.unmarked if len(s.positions) > 1):
        return []  # "who is not home" is about no weather service that is called "Home"
    named = [v for m in reading.of_kind(MentionKind.NAME) for v in m.values]
    return [v for v in dict.fromkeys(named) if v.startswith(f"{_DOMAIN}.")]


def _of_weather(reading: Reading) -> bool:
    asked = {p for s in reading.of("questions") for p in s.positions}  # the "tiempo" of "cuánto tiempo" is none
    kinds = {v for p in range(len(reading.words)) if p not in asked for m in reading.kinds_at(p) for v in m.values}
    said = any(not set(s.positions) <= asked for s in reading.of("weather"))
    return said or _DOMAIN in kinds or bool(_named(reading))


def _of_sky(reading: Reading) -> bool:
    """Rain, snow, wind, and nothing else that is asked about."""
    said = {p for s in reading.of("skies") for p in s.positions}
    return bool(said) and not set(reading.target) - said - day_positions(reading) - _outside(reading)


def _outside(reading: Reading) -> set[int]:
    """The positions of the words for where the weather is, also where the home has a place that is called so."""
    spoken = {p for s in reading.of("outdoors") for p in s.positions}
    return spoken | {i for i, w in enumerate(reading.words) if w.text in reading.lexicon.outdoor_names}


def _of_warmth(reading: Reading, *, ahead: bool) -> bool:
    """ "How warm will it be tomorrow", or how warm it is outside where no room is called so."""
    if reading.has("attributes", "temperature") or reading.has("complaints", "hot", "cold"):
        outside = reading.has("outdoors") and not reading.of_kind(MentionKind.AREA)
        return (ahead or outside) and not reading.of_kind(*_PLACES)
    return False


def _is_past(reading: Reading) -> bool:
    return reading.has("periods", "yesterday", "last_night") or reading.has("past")


def orders(reading: Reading) -> bool:
    """Whether something is to be done: more than a particle such as the "on" of "on saturday"."""
    if reading.has("timers"):
        return True
    particles = {p for s in reading.of("particles", "weekdays", "horizon", "questions") for p in s.positions}
    opens = [s for s in reading.of("set") if reading.opening in s.positions]
    lists = [s for s in reading.of("lists") if s.concept not in ("show", "into")]
    return any(not set(s.positions) <= particles for s in (*reading.of("actions"), *lists, *opens))


def _names_a_thing(reading: Reading) -> bool:
    """Whether something other than a weather service is spoken of."""
    named = [m for m in reading.of_kind(MentionKind.NAME) if not all(v.startswith(f"{_DOMAIN}.") for v in m.values)]
    said = {p for s in reading.of("skies", "weather", "attributes", "complaints") for p in s.positions}
    kinds = {i for i in range(len(reading.words)) if reading.kinds_at(i)} - said
    other = [m for i in kinds for m in reading.kinds_at(i) if _DOMAIN not in m.values]
    return bool(named or other)
