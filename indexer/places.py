"""Places in a sentence that are misspelt, or that the home does not have."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz, process

from indexer.lexicon import Lexicon
from indexer.mentions import MentionKind
from indexer.vocabulary import Vocabulary
from indexer.words import Token, forms_alike, nearest

_SHORTEST_MISSPELT = 4
_LIKENESS = 82
_LONGEST_PREPOSITION = 4
_LONGEST_PLACE = 3


@dataclass(frozen=True, slots=True)
class Span:
    """Tokens ``first`` up to, not including, ``end``."""

    first: int
    end: int


def fuzzy_places(
    spoken: Sequence[Token], free: Sequence[int], vocabulary: Vocabulary
) -> Iterator[tuple[Span, MentionKind, str, float]]:
    """Areas and floors that unread words nearly spell. A word that some entity's name has is not a misspelling."""
    for i in free:
        word = spoken[i].text
        if len(word) < _SHORTEST_MISSPELT or vocabulary.knows_word(word):
            continue
        best = max(_near_places(spoken, i, vocabulary), default=None)
        if best is not None:
            score, _, first, end, spelling = best
            yield from ((Span(first, end), kind, value, score / 100) for kind, value in vocabulary.places[spelling])


def inflected_places(
    spoken: Sequence[Token], free: Sequence[int], vocabulary: Vocabulary
) -> Iterator[tuple[Span, MentionKind, str]]:
    """Areas and floors that unread words are forms of ("w kuchni": Kuchnia), those of more words first."""
    unread, done = set(free), set[int]()
    for size in range(_LONGEST_PLACE, 0, -1):
        for first in free:
            stretch = range(first, first + size)
            if not unread.issuperset(stretch) or done.intersection(stretch):
                continue
            said = [spoken[i].text for i in stretch]
            spelling = next((s for s in vocabulary.spellings_of_places(size) if _is_form(said, s.split())), None)
            if spelling is not None:
                done.update(stretch)
                yield from ((Span(first, first + size), kind, value) for kind, value in vocabulary.places[spelling])


def _is_form(said: Sequence[str], name: Sequence[str]) -> bool:
    return all(map(forms_alike, said, name))


def _near_places(spoken: Sequence[Token], i: int, vocabulary: Vocabulary) -> Iterator[tuple[float, int, int, int, str]]:
    """For each stretch with word ``i`` the place that it nearly spells: likeness, words, first, end, spelling."""
    for first, end in ((i - 1, i + 1), (i, i + 2), (i, i + 1)):
        if first < 0 or end > len(spoken):
            continue
        phrase = " ".join(t.text for t in spoken[first:end])
        names = vocabulary.spellings_of_places(end - first)
        best = process.extractOne(phrase, names, scorer=fuzz.ratio, score_cutoff=_LIKENESS)
        if best is not None:
            yield best[1], end - first, first, end, best[0]


def unknown_places(
    spoken: Sequence[Token], unread: Sequence[int], plural_heads: set[int], vocabulary: Vocabulary, lexicon: Lexicon
) -> Iterator[tuple[Span, tuple[str, ...], float]]:
    """Unread words where a place stands: after "in the", or before a plural ("the observatory lights").

    Each with the names of real places that are nearest. ``plural_heads`` are the tokens of plural nouns.
    """
    strange = [i for i in unread if not vocabulary.knows_word(spoken[i].text)]
    done: set[int] = set()
    for i in strange:
        if i in done or lexicon.has("not_places", spoken[i].text):
            continue
        end = i + 1
        while end in strange and end < i + _LONGEST_PLACE and not _ends_a_place(spoken[end - 1].text, lexicon):
            end += 1
        score = _place_score(spoken, i, end, plural_heads, lexicon)
        if score:
            done.update(range(i, end))
            phrase = " ".join(t.text for t in spoken[i:end])
            yield Span(i, end), nearest(phrase, vocabulary.place_names()), score


def _place_score(spoken: Sequence[Token], first: int, end: int, plural_heads: set[int], lexicon: Lexicon) -> float:
    """1: surely a place; 0.7: likely one, in a sentence that would otherwise mean the whole home; 0: not one."""
    before = _before([t.text for t in spoken], first)
    if any(lexicon.has("sure_place", phrase) for phrase in before):
        return 1.0
    if _ends_a_place(spoken[end - 1].text, lexicon):
        return 1.0
    if plural_heads and (end in plural_heads or any(lexicon.has("place", phrase) for phrase in before)):
        return 0.7
    return 0.0


def stands_as_place(words: Sequence[str], first: int, end: int, lexicon: Lexicon) -> bool:
    """Whether words ``first`` up to ``end`` stand behind a preposition of place, or carry the particle of one."""
    led = any(lexicon.has("place", phrase) or lexicon.has("sure_place", phrase) for phrase in _before(words, first))
    return led or _ends_a_place(words[end - 1], lexicon)


def _before(words: Sequence[str], first: int) -> list[str]:
    """The phrases that end right before a word."""
    return [" ".join(words[j:first]) for j in range(max(0, first - _LONGEST_PREPOSITION), first)]


def _ends_a_place(word: str, lexicon: Lexicon) -> bool:
    """Whether it carries the particle of a place (Korean)."""
    endings = lexicon.sets.get("place_endings", frozenset())
    return any(word.endswith(e) and len(word) > len(e) + 1 for e in endings)
