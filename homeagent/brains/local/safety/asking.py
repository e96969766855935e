"""Whether a sentence asks about safety, about which kinds of things, where, and what of them.

Every word has to be understood; what is not may be what is asked about, and then others look at the sentence.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from homeagent.brains.language.likeness import place_words
from homeagent.brains.language.reading import Reading
from homeagent.brains.local.meaning.asking import form_of
from homeagent.brains.local.meaning.heard import heard_of
from homeagent.brains.local.meaning.understanding import is_question
from homeagent.brains.local.safety.hearing import Said, said_in
from homeagent.brains.local.safety.kinds import ASIDE, WATCHING, Ask, Kind, members_of, safety_words
from homeagent.brains.local.safety.meaning import meant_by
from homeagent.brains.local.safety.question import SafetyQuestion
from homeagent.brains.local.things.grounding import Ground
from homeagent.brains.local.things.locks import lock_of
from homeagent.understanding.request import Act, Asked, Asking, Past, Request, Scope, Tell
from indexer.entity import Entity
from indexer.mentions import Mention, MentionKind
from indexer.selector import Selector

_SURE = 0.75
_FORMS = frozenset({Asked.YESNO, Asked.ANY, Asked.ALL, Asked.WHICH, Asked.HOW_MANY, Asked.VALUE, Asked.WHERE})
_COUNTED = frozenset({Asked.WHICH, Asked.HOW_MANY})
_EXPLAINING = frozenset(
    {
        *("questions", "asking", "polite", "every", "house", "here", "negation", "copula", "joiners", "alternatives"),
        *("tellers", "past", "past_tense"),
    }
)
"""Sections of the language whose words add nothing to what is asked about."""
_AMISS = {
    "lock": ("unlocked", "unlocking", "open", "opening", "jammed"),
    "cover": ("open", "opening", "closing"),
    "valve": ("open", "opening", "closing"),
    "alarm_control_panel": ("triggered",),
}
"""The states of a domain that are looked for in the records; of all others it is "on"."""


def safety_request(reading: Reading, around: Ground) -> Request | None:
    """The question about safety that a clause asks; None where it asks something else, or more."""
    known = safety_words(reading.lexicon.language)
    said = said_in(reading, known) if known is not None else None
    if said is None or not _asks(reading, said):
        return None
    form, meant = form_of(reading), meant_by(said, reading)
    if meant is None or form not in _FORMS or (form in _COUNTED and (meant.ask is None or not said.says)):
        return None
    if Kind.GATE in meant.kinds and not meant.whole and not members_of(Kind.GATE, around.exposed, meant.language):
        # "das Tor" is that of the garage where there is no other
        meant = replace(meant, kinds=tuple(Kind.GARAGE if k is Kind.GATE else k for k in meant.kinds))
    heard = heard_of(reading, around)
    if heard is not None and (heard.causes is not None or heard.concepts - heard.deeds - {"aside"}):
        return None  # "who opened the gate", "how long", "all day"
    times = heard.times if heard is not None else ()
    timed = {i for i, w in enumerate(reading.words) if any(w.start < t.last and w.end > t.first for t in times)}
    where = _where(reading, around, said, meant)
    modes = frozenset(p for s in reading.of("modes", "to") for p in s.positions) if meant.mode else frozenset()
    if where is None or not _explained(reading, said, where.positions | timed | modes):
        return None
    kinds = [k for k in (*meant.kinds, *meant.also) if not (said.past and k in ASIDE)]
    things = dict.fromkeys(e.entity_id for k in kinds for e in where.among(k))
    if not things and where.called:
        return None  # something is called so, though it is no such thing
    scope = Scope(tuple((i,) for i in things), where.selector, every=True)
    request = Request(Act.QUERY, scope, asked=form, states=_amiss_states(meant), safety=meant)
    if not said.past:
        return None if timed - said.positions - modes else request
    watched = WATCHING.issuperset(meant.kinds) and meant.ask is Ask.AMISS
    if not watched and (not times or len(things) < 2 or meant.ask not in (Ask.AMISS, Ask.FINE)):
        return None  # what is recorded of a single door is told as of everything else
    asked = tuple(Asking(i, _AMISS.get(i.partition(".")[0], ("on",))) for i in things)
    return replace(request, past=Past(Tell.WHETHER, asked, times, tuple(reading.text[t.first : t.last] for t in times)))


def _asks(reading: Reading, said: Said) -> bool:
    """Whether it asks, be it by its mark alone, and orders nothing with another word."""
    if reading.has("questions", "other") or any(
        not set(s.positions) <= said.positions for s in reading.of("except", "future")
    ):
        return False
    orders = any(not set(s.positions) <= said.positions for s in reading.of("set", "actions"))
    return (
        "indirect" in said.concepts
        or is_question(reading)
        or (reading.text.rstrip().endswith(("?", "？")) and not orders)
    )


@dataclass(frozen=True)
class _Where:
    """Among which things a question looks: those that were named, those of a place, else all."""

    around: Ground
    language: str
    selector: Selector
    named: frozenset[str] = frozenset()
    called: bool = False
    """Whether something bears a name that is but the word for a kind."""
    positions: frozenset[int] = frozenset()

    def among(self, kind: Kind) -> list[Entity]:
        found = members_of(kind, self.around.exposed, self.language)
        return [e for e in found if self.selector.matches(e) and (not self.named or e.entity_id in self.named)]


def _where(reading: Reading, around: Ground, said: Said, meant: SafetyQuestion) -> _Where | None:
    """None where what is named is none of these kinds, or a place is not known or cannot be meant.

    A door that is asked whether it is locked stands for its lock.
    """
    areas, floors, named = _places(reading, said, MentionKind.AREA), _places(reading, said, MentionKind.FLOOR), []
    places: list[Mention] = [*areas, *floors]
    called = False
    for mention in reading.of_kind(MentionKind.NAME):
        covered = _positions(reading, mention)
        own = {p for p in covered - said.positions if not reading.lexicon.is_filler(reading.words[p].text)}
        if not own:
            called = called or (mention.score == 1 and bool(covered & said.kind_positions))
        elif mention.score >= _SURE and (area := _only_places(reading, own, mention, around)):
            places.append(replace(mention, values=area))
            areas.append(places[-1])
        elif mention.score >= _SURE:
            named.append(mention)
    if reading.of_kind(MentionKind.UNKNOWN_PLACE) or (said.leaves and (places or named)):
        return None  # "can I go to the kitchen"
    area_ids = {v for m in areas for v in m.values}
    if reading.has("here") and around.area_id:
        area_ids.add(around.area_id)
    ids = frozenset(i for m in named for i in m.values)
    positions = {p for m in (*places, *named) for p in _positions(reading, m)}
    selector = Selector(area_ids=tuple(area_ids), floor_ids=tuple({v for m in floors for v in m.values}))
    if not named:
        return _Where(around, reading.lexicon.language, selector, ids, called, frozenset(positions))
    where = _Where(around, reading.lexicon.language, Selector(), ids, called, frozenset(positions))
    found = {e.entity_id for k in meant.kinds for e in where.among(k)}
    things = [e for i in sorted(ids) if (e := around.home.entity(i)) is not None]
    if Kind.LOCK in meant.kinds and not found and (its := lock_of(things, around.exposed)) is not None:
        return replace(where, named=frozenset({its.entity_id}))
    return where if all(found & set(m.values) for m in named) else None


def _places(reading: Reading, said: Said, kind: MentionKind) -> list[Mention]:
    """The places that were said, the words aside that say what is asked about: "the garage is open"."""
    sure = (m for m in reading.of_kind(kind) if m.score >= _SURE)
    one = len(said.kinds) < 2
    return [
        m
        for m in sure
        if not _positions(reading, m) <= (said.positions if one else said.positions - said.kind_positions)
    ]


def _only_places(reading: Reading, own: set[int], mention: Mention, around: Ground) -> tuple[str, ...]:
    """The areas where a name that nearly fits says no more than these: "the kitchen windows"."""
    if mention.score == 1:
        return ()
    things = [e for i in mention.values if (e := around.home.entity(i)) is not None and e.area is not None]
    found = {
        e.area.area_id for e in things if e.area and {reading.words[p].text for p in own} <= set(place_words(e.area))
    }
    return tuple(found)


def _positions(reading: Reading, mention: Mention) -> set[int]:
    return {i for i, w in enumerate(reading.words) if w.start < mention.end and w.end > mention.start}


def _explained(reading: Reading, said: Said, more: frozenset[int]) -> bool:
    """Whether every word is understood."""
    aside = {p for s in reading.spots if s.section in _EXPLAINING for p in s.positions}
    return all(
        i in said.positions or i in more or i in aside or reading.lexicon.is_filler(w.text)
        for i, w in enumerate(reading.words)
    )


def _amiss_states(meant: SafetyQuestion) -> tuple[str, ...]:
    """The raw states that what is spoken of next may be in: after "is a window open?" "close it" means that one."""
    if meant.ask in (Ask.ARMED, Ask.DISARMED):
        return (meant.ask.value,)
    states = {Kind.LOCK: ("unlocked",), Kind.ALARM: ("triggered",)}
    return tuple(dict.fromkeys(s for k in meant.kinds for s in states.get(k, ("open", "on"))))
