"""What a clause asks for, worked out from its words where the grammar has no sentence for it.

The order matters: what must never lead to an action (denials, delays, questions, statements) is looked at first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from homeagent.brains.language.reading import Reading
from homeagent.brains.local.meaning import settings
from homeagent.brains.local.meaning.abilities import action_for, domains_for, everything_for
from homeagent.brains.local.meaning.asking import question_of
from homeagent.brains.local.meaning.choosing import choice_request, offer_request
from homeagent.brains.local.meaning.codes import code_positions
from homeagent.brains.local.meaning.later import NOT_LATER, is_for_later
from homeagent.brains.local.meaning.listing import list_request
from homeagent.brains.local.meaning.request import Act, Request, Scope
from homeagent.brains.local.meaning.searching import search_request
from homeagent.brains.local.meaning.wishes import Wish, wish_of
from homeagent.brains.local.things.grounding import Ground, Unknown, ground, less_excepted
from homeagent.brains.local.things.locks import LOCKING, lock_of
from indexer.mentions import MentionKind
from indexer.selector import Selector

_RUN = ("scene", "script")
_MEASURED = ("climate", "water_heater", "humidifier")
"""What changes what a sensor measures."""
_READ = ("sensor", "binary_sensor", "weather", "person")
_SWITCHED_BY = {"open": "turn_on", "close": "turn_off"}
_GOING_ON = frozenset({"mute", "unmute", "play", "pause", "next", "previous", "return_to_base"})
"""Actions that go on with what was spoken of last, though nothing says so: "unmute"."""
_NEEDS_TARGET = frozenset({"turn_on", "turn_off", "toggle", "open", "close", "lock", "unlock", "start", "press"})
"""Actions that say nothing without the thing they are for: "turn on"."""


def understand(reading: Reading, around: Ground) -> Request | None:
    """The request of one clause, or None where the words do not tell enough."""
    if not reading.words or _is_conditional(reading):
        return None
    if said := _no_action(reading, around):
        return Request(Act.SAY, say=said)
    if request := list_request(reading, around):
        return request
    if reading.has("amounts", "large") and (request := complaint(reading, around)):
        return request  # "hace mucho calor" says how it is, and asks nothing
    if is_question(reading):
        return question_of(reading, around)
    if request := complaint(reading, around):
        return request
    if request := choice_request(reading, around) or offer_request(reading, around) or search_request(reading, around):
        return request
    if _tells_of_somebody(reading):
        return None
    wish = wish_of(reading, around)
    if wish is None:
        return _small_talk(reading) or _bare_name(reading, around)
    return control(reading, around, wish)


def _tells_of_somebody(reading: Reading) -> bool:
    """ "I turned off the light": who begins with who does it tells, and orders nothing."""
    return any(reading.opening in s.positions for s in reading.of("tellers"))


def _is_conditional(reading: Reading) -> bool:
    """Whether it is only to be done if something holds; "tell me if" only asks."""
    asking = {p for s in reading.of("questions") for p in s.positions}
    return any(not asking & set(s.positions) for s in reading.of("conditions"))


def control(reading: Reading, around: Ground, wish: Wish) -> Request | None:
    """The request to do ``wish`` to whom the clause names."""
    wish = _lights_opened(reading, around, _as_said_of_such(reading, around, wish))
    domains = _implied(reading, wish.domains)
    if reading.has("every", "everything") and not reading.of_kind(MentionKind.DOMAIN, MentionKind.DEVICE_CLASS):
        domains = everything_for(wish.action, domains)
    scope = ground(reading, around, domains, without=code_positions(reading))
    if isinstance(scope, Unknown) and scope.kinds and wish.parameters:
        # "the bedroom temperature up by two": the word says what is set, and not a sensor
        said = frozenset(p for s in reading.of("attributes", "adjust", "implies") for p in s.positions)
        scope = ground(reading, around, domains, without=said) if set(reading.target) - said else Scope()
        if scope == Scope():
            scope = _without_target(reading, around, domains, wish)
    if isinstance(scope, Unknown):
        if reading.has("pronouns") and around.last_entities and not reading.left:
            return Request(
                Act.CONTROL,
                _without_target(reading, around, domains, wish),
                action=wish.action,
                parameters=wish.parameters,
            )
        other = ground(reading, around)
        instead = _what_is_measured(other, domains, around) if wish.parameters else None
        if instead := instead or (lock_of(other, around) if wish.action in LOCKING else None):
            return Request(Act.CONTROL, instead, action=wish.action, parameters=wish.parameters)
        if isinstance(other, Scope) and other.named:  # it is there, and cannot do that
            return Request(Act.CONTROL, other, action=wish.action, parameters=wish.parameters)
        # "compose a limerick on our house": without a verb, and without a thing of this home, it is no order at all
        # What is offered instead is done as it was wished, once the person agrees.
        return replace(unknown(scope), action=wish.action, parameters=wish.parameters) if wish.ordered else None
    if scope is None:
        scope = less_excepted(reading, around, _without_target(reading, around, domains, wish))
        if not isinstance(scope, Scope):
            return unknown(scope) if scope is not None else None
    elif scope.is_set and not scope.named:
        scope = replace(scope, selector=_with_domains(scope.selector, reading, wish, domains))
    return Request(Act.CONTROL, scope, action=wish.action, parameters=wish.parameters)


def _as_said_of_such(reading: Reading, around: Ground, wish: Wish) -> Wish:
    """The wish as it is meant of what unfolds: "put out" is said of a lamp and of an awning."""
    moved = reading.first("unfolding")
    if moved is None or action_for(wish.action, "cover") == moved:
        return wish
    scope = ground(reading, around, ("cover",))
    return replace(wish, action=moved) if isinstance(scope, Scope) else wish


def _lights_opened(reading: Reading, around: Ground, wish: Wish) -> Wish:
    """The wish as it is meant where "open" may be said of a light and is: nothing else there is called so."""
    switched = _SWITCHED_BY.get(wish.action)
    if switched is None or not reading.lexicon.opens_lights or isinstance(ground(reading, around, wish.domains), Scope):
        return wish
    return replace(wish, action=switched) if isinstance(ground(reading, around, ("light",)), Scope) else wish


def _what_is_measured(scope: Scope | Unknown | None, domains: Sequence[str], around: Ground) -> Scope | None:
    """ "Raise the bedroom temperature" names a sensor: what can change it is in its room."""
    if not isinstance(scope, Scope) or not scope.named:
        return None
    named = [e for group in scope.named for i in group if (e := around.home.entity(i)) is not None]
    areas = tuple(dict.fromkeys(e.area.area_id for e in named if e.area is not None))
    if not areas or any(e.domain != "sensor" for e in named):
        return None
    able = Selector(domains=tuple(d for d in domains if d in _MEASURED), area_ids=areas)
    return Scope(selector=able) if able.domains and able.select(around.exposed) else None


def _implied(reading: Reading, domains: Sequence[str]) -> tuple[str, ...]:
    """Fewer domains, where a word tells what it is about: "mow", "the music"."""
    implied = {s.concept for s in reading.ordered("actions", "implies") if s.section == "implies"}
    return tuple(d for d in domains if d in implied) or tuple(domains)


def unknown(missing: Unknown) -> Request:
    """The answer that something is not there."""
    if missing.kinds:
        key = "none_there" if missing.text else "none_of_kind"
        words = {"place": missing.text, "kinds": " ".join(missing.kinds), "text": missing.whole}
        return Request(Act.SAY, say=key, words=words)
    say = "unknown_place" if missing.place else "unknown_device"
    instead = {"of": " ".join(missing.said_kinds), "in": " ".join(missing.said_areas)}
    return Request(Act.SAY, say=say, words={"text": missing.text, **instead})


def is_question(reading: Reading) -> bool:
    """Whether the clause asks and does not order. A polite order ("can you turn …") is none."""
    if reading.asks is not None:
        return reading.asks
    polite = {p for s in reading.of("polite") for p in s.positions}
    if any(not polite & set(s.positions) for s in reading.of("asking")):
        return True
    if _starts_with_question(reading):
        return True
    if not reading.text.rstrip().endswith(("?", "？")):
        return False
    return not reading.has("polite") and not _orders(reading)


def _no_action(reading: Reading, around: Ground) -> str | None:
    if reading.has("nothing") and not reading.target:
        return "nothing"
    if reading.has("timers"):
        return NOT_LATER
    wanted = bool(reading.of("actions", "adjust", "set"))
    if wanted and not _starts_with_question(reading) and is_for_later(reading, around):
        return NOT_LATER
    if reading.has("negation") and wanted and not _starts_with_question(reading):
        return "left_alone"
    return None


def _starts_with_question(reading: Reading) -> bool:
    """ "Will the door be locked" asks, too; the "va" of "va éteindre" sends somebody to do it."""
    opening = reading.opening
    if any(opening in s.positions for s in reading.of("questions")):
        return True
    ahead = next((s for s in reading.of("future") if opening in s.positions), None)
    return ahead is not None and not any(ahead.positions[-1] + 1 in s.positions for s in reading.of("actions", "set"))


def _orders(reading: Reading) -> bool:
    """Whether the clause opens with a verb of doing, of more than a mere "on" or "off"."""
    opening = reading.opening
    return any(opening in s.positions and len(s.positions) > 1 for s in reading.of("actions", "adjust"))


def complaint(reading: Reading, around: Ground) -> Request | None:
    """ "It is getting dark": nothing is done, but what could be done is offered."""
    what = reading.first("complaints")
    if what is None or not reading.has("complaining") or reading.of("set") or _orders(reading):
        return None
    wish = settings.REMEDIES.get(what)
    if wish is None:
        return None
    action, parameters = wish
    domains = domains_for(action, parameters)
    areas = tuple(v for m in reading.of_kind(MentionKind.AREA) for v in m.values) or (
        (around.area_id,) if around.area_id else ()
    )
    scope = Scope(selector=Selector(domains=domains[:1], area_ids=areas))
    return Request(Act.SAY, scope, action=action, parameters=parameters, say="suggest", words={"what": what})


def complained_of(reading: Reading, around: Ground) -> tuple[str, ...]:
    """The things that a clause only complains of: the next clause may say what to do about them."""
    if reading.first("complaints") is None or reading.of("actions") or reading.has("questions", "other"):
        return ()
    said = frozenset(p for s in reading.of("complaints", "complaining") for p in s.positions)
    scope = ground(reading, around, without=said)
    if not isinstance(scope, Scope) or len(scope.named) != 1:
        return ()
    return tuple(scope.named[0])


def _small_talk(reading: Reading) -> Request | None:
    if reading.target:
        return None
    if concept := reading.first("clock"):
        return Request(Act.TIME if concept == "time" else Act.DATE)
    if concept := reading.first("chat"):
        return Request(Act.SAY, say=concept)
    return None


def _bare_name(reading: Reading, around: Ground) -> Request | None:
    """A thing's name and nothing else: a scene is meant to be set, a reading to be told."""
    if reading.numbers and reading.of("set") and not reading.target:
        return Request(Act.CONTROL, Scope(), action="set_value", parameters={"value": reading.numbers[0].value})
    if reading.of("set") and reading.of("attributes") and not reading.numbers:
        return Request(Act.SAY, say="to_what")
    if not reading.of_kind(MentionKind.NAME):
        return None
    scope = ground(reading, around, _RUN)
    if isinstance(scope, Scope) and scope.named:
        return Request(Act.CONTROL, scope, action="turn_on")
    if reading.of("set"):
        return None
    scope = ground(reading, around, _READ)
    if isinstance(scope, Scope) and scope.named:
        return Request(Act.QUERY, scope)
    return None


