"""Items of lists as open text: whatever stands between a verb and the name of a list is one, or several.

What the words mean elsewhere does not matter there, and so all of them are one span beside the readings of each.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from homeagent.languages.concepts import (
    Concept,
    Count,
    ListAction,
    Particle,
    Question,
    Reference,
    Role,
    ShoppingWord,
    Verb,
)
from homeagent.understanding.endings import bare, joins_the_next
from homeagent.understanding.home_names import HomeNames
from homeagent.understanding.spans import Items, Meaning, Named, OfKind, Source, Span
from homeagent.understanding.tokeniser import Token

LISTS = "todo"
"""The domain of lists."""
DEEDS = (ListAction.ADD, ListAction.REMOVE, ListAction.COMPLETE)
"""What is done with an item."""
_PRICE = 0.3
_ENDS_A_SENTENCE = frozenset(".!?;")
_LEADS = (Role.TO, Role.PLACE)
_BEFORE = (
    *(Role.FILLER, Role.ARTICLE, Role.COURTESY, Role.JOIN, Role.PRONOUN, Role.STATEMENT, Role.AUXILIARY),
    *(Reference.TOO, Question.YESNO, Role.ENSURE),
)
"""What stands before an item, and is none of it."""
_BEHIND = (Role.FILLER, Role.COURTESY, Reference.TOO)
_LED = (Role.ARTICLE, Role.FILLER, Role.COURTESY, Reference.TOO)
"""What may lead an item, or stand between a list and its preposition."""
_NAMELESS = (ListAction.ITEM, Role.EVERYTHING, Role.EVERY, Role.PRONOUN, ListAction.NEW, ListAction.WIPE, *_LED)
"""What stands for an item and names none."""
_SURELY_TELLING = (ShoppingWord.GONE, ShoppingWord.NEED, Role.COPULA, Role.REASON, Role.CONDITION, Role.NEGATION)
"""With one of these, words before the name of the list tell something."""
_TELLING = (Role.STATEMENT, Role.AUXILIARY, Role.DELEGATION)
"""With one of these they do so behind their opening."""


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a list is named: from its preposition up to behind its name."""

    lead: int
    first: int
    end: int


def items_said(tokens: Sequence[Token], found: Sequence[Sequence[Span]], names: HomeNames) -> Iterator[Span]:
    """The spans of the items that a sentence says what to do with, by the spans of its words ``found`` before."""
    if any(s.meaning in DEEDS for spans in found for s in spans) or any(":" in t.mark for t in tokens):
        yield from _Reader(tokens, found, names).read()


