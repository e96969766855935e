"""What a question asks: of whom, about which state or attribute, now or in the past. A question never acts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from homeagent.brains.language.reading import Reading
from homeagent.brains.local.meaning.days import day_meant, day_positions
from homeagent.brains.local.meaning.facts import AT_REST, ATTRIBUTES, FINISHED, ON_OFF, STATE
from homeagent.brains.local.meaning.later import NOT_AHEAD
from homeagent.brains.local.meaning.request import Act, Asked, Period, Request, Scope
from homeagent.brains.local.meaning.states import classes_in, domains_in, kinds_in, raw_of, state_words, states_said
from homeagent.brains.local.things.dangers import heats
from homeagent.brains.local.things.grounding import Accepts, Ground, Unknown, entities_of, ground
from homeagent.brains.local.things.locks import LOCKED, lock_of
from homeagent.brains.local.things.selecting import values
from indexer.concepts import domains_of, lexicon
from indexer.entity import Entity
from indexer.mentions import MentionKind
from indexer.selector import Selector

_PAST = {
    Asked.HOW_LONG, Asked.HOW_OFTEN, Asked.WHEN, Asked.AVERAGE, Asked.LOWEST, Asked.HIGHEST,
}  # fmt: skip
_PERIODS: Mapping[str, Period] = {
    "today": Period(days_ago=0),
    "yesterday": Period(days_ago=1),
    "last_night": Period(hours=12),
    "hour": Period(hours=1),
    "day": Period(hours=24),
    "week": Period(hours=24 * 7),
    "month": Period(hours=24 * 30),
}
_OPPOSITE = {
    "on": "off", "off": "on", "open": "closed", "closed": "open", "locked": "unlocked", "unlocked": "locked",
    "home": "not_home", "not_home": "home",
}  # fmt: skip
_SENSORS = frozenset({"sensor", "binary_sensor"})
_LEFT_ON = frozenset({"light", "media_player", "fan"})
"""What is left on by people, beside what gets hot."""
_UNIT_HOURS = {"second": 1 / 3600, "minute": 1 / 60, "hour": 1.0, "day": 24.0, "week": 168.0}
_MOST_LISTED = 40
"""So many things can be asked for one by one."""


def question_of(reading: Reading, around: Ground) -> Request | None:
    """The request of a question; None where it asks for what the home cannot tell."""
    if reading.has("questions", "other") or _asks_for_a_thing_by_a_states_word(reading):
        return None
    clock = reading.first("clock")
    if clock is not None and not reading.target:
        return Request(Act.TIME if clock == "time" else Act.DATE)
    if (chat := reading.first("chat")) and not reading.target:
        return Request(Act.SAY, say=chat)
    asked = form_of(reading)
    period = _period(reading, around)
    if asked is Asked.WHEN and _is_ahead(reading):
        return Request(Act.SAY, say=NOT_AHEAD)
    if asked is Asked.YESNO and reading.has("finished") and (known := _whether_finished(reading, around)):
        return known
    if (wanted := attribute_of(reading)) is not None:
        request = _about_attribute(reading, around, wanted, asked, period)
        return _than(reading, _compared(reading, request)) if request is not None else None
    return _about_state(reading, around, asked, period)


def _asks_for_a_thing_by_a_states_word(reading: Reading) -> bool:
    """ "Where is the present?": behind an article, and before nothing that it could describe, it is a noun."""
    if form_of(reading) is not Asked.WHERE:
        return False
    articles = lexicon(reading.lexicon.language)
    said = {s.positions[0]: s.positions[-1] + 1 for s in reading.spots if s.section.startswith(STATE)}
    return any(
        first > 0 and articles.has("articles", reading.words[first - 1].text) and after not in reading.target
        for first, after in said.items()
    )


def _is_ahead(reading: Reading) -> bool:
    """Whether it is asked when something will be: nothing that has been is the answer."""
    return not reading.has("past") and (reading.has("future") or reading.has("finished"))


def _whether_finished(reading: Reading, around: Ground) -> Request | None:
    """ "Is the washing machine done?": what it is doing tells."""
    said = frozenset(p for s in reading.of("finished") for p in s.positions)
    scope = ground(reading, around, without=said)
    if not isinstance(scope, Scope) or not scope.named:
        return None
    return Request(Act.QUERY, scope, asked=Asked.YESNO, attribute=FINISHED)


def _compared(reading: Reading, request: Request) -> Request:
    """ "Is it warmer in here or there?": of what is asked in several places the one that is more so."""
    places = {v for m in reading.of_kind(MentionKind.AREA) for v in m.values}
    more = next((s.concept for s in reading.of("adjust") if s.concept.startswith("temperature")), None)
    if more is None or len(places) < 2 or request.act is not Act.QUERY:
        return request
    return replace(request, asked=Asked.HIGHEST if more == "temperature_up" else Asked.LOWEST)


def _than(reading: Reading, request: Request) -> Request:
    """ "Is it below 20 degrees?": a yes or no to the number. ``words`` hold it, and the way."""
    way = reading.first("than")
    number = next((n for n in reading.numbers if n.led_by == "than"), None)
    if way is None or number is None or request.act is not Act.QUERY or reading.has("questions", "which", "how_many"):
        return request
    return replace(request, words={**request.words, "than": f"{number.value:g}", "way": way})


def _about_attribute(
    reading: Reading, around: Ground, attribute: str, asked: Asked, period: Period | None
) -> Request | None:
    """The first way to read the attribute that the target has."""
    missing: Request | None = None
    said = frozenset(p for s in reading.of("attributes", "adjust") for p in s.positions if not reading.words[p].mark)
    said |= day_positions(reading)
    for domain, device_class, name in ATTRIBUTES[attribute]:
        scope = ground(reading, around, (domain,), _of_class(device_class), said)
        if scope is None and not set(reading.target) - said:
            scope = _anywhere(around, domain, device_class)
        if isinstance(scope, Scope):
            if not scope.named:
                classes = (device_class,) if device_class else ()
                scope = replace(scope, selector=replace(scope.selector, domains=(domain,), device_classes=classes))
            act = _act(asked, period, scope)
            return Request(act, scope, asked=_value(asked, act), attribute=name, period=period)
        if isinstance(scope, Unknown) and missing is None:
            missing = _missing(scope)
    if named := _named(reading):
        act = _act(asked, period, named)
        return Request(act, named, asked=_value(asked, act), period=period)
    return missing


def _anywhere(around: Ground, domain: str, device_class: str) -> Scope | None:
    """Where no place was said, the speaker's room is meant, if that is known; None if there is none there."""
    if around.area_id is None:
        return Scope()
    kinds = Selector((domain,), (device_class,) if device_class else (), (around.area_id,))
    return Scope(selector=kinds) if kinds.select(around.exposed) else None


