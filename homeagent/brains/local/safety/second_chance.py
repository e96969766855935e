"""The second chance: a question that nobody understood names things that guard the home, and is told how they are.

It judges nothing, says no yes or no, and never answers an order. That a thing is named is not enough: the sentence must
ask, and the words around must tell that it is a thing of this home, and that its state matters.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from homeagent.brains.language.lexicon import Spot, Word, fold
from homeagent.brains.language.reading import Reading
from homeagent.brains.local.meaning.understanding import is_question
from homeagent.brains.local.planning.plans import Plan
from homeagent.brains.local.safety.kinds import HAZARDS, WATCHING, Kind, SafetyWords, is_of, members_of, safety_words
from homeagent.brains.local.safety.meaning import SAID_OF, checked
from homeagent.brains.local.safety.question import SafetyQuestion
from homeagent.brains.local.safety.telling import planned
from homeagent.brains.local.things.grounding import Ground
from homeagent.brains.local.things.locks import lock_of
from homeagent.understanding.request import NOT_AHEAD, Act, Asked, Request, Scope
from indexer.entity import Entity
from indexer.mentions import Mention, MentionKind
from indexer.selector import Selector

_SURE = 0.75
_WATCHED = WATCHING | {Kind.MOTION, Kind.PRESENCE}
_NAMED = (*SAID_OF, Kind.MOTION, Kind.PRESENCE)
"""The kinds of which a thing can be named."""
_STUFF = frozenset({Kind.GAS, Kind.FIRE})
"""What is spoken of at large, too: "the gas is dearer"."""
_OF_KIND = frozenset({"none_there", "none_of_kind"})
_BREAKS = frozenset(",;:.!?…¿¡、。？！")


@dataclass(frozen=True)
class _Heard:
    """A sentence, its words as they were typed, and what they say of safety."""

    reading: Reading
    words: tuple[Word, ...]
    spots: tuple[Spot, ...]
    more: tuple[Spot, ...]
    """What only the second chance looks for."""

    def at(self, section: str) -> frozenset[int]:
        return frozenset(p for s in self.more if s.section == section for p in s.positions)

    def has(self, *sections: str) -> bool:
        return any(s.section in sections for s in self.more)

    def is_known(self, position: int) -> bool:
        """Whether something tells what a word means."""
        word = self.words[position]
        places = (*self.reading.of_kind(MentionKind.NAME, MentionKind.AREA, MentionKind.FLOOR),)
        return (
            any(position in s.positions for s in (*self.spots, *self.more))
            or self.reading.lexicon.is_filler(word.text)
            or any(_covers(m, word) for m in places)
        )

    def is_as_typed(self, position: int) -> bool:
        """Whether a word is what was typed, not what it may be a misspelling of."""
        return self.words[position].text == self.reading.words[position].text

    def is_foreign(self, position: int) -> bool:
        """Whether a word is a name that this home does not know."""
        if position >= len(self.words) or position in self.starts or self.is_known(position):
            return False
        return self.reading.text[self.words[position].start].isupper()

    def beside(self, position: int) -> range:
        """The part of the sentence that a word is in."""
        first = max(s for s in self.starts if s <= position)
        return range(first, min((s for s in self.starts if s > position), default=len(self.words)))

    @cached_property
    def starts(self) -> frozenset[int]:
        """Where a part of the sentence begins."""
        text, words = self.reading.text, self.words
        gaps = ((i, text[words[i - 1].end : words[i].start]) for i in range(1, len(words)))
        return frozenset({0} | {i for i, between in gaps if _BREAKS & set(between)})


def second_plan(plans: Sequence[Plan], reading: Reading, around: Ground) -> Plan | None:
    """What is told instead of the plans that a sentence led to; None where these say more, or it names nothing."""
    if any(not p.denies or (p.saying and p.saying.key == NOT_AHEAD) for p in plans):
        return None
    if (request := _request(reading, around)) is None:
        return None
    if not request.scope.named and any(p.question or (p.saying and p.saying.key in _OF_KIND) for p in plans):
        return None  # what is like it is offered, or it is so that there are none of a kind
    return planned(request, around)


def _request(reading: Reading, around: Ground) -> Request | None:
    """How the things are that a question names; None where it asks for nothing of them, or may be an order."""
    language = reading.lexicon.language
    known = safety_words(language)
    if known is None:
        return None
    heard = _heard(reading, known)
    if not _asks(heard):
        return None
    names = {m: things for m in reading.of_kind(MentionKind.NAME) if (things := _guarding(m, around, language))}
    said = _kinds(heard, names)
    named = {e.entity_id: e for things in names.values() for e in things}
    called = (_kind_of(e, language) for m in names if _tells(m, heard) for e in names[m])
    said = tuple(dict.fromkeys((*said, *(k for k in called if k is not None))))
    kinds = checked(said, _says(heard))
    if not kinds or (Kind.ALARM in kinds and (reading.numbers or reading.has("delays"))):
        return None  # "did I set an alarm for six"
    place = _place(heard, names)
    members = {kind: members_of(kind, around.exposed, language) for kind in kinds}
    if Kind.LOCK in kinds and Kind.LOCK not in said and named:
        # a door that was named stands for its own lock alone
        its = lock_of(named.values(), around.exposed)
        members[Kind.LOCK] = tuple(e for e in members[Kind.LOCK] if e is its)
        kinds = tuple(k for k in kinds if k is not Kind.LOCK or members[k])
    meant = {kind: _meant(kind, things, named, place) for kind, things in members.items()}
    found = dict.fromkeys(e.entity_id for things in meant.values() for e in things)
    if found:  # what is elsewhere only is not lacking
        kinds, place = tuple(k for k in kinds if meant[k] or not members[k]), Selector()
    scope = Scope(tuple((i,) for i in found), place, every=True)
    return Request(Act.QUERY, scope, asked=Asked.VALUE, safety=SafetyQuestion(language, kinds, None, second=True))


def _meant(kind: Kind, things: Sequence[Entity], named: Container[str], place: Selector) -> Sequence[Entity]:
    """Of the things of a kind those that were named, else those of the place; a detector of another place tells
    nothing."""
    there = [e for e in things if place.matches(e)]
    return [e for e in things if e.entity_id in named] or there or (() if kind in _WATCHED else things)


def _heard(reading: Reading, known: SafetyWords) -> _Heard:
    typed = tuple(replace(w, mark="", text=fold(reading.text[w.start : w.end])) for w in reading.words)
    return _Heard(reading, typed, known.lexicon.spot(typed), known.second.spot(typed))


def _asks(heard: _Heard) -> bool:
    """Whether it asks how something is, and neither orders, nor asks leave or for what is known at large."""
    reading, starts, looking = heard.reading, heard.starts, heard.at("looking")
    if heard.has("never") or any(s.section == "kinds" and s.concept == "other" for s in heard.spots):
        return False
    if heard.at("how") & starts or _is_told_of(heard):
        return False
    told = {p for s in heard.spots if s.section == "mine" for p in s.positions} | looking | heard.at("favour")
    doing = {p for s in reading.of("actions", "adjust", "set") if heard.is_as_typed(p := s.positions[0])} - told
    if doing & starts:
        return False
    if heard.has("favour") and not _wants_a_look(heard, doing):
        return False
    asking = heard.at("asking")
    return (
        any(mark in reading.text for mark in "?？")
        or is_question(reading)
        or heard.has("worry")
        or any(s.section == "indirect" for s in heard.spots)
        or bool(asking & {0, len(heard.words) - 1})
    )


def _wants_a_look(heard: _Heard, doing: Container[int]) -> bool:
    """Whether the favour is to look, and nothing else before it: "could you close it and tell me" is an order."""
    looking, favour = heard.at("looking"), heard.at("favour")
    if not looking or any(p in doing for p in range(min(looking))):
        return False
    names = heard.reading.of_kind(MentionKind.NAME)
    named = {p for s in (*heard.spots, *heard.more) if s.section == "kinds" for p in s.positions}
    named |= {p for p, w in enumerate(heard.words) if any(_covers(m, w) for m in names)}
    return min(looking) < min(named, default=len(heard.words)) or any(p + 1 in favour or p in favour for p in looking)


def _is_told_of(heard: _Heard) -> bool:
    """Whether a state belongs to something else behind it: in Korean "the shop that closed its door"."""
    states = {p for s in (*heard.spots, *heard.more) if s.section.startswith(("says.", "state")) for p in s.positions}
    ends = states & heard.at("relative")
    return any(p + 1 < len(heard.words) and p + 1 not in heard.starts and not heard.is_known(p + 1) for p in ends)


def _kinds(heard: _Heard, names: Iterable[Mention]) -> tuple[Kind, ...]:
    """The kinds that are surely asked about: what is said of them, or a word that makes them one's own, tells."""
    said = _says(heard)
    found = [Kind(s.concept) for s in heard.more if s.section == "kinds" and not _is_elsewhere(s.positions, heard)]
    found += [
        Kind(s.concept)
        for s in heard.spots
        if s.section == "kinds" and _is_own(Kind(s.concept), s.positions, said, heard, names)
    ]
    if Kind.PRESENCE in found:
        found.append(Kind.MOTION)
    return tuple(dict.fromkeys(found))


