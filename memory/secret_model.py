"""How likely a sentence tells a secret: logistic regression over its form, its letters and its meaning.

*Form*: what in it may be a code (`memory.secret_values`), and whether the words of `memory.secret_reading` know it for
one. *Letters*: groups of two to five, hashed, which read kinds of words that no list has. *Meaning*: the vector of the
packaged encoder, which is multilingual. Digits count as that there is one, never as which.

There is a fit with meaning, and one without, for as long as there is no such encoder. Both come from `data/secrets`,
with `make secrets`.
"""

from __future__ import annotations

import importlib.resources
import io
import re
import zlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from memory.act_words import tokens_of
from memory.memory_words import language as memory_language
from memory.secret_values import may_be_codes

WEIGHTS = "secret_weights.npz"
BUCKETS = 1 << 14
FORMS = 13
_FORM_SCALE = 0.5
"""By how much less a form counts than a vector of length 1: so neither drowns the other in the penalty of the fit."""
_GROUPS = range(2, 6)
_LONGEST = 1000
"""Characters that are read of a text for its letters."""
_DIGIT = re.compile(r"\d")
_RUN = re.compile(r"\d(?:[ .\-,/]{0,2}\d)*")
_TIME = re.compile(r"\d{1,2}:\d{2}")
_YEAR = re.compile(r"(?:19|20)\d\d")
_SINGLES = re.compile(r"(?<!\d)\d(?:[ ,\-]+\d(?!\d)){2,}")
_SIGNS = re.compile(r"\w[_!?#&=@$.*]\w|\w[!#&=_?]\d")
_SEVERAL = 3
"""Numbers that a combination has, told with words between them. What tells when is none of them."""
_SHORTEST = 5
"""Characters of a word of letters and digits that looks like a password."""
_CODE, _NUMBER, _MOST = 3, 6, 12
"""Digits of a code and of a number of a document, at least; beyond the last, how many there are says nothing more."""


def masked(text: str) -> str:
    """The text as letters and meaning read it: which digits it has never matters."""
    return _DIGIT.sub("0", text)


def forms_of(text: str, language: str | None, known_by_words: bool, pays: bool) -> NDArray[np.float32]:
    """(FORMS,) float32. ``known_by_words``: the words know it for a secret; ``pays``: it has the check digits of a
    card or an account."""
    known = memory_language(language or "en")
    codes = may_be_codes(text, tokens_of(text), known) if known is not None else []
    longest = max((sum(map(str.isdigit, run)) for run in _RUN.findall(text)), default=0)
    found = (
        bool(_DIGIT.search(text)),
        3 * min(longest, _MOST) / _MOST,
        longest >= _CODE,
        longest >= _NUMBER,
        bool(_SINGLES.search(text)),
        any(_is_mixed(word) for word in text.split()) + bool(_SIGNS.search(text)),
        bool(codes),
        any(code.long for code in codes),
        any(code.apart for code in codes),
        any(code.mixed for code in codes),
        pays,
        known_by_words,
        sum(not _YEAR.fullmatch(run) for run in _RUN.findall(_TIME.sub("", text))) >= _SEVERAL,
    )
    return np.array(found, np.float32) * np.float32(_FORM_SCALE)


def letters_of(text: str) -> tuple[NDArray[np.intp], NDArray[np.float32]]:
    """Buckets of the groups of letters in a text, and how much each counts; the squares add up to 1."""
    counts: Counter[int] = Counter()
    for word in masked(text[:_LONGEST].lower()).split():
        padded = f" {word} "
        for length in _GROUPS:
            for start in range(max(1, len(padded) - length + 1)):
                counts[zlib.crc32(padded[start : start + length].encode()) % BUCKETS] += 1
    values = np.fromiter(counts.values(), np.float32, len(counts))
    return np.fromiter(counts, np.intp, len(counts)), values / max(1.0, float(np.linalg.norm(values)))


def _is_mixed(word: str) -> bool:
    return len(word) >= _SHORTEST and any(c.isdigit() for c in word) and any(c.isascii() and c.isalpha() for c in word)


@dataclass(frozen=True, slots=True)
class Fit:
    """Weights of one fit: ``forms`` (FORMS,), ``letters`` (BUCKETS,), ``meaning`` (d,), empty without."""

    forms: NDArray[np.float32]
    letters: NDArray[np.float32]
    meaning: NDArray[np.float32]
    bias: float


@dataclass(frozen=True, slots=True)
class SecretModel:
    """``encoder``: the fingerprint of what made the vectors; ``sentences``: the hash of what it was fitted to."""

    alone: Fit
    together: Fit
    encoder: str
    sentences: str

    def share(self, text: str, forms: NDArray[np.float32], vector: NDArray[np.float32] | None = None) -> float:
        """How likely the text tells a secret, 0 to 1. ``vector`` (d,), of length 1, is that of the masked text."""
        fit = self.alone if vector is None else self.together
        buckets, counts = letters_of(text)
        score = fit.bias + float(fit.forms @ forms) + float(fit.letters[buckets] @ counts)
        if vector is not None:
            score += float(fit.meaning @ vector)
        return 1 / (1 + float(np.exp(-score)))


@lru_cache(maxsize=1)
def packaged_model() -> SecretModel:
    """The model that comes with the product. Reads a file."""
    content = importlib.resources.files("memory").joinpath(WEIGHTS).read_bytes()
    with np.load(io.BytesIO(content), allow_pickle=False) as kept:
        return SecretModel(_fit(kept, "alone"), _fit(kept, "together"), str(kept["encoder"]), str(kept["sentences"]))


def _fit(kept: Mapping[str, NDArray[np.float32]], name: str) -> Fit:
    forms, letters, meaning = (kept[f"{name}_{part}"].astype(np.float32) for part in ("forms", "letters", "meaning"))
    return Fit(forms, letters, meaning, float(kept[f"{name}_bias"]))