def _act(asked: Asked, period: Period | None, scope: Scope) -> Act:
    """Now or in the past. "Which room is the warmest" is about now, "what was the highest" about the past."""
    if period is not None or asked in (Asked.HOW_LONG, Asked.HOW_OFTEN, Asked.WHEN):
        return Act.HISTORY
    if asked in _PAST and scope.named:
        return Act.HISTORY
    return Act.QUERY


def _of_class(device_class: str) -> Accepts:
    return lambda entity: not device_class or entity.device_class == device_class


def _value(asked: Asked, act: Act) -> Asked:
    if act is Act.HISTORY:
        return asked if asked in _PAST else Asked.AVERAGE
    return asked if asked in (Asked.LOWEST, Asked.HIGHEST, Asked.AVERAGE) else Asked.VALUE


def _about_state(reading: Reading, around: Ground, asked: Asked, period: Period | None) -> Request | None:
    states = states_said(reading)
    if asked in (Asked.WHICH, Asked.HOW_MANY, Asked.ANY) and _denied(reading):
        states = {kind: tuple(_OPPOSITE.get(raw, raw) for raw in raws) for kind, raws in states.items()}
    found = _of_whom(reading, around, states)
    if isinstance(found, Unknown) and "running" in states and "default" not in states:
        # "is the fan running": of what has no such sensor it is said when it is on
        switched = {**states, "default": states["running"]}
        if isinstance(other := _of_whom(reading, around, switched), Scope):
            states, found = switched, other
    if isinstance(found, Unknown):
        # "what is the capital of France" is no question about a thing that this home lacks
        homely = bool(states or found.kinds or found.place or found.said_kinds)
        return _missing(found) if homely else None
    if found is None and reading.has("pronouns") and around.last_entities:
        found = Scope(tuple((i,) for i in around.last_entities))
    if found is None and states and not _target(reading):
        found = Scope()  # "is there any motion?", anywhere
        asked = Asked.ANY if asked is Asked.YESNO else asked
    if found is None or (not states and asked in (Asked.ALL, Asked.HOW_LONG, Asked.HOW_OFTEN)):
        return None
    if found.named and not any(raw_of(e, states) for e in entities_of(found, around)):
        states = {}  # the word may be a state of another kind of thing
    if not states and asked in (Asked.YESNO, Asked.ANY, Asked.ALL):
        if not found.named or set(reading.left) - state_words(reading):
            return None  # "is Ben a good cook" is not answered by where he is
        asked = Asked.VALUE  # "is the washer running" of a thing that is called so: its state tells
    if found == Scope() and (said := values(reading, MentionKind.DOMAIN)):
        # "is the vacuum on": the word is one for doing, too; "is there motion" is told by what notices that alone
        classes = values(reading, MentionKind.DEVICE_CLASS) or (classes_in(states) if {*said} <= _SENSORS else ())
        found = Scope(selector=Selector(domains=said, device_classes=classes))
    if found == Scope() and len(anything := _anything(around, states)) <= _MOST_LISTED:
        found = Scope(tuple((i,) for i in anything), every=True)
    if not found.named and not found.selector.domains and not found.selector.device_classes:
        left_on = _left_on(found.selector, around, states) if asked not in _PAST else None
        found = left_on or replace(found, selector=replace(found.selector, **kinds_in(states)))
    raw = tuple(dict.fromkeys(r for raws in states.values() for r in raws))
    if raw and asked is Asked.VALUE and not found.named:
        asked = Asked.WHICH  # "show me the lights that are on"
    if found.named:
        raw = tuple(dict.fromkeys(r for e in entities_of(found, around) for r in raw_of(e, states)))
    act = Act.HISTORY if asked in _PAST and (period or asked is not Asked.HOW_LONG) else Act.QUERY
    attribute = "doing" if reading.has("doing") and act is Act.QUERY and not raw else ""
    return Request(act, found, asked=asked, states=raw, period=period, attribute=attribute)


