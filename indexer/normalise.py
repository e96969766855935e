"""The forms in which texts are kept and compared: each a named one, and nothing else in the project folds letters.

| form | what no longer counts | used for |
|---|---|---|
| `composed` | how a letter is put together | what is kept, shown and matched letter by letter |
| `decomposed` | the same, the other way round | endings that are part of a syllable (Korean); lengths in letters |
| `straight` | the shape of quotes, apostrophes and blanks | statements as people type them |
| `caseless` | case, widths, ligatures | exact names, states and addresses, where accents tell things apart |
| `unaccented` | case, accents, quotes | words of what is remembered |
| `comparable` | all of that, punctuation, ``ß``, joined letters | words of names and sentences (`indexer.words`) |
"""

from __future__ import annotations

import re
import unicodedata

SIGNS = "%°"
"""What is no letter and counts in a name."""
CJK = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
HANGUL = "\uac00-\ud7af"
"""Ranges for a regular expression: Han and kana; the syllables of Korean."""
_SYLLABIC = re.compile(rf"[{CJK}{HANGUL}]")
_JOINED = {"ø": "o", "æ": "ae", "œ": "oe", "ł": "l", "đ": "d", "ı": "i", "þ": "th", "ð": "d"}
_STRAIGHT = str.maketrans({"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u00a0": " ", "\u202f": " "})


def composed(text: str) -> str:
    """One code for each letter, where there is one (NFC)."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def decomposed(text: str) -> str:
    """Letters apart from their accents, and the letters of a syllable from each other (NFD)."""
    return text if text.isascii() else unicodedata.normalize("NFD", text)


def straight(text: str) -> str:
    """Composed, with one shape of quotes, apostrophes and blanks."""
    return composed(text).translate(_STRAIGHT)


def caseless(text: str) -> str:
    """Lower case in one width, without ligatures (NFKC, casefolded): "Ｌａｍｐｅ" is "lampe". Accents count."""
    return text.casefold() if text.isascii() else unicodedata.normalize("NFKC", text).casefold()


def unaccented(text: str) -> str:
    """Lower case without accents, quotes straight, composed. Marks that are part of a syllable stay (Thai, kana)."""
    text = text.translate(_STRAIGHT).casefold()
    if text.isascii():
        return text
    letters = unicodedata.normalize("NFKD", text)
    return unicodedata.normalize("NFC", "".join(c for c in letters if not _is_accent(c)))


def is_syllabic(text: str) -> bool:
    """Whether it begins in Han, kana or Hangul, where words need no spaces or carry particles."""
    return bool(_SYLLABIC.match(text))


class _Comparable(dict[int, str]):
    """Maps a character to its comparable spelling; made on first sight, as ``str.translate`` asks for it."""

    def __missing__(self, code: int) -> str:
        self[code] = folded = _comparable(chr(code))
        return folded


def _comparable(char: str) -> str:
    if char in SIGNS:
        return char
    whole = caseless(char)
    if is_syllabic(whole):
        return whole
    pieces = unicodedata.normalize("NFKD", "".join(_JOINED.get(c, c) for c in whole))
    bare = "".join(_digit(c) for c in pieces if not unicodedata.combining(c))
    return bare if bare.isalnum() or unicodedata.combining(char) else " "


def _digit(char: str) -> str:
    return str(unicodedata.digit(char)) if char.isdigit() and not char.isascii() else char


def _is_accent(char: str) -> bool:
    return bool(unicodedata.combining(char)) and not _PART_OF_SYLLABLE.match(char)


_PART_OF_SYLLABLE = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff]")
COMPARABLE = _Comparable()
"""For ``str.translate``: letters and digits without case, width, accents; all but `SIGNS` else is a blank."""