def _says(heard: _Heard) -> frozenset[str]:
    return frozenset(s.concept for s in heard.spots if s.section.startswith(("says.", "deeds.")))


def _is_own(kind: Kind, at: tuple[int, ...], said: frozenset[str], heard: _Heard, names: Iterable[Mention]) -> bool:
    first = at[0]
    if _is_elsewhere(at, heard) or _describes(at[-1] + 1, heard):
        return False
    if said & SAID_OF[kind] or (kind in HAZARDS and kind not in _STUFF):
        return True
    if kind in HAZARDS or first - 1 in heard.at("into") or {first - 1, first - 2} <= heard.at("own") | heard.at("into"):
        return False
    return heard.has("state", "worry") or any(_covers(m, heard.words[first]) and _tells(m, heard) for m in names)


def _is_elsewhere(at: tuple[int, ...], heard: _Heard) -> bool:
    """Whether the words around make it another thing, or put it out of this home: "the window of opportunity"."""
    after = at[-1] + 1
    into, own = heard.at("into"), heard.at("own")
    of = {p for s in heard.more if s.concept == "of" for p in s.positions}
    if after in of and after not in heard.starts:
        what = next((p for p in range(after + 1, len(heard.words)) if p not in own), None)
        if what is not None and not heard.is_known(what):
            return True
    around = heard.beside(at[0])
    if any(heard.is_foreign(p) and {p - 1, p - 2} & into for p in around):
        return True
    unknown = heard.reading.of_kind(MentionKind.UNKNOWN_PLACE)
    return any(heard.words[around[0]].start <= m.start < heard.words[around[-1]].end for m in unknown)


