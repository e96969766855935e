"""The noun phrases of a clause: what their words say, not yet whom they mean in the home."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from homeagent.domains.person import PEOPLE
from homeagent.languages.concepts import (
    Amount,
    Colour,
    Count,
    Dimension,
    Heading,
    Level,
    Particle,
    Reference,
    Role,
    Share,
    StateWord,
    Topic,
    Verb,
    White,
)
from homeagent.understanding.clauses import THINGS, Clause
from homeagent.understanding.home_names import is_of
from homeagent.understanding.spans import Cell, InArea, Named, OfKind, OnFloor
from homeagent.understanding.unknown_words import (
    at_a_thing,
    behind_its_end,
    other_names,
    unknown_beside,
    unknown_in_place,
    unknown_object,
    unknown_owners,
    unknown_places,
    unknown_within,
)
from indexer.lexicon import Concept, told_apart
from indexer.words import words

_ENDING_A_PHRASE = (Verb, Particle, Heading, Count, Level, Share, Colour, White, Amount)


@dataclass(frozen=True, slots=True)
class Phrase:
    """One noun phrase. ``entity_ids``: the things whose name it fits; ``part``: by part of the name only. ``words``:
    those of the name and the kind; ``cells``: the indexes of its cells.
    """

    entity_ids: tuple[str, ...] = ()
    areas: tuple[str, ...] = ()
    floors: tuple[str, ...] = ()
    kinds: tuple[Concept, ...] = ()
    words: frozenset[str] = frozenset()
    plural: bool = False
    part: bool = False
    cells: tuple[int, ...] = ()

    @property
    def is_place(self) -> bool:
        """Whether it names nothing but a place."""
        return not self.entity_ids and not self.kinds

    @property
    def tells_no_sort(self) -> bool:
        """Whether its kind is one whose things only names or abilities tell apart ("heating": a thermostat)."""
        return not self.entity_ids and any(
            k.domain in told_apart() and k.device_class is None for c in self.kinds for k in c.kinds
        )


@dataclass(frozen=True, slots=True)
class Target:
    """What a clause is about. ``cells``: the indexes of all cells it explains; ``unknown``: those of unexplained words
    in its phrases; ``excepted``: what it excludes.
    """

    phrases: tuple[Phrase, ...] = ()
    every: bool = False
    everything: bool = False
    pronoun: bool = False
    here: bool = False
    whole_home: bool = False
    either: bool = False
    """Whether one of the phrases is meant, and not all."""
    excepted: Target | None = None
    unknown: frozenset[int] = frozenset()
    cells: frozenset[int] = frozenset()

    @property
    def empty(self) -> bool:
        """Whether it says nothing of whom it means: no phrase, no "everything", no pronoun."""
        return not (self.phrases or self.everything or self.pronoun)

    @property
    def parts(self) -> int:
        """How many phrases fit a name only in part."""
        return sum(p.part for p in self.phrases)

    @property
    def areas(self) -> tuple[str, ...]:
        """The ids of all areas in its phrases."""
        return tuple(a for p in self.phrases for a in p.areas)

    @property
    def floors(self) -> tuple[str, ...]:
        """The ids of all floors in its phrases."""
        return tuple(f for p in self.phrases for f in p.floors)

    @property
    def only_places(self) -> bool:
        """Whether its phrases are all mere places."""
        return all(p.is_place for p in self.phrases)


def target_of(clause: Clause, taken: Collection[int], first: int = 0, end: int | None = None) -> Target:
    """The target said by the cells from ``first`` up to ``end`` that are not ``taken`` by anything else."""
    key = (frozenset(taken), first, len(clause.cells) if end is None else end)
    if key not in clause.targets:
        clause.targets[key] = _target_of(clause, *key)
    return clause.targets[key]


def _target_of(clause: Clause, taken: Collection[int], first: int, stop: int) -> Target:
    place = clause.exception
    exception = place if first <= place < stop and place not in taken else None
    excepted = None
    cells: set[int] = set()
    if exception is not None:
        out = clause.excepted
        if clause.postpositions:
            excepted = target_of(clause, taken, max(first, out.start), exception)
            cells |= {exception} | excepted.cells | (clause.at(Role.NEGATION) & {*out})
            taken = {*taken, *out}
        else:
            end = min(stop, out.stop) if out.stop < len(clause.cells) else stop
            excepted = target_of(clause, taken, exception + 1, end)
            cells |= {exception} | excepted.cells | (clause.at(Role.NEGATION) & {*out})
            cells |= {i for i in clause.of(Particle, StateWord) if exception < i < end}
            taken, stop = ({*taken, *out}, stop) if end < stop else (taken, exception)
    served = frozenset(_served(clause, range(first, stop), taken))
    cells |= served
    taken = {*taken, *served}
    free = [i for i in range(first, stop) if i not in taken]
    groups = list(_groups(clause, first, stop, taken))
    all_but = exception is not None and clause.cells[exception].says(Role.EVERYTHING)
    all_but = all_but and not (clause.postpositions and groups)
    phrases = _shared(_placed([_phrase(clause, group) for group in groups], clause), clause)
    cells |= {i for p in phrases for i in p.cells}
    said = range(min(phrases[0].cells), max(phrases[-1].cells)) if len(phrases) > 1 else range(0)
    alternatives = {i for i in said if clause.cells[i].says(Role.OR)}
    cells |= alternatives
    roles = {role: {i for i in free if clause.cells[i].says(role)} for role in _TARGET_ROLES}
    roles[Role.PRONOUN] -= {i for i in roles[Role.PRONOUN] if _is_article(clause, i)}
    pronoun = bool(not phrases and roles[Role.PRONOUN])
    for role, places in roles.items():
        if role is not Role.PRONOUN or pronoun:
            cells |= places
    unknown = frozenset(
        (
            *unknown_within(clause, phrases, first, taken),
            *unknown_places(clause, first, stop, taken),
            *unknown_in_place(clause, phrases, first, stop, taken),
            *unknown_object(clause, phrases, first, taken),
            *unknown_beside(clause, phrases, taken),
            *behind_its_end(clause, phrases),
            *at_a_thing(clause, phrases),
            *unknown_owners(clause, first, stop, taken),
            *(i for group in groups for i in other_names(clause, group)),
        )
    )
    return Target(
        tuple(phrases),
        every=bool(roles[Role.EVERY] or roles[Role.EVERYTHING]) or all_but,
        everything=bool(roles[Role.EVERYTHING]) or all_but,
        pronoun=pronoun,
        here=bool(roles[Role.HERE]),
        whole_home=bool(roles[Role.WHOLE_HOME]),
        either=bool(alternatives),
        excepted=excepted,
        unknown=unknown,
        cells=frozenset(cells),
    )


def _served(clause: Clause, places: range, taken: Collection[int]) -> Iterator[int]:
    """The indexes of people for whom something is done to a thing named before them, and of the word that leads
    them: "turn on the lamp for Ben", "put the film on for the kids".
    """
    for i in places[:-1] if not clause.postpositions else ():
        led = clause.cells[i + 1]
        people = led.means(Role.STATEMENT) and not led.has(InArea)
        people = people or any(all(e.partition(".")[0] in PEOPLE for e in n.entity_ids) for n in led.all(Named))
        named = any(clause.cells[k].has(*THINGS) for k in range(places.start, i))
        if clause.cells[i].says(Role.SERVED) and people and named and not {i, i + 1} & {*taken}:
            yield from (i, i + 1)


def _is_article(clause: Clause, place: int) -> bool:
    """Whether a cell is an article: right before a noun or an unexplained word."""
    following = place + 1
    hangs = clause.tokens[clause.cells[place].first].hangs
    if hangs or following >= len(clause.cells) or clause.mark(following):
        return False
    return clause.cells[following].free or clause.cells[following].has(*THINGS, Topic, Dimension)


_TARGET_ROLES = (Role.EVERY, Role.EVERYTHING, Role.HERE, Role.WHOLE_HOME, Role.PRONOUN)


def _groups(clause: Clause, first: int, stop: int, taken: Collection[int]) -> Iterator[list[int]]:
    """The indexes of each phrase's cells: a mark, a conjunction or another constituent ends a phrase."""
    group: list[int] = []
    for i in range(first, stop):
        cell = clause.cells[i]
        here = _is_where(clause, i, [k for k in range(first, stop) if k not in taken])
        if i in taken:
            ends = cell.has(*_ENDING_A_PHRASE)
        elif cell.has(*THINGS) and not here:
            if group and clause.mark(i):
                yield group
                group = []
            group.append(i)
            if cell.says(Role.JOIN, Role.OR) and not cell.means(Role.JOIN, Role.OR):
                yield group
                group = []
            continue
        else:
            ends = cell.says(Role.JOIN, Role.OR) or bool(clause.mark(i))  # "the lamp, the fan and the radio"
        if ends and group:
            yield group
            group = []
    if group:
        yield group


