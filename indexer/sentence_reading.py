"""How a sentence is read: finds names, concept words, numbers and small words, then settles what overlaps."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from indexer.lexicon import ConceptWord, Lexicon, lexicon
from indexer.mentions import Mention, MentionKind, Mentions
from indexer.normalise import composed, is_syllabic
from indexer.places import fuzzy_places, inflected_places, unknown_places
from indexer.vocabulary import Vocabulary
from indexer.words import Token, tokens

MAX_CHARACTERS = 2000
"""What is read of a sentence: longer ones are not commands."""

_NUMBER = re.compile(r"\d+(?:[.,]\d+)?")
_NAMES = frozenset({MentionKind.NAME, MentionKind.AREA, MentionKind.FLOOR, MentionKind.LABEL})
_MEANINGS = frozenset({MentionKind.DOMAIN, MentionKind.DEVICE_CLASS, MentionKind.ACTION})
_OWN = frozenset({MentionKind.NAME, MentionKind.EVERY, MentionKind.EXCEPT})
_SMALL = {
    "every": MentionKind.EVERY,
    "except": MentionKind.EXCEPT,
    "here": MentionKind.HERE,
    "whole_home": MentionKind.WHOLE_HOME,
    "again": MentionKind.AGAIN,
}
_LINKS = ("", "s", "n", "es", "en", "er", "e")
_LONGEST_PARTICLE = 3
_SHORTEST_PART = 3
_COMMON_WORD_SCORE = 0.6
_ACTION_SCORE = 0.5
_FORM_SCORE = 0.9


@dataclass(frozen=True, slots=True)
class Hit:
    """A mention with the tokens it covers: ``first`` up to, not including, ``end``. ``plural``: a plural word."""

    mention: Mention
    first: int
    end: int
    plural: bool = False

    def strictly_inside(self, other: Hit) -> bool:
        """Whether the other covers all its tokens, and more."""
        return other.first <= self.first and self.end <= other.end and (self.end - self.first) < other.end - other.first


def find_mentions(text: str, vocabulary: Vocabulary, language: str) -> Mentions:
    """Read a sentence: which of the home's names and of the language's words are in it. Never raises.

    ``language`` is a code such as ``de`` or ``de-CH``; one without a word list is read by names and numbers only.
    """
    return Reader(vocabulary, lexicon(language)).read(text)


class Reader:
    """Reads sentences of one language in one home."""

    def __init__(self, vocabulary: Vocabulary, lexicon: Lexicon) -> None:
        self._vocabulary = vocabulary
        self._lexicon = lexicon

    def read(self, text: str) -> Mentions:
        """What the sentence mentions; what lies beyond `MAX_CHARACTERS` is not read. Never raises."""
        text = composed(text[:MAX_CHARACTERS])
        spoken = tokens(text)
        hits, inner = _part_swallowed([*self._phrases(text, spoken), *self._compounds(text, spoken)])
        hits += self._inflected(text, spoken, _covered(hits))
        covered = _covered(hits)
        hits += self._misspelt_places(text, spoken, covered)
        hits += self._numbers(text, spoken)
        hits = [h for h in hits if not self._is_verb(h, spoken)]
        kept, excluded = self._take_out([h for h in hits if not self._is_article(h, spoken, hits)])
        plural = any(h.plural or h.mention.kind is MentionKind.EVERY for h in kept)
        unread = [i for i in range(len(spoken)) if i not in _covered(hits) and self._is_content(spoken[i])]
        kept += self._unknown_places(text, spoken, kept, unread, plural)
        return Mentions(
            text,
            tuple(h.mention for h in sorted(kept, key=lambda h: (h.first, -h.end))),
            plural,
            tuple(h.mention for h in excluded),
            tuple(spoken[i].text for i in unread),
            tuple(h.mention for h in inner),
        )

    def _phrases(self, text: str, spoken: Sequence[Token]) -> Iterator[Hit]:
        longest = max(self._vocabulary.longest, self._lexicon.longest)
        for first in range(len(spoken)):
            for end in range(first + 1, min(len(spoken), first + longest) + 1):
                yield from self._phrase(text, spoken, first, end)

    def _phrase(self, text: str, spoken: Sequence[Token], first: int, end: int) -> Iterator[Hit]:
        for phrase in _spellings(spoken[first:end]):
            found = list(self._look_up(phrase))
            for kind, values, score, concepts, plural in found:
                yield _hit(text, spoken, first, end, kind, values, score, concepts, plural)
            if found:
                return

    def _look_up(self, phrase: str) -> Iterator[tuple[MentionKind, tuple[str, ...], float, tuple[str, ...], bool]]:
        word = self._lexicon.phrases.get(phrase)
        common = word is not None or self._lexicon.has("stop", phrase) or self._lexicon.has("every", phrase)
        for kind, values in self._vocabulary.look_up(phrase).items():
            if kind is not MentionKind.NAME or not common:
                yield kind, values, 1.0, (), False
            elif word is not None:
                yield kind, values, _COMMON_WORD_SCORE, (), False
        if word is not None:
            yield from _meanings(word)
        for name, kind in _SMALL.items():
            if self._lexicon.has(name, phrase):
                yield kind, (), 1.0, (), False

    def _compounds(self, text: str, spoken: Sequence[Token]) -> Iterator[Hit]:
        """The area and the kind that one word says together: "Küchenlampe". ("Deckenlampe" has the kind alone.)"""
        if not self._lexicon.compounds:
            return
        for i, token in enumerate(spoken):
            if token.text in self._lexicon.phrases or self._vocabulary.look_up(token.text):
                continue
            yield from self._split(text, spoken, i)

    def _split(self, text: str, spoken: Sequence[Token], i: int) -> Iterator[Hit]:
        whole = spoken[i].text
        for cut in range(_SHORTEST_PART, len(whole) - _SHORTEST_PART + 1):
            word = self._lexicon.phrases.get(whole[cut:])
            if word is None:
                continue
            stem = self._place_stem(whole[:cut]) or self._concept_stem(whole[:cut])
            if not stem and not self._is_modifier(whole[:cut]):
                continue
            for kind, values, score, concepts, plural in (*stem, *_meanings(word)):
                yield _hit(text, spoken, i, i + 1, kind, values, score, concepts, plural)
            return

    def _place_stem(self, stem: str) -> list[tuple[MentionKind, tuple[str, ...], float, tuple[str, ...], bool]]:
        for link in _LINKS:
            bare = stem.removesuffix(link) if link else stem
            for candidate in (bare, bare + "e"):
                entries = self._vocabulary.places.get(candidate) if stem.endswith(link) else None
                if entries:
                    return [(kind, (value,), 1.0, (), False) for kind, value in entries]
        return []

    def _concept_stem(self, stem: str) -> list[tuple[MentionKind, tuple[str, ...], float, tuple[str, ...], bool]]:
        for link in _LINKS:
            word = self._lexicon.phrases.get(stem.removesuffix(link)) if stem.endswith(link) else None
            if word is not None and any(c.kinds for c in word.concepts):
                return list(_meanings(word))
        return []

    def _is_modifier(self, stem: str) -> bool:
        return self._lexicon.has("prefixes", stem) or self._vocabulary.knows_word(stem)

    def _inflected(self, text: str, spoken: Sequence[Token], covered: set[int]) -> list[Hit]:
        """Places and kinds that words are forms of, in a language that has many."""
        free = [i for i in range(len(spoken)) if i not in covered and self._is_content(spoken[i])]
        if not self._lexicon.inflected or not free:
            return []
        hits = [
            _hit(text, spoken, span.first, span.end, kind, (value,), _FORM_SCORE)
            for span, kind, value in inflected_places(spoken, free, self._vocabulary)
        ]
        there = _covered(hits)
        for i in free:
            word = self._lexicon.like(spoken[i].text) if i not in there else None
            if word is not None:
                hits += [_hit(text, spoken, i, i + 1, *meaning) for meaning in _meanings(word)]
        return hits

    def _misspelt_places(self, text: str, spoken: Sequence[Token], covered: set[int]) -> list[Hit]:
        free = [i for i in range(len(spoken)) if i not in covered and self._is_content(spoken[i])]
        return [
            _hit(text, spoken, span.first, span.end, kind, (value,), score)
            for span, kind, value, score in fuzzy_places(spoken, free, self._vocabulary)
        ]

    def _numbers(self, text: str, spoken: Sequence[Token]) -> list[Hit]:
        hits = []
        for match in _NUMBER.finditer(text):
            inside = [i for i, t in enumerate(spoken) if match.start() <= t.start < match.end()]
            if inside:
                value = match.group().replace(",", ".")
                hits.append(_hit(text, spoken, inside[0], inside[-1] + 1, MentionKind.NUMBER, (value,)))
        for i, token in enumerate(spoken):
            if digits := self._lexicon.number_words.get(token.text):
                hits.append(_hit(text, spoken, i, i + 1, MentionKind.NUMBER, (digits,)))
        return hits

    def _take_out(self, hits: list[Hit]) -> tuple[list[Hit], list[Hit]]:
        """Part what the sentence asks for from what it takes out with "except"."""
        cuts = [h for h in hits if h.mention.kind is MentionKind.EXCEPT]
        if not cuts:
            return hits, []
        candidates = [h for h in hits if h.mention.kind in _NAMES | _MEANINGS]
        if self._lexicon.except_after:
            before = [h for h in candidates if h.end <= cuts[0].first]
            nearest = max((h.end for h in before), default=-1)
            excluded = [h for h in before if h.end == nearest]
        else:
            excluded = [h for h in candidates if h.first >= cuts[0].end]
        gone = set(map(id, excluded))
        return [h for h in hits if id(h) not in gone], excluded

    def _is_article(self, hit: Hit, spoken: Sequence[Token], hits: list[Hit]) -> bool:
        """Whether a word that can stand for "it" is only the article of what follows ("la" in "la lampe")."""
        if hit.mention.kind is not MentionKind.AGAIN or not self._lexicon.has("articles", spoken[hit.first].text):
            return False
        follows = hit.end < len(spoken) and self._is_content(spoken[hit.end])
        return follows or any(h.first == hit.end and h.mention.kind in _NAMES | _MEANINGS for h in hits)

    def _is_verb(self, hit: Hit, spoken: Sequence[Token]) -> bool:
        """Whether a word for a kind only says what to do ("switch the lamp on", "please switch off")."""
        if hit.mention.kind is not MentionKind.DOMAIN or not self._lexicon.has("verbs", spoken[hit.first].text):
            return False
        opens = hit.first == 0 or self._lexicon.has("before_verbs", spoken[hit.first - 1].text)
        return opens and hit.end < len(spoken) and not spoken[hit.end].text.isdigit()

    def _unknown_places(
        self, text: str, spoken: Sequence[Token], kept: list[Hit], unread: list[int], plural: bool
    ) -> list[Hit]:
        heads = {h.first for h in kept if h.mention.kind in {MentionKind.DOMAIN, MentionKind.DEVICE_CLASS}}
        return [
            _hit(text, spoken, span.first, span.end, MentionKind.UNKNOWN_PLACE, nearest, score)
            for span, nearest, score in unknown_places(
                spoken, unread, heads if plural else set(), self._vocabulary, self._lexicon
            )
        ]

    def _is_content(self, token: Token) -> bool:
        word = token.text
        lists = ("stop", "which", "units", "articles", "value_marks", "place")
        return (
            word[0].isalpha()
            and (len(word) > 1 or is_syllabic(word))
            and not any(self._lexicon.has(name, word) for name in lists)
            and word not in self._lexicon.number_words
        )


def _meanings(word: ConceptWord) -> Iterator[tuple[MentionKind, tuple[str, ...], float, tuple[str, ...], bool]]:
    """What a concept word mentions: a domain, with a device class where it says one; or what a verb implies."""
    named = [c for c in word.concepts if c.kinds]
    ids = tuple(c.concept_id for c in named)
    if named:
        yield MentionKind.DOMAIN, _distinct(d for c in named for d in c.domains), 1.0, ids, word.plural
        classes = _distinct(d for c in named for d in c.device_classes)
        if classes and all(c.device_classes for c in named):
            yield MentionKind.DEVICE_CLASS, classes, 1.0, ids, word.plural
    implied = [c for c in word.concepts if c.hints or c.narrows]
    if implied:
        ids = tuple(c.concept_id for c in implied)
        domains = _distinct([k.domain for c in implied for k in c.hints] + [d for c in implied for d in c.narrows])
        yield MentionKind.ACTION, domains, _ACTION_SCORE, ids, False


def _spellings(part: Sequence[Token]) -> Iterator[str]:
    """The phrase, and in Hangul also without the particle that its last word carries, longest first."""
    phrase = " ".join(t.text for t in part)
    yield phrase
    last = part[-1].text
    if is_syllabic(last) and len(last) > 1:
        for size in range(1, min(_LONGEST_PARTICLE, len(last) - 1) + 1):
            yield phrase[:-size]


def _hit(
    text: str,
    spoken: Sequence[Token],
    first: int,
    end: int,
    kind: MentionKind,
    values: tuple[str, ...] = (),
    score: float = 1.0,
    concepts: tuple[str, ...] = (),
    plural: bool = False,
) -> Hit:
    start, stop = spoken[first].start, spoken[end - 1].end
    return Hit(Mention(kind, text[start:stop], start, stop, values, score, concepts), first, end, plural)


def _part_swallowed(hits: list[Hit]) -> tuple[list[Hit], list[Hit]]:
    """What stands for itself, and what a name of something else has in it ("TV" and "living room" in its name).

    Shorter words within longer phrases of the same sort are dropped altogether.
    """
    names = [h for h in hits if h.mention.kind in _NAMES and h.mention.score == 1.0]
    longest = [h for h in hits if not any(h.strictly_inside(o) for o in hits if _family(o) == _family(h))]
    inner = [h for h in longest if any(h.strictly_inside(n) for n in names)]
    inner += [h for h in hits if h.mention.kind is MentionKind.AREA and h not in longest]
    return [h for h in longest if not any(h is i for i in inner)], [h for h in inner if h.mention.kind not in _OWN]


def _family(hit: Hit) -> str:
    kind = hit.mention.kind
    if kind in _NAMES:
        return "names"
    return "meanings" if kind in _MEANINGS else kind.value


def _covered(hits: Iterable[Hit]) -> set[int]:
    return {i for h in hits for i in range(h.first, h.end)}


def _distinct(values: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(values))
