"""The words of each language that say nothing by themselves, and which language a text is in by its words.

They are data: ``function_words.txt``.
"""

from __future__ import annotations

import importlib.resources
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache

from homeagent.languages.language_codes import base_language
from indexer.normalise import unaccented
from memory.memory_words import LANGUAGES, language, split
from memory.tokens import tokens

_HEADER = re.compile(r"# (?P<codes>[a-z]{2}(?:, [a-z]{2})*)(?::.*)?")
_SURE = 2
"""Words of another language that speak against the one that a text is said to be in."""


def function_words() -> frozenset[str]:
    """Words that say nothing by themselves, of all languages: where nobody knows which one it is."""
    return _all_function_words()


def function_words_of(language: str) -> frozenset[str]:
    """Those of one language (en, de, …); none where there are none."""
    return _function_words().get(language, frozenset())


def weak_words(words: Iterable[str], language: str | None = None) -> frozenset[str]:
    """The function words of the language that the words are in: "hat" is one in German and not in English.

    ``language``: the one that they are said to be in; two words of another language speak against it. Where several
    are as likely, those of all of them.
    """
    lists = _function_words()
    said = base_language(language or "")
    unique = frozenset(words)
    counts = {code: len(unique & known) for code, known in lists.items()}
    best = max(counts.values())
    if said in counts and (counts[said] or best < _SURE):
        return lists[said]
    return frozenset[str]().union(*(lists[code] for code, count in counts.items() if count == best > 0))


@cache
def _function_words() -> Mapping[str, frozenset[str]]:
    text = importlib.resources.files("memory").joinpath("function_words.txt").read_text(encoding="utf-8")
    found: defaultdict[str, set[str]] = defaultdict(set)
    codes: list[str] = []
    for line in text.splitlines():
        if header := _HEADER.fullmatch(line):
            codes = header["codes"].split(", ")
        elif not line.startswith("#"):
            for code in codes:
                found[code].update(tokens(line))
    return {code: frozenset(words) for code, words in found.items()}


@cache
def _all_function_words() -> frozenset[str]:
    return frozenset[str]().union(*_function_words().values())


@lru_cache(maxsize=1024)
def guess(text: str, said: str | None = None) -> str | None:
    """The language that a text is most likely in, among those known; None where nothing tells.

    ``said``: the language that it is said to be in. Only more than one word speaks against it.
    """
    if any("\uac00" <= c <= "\ud7a3" for c in text):
        return "ko"
    words = {word.strip('.,;:!?"()') for word in split(unaccented(text))}
    counts = {code: sum(_belongs(word, code) for word in words) for code in LANGUAGES if code != "ko"}
    best = max(counts.values())
    leading = [code for code, count in counts.items() if count == best]
    if said in counts and (counts[said] > 0 or best < _SURE):
        return said
    return leading[0] if best and len(leading) == 1 else None


@lru_cache(maxsize=16384)
def _belongs(word: str, code: str) -> bool:
    known = language(code)
    return word in function_words_of(code) or (known is not None and bool(word) and bool(known.at([word], 0)[1]))
