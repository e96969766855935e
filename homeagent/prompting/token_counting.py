"""Counts tokens as the cl100k tokenizer does: exact for many models, near enough for the rest to keep a budget.

litellm ships the vocabulary, so nothing is downloaded. tiktoken's own encoder is not used: making it holds the
interpreter's lock for 100 ms, and the event loop with it.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
from functools import lru_cache
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path

_VOCABULARY = Path("litellm_core_utils/tokenizers/9b5ad71b2ce5302211f9c61530b329a4922fc6a4")
# Published with the vocabulary, see tiktoken_ext/openai_public.py.
_WORDS = (
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+"
    r"| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]|\s+(?!\S)|\s"
)
_LONGEST_WORD = 300
"""Bytes. Longer runs without a break are nothing a person writes, and would take long to count: they are estimated."""
_BYTES_PER_TOKEN = 2
"""Where there is no vocabulary: low, so that the budget still holds."""

CountTokens = Callable[[str], int]


def estimate(text: str) -> int:
    """A count that needs no vocabulary and is rather too high than too low."""
    return -(-len(text.encode(errors="replace")) // _BYTES_PER_TOKEN)


class Counter:
    """Counts tokens: estimated until ``load`` (0.3 s, so in a thread) has read the vocabulary."""

    def __init__(self) -> None:
        self._count: CountTokens = estimate

    def __call__(self, text: str) -> int:
        return self._count(text)

    def load(self) -> None:
        """Read the vocabulary; from then on counts are exact. Blocks for about 0.3 s."""
        self._count = load_counter()


def load_counter() -> CountTokens:
    """Read the vocabulary (0.3 s, so call it in a thread) and give the function that counts.

    Falls back to `estimate` where litellm does not ship the vocabulary.
    """
    path = _vocabulary_file()
    if path is None:
        return estimate
    import regex  # type: ignore[import-untyped]

    lines = (line.split() for line in path.read_bytes().splitlines())
    ranks = {base64.b64decode(token): int(rank) for token, rank in lines}
    find_words: Callable[[str], list[str]] = regex.compile(_WORDS).findall

    @lru_cache(maxsize=20_000)
    def count_word(word: str) -> int:
        data = word.encode(errors="replace")
        return _count_merged(data, ranks) if len(data) <= _LONGEST_WORD else estimate(word)

    @lru_cache(maxsize=1_000)
    def count(text: str) -> int:
        return sum(count_word(word) for word in find_words(text))

    return count


def _vocabulary_file() -> Path | None:
    spec = find_spec("litellm")  # finds without importing
    folders = spec.submodule_search_locations if spec else None
    for folder in folders or ():
        path = Path(folder) / _VOCABULARY
        if path.is_file():
            return path
    return None


def _count_merged(data: bytes, ranks: Mapping[bytes, int]) -> int:
    """Byte pair encoding: merge the neighbours of lowest rank until none can be merged; how many parts are left."""
    if data in ranks:
        return 1
    parts = [data[i : i + 1] for i in range(len(data))]
    while len(parts) > 1:
        rank, at = min((ranks.get(a + b, len(ranks)), i) for i, (a, b) in enumerate(pairwise(parts)))
        if rank == len(ranks):
            break
        parts[at : at + 2] = [parts[at] + parts[at + 1]]
    return len(parts)
