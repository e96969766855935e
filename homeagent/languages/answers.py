"""What the agent says of things and states in a language: phrases, and what kinds, states and weekdays are called."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from homeagent.languages.folder import Part, read_part

_WEEK = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_NUMBER = re.compile(r"\[([^|\]]*)\|([^\]]*)\]")
_SECTIONS = ("phrases", "kinds")


@dataclass(frozen=True, slots=True)
class Answers:
    """``phrases``: with ``{places}`` to fill, by key, one of each line; of "[is|are]" the second stands behind a name
    in the plural.
    ``kinds``: what several of a domain or device class are called.
    ``states``: by domain or device class, or ``default``: what each raw state is called. ``week``: from Monday on.
    ``plurals``: what kinds are called in the plural only, as "lights"."""

    language: str
    phrases: Mapping[str, str]
    kinds: Mapping[str, str] = field(default_factory=dict)
    states: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    week: tuple[str, ...] = ()
    plurals: frozenset[str] = frozenset()

    def agreeing(self, key: str, name: str) -> str | None:
        """The phrase with its verb in the number of ``name``, any of several lines; None where there is no such
        phrase."""
        phrase = self.phrases.get(key)
        if phrase is not None and "\n" in phrase:
            phrase = random.choice(phrase.splitlines())
        if phrase is None or "[" not in phrase:
            return phrase
        form = 2 if self.is_plural(name) else 1
        return _NUMBER.sub(lambda found: str(found[form]), phrase)

    def is_plural(self, name: str) -> bool:
        """Whether a name is one of several things, by its last word, or by the end of it: "Küchenlichter"."""
        last = name.casefold().rpartition(" ")[2]
        return last in self.plurals or any(last[start:] in self.plurals for start in range(3, len(last) - 3))

    def state(self, kind: str, raw: str) -> str:
        """The word for a state of a thing of this device class ("": of none); the state itself where there is none."""
        return self.states.get(kind, {}).get(raw) or self.states.get("default", {}).get(raw) or raw

    def weekday(self, number: int) -> str:
        """What a day of the week is called, Monday being 0; empty where that is not known."""
        return self.week[number] if self.week else ""


@lru_cache(maxsize=16)
def load_answers(language: str) -> Answers | None:
    """The answers of a language (``de-AT`` falls back to ``de``); None where it has none of its own. Blocks."""
    found = read_part(language, Part.ANSWERS)
    if found is None or not any(found[1].get(section) for section in _SECTIONS):
        return None
    code, said = found
    words = (read_part(code, Part.WORDS) or (code, {}))[1]
    days, states = words.get("days", {}), dict(said.get("states", {}))
    for kind, by_raw in words.get("states", {}).items():
        states[kind] = {**{raw: called[0] for raw, called in by_raw.items() if called}, **states.get(kind, {})}
    week = tuple(str(days[day][0]) for day in _WEEK) if all(days.get(day) for day in _WEEK) else ()
    return Answers(code, dict(said.get("phrases", {})), dict(said.get("kinds", {})), states, week, _plurals(code))


def _plurals(code: str) -> frozenset[str]:
    """Single words that kinds are called by in the plural only."""
    kinds = (read_part(code, Part.KINDS) or (code, {}))[1].get("concepts", {})
    words: dict[bool, set[str]] = {True: set(), False: set()}
    for kind, called in kinds.items():
        words[kind.endswith("+")].update(str(word).casefold() for word in called)
    return frozenset(word for word in words[True] - words[False] if " " not in word)
