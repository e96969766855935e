"""The frames of a sentence as plans: what `homeagent.understanding` is sure of, in the home as it is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

from homeagent.brains.local.meaning.request import Act, Request, Scope
from homeagent.brains.local.planning.planning import plan
from homeagent.brains.local.planning.plans import Plan
from homeagent.brains.local.things.grounding import Ground
from homeagent.ha.home import Home
from homeagent.languages.pack import load_pack
from homeagent.understanding.choosing import Around, Decision, Verdict, decide, understand
from homeagent.understanding.frame import ActKind, Frame
from homeagent.understanding.names import HomeNames
from homeagent.understanding.tokens import tokenise

_MOST_OFFERED = 5
"""More things than these are not offered to be told something: a yes must not do more than was read out."""


class Framing:
    """Understands sentences by competing frames; keeps the names of the home, a language each."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self._names: dict[str, HomeNames] = {}

    def forget(self) -> None:
        """Read the home's names anew before the next sentence."""
        self._names = {}

    def warm(self, language: str) -> None:
        """Read the pack and the home's names, so that the first sentence does not wait for it."""
        self._known(language)

    def decision(self, text: str, language: str, around: Ground) -> Decision | None:
        """What is understood of a sentence; None for a language without a pack."""
        names = self._known(language)
        if names is None:
            return None
        today = datetime.now(self._home.config.time_zone).date()
        return decide(understand(tokenise(text), Around(names, today, around.area_id, around.last_entities)))

    def plans(self, decision: Decision, around: Ground) -> tuple[Plan, ...]:
        """The plans of what is sure, or a question where it is not quite; none where it is left to others."""
        if decision.best is None or decision.verdict is Verdict.HAND_OVER:
            return ()
        wanted = decision.best.asking_for
        if decision.verdict is Verdict.ASK and any(f.acts for f in wanted):
            offered = _offer(wanted[0]) if len(wanted) == 1 else None
            return (plan(offered, around),) if offered is not None else ()
        return tuple(plan(r, around) for r in _requests(wanted))

    def _known(self, language: str) -> HomeNames | None:
        pack = load_pack(language)
        if pack is None:
            return None
        if pack.language not in self._names:
            home = self._home
            self._names[pack.language] = HomeNames(
                home.entities.values(), home.areas.values(), home.floors.values(), pack
            )
        return self._names[pack.language]


def _requests(wanted: tuple[Frame, ...]) -> Iterator[Request]:
    """What the frames ask for, each thing once."""
    seen: set[tuple[object, ...]] = set()
    for frame in wanted:
        if frame.request is not None and frame.effect not in seen:
            seen.add(frame.effect)
            yield frame.request


def _offer(frame: Frame) -> Request | None:
    """The order as a question that a yes carries out; None where it is not known whom exactly it is for."""
    request = frame.request
    if request is None or frame.act is ActKind.LIST or not 0 < len(frame.entity_ids) <= _MOST_OFFERED:
        return None
    scope = Scope(tuple((i,) for i in sorted(frame.entity_ids)), every=True)
    return replace(request, act=Act.SAY, scope=scope, say="suggest", words={"what": ""})
