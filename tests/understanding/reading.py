"""A small home, and a reader of what is understood in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from functools import cache
from typing import Any
from zoneinfo import ZoneInfo

from homeagent.brains.local.planning.timer_calls import parameters
from homeagent.languages.pack import load_pack
from homeagent.understanding.choosing import understand
from homeagent.understanding.deciding import Decision, Verdict, decide
from homeagent.understanding.frame import Frame
from homeagent.understanding.home_names import HomeNames
from homeagent.understanding.past_times import Now
from homeagent.understanding.previous_turn import PreviousTurn
from homeagent.understanding.request import Given, Timing
from homeagent.understanding.sentence_context import SentenceContext
from homeagent.understanding.tokeniser import tokenise
from indexer.entity import Area, Entity, Floor

GROUND, FIRST = Floor("ground", "Ground floor", level=0), Floor("first", "First floor", level=1)
LIVING = Area("living", "Living room", ("lounge",), "ground")
KITCHEN = Area("kitchen", "Kitchen", (), "ground")
BEDROOM = Area("bedroom", "Bedroom", (), "first")
FLOORS = {"ground": GROUND, "first": FIRST}


def thing(
    entity_id: str,
    name: str,
    area: Area | None = None,
    device_class: str | None = None,
    floors: Mapping[str, Floor] = FLOORS,
) -> Entity:
    floor = floors.get(area.floor_id or "") if area is not None else None
    return Entity(entity_id, name, area=area, floor=floor, device_class=device_class)


THINGS = (
    thing("light.kitchen_ceiling", "Kitchen ceiling", KITCHEN),
    thing("light.counter", "Counter light", KITCHEN),
    thing("light.floor_lamp", "Floor lamp", LIVING),
    thing("light.reading_lamp", "Reading lamp", LIVING),
    thing("light.bedside", "Bedside lamp", BEDROOM),
    thing("switch.coffee", "Coffee machine", KITCHEN),
    thing("cover.blinds", "Living room blinds", LIVING, "blind"),
    thing("cover.garage", "Garage door", None, "garage"),
    thing("lock.front", "Front door", None),
    thing("climate.bedroom", "Bedroom thermostat", BEDROOM),
    thing("fan.bedroom", "Ceiling fan", BEDROOM),
    thing("media_player.tv", "TV", LIVING, "tv"),
    thing("media_player.speaker", "Kitchen speaker", KITCHEN, "speaker"),
    thing("vacuum.robot", "Robbie", LIVING),
    thing("todo.shopping", "Shopping list"),
    thing("weather.home", "Home"),
    thing("binary_sensor.window", "Bedroom window", BEDROOM, "window"),
    thing("alarm_control_panel.house", "House alarm"),
    thing("sensor.bedroom_temperature", "Bedroom temperature", BEDROOM, "temperature"),
)
TODAY = date(2026, 11, 25)
BERLIN = ZoneInfo("Europe/Berlin")
NOW = Now(datetime(2026, 11, 25, 15, 30, tzinfo=BERLIN), BERLIN)


@cache
def home_names(things: tuple[Entity, ...] = THINGS, language: str = "en") -> HomeNames:
    pack = load_pack(language)
    assert pack is not None
    return HomeNames(things, (LIVING, KITCHEN, BEDROOM), (GROUND, FIRST), pack)


NAMES = home_names(language="en")


@dataclass(frozen=True)
class Done:
    """An action, whom it reaches, and with what."""

    action: str
    entity_ids: frozenset[str]
    parameters: Mapping[str, Any] = field(default_factory=dict)


def done(action: str, *entity_ids: str, **parameters: Any) -> Done:
    return Done(action, frozenset(entity_ids), parameters)


def decision(
    text: str,
    area_id: str | None = None,
    last: tuple[str, ...] = (),
    before: PreviousTurn | None = None,
    language: str = "en",
    names: HomeNames | None = None,
) -> Decision:
    names = names or home_names(language=language)
    return decide(understand(tokenise(text), SentenceContext(names, TODAY, area_id, last, last=before, now=NOW)))


def deeds(
    text: str,
    area_id: str | None = None,
    last: tuple[str, ...] = (),
    before: PreviousTurn | None = None,
    language: str = "en",
    names: HomeNames | None = None,
) -> list[Done]:
    """What would be done at once, whatever the home is like; nothing where it is not sure enough."""
    names = names or home_names(language=language)
    found = decision(text, area_id, last, before, names=names)
    if found.verdict != "act" or found.best is None:
        return []
    return [
        Done(f.request.action, reached(f, names), dict(f.request.parameters))
        for f in found.best.asking_for
        if f.acts and f.request is not None and f.request.timing is None and f.request.given is None
    ]


def reached(frame: Frame, names: HomeNames) -> frozenset[str]:
    """Whom it is carried out for: what is named, or the set that is said; the frame itself must tell the same."""
    assert frame.request is not None
    scope = frame.request.scope
    chosen = names.select(scope.selector) if scope.is_set and not scope.named else ()
    found = frozenset({i for group in scope.named for i in group} | {e.entity_id for e in chosen})
    assert found == frame.entity_ids
    return found


LIGHTS = frozenset({"bedside", "counter", "floor_lamp", "kitchen_ceiling", "reading_lamp"})
ALL = LIGHTS | {"bedroom", "coffee", "speaker", "tv"}
"""All that is switched on and off; the thermostat is called as its room."""


def outcome(
    text: str,
    language: str = "en",
    names: HomeNames | None = None,
    area_id: str | None = None,
    last: tuple[str, ...] = (),
) -> str:
    """What comes of a sentence, in short: "turn_off tv", "left_alone garage", "turn_on lights - counter color=red".

    Each action with whom it reaches and its values, "cannot lock tv" where it is told that it cannot; what is said, and
    of whom; "? tv on" for a question, "past who tv" for one about the past. "ask: " stands before what is asked first;
    nothing where it is left to others or only told. ``names``: of another home than the one here.
    """
    names = names or home_names(language=language)
    found = decision(text, area_id, last, names=names)
    if found.verdict is Verdict.HAND_OVER or found.best is None:
        return ""
    told = "; ".join(_in_short(f, names) for f in found.best.asking_for)
    return f"ask: {told}" if found.verdict is Verdict.ASK else told


def _in_short(frame: Frame, names: HomeNames) -> str:
    request = frame.request
    assert request is not None
    if request.timing is not None:
        return _timed(frame, request.timing)
    ids = reached(frame, names) if frame.acts else frame.entity_ids
    what = request.action if frame.acts else request.say or (f"which {request.action}" if request.action else "?")
    what = f"cannot {what}" if frame.refuses else what
    what = f"past {request.past.tell.value}" if request.past is not None else what
    values = (f"{name}={value}" for name, value in request.parameters.items()) if frame.acts else request.states[:1]
    given = _given(request.given) if request.given is not None else ""
    return " ".join(x for x in (given, what, _whom({i.partition(".")[2] for i in ids}), *values) if x)


def _given(given: Given) -> str:
    """ "if front unlocked:"; "if not …:" where it is denied; above or below a number."""
    asked, than = given.asked, given.asked.details
    whom = _whom({i.partition(".")[2] for group in asked.scope.named for i in group})
    held = f"{than.way.value} {than.than:g}" if than.way is not None and than.than is not None else ""
    return " ".join(x for x in ("if", "not" if given.denied else "", whom, *asked.states[:1], held) if x) + ":"


def _timed(frame: Frame, timing: Timing) -> str:
    """ "set action in_seconds=600: turn_off tv"; "for" instead of "set" where it is done now and taken back then; one
    after the other where the same is done with several."""
    if timing.also:
        return "; ".join(_timed(frame, replace(one, also=())) for one in (timing, *timing.also))
    said = {k: v for k, v in parameters(timing).items() if k not in ("action", "kind")}
    values = [f"{name}={','.join(v) if isinstance(v, list) else v}" for name, v in said.items()]
    kind = timing.kind.value if timing.kind is not None else ""
    ordered = [
        " ".join([r.action, *(f"{name}={value}" for name, value in r.parameters.items())]) for r in timing.ordered
    ]
    whom = _whom({i.partition(".")[2] for i in frame.entity_ids})
    deed = "for" if timing.back else timing.deed.value
    told = " ".join(x for x in (deed, kind, *values) if x)
    return f"{told}: {' + '.join(ordered)} {whom}".strip() if ordered else told


def _whom(ids: set[str]) -> str:
    for name, group in (("lights", LIGHTS), ("all", ALL)):
        left = group - ids
        if ids <= group and len(ids) > 2 and len(left) < len(ids):
            return f"{name} - {', '.join(sorted(left))}" if left else name
    return ", ".join(sorted(ids))
