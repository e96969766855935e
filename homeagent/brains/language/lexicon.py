"""The words of a language and what they stand for, read from ``language/<code>.yaml``.

A file maps a section ("actions") to concepts ("turn_off") to the phrases of `matching`. The section "ensure" is told of
in ``ensuring.py``.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from rapidfuzz.distance import DamerauLevenshtein

from homeagent.brains.language.ensuring import ensuring, leaving
from homeagent.languages.folder import Part, read_part
from homeagent.languages.matching import PhraseMatcher, Sections
from homeagent.languages.matching import Spot as Spot
from indexer.words import is_syllabic

States = Mapping[str, Mapping[str, Sequence[str]]]
"""By domain or device class, or ``default``: raw state -> words."""
_WEEK = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_LARGEST = 7000
"""No greater number is spoken of at home: kelvins of light."""
_SHORTEST_VERB = 5
_COMMANDING = frozenset({"actions", "adjust", "set", "levels", "questions", "units", "halves"})
"""Sections whose words are never a name misspelt."""
_WORD = re.compile(r"\d+(?:[.,:]\d+)*|[%°]|\+?[^\W\d_]+\+?|_")


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a sentence: ``text`` is folded; ``start`` and ``end`` are offsets in the sentence.

    ``mark`` is set where the word belongs to something that was recognised otherwise, such as a name.
    """

    text: str
    start: int
    end: int
    mark: str = ""