def _describes(after: int, heard: _Heard) -> bool:
    """Whether the word for a kind only describes an unknown one behind it: "oven gloves"."""
    return after < len(heard.words) and after not in heard.starts and not heard.is_known(after)


def _tells(mention: Mention, heard: _Heard) -> bool:
    """Whether a name is more than a word for a kind: "the back door", "Nuki"."""
    kinds = {p for s in heard.spots if s.section == "kinds" for p in s.positions}
    return any(_covers(mention, w) and p not in kinds for p, w in enumerate(heard.words))


def _covers(mention: Mention, word: Word) -> bool:
    return word.start < mention.end and word.end > mention.start


def _guarding(mention: Mention, around: Ground, language: str) -> tuple[Entity, ...]:
    """The things of a name that guard the home."""
    if mention.score < _SURE:
        return ()
    things = (around.home.entity(i) for i in mention.values)
    return tuple(e for e in things if e is not None and _kind_of(e, language) is not None)


def _kind_of(entity: Entity, language: str) -> Kind | None:
    return next((k for k in _NAMED if is_of(k, entity, language)), None)


def _place(heard: _Heard, names: Iterable[Mention]) -> Selector:
    """Where: the places that were said, unless they are a part of a name or of the word for a kind."""
    kinds = [heard.words[p] for s in heard.spots if s.section == "kinds" for p in s.positions]

    def said(kind: MentionKind) -> tuple[str, ...]:
        sure = (m for m in heard.reading.of_kind(kind) if m.score >= _SURE)
        own = (m for m in sure if not any(_covers(m, w) for w in kinds))
        return tuple(v for m in own if not any(m.start < n.end and m.end > n.start for n in names) for v in m.values)

    return Selector(area_ids=said(MentionKind.AREA), floor_ids=said(MentionKind.FLOOR))
