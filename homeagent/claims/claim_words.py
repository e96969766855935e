"""The words by which answers tell of deeds and states: data, one file a language in ``language/``.

A file holds, under ``concepts``: ``deed`` (the forms in which each `Deed` is told), ``doing`` (the same as just being
done, or about to be), ``promised`` (what a promise is about), ``frame`` (who did it, that it came about, that it is
so), ``mark`` (what turns a clause into none of these: a negation, a condition, somebody else's deed, a time gone by),
``unit``, ``aspect``, and ``joint`` (what joins two clauses; ``joint_after``: endings of the first). ``composed`` holds
stems and the auxiliaries that make deeds of them. ``states`` adds to the words for states that the language has anyway.
Phrases are those of `PhraseMatcher`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Any

from homeagent.languages.answers import load_answers
from homeagent.languages.folder import Part, read_part
from homeagent.languages.matching import PhraseMatch, PhraseMatcher
from indexer.normalise import composed, decomposed, is_syllabic

OPENINGS = ("door", "window", "garage_door", "opening")
"""Device classes of binary sensors that are on while something is open."""
_ANSWERS = ("true", "false")
"""States of attributes, whose words are "yes" and "no"."""
_ACCENTS = {"\u0301": "ˊ", "\u0300": "ˋ", "\u0302": "ˆ", "\u0308": "ː", "\u0303": "ʹ", "\u0327": "ˏ"}


class Group(StrEnum):
    """Sections of a file."""

    DEED = "deed"
    DOING = "doing"
    PROMISED = "promised"
    FRAME = "frame"
    MARK = "mark"
    UNIT = "unit"
    ASPECT = "aspect"
    RELATION = "relation"
    CHORE = "chore"
    JOINT = "joint"
    JOINT_AFTER = "joint_after"
    STATE = "state"


class Frame(StrEnum):
    """What makes a form a claim."""

    I = "i"  # noqa: E741
    PASSIVE = "passive"
    COPULA = "copula"
    NOW = "now"
    PROMISE = "promise"
    LEFT = "left"


class Mark(StrEnum):
    """What changes how a clause is meant."""

    NOT = "not"
    NONE = "none"
    HEDGE = "hedge"
    OTHER = "other"
    PAST = "past"
    SO = "so"
    ALSO = "also"
    ONLY = "only"
    THERE = "there"
    OUTSIDE = "outside"
    INSIDE = "inside"
    HALF = "half"
    PERCEIVED = "perceived"
    INDEFINITE = "indefinite"
    OF = "of"
    MINUS = "minus"
    ASIDE = "aside"
    """It looks like a condition, and is none: "just in case"."""
    WHOLE = "whole"
    BOTH = "both"
    ANY = "any"
    WAS = "was"
    LEAD = "lead"
    FOLLOW = "follow"


@dataclass(frozen=True, slots=True)
class Said:
    """A concept that words say: ``kind`` is a device class (or "default") where it is a state."""

    group: Group
    concept: str
    positions: tuple[int, ...]
    kind: str = ""

    @property
    def first(self) -> int:
        """The position of its first word in the clause."""
        return self.positions[0]

    @property
    def last(self) -> int:
        """The position of its last word in the clause."""
        return self.positions[-1]


class ClaimWords:
    """What the words of an answer in one language say."""

    def __init__(self, language: str, data: Mapping[str, Any]) -> None:
        self.language = language
        self.chores: Mapping[str, Sequence[str]] = data["concepts"].get(Group.CHORE, {})
        """Work that a machine does: what it, and the machine, is called."""
        states = _joined(_own_states(language), _of_openings(data.get("states", {})))
        sections = {
            f"{group}:{concept}": {concept: [with_accents(word) for word in words]}
            for group, concepts in data["concepts"].items()
            for concept, words in concepts.items()
        }
        sections |= {
            f"{Group.STATE}:{kind}:{raw}": {raw: [with_accents(word) for word in words]}
            for kind, raws in states.items()
            for raw, words in raws.items()
            if raw not in _ANSWERS
        }
        sections |= _composed(data.get("composed", {}))
        self._phrases = PhraseMatcher(sections)

    def said(self, words: Sequence[str], names: Collection[int]) -> tuple[Said, ...]:
        """Every concept, in the order of the words, which are spelt `with_accents`; ``names``: places of those that
        belong to a name.

        Of deeds and of states, each word counts for the longest phrase that holds it only.
        """
        found = [_said(spot) for spot in self._phrases.matches(words, names)]
        return tuple(s for s in found if not _swallowed(s, found))


def with_accents(text: str) -> str:
    """The text with letters in place of its accents: these tell "fermé" from "ferme", and would be folded away."""
    return composed("".join(_ACCENTS.get(c, c) for c in decomposed(text)))


@lru_cache(maxsize=16)
def claim_words(language: str) -> ClaimWords | None:
    """The words of a language (``de-AT`` falls back to ``de``); None where there is no file. Blocks: reads files."""
    found = read_part(language, Part.CLAIMS)
    return ClaimWords(*found) if found is not None else None


def _own_states(language: str) -> Mapping[str, Mapping[str, Sequence[str]]]:
    """What each state is called, as it is answered and as people say it; words in syllables carry endings."""
    states: dict[str, dict[str, list[str]]] = {}
    answers, pack = load_answers(language), read_part(language, Part.WORDS)
    for kind, raws in (answers.states if answers is not None else {}).items():
        states[kind] = {raw: [word] for raw, word in raws.items()}
    for kind, raws in (pack[1].get("states", {}) if pack is not None else {}).items():
        for raw, said in raws.items():
            known = states.setdefault(kind, {}).setdefault(raw, [])
            known += [f"{word}+" if is_syllabic(word) else word for word in said if word not in known]
    return states


def _composed(data: Mapping[str, Any]) -> dict[str, dict[str, list[str]]]:
    """Forms of deeds that are put together of a stem and an auxiliary, written apart or as one word."""
    return {
        f"{Group.DEED}:{deed}+": {
            deed: [f"{stem}{gap}{end}" for stem in stems for end in data["endings"] for gap in ("", " ")]
        }
        for deed, stems in data.get("stems", {}).items()
    }


def _said(spot: PhraseMatch) -> Said:
    group, _, rest = spot.section.partition(":")
    kind = rest.partition(":")[0] if group == Group.STATE else ""
    return Said(Group(group), spot.concept, spot.positions, kind)


def _swallowed(one: Said, found: Iterable[Said]) -> bool:
    if one.concept in (Mark.HEDGE, Mark.WAS):  # "just in case", "de was"
        whole = (o for o in found if o.concept == Mark.ASIDE or o.group is Group.CHORE)
        return any(set(one.positions) <= set(other.positions) for other in whole)
    if one.group not in (Group.DEED, Group.DOING, Group.STATE):
        return False
    return any(set(one.positions) < set(other.positions) for other in found if other.group is one.group)


def _of_openings(states: Mapping[str, Mapping[str, Sequence[str]]]) -> Mapping[str, Mapping[str, Sequence[str]]]:
    """The states, those of what opens also for the sensors that tell it by "on" and "off"."""
    default = states.get("default", {})
    sensor = {"on": default.get("open", ()), "off": default.get("closed", ())}
    return {**states, **dict.fromkeys(OPENINGS, sensor)}


def _joined(
    states: Mapping[str, Mapping[str, Sequence[str]]], more: Mapping[str, Mapping[str, Sequence[str]]]
) -> dict[str, dict[str, list[str]]]:
    joined = {kind: {raw: list(words) for raw, words in raws.items()} for kind, raws in states.items()}
    for kind, raws in more.items():
        own = joined.setdefault(kind, {})
        for raw, words in raws.items():
            own[raw] = [*own.get(raw, ()), *words]
    return joined
