"""Whom of the household a statement names: models give what one person said to another."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from indexer.normalise import unaccented
from memory.extract import TurnFacts
from memory.memory_words import language

_WORD = re.compile(r"[^\W_]+")
_ENDING = 1
"""Letters that a name may take on to show whose something is, in scripts that write no particles onto it."""


def names_another(text: str, facts: TurnFacts) -> bool:
    """Whether the text names somebody of the household who neither spoke nor was named in what was said."""
    speaker = set(_parts(facts.users.get(facts.user_id or "", "")))
    others = {part for user, name in facts.users.items() if user != facts.user_id for part in _parts(name)} - speaker
    return any(
        _stands_in(name, text, facts.language, as_a_name=True)
        and not _stands_in(name, facts.said, facts.language, as_a_name=False)
        for name in others
    )


def _parts(name: str) -> Iterator[str]:
    """The words of a name, any of which may be what somebody is called by; no initials."""
    return (unaccented(word) for word in _WORD.findall(name) if len(word) > 1)


def _stands_in(name: str, text: str, code: str, *, as_a_name: bool) -> bool:
    """``as_a_name``: only where it is written as one, since names can be words too ("rose", "will")."""
    known = language(code)
    words: Iterable[str] = _WORD.findall(text)
    for word in words:
        spoken = unaccented(word)
        if as_a_name and word[0] != word[0].upper():
            continue
        bare = known.bare(spoken) if known else spoken
        if name in (spoken, bare) or (spoken.startswith(name) and len(spoken) - len(name) <= _ENDING):
            return True
    return False
