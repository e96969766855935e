"""One command or question as the words read it: what is a name, what is a concept, what nothing explains."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from homeagent.brains.language.lexicon import Lexicon, Spot, Word, fold, words_of
from homeagent.brains.language.likeness import name_words
from homeagent.brains.language.settling import settled
from homeagent.values.numbers import written_number
from indexer.mentions import Mention, MentionKind, Mentions
from indexer.words import is_syllabic

_MASKING = 0.75
"""A name that is less certain than this may be a verb after all, and hides nothing."""

_NAMES = (MentionKind.NAME, MentionKind.AREA, MentionKind.FLOOR, MentionKind.LABEL)
_KINDS = (MentionKind.DOMAIN, MentionKind.DEVICE_CLASS)
_LONGEST_NUMBER = 5
_SHORT = 3
_HALF = "50"
_LEAD = 3
"""So many words before a number the "to" or "by" may stand that leads it: "to a warm 30 percent"."""
_PERHAPS_NAMED = frozenset(
    {
        *("floors", "outdoors", "weather", "horizon", "past", "future", "doing", "codes", "more", "tellers"),
        *("people", "subordinate", "rooms", "whom", "reasons", "complaints", "warmth", "alternatives"),
    }
)
"""Sections whose words explain a word only in the sentences that they are for: there may be a "rain lamp"."""
_TELLING = ("actions", "adjust", "set", "questions", "negation", "timers", "delays", "complaints")
"""Sections whose words say what is wanted, and not of whom."""


@dataclass(frozen=True, slots=True)
class Number:
    """A number that was said: ``unit`` is a concept of the section "units"; ``led_by`` is "to", "by", "than" or
    empty."""

    value: float
    unit: str
    positions: tuple[int, ...]
    led_by: str


class Reading:
    """A clause: ``words`` with marks where a name stands, and the concepts found among the others."""

    def __init__(
        self, text: str, words: Sequence[Word], mentions: Mentions, lexicon: Lexicon, names: Sequence[str] = ()
    ) -> None:
        self.text = text
        self.lexicon = lexicon
        self.plural = mentions.plural
        self.numbered = _numbered_words(names)
        """Words that a number follows in a name: "lamp" where there is a "Lamp 2"."""
        self.asks: bool | None = None
        """Whether it goes on with a question or an order of the clauses around it; None: its own words tell."""
        self.known: dict[tuple[str, int, str], bool] = {}
        self.worked_out: dict[tuple[str, int], Any] = {}
        """What is told of the word at a position, of which kind."""
        """Comparisons that were made already: thousands of names hold the same few words."""
        start, end = (words[0].start, words[-1].end) if words else (0, 0)
        every = (*mentions.items, *mentions.excluded)
        said = {(w.start, w.end) for w in words if lexicon.is_command_word(w.text)}
        self.mentions = tuple(
            # "halfway" is no misspelt "hallway"
            m
            for m in every
            if m.start < end and m.end > start and not (m.score < 1 and (m.start, m.end) in said)
        )
        self.words = _with_parts_of_names(tuple(self._marked(word) for word in words), names, lexicon)
        self.spots = settled(lexicon.spot(self.words), len(self.words), lexicon)
        self.mentions = tuple(m for m in self.mentions if m.kind not in _KINDS or not self._is_verb(m))

    @property
    def sentence(self) -> str:
        """The clause as it was typed, without the word that joins it to the one before."""
        joints = {p for s in self.of("joiners") for p in s.positions}
        first = next((i for i in range(len(self.words)) if i not in joints), 0)
        return self.words_at((first, len(self.words) - 1)) if self.words else ""

    def part(self, start: int, end: int) -> Reading:
        """The words from ``start`` up to ``end`` as a reading of their own, which may be changed."""
        whole = Mentions(self.text, self.mentions, self.plural)
        part = Reading(self.text, self.words[start:end], whole, self.lexicon)
        part.numbered = self.numbered
        return part

    def ordered(self, *sections: str) -> tuple[Spot, ...]:
        """The spots that say what is to be done: those about what is taken out ("but keep it on") only if no other."""
        spots = self.of(*sections)
        if (cut := next(iter(self.of("except")), None)) is None:
            return spots
        after = self.lexicon.except_after
        main = [
            s for s in spots if (s.positions[-1] > cut.positions[-1] if after else s.positions[0] < cut.positions[0])
        ]
        return tuple(main) or spots

    def of(self, *sections: str) -> tuple[Spot, ...]:
        return tuple(s for s in self.spots if s.section in sections)

    def has(self, section: str, *concepts: str) -> bool:
        return any(s.section == section and (not concepts or s.concept in concepts) for s in self.spots)

    def first(self, section: str) -> str | None:
        return next((s.concept for s in self.spots if s.section == section), None)

    def kinds_at(self, position: int) -> tuple[Mention, ...]:
        """The kinds (domains, device classes) that the word at a position names."""
        return self._at(position, _KINDS)

    def mentions_at(self, position: int) -> tuple[Mention, ...]:
        return self._at(position, _NAMES)

    def of_kind(self, *kinds: MentionKind) -> tuple[Mention, ...]:
        return tuple(m for m in self.mentions if m.kind in kinds)

    @cached_property
    def said(self) -> frozenset[int]:
        """Positions of the words that say what is to be done or told."""
        return frozenset(p for s in self.of(*_TELLING) for p in s.positions)

    @cached_property
    def left(self) -> tuple[int, ...]:
        """Positions of the words that nothing explains: no concept, no filler, no number."""
        # a storey that the home has is marked as a place; one that it has not is left for a name to explain
        explained = {p for s in self.spots if s.section not in _PERHAPS_NAMED for p in s.positions}
        explained |= {p for n in self.numbers for p in n.positions}
        return tuple(
            i
            for i, w in enumerate(self.words)
            if not w.mark and i not in explained and not self.kinds_at(i) and not self.lexicon.nearly_filler(w.text)
        )

    @cached_property
    def unmarked(self) -> tuple[Spot, ...]:
        """The concepts that the words hold if none of them is taken for a name."""
        return self.lexicon.spot(tuple(replace(w, mark="") for w in self.words))

    @cached_property
    def joins_kinds(self) -> bool:
        """Whether several kinds of things are named side by side: "the lights and the fan", "the lights or the fan"."""
        kinds = [i for i in range(len(self.words)) if self.kinds_at(i)]
        joints: list[float] = [s.positions[0] for s in self.of("joiners", "alternatives")]
        joints += [i + 0.5 for i in kinds if is_syllabic(t := self.words[i].text) and t.endswith(self.lexicon.joiners)]
        return any(a < joint < b for a, b in itertools.pairwise(kinds) for joint in joints)

    @cached_property
    def strange(self) -> frozenset[int]:
        """Positions of words that may be misspelt: nothing explains them, or only an uncertain mention does."""
        return frozenset(self.left) | {
            i for i in range(len(self.words)) if any(m.score < 1 for m in self.mentions_at(i))
        }

    @cached_property
    def courtesy(self) -> frozenset[int]:
        """Positions of the words of whole phrases of politeness: "if it's not too much trouble"."""
        return frozenset(p for s in self.of("polite") if len(s.positions) > 1 for p in s.positions)

    @cached_property
    def target(self) -> tuple[int, ...]:
        """Positions of the words that say whom it is about: names, places, kinds, and what nothing explains."""
        doing = {p for s in self.of("actions") for p in s.positions}
        doing |= {p for s in self.of("set") for p in s.positions if p == self.opening}
        # "fan only" is a mode, and no fan
        doing |= {p for s in self.of("modes") if len(s.positions) > 1 for p in s.positions} | self.courtesy
        named = {i for i, w in enumerate(self.words) if w.mark or (self.kinds_at(i) and i not in doing)}
        # "the" and "of" in a name say nothing of whom is meant, "floor" in "floor lamp" does
        telling = {
            i for i in named if len(self.words[i].text) > _SHORT or not self.lexicon.is_filler(self.words[i].text)
        }
        return tuple(sorted((telling or named) | set(self.left)))

    @cached_property
    def numbers(self) -> tuple[Number, ...]:
        found: list[Number] = []
        position = 0
        # the three of "three quarters" is no number of its own
        parts = {p for s in self.of("levels") if len(s.positions) > 1 for p in s.positions}
        while position < len(self.words):
            value, size = self._number_at(position)
            if (half := self._unit_with_half(position)) is not None:
                found.append(half)
                position = half.positions[-1] + 1
                continue
            if value is None or (position in parts and not self.words[position].text[0].isdigit()):
                position += 1
                continue
            spelt = position + size
            value, size, unit = self._measured(position, value, size)
            before = range(position - 1, max(-1, position - 1 - _LEAD), -1)
            after = range(spelt, min(len(self.words), spelt + 2)) if not self._led_on(spelt) else ()
            led_by = next((c for p in (*before, *after) if (c := self._leading_at(p))), "")
            positions = tuple(range(position, position + size))
            if not unit and not led_by and position and self.words[position - 1].text in self.numbered:
                position += size  # "lamp 3" beside a "Lamp 2": a name, and no brightness
                continue
            if self.words[position].text[0].isdigit() or unit or led_by:
                found.append(Number(value, unit, positions, led_by))
            position += size
        return tuple(found)

    @cached_property
    def opening(self) -> int | None:
        """The position of the first word that is neither politeness nor filler."""
        polite = {p for s in self.of("polite", "joiners") for p in s.positions}
        return next((i for i in range(len(self.words)) if i not in polite), None)

    def words_at(self, positions: Sequence[int]) -> str:
        """The stretch of the sentence from the first to the last of these words, as it was typed."""
        if not positions:
            return ""
        return self.text[self.words[min(positions)].start : self.words[max(positions)].end]

    def _marked(self, word: Word) -> Word:
        for mention in self.mentions:
            covers = mention.start < word.end and mention.end > word.start
            if covers and mention.kind in _NAMES and mention.score >= _MASKING:
                return Word(word.text, word.start, word.end, mention.kind.value)
        return word

    def _is_verb(self, mention: Mention) -> bool:
        """Whether the word for a kind is part of a longer verb: "switch off all lights" means no switches."""
        verbs = {p for s in self.of("actions") if len(s.positions) > 1 for p in s.positions}
        return any(
            p in verbs and word.start <= mention.start and mention.end <= word.end for p, word in enumerate(self.words)
        )

    def _at(self, position: int, kinds: tuple[MentionKind, ...]) -> tuple[Mention, ...]:
        word = self.words[position]
        return tuple(m for m in self.mentions if m.kind in kinds and m.start < word.end and m.end > word.start)

    def _led_on(self, position: int) -> bool:
        """Whether the "to" behind a number leads another one: "the other one to 30"."""
        after = position + 1
        return after < len(self.words) and self._number_at(after)[0] is not None

    def _leading_at(self, position: int) -> str:
        """What leads a number here: "to", "by", or "than" where it is compared with."""
        return self._concept_at("to", position) or ("than" if self._concept_at("than", position) else "")

    def _concept_at(self, section: str, position: int) -> str | None:
        return next((s.concept for s in self.of(section) if position in s.positions), None)

    def _measured(self, position: int, value: float, size: int) -> tuple[float, int, str]:
        """The number with its unit and what is said of it behind: "and a half", "point five"; and of how many words."""
        unit = ""
        end = position + size
        while end < len(self.words):
            if not unit and (found := self._concept_at("units", end)):
                unit, end = found, end + 1
            elif value.is_integer() and (more := self._fraction_at(end)):
                value, end = value + more[0], end + more[1]
            else:
                break
        return value, end - position, unit

    def _unit_with_half(self, position: int) -> Number | None:
        """ "A degree and a half", which says no number that is one, and "half a degree"."""
        level = next((s for s in self.of("levels") if s.positions[0] == position and s.concept == _HALF), None)
        behind = range(level.positions[-1] + 1, min(level.positions[-1] + 3, len(self.words))) if level else range(0)
        measured = next((p for p in behind if self._concept_at("units", p) == "degree"), None)
        if measured is not None:
            return Number(0.5, "degree", tuple(range(position, measured + 1)), "")
        unit = self._concept_at("units", position)
        half = next((s for s in self.of("halves") if s.positions[0] == position + 1 and s.concept == "half"), None)
        before = self._number_at(position - 1)[0] if position else None
        if unit is None or half is None or (before is not None and before != 1):
            return None
        return Number(1.5, unit, (position, *half.positions), "")

    def _fraction_at(self, position: int) -> tuple[float, int] | None:
        """A half, or digits behind a spoken point, that begin here, and of how many words they are made."""
        spot = next((s for s in self.of("halves") if s.positions[0] == position), None)
        if spot is None or spot.concept == "half":
            return (0.5, len(spot.positions)) if spot else None
        after = spot.positions[-1] + 1
        digit, size = self._number_at(after) if after < len(self.words) else (None, 0)
        return (digit / 10, len(spot.positions) + size) if digit is not None and 0 <= digit < 10 else None

    def _number_at(self, position: int) -> tuple[float | None, int]:
        """The number that begins here and of how many words it is made."""
        word = self.words[position]
        if word.mark:
            return None, 0
        if word.text[0].isdigit():
            return written_number(word.text), 1
        for size in range(min(_LONGEST_NUMBER, len(self.words) - position), 0, -1):
            spelt = " ".join(w.text for w in self.words[position : position + size])
            if spelt in self.lexicon.number_words:
                return float(self.lexicon.number_words[spelt]), size
        if (odd := self.lexicon.odd_numbers.get(word.text)) is not None:
            return odd, 1
        for ending in self.lexicon.half_endings:
            if (whole := self.lexicon.number_words.get(word.text.removesuffix(ending))) and word.text.endswith(ending):
                return whole + 0.5, 1
        return None, 0


def read(
    mentions: Mentions, lexicon: Lexicon, names: Sequence[str] = (), fixes: Mapping[int, str] | None = None
) -> Reading:
    """The whole sentence as a reading; what it mentions was worked out by retrieval.

    ``names`` are those of the entities that were retrieved: two words of one in a row are a part of that name.
    ``fixes`` are words, by position, that were misspelt.
    """
    words = _parted(words_of(mentions.text), mentions, lexicon)
    words = tuple(replace(w, text=(fixes or {}).get(i, w.text)) for i, w in enumerate(words))
    return Reading(mentions.text, words, mentions, lexicon, names)


def _parted(words: Sequence[Word], mentions: Mentions, lexicon: Lexicon) -> tuple[Word, ...]:
    """Compounds cut where something was found inside of them: a room and a kind in one word, a name and its ending,
    a spelt-out number and its unit."""
    kinds = (*_NAMES, *_KINDS)
    found = [m for m in (*mentions.items, *mentions.excluded) if m.kind in kinds and m.score >= _MASKING]
    edges = {e for m in found for e in (m.start, m.end)}
    parted: list[Word] = []
    for word in words:
        inside = sorted(e for e in edges if word.start < e < word.end) or list(lexicon.cut_of_number(word))
        for start, end in itertools.pairwise((word.start, *inside, word.end)):
            parted.append(word if not inside else Word(fold(mentions.text[start:end]), start, end))
    return tuple(parted)


def _numbered_words(names: Sequence[str]) -> frozenset[str]:
    pairs = (pair for name in names for pair in itertools.pairwise(name_words(name)))
    return frozenset(first for first, second in pairs if second.isdigit() and not first.isdigit())


def _with_parts_of_names(words: tuple[Word, ...], names: Sequence[str], lexicon: Lexicon) -> tuple[Word, ...]:
    parts = {pair for name in names for pair in itertools.pairwise(name_words(name))}
    marked = list(words)
    for i, (first, second) in enumerate(itertools.pairwise(words)):
        if (first.text, second.text) in parts:
            for j in (i, i + 1):
                if lexicon.is_filler(words[j].text):
                    continue
                marked[j] = replace(words[j], mark=words[j].mark or "part")
    return tuple(marked)
