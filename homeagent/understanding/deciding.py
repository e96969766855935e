"""Whether what a sentence is read as is done, asked about first, or left to other ways."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from homeagent.understanding.frame import ORDERS, ActKind, Feature, Frame
from homeagent.understanding.weights import Weights, weights

_SURE = frozenset(
    {
        *(ActKind.CONTROL, ActKind.SETTING, ActKind.STEPPING, ActKind.LIST, ActKind.FOLLOWING),
        *(ActKind.TIMED, ActKind.PLANNING),
    }
)


class Verdict(StrEnum):
    """What is done with the best reading: carry it out, ask first, or leave the sentence to other ways."""

    ACT = "act"
    ASK = "ask"
    HAND_OVER = "hand_over"


@dataclass(frozen=True, slots=True)
class Understanding:
    """One frame for each clause, and the sum of their costs."""

    frames: tuple[Frame, ...]
    cost: float

    @property
    def asking_for(self) -> tuple[Frame, ...]:
        """The frames to be answered or carried out: without asides and conditions, and beside an order without small
        talk and complaints.
        """
        beside = {ActKind.ASIDE, ActKind.CONDITION}
        if any(f.acts for f in self.frames):
            beside |= {ActKind.CHAT, ActKind.COMPLAINT}
        return tuple(f for f in self.frames if f.act not in beside)

    @property
    def qualified(self) -> bool:
        """Whether an order was given by others, or what was not read right behind it may change it."""
        said = [f for f in self.frames if Feature.COURTESY not in f.features or f.acts]
        set_too = {i for f in said if f.act is ActKind.SETTING for i in f.entity_ids}  # "but low, at ten percent"
        behind = (f for before, f in pairwise(said) if before.acts and not before.entity_ids & set_too)
        own = any({Feature.RELAYED, Feature.QUALIFIED} & f.features.keys() for f in said if f.acts)
        return own or any(Feature.QUALIFIED in f.features for f in behind)

    @property
    def talks(self) -> bool:
        """Whether it asks for nothing but a small-talk answer."""
        return bool(self.asking_for) and all(f.act is ActKind.CHAT for f in self.asking_for)

    @property
    def effect(self) -> frozenset[tuple[object, ...]]:
        """What it would do, whatever the words: readings with one effect are one."""
        return frozenset(effect for f in self.asking_for for effect in f.effects)


@dataclass(frozen=True, slots=True)
class Decision:
    """The verdict on a sentence. ``best`` is None where no reading was found."""

    verdict: Verdict
    best: Understanding | None = None
    sure: bool = False
    """Whether these are orders whose words are explained so well that no other reading has to be looked for."""
    done: tuple[Frame, ...] = ()
    """Of what is asked about the orders that are carried out, whatever the answer is."""

    @property
    def doubtful(self) -> bool:
        """Whether a frame that counts is doubtful, or there is none."""
        return self.best is None or any(f.doubtful for f in self.best.asking_for)


def decide(found: Sequence[Understanding], by: Weights | None = None) -> Decision:
    """What to do with the readings: act on the best where it is cheap enough and no other is near; where it is dearer,
    or a rival acts differently, ask, and do the part that is sure (`Decision.done`); else hand over.
    """
    if not found:
        return Decision(Verdict.HAND_OVER)
    limits = (by or weights()).decision
    best = found[0]
    wanted = best.asking_for
    if not wanted:
        talk = next((u for u in found if u.talks and u.cost <= best.cost + limits.talk), None)
        return Decision(Verdict.ACT if talk else Verdict.HAND_OVER, talk or best)
    dearest = max(f.cost for f in wanted)
    beside = best.cost - sum(f.cost for f in wanted)
    if any(f.vetoed for f in wanted) or beside > limits.beside or _contradict(wanted):
        return Decision(Verdict.HAND_OVER, best)
    rivals = [u for u in found[1:] if u.cost - best.cost < limits.margin and not _leaves_it_all(u, best)]
    rival = rivals[0] if rivals else None
    unsure = rival is not None and any(f.acts for f in (*wanted, *rival.asking_for))
    done: tuple[Frame, ...] = ()
    if dearest > limits.act or unsure:
        done = () if best.qualified else _sure_part(wanted, rivals)
        if not done and dearest > limits.ask:
            return Decision(Verdict.HAND_OVER, best)
    if any(f.refuses for f in wanted) and (len(wanted) > 1 or dearest > limits.act or unsure):
        return Decision(Verdict.HAND_OVER, best)
    if dearest > limits.act or unsure or best.qualified:
        return Decision(Verdict.ASK, best, done=done)
    sure = dearest <= limits.sure and all(_may_be_sure(f) for f in wanted)
    return Decision(Verdict.ACT, best, sure)


def _leaves_it_all(read: Understanding, best: Understanding) -> bool:
    """Whether all that is read is that nothing be done, where the best reading leaves some of the things alone that
    another part of the sentence is an order for."""
    kept = any(f.act is ActKind.ASIDE and f.entity_ids for f in best.frames)
    return kept and all(f.act is ActKind.REFUSAL for f in read.asking_for)


def _sure_part(wanted: Sequence[Frame], rivals: Sequence[Understanding]) -> tuple[Frame, ...]:
    """The orders that are carried out although the rest is asked about: sure ones that no near rival reading
    contradicts. Empty where the rest is anything but unknown things and orders for known ones.
    """
    done = tuple(f for f in wanted if is_done(f) and not any(_disputes(u, f) for u in rivals))
    rest = [f for f in wanted if f not in done]
    told = (f.act is ActKind.UNKNOWN or (f.act in ORDERS and f.acts and f.entity_ids) for f in rest)
    return done if all(told) else ()


def _may_be_sure(frame: Frame) -> bool:
    """Whether no other way need be tried: an order, or a question for the items of a list, without
    doubtful features.
    """
    shows = frame.act is ActKind.ASKING and frame.request is not None and frame.request.attribute == "items"
    return (frame.act in _SURE or shows) and not frame.doubtful


def _disputes(rival: Understanding, frame: Frame) -> bool:
    """Whether a reading acts at nearly the same cost and without what the order does."""
    acting = [f for f in rival.asking_for if f.acts]
    near = any(f.cost - frame.cost < weights().decision.margin for f in acting)
    return near and not set(frame.effects) <= rival.effect


def is_done(frame: Frame) -> bool:
    """Whether a frame is an order that is carried out as it stands: nothing forbids it, the home can do it, and it
    costs little enough.
    """
    return frame.acts and not frame.vetoed and not frame.refuses and frame.cost <= weights().decision.act


def _contradict(frames: Sequence[Frame]) -> bool:
    """Whether two frames set the same parameter of one thing to different values ("to green and red"), or one is for
    later, and another cannot wait: half of that would be left as it is.
    """
    if any(f.act is ActKind.LATER for f in frames) and any(f.act is ActKind.TIMED for f in frames):
        return True
    values: dict[tuple[str, str], object] = {}
    return any(
        values.setdefault((entity_id, parameter), value) != value
        for frame in frames
        if frame.acts and frame.request is not None and frame.act is not ActKind.LIST
        for parameter, value in frame.request.parameters.items()
        for entity_id in frame.entity_ids
    )
