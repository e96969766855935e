"""What words that nothing explains and that do not exist may be meant for: misspelt, cut at the beginning of what was
recorded, or typed apart. What a word that exists may have been heard for: `hearing.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from homeagent.languages.concepts import Count, Particle, Role, Verb
from homeagent.languages.dictionary import has_dictionary, is_word
from homeagent.understanding.endings import without_endings
from homeagent.understanding.home_names import HomeNames
from homeagent.understanding.phrase_readings import CONCEPT, spans_of
from homeagent.understanding.spans import Source, Span, is_of_home
from homeagent.understanding.spelling import corrections, is_correctable
from homeagent.understanding.tokeniser import Token
from indexer.normalise import decomposed

_CORRECTED = 1.1
"""For each letter."""
_HEARD, _CUT, _AS_ONE = 0.2, 0.5, 0.2
_SHORT = 4
_SHORTEST = {1: 3, 2: 5}
"""Letters, in so many words: shorter ones sound like too much. A syllable that is one sign counts as its letters."""
_MOST_CUT, _PART = 2, 2
_AROUND = 3
"""So many words beside a misheard one a phrase with it may have."""
_LONGEST, _SHORTEST_PHRASE = 6, 7
_FORM = 0.3
_APART, _MOST_PARTS = 0.3, 3


def meant(tokens: Sequence[Token], place: int, known: Sequence[bool], names: HomeNames) -> Iterator[Span]:
    """The spans for an unexplained word read as another one: alone, within a phrase, or joined with a neighbour.
    ``known``: which tokens are explained.
    """
    for word, price in _otherwise(tokens[place], names, first=not place):
        yield from _within(tokens, place, word, price, names)
    yield from _as_one(tokens, place, known, names)
    if place + 1 < len(tokens) and is_correctable(tokens[place], names.pack):
        yield from _both_misspelt(tokens, place, names)


def _otherwise(token: Token, names: HomeNames, *, first: bool) -> Iterator[tuple[str, float]]:
    """The words that a token may stand for, each at its cheapest; none for a word that exists."""
    pack = names.pack
    if not token.text.isalpha() or (has_dictionary(pack.language) and is_word(token.raw, pack.language)):
        return
    found: dict[str, float] = {}
    if _size(token.text) >= _SHORTEST[1]:
        long = _size(token.text) >= _SHORT
        near = (w for w in names.sounding(token.text) if long or len(w) == len(token.text))
        found |= dict.fromkeys(near, _HEARD)
    for word in whole_words(token.text, names.vocabulary) if first else ():
        found.setdefault(word, _CUT)
    if is_correctable(token, pack):
        for word, distance in corrections(token.text, names.vocabulary):
            found.setdefault(word, _CORRECTED * distance)
    yield from found.items()


def _within(tokens: Sequence[Token], place: int, word: str, price: float, names: HomeNames) -> Iterator[Span]:
    """The spans of phrases in which a token is read as ``word``."""
    for first in range(max(0, place - _AROUND), place + 1):
        for end in range(place + 1, min(len(tokens), first + 1 + _AROUND) + 1):
            if any(t.mark for t in tokens[first + 1 : end]):
                break
            phrase = " ".join(word if i == place else tokens[i].text for i in range(first, end))
            for span in spans_of(phrase, first, end, names):
                if not isinstance(span.meaning, Count) or len(tokens[place].text) > _SHORT:
                    yield replace(span, cost=span.cost + price, source=Source.CORRECTED)


def _as_one(tokens: Sequence[Token], place: int, known: Sequence[bool], names: HomeNames) -> Iterator[Span]:
    """The spans for two tokens that sound like one word ("et teins" for "éteins")."""
    for first in (place - 1, place):
        if first < 0 or first + 2 > len(tokens) or (first == place and not known[place + 1]):
            continue  # of two that are not known the second one has seen to it
        one, other = tokens[first : first + 2]
        if other.mark or min(_size(one.text), _size(other.text)) < _PART or not (one.text + other.text).isalpha():
            continue
        if _size(one.text + other.text) < _SHORTEST[2]:
            continue
        heard = names.pack.sounds.of
        if heard(one.text + other.text) in (heard(one.text), heard(other.text)):
            continue  # one of them would not be heard at all
        for word in names.sounding(one.text + other.text):
            if 0 < names.called(word)[1] < 1:
                continue  # a name of two words, of which one is misspelt
            for span in spans_of(word, first, first + 2, names):
                yield replace(span, cost=span.cost + _HEARD + _AS_ONE, source=Source.CORRECTED)


def phrases_meant(tokens: Sequence[Token], names: HomeNames) -> Iterator[Span]:
    """The spans for stretches that sound like a phrase of the language and are none as spelled ("quel heure").
    Stretches of known words with a verb stay as they are.
    """
    sounds = names.pack.sounds
    for first in range(len(tokens) if sounds.rules else 0):
        for end in range(first + 1, min(len(tokens), first + _LONGEST) + 1):
            if tokens[end - 1].quoted or (end - first > 1 and tokens[end - 1].mark):
                break
            text = " ".join(t.text for t in tokens[first:end])
            sound = sounds.of(text)
            if len(sound) < _SHORTEST_PHRASE or any(True for _ in spans_of(text, first, end, names)):
                continue
            said = [names.pack.phrases.get(t.text, ()) for t in tokens[first:end]]
            if all(said) and any(isinstance(c, Verb) for concepts in said for c in concepts):
                continue
            for phrase in sounds.phrases_alike.get(sound, ()):
                for span in spans_of(phrase, first, end, names):
                    yield replace(span, cost=span.cost + _FORM, source=Source.CORRECTED)


def _both_misspelt(tokens: Sequence[Token], place: int, names: HomeNames) -> Iterator[Span]:
    """The spans for a phrase of two misspelt words."""
    if not is_correctable(tokens[place + 1], names.pack):
        return
    for word, distance in corrections(tokens[place].text, names.vocabulary):
        for other, more in corrections(tokens[place + 1].text, names.vocabulary):
            for span in spans_of(f"{word} {other}", place, place + 2, names):
                yield replace(span, cost=span.cost + _CORRECTED * (distance + more), source=Source.CORRECTED)


@lru_cache(maxsize=512)
def whole_words(word: str, vocabulary: frozenset[str]) -> tuple[str, ...]:
    """The words that end in this one and are longest by the fewest letters, as if the recording had begun late."""
    if _size(word) < _SHORT or (len(word) == 1 and _size(word) > 1):
        return ()
    lacking = 1 if _size(word) > len(word) else _MOST_CUT  # of syllables one
    for missing in range(1, lacking + 1):
        found = tuple(w for w in sorted(vocabulary) if len(w) == len(word) + missing and w.endswith(word))
        if found:
            return found
    return ()


def typed_apart(
    tokens: Sequence[Token],
    names: HomeNames,
    known: Sequence[bool],
    said: Callable[[Sequence[Token], HomeNames], Iterable[Span]],
) -> Iterator[Span]:
    """What words say that were typed as two or three ("nacht tisch lampe"), alone and within phrases: names, places and
    kinds; anything else only where a part is no word by itself. ``said``: what tokens say as they are spelled.
    """
    longest = names.longest
    for first, end in ((i, i + n) for n in (2, _MOST_PARTS) for i in range(len(tokens) - n + 1)):
        parts = tokens[first:end]
        text = "".join(t.text for t in parts)
        apart = parts[0].quoted or any(t.mark or t.quoted or not t.gap.isspace() for t in parts[1:])
        if apart or not text.isalpha() or not _is_word(text, len(text) - len(parts[-1].text), names):
            continue
        whole = replace(parts[0], text=text, raw="".join(t.raw for t in parts), end=parts[-1].end)
        start = max(0, first - longest + 1)
        joints = len(parts) - 1
        strange = not all(known[first:end])
        for span in said([*tokens[start:first], whole, *tokens[end : end + longest]], names):
            if not span.first <= first - start < span.end:
                continue
            told = is_of_home(span.meaning) or isinstance(span.meaning, Count)  # "een en twintig"
            if told or (strange and not isinstance(span.meaning, Role)):
                at, to = span.first + start, span.end + start + joints
                yield replace(span, first=at, end=to, cost=span.cost + _APART * joints)


def _is_word(text: str, before: int, names: HomeNames) -> bool:
    """Whether a text is a word, with or without an ending that is no part of its own: that begins at ``before``."""
    stems = (stem for stem, _ in without_endings(text, names)) if names.pack.postpositions else ()
    known = any(stem in names.vocabulary for stem in stems if len(stem) > before)
    return known or text in names.vocabulary or text in names.pack.digits


def left_hanging(tokens: Sequence[Token], names: HomeNames) -> Iterator[Span]:
    """What a preposition at the end of a part may have been heard for: a particle that sounds alike ("the lamp of")."""
    phrases = names.pack.phrases
    for i, token in enumerate(tokens[1:], 1):
        ends = i + 1 == len(tokens) or bool(tokens[i + 1].mark)
        said = phrases.get(token.text, ())
        if not ends or token.mark or Role.PLACE not in said or any(isinstance(c, Particle | Verb) for c in said):
            continue
        for word in names.sounding(token.text):
            particles = (c for c in phrases.get(word, ()) if isinstance(c, Particle))
            yield from (Span(i, i + 1, c, CONCEPT + _APART, Source.CORRECTED) for c in particles)


def _size(word: str) -> int:
    return len(decomposed(word))
