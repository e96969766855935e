"""All that is known of a language, loaded once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from homeagent.brains.language import grammar, lexicon
from homeagent.brains.language.grammar import Grammar
from homeagent.brains.language.grammar_cache import GrammarCache
from homeagent.brains.language.lexicon import Lexicon
from homeagent.brains.language.phrases import Phrases
from indexer.words import is_syllabic

_KEPT_LANGUAGES = 8


@dataclass(frozen=True, slots=True)
class Language:
    """What is known of a language; either part may be missing."""

    grammar: Grammar | None
    lexicon: Lexicon | None
    phrases: Phrases


@lru_cache(maxsize=_KEPT_LANGUAGES)
def load_language(code: str, cache: GrammarCache | None = None) -> Language:
    """Read what there is for a language. May block for seconds; less where its templates are in the cache."""
    loaded = grammar.load(code, cache), lexicon.load(code)
    found = Language(*loaded, Phrases(loaded[1], loaded[0]))
    if found.grammar and found.lexicon:
        by_color: dict[str, list[str]] = {}
        for word, color in found.grammar.colors.items():
            # words that are written in syllables carry endings
            by_color.setdefault(color, []).append(f"{word}+" if is_syllabic(word) else word)
        found.lexicon.add({"colors": by_color})
    return found
