"""Whether a short answer is a yes or a no, and nothing else. The words are data: ``language/<code>.yaml``."""

from __future__ import annotations

from functools import lru_cache

from homeagent.brains.language.lexicon import Lexicon, load, words_of

_FALLBACK = "en"


def is_yes(text: str, language: str) -> bool:
    """Whether ``text`` agrees and says nothing more ("yes please", not "yes and open the garage")."""
    return _is(text, language, "yes")


def is_no(text: str, language: str) -> bool:
    """Whether ``text`` declines and says nothing more."""
    return _is(text, language, "no")


def _is(text: str, language: str, which: str) -> bool:
    answer = " ".join(word.text for word in words_of(text))
    return any(answer in lexicon.answers[which] for lexicon in _lexicons(language))


@lru_cache(maxsize=16)
def _lexicons(language: str) -> tuple[Lexicon, ...]:
    """The language's own words and, since people mix them in, the English ones."""
    found = (load(language), load(_FALLBACK))
    return tuple({lexicon.language: lexicon for lexicon in found if lexicon is not None}.values())
