"""What counts of a sentence that was written otherwise than it was said: another row of words that sounds like it.

It is tried only where the words as they are written come to nothing, and it counts only where it is then read as a
whole: before a guess by meaning where all of it sounds exactly as what was written, and then a question is answered and
an order carried out; behind it where it only nearly does, and then an order is offered. Nothing is unlocked, opened or
switched off that guards the home.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

from homeagent.brains.local.frame_plans import NONE, FramePlanner, FramePlans, offered
from homeagent.brains.local.planning.plans import Plan
from homeagent.brains.local.surroundings import Surroundings
from homeagent.languages.concepts import Verb
from homeagent.policy.openings import is_way_in
from homeagent.safety.dangers import guards_of, protects
from homeagent.understanding.deciding import Verdict
from homeagent.understanding.frame import ActKind, Feature, Frame
from homeagent.understanding.hearing import Hearing, hearings
from homeagent.understanding.previous_turn import PreviousTurn
from homeagent.understanding.tokeniser import Sentence, tokenise
from indexer.entity import Entity
from indexer.words import words

_MOST_WORDS = 20
_MOST_SECONDS = 0.05
"""So much of the processor reading other rows of words may take."""
_RIVAL = 0.3
"""Another row of words this near with another effect: it is asked."""
_SAFE = frozenset({Verb.LOCK.value, Verb.CLOSE.value, Verb.ARM.value})
_IDLE = frozenset({ActKind.CHAT, ActKind.COMPLAINT, ActKind.REFUSAL, ActKind.LATER, ActKind.UNKNOWN})
_OPEN = frozenset({ActKind.LIST, ActKind.PLANNING, ActKind.TIMED, ActKind.MAKING})
_DOUBTED = frozenset(
    {
        *(Feature.HEARD, Feature.STRANGER, Feature.LEFT_UNKNOWN, Feature.LEFT_WORD, Feature.LEFT_NOUN),
        *(Feature.LEFT_QUESTION, Feature.LEFT_STATEMENT, Feature.NO_ITEM, Feature.NO_VALUE),
    }
)


@dataclass(frozen=True, slots=True)
class HeardAgain:
    """The words that were read in place of those that were written, and what comes of them. ``alike``: they sound
    exactly so."""

    text: str
    plans: tuple[Plan, ...]
    alike: bool


@dataclass(frozen=True, slots=True)
class _Reading:
    heard: Hearing
    read: FramePlans
    frames: tuple[Frame, ...]

    @property
    def cost(self) -> float:
        return self.heard.cost + sum(f.cost for f in self.frames)

    @property
    def effect(self) -> frozenset[tuple[object, ...]]:
        return frozenset(effect for f in self.frames for effect in f.effects)


def hear_again(
    framing: FramePlanner,
    text: str,
    language: str,
    around: Surroundings,
    last: PreviousTurn | None,
    first: FramePlans,
) -> HeardAgain | None:
    """What a sentence means that was misheard; None where the ``first`` reading of it stands. Blocks."""
    names = framing.names(language)
    sentence = tokenise(text)
    if names is None or len(sentence.tokens) > _MOST_WORDS or not _lacks(first):
        return None
    found: list[_Reading] = []
    until = time.thread_time() + _MOST_SECONDS
    for heard in hearings(sentence, names):
        if found and (heard.alike is not found[0].heard.alike or heard.cost > found[0].heard.cost + _RIVAL):
            break
        found += _whole(heard, framing.read(heard.text, language, around, last), sentence, last)
        if time.thread_time() > until:
            break
    if not found:
        return None
    best = min(found, key=lambda r: r.cost)
    sure = best.heard.alike and not any(r.effect != best.effect and r.cost - best.cost < _RIVAL for r in found)
    plans = _plans(best, around, sure=sure)
    return HeardAgain(best.heard.text, plans, best.heard.alike) if plans else None


def _plans(best: _Reading, around: Surroundings, *, sure: bool) -> tuple[Plan, ...]:
    """The plans of a reading: an answer, what is done where it is ``sure`` and harmless, else an offer of one order."""
    doing = [f for f in best.frames if f.acts]
    guarded = [f for f in doing if any(_guards(e, around) for e in _things(f, around))]
    if any(f.request is None or f.request.action not in _SAFE for f in guarded):
        return ()
    if (not doing and best.heard.alike) or (sure and not guarded):
        return best.read.plans
    later = any(f.request is not None and f.request.timing is not None for f in doing)
    return () if later else offered(best.read, around)  # what would be set for later is not told in a question


def _lacks(first: FramePlans) -> bool:
    """Whether a sentence as it is written has no reading that is sure enough, or one that says what is missing."""
    if first.best is not None and first.best.qualified:
        return False
    certain = first.decision is not None and first.decision.verdict is Verdict.ACT
    return not certain or (first.lost and not first.talks)


def _whole(heard: Hearing, read: FramePlans, written: Sentence, last: PreviousTurn | None) -> Iterator[_Reading]:
    """The reading of a row of words that explains all of it and comes to something, and takes nothing back."""
    if read.decision is None or read.decision.verdict is not Verdict.ACT or read.lost:
        return
    if all(p.saying is not None and p.saying.key in NONE for p in read.plans):
        return  # what the home has none of was hardly meant
    frames = read.best.asking_for if read.best is not None else ()
    doubted = any(_DOUBTED & f.features.keys() or f.act in _IDLE or _takes_down(f, heard, written) for f in frames)
    takes_back = last is not None and any(f.request is not None and f.request == last.undo for f in frames)
    if frames and not doubted and not takes_back:
        yield _Reading(heard, read, frames)


def _takes_down(frame: Frame, heard: Hearing, written: Sentence) -> bool:
    """Whether a heard word would stand in what is put on a list or said: there any word may be meant."""
    said = {t.text for t in tokenise(heard.text).tokens} - {t.text for t in written.tokens}
    parameters = frame.request.parameters if frame.request is not None and frame.act in _OPEN else {}
    return any(not said.isdisjoint(words(str(value))) for value in parameters.values())


def _guards(entity: Entity, around: Surroundings) -> bool:
    return bool(guards_of(entity)) or protects(entity) or is_way_in(entity, around.home.areas.values())


def _things(frame: Frame, around: Surroundings) -> Iterator[Entity]:
    yield from (e for i in frame.entity_ids if (e := around.home.entity(i)) is not None)