def _is_where(clause: Clause, place: int, places: Sequence[int]) -> bool:
    """Whether a cell says "here" or "at home" rather than naming a thing: another thing is named. The same for "again"
    beside a pronoun.
    """
    cell = clause.cells[place]
    if cell.says(Reference.AGAIN) and clause.at(Role.PRONOUN) - {place}:
        return True
    if not cell.says(Role.HERE, Role.WHOLE_HOME, Reference.AGAIN) or cell.has(InArea, OnFloor, OfKind):
        return False
    return not cell.has(Named) or any(clause.cells[i].has(Named, OfKind) for i in places if i != place)


def _phrase(clause: Clause, group: Sequence[int]) -> Phrase:
    """What the words of one phrase say together: a kind narrows a name, a whole name outweighs its parts. A kind of
    several words ("smart bulb") names what is called so."""
    made = Phrase(cells=tuple(group))
    for i in group:
        cell = clause.cells[i]
        named, kind = cell.get(Named), cell.get(OfKind)
        places = cell.has(InArea, OnFloor)
        whole_name = named is not None and not named.part and len(group) == 1 and kind is None
        if places and not whole_name:
            made = replace(
                made,
                areas=_once(*made.areas, *(a.area_id for a in cell.all(InArea))),
                floors=_once(*made.floors, *(f.floor_id for f in cell.all(OnFloor))),
            )
            if kind is not None:
                made = _of_kind(made, kind, cell, clause)
        elif named is not None and (
            kind is None or not named.part or (len(_words(cell, clause)) > 1 and not kind.plural)
        ):
            both = tuple(e for e in made.entity_ids if e in named.entity_ids)
            ids = both or (made.entity_ids or named.entity_ids)
            said = made.words | _words(cell, clause)
            made = replace(made, entity_ids=ids, part=made.part or named.part, words=said)
            if kind is not None and named.part:
                made = _of_kind(made, kind, cell, clause)
        elif kind is not None:
            made = _of_kind(made, kind, cell, clause)
    if made.entity_ids and made.kinds:
        of_kinds = {i: e for k in made.kinds for i, e in clause.names.of_kind(k).items()}
        fitting = tuple(i for i in made.entity_ids if i in of_kinds)
        if not fitting and made.part:
            # of the kind what is called by all the words, whatever stands between them: "the front gate"
            fitting = tuple(i for i, e in of_kinds.items() if any(made.words <= set(words(n)) for n in e.names))
        # "the floor lamp" is no floor heating
        made = replace(made, entity_ids=fitting or (() if made.part else made.entity_ids))
    return made


