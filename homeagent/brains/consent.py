"""Whether a short answer is a yes or a no, and nothing else. The words are data: ``language/<code>.yaml``."""

from __future__ import annotations

from collections.abc import Sequence, Set
from functools import lru_cache

from homeagent.brains.language.lexicon import Lexicon, Word, load, words_of

_FALLBACK = "en"


def is_yes(text: str, language: str) -> bool:
    """Whether ``text`` agrees and says nothing more ("yes please", not "yes and open the garage")."""
    return _is(text, language, "yes")


def is_no(text: str, language: str) -> bool:
    """Whether ``text`` declines and says nothing more."""
    return _is(text, language, "no")


def _is(text: str, language: str, which: str) -> bool:
    words = words_of(text)
    return any(_made_of(words, lexicon.answers[which], lexicon) for lexicon in _lexicons(language))


def _made_of(said: Sequence[Word], answers: Set[str], lexicon: Lexicon) -> bool:
    """Whether the words are one answer or several of them, and nothing else: "yes please, go ahead". What denies what
    follows is none of several: "don't stop"."""
    words = [word.text for word in said]
    if " ".join(words) in answers:
        return True
    denying = {" ".join(words[p] for p in s.positions) for s in lexicon.spot(said) if s.section == "negation"}
    reached = {0}
    for end in range(1, len(words) + 1):
        parts = (" ".join(words[start:end]) for start in reached)
        if any(part in answers and part not in denying for part in parts):
            reached.add(end)
    return bool(words) and len(words) in reached


@lru_cache(maxsize=16)
def _lexicons(language: str) -> tuple[Lexicon, ...]:
    """The language's own words and, since people mix them in, the English ones."""
    found = (load(language), load(_FALLBACK))
    return tuple({lexicon.language: lexicon for lexicon in found if lexicon is not None}.values())
