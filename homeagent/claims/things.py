"""Which things of the home a clause is about."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from homeagent.claims.claim import Claim, Need, Things
from homeagent.claims.claim_words import OPENINGS, Frame, Group, Mark, claim_words
from homeagent.claims.clause_reading import SURE, Clause
from homeagent.claims.facts import TurnFacts
from homeagent.claims.state_matching import PERSON
from homeagent.claims.thing_names import Names
from homeagent.domains import MIXED_SET_DOMAINS
from homeagent.domains.states import OPENS
from homeagent.ha.home import Home
from homeagent.languages.pack import load_pack
from indexer.entity import Entity
from indexer.lexicon import domains_of, lexicon
from indexer.mentions import Mention, MentionKind
from indexer.normalise import is_syllabic
from indexer.words import normalise, tokens, words

_SHORTEST_WORD = 3
_VERB_LAST = frozenset({"ko"})
_COMPOUNDING = frozenset({"de", "nl", "ko"})
"""Languages that write a name of several words as one."""
_SMALL = ("stop", "articles", "place", "units")
"""Lists of words that name nothing."""
_WHOLE = MIXED_SET_DOMAINS | OPENS
"""Domains that "everything" means, as far as their things can be in the state that is told."""


@dataclass(frozen=True, slots=True)
class LastNamed:
    """What an answer named last: things, and places."""

    ids: tuple[str, ...] = ()
    places: frozenset[str] = frozenset()


@dataclass(slots=True)
class ClaimContext:
    """What "it", "there" and "the lights" may mean. ``meant``: ids that the person's sentence was about."""

    home: Home
    names: Names
    facts: TurnFacts
    meant: tuple[str, ...]
    area_id: str | None = None
    last: LastNamed = field(default_factory=LastNamed)
    before: Claim | None = None
    """What was claimed last."""

    def name(self, clause: Clause) -> None:
        """Note what a clause names."""
        found = things_of(clause, self, Wanted(), lambda _: True)
        self.last = LastNamed(found.ids if found.named else self.last.ids, _places(clause) or self.last.places)

    def spoken_of(self) -> tuple[str, ...]:
        """Ids that the turn is about: what the answer named last, else what was or should have been changed, else
        what was looked up, else what the person named."""
        facts = self.facts
        targets = dict.fromkeys([*facts.done, *sorted(facts.left | facts.waiting)])
        return self.last.ids or tuple(targets or facts.seen or self.meant)


@dataclass(frozen=True, slots=True)
class Wanted:
    """How many things a clause tells of: ``whole`` ("everything"), ``some``, ``none`` of them; in the ``plural``."""

    whole: bool = False
    some: bool = False
    none: bool = False
    plural: bool = False

    @property
    def need(self) -> Need:
        """How many of the things must be as it is told: none, all (everything, or a plural without "some"), or any."""
        if self.none:
            return Need.NONE
        return Need.ALL if (self.whole or self.plural) and not self.some else Need.ANY


def things_of(clause: Clause, around: ClaimContext, wanted: Wanted, can: Callable[[Entity], bool]) -> Things:
    """The things that a clause is about. ``can`` tells whether a thing can be in what is told of it at all."""
    places = _places(clause) or (around.last.places if clause.marked(Mark.THERE) else frozenset())
    extra, strange = _by_words(clause, around.names)
    groups, absent = _named(clause, around, wanted, places, extra)
    if not groups and clause.of(Group.CHORE):
        groups = [found] if (found := _at_work(clause, around, ())) else []
    if not groups and extra:
        found = [e for i in extra if (e := around.home.entity(i))]
        groups = [_in(places, found) or found]
    if not groups and places:
        found = [e for e in _in(places, around.home.exposed()) if can(e)]
        groups = [_narrowed(found, around, wide=wanted.whole or wanted.none)]
    if not groups and (wanted.whole or wanted.none):
        copula = clause.framed(Frame.COPULA) or clause.language in _VERB_LAST
        people = not strange and copula  # "nobody is at home"
        groups = [
            [
                e
                for e in around.home.exposed()
                if e.in_plurals and (_of_everything(e) or (people and e.domain == PERSON)) and can(e)
            ]
        ]
    if not groups:
        groups = [found] if (found := _at_work(clause, around, strange)) else []
    named = bool(groups or absent)
    if not named:
        groups = [[e for i in around.spoken_of() if (e := around.home.entity(i))]]
    able = ([e.entity_id for e in group if can(e)] for group in groups)
    return Things(tuple(map(tuple, filter(None, able))), wanted.need, named, strange, absent)


def _at_work(clause: Clause, around: ClaimContext, strange: Sequence[str]) -> list[Entity]:
    """The things that are called after the work that is told of ("the washing"), or by a part of a long word of their
    names ("de machine": Wasmachine)."""
    words_ = claim_words(clause.language)
    chores = [w for s in clause.of(Group.CHORE) for w in (words_.chores[s.concept] if words_ is not None else ())]
    ids = frozenset[str]().union(*(around.names.within(normalise(w.strip("+"))) for w in chores))
    if not chores and clause.language in _COMPOUNDING:
        for word in strange:
            ids = ids or around.names.within(word)
    return [e for i in sorted(ids) if (e := around.home.entity(i))]


