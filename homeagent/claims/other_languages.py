"""Languages without words of their own for deeds: what Home Assistant's sentences and responses tell of them.

Its responses to actions ("Turned on the lights") are data in 60 languages. A word that is in these, and in none of its
sentences and other responses, is one that a deed is told with.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from homeagent.languages.language_codes import best_match

_WORD = re.compile(r"[^\W\d_]{2,}")
_FILLED_IN = re.compile(r"\{\{.*?\}\}|\{%.*?%\}", re.DOTALL)
_RULE = re.compile(r"<(\w+)>")
_REFERENCE = re.compile(r"<[^>]*>|\{[^}]*\}")
_OPTIONAL_END = re.compile(r"(?<=\w)\[(\w+)\]")
_ASKING = ("Get", "Status", "Nevermind", "Respond", "Current")
_SHORTEST = 4


def tells_of_a_deed(text: str, language: str) -> bool:
    """Whether the text holds a word by which Home Assistant, in that language, tells that it did something."""
    return _holds(text, *_claim_words(language))


def holds_a_command(text: str, language: str) -> bool:
    """Whether the text holds a word that only Home Assistant's commands hold, or one that begins like it."""
    return _holds(text, *_command_words(language), prefix=True)


def _holds(text: str, spaced: frozenset[str], unspaced: frozenset[str], *, prefix: bool = False) -> bool:
    """Whether the text holds one of the words; with ``prefix``, one that begins like it counts (its inflections)."""
    folded = text.casefold()
    if any(word in folded for word in unspaced):
        return True
    for word in _WORD.findall(folded):
        shortest = _SHORTEST if prefix else len(word)
        if any(word[:end] in spaced for end in range(shortest, len(word) + 1)):
            return True
    return False


@lru_cache(maxsize=16)
def _claim_words(language: str) -> tuple[frozenset[str], frozenset[str]]:
    """Words of Home Assistant's responses to actions that are in none of its sentences and no other response."""
    data = _intents(language)
    done: set[str] = set()
    other = set(_words(data.get("responses", {}).get("errors", {}))) | set(_words(data.get("intents", {})))
    other |= set(_words(data.get("expansion_rules", {})))
    for intent, texts in data.get("responses", {}).get("intents", {}).items():
        (other if _only_asks(intent) else done).update(_words(texts))
    return _by_script(done - other)


@lru_cache(maxsize=16)
def _command_words(language: str) -> tuple[frozenset[str], frozenset[str]]:
    """Words of at least two of Home Assistant's commands that are in none of its questions."""
    data = _intents(language)
    asked: set[str] = set()
    commands: Counter[str] = Counter()
    for intent, blocks in data.get("intents", {}).items():
        words = set(_words([block["sentences"] for block in blocks["data"]], data.get("expansion_rules", {})))
        if _only_asks(intent):
            asked |= words
        else:
            commands.update(words)
    return _by_script({word for word, intents in commands.items() if intents > 1 and word not in asked})


def _intents(language: str) -> dict[str, Any]:
    from home_assistant_intents import get_intents, get_languages

    code = best_match(language, get_languages())
    return (get_intents(code) if code is not None else None) or {}


def _only_asks(intent: str) -> bool:
    return any(part in intent for part in _ASKING)


def _by_script(words: set[str]) -> tuple[frozenset[str], frozenset[str]]:
    """The words in two sets: those of scripts that space their words, and those to be looked for anywhere."""
    long = {word for word in words if len(word) >= _SHORTEST or not word.isascii()}
    unspaced = frozenset(word for word in long if len(word) > 1 and ord(word[0]) > 0x2E80 and not _spaced(word))
    return frozenset(long - unspaced), unspaced


def _spaced(word: str) -> bool:
    return 0xAC00 <= ord(word[0]) <= 0xD7A3  # Korean puts spaces between words


def _words(value: object, rules: Mapping[str, str] | None = None, seen: frozenset[str] = frozenset()) -> Iterator[str]:
    """The words of every text in a nested value, without what is filled in; with ``rules``, of what it refers to."""
    if isinstance(value, str):
        text = _FILLED_IN.sub(" ", value).casefold()
        for name in set(_RULE.findall(value)) - seen if rules else ():
            yield from _words((rules or {}).get(name, ""), rules, seen | {name})
        text = _REFERENCE.sub(" ", text)
        yield from _WORD.findall(text)
        yield from _WORD.findall(_OPTIONAL_END.sub(r"\1", text))
    elif isinstance(value, dict):
        for item in value.values():
            yield from _words(item, rules, seen)
    elif isinstance(value, list):
        for item in value:
            yield from _words(item, rules, seen)