def _with_domains(selector: Selector, reading: Reading, wish: Wish, domains: Sequence[str]) -> Selector:
    """A set that names a place only means the lights when switched, and what the setting is for when set."""
    if selector.domains or selector.device_classes:
        return selector
    if reading.has("every", "everything"):
        return replace(selector, domains=everything_for(wish.action, domains))
    native = [d for d in domains if action_for(wish.action, d) == wish.action]
    return replace(selector, domains=tuple((native or list(domains))[:1]))


def _without_target(reading: Reading, around: Ground, domains: Sequence[str], wish: Wish) -> Scope:
    """Nothing was named: what was spoken of last, else the room of the speaker, else whatever plays."""
    last = [i for i in around.last_entities if i.partition(".")[0] in domains]
    leaning = reading.has("pronouns") or reading.has("again") or (wish.parameters and not around.area_id)
    goes_on = leaning or wish.action in _GOING_ON or reading.of("implies")
    if last and goes_on and not reading.has("every", "everything") and not reading.has("here"):
        return Scope(tuple((i,) for i in last), every=True)
    if reading.of("implies"):
        return Scope(selector=Selector(domains=tuple(domains[:1]), area_ids=_here(reading, around)))
    if last and leaning:
        return Scope(tuple((i,) for i in last), every=True)
    if reading.has("every", "everything"):
        kinds = everything_for(wish.action, domains)
        chosen = Selector(domains=kinds, area_ids=_here(reading, around))
        return Scope(selector=chosen, every=True) if kinds else Scope()
    if here := _here(reading, around):
        return Scope(selector=Selector(domains=tuple(domains[:1]), area_ids=here))
    if reading.has("house"):
        return Scope(selector=Selector(domains=tuple(domains[:1])), every=True)
    if reading.has("pronouns"):
        return Scope()
    if not wish.parameters and wish.action in _NEEDS_TARGET:
        return Scope()
    return Scope(selector=Selector(domains=tuple(domains[:1]))) if domains else Scope()


def _here(reading: Reading, around: Ground) -> tuple[str, ...]:
    return (around.area_id,) if around.area_id and reading.has("here") else ()