def _of_kind(made: Phrase, kind: OfKind, cell: Cell, clause: Clause) -> Phrase:
    kinds, plural = (*made.kinds, *kind.concepts), made.plural or kind.plural
    return replace(made, kinds=kinds, words=made.words | _words(cell, clause), plural=plural)


def _words(cell: Cell, clause: Clause) -> frozenset[str]:
    return frozenset(t.text for t in clause.tokens[cell.first : cell.end])


def _once(*values: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(values))


def _placed(phrases: Sequence[Phrase], clause: Clause) -> list[Phrase]:
    """The phrases with the places that belong to them: a mere place that no conjunction joins to a phrase says where
    that is ("the lights off in the kitchen").
    """
    made: list[Phrase] = []
    for phrase in phrases:
        last = made[-1] if made else None
        leads = not made[:-1] and clause.cells[0].says(Role.PLACE) and last is not None and last.is_place
        if last is not None and last.is_place != phrase.is_place and (leads or not _joined(last, phrase, clause)):
            thing, place = (phrase, last) if last.is_place else (last, phrase)
            if not (thing.areas or thing.floors):
                cells = (*last.cells, *phrase.cells)
                made[-1] = replace(thing, areas=place.areas, floors=place.floors, cells=cells)
                continue
        same = _thing_of_kind(last, phrase, clause) if last is not None else None
        if last is not None and same is not None and not _joined(last, phrase, clause):
            made[-1] = replace(same, cells=(*last.cells, *phrase.cells))
            continue
        made.append(phrase)
    return made


