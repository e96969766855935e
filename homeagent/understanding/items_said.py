"""Items of lists as open text: whatever stands between a verb and the name of a list is one, or several.

What the words mean elsewhere does not matter there, and so all of them are one span beside the readings of each.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from homeagent.languages.concepts import (
    Chat,
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
from homeagent.languages.dictionary import base_form
from homeagent.understanding.endings import bare, joins_the_next
from homeagent.understanding.home_names import LISTS, HomeNames
from homeagent.understanding.spans import Items, Meaning, Named, OfKind, Source, Span
from homeagent.understanding.tokeniser import Token
from indexer.words import words

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
NO_ITEM = (Role.NEGATION, Chat.NOTHING)
"""What says "nothing"."""
_NAMELESS = (
    *(ListAction.ITEM, Role.EVERYTHING, Role.EVERY, Role.PRONOUN, ListAction.NEW, ListAction.WIPE, *_LED, *NO_ITEM),
)
"""What stands for an item and names none."""
_LACKING = (ShoppingWord.GONE, ShoppingWord.NEED)
_SURELY_TELLING = (*_LACKING, Role.COPULA, Role.REASON, Role.CONDITION, Role.NEGATION)
"""With one of these, words before the name of the list tell something."""
_TELLING = (Role.STATEMENT, Role.AUXILIARY, Role.DELEGATION)
"""With one of these they do so behind their opening."""


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a list is named: from its preposition up to behind its name."""

    lead: int
    first: int
    end: int


def lists_meant(tokens: Sequence[Token], found: Sequence[Sequence[Span]], names: HomeNames) -> Iterator[Span]:
    """Lists that are named by what is on them, behind a preposition or before a colon: "dans mes tâches", "groceries:
    milk", "장볼 거에".
    """
    read = _Reader(tokens, found, names)
    ordered = any(s.meaning in DEEDS[:2] for spans in found for s in spans)
    for i, spans in enumerate(found):
        for span in spans:
            heads = span.end < len(tokens) and ":" in tokens[span.end].mark
            if not (heads or (ordered and read.is_led(span))):
                continue
            if span.meaning is ShoppingWord.BUY and names.shopping_lists:
                yield Span(i, span.end, Named(names.shopping_lists), span.cost)
            elif span.meaning is ListAction.ITEM and (ids := _called(tokens[i : span.end], names)):
                yield Span(i, span.end, Named(ids), span.cost)


def _called(said: Sequence[Token], names: HomeNames) -> tuple[str, ...]:
    """The one list whose name holds these words; empty where it is none or several."""
    lists = names.of_domain(LISTS)
    found = tuple(e.entity_id for e in lists if any({t.text for t in said} <= set(words(n)) for n in e.names))
    return found if len(found) == 1 else ()


def items_said(tokens: Sequence[Token], found: Sequence[Sequence[Span]], names: HomeNames) -> Iterator[Span]:
    """The spans of the items that a sentence says what to do with, by the spans of its words ``found`` before."""
    if any(_is_list(s.meaning) for spans in found for s in spans):
        yield from _Reader(tokens, found, names).read()