def _denied(reading: Reading) -> bool:
    """Whether what is not so is asked for: "which doors are not locked". "Not home" is a state of its own."""
    states = (s for s in reading.spots if s.section.startswith(STATE) and len(s.positions) > 1)
    said = {p for s in states for p in s.positions}
    return any(not set(s.positions) & said for s in reading.of("negation"))


def _anything(around: Ground, states: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """Everything that can be in these states: "is anything open?" is about covers, valves and contacts alike."""
    # who is not home is no sensor
    people = {"home", "not_home"} & set(states.get("default", ()))
    able = domains_in(states) if people else ()
    return tuple(
        e.entity_id for e in around.exposed if e.in_plurals and raw_of(e, states) and (not able or e.domain in able)
    )


def _left_on(place: Selector, around: Ground, states: Mapping[str, tuple[str, ...]]) -> Scope | None:
    """What may have been left on in a place, whatever can burn first: lights and players, and all that gets hot.

    None where it is not asked what is on or off, or nothing such is there.
    """
    said = set(states.get("default", ()))
    if not said or not said <= set(ON_OFF):
        return None
    there = [e for e in around.exposed if e.in_plurals and place.matches(e) and raw_of(e, states)]
    hot = [e.entity_id for e in there if heats(e)]
    others = [e.entity_id for e in there if _LEFT_ON.intersection(domains_of(e)) and not _rests(e, around)]
    ids = tuple(dict.fromkeys((*hot, *others)))
    if len(ids) > _MOST_LISTED:
        # of more than can be asked for those that are not off decide
        ids = tuple(i for i in ids if around.home.state_text(i) not in AT_REST)[:_MOST_LISTED] or ids[:_MOST_LISTED]
    return Scope(tuple((i,) for i in ids), every=True) if ids else None


def _rests(entity: Entity, around: Ground) -> bool:
    """Whether it is neither on nor off: a player that waits."""
    return entity.domain == "media_player" and (around.home.state_text(entity.entity_id) or "") in AT_REST - {"off"}


def _of_whom(reading: Reading, around: Ground, states: Mapping[str, tuple[str, ...]]) -> Scope | Unknown | None:
    """The scope of a question about states; the words of the states themselves are no part of it."""
    accepts = (lambda e: bool(raw_of(e, states))) if states else None
    said = state_words(reading)
    scope = ground(reading, around, domains_in(states), accepts, said)
    kinds = {v for m in reading.of_kind(MentionKind.DOMAIN) for v in m.values}
    if isinstance(scope, Unknown) and scope.kinds and kinds <= _SENSORS and classes_in(states):
        # "are any batteries charging": the state tells the kind better than the noun
        nouns = frozenset(p for p in reading.target if reading.kinds_at(p))
        places = tuple(p for p in reading.target if p not in nouns | said)
        scope = ground(reading, around, domains_in(states), accepts, said | nouns) if places else Scope()
    if not isinstance(scope, Scope) and (named := _named(reading)):
        return (lock_of(named, around) if LOCKED & set(states.get("default", ())) else None) or named
    return scope


def _target(reading: Reading) -> tuple[int, ...]:
    return tuple(p for p in reading.target if p not in state_words(reading))


def _named(reading: Reading) -> Scope | None:
    """What is called exactly by its name, whatever else the question says: asking does no harm."""
    exact = [m for m in reading.of_kind(MentionKind.NAME) if m.score == 1]
    if not exact:
        return None
    longest = max(exact, key=lambda m: m.end - m.start)
    things = [m for m in reading.of_kind(MentionKind.DOMAIN) if "person" not in m.values]
    if things and all(i.startswith("person.") for i in longest.values):
        return None  # "which light did Ben leave on" is not answered by where Ben is
    beside = [m for m in exact if m.end <= longest.start or m.start >= longest.end]
    return Scope(tuple(m.values for m in (*beside, longest)))


def _missing(unknown: Unknown) -> Request:
    from homeagent.brains.local.meaning.understanding import unknown as say_unknown

    return say_unknown(unknown)


def form_of(reading: Reading) -> Asked:
    """The form of the question: the rarest form that was said."""
    said = {s.concept for s in reading.of("questions", "asking")}
    order = (
        Asked.HOW_LONG, Asked.HOW_OFTEN, Asked.HOW_MANY, Asked.AVERAGE, Asked.HIGHEST, Asked.LOWEST, Asked.WHERE,
        Asked.WHEN, Asked.WHICH, Asked.ANY, Asked.ALL, Asked.YESNO, Asked.VALUE,
    )  # fmt: skip
    if Asked.YESNO.value in said and reading.has("every"):
        return Asked.ALL
    return next((a for a in order if a.value in said), Asked.YESNO)


def _period(reading: Reading, around: Ground) -> Period | None:
    if reading.has("spans", "last"):
        for number in reading.numbers:
            if number.unit in _UNIT_HOURS:
                return Period(hours=number.value * _UNIT_HOURS[number.unit])
    if concept := reading.first("periods"):
        return _PERIODS.get(concept)
    return day_meant(reading, around.home) if reading.has("past") and reading.has("weekdays") else None


def attribute_of(reading: Reading) -> str | None:
    """The attribute that a question is about, a key of ``ATTRIBUTES``; None where it asks for a state."""
    if states_said(reading) and not reading.has("questions", "value"):
        return None
    if any(s.concept.startswith("temperature") for s in reading.of("adjust")):
        return "temperature"  # "is it warmer in here than there?" is answered with both
    spots = [s for s in reading.of("attributes") if s.concept in ATTRIBUTES]
    if reading.has("attributes", "target_temperature"):
        return "target_temperature"
    return max(spots, key=lambda s: len(s.positions)).concept if spots else None
