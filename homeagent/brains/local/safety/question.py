"""A question about safety as it was understood."""

from __future__ import annotations

from dataclasses import dataclass

from homeagent.brains.local.safety.kinds import Ask, Kind


@dataclass(frozen=True, slots=True)
class SafetyQuestion:
    """A question in a ``language``. ``kinds`` are what was asked about, ``also`` what is told only where it is amiss.

    ``mode``: the state of an alarm that is asked for ("armed_away"); empty: any that is armed.
    ``ask``: what is asked of each; None: how it is, without a yes or no. ``whole``: the safety of the home at large, so
    that what is fine is told in one word. ``sure``: whether all being fine is a yes (a closed window is not locked).
    ``second``: the sentence was not understood, and this is but what it names.
    """

    language: str
    kinds: tuple[Kind, ...]
    ask: Ask | None
    also: tuple[Kind, ...] = ()
    mode: str = ""
    whole: bool = False
    sure: bool = True
    second: bool = False