class _Reader:
    def __init__(self, tokens: Sequence[Token], found: Sequence[Sequence[Span]], names: HomeNames) -> None:
        self._tokens, self._found, self._names = tokens, found, names
        self._behind = names.pack.postpositions
        self._trails = self._behind or bool(names.pack.separable)
        """Whether small words stand behind a noun, too, and adjectives never do."""

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

    def is_led(self, span: Span) -> bool:
        """Whether a preposition stands before the words of a span, articles aside; with postpositions at their end."""
        if self._behind:
            ending = (s for s in self._found[span.first] if s.source is Source.ENDING and s.meaning in _LEADS)
            return any(s.end == span.end for s in ending)
        lead = span.first
        while self._follows(lead, *_LED) and not self._follows(lead, *_LEADS):
            lead -= 1
        return self._follows(lead, *_LEADS)

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
        """What a verb before or behind the list is said of; without a verb, what is to be on it."""
        before, behind = self._deeds(first, place.lead), self._deeds(place.end, end)
        leads = place.lead < place.first
        if not leads and not self._behind:
            return None
        if self._behind and before and behind:
            return None  # the verb stands behind the list, and there is another before it
        opening = [s for s in before if self._opens(s.first, first)]
        if not before and not behind:
            return self._without_verb(place, first, end)
        verb = opening[-1] if opening else (before or behind)[0]
        deed = self._deed(verb, place)
        if verb in behind:
            beside = self._span(deed, place.end, verb.first) or self._told(deed, first, place.lead)
            return beside or self._span(deed, verb.end, end)
        if (found := self._span(deed, verb.end, place.lead)) is not None:
            return found
        if any(self._says(i, Role.PRONOUN) for i in range(verb.end, place.lead)):
            return self._lacking(deed, first, verb.first)  # "milk is out, add it to the list"
        ended = behind[0].first if behind else end
        return self._span(deed, place.end, ended) or self._told(deed, first, verb.first)

    def _deed(self, verb: Span, place: _Place) -> ListAction:
        """What a verb says; of several what fits the preposition of the list ("wirf … auf", "wirf … von")."""
        said = {s.meaning for s in self._found[verb.first] if s.end == verb.end}
        onto = self._says(place.lead, Role.TO, whole=None)
        return next(d for d in (DEEDS if onto else (*DEEDS[1:], *DEEDS)) if d in said)

    def _without_verb(self, place: _Place, first: int, end: int) -> Span | None:
        """What stands alone before the preposition of a list that ends the sentence, or behind a list that opens it."""
        if not self._says(place.lead, Role.TO) or any(self._says(i, Question) for i in range(first, end)):
            return None
        opens = self._without_leading(first, place.lead, *_BEFORE) == place.lead
        begun, ended = (place.end, end) if opens else (first, place.lead)
        alone = opens or self._without_leading(place.end, end, *_BEHIND) == end
        verbs = (i for i in range(begun, ended) if self._says(i, Verb) and not self._says(i, *_LED))
        return self._told(ListAction.ADD, begun, ended) if alone and not any(verbs) else None

    def _told(self, deed: ListAction, first: int, end: int) -> Span | None:
        """The items among words that may as well tell something: then only what is told to be used up."""
        if any(self._says(i, *_SURELY_TELLING) for i in range(first, end)):
            return self._lacking(deed, first, end)
        rather = any(self._says(i, Role.PREFERRED) for i in range(first, end))
        if any(self._says(i, Role.REPLACED) or (rather and self._is_than(i)) for i in range(first, end)):
            return None  # "rather rice than pasta on the list"
        first = self._without_leading(first, end, *_BEFORE)
        return None if any(self._says(i, *_TELLING) for i in range(first, end)) else self._span(deed, first, end)

    def _lacking(self, deed: ListAction, first: int, end: int) -> Span | None:
        """What is told to be used up or needed ("milk is out")."""
        said = [s for i in range(first, end) for s in self._found[i] if s.meaning in _LACKING and s.end <= end]
        if deed is not ListAction.ADD or not said:
            return None
        lacks = max(said, key=lambda s: s.end - s.first)
        for begun, ended in ((lacks.end, end), (first, lacks.first)):
            begun = self._without_leading(begun, ended, *_BEFORE, Role.PLACE, Role.NEGATION)
            ended = self._without_trailing(begun, ended, *_BEHIND, Role.COPULA, Role.REASON, Role.JOIN)
            if begun < ended and not any(self._says(i, *_SURELY_TELLING, *_TELLING) for i in range(begun, ended)):
                return self._span(deed, begun, ended)
        return None

    def _span(self, deed: ListAction, first: int, end: int) -> Span | None:
        """The items among these tokens; None where they name none."""
        if first < end and deed is not ListAction.ADD:
            end = self._without_trailing(first, end, ListAction.COMPLETE, Role.TO, Role.PLACE)
        ordered = first and self._says(first - 1, ListAction)  # "pack Oma anrufen auf die Liste" tells nothing of her
        before = [said for said in _BEFORE if not (ordered and said is Role.STATEMENT)]
        first = self._without_leading(first, end, *before, Role.NEGATION)  # which is of the order: "keine Milch"
        behind = [said for said in _BEHIND if not (self._behind and said is Role.COURTESY)]  # "물 주기"
        end = self._without_trailing(first, end, *behind)
        if first >= end or self._without_leading(first, end, *_NAMELESS) == end or self._breaks_off(first, end):
            return None
        texts = tuple(filter(None, (self._text(a, b) for a, b in self._parts(first, end))))
        return Span(first, end, Items(deed, texts), _PRICE) if texts else None

    def _breaks_off(self, first: int, end: int) -> bool:
        """Whether there is a question, a denial, a correction or another deed among the tokens, behind a conjunction or
        a mark.
        """
        asks = {*Question, *DEEDS, Role.NEGATION, Reference.CORRECTS} - {Question.YESNO, Question.ANY}
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
        apart = [t.gap if i and t.start > said[i - 1].end else "" for i, t in enumerate(said)]
        return "".join(f"{gap}{raw}" for gap, raw in zip(apart, typed, strict=True))

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
        """The index behind all leading tokens that say one of these; what stands behind an article is of the noun."""
        articled = False
        while first < end:
            said = [s for s in self._found[first] if s.meaning in small and s.source is not Source.ENDING]
            ends = [s.end for s in said if s.end <= end and self._is_small(first, s, articled=articled)]
            if not ends:
                break
            articled = any(s.meaning is Role.ARTICLE for s in said)
            first = max(ends)
        return first

    def _is_small(self, place: int, span: Span, *, articled: bool) -> bool:
        """Whether a word is no part of a noun: it has no accent that the small word lacks, and a filler is uninflected,
        as adverbs are, and adjectives are not.
        """
        token, pack = self._tokens[place], self._names.pack
        elided = place + 1 < len(self._tokens) and self._tokens[place + 1].follows_an_apostrophe
        if elided or span.end - span.first > 1 or span.meaning not in (Role.FILLER, Role.ARTICLE, Role.PRONOUN):
            return True
        raw = token.raw.casefold()
        if raw != token.text and raw not in pack.spelled:
            return False
        if self._behind or self._says(place, Role.ARTICLE, Role.COURTESY, Role.PREFERRED, Reference):
            return True
        return span.meaning is not Role.FILLER or (not articled and base_form(raw, pack.language) == raw)

    def _without_trailing(self, first: int, end: int, *small: Concept) -> int:
        """The index behind the last token that says none of these."""
        while first < end:
            own = small if self._trails else tuple(c for c in small if c is not Role.FILLER)
            begins = [i for i in range(first, end) if self._says(i, *own, whole=end)]
            if not begins or self._is_counted(min(begins)) or self._says(min(begins), Verb):
                break
            end = min(begins)
        return end

    def _is_than(self, place: int) -> bool:
        return self._tokens[place].text in self._names.pack.than

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
