"""Orders without a value: on and off, open and close, start and stop, what plays."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import Protocol

from homeagent.domains import PROFILES, SET_VALUE
from homeagent.domains.actions import BROUGHT_BY, OPPOSITE, domains_for
from homeagent.domains.states import DOES_CHORES
from homeagent.languages.concepts import (
    Amount,
    ArmingMode,
    Colour,
    Count,
    Dimension,
    Heading,
    Level,
    Mode,
    Particle,
    Role,
    StateWord,
    Topic,
    Verb,
    Way,
    White,
)
from homeagent.safety.guards import LOCK
from homeagent.understanding.clauses import Clause
from homeagent.understanding.frame import ActKind, Feature, Frame
from homeagent.understanding.frame_costs import frame
from homeagent.understanding.grounding import Grounded, TargetFit, Wanted, from_antecedent, ground, members
from homeagent.understanding.noun_phrases import target_of
from homeagent.understanding.reference import meanings
from homeagent.understanding.request import Act, Request, Scope
from homeagent.understanding.spans import Named, OfChoice, OfKind, OnFloor
from homeagent.understanding.statement_clauses import before_small_words, copulas, going_on, unneeded
from indexer.selector import Selector

PLAYERS = domains_for(Verb.MUTE.value)
HEATERS = domains_for(SET_VALUE, ("hvac_mode",))
_CHORES = {p.chore: (d,) for d, p in PROFILES.items() if p.chore}
_CLEANERS = _CHORES[Verb.CLEAN]
"""What is sent to clean a room goes there only by its own app."""

_ON, _OFF = Verb.TURN_ON, Verb.TURN_OFF
BY_PARTICLE = {
    Particle.ON: _ON,
    Particle.OFF: _OFF,
    Particle.OUT: _OFF,
    Particle.OPENED: Verb.OPEN,
    Particle.CLOSED: Verb.CLOSE,
    Particle.LOCKED: Verb.LOCK,
    Particle.UNLOCKED: Verb.UNLOCK,
    Particle.UP: Verb.OPEN,
    Particle.DOWN: Verb.CLOSE,
}
"""What a particle says beside a neutral verb, or alone."""
_INTO = {state: Verb(action) for state, action in BROUGHT_BY.items()}
"""What brings a thing into a state."""
_FITTING = {
    _ON: (Particle.ON, Particle.UP),
    _OFF: (Particle.OFF, Particle.OUT, Particle.DOWN, Particle.CLOSED),
    Verb.OPEN: (Particle.OPENED, Particle.UP),
    Verb.CLOSE: (Particle.CLOSED, Particle.DOWN, Particle.OFF),
    Verb.LOCK: (Particle.LOCKED, Particle.CLOSED),
    Verb.UNLOCK: (Particle.UNLOCKED, Particle.OPENED),
    Verb.START: (Particle.ON, Particle.OFF, Particle.UP),
    Verb.STOP: (Particle.OFF,),
    Verb.PLAY: (Particle.ON,),
    Verb.MUTE: (Particle.OFF, Particle.ON),
    Verb.UNMUTE: (Particle.ON,),
    Verb.RETURN_TO_BASE: (Particle.OFF,),
}
"""Particles that a verb may have beside it without another meaning. Any other one is against it."""
_GIVES_LIGHT = frozenset({"light", "switch"})
_ANY = "default"
"""The class of what a state word says of anything."""
_WITH = {Verb.LOCK: Verb.CLOSE, Verb.UNLOCK: Verb.OPEN}
"""To close with a key is to lock: the verb of an order that a particle makes another one of."""
_LOCKING = (Particle.LOCKED, Particle.UNLOCKED)
_WHOLLY, _ALL_OF_IT = (_OFF, Verb.LOCK, Verb.MUTE), Level(100)
"""What has no degrees: "off completely" is off."""
_AGAINST = {
    _ON: (Particle.OFF,),
    _OFF: (Particle.ON,),
    Verb.OPEN: (Particle.CLOSED, Particle.DOWN),
    Verb.CLOSE: (Particle.OPENED, Particle.UP),
}
"""What a word beside a verb must not be able to say, too."""
_NOT_ACTIONS = frozenset({Verb.DO, Verb.MAKE, Verb.HEAR, Verb.KEEP, Verb.ARM, Verb.DISARM})
_SETS_OF_ORDERS = ("scene", "script")
"""What is carried out by its mere name."""
_OF_PLAYERS = frozenset({Verb.PAUSE, Verb.STOP, Verb.PLAY, Verb.NEXT, Verb.PREVIOUS, Verb.MUTE, Verb.UNMUTE, _ON, _OFF})
_OF_ONE_SORT = {
    **dict.fromkeys((Verb.MUTE, Verb.UNMUTE, Verb.NEXT, Verb.PREVIOUS, Verb.PAUSE, Verb.PLAY), PLAYERS),
    Verb.LOCK: domains_for(Verb.LOCK.value),
}
"""What is meant by a verb that names nothing: the domains that it is said of."""
_SOUND = {_OFF: Verb.MUTE, _ON: Verb.UNMUTE}
_ENDED = (*_CHORES, Verb.START, Verb.PLAY, _ON)
"""Activities that "stop" may name, as what ends."""


@dataclass(frozen=True, slots=True)
class _Order:
    """An action, the indexes of the cells that say it, and the domains that it implies."""

    action: Verb
    cells: frozenset[int]
    implied: tuple[str, ...] = ()


def control(clause: Clause) -> Iterator[Frame]:
    """A frame for each action that a verb, a particle or a bare direction says."""
    said: dict[Verb, set[int]] = {}
    strong: set[Verb] = set()
    # what stands there is said of what is taken out, or told: "my back is killing me"
    out = {*clause.excepted, *going_on(clause, copulas(clause)), *_described_before(clause)}
    out |= {i for n in clause.numbers if n.unit is not None for i in n.cells}  # "ein Grad" turns nothing on
    if clause.at(Amount.SMALL):  # "baisse un peu les stores" is a step
        out |= clause.of(Heading) & clause.at(Verb.OPEN, Verb.CLOSE, Particle.UP, Particle.DOWN)
    for place, verb in clause.said(Verb):
        if place not in out and verb not in _NOT_ACTIONS:
            said.setdefault(verb, set()).add(place)
            strong.add(verb)
    for place, particle in clause.said(Particle):
        if place not in out:
            said.setdefault(BY_PARTICLE[particle], set()).add(place)
    for place, heading in clause.said(Heading):
        if place not in out and heading.dimension is None and not clause.of(Amount):  # "a bit less" is a step
            moved = Verb.OPEN if heading.way is Way.UP else Verb.CLOSE
            said.setdefault(moved, set()).add(place)
            strong.add(moved)
    if (clause.at(Role.ENSURE) and not strong) or (not said and _is_wished_so(clause)):
        said |= _into_states(clause)
    if clause.neutral and not clause.of(Particle) and (homewards := _homewards(clause)):
        said[Verb.RETURN_TO_BASE] = homewards
        strong.add(Verb.RETURN_TO_BASE)
    if not said and any(_are_all(n.entity_ids, *_SETS_OF_ORDERS) for _, n in clause.said(Named)):
        said[_ON] = set()
    if places := unneeded(clause):
        said, strong = {Verb.CLOSE if clause.particles(Particle.OPENED) else _OFF: places}, {_OFF}
    if not strong and clause.neutral and (_wants_light(clause) or _wants_a_player(clause)):
        said.setdefault(_ON, set())
    for verb, cells in said.items():
        order = _settled(clause, verb, cells)
        unsaid = verb not in strong and not clause.neutral
        whole = {m for i in cells for m in clause.cells[i].parted}
        against = {Feature.WITHOUT_VERB: float(unsaid), Feature.BROKEN_VERB: float(bool(whole) and verb not in whole)}
        yield from _frames(clause, order, against)


def _described_before(clause: Clause) -> set[int]:
    """The indexes of particles right behind a copula in a part that a mark ends: they tell how it is ("the light is
    still on, can you get it").
    """
    said = copulas(clause)
    ends = [i for i in range(1, len(clause.cells)) if clause.mark(i)]
    return {
        i for i in clause.of(Particle) if said and ends and i < ends[-1] and before_small_words(clause, i, said) in said
    }


def _is_wished_so(clause: Clause) -> bool:
    """Whether a state is wished for, and not asked about ("I'd like the lamp switched on")."""
    wish, what = clause.opening, clause.opening + 1
    told = what == len(clause.cells) or clause.mark(what)  # "hey, the lamp switched on"
    return clause.cells[wish].says(Role.COURTESY) and not (told or clause.asks or copulas(clause))


def _wants_light(clause: Clause) -> bool:
    """Whether a neutral verb has nothing but light as its object ("mach Licht im Flur", "give us some light")."""
    kinds = [k for _, of in clause.said(OfKind) if not of.plural for c in of.concepts for k in c.kinds]
    only_light = bool(kinds) and all(k.domain in _GIVES_LIGHT for k in kinds)
    told = clause.next_to(min(clause.of(OfKind), default=0), Role.ARTICLE, Role.PRONOUN)
    ways = {i for i in clause.of(Particle) if not clause.leads_to_a_thing(i)}
    return (
        only_light
        and not (told or ways)
        and not clause.of(Named, Dimension, Colour, White, Count, Level, Mode, OfChoice)
    )


def _wants_a_player(clause: Clause) -> bool:
    """Whether a neutral verb has nothing but a thing that plays as its object ("mets la télé", "pon la tele")."""
    named = [i.partition(".")[0] for _, n in clause.said(Named) for i in n.entity_ids]
    kinds = [k.domain for _, of in clause.said(OfKind) for c in of.concepts for k in c.kinds]
    plays = bool(named or kinds) and {*named, *kinds} <= set(PLAYERS)
    return plays and not clause.of(
        *(Particle, Heading, Dimension, Colour, White, Count, Level, Mode, OfChoice, Topic, Amount, Verb)
    ) - clause.neutral - clause.of(Named, OfKind)


def _into_states(clause: Clause) -> dict[Verb, set[int]]:
    """The verbs that bring a thing into the states said, with the indexes that say them; the opposite verbs where the
    state is denied ("make sure that it isn't on").
    """
    denied = clause.at(Role.NEGATION) if not clause.of(Verb) else set()
    found: dict[Verb, set[int]] = {}
    for place, state in clause.said(StateWord):
        for raw in (raw for device_class, raw in state.raw if device_class == _ANY and raw in _INTO):
            verb = Verb(OPPOSITE[_INTO[raw].value]) if denied else _INTO[raw]
            found.setdefault(verb, set()).update({place} | denied)
    return found


def _homewards(clause: Clause) -> set[int]:
    """The indexes of words for the home as a destination, where all things named are robots with a base ("send Robbie
    home").
    """
    home = {i for i in clause.at(Role.WHOLE_HOME, ArmingMode.HOME) if not _is_led_through(clause, i)}
    named = [n.entity_ids for i, n in clause.said(Named) if i not in home]
    kinds = [tuple(k.domain for k in c.kinds) for _, of in clause.said(OfKind) for c in of.concepts]
    robots = bool(kinds) or all(_are_all(ids, *DOES_CHORES) for ids in named)
    robots = robots and all(DOES_CHORES.issuperset(domains) for domains in kinds)
    return home if robots and (named or kinds) else set()


def _is_led_through(clause: Clause, place: int) -> bool:
    """Whether the first word of a cell, or the one before, leads no destination: "por casa"."""
    first = clause.cells[place].first
    said = clause.names.pack.phrases.get(clause.tokens[first].text, ())
    before = clause.cells[place - 1 : place] if place else ()
    return Role.BY in said or any(c.says(Role.BY) and not c.says(Role.TO) for c in before)


def _settled(clause: Clause, verb: Verb, said: set[int]) -> _Order:
    """The action that a verb stands for beside the other words of the clause, and the domains that these imply."""
    cells = said | clause.neutral
    action = verb
    implied: tuple[str, ...] = ()
    if verb in _CHORES:
        action, implied = Verb.START, _CHORES[verb]
    floors = clause.of(OnFloor) if action in (_ON, _OFF) else set()  # "éteins les lumières en bas" says where
    cells |= clause.particles(*_FITTING.get(action, ())) - clause.particles(*_AGAINST.get(action, ())) - floors
    if action in _WHOLLY and not clause.at(Verb.CLOSE):
        cells |= {i for i in clause.at(_ALL_OF_IT) if not _says_a_way(clause, i)}
    if action in _WITH and clause.particles(*_LOCKING):
        cells |= clause.at(_WITH[action])
    chores = clause.at(*_CHORES)
    if chores and action in (Verb.START, Verb.RETURN_TO_BASE, Verb.PAUSE, Verb.STOP, _ON):
        # where it cleans does not tell which one; where that is which is sent home does
        cells |= chores - (clause.of(OfKind) if action is Verb.RETURN_TO_BASE else set())
        implied = next(domains for chore, domains in _CHORES.items() if clause.at(chore))
    warmth = clause.at(Dimension.TEMPERATURE) | clause.at(Mode.HEAT, Mode.COOL)
    bare_warmth = {p for p in warmth if not clause.cells[p].has(OfKind)}
    if action is Verb.STOP:
        cells |= clause.at(*_ENDED)
        if warmth:
            # "stop heating": what is ended is the heating, not a movement
            action, implied, cells = _OFF, HEATERS, cells | warmth
    elif action is Verb.RETURN_TO_BASE:
        implied = implied or domains_for(action.value)
    elif bare_warmth and action in (_ON, _OFF, Verb.START):
        implied, cells = HEATERS, cells | bare_warmth
    media, sound = clause.at(Topic.MEDIA) - clause.of(OfKind), clause.at(Dimension.VOLUME)
    if media and action is _ON and said <= clause.at(Verb.DO):
        action = Verb.PLAY  # "pon música"
    if media and action in _OF_PLAYERS:
        implied, cells = PLAYERS, cells | media
    if sound and action in (Verb.MUTE, Verb.UNMUTE, _ON, _OFF):
        action, implied, cells = _SOUND.get(action, action), PLAYERS, cells | sound
    if action in (Verb.NEXT, Verb.PREVIOUS):
        implied, cells = implied or PLAYERS, cells | clause.at(Verb.PLAY)
    return _Order(action, frozenset(cells), implied)


def _says_a_way(clause: Clause, place: int) -> bool:
    """Whether a word of a cell says which way, so that nothing is off by it: "all the way up"."""
    cell, said = clause.cells[place], clause.names.pack.phrases
    words = [said.get(t.text, ()) for t in clause.tokens[cell.first : cell.end]]
    return any(c is Particle.UP or isinstance(c, Heading) for word in words for c in word)


def _frames(clause: Clause, order: _Order, extra: dict[Feature, float]) -> Iterator[Frame]:
    target = target_of(clause, order.cells)
    before = clause.antecedent if target.pronoun and clause.last is not None else None
    spoken = before.phrases if before is not None else ()
    if order.action is Verb.CLOSE and _are_all([i for p in spoken for i in p.entity_ids], LOCK):
        order = replace(order, action=Verb.LOCK)  # "he is in, close it again", of what was unlocked
    implied = order.implied
    if target.empty and not implied and clause.antecedent is None:
        implied = _OF_ONE_SORT.get(order.action, ())
    wanted = Wanted(order.action.value, (), implied)
    if implied == _CLEANERS and target.phrases and target.only_places:
        # the room is heard, and said not to count
        there = [e for p in target.phrases for e in members(p, clause.names, _CLEANERS)]
        scope = Scope(tuple((e.entity_id,) for e in there), Selector() if there else Selector(domains=_CLEANERS))
        grounded = ground(replace(target, phrases=()), wanted, clause.names)
        if there:
            grounded = Grounded(scope, TargetFit.EXACT, frozenset(e.entity_id for e in there))
        request = Request(Act.CONTROL, scope, action=order.action.value)
        yield frame(
            clause, ActKind.CONTROL, request, order.cells, target, grounded, {**extra, Feature.ROOM_IGNORED: 1.0}
        )
        return
    moves = _MOVED.get(order.action)
    moves = moves if moves and (target.only_places or target.everything) and order.cells & clause.at(moves) else None
    for meant, against in meanings(clause, target):
        if moves and ground(meant, Wanted(moves.value), clause.names).entity_ids:
            continue  # "ouvre le garage": what opens there, though one may "open" a lamp
        grounded = ground(meant, wanted, clause.names, clause.area_id)
        action = order.action
        if action is _OFF and order.cells & clause.at(Particle.OUT) and _are_all(grounded.entity_ids, "cover"):
            action = Verb.OPEN
        request = Request(Act.CONTROL, grounded.scope, action=action.value)
        yield frame(clause, ActKind.CONTROL, request, order.cells, meant, grounded, {**extra, **against})
    if target.empty and not implied and clause.antecedent is not None and not target.every:
        same = from_antecedent(target, clause.antecedent)
        grounded = ground(same, wanted, clause.names, clause.area_id)
        request = Request(Act.CONTROL, grounded.scope, action=order.action.value)
        yield frame(clause, ActKind.CONTROL, request, order.cells, same, grounded, {**extra, Feature.INHERITED: 1.0})


def _are_all(entity_ids: Collection[str], *domains: str) -> bool:
    return bool(entity_ids) and all(i.partition(".")[0] in domains for i in entity_ids)


def moving(clause: Clause) -> set[int]:
    """The indexes of verbs and particles that move something without a value."""
    verbs = clause.at(_ON, Verb.OPEN, Verb.CLOSE, Verb.START)
    return verbs | clause.particles(Particle.ON, Particle.UP, Particle.DOWN, Particle.OPENED, Particle.CLOSED)


def led(clause: Clause, place: int) -> set[int]:
    """The index of "to" right before a cell; empty where there is none."""
    return clause.next_to(place, Role.TO, Role.AT)


_SMALL = (Role.PRONOUN, Role.COURTESY, Role.FILLER, Role.JOIN)
_MOVED = {_ON: Verb.OPEN, _OFF: Verb.CLOSE}
"""What a verb says of what moves where it says the other of all else, in languages with one verb for both."""


class Stop(Protocol):
    """The request that a bare "stop" makes in the home as it is now; with ``only_moving`` for what moves only."""

    def __call__(self, *, only_moving: bool = False) -> Request: ...


def bare_stop(clause: Clause, stop: Stop, *, refuses: bool) -> Iterator[Frame]:
    """A frame for a clause that only says to stop.

    Where the sentence forbids something besides (``refuses``: "stop, don't close them"), only what moves is stopped.
    """
    said = {i for i in clause.at(Verb.STOP) if not clause.cells[i].has(Named, OfKind)}
    if not said or clause.asks or not all(i in said or c.says(*_SMALL) for i, c in enumerate(clause.cells)):
        return
    request = stop(only_moving=refuses)
    ids = frozenset(i for group in request.scope.named for i in group)
    grounded = Grounded(request.scope, TargetFit.EXACT, ids)
    act = {Act.CONTROL: ActKind.CONTROL, Act.TIMER: ActKind.TIMED}.get(request.act, ActKind.CHAT)
    yield frame(clause, act, request, range(len(clause.cells)), None, grounded)