class _Reader:
    def __init__(self, tokens: Sequence[Token], found: Sequence[Sequence[Span]], names: HomeNames) -> None:
        self._tokens, self._found, self._names = tokens, found, names
        self._behind = names.pack.postpositions

    def read(self) -> Iterator[Span]:
        places = list(self._places())
        for n, place in enumerate(places):
            first = max([places[n - 1].end if n else 0, self._opening(place.lead)])
            end = next((i for i in range(place.end, len(self._tokens)) if self._ends(i)), len(self._tokens))
            end = min([end, *(p.lead for p in places[n + 1 : n + 2])])
            if (span := self._heading(place, first, end) or self._ordered(place, first, end)) is not None:
                yield span

    def _places(self) -> Iterator[_Place]:
        """Where lists are named, each behind its preposition; the name alone where that is a heading, or where
        postpositions mark it.
        """
        last = 0
        for i, spans in enumerate(self._found):
            ends = [s.end for s in spans if _is_list(s.meaning) and s.source is not Source.CORRECTED]
            if i < last or not ends:
                continue
            last = max(ends)
            lead = i
            while not self._behind and self._follows(lead, *_LED) and not self._follows(lead, *_LEADS):
                lead -= 1
            leads = not self._behind and self._follows(lead, *_LEADS, Particle)
            yield _Place(lead - 1 if leads else lead, i, last)

    def _follows(self, place: int, *meanings: Concept | type) -> bool:
        """Whether a word that says one of these stands before a token, with no mark between them."""
        return place > 0 and not self._tokens[place].mark and self._says(place - 1, *meanings, whole=place)

    def _heading(self, place: _Place, first: int, end: int) -> Span | None:
        """What stands behind a list and a colon, where nothing but small words stand before it."""
        alone = self._without_leading(first, place.first, *_BEFORE, *_LEADS) == place.first
        if not alone or place.end >= end or ":" not in self._tokens[place.end].mark:
            return None
        ordered = self._deeds(place.end, end)
        if ordered and place.end in (ordered[0].first, self._without_leading(place.end, end, *_BEFORE)):
            return None  # "shopping list: remove milk"
        return self._span(ListAction.ADD, place.end, end)

    def _ordered(self, place: _Place, first: int, end: int) -> Span | None:
        before, behind = self._deeds(first, place.lead), self._deeds(place.end, end)
        leads = place.lead < place.first
        said = {s.meaning for s in (*before, *behind)}
        if len(said) != 1 or not (leads or self._behind):
            return None
        deed = next(iter(said))
        if before:
            opening = [s for s in before if self._opens(s.first, first)]
            verb = (opening or before[:1])[-1]
            if (found := self._span(deed, verb.end, place.lead)) is not None:
                return found
            if any(self._says(i, Role.PRONOUN) for i in range(verb.end, place.lead)):
                return None  # "milk is out, add it to the list"
            if (found := self._span(deed, place.end, behind[0].first if behind else end)) is not None:
                return found
            return self._span(deed, first, verb.first, told=True)
        verb = behind[0]
        return self._span(deed, place.end, verb.first) or self._span(deed, first, place.lead, told=True)

    def _span(self, deed: Meaning, first: int, end: int, *, told: bool = False) -> Span | None:
        """The items among these tokens; None where they name none. ``told``: whether they may tell something else."""
        if told and any(self._says(i, *_SURELY_TELLING) for i in range(first, end)):
            return None
        if first < end and deed is not ListAction.ADD:
            end = self._without_trailing(first, end, ListAction.COMPLETE, Role.TO, Role.PLACE)
        first = self._without_leading(first, end, *_BEFORE)
        end = self._without_trailing(first, end, *_BEHIND)
        if first >= end or self._without_leading(first, end, *_NAMELESS) == end or self._tells(first, end, told=told):
            return None
        texts = tuple(filter(None, (self._text(a, b) for a, b in self._parts(first, end))))
        return Span(first, end, Items(deed, texts), _PRICE) if texts else None

    def _tells(self, first: int, end: int, *, told: bool) -> bool:
        """Whether there is a question among the tokens, behind a conjunction or a mark, or something is told."""
        if told and any(self._says(i, *_TELLING) for i in range(first, end)):
            return True
        asks = {*Question} - {Question.YESNO, Question.ANY}
        parts = (i for i in range(first + 1, end) if self._tokens[i].mark or self._says(i - 1, Role.JOIN))
        return any(self._says(i, *asks) for i in parts)

    def _parts(self, first: int, end: int) -> Iterator[tuple[int, int]]:
        """The extents of the items: parted by marks, conjunctions, and articles of an amount."""
        begun = first
        for i in range(first, end):
            joins = i > begun and self._says(i, Role.JOIN, whole=i + 1) and not self._says(i, Reference.TOO)
            if joins or (i > begun and self._tokens[i].mark) or self._parts_amounts(begun, i):
                yield begun, i
                begun = i + 1 if joins else i
            elif i > begun - 1 and i + 1 < end and joins_the_next(self._tokens[i].raw, self._names):
                yield begun, i + 1
                begun = i + 1
        yield begun, end

    def _parts_amounts(self, begun: int, place: int) -> bool:
        """Whether an article of an amount begins another item behind one ("des pommes des poires")."""
        amounts = self._names.pack.partitives
        texts = [t.text for t in self._tokens]
        return place > begun and bool(amounts & {*texts[max(begun - 1, 0) : begun + 1]}) and texts[place] in amounts

    def _text(self, first: int, end: int) -> str:
        """An item as typed, without the small words that lead it and a particle that hangs on it."""
        first = self._without_leading(first, end, *_LED, Role.JOIN)
        end = self._without_trailing(first, end, *_BEHIND)
        said = self._tokens[first:end]
        if not said:
            return ""
        last = said[-1].raw
        kept = self._says(end - 1, Verb) or self._is_counted(end - 1)
        typed = [*(t.raw for t in said[:-1]), last if kept else bare(last, self._names)]
        return "".join(f"{t.gap if i else ''}{raw}" for i, (t, raw) in enumerate(zip(said, typed, strict=True)))

    def _deeds(self, first: int, end: int) -> list[Span]:
        """The longest readings as deeds of lists, in order."""
        found: list[Span] = []
        for i in range(first, end):
            said = [s for s in self._found[i] if s.meaning in DEEDS and s.end <= end]
            if said and not (found and i < found[-1].end):
                found.append(max(said, key=lambda s: s.end))
        return found

    def _opens(self, place: int, first: int) -> bool:
        """Whether nothing but small words stands between a token and the conjunction, the mark or the opening before
        it.
        """
        while place > first and not self._tokens[place].mark:
            if self._says(place - 1, Role.JOIN, whole=place):
                return True
            if not self._says(place - 1, *_BEFORE, whole=place):
                return False
            place -= 1
        return True

    def _opening(self, place: int) -> int:
        return next((i for i in range(place, 0, -1) if self._ends(i)), 0)

    def _ends(self, place: int) -> bool:
        return bool(_ENDS_A_SENTENCE & set(self._tokens[place].mark))

    def _without_leading(self, first: int, end: int, *small: Concept) -> int:
        """The index behind all leading tokens that say one of these."""
        while first < end:
            ends = [s.end for s in self._found[first] if s.meaning in small and s.end <= end]
            if not ends:
                break
            first = max(ends)
        return first

    def _without_trailing(self, first: int, end: int, *small: Concept) -> int:
        """The index behind the last token that says none of these."""
        while first < end:
            begins = [i for i in range(first, end) if self._says(i, *small, whole=end)]
            if not begins or self._is_counted(min(begins)) or self._says(min(begins), Verb):
                break
            end = min(begins)
        return end

    def _is_counted(self, place: int) -> bool:
        """Whether a number stands before a token, whose unit that is then."""
        return place > 0 and (self._tokens[place - 1].text.isdigit() or self._says(place - 1, Count))

    def _says(self, place: int, *meanings: Concept | type, whole: int | None = None) -> bool:
        """Whether a span that begins at a token, and ends at ``whole`` where that is given, says one of these."""
        return any(
            (s.meaning in meanings or type(s.meaning) in meanings)
            and s.source is not Source.ENDING
            and (whole is None or s.end == whole)
            for s in self._found[place]
        )


def _is_list(meaning: Meaning) -> bool:
    if isinstance(meaning, Named):
        return not meaning.part and all(i.startswith(f"{LISTS}.") for i in meaning.entity_ids)
    return isinstance(meaning, OfKind) and any(LISTS in c.domains for c in meaning.concepts)
