"""From the words that say whom a request is about to entities of this home, or to what is missing.

Every word of the target has to be explained: by an entity's name, its area or floor, or the kind of thing it is.
What stays unexplained is a place or a thing that this home has not, and is never guessed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from homeagent.brains.language.reading import Reading
from homeagent.brains.local.things.catalog import Catalog
from homeagent.brains.local.things.fitting import Fit, fit, is_place, stem_at
from homeagent.brains.local.things.selecting import TOLD_APART, choose, values
from homeagent.ha.home import Home
from homeagent.privacy.said_codes import GUARDED
from homeagent.understanding.request import Scope
from indexer.entity import Entity
from indexer.mentions import MentionKind
from indexer.selector import Selector

_LIKE = TOLD_APART | {"water_heater"}
Accepts = Callable[[Entity], bool]


@dataclass(frozen=True, slots=True)
class Unknown:
    """What nothing in this home is called. ``place``: it was said where a room stands.

    ``kinds`` are set where the place is known and has nothing of these domains or device classes.
    """

    text: str
    place: bool = False
    kinds: tuple[str, ...] = ()
    whole: str = ""
    """All that was said of it, its place and its kind."""
    said_kinds: tuple[str, ...] = ()
    """The domains that the words named all the same: what is offered instead must be of them."""
    said_areas: tuple[str, ...] = ()


@dataclass(frozen=True)
class Ground:
    """What the words can be about: the home, the entities retrieved for the sentence, and where it was spoken."""

    home: Home
    catalog: Catalog
    retrieved: tuple[Entity, ...] = ()
    area_id: str | None = None
    last_entities: tuple[str, ...] = ()
    told: str = ""
    """What else was spoken of beside it, in no known words: "we are out of soap, put it on the list"."""

    @property
    def exposed(self) -> tuple[Entity, ...]:
        return self.catalog.entities

    def select(self, selector: Selector) -> tuple[Entity, ...]:
        """The set that a person means by a selector."""
        return self.catalog.sets.select(selector)


def ground(
    reading: Reading,
    around: Ground,
    domains: Sequence[str] = (),
    accepts: Accepts | None = None,
    without: Collection[int] = (),
) -> Scope | Unknown | None:
    """The scope that the target words say, among entities of these domains (none given: any) that are accepted.

    ``without``: positions that say something else. None: nothing was said that could be a target, or what was said is
    no one phrase.
    """
    main, excepted, shift = _around_except(reading)
    positions = tuple(p for p in main.target if p + shift not in without)
    scope = _scope(main, around, positions, domains, accepts)
    if isinstance(scope, Scope) and excepted is not None and excepted.target:
        return _without(scope, _excepted(excepted, scope, around), around)
    return scope


def _excepted(excepted: Reading, scope: Scope | Unknown | None, around: Ground) -> Scope | Unknown | None:
    """What is taken out: of what was meant, all that may be called so. Of "the TV" also what stands beside it by that
    word: what is spared too much can be switched by another word, what is switched too much is done."""
    members = entities_of(scope, around) if isinstance(scope, Scope) else ()
    if inside := all_among(excepted, members):
        return Scope(tuple((i,) for i in inside), every=True)
    found = _scope(excepted, around, excepted.target, (), None)
    if isinstance(found, Scope) and members and not _is_name(excepted, excepted.target):
        spared = {e.entity_id for e in entities_of(found, around)}
        if spared.isdisjoint(e.entity_id for e in members):
            # only something quite different is called so: what is to be spared would be done all the same
            return Unknown(excepted.words_at(excepted.target))
    return found


def all_among(reading: Reading, pool: Iterable[Entity], without: Collection[int] = ()) -> tuple[str, ...]:
    """The ids of all of ``pool`` that the target words may mean."""
    return tuple(f.entity.entity_id for f in _full(reading, pool, without))


def _full(reading: Reading, pool: Iterable[Entity], without: Collection[int] = ()) -> list[Fit]:
    """Those of ``pool`` that explain every target word."""
    positions = [p for p in reading.target if p not in without]
    if not positions:
        return []
    return [f for e in pool if len((f := fit(reading, e, positions)).explained) == len(positions)]


def entities_of(scope: Scope, around: Ground) -> tuple[Entity, ...]:
    """The entities that a scope means now."""
    named = [e for ids in scope.named for i in ids if (e := around.home.entity(i)) is not None]
    if named or not scope.is_set:
        return tuple(named)
    return around.select(scope.selector)


def _scope(
    reading: Reading, around: Ground, positions: Sequence[int], domains: Sequence[str], accepts: Accepts | None
) -> Scope | Unknown | None:
    if not positions:
        return None
    if named := _named_beside_kinds(reading, around, positions, domains, accepts):
        return named
    for near in (False, True):
        fits = _fits(reading, around, positions, domains, accepts, near=near)
        if full := [f for f in fits if len(f.explained) == len(positions)]:
            scope = choose(reading, around, full, positions, domains)
            return replace(scope, guessed=reading.words_at(positions)) if near and _of_others(reading, full) else scope
    parts = _parts(reading, positions)
    if len(parts) > 1:
        return _joined([_scope(reading, around, part, domains, accepts) for part in parts])
    return _missing(reading, fits, positions, domains)


def _of_others(reading: Reading, fits: Sequence[Fit]) -> bool:
    """Whether a word was said for players or heaters of one sort, which none of these is known to be."""
    return bool(TOLD_APART & {*values(reading, MentionKind.DOMAIN)}) and all(f.entity.domain in _LIKE for f in fits)


def _named_beside_kinds(
    reading: Reading, around: Ground, positions: Sequence[int], domains: Sequence[str], accepts: Accepts | None
) -> Scope | None:
    """ "The blinds and the bedroom curtain": a whole name beside a kind. Each is looked for on its own."""
    parts = _parts(reading, positions)
    names = [_is_name(reading, part) for part in parts]
    if not any(names) or all(names):
        return None
    places = [p for p in positions if is_place(reading, p)]
    scopes = []
    for part, named in zip(parts, names, strict=True):
        # "the lights and the radio in the kitchen": a kind without a place of its own has that of the others
        shares = not named and all(reading.kinds_at(p) for p in part)
        scopes.append(_scope(reading, around, sorted({*part, *places}) if shares else part, domains, accepts))
    known = [s for s in scopes if isinstance(s, Scope) and not s.guessed]
    if len(known) < len(scopes):
        return None
    groups = [g for s in known for g in (s.named or [(e.entity_id,) for e in entities_of(s, around)])]
    return Scope(tuple(dict.fromkeys(groups)), every=any(s.every or not s.named for s in known))


def _is_name(reading: Reading, part: Sequence[int]) -> bool:
    """Whether a part of the target is a whole name, its place aside."""
    names = [m for m in reading.of_kind(MentionKind.NAME) if m.score == 1]
    covered = [{i for i, w in enumerate(reading.words) if m.start < w.end and m.end > w.start} for m in names]
    own = {p for p in part if not is_place(reading, p)}
    return bool(own) and any(own <= c and c <= set(range(min(part), max(part) + 1)) for c in covered)


def _fits(
    reading: Reading,
    around: Ground,
    positions: Sequence[int],
    domains: Sequence[str],
    accepts: Accepts | None,
    *,
    near: bool,
) -> list[Fit]:
    wanted = [
        e
        for e in _pool(reading, around, positions)
        if (not domains or e.domain in domains) and (accepts is None or accepts(e))
    ]
    # What guards the home is only meant by its own words, or by an action that is its alone:
    # "open the garage door" must never come to mean a lock that is merely like a door
    guarded = GUARDED if tuple(domains) not in {(d,) for d in GUARDED} else frozenset()
    return [f for e in wanted if (f := fit(reading, e, positions, near=near and e.domain not in guarded)).explained]


def _pool(reading: Reading, around: Ground, positions: Sequence[int]) -> tuple[Entity, ...]:
    """What may be meant: with words of a name, only what bears them; else everything, or what is in the place."""
    own = [p for p in positions if not reading.kinds_at(p) and not is_place(reading, p)]
    if own:
        named = {v for m in reading.of_kind(MentionKind.NAME) for v in m.values}
        found = {i: e for i in named if (e := around.home.entity(i)) is not None and e.exposed}
        for position in own:
            found |= around.catalog.called(reading, position)
        return tuple(found.values())
    areas, floors = values(reading, MentionKind.AREA), values(reading, MentionKind.FLOOR)
    if not areas and not floors:
        return around.exposed
    here = [s for s in (Selector(area_ids=areas), Selector(floor_ids=floors)) if s != Selector()]
    called = {e.entity_id: e for p in positions for e in around.catalog.called(reading, p).values()}
    inside = {e.entity_id: e for s in here for e in around.catalog.sets.near(s)}
    return tuple((inside | called).values())


def _parts(reading: Reading, positions: Sequence[int]) -> list[list[int]]:
    """The target cut at joining words and commas: "the desk lamp and the floor lamp"."""
    joints = {p for s in reading.of("joiners", "alternatives") for p in s.positions}
    parts: list[list[int]] = [[]]
    for previous, position in zip((None, *positions), positions, strict=False):
        if previous is not None:
            between = reading.text[reading.words[previous].end : reading.words[position].start]
            if joints & set(range(previous + 1, position)) or set(between) & set(",、"):
                parts.append([])
        parts[-1].append(position)
    return [p for p in parts if p]


def _joined(scopes: Sequence[Scope | Unknown | None]) -> Scope | Unknown | None:
    if unknown := next((s for s in scopes if isinstance(s, Unknown)), None):
        return unknown
    known = [s for s in scopes if isinstance(s, Scope)]
    if guessed := next((s.guessed for s in known if s.guessed), ""):
        return Unknown(guessed)
    if known and all(s.named for s in known):
        return Scope(tuple(n for s in known for n in s.named), every=any(s.every for s in known))
    return None


def _missing(reading: Reading, fits: Sequence[Fit], positions: Sequence[int], domains: Sequence[str]) -> Unknown | None:
    """No entity explains every word. Say what is missing rather than take something that is merely near."""
    own = [p for p in positions if (not reading.kinds_at(p) or stem_at(reading, p)) and not is_place(reading, p)]
    if not own:
        places = [p for p in positions if is_place(reading, p)]
        kinds = values(reading, MentionKind.DEVICE_CLASS) or values(reading, MentionKind.DOMAIN) or tuple(domains[:1])
        return Unknown(reading.words_at(places), place=True, kinds=kinds, whole=reading.words_at(positions))
    if any(p in reading.said for p in range(min(positions), max(positions)) if p not in positions):
        return None  # not one phrase: too much was said that is not understood
    if not reading.of_kind(MentionKind.UNKNOWN_PLACE):
        return Unknown(
            reading.words_at(positions),
            said_kinds=values(reading, MentionKind.DOMAIN),
            said_areas=values(reading, MentionKind.AREA),
        )
    best = max(fits, key=lambda f: len(f.explained), default=None)
    missing = [p for p in own if best is None or p not in best.explained] or list(positions)
    return Unknown(reading.words_at(missing), place=True)


def _around_except(reading: Reading) -> tuple[Reading, Reading | None, int]:
    """What is meant and what is excepted, as readings of their own, and how far the first begins into the clause."""
    spot = next(iter(reading.of("except")), None)
    if spot is None:
        return reading, None, 0
    start, end, size = spot.positions[0], spot.positions[-1] + 1, len(reading.words)
    if reading.lexicon.except_after:
        return reading.part(end, size), reading.part(0, start), end
    return reading.part(0, start), reading.part(end, size), 0


def _without(scope: Scope, excluded: Scope | Unknown | None, around: Ground) -> Scope | Unknown | None:
    """The scope less what is excepted; a set keeps its shape, so that it can be said as a set."""
    if not isinstance(excluded, Scope):
        return excluded
    ids = tuple(e.entity_id for e in entities_of(excluded, around))
    if scope.named:
        return replace(scope, named=tuple(group for group in scope.named if not set(group) <= set(ids)))
    return replace(scope, selector=replace(scope.selector, exclude=ids), every=True)
