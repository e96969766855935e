"""What the frames of one sentence make of each other: an order that is called off, a condition that an order fits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from homeagent.languages.concepts import Chat
from homeagent.understanding.frame import ActKind, Frame, without_refused
from homeagent.understanding.frames.redundant_conditions import fits
from homeagent.understanding.frames.timed_orders import led_together


def settled(frames: Sequence[Frame]) -> tuple[Frame, ...] | None:
    """The frames as they count beside each other; None where they cannot stand together."""
    made = led_together(_without_called_off(without_refused(frames)))
    acts = {f.act for f in made}
    if ActKind.FOLLOWING in acts and acts & {ActKind.ASKING, ActKind.PAST}:
        return None  # "and the TV, is it on?" is one question
    conditions = [f for f in made if f.act is ActKind.CONDITION]
    return made if all(fits(c, made) for c in conditions) else None


def _without_called_off(frames: Sequence[Frame]) -> tuple[Frame, ...]:
    """The frames without the orders before a "never mind"."""
    off = max((i for i, f in enumerate(frames) if _calls_off(f)), default=0)
    return tuple(replace(f, act=ActKind.ASIDE, request=None) if f.acts and i < off else f for i, f in enumerate(frames))


def _calls_off(frame: Frame) -> bool:
    return frame.act is ActKind.CHAT and frame.request is not None and frame.request.say == Chat.NOTHING.value