def of_a_kind(clause: Clause, around: ClaimContext, can: Callable[[Entity], bool]) -> tuple[tuple[str, ...], ...]:
    """The things that a number without a name is of: all that show its unit, those outside only where it is said so."""
    outside, inside = bool(clause.marked(Mark.OUTSIDE)), bool(clause.marked(Mark.INSIDE))
    found = [e for e in around.home.exposed() if can(e)]
    if outside or inside:
        pack = load_pack(clause.language)
        names = pack.outdoor_rooms if pack is not None else frozenset()
        found = [e for e in found if _is_outside(e, names) is outside]
    return (tuple(e.entity_id for e in found),) if found else ()


def _is_outside(entity: Entity, outdoors: frozenset[str]) -> bool:
    called = [*entity.names, *((entity.area.name,) if entity.area is not None else ())]
    return entity.domain == "weather" or any(name in normalise(text) for text in called for name in outdoors)


def _named(
    clause: Clause, around: ClaimContext, wanted: Wanted, places: Collection[str], extra: Collection[str]
) -> tuple[list[list[Entity]], frozenset[str]]:
    """The things that are called by a name, and those of a kind, a group for each mention; and the domains of a kind
    that the home has nothing of."""
    groups: list[list[Entity]] = []
    absent: set[str] = set()
    told = clause.spans(but=Group.ASPECT)
    for mention in clause.mentions:
        if mention.kind is MentionKind.NAME and mention.score >= SURE:
            found = [e for i in mention.values if (e := around.home.entity(i)) and e.exposed]
            groups.append(_in(places, found) or found)
    kinds = [
        m
        for m in clause.mentions
        if m.kind in (MentionKind.DOMAIN, MentionKind.DEVICE_CLASS) and (m.start, m.end) not in told
    ]
    for _, mentioned in groupby(kinds, key=lambda m: (m.start, m.end)):
        same = list(mentioned)
        plural = [e for e in around.home.exposed() if e.in_plurals]
        found = [e for e in plural if _is(e, same)] or [e for e in plural if not e.device_class and _is(e, same[:1])]
        found = _in(places, found) if places else found
        found = [e for e in found if e.entity_id in extra] or found
        if places and not (wanted.whole or wanted.none or wanted.plural):
            called = [e for e in found if any(e.entity_id in around.names.with_word(w) for w in words(same[0].text))]
            found = called if len(called) == 1 else found
        if exact := _called(clause, same[0], around.home):
            found = [e for e in exact if e in found] or exact
        if not found:
            ids = [around.names.called(w) for w in words(same[0].text)]
            found = [e for i in frozenset.intersection(*ids) if (e := around.home.entity(i))] if ids else []
            absent |= set() if found or places else {v for m in same if m.kind is MentionKind.DOMAIN for v in m.values}
        groups.append(_narrowed(found, around, wide=wanted.whole or wanted.none or bool(places)))
    return [group for group in groups if group], frozenset(absent)


def _places(clause: Clause) -> frozenset[str]:
    return frozenset(v for m in clause.mentions if m.kind in (MentionKind.AREA, MentionKind.FLOOR) for v in m.values)


def _called(clause: Clause, kind: Mention, home: Home) -> list[Entity]:
    """The things that bear the word for a kind as their name."""
    same = [m for m in clause.mentions if m.kind is MentionKind.NAME and (m.start, m.end) == (kind.start, kind.end)]
    return [e for m in same for i in m.values if (e := home.entity(i)) is not None and e.exposed]


def _narrowed(found: Sequence[Entity], around: ClaimContext, *, wide: bool) -> list[Entity]:
    """Of the things of a kind those that the turn is about, unless all of them are told of."""
    if not wide:
        for ids in (around.facts.done, around.facts.left | around.facts.waiting, around.facts.seen, around.meant):
            if near := [e for e in found if e.entity_id in ids]:
                return near
    return list(found)


def _in(places: Collection[str], found: Iterable[Entity]) -> list[Entity]:
    return [
        e for e in found
        if (e.area is not None and e.area.area_id in places) or (e.floor is not None and e.floor.floor_id in places)
    ]  # fmt: skip


def _is(entity: Entity, kinds: Sequence[Mention]) -> bool:
    domains = {v for m in kinds if m.kind is MentionKind.DOMAIN for v in m.values}
    classes = {v for m in kinds if m.kind is MentionKind.DEVICE_CLASS for v in m.values}
    return (not domains or bool(domains & set(domains_of(entity)))) and (not classes or entity.device_class in classes)


def _of_everything(entity: Entity) -> bool:
    if entity.domain == "binary_sensor":
        return entity.device_class in OPENINGS
    return entity.domain in _WHOLE


def _by_words(clause: Clause, names: Names) -> tuple[frozenset[str], tuple[str, ...]]:
    """Ids of the things that have words of the clause in their names, where these stand for nothing else; and the
    words that stand for nothing."""
    covered = [(m.start, m.end) for m in clause.mentions if m.kind is not MentionKind.UNKNOWN_PLACE]
    covered += clause.spans()
    small = lexicon(clause.language)
    ids: frozenset[str] = frozenset()
    strange: list[str] = []
    for token in tokens(clause.text):
        start, end = token.start + clause.start, token.end + clause.start
        if any(a < end and start < b for a, b in covered) or not token.text[0].isalpha():
            continue
        long = len(token.text) >= _SHORTEST_WORD or is_syllabic(token.text)
        if found := names.with_word(token.text) if long else frozenset():
            ids = (ids & found) or (ids | found)
        elif long and not any(small.has(kind, token.text) for kind in _SMALL):
            strange.append(token.text)
    return ids, tuple(strange)
