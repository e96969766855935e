"""What is to be played by its title, and what is to be made by a thing that is there for it."""

from __future__ import annotations

from collections.abc import Iterator

from homeagent.languages.concepts import Dimension, Heading, Level, Particle, Purpose, Role, ShoppingWord, Topic, Verb
from homeagent.understanding.clauses import Clause
from homeagent.understanding.frame import ActKind, Feature, Frame
from homeagent.understanding.frame_costs import frame
from homeagent.understanding.frames.control import PLAYERS
from homeagent.understanding.grounding import Grounded, TargetFit, Wanted, ground, in_area
from homeagent.understanding.noun_phrases import target_of
from homeagent.understanding.request import About, Act, Request, Scope
from homeagent.understanding.spans import InArea, Named, NoPlace, OfChoice, OfKind, OnFloor
from indexer.entity import Entity
from indexer.words import normalise

_EACH_WORD = 0.3
_NEAR = 3
_OF_TITLES = frozenset({Verb.DO, Verb.HEAR, Verb.PLAY, Verb.MAKE})
_NO_TITLE = (OfKind, Named, InArea, Level, Dimension, Heading, Particle, Topic)
_PLAYERS_SAID = (Named, OfKind, InArea)
_PLAYING = frozenset({Verb.HEAR, Verb.PLAY})
_MAKERS = frozenset({"switch", "button", "script"})
_DOMAINS = {
    Purpose.COFFEE: _MAKERS,
    Purpose.CHARGING: _MAKERS,
    Purpose.WATERING: frozenset({"switch", "valve", "script"}),
    Purpose.WATER: frozenset({"valve"}),
    Purpose.GAS: frozenset({"valve"}),
    Purpose.WAKING: frozenset({"input_datetime", "time", "sensor"}),
}
"""What serves a purpose."""
_LET_THROUGH = (Purpose.WATER, Purpose.GAS)
"""What only flows: it is not made, but let in or shut off."""
_BEGUN = (Verb.TURN_ON, Verb.OPEN, Verb.START)
_ENDED = (Verb.TURN_OFF, Verb.CLOSE, Verb.LOCK, Verb.STOP)
_CLOSED = (Particle.OFF, Particle.CLOSED)


def playing(clause: Clause) -> Iterator[Frame]:
    """A frame for what is to be played: everything behind "play" up to the player is the title, whatever its words mean
    elsewhere.

    Where the verb ends the clause the title stands before it; behind a copula the clause tells something.
    """
    verb = min(clause.at(Verb.HEAR) or _begun(clause), default=None)
    if verb is None:
        return
    if clause.postpositions:
        yield from _playing_at_the_end(clause, max(clause.at(Verb.HEAR)))
        return
    first, count = verb + 1, len(clause.cells)
    before = 0
    if all(c.says(Role.COURTESY, Role.FILLER) for c in clause.cells[verb + 1 :]):
        opened, count = _opened(clause, verb), verb
        if any(c.says(Role.COPULA) for c in clause.cells[opened:verb]):
            return
        first = _behind_a_place(clause, opened, verb)
        before = first if first > opened else 0
        if any(v not in _OF_TITLES for i in range(opened, verb) for v in clause.cells[i].all(Verb)):
            return  # "stop playing"
    player = next((i for i in range(first, count) if _leads_to_a_player(clause, i)), count)
    target = target_of(clause, (), 0, before) if before else target_of(clause, range(player), player)
    title = [i for i in range(first, player) if not clause.cells[i].says(Role.COURTESY, Role.TIME)]
    while title and clause.cells[title[-1]].says(Role.PLACE, Role.FILLER):
        title.pop()
    if not title or all(_is_no_title(clause, i) for i in title) or _is_of_a_thing(clause, verb, title[0]):
        return
    if all(clause.cells[i].has(OfChoice) for i in title):
        return  # it is one of a player's sources
    if clause.cells[verb].says(Verb.DO) and {i for n in clause.numbers for i in n.cells}.issuperset(title):
        return  # "mets vingt-trois" sets what was spoken of
    parameters = {"media_content_id": clause.text(title[0], title[-1]), "media_content_type": "music"}
    grounded = ground(target, Wanted("play_media", tuple(parameters), PLAYERS), clause.names, clause.area_id)
    request = Request(Act.CONTROL, grounded.scope, action="play_media", parameters=parameters)
    extra = {Feature.OPEN_TEXT: _EACH_WORD * len(title)}
    yield frame(clause, ActKind.MEDIA, request, {*range(player), verb}, target, grounded, extra)


