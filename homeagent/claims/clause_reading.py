"""A clause of a sentence, and what of it tells something of the home."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from homeagent.claims.claim import LARGER, Amount, Aspect, Relation, Unit
from homeagent.claims.claim_words import Frame, Group, Mark, Said
from homeagent.languages.pack import load_pack
from indexer.mentions import Mention, MentionKind
from indexer.words import normalise

SURE = 0.75
"""A name that is less certain may be a common word."""
_THINGS = (
    *(MentionKind.NAME, MentionKind.AREA, MentionKind.FLOOR, MentionKind.DOMAIN, MentionKind.DEVICE_CLASS),
    *(MentionKind.EVERY, MentionKind.WHOLE_HOME),
)
_LONGEST_NUMBER = 4
"""Words of a number that is spelt out."""
_NEAR = 4
"""Words before a number among which one may say "about"."""
_LABEL = re.compile(r"\W{0,3}:")
_PARTICLE = 5
"""Letters: a word for a state that is no longer may be a preposition ("on the list"), by what follows it."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word, a number or a sign of a sentence: ``text`` is spelt `with_accents`. ``named``: it belongs to a name."""

    text: str
    start: int
    end: int
    named: bool = False


@dataclass(frozen=True)
class Clause:
    """A stretch of a sentence. ``start`` and ``end`` are offsets in it, like those of ``words`` and ``mentions``;
    the positions in ``said`` count the clause's words."""

    sentence: str
    start: int
    end: int
    words: tuple[Word, ...]
    said: tuple[Said, ...]
    mentions: tuple[Mention, ...]
    plural: bool
    language: str

    @property
    def text(self) -> str:
        """The clause as it is written."""
        return self.sentence[self.start : self.end]

    def of(self, group: Group, *concepts: str) -> tuple[Said, ...]:
        """What is said of a group, in order: all of it, or these ``concepts`` only."""
        return tuple(s for s in self.said if s.group is group and (not concepts or s.concept in concepts))

    def marked(self, *marks: Mark) -> tuple[Said, ...]:
        """The words for any of these marks; without an argument, for all marks."""
        return self.of(Group.MARK, *marks)

    def framed(self, *frames: Frame) -> tuple[Said, ...]:
        """The words for any of these frames; without an argument, for all frames."""
        return self.of(Group.FRAME, *frames)

    @cached_property
    def states(self) -> tuple[Said, ...]:
        """The states that are said, without prepositions that look like one. Beside a verb that says one ("brennt"),
        what denies a thing ("kein Licht") says none of its own."""
        found = [s for s in self.of(Group.STATE) if not self._is_preposition(s) and not self._is_kind(s)]
        denied = {p for s in self.marked(Mark.NOT, Mark.NONE) for p in s.positions}
        plain = [s for s in found if not denied & set(s.positions)]
        return tuple(plain or found)

    @cached_property
    def tells(self) -> bool:
        """Whether there is anything in it that a claim is made of."""
        return bool(
            self.of(Group.DOING)
            or self.of(Group.DEED)
            or self.states
            or self.framed(Frame.COPULA, Frame.PROMISE, Frame.PASSIVE)
            or self.amounts
        )

    @cached_property
    def names(self) -> bool:
        """Whether it names anything of the home."""
        return any(m.kind in _THINGS and m.score >= SURE for m in self.mentions) or bool(self.marked(Mark.WHOLE))

    @cached_property
    def amounts(self) -> tuple[Amount, ...]:
        """The numbers with a unit that something at home can have."""
        written = [amount for m in self.mentions if (amount := self._amount(m)) is not None]
        return tuple(written or self._spelt_out())

    @cached_property
    def counted(self) -> float | None:
        """A number of things: "two windows", "two of the five", "half of the four"."""
        kinds = (MentionKind.DOMAIN, MentionKind.DEVICE_CLASS)
        plain = [n for n in self._numbers() if not self._has_unit(n)]
        of_kind = [n for n in plain if any(self._is_right_before(n, m) for m in self.mentions if m.kind in kinds)]
        of = {s.last for s in self.marked(Mark.OF)}
        wholes = [n for n in plain if self._place(n) - 1 in of]  # "of the five"
        values = [float(n.values[0]) for n in plain]
        if self.marked(Mark.HALF):
            return max(values) / 2 if values else None
        if len(values) > 1:
            return min(values)
        return values[0] if of_kind and not wholes else None

    def _place(self, mention: Mention) -> int:
        return next((i for i, w in enumerate(self.words) if w.start >= mention.start), 0)

    def _is_right_before(self, number: Mention, kind: Mention) -> bool:
        after = self._word_after(number.end)
        return after is not None and kind.start <= self.words[after].start < kind.end

    def _has_unit(self, number: Mention) -> bool:
        after = self._word_after(number.end)
        return not number.values[0].isdigit() or any(after in s.positions for s in self.of(Group.UNIT))

    @cached_property
    def negations(self) -> tuple[Said, ...]:
        """What denies it, save what is a part of a state's words ("not locked")."""
        inside = {p for s in self.states for p in s.positions}
        inside |= {p for s in self.of(Group.RELATION) for p in s.positions}
        return tuple(s for s in self.marked(Mark.NOT, Mark.NONE) if not set(s.positions) <= inside)

    @cached_property
    def past(self) -> bool:
        """Whether it tells of a time gone by; "um die 26" is none."""
        compared = {p for s in self.of(Group.RELATION) for p in s.positions}
        return any(not set(s.positions) <= compared for s in self.marked(Mark.PAST))

    def spans(self, but: Group | None = None) -> list[tuple[int, int]]:
        """Where the words stand that say something, and name nothing; without those of one group."""
        said = (s for s in self.said if s.group is not but)
        return [(self.words[p].start, self.words[p].end) for s in said for p in s.positions]

    def _numbers(self) -> Iterator[Mention]:
        named = [(m.start, m.end) for m in self.mentions if m.kind is MentionKind.NAME and m.score >= SURE]
        for mention in self.mentions:
            inside = any(a <= mention.start and mention.end <= b for a, b in named)
            if mention.kind is MentionKind.NUMBER and not inside:
                yield mention

    def _amount(self, mention: Mention) -> Amount | None:
        if mention not in tuple(self._numbers()):
            return None
        return self._counted_in(self._word_after(mention.end), mention.values[0])

    def _counted_in(self, place: int | None, text: str) -> Amount | None:
        """The number with the unit that stands at a place."""
        units = [s for s in self.of(Group.UNIT) if place in s.positions]
        unit = next((Unit(s.concept) for s in units if s.concept != Unit.OTHER), None)
        if unit is None or place is None:
            return None
        below = any(s.last == place - 2 or s.first == units[0].last + 1 for s in self.marked(Mark.MINUS))
        text = f"-{text}" if below and not text.startswith("-") else text
        return amount_of(text, unit, self._relation(place - 1, units[0].last), self.aspect)

    @cached_property
    def aspect(self) -> Aspect | None:
        """What of a thing its numbers are about, where a word tells."""
        return next((Aspect(s.concept) for s in self.of(Group.ASPECT)), None)

    @cached_property
    def bare(self) -> Amount | None:
        """The number without a unit that the clause ends with: "it is set to 19"."""
        place = len(self.words) - 1
        if place < 0:
            return None
        last = self.words[place]
        spelt = self._number_words.get(normalise(self.sentence[last.start : last.end]))
        texts = [n.values[0] for n in self._numbers() if n.end > last.start]
        text = next((t for t in texts if t.replace(".", "", 1).isdigit()), spelt)
        return amount_of(text, None, self._relation(place, place), self.aspect) if text is not None else None

    @cached_property
    def is_number(self) -> bool:
        """Whether it is a number with its unit, and no more."""
        said = {p for s in self.said if s.group in (Group.UNIT, Group.RELATION) for p in s.positions}
        said |= {p for s in self.marked(Mark.MINUS) for p in s.positions}
        said |= {self._place(n) for n in self._numbers()}
        return bool(self.amounts) and len(said) == len(self.words)

    @cached_property
    def labelled(self) -> bool:
        """Whether it is a line of a list that says of one thing how it is: "- Dryer: idle"."""
        names = [m for m in self.mentions if m.kind is MentionKind.NAME and m.score >= SURE]
        return any(_LABEL.match(self.sentence, m.end) for m in names)

    def _is_kind(self, said: Said) -> bool:
        """Whether a word for a state is a noun for a kind of thing here: "heating costs a lot"."""
        if said.kind != "default" or self.framed(Frame.COPULA):
            return False
        start, end = self.words[said.first].start, self.words[said.last].end
        return any(m.kind is MentionKind.DOMAIN and (m.start, m.end) == (start, end) for m in self.mentions)

    def _relation(self, number: int, unit: int) -> Relation:
        """How the number at a place stands to what is so: what is said closely before it, or behind its unit."""
        near = [s for s in self.of(Group.RELATION) if number - _NEAR <= s.last < number or unit < s.first <= unit + 2]
        best = max(near, key=lambda s: (len(s.positions), -abs(s.last - number)), default=None)
        return Relation(best.concept) if best is not None else Relation.EXACT

    def _spelt_out(self) -> list[Amount]:
        """The numbers in words that stand before a unit: "twenty percent"."""
        found = []
        for unit in self.of(Group.UNIT):
            for size in range(min(_LONGEST_NUMBER, unit.first), 0, -1):
                words = self.words[unit.first - size : unit.first]
                number = self._number_words.get(normalise(" ".join(self.sentence[w.start : w.end] for w in words)))
                if number is not None:
                    found.append(self._counted_in(unit.first, number))
                    break
        return [amount for amount in found if amount is not None]

    @property
    def _number_words(self) -> Mapping[str, str]:
        """Numbers that are spelt out, in comparable spelling, as digits."""
        pack = load_pack(self.language)
        return pack.digits if pack is not None else {}

    def _word_after(self, offset: int) -> int | None:
        return next((i for i, w in enumerate(self.words) if w.start >= offset), None)

    def _is_preposition(self, said: Said) -> bool:
        if len(said.positions) > 1 or not self.words[said.first].text.isascii():
            return False
        if len(self.words[said.first].text) >= _PARTICLE or said.last + 1 >= len(self.words):
            return False
        follows = self.words[said.last + 1]
        listed = {p for s in self.marked(Mark.FOLLOW) for p in s.positions}
        return said.last + 1 not in listed and not follows.named and self.language in ("en", "de", "nl")