def _thing_of_kind(one: Phrase, other: Phrase, clause: Clause) -> Phrase | None:
    """Of two phrases the one with a name, where the other only says its kind."""
    if _is_of_its_kind(one, other, clause):
        return other
    return one if not other.plural and _is_of_its_kind(other, one, clause) else None


def _is_of_its_kind(kind: Phrase, thing: Phrase, clause: Clause) -> bool:
    """Whether a mere kind describes the thing that is named ("a warmer light on the floor lamp")."""
    mere = bool(kind.kinds) and not (kind.entity_ids or kind.areas or kind.floors)
    entities = [clause.names.by_id[i] for i in thing.entity_ids if i in clause.names.by_id]
    return mere and bool(entities) and all(any(is_of(k, e) for k in kind.kinds) for e in entities)


def _joined(one: Phrase, other: Phrase, clause: Clause) -> bool:
    """Whether a conjunction or a mark stands between two phrases."""
    out = clause.excepted
    between = [i for i in range(max(one.cells) + 1, min(other.cells)) if i not in out]
    if clause.postpositions and clause.cells[max(one.cells)].says(Role.JOIN, Role.OR):
        return True
    return bool(clause.mark(min(other.cells))) or any(
        clause.mark(i) or (clause.cells[i].says(Role.JOIN, Role.OR, Role.EXCEPT) and not clause.cells[i].has(Heading))
        for i in between
    )


def _leads(phrase: Phrase, clause: Clause) -> bool:
    """Whether a phrase of several words begins with its place."""
    return len(phrase.cells) > 1 and clause.cells[min(phrase.cells)].has(InArea)


def _shared(phrases: Sequence[Phrase], clause: Clause) -> list[Phrase]:
    """The phrases with a kind ("the kitchen and hall lights") or a place that only one of several joined ones says
    given to all.
    """
    made = list(phrases)
    for i in range(len(made) - 1):
        one, other = made[i], made[i + 1]
        placed = bool(other.areas or other.floors)
        if one.is_place and other.kinds and not other.entity_ids and placed:
            made[i] = replace(one, kinds=other.kinds, words=other.words, plural=other.plural)
        elif other.is_place and one.kinds and not one.entity_ids:
            made[i + 1] = replace(other, kinds=one.kinds, words=one.words, plural=one.plural)
        elif one.areas and other.kinds and not (other.entity_ids or placed) and _leads(one, clause):
            made[i + 1] = replace(other, areas=one.areas, floors=one.floors)  # "the kitchen TV and lights"
        elif one.kinds and not one.entity_ids and not (one.areas or one.floors) and placed:
            made[i] = replace(one, areas=other.areas, floors=other.floors)
    return made
