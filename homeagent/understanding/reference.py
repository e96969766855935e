"""Whom a clause means by words that lean on what was said before: "it", "both", "the other one", "the kitchen ones"."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from homeagent.languages.concepts import Amount, Dimension, Ordinal, Question, Reference, Role, Topic
from homeagent.understanding.clauses import THINGS, Clause
from homeagent.understanding.frame import Feature, Features
from homeagent.understanding.grounding import from_antecedent, in_area, members
from homeagent.understanding.home_names import HomeNames, is_of
from homeagent.understanding.noun_phrases import Phrase, Target
from homeagent.understanding.previous_turn import PreviousTurn
from homeagent.understanding.spans import Cell, InArea, OnFloor, Span
from homeagent.understanding.value_changes import SCALES
from indexer.entity import Entity
from indexer.words import words

_SURE: Features = {}
_DEARER: Features = {Feature.INHERITED: 1.0}
_TELLS = "sensor"
_SETS = {d.value: SCALES[d].domains[0] for d in (Dimension.TEMPERATURE, Dimension.HUMIDITY)}
"""By what a sensor tells: the domain of what sets it."""
_SHORTEST = 3
"""A word of fewer letters is the beginning of too much."""


def meanings(clause: Clause, target: Target) -> Iterator[tuple[Target, Features]]:
    """The targets that a clause's target may stand for, each with what counts against it: what was spoken of before
    where it points there, else itself.
    """
    last = clause.last
    pointed = list(pointed_at(clause, target, last)) if last is not None else []
    there = None if pointed else place_meant(clause, target)
    asks = clause.asks or bool(clause.of(Question))
    if there is not None and (asks or not target.pronoun):
        pointed.append(there)
    yield from ((p, _SURE) for p in pointed)
    if there in pointed and not target.pronoun:
        return
    against = _DEARER if pointed else _SURE
    lost = clause.at(Reference.BOTH) and not target.phrases
    if lost or (not pointed and not asks and any(_says_there(c) and not c.has(InArea, OnFloor) for c in clause.cells)):
        # both of nothing is not everything, and what is nowhere is not everywhere
        one = tuple(replace(p, plural=p.plural and bool(p.entity_ids or p.areas or p.floors)) for p in target.phrases)
        target = replace(target, every=False, phrases=one)
    yield (from_antecedent(target, clause.antecedent) if target.pronoun else target), against
    if there is not None and there not in pointed:
        yield there, _DEARER


def pointed_at(clause: Clause, target: Target, last: PreviousTurn) -> Iterator[Target]:
    """The targets that the words pick out of what was spoken of before; none where no word points there."""
    bare = not (target.phrases or target.here or target.whole_home or target.excepted)
    said = clause.at(Reference.OTHER) - once_more(clause)
    if said:
        if rest := _without_the_named(clause, target, last):
            yield _each(rest, target, said | clause.at(Role.PRONOUN))
        else:
            yield from _one_of(others(clause, target, last), target, said, clause)
    elif bare and (said := clause.at(Reference.BOTH)) and last.two:
        yield _each(last.two, target, said)
    elif bare and (place := next(clause.said(Ordinal), None)) and (row := _row(last)):
        yield from _by_place(row, place, target, clause)
    elif bare and target.every and last.several and (not target.everything or not last.orders):
        yield _each(last.several, target, set())
    elif clause.at(Question.WHICH, Question.HOW_MANY) and bare and (target.pronoun or not target.everything):
        if kin := tuple(e.entity_id for e in last.kin(clause.names)):
            yield _each(kin, target, clause.at(Reference.LEFT, Role.PRONOUN))
    elif target.phrases and target.only_places and (back := _back(target, last, clause)):
        yield _each(back, target, clause.at(Reference.AGAIN))
    elif target.phrases and (said := clause.at(Role.PRONOUN, Reference.ONES) - _articles(clause, target)):
        yield from _ones(clause, target, last, said)
    elif _is_that(target, last, clause):
        yield from _one_of(last.entity_ids, target, set(), clause)
    elif bare and target.pronoun and (free := _called_one(clause)):
        found = likest(clause, last.kin(clause.names))
        yield from _one_of(found, target, free, clause)


def once_more(clause: Clause) -> set[int]:
    """The indexes of the words for "more", and of "another" right before a little: "another notch"."""
    return clause.at(Reference.MORE) | {i for i in clause.at(Reference.OTHER) if i + 1 in clause.of(Amount)}


def _is_that(target: Target, last: PreviousTurn, clause: Clause) -> bool:
    """Whether "the lamp" is the one that an order was for right before, where the speaker may mean that."""
    thing = clause.names.by_id.get(last.entity_ids[0]) if len(last.entity_ids) == 1 and last.orders else None
    if thing is None or not last.fresh or len(target.phrases) != 1 or target.every or target.excepted or target.here:
        return False
    phrase = target.phrases[0]
    by_kind = bool(phrase.kinds) and not (phrase.entity_ids or phrase.areas or phrase.floors or phrase.plural)
    near = clause.area_id is None or (thing.area is not None and thing.area.area_id == clause.area_id)
    told = by_kind and bool(clause.next_to(min(phrase.cells), Role.ARTICLE)) and not target.unknown
    return told and near and any(is_of(k, thing) for k in phrase.kinds)


def chosen(clause: Clause, target: Target, candidates: Sequence[str]) -> tuple[str, ...]:
    """The ids of the candidates that an answer means: all ("both"), one by its position, or those that its words fit.
    Empty where it fits none or all of several.
    """
    pool = [clause.names.by_id[i] for i in candidates if i in clause.names.by_id]
    if target.phrases:
        found = picked(clause, target, pool)
        return found if len(found) < len(candidates) or len(candidates) == 1 else ()
    if target.every or clause.at(Reference.BOTH):
        return tuple(candidates)
    place = next((ordinal.place for _, ordinal in clause.said(Ordinal)), None)
    if place is not None and -len(candidates) <= place < len(candidates):
        return (candidates[place],)
    return picked(clause, target, pool)


def picked(clause: Clause, target: Target, pool: Sequence[Entity]) -> tuple[str, ...]:
    """The ids of the things in the pool that a clause means by names, kinds and places, else by likeness; of several
    that these fit, where a single one is meant, the one that it is most like.
    """
    found = among(target, pool) if target.phrases else likest(clause, pool)
    if len(found) < 2 or means_several(clause, target):
        return found
    best = likest(clause, [clause.names.by_id[i] for i in found])
    return best if len(best) == 1 else found


def the_one_meant(cells: Sequence[Cell], last: PreviousTurn, spoken: Target | None) -> tuple[str, ...]:
    """The ids of the things of which a pronoun means one, after several were ``spoken`` of: the only one that was
    excepted, else all that were, or all spoken of, for a word that is never said of several. Empty where it may mean
    them all.
    """
    alone = any(c.says(Reference.THAT_ONE) for c in cells)
    spoken_of = tuple(i for p in spoken.phrases for i in p.entity_ids) if spoken is not None else ()
    if not (alone or len(spoken_of) > 1) or any(c.says(Reference.THEM, Reference.BOTH) for c in cells):
        return ()
    if any(c.says(Reference.AGAIN) for c in cells):
        return spoken_of if alone else ()  # what was excepted is as it was
    said = alone or (len(last.spared) == 1 and any(c.says(Role.PRONOUN) for c in cells))
    return (last.spared or spoken_of) if said else ()


def means_several(clause: Clause, target: Target) -> bool:
    """Whether more than one thing may be meant."""
    several = bool(clause.at(Reference.ONES, Reference.BOTH))
    return several or target.every or any(p.plural for p in target.phrases)


def likest(clause: Clause, pool: Iterable[Entity]) -> tuple[str, ...]:
    """The ids of the things to whose names most words of the clause belong, or begin a word of these ("bed" for
    "Bedside lamp", "Bad" for "Badezimmer"); a word of the area counts less than one of the thing. Empty where all of
    several are alike.
    """
    said = {t.text for c in clause.cells if c.free or c.has(*THINGS) for t in clause.tokens[c.first : c.end]}
    said = {w for w in said if len(w) >= (1 if clause.postpositions else _SHORTEST)}
    likeness = {e.entity_id: sum(_likeness(w, e) for w in said) for e in pool}
    most = max(likeness.values(), default=0)
    found = tuple(i for i, alike in likeness.items() if alike == most)
    return found if most and (len(found) < len(likeness) or len(likeness) == 1) else ()


def _likeness(word: str, entity: Entity) -> int:
    """2 for a word of a thing's own names, 1 for one of its area's, 0 for others."""
    own = {w for name in apart_from_place(entity) for w in words(name)}
    if any(w.startswith(word) for w in own):
        return 2
    return int(any(w.startswith(word) for n in _all_names(entity) for w in words(n)))


def among(target: Target, pool: Iterable[Entity]) -> tuple[str, ...]:
    """The ids of the things in the pool that the phrases fit; empty where a phrase fits none of them."""
    everything = tuple(pool)
    found: dict[str, None] = {}
    for phrase in target.phrases:
        fitting = [e.entity_id for e in in_area(everything, phrase.areas, phrase.floors) if _fits(phrase, e)]
        if not fitting:
            return ()
        found.update(dict.fromkeys(fitting))
    return tuple(found)


def _without_the_named(clause: Clause, target: Target, last: PreviousTurn) -> tuple[str, ...]:
    """The ids of the things spoken of before without those of them that the sentence names ("leave the lamp on, and the
    others off"); empty where it names none of them.
    """
    spoken = [clause.names.by_id[i] for i in last.several if i in clause.names.by_id]
    named = among(clause.antecedent, spoken) if clause.antecedent is not None else ()
    rest = [e for e in spoken if e.entity_id not in named] if named else []
    return among(target, rest) if target.phrases else tuple(e.entity_id for e in rest)


def others(clause: Clause, target: Target, last: PreviousTurn) -> tuple[str, ...]:
    """The ids of the things like those spoken of, without these ("the other one"): of the choices offered before, and
    in the same area where an order has any there.
    """
    names = clause.names
    spoken = [names.by_id[i] for i in last.entity_ids if i in names.by_id]
    domains = {e.domain for e in spoken}
    kin = last.kin(names) or tuple(e for e in names.entities if e.in_plurals and e.domain in domains)
    if target.phrases:
        fitting = among(target, kin)
        kin = tuple(e for e in kin if e.entity_id in fitting)
    pool = [e for e in kin if e not in spoken and (not last.offered or e.entity_id in last.offered)]
    near_by = {e.area for e in spoken} - {None}
    asks = bool(clause.of(Question)) or not (last.orders or len(spoken) < 2)
    near = [] if asks else [e for e in pool if e.area in near_by]
    return tuple(e.entity_id for e in near or pool)


def with_place_told(cells: tuple[Cell, ...], told: Target | None, names: HomeNames) -> tuple[Cell, ...]:
    """The cells where "there" also says the one area, else the one floor, of what was told before."""
    if told is None or not any(_says_there(c) for c in cells):
        return cells
    spoken = [e for p in told.phrases if not p.areas for e in members(p, names)]
    areas = {a for p in told.phrases for a in p.areas} | {e.area.area_id for e in spoken if e.area is not None}
    floors = {f for p in told.phrases for f in p.floors} | {e.floor.floor_id for e in spoken if e.floor is not None}
    place = InArea(areas.pop()) if len(areas) == 1 else OnFloor(floors.pop()) if len(floors) == 1 else None
    return cells if place is None else tuple(_at_place(c, place) if _says_there(c) else c for c in cells)


def _says_there(cell: Cell) -> bool:
    return cell.means(Reference.THERE) and not cell.says(Role.ARTICLE)  # without its accent it may be one


def _at_place(cell: Cell, place: InArea | OnFloor) -> Cell:
    return Cell(cell.first, cell.end, (Span(cell.first, cell.end, place), *cell.readings))


def rooms(names: HomeNames, *, inside: bool) -> tuple[str, ...]:
    """The ids of all areas that are indoors, or outdoors; empty where all are of one sort."""
    areas = {e.area.area_id: e.area for e in names.entities if e.area is not None}
    called = {i: {w for name in (a.name, *a.aliases) for w in words(name)} for i, a in areas.items()}
    found = tuple(i for i in areas if called[i].isdisjoint(names.pack.outdoor_rooms) is inside)
    return found if len(found) < len(areas) else ()


def setting_of(ids: Sequence[str], names: HomeNames) -> tuple[str, ...]:
    """The id of the one thing that sets what an area's sensor measures: after "how warm is it there", "up to 22" means
    the thermostat. Empty where there is not exactly one.
    """
    told = [names.by_id[i] for i in ids if i in names.by_id]
    areas = {e.area.area_id for e in told if e.area is not None}
    domains = {_SETS.get(e.device_class or "", "") if e.domain == _TELLS else "" for e in told}
    if len(areas) != 1 or "" in domains:
        return ()
    found = tuple(e.entity_id for e in names.in_areas(areas) if e.domain in domains)
    return found if len(found) == 1 else ()


def _row(last: PreviousTurn) -> tuple[str, ...]:
    """The ids that "the first" counts in: of the last turn, else of the last two things."""
    return last.entity_ids if len(last.entity_ids) > 1 else last.two if len(last.two) == 2 else ()


def _by_place(ids: Sequence[str], said: tuple[int, Ordinal], target: Target, clause: Clause) -> Iterator[Target]:
    place = said[1].place
    if -len(ids) <= place < len(ids):
        yield _each((ids[place],), target, {said[0]} | clause.at(Role.PRONOUN))


def _ones(clause: Clause, target: Target, last: PreviousTurn, said: set[int]) -> Iterator[Target]:
    """The things that the phrases fit ("the kitchen ones"): of those spoken of, else of their kind; with "back" those
    that were changed lately.
    """
    told = [clause.names.by_id[i] for i in last.several if i in clause.names.by_id]
    found = picked(clause, target, told) or among(target, last.kin(clause.names))
    if clause.at(Reference.AGAIN):
        found = next((ids for turn in last.lately if (ids := tuple(i for i in found if i in turn))), found)
    before = last.request.scope if last.request is not None else None
    many = len(last.entity_ids) > 1 or (before is not None and before.is_set) or clause.at(Reference.ONES)
    if many and target.only_places:
        yield from (_each(found, target, said) for _ in range(bool(found)))
    else:
        yield from _one_of(found, target, said, clause)


def _back(target: Target, last: PreviousTurn, clause: Clause) -> tuple[str, ...]:
    """The things in the place named that a recent turn changed, for "turn the kitchen back on"."""
    if not clause.at(Reference.AGAIN):
        return ()
    known = clause.names.by_id
    lately = ([known[i] for i in turn if i in known] for turn in last.lately)
    return next((found for turn in lately if (found := among(target, turn))), ())


def _articles(clause: Clause, target: Target) -> set[int]:
    """The indexes of pronouns right before a name or a kind, where they are articles ("die Lampe")."""
    named = {min(p.cells) for p in target.phrases if not p.is_place}
    return {i for i in clause.at(Role.PRONOUN) if i + 1 in named and not clause.cells[i].has(Ordinal)}


def _called_one(clause: Clause) -> set[int]:
    """The index of an unexplained word right before a pronoun ("the bedroom one")."""
    ones = clause.at(Role.PRONOUN)
    return {i for i, c in enumerate(clause.cells) if c.free and i + 1 in ones and not clause.mark(i + 1)}


def place_meant(clause: Clause, target: Target) -> Target | None:
    """The target in all areas indoors or outdoors; None where it says neither."""
    if any(p.entity_ids or not p.kinds for p in target.phrases):
        return None
    for concept, inside in ((Reference.INDOORS, True), (Topic.OUTDOORS, False)):
        if (open_to := clause.at(concept)) and (found := rooms(clause.names, inside=inside)):
            return _placed(target, Phrase(areas=found), open_to)
    return None


def _placed(target: Target, place: Phrase, said: set[int]) -> Target:
    """The target's kinds in a place; the place alone where it has none."""
    phrases = tuple(replace(p, areas=place.areas, floors=place.floors) for p in target.phrases) or (place,)
    return replace(_replaced(target, phrases, said), every=target.every)


def _each(ids: Sequence[str], target: Target, said: set[int]) -> Target:
    return replace(_replaced(target, tuple(Phrase(entity_ids=(i,)) for i in ids), said), every=True)


def _one_of(ids: Sequence[str], target: Target, said: set[int], clause: Clause) -> Iterator[Target]:
    """A target of one thing, or of several of which one is to be chosen."""
    if ids:
        yield _replaced(target, (Phrase(entity_ids=tuple(ids)),), said | clause.at(Role.PRONOUN))


def _replaced(target: Target, phrases: tuple[Phrase, ...], said: set[int]) -> Target:
    cells = target.cells | said
    unknown = target.unknown - said
    return replace(target, phrases=phrases, cells=cells, unknown=unknown, every=False, everything=False, pronoun=False)


def _fits(phrase: Phrase, entity: Entity) -> bool:
    """Whether a phrase may mean a thing by its name or kind, places aside."""
    if phrase.entity_ids:
        called = phrase.words and any(phrase.words <= set(words(n)) for n in _all_names(entity))
        return entity.entity_id in phrase.entity_ids or bool(called)
    return not phrase.kinds or any(is_of(k, entity) for k in phrase.kinds)


def apart_from_place(entity: Entity) -> set[str]:
    """The names of a thing without the words of its area."""
    area = entity.area
    place = {w for n in ((area.name, *area.aliases) if area is not None else ()) for w in words(n)}
    return {" ".join(w for w in words(name) if w not in place) for name in entity.names} - {""}


def _all_names(entity: Entity) -> tuple[str, ...]:
    area = entity.area
    return (*entity.names, *((area.name, *area.aliases) if area is not None else ()))