def fold(text: str) -> str:
    """Case and accents away, so that words compare as people type them."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return unicodedata.normalize("NFC", "".join(c for c in decomposed if not unicodedata.combining(c)))


def words_of(text: str) -> tuple[Word, ...]:
    """The words of a text with their offsets; punctuation is dropped."""
    return tuple(Word(fold(m.group()), m.start(), m.end()) for m in _WORD.finditer(text) if m.group() not in ("_",))


class Lexicon:
    """What the words of one language stand for."""

    def __init__(self, language: str, data: Mapping[str, Any]) -> None:
        self.language = language
        self._data = data
        self._matcher = PhraseMatcher({}, _spelled_alike)
        self.add(data.get("concepts", {}))
        self.add({f"state.{kind}": raws for kind, raws in self.states.items()})
        self.add(ensuring(data.get("ensure", {}), self.states.get("default", {})))
        self.add(leaving(data.get("leave", {}), self.states.get("default", {})))

    def add(self, sections: Sections) -> None:
        """Take in more patterns: section -> concept -> phrases."""
        self._matcher.add(sections)

    def spot(self, words: Sequence[Word]) -> tuple[Spot, ...]:
        """Every concept that the unmarked words hold, as the matcher finds them."""
        return self._matcher.spot([w.text for w in words], {i for i, w in enumerate(words) if w.mark})

    @property
    def has_concepts(self) -> bool:
        """Whether sentences can be read with it; else it knows what to answer only."""
        return bool(self._data.get("concepts"))

    @cached_property
    def states(self) -> Mapping[str, Mapping[str, tuple[str, ...]]]:
        """For each domain or device class (and ``default``): raw state -> words, the first the one to answer with."""
        table = self._data.get("states", {})
        return {kind: {raw: tuple(words) for raw, words in raws.items()} for kind, raws in table.items()}

    def raw_state(self, spoken: str) -> str:
        """The raw state of a person or a plain thing that a word says; the word itself where none is known."""
        folded = fold(spoken)
        table = self.states.get("default", {})
        return next((raw for raw, words in table.items() if folded in map(fold, words)), spoken)

    @cached_property
    def floor_names(self) -> Mapping[str, tuple[str, ...]]:
        """``upstairs`` and ``downstairs``: how floors are called that are meant by it."""
        return {k: tuple(fold(n) for n in v) for k, v in self._data.get("floor_names", {}).items()}

    @cached_property
    def phrases(self) -> Mapping[str, str]:
        """Key -> phrase with ``{places}`` to fill."""
        return dict(self._data.get("phrases", {}))

    @cached_property
    def kinds(self) -> Mapping[str, str]:
        """Domain or device class -> what several of the kind are called."""
        return dict(self._data.get("kinds", {}))

    @cached_property
    def joiners(self) -> tuple[str, ...]:
        """Words that join two things; in Korean they are endings of the first."""
        return tuple(fold(w) for w in self._data.get("concepts", {}).get("joiners", {}).get("and", ()))

    def weekday(self, number: int) -> str:
        """What a day of the week is called, Monday being 0; empty where that is not known."""
        days = self._data.get("weekdays", ())
        return str(days[number][0]) if number < len(days) else ""

    @cached_property
    def outdoor_names(self) -> frozenset[str]:
        """How rooms are called that are outside."""
        return frozenset(fold(n) for n in self._data.get("outdoor_names", ()))

    @cached_property
    def half_endings(self) -> tuple[str, ...]:
        """Endings of a spelt-out number that add a half to it."""
        return tuple(fold(e) for e in self._data.get("half_endings", ()))

    @cached_property
    def odd_numbers(self) -> Mapping[str, float]:
        """Words for numbers that are not whole, folded: "anderthalb"."""
        return {fold(word): float(number) for word, number in self._data.get("odd_numbers", {}).items()}

    @property
    def except_after(self) -> bool:
        """Whether what is excepted stands before the word that excepts it, as in Korean."""
        return self._data.get("except_after") == "true"

    @cached_property
    def number_words(self) -> Mapping[str, int]:
        """Spelt-out numbers up to 100, and hundreds from there on, folded, where the words for them are known."""
        return _number_words(self.language)

    def cut_of_number(self, word: Word) -> tuple[int, ...]:
        """Where a spelt-out number ends and its unit begins in one word, as in Korean; nothing where it is none."""
        if not is_syllabic(word.text) or len(word.text) != word.end - word.start:
            return ()
        for size in range(len(word.text) - 1, 0, -1):
            number, rest = word.text[:size], Word(word.text[size:], 0, 0)
            if number in self.number_words and any(s.section == "units" for s in self.spot((rest,))):
                return (word.start + size,)
        return ()

    def nearly_filler(self, word: str) -> bool:
        """Whether a word is a filler with its letters in another order, as fingers put them: "teh"."""
        return "".join(sorted(word)) in self._filler_letters

    def is_command_word(self, word: str) -> bool:
        """Whether a word alone says what is to be done, how much, or that something is asked."""
        return any(s.section in _COMMANDING for s in self._matcher.spot((word,)))

    def is_filler(self, word: str) -> bool:
        return word in self._fillers

    def nearest_verb(self, word: str) -> str | None:
        """The word for doing something that ``word`` misspells by one letter; None where there is none, or several."""
        if len(word) < _SHORTEST_VERB:
            near = [v for v in self._verbs if len(v) > 3 and v[0] == word[0] and sorted(v) == sorted(word)]
            return near[0] if len(near) == 1 else None
        long = (v for v in self._verbs if len(v) >= _SHORTEST_VERB)
        near = [v for v in long if DamerauLevenshtein.distance(word, v, score_cutoff=1) <= 1]
        return near[0] if len(near) == 1 else None

    @cached_property
    def _verbs(self) -> frozenset[str]:
        sections = (self._data.get("concepts", {}).get(name, {}) for name in ("actions", "set", "adjust"))
        words = {fold(p.partition(" ")[0]) for s in sections for patterns in s.values() for p in patterns}
        return frozenset(words)

    @cached_property
    def _fillers(self) -> frozenset[str]:
        return frozenset(fold(w) for w in self._data.get("concepts", {}).get("fillers", {}).get("filler", ()))

    @cached_property
    def _filler_letters(self) -> frozenset[str]:
        return frozenset("".join(sorted(w)) for w in self._fillers if len(w) > 2)


def _spelled_alike(text: str) -> str:
    return " ".join(w.text.strip("+") for w in words_of(text))


def load(language: str) -> Lexicon | None:
    """Read the words of a language (``de-AT`` falls back to ``de``); None where there is no file."""
    reading, answers = read_part(language, Part.READING), read_part(language, Part.ANSWERS)
    said = {key: answers[1][key] for key in ("kinds", "phrases") if answers is not None and key in answers[1]}
    code = next((found[0] for found in (reading, answers if said else None) if found is not None), None)
    if code is None:
        return None
    called = answers[1].get("states", {}) if answers is not None else {}
    pack = (read_part(language, Part.WORDS) or ("", {}))[1]
    states = _states(pack.get("states", {}), called)
    data = {"concepts": {}, **(reading[1] if reading is not None else {}), **said, "states": states}
    data["weekdays"] = _weekdays(pack.get("days", {}))
    if data["concepts"]:
        data["concepts"]["weekdays"] = {str(n): _spelled(words) for n, words in enumerate(data["weekdays"])}
    return Lexicon(code, data)


def _states(said: States, called: Mapping[str, Mapping[str, str]]) -> dict[str, dict[str, list[str]]]:
    """What each state is called, by kind and raw state: as in answers, and then the other words of the pack."""
    states = {kind: {raw: [word] for raw, word in by_raw.items()} for kind, by_raw in called.items()}
    for kind, by_raw in said.items():
        for raw, words in by_raw.items():
            known = states.setdefault(kind, {}).setdefault(raw, [])
            known += [w for w in _spelled([w for w in words if w not in known]) if w not in known]
    return states


def _weekdays(days: Mapping[str, list[str]]) -> list[list[str]]:
    """What each day of the week is called, from Monday on; empty where the pack does not tell all."""
    return [days[day] for day in _WEEK] if all(days.get(day) for day in _WEEK) else []


def _spelled(words: Sequence[str]) -> list[str]:
    """The words as patterns: those that are written in syllables carry endings."""
    return [f"{word}+" if is_syllabic(word) else word for word in words]


def _number_words(language: str) -> Mapping[str, int]:
    from unicode_rbnf import RbnfEngine

    try:
        engine = RbnfEngine.for_language(language)
    except ValueError:
        return {}
    words: dict[str, int] = {}
    for number in (*range(101), *range(200, _LARGEST + 1, 100)):
        for text in engine.format_number(number).text_by_ruleset.values():
            folded = " ".join(w.text for w in words_of(text))
            if folded and not folded[0].isdigit():
                words.setdefault(folded, number)
    return words
