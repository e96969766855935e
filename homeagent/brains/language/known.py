"""All that is known of a language, loaded once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from homeagent.brains.language import grammar
from homeagent.brains.language.grammar import Grammar
from homeagent.brains.language.grammar_cache import GrammarCache
from homeagent.brains.language.phrases import Phrases
from homeagent.languages.answers import load_answers

_KEPT_LANGUAGES = 8


@dataclass(frozen=True, slots=True)
class Language:
    """What is known of a language: Home Assistant's grammar, where there is one, and the words to answer with."""

    grammar: Grammar | None
    phrases: Phrases


@lru_cache(maxsize=_KEPT_LANGUAGES)
def load_language(code: str, cache: GrammarCache | None = None) -> Language:
    """Read what there is for a language. May block for seconds; less where its templates are in the cache."""
    loaded = grammar.load(code, cache)
    return Language(loaded, Phrases(load_answers(code), loaded))
