"""What somebody says, without what they began and broke off: "the cat gets... Anna, the door! The cat gets fish"."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from memory.act_words import Token, tokens_of

_BROKEN = ("...", "…")
_ASIDE = 12
"""Words between a false start and where it is taken up again, at most."""
_MOST = 5
"""False starts that are looked for in a text."""
_AGAIN = 2
"""Words that are said again where a sentence goes on; behind dots one is enough."""


def is_broken_off(sentence: str) -> bool:
    """Whether the sentence was never finished."""
    return sentence.rstrip(" \"'»”").endswith(_BROKEN)


@lru_cache(maxsize=256)
def without_false_starts(text: str) -> str:
    """The text without the words that are said again after an aside, and without that aside."""
    for _ in range(_MOST):
        if (cut := _false_start(tokens_of(text))) is None:
            break
        text = f"{text[: cut[0]]}{text[cut[1] :]}"
    return text


def _false_start(tokens: Sequence[Token]) -> tuple[int, int] | None:
    """From where to where what was broken off stands, with the aside behind it."""
    for first in range(len(tokens)):
        for end in range(first + 1, min(first + _ASIDE, len(tokens)) + 1):
            if not (mark := tokens[end - 1].mark):
                continue
            least = 1 if any(dots in mark for dots in _BROKEN) else _AGAIN
            said = [token.text for token in tokens[first:end]]
            if len(said) < least:
                continue
            for again in range(end, min(end + _ASIDE, len(tokens)) + 1):
                goes_on = again + len(said) < len(tokens) and not tokens[again + len(said) - 1].mark
                if tokens[again - 1].mark and goes_on and _texts(tokens, again, len(said)) == said:
                    return tokens[first].start, tokens[again].start
            break  # a longer one would reach over its mark
    return None


def _texts(tokens: Sequence[Token], first: int, length: int) -> list[str]:
    return [token.text for token in tokens[first : first + length]]
