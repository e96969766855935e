"""All that is known of a language, loaded once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from homeagent.brains.language import grammar, lexicon
from homeagent.brains.language.grammar import Grammar
from homeagent.brains.language.lexicon import Lexicon
from homeagent.brains.language.phrases import Phrases
from homeagent.brains.language.shelf import Shelf
from indexer.words import is_syllabic

_KEPT_LANGUAGES = 8


@dataclass(frozen=True, slots=True)
class Language:
    """What is known of a language; either part may be missing."""

    grammar: Grammar | None
    lexicon: Lexicon | None
    phrases: Phrases


@lru_cache(maxsize=_KEPT_LANGUAGES)
def load_language(code: str, shelf: Shelf | None = None) -> Language:
    """Read what there is for a language. Blocks for seconds, or a tenth of that where the grammar is on the shelf."""
    loaded = grammar.load(code, shelf), lexicon.load(code)
    found = Language(*loaded, Phrases(loaded[1], loaded[0]))
    if found.grammar and found.lexicon:
        by_color: dict[str, list[str]] = {}
        for word, color in found.grammar.colors.items():
            # words that are written in syllables carry endings
            by_color.setdefault(color, []).append(f"{word}+" if is_syllabic(word) else word)
        found.lexicon.add({"colors": by_color})
    return found