_OPEN = {Unit.PERCENT: 3.0, Unit.DEGREE: 2.0}
"""What "about" leaves open."""
_PART = 0.1
"""The same in units that have no scale of their own, as a part of the number."""
_MOST_ROUNDED = 0.05
"""So much of a number may go by rounding it: "400 watts" for 412."""
_JUST = 1.5
"""So much more than "about" does "a little over" leave open, on its one side."""
_LEVEL = 1.0
"""What is left open of a percentage: a light of 255 steps has none for every one of them."""


def amount_of(text: str, unit: Unit | None, relation: Relation, aspect: Aspect | None) -> Amount:
    """The number that is written so ("3.2", "400"), in the unit that numbers are compared in."""
    base, scale = LARGER.get(unit, (unit, 1.0)) if unit is not None else (None, 1.0)
    value = float(text)
    decimals = len(text.partition(".")[2])
    step = 0.5 * 0.1**decimals
    if base not in _OPEN and not decimals:
        zeros = len(text) - len(text.rstrip("0"))
        step = max(step, min(0.5 * 10.0**zeros, _MOST_ROUNDED * abs(value)))
    return Amount(value * scale, base, step * scale, relation, aspect)


def fits(amount: Amount, value: float, unit: Unit) -> bool:
    """Whether a value in that unit is what was said."""
    slack = _LEVEL if unit is Unit.PERCENT else amount.step + 0.01
    open_ = max(slack, _OPEN.get(unit, _PART * abs(amount.value)))
    below, above = {
        Relation.EXACT: (slack, slack),
        Relation.ABOUT: (open_, open_),
        Relation.OVER: (slack, float("inf")),
        Relation.UNDER: (float("inf"), slack),
        Relation.JUST_OVER: (slack, _JUST * open_ + slack),
        Relation.JUST_UNDER: (_JUST * open_ + slack, slack),
    }[amount.relation]
    return amount.value - below <= value <= amount.value + above
