"""What people say of timers, alarms and reminders in a language, found in a row of words."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from typing import Generic, TypeVar

from pydantic import Field

from homeagent.languages.folder import Part
from homeagent.languages.matching import PhraseMatcher
from homeagent.languages.pack import load_pack
from homeagent.languages.pack_schema import Phrases, Strict, read_part_as
from homeagent.languages.phrase_forms import PhraseForms
from indexer.words import normalise

N = TypeVar("N", bound=StrEnum)
_HANGING = "+"
_SHORTEST_NAME = 3
"""Letters of what is written together with the word for a timer: "Pizzatimer"."""


class Noun(StrEnum):
    """What a timer is called, or what asks for one."""

    TIMER = "timer"
    CLOCK = "clock"
    """An alarm that wakes."""
    ALARM = "alarm"
    """One that wakes, or what guards the home."""
    WAKE = "wake"
    REMINDER = "reminder"
    REMIND = "remind"
    ANNOUNCE = "announce"
    """To tell everybody something, or those that are named as a group."""
    TELL = "tell"
    """To tell something, then or as soon as something is so."""


class Doing(StrEnum):
    """What is done with timers."""

    SET = "set"
    GIVE = "give"
    """To set one, where something else says that it is one."""
    CANCEL = "cancel"
    PAUSE = "pause"
    RESUME = "resume"
    CHANGE = "change"
    ADD = "add"
    LESS = "less"
    LATER = "later"
    EARLIER = "earlier"
    SNOOZE = "snooze"
    DISMISS = "dismiss"
    LEFT = "left"
    LIST = "list"
    SKIP = "skip"
    """To leave out one day of what repeats."""


class Becoming(StrEnum):
    """What comes about. Those of `PastWord` are called as these."""

    OPENED = "opened"
    CLOSED = "closed"
    LOCKED = "locked"
    UNLOCKED = "unlocked"
    TURNED_ON = "turned_on"
    TURNED_OFF = "turned_off"
    CAME = "came"
    LEFT = "left"
    SOMEBODY = "there"
    FINISHED = "finished"
    RINGS = "rings"
    DOCKED = "docked"


class Lead(StrEnum):
    """What stands before that which comes about."""

    UPON = "upon"
    """It waits until it does."""
    IF = "if"
    """Of how it is, it asks now; of what comes about, it waits."""
    ANYONE = "anyone"
    """Whoever brings it about."""


class _TimersFile(Strict):
    """The words of a language by rules of form (`phrase_forms`); ``label_ends`` and ``upon_ends`` are as they stand."""

    forms: dict[str, Phrases] = Field(default_factory=dict)
    """What several phrases of the file have in common, by a name of its own."""
    kinds: dict[Noun, Phrases]
    does: dict[Doing, Phrases]
    small: Phrases
    """Words beside these that say nothing of their own."""
    all: Phrases = Field(default_factory=list)
    """Words that say that all are meant, beside those of the pack."""
    another: Phrases = Field(default_factory=list)
    """Words beside the noun that say that it is none of those that are there."""
    rings: Phrases = Field(default_factory=list)
    """What an alarm does by itself, or is: beside no other verb that tells of one, and orders none."""
    told: Phrases = Field(default_factory=list)
    """Words by which it is told or asked how it was, or how it is as a rule: beside them no alarm is ordered."""
    heard: Phrases = Field(default_factory=list)
    """What somebody says who has heard one ring: alone it silences that."""
    label: Phrases
    """Words that lead what a timer is for, or what is to be remembered; they are no part of it."""
    lasts: Phrases = Field(default_factory=list)
    """Words that tell how long something took: a length beside them sets nothing."""
    label_ends: Phrases = Field(default_factory=list)
    """What hangs on the end of what is to be remembered."""
    upon_ends: Phrases = Field(default_factory=list)
    """What hangs on a verb and leads that, where such words stand behind."""
    upon: Phrases
    """What leads that something comes about, once."""
    if_: Phrases = Field(alias="if")
    """What leads a condition: of how it is, it asks now; of what comes about, it waits."""
    whether: Phrases
    """Those of ``if`` that ask how it is, behind a verb of telling: "tell me if it is on"."""
    anyone: Phrases = Field(default_factory=list)
    """Whoever it is that opens, unlocks or switches something."""
    becomes: dict[Becoming, Phrases]
    doorbell: Phrases
    """What a thing is called that tells that somebody is at the door."""


@dataclass(frozen=True, slots=True)
class Found(Generic[N]):
    """What a phrase says, and the places of its words, ascending."""

    says: N
    positions: tuple[int, ...]


class Finder(Generic[N]):
    """Finds the phrases for one closed set. A word belongs to one of them only; of two that fit the longer counts."""

    def __init__(self, phrases: Mapping[N, Sequence[str]]) -> None:
        self._meant = {concept.value: concept for concept in phrases}
        self._matcher = PhraseMatcher({"": {concept.value: said for concept, said in phrases.items()}})

    def find(self, words: Sequence[str], masked: Collection[int] = ()) -> tuple[Found[N], ...]:
        """All that the words hold, in their order, outside of the ``masked`` places."""
        return tuple(Found(self._meant[m.concept], m.positions) for m in self._matcher.matches(words, masked))


@dataclass(frozen=True)
class TimerWords:
    """The words of a language for timers; what is no finder is as in the file, in comparable spelling."""

    nouns: Finder[Noun]
    deeds: Finder[Doing]
    leads: Finder[Lead]
    whether: Finder[Lead]
    """Those that ask how it is, behind a verb of telling."""
    by_whom: Finder[Lead]
    becomes: Finder[Becoming]
    small: PhraseMatcher
    all: frozenset[str]
    label: frozenset[str]
    label_ends: tuple[str, ...]
    bases: tuple[str, ...]
    """Nouns that a name may be written together with."""
    doorbell: tuple[str, ...] = ()
    lasts: frozenset[str] = frozenset()
    heard: PhraseMatcher = field(default_factory=lambda: PhraseMatcher({}))
    """What somebody says who has heard one ring."""
    another: PhraseMatcher = field(default_factory=lambda: PhraseMatcher({}))
    """What says that it is none of those that are there."""
    rings: PhraseMatcher = field(default_factory=lambda: PhraseMatcher({}))
    """What an alarm does by itself, or is."""
    told: PhraseMatcher = field(default_factory=lambda: PhraseMatcher({}))
    """What says how it was, or is as a rule."""
    ends: tuple[str, ...] = ()
    """What hangs on a verb and leads what comes about."""

    def small_at(self, words: Sequence[str], masked: Collection[int]) -> set[int]:
        """The places of the words that say nothing of their own."""
        return {p for s in self.small.matches(words, masked) for p in s.positions}

    def written_to(self, word: str) -> int:
        """How many letters of a name stand before the noun in one word; 0 where it is no compound."""
        sizes = (len(word) - len(base) for base in self.bases if word.endswith(base))
        return next((size for size in sizes if size >= _SHORTEST_NAME), 0)


def _not_said_by_others(phrases: Sequence[str]) -> tuple[str, ...]:
    """The phrases but those of which each word is one of them, too."""
    single = {p for p in phrases if " " not in p}
    return tuple(p for p in phrases if p in single or not single.issuperset(p.split()))


@cache
def timer_words(language: str) -> TimerWords | None:
    """The words of a language; None where it has none. Raises `InvalidLanguagePack`. Blocks."""
    found = read_part_as(language, Part.TIMERS, _TimersFile)
    pack = load_pack(found[0]) if found is not None else None
    if found is None or pack is None:
        return None
    file, forms = found[1], PhraseForms(pack, found[1].forms)

    def finder(said: Mapping[N, Sequence[str]]) -> Finder[N]:
        return Finder({concept: forms.phrases(written) for concept, written in said.items()})

    def words(written: Sequence[str]) -> tuple[str, ...]:
        return tuple(map(normalise, forms.phrases(written)))

    nouns = [p for noun in (Noun.TIMER, Noun.CLOCK) for p in forms.phrases(file.kinds.get(noun, ()))]
    return TimerWords(
        finder(file.kinds),
        finder(file.does),
        finder({Lead.UPON: file.upon, Lead.IF: file.if_}),
        finder({Lead.IF: file.whether}),
        finder({Lead.ANYONE: file.anyone}),
        finder(file.becomes),
        PhraseMatcher({"small": {"small": _not_said_by_others(forms.phrases(file.small))}}),
        frozenset(words(file.all)),
        frozenset(words(file.label)),
        tuple(file.label_ends),
        tuple(normalise(p[1:]) for p in nouns if p.startswith(_HANGING)),
        words(file.doorbell),
        frozenset(words(file.lasts)),
        PhraseMatcher({"heard": {"heard": forms.phrases(file.heard)}}),
        PhraseMatcher({"another": {"another": forms.phrases(file.another)}}),
        PhraseMatcher({"rings": {"rings": forms.phrases(file.rings)}}),
        PhraseMatcher({"told": {"told": forms.phrases(file.told)}}),
        tuple(file.upon_ends),
    )
