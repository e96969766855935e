"""From the words of a clause about safety to what is asked of which kinds of things."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from homeagent.brains.language.reading import Reading
from homeagent.brains.local.safety.hearing import Said
from homeagent.brains.local.safety.kinds import HAZARDS, HOT, OPENINGS, Ask, Kind
from homeagent.brains.local.safety.question import SafetyQuestion

_BAD = frozenset({"open", "unlocked", "triggered", "present"})
_CLOSING = (Kind.DOOR, Kind.GARAGE, Kind.GATE, Kind.WINDOW, Kind.OPENING)
_MODES = frozenset({"away", "home", "night"})
_BESIDE = (*sorted(HOT), Kind.HEAT, Kind.GAS_VALVE, Kind.ALARM, Kind.SIREN, Kind.UNSAFE, Kind.TAP, Kind.GUARD)
"""What is looked at beside it where the safety of all is asked about."""
_EVERYTHING = (Kind.FIRE, Kind.GAS, Kind.CARBON_MONOXIDE, Kind.LEAK, Kind.LOCK, *_CLOSING)
SAID_OF: dict[Kind, frozenset[str]] = {
    **{kind: frozenset({"present", "triggered", "quiet", "on", "off"}) for kind in HAZARDS},
    **{kind: frozenset({"open", "closed", "locked", "unlocked"}) for kind in (*OPENINGS, Kind.LOCK)},
    **{kind: frozenset({"on", "off"}) for kind in HOT},
    Kind.ALARM: frozenset({"armed", "disarmed", "on", "off", "triggered", "quiet"}),
    Kind.SIREN: frozenset({"on", "off", "triggered", "quiet"}),
}
"""What can be said of a kind."""


def meant_by(said: Said, reading: Reading) -> SafetyQuestion | None:
    """What is asked of which kinds; None where the words do not fit together."""
    denied = "denied" in said.concepts or any(not set(s.positions) <= said.positions for s in reading.of("negation"))
    language = reading.lexicon.language
    if not said.kinds:
        of_it = any(not set(s.positions) <= said.positions for s in reading.of("pronouns"))
        found = None if of_it and not said.concepts & {"house", "everything"} else _of_all(said, language)
        # the "home" that is armed is the house
        return _in_mode(found, _modes(said, reading) - {"home"}) if found is not None else None
    if said.leaves:
        return None  # "can I leave the oven on"
    if said.says and any(not said.says & SAID_OF[k] for k in said.kinds):
        return None  # "is the oven door open"
    says = said.says & frozenset(s for k in said.kinds for s in SAID_OF[k])
    if says & {"locked", "unlocked"}:
        says -= {"closed", "open"} if set(said.kinds) <= {Kind.DOOR, Kind.LOCK} else set()
    kinds = checked(said.kinds, says)
    hazards = set(said.kinds) <= HAZARDS
    judged = said.concepts & {"fine", "wrong", "well"}
    if not says and not hazards and not judged:
        return None
    if hazards and says and says <= {"on", "off"} and "detector" not in said.concepts:
        return None  # "is the gas on"
    # a detector that is "on" may watch or sound
    asks = {_ask(s, kinds) for s in says if not (hazards and s in ("on", "off"))}
    if not says:
        asks = {Ask.FINE if judged and "wrong" not in said.concepts else Ask.AMISS}
    if "forgot" in said.concepts:
        asks = {Ask.AMISS}
    ask = next(iter(asks)) if len(asks) == 1 and not denied else None
    sure = not (says & {"locked"} and set(kinds) & OPENINGS)
    return _in_mode(SafetyQuestion(language, kinds, ask, sure=sure), _modes(said, reading))


def _modes(said: Said, reading: Reading) -> frozenset[str]:
    """The ways of arming that are said; the "home alarm" is but a name for it."""
    spots = (s for s in reading.of("modes") if not set(s.positions) <= said.kind_positions)
    return _MODES & {s.concept for s in spots}


def _in_mode(question: SafetyQuestion, modes: frozenset[str]) -> SafetyQuestion | None:
    """The question whether an alarm is armed so; None where several ways are said."""
    if question.ask is not Ask.ARMED or not modes:
        return question
    return replace(question, mode=f"armed_{next(iter(modes))}") if len(modes) == 1 else None


def checked(said: Sequence[Kind], says: frozenset[str]) -> tuple[Kind, ...]:
    """The kinds that are looked at: of a door that is to be locked its lock, of an alarm that sounds its siren."""
    kinds: list[Kind] = []
    for kind in said:
        if kind is Kind.DOOR and says & {"locked", "unlocked"}:
            kinds.append(Kind.LOCK)
            continue
        kinds.append(kind)
        if kind is Kind.DOOR and not says & {"open", "closed"}:
            kinds.append(Kind.LOCK)
        if kind is Kind.ALARM and "triggered" in says:
            kinds.append(Kind.SIREN)
    return tuple(dict.fromkeys(kinds))


def _ask(says: str, kinds: Sequence[Kind]) -> Ask:
    if Kind.ALARM in kinds and says in ("armed", "on"):
        return Ask.ARMED
    if Kind.ALARM in kinds and says in ("disarmed", "off"):
        return Ask.DISARMED
    return Ask.AMISS if says in _BAD or says == "on" else Ask.FINE


def _of_all(said: Said, language: str) -> SafetyQuestion | None:
    """What is asked of the house or of everything, where no kind is named."""
    well = "well" in said.concepts and said.concepts & {"house", "everything"} and not said.says - {"quiet"}
    if said.leaves or well or said.concepts & {"fine", "wrong"}:
        ask = Ask.AMISS if "wrong" in said.concepts else Ask.FINE
        return SafetyQuestion(language, _EVERYTHING, ask, _BESIDE, whole=True)
    says, forgot = said.says, "forgot" in said.concepts
    if says & {"locked", "unlocked"}:
        ask = Ask.AMISS if "unlocked" in says or forgot else Ask.FINE
        return SafetyQuestion(language, (Kind.LOCK,), ask, _CLOSING)
    if says & {"closed"} and not says & {"open"}:
        return SafetyQuestion(language, _CLOSING, Ask.AMISS if forgot else Ask.FINE)
    if says and says <= {"armed", "on"} and "armed" in says and "house" in said.concepts:
        return SafetyQuestion(language, (Kind.ALARM,), Ask.ARMED)
    return None