def _begun(clause: Clause) -> set[int]:
    """The indexes of verbs like "start", where a word for music and unexplained words beside them
    make a title likely.
    """
    told = any(cell.free for cell in clause.cells) and clause.at(Topic.MEDIA)
    return clause.at(Verb.START, Verb.TURN_ON) if told and not clause.postpositions else set()


def _behind_a_place(clause: Clause, first: int, end: int) -> int:
    """The index behind a leading player or area; ``first`` where none leads."""
    if not _leads_to_a_player(clause, first):
        return first
    of_place = (Role.PLACE, Role.FILLER)
    return next((i for i in range(first, end) if not (clause.cells[i].says(*of_place) or _is_whom(clause, i))), end)


def _is_whom(clause: Clause, place: int) -> bool:
    return clause.cells[place].has(Named, OfKind, InArea)


def _opened(clause: Clause, verb: int) -> int:
    """The index of the first cell before the verb that is more than a courtesy, a filler or a conjunction."""
    small = (Role.COURTESY, Role.FILLER, Role.JOIN, Role.STATEMENT)
    return next(
        (i for i in range(verb) if not clause.cells[i].says(*small) and not clause.cells[i].says(Verb.DO)), verb
    )


def _playing_at_the_end(clause: Clause, verb: int) -> Iterator[Frame]:
    """The same with the verb at the end: the title is what stands before it, without the player that a postposition
    marks.
    """
    player: set[int] = set()
    for i in range(verb):
        if clause.cells[i].has(*_PLAYERS_SAID) and clause.cells[i].says(Role.PLACE, Role.TO):
            player.add(i)
            while i and clause.cells[i - 1].has(*_PLAYERS_SAID):
                i -= 1
                player.add(i)
    small = (Role.COURTESY, Role.FILLER, Role.TIME, Role.JOIN)
    title: list[int] = []
    for i in range(verb - 1, -1, -1):
        cell = clause.cells[i]
        if i in player or (cell.means(*small) and not cell.free):
            if title:
                break
            continue
        title.insert(0, i)
    if not title or all(_is_no_title(clause, i) for i in title) or _is_whom(clause, title[-1]):
        return
    target = target_of(clause, set(range(len(clause.cells))) - player)
    parameters = {"media_content_id": clause.text(title[0], title[-1]), "media_content_type": "music"}
    grounded = ground(target, Wanted("play_media", tuple(parameters), PLAYERS), clause.names, clause.area_id)
    request = Request(Act.CONTROL, grounded.scope, action="play_media", parameters=parameters)
    extra = {Feature.OPEN_TEXT: _EACH_WORD * len(title)}
    cells = {*title, verb} | clause.neutral
    yield frame(clause, ActKind.MEDIA, request, cells, target, grounded, extra)


def _leads_to_a_player(clause: Clause, place: int) -> bool:
    following = clause.cells[place + 1 : place + _NEAR]
    return clause.cells[place].says(Role.PLACE) and any(c.has(Named, OfKind, InArea) for c in following)


def _is_of_a_thing(clause: Clause, verb: int, first: int) -> bool:
    """Whether the verb has another meaning and a thing as its object: a thing's whole name, or behind "put" anything
    with an article where no word says music.
    """
    cells = clause.cells
    others = {v for v in cells[verb].all(Verb) if v not in _PLAYING}
    opening = next((c for c in cells[first:] if not c.says(Role.FILLER) or c.has(Named)), cells[first])
    named = opening.get(Named)
    if others and named is not None and not named.part:
        return True
    return Verb.DO in others and cells[first].says(Role.FILLER) and not clause.at(Topic.MEDIA)


