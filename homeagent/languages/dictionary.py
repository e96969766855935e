"""Words that exist in a language, and their base forms: simplemma's word lists of some fifty languages.

They come with the package. A list takes 0.1 to 0.7 s to open and 5 to 15 MB; a look-up some 50 µs.
"""

from __future__ import annotations

from functools import cache, lru_cache

from simplemma import is_known, lemmatize

from homeagent.languages.language_codes import base_language


@cache
def has_dictionary(language: str) -> bool:
    """Whether there is a list of the words of a language . Opens it."""
    try:
        is_known("a", lang=base_language(language), low_memory=True)
    except ValueError:
        return False
    return True


@lru_cache(maxsize=4096)
def is_word(word: str, language: str) -> bool:
    """Whether a word exists, in the spelling that it was typed in; of a language without a list every word does."""
    return not has_dictionary(language) or is_known(word, lang=base_language(language), low_memory=True)


@lru_cache(maxsize=4096)
def base_form(word: str, language: str) -> str:
    """The base form of a word as it was typed: "éteignez" is "éteindre". The word itself where none is known."""
    return lemmatize(word, lang=base_language(language), low_memory=True) if has_dictionary(language) else word
