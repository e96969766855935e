"""Which of several timers is meant, after it was asked: "all of them", "the second one", "the one for the pasta"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from homeagent.languages.concepts import Concept, Ordinal, Reference, Role
from homeagent.languages.pack import Pack, load_pack
from homeagent.timers.timer import Timer, TimerKind
from homeagent.understanding.frames.timer_clause import KINDS
from homeagent.understanding.timer_words import Doing, TimerWords, timer_words
from indexer.words import words

_ALL = frozenset({Role.EVERY, Role.EVERYTHING, Reference.BOTH})
_SMALL = frozenset({Role.FILLER, Role.COURTESY, Role.ARTICLE, Role.PRONOUN, Role.JOIN, Role.COPULA, Reference.ONES})
_SEVERAL = 2
_STEM = 3
"""Letters at which one word may be a form of another."""
_LONGEST = 3
"""Words of a phrase that is looked for."""


def timers_chosen(text: str, language: str, candidates: Sequence[Timer]) -> tuple[str, ...]:
    """The ids of the candidates that an answer means: by name, by kind, by place, or all of them. Empty where a word
    of it says something else.
    """
    pack, known = load_pack(language), timer_words(language)
    if pack is None or known is None:
        return ()
    said = words(text)
    parts = [word[:end] if (end := known.written_to(word)) else word for word in said]  # "Nudeltimer"
    named = [t for t in candidates if t.name and all(_is_called(w, parts) for w in words(t.name))]
    kinds, explained = _kinds(said, known)
    explained |= {i for i, word in enumerate(parts) if any(_is_called(word, words(t.name)) for t in named)}
    every, place = False, None
    for concepts, places in _phrases(said, pack):
        ordinals = [c.place for c in concepts if isinstance(c, Ordinal)]
        if ordinals or _ALL.intersection(concepts) or _SMALL.intersection(concepts):
            explained |= places
        every = every or bool(_ALL.intersection(concepts))
        place = ordinals[0] if ordinals else place
    if len(explained) < len(said):
        return ()
    of_kind = [t for t in candidates if t.kind in kinds]
    if named or every:
        return tuple(t.id for t in named or of_kind or candidates)
    if place is not None and -len(candidates) <= place < len(candidates):
        return (candidates[place].id,)
    return (of_kind[0].id,) if len(of_kind) == 1 else ()


def timers_called_off(text: str, language: str, candidates: Sequence[Timer]) -> tuple[str, ...]:
    """The ids of the candidates that an order cancels, chosen as an answer chooses them: "cancel the second one". Empty
    where it orders something else, or does not say which.
    """
    known = timer_words(language)
    if known is None or len(candidates) < _SEVERAL:
        return ()
    said = words(text)
    deeds = known.deeds.find(said)
    if not deeds or any(deed.says is not Doing.CANCEL for deed in deeds):
        return ()
    places = {place for deed in deeds for place in deed.positions}
    return timers_chosen(" ".join(w for i, w in enumerate(said) if i not in places), language, candidates)


def _is_called(word: str, parts: Sequence[str]) -> bool:
    """Whether one of the words is this one, or a form of it: "eggs" of the timer "egg"."""
    return any(
        p == word or (min(len(p), len(word)) >= _STEM and (p.startswith(word) or word.startswith(p))) for p in parts
    )


def _kinds(said: Sequence[str], known: TimerWords) -> tuple[set[TimerKind], set[int]]:
    """The kinds of timers that are named, and the places of all that only leads a name or says nothing."""
    nouns = known.nouns.find(said)
    places = {p for noun in nouns for p in noun.positions} | known.small_at(said, ())
    places |= {i for i, word in enumerate(said) if word in known.label}
    return {KINDS[noun.says] for noun in nouns}, places


def _phrases(said: Sequence[str], pack: Pack) -> Iterator[tuple[tuple[Concept, ...], set[int]]]:
    """What each phrase of the pack within the answer says, with the places of its words."""
    for start in range(len(said)):
        for end in range(start + 1, min(len(said), start + _LONGEST) + 1):
            if concepts := pack.phrases.get(" ".join(said[start:end])):
                yield concepts, set(range(start, end))
