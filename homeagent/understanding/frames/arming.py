"""Orders to an alarm: to watch, in a way that is said or else as for nobody at home, and to watch no more."""

from __future__ import annotations

from collections.abc import Iterator

from homeagent.languages.concepts import ArmingMode, Particle, Role, Verb
from homeagent.understanding.clauses import Clause
from homeagent.understanding.frame import ActKind, Feature, Frame
from homeagent.understanding.frame_costs import frame
from homeagent.understanding.grounding import Wanted, ground
from homeagent.understanding.noun_phrases import target_of
from homeagent.understanding.request import Act, Request
from homeagent.understanding.spans import Named, OfKind

_PANELS = ("alarm_control_panel",)


def arming(clause: Clause) -> Iterator[Frame]:
    """Frames that arm an alarm in the mode said (else away) or disarm it, by its own verb or as a mode it is set to."""
    panels = _panels(clause)
    verbs = {v: clause.at(v) for v in (Verb.ARM, Verb.DISARM) if clause.at(v)}
    if not verbs and panels and clause.of(ArmingMode):
        verbs = {Verb.ARM: clause.neutral | clause.at(Verb.TURN_ON)}
    for verb, said in verbs.items():
        if not said or (verb is Verb.ARM and clause.at(Verb.DISARM)):
            continue
        guards = [(i, g) for i, g in clause.said(ArmingMode) if i not in said]
        if len({g for _, g in guards}) > 1 or (guards and verb is Verb.DISARM):
            continue
        action = f"arm_{guards[0][1].value if guards else ArmingMode.AWAY.value}" if verb is Verb.ARM else verb.value
        cells = said | {i for i, _ in guards} | (clause.at(Role.TIMER) if panels else set()) | clause.neutral
        cells |= clause.at(Role.TO) if guards else set()
        cells |= clause.particles(Particle.ON if verb is Verb.ARM else Particle.OFF)
        target = target_of(clause, cells - panels)
        grounded = ground(target, Wanted(action, (), _PANELS), clause.names, clause.area_id)
        request = Request(Act.CONTROL, grounded.scope, action=action)
        # a word that nobody knows may be the way that is meant
        unknown = any(c.free for i, c in enumerate(clause.cells) if i not in cells | target.cells)
        extra = {Feature.UNKNOWN_IN_PHRASE: 1.0} if unknown and verb is Verb.ARM else {}
        yield frame(clause, ActKind.CONTROL, request, cells, target, grounded, extra=extra)


def _panels(clause: Clause) -> set[int]:
    """The indexes of words for one of the home's alarms."""
    named = {i for i, n in clause.said(Named) if all(e.partition(".")[0] in _PANELS for e in n.entity_ids)}
    return named | {i for i, k in clause.said(OfKind) if any(set(_PANELS) & set(c.domains) for c in k.concepts)}