def _is_no_title(clause: Clause, place: int) -> bool:
    cell = clause.cells[place]
    return cell.has(*_NO_TITLE) or cell.says(Role.FILLER, Role.PLACE, Role.PRONOUN)


def making(clause: Clause) -> Iterator[Frame]:
    """A frame for a purpose ("water the garden"): the things of a class or name that serve it are turned on, or off."""
    if clause.at(ShoppingWord.BUY, ShoppingWord.GONE):
        return  # "buy coffee"
    for purpose in [p for p in Purpose if p is not Purpose.WAKING]:
        said = clause.at(purpose)
        ends = (clause.at(*_ENDED) - clause.at(Verb.MAKE)) | clause.particles(*_CLOSED)
        begins = clause.at(*_BEGUN) | clause.particles(Particle.ON, Particle.OPENED)
        if not said or (purpose in _LET_THROUGH and not (ends or begins)) or (purpose is Purpose.COFFEE and ends):
            continue
        verbs = clause.neutral | clause.at(Verb.MAKE) | (ends or begins)
        ids = frozenset(e.entity_id for e in serving(purpose, clause))
        cells = said | verbs | {i for i, n in clause.said(Named) if set(n.entity_ids) & ids}
        cells |= clause.at(Role.EVERY) | {p for n in clause.numbers if not n.of_time for p in n.cells}
        others = clause.of(Named, OfKind) - cells - clause.of(InArea, OnFloor)
        if others and purpose is not Purpose.COFFEE:
            continue
        cells |= clause.of(InArea, OnFloor, NoPlace)
        if purpose is Purpose.COFFEE:
            cells |= _with(clause, max(said))
        strangers = [i + 1 for i in said if _is_free(clause, i + 1) and i + 1 not in cells and not clause.mark(i + 1)]
        unsaid = purpose is Purpose.COFFEE and not verbs and not clause.at(Role.COURTESY)
        extra = {Feature.WITHOUT_VERB: 1.0} if unsaid else {}
        if strangers:
            extra[Feature.UNKNOWN_IN_PHRASE] = float(len(strangers))  # "the coffee roaster"
        if ids:
            every = bool(clause.at(Role.EVERY))
            scope = Scope(tuple((i,) for i in sorted(ids)), every=True) if every else Scope((tuple(sorted(ids)),))
            request = Request(Act.CONTROL, scope, action="turn_off" if ends else "turn_on")
            yield frame(clause, ActKind.MAKING, request, cells, None, Grounded(scope, TargetFit.EXACT, ids), extra)
        elif purpose in _LET_THROUGH:
            request = Request(Act.SAY, say="none_of_kind", about=About(kinds=("valve",)))
            yield frame(clause, ActKind.UNKNOWN, request, cells, extra=extra)


def _with(clause: Clause, place: int) -> set[int]:
    """The indexes of how a drink should be ("with two sugars"): everything from "with" or "without" on."""
    leads = [i for i in clause.at(Role.WITH, Role.NEGATION) if i > place]
    return set(range(min(leads), len(clause.cells))) if leads else set()


def _is_free(clause: Clause, place: int) -> bool:
    return place < len(clause.cells) and clause.cells[place].free


def serving(purpose: Purpose, clause: Clause) -> list[Entity]:
    """The things that serve a purpose by device class or name, in the places said if any of them are there."""
    found = [e for e in clause.names.entities if e.domain in _DOMAINS[purpose] and _serves(purpose, e, clause)]
    if purpose is Purpose.WATER:
        found = [e for e in found if not _serves(Purpose.WATERING, e, clause)] or found
    areas, floors = [a.area_id for _, a in clause.said(InArea)], [f.floor_id for _, f in clause.said(OnFloor)]
    return in_area(found, areas, floors) or found


def _serves(purpose: Purpose, entity: Entity, clause: Clause) -> bool:
    called = clause.names.pack.things_for.get(purpose, frozenset())
    return entity.device_class == purpose.value or any(t in normalise(n) for n in entity.names for t in called)
