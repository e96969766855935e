"""The words of each language that memory knows: what they stand for, and how people say things outright.

The words are data: memory.yaml in each language's folder. A text in another language is read by its numbers and words
alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from homeagent.languages.folder import Part, languages_with, read_part
from indexer.normalise import unaccented
from memory.act_words import PhraseBook, phrase_book
from memory.secret_words import SecretPart

LANGUAGES = languages_with(Part.MEMORY)
_LONGEST = 4
"""Words of the longest entry."""
_ASKING_WHETHER = frozenset({"yesno", "any", "all"})
"""Forms of questions whose words may open a statement, too."""
_FRONT = 2
"""Letters that stand before the last part of a compound, at least."""


@dataclass(frozen=True, slots=True)
class Language:
    """``whole``, ``stems``, ``tails``: entry (words, the beginning of one, its end) -> the concepts it may stand for.

    A tail is the last part of a compound, and says nothing of a word that has an entry of its own.
    """

    code: str
    whole: Mapping[tuple[str, ...], frozenset[str]]
    stems: Mapping[str, frozenset[str]]
    tails: Mapping[str, frozenset[str]]
    contractions: Mapping[str, str]
    endings: tuple[str, ...]
    outright: Mapping[str, Sequence[str]]
    acts: PhraseBook
    secrets: PhraseBook
    before_ordinals: frozenset[str] = frozenset()
    """Words after which a number with a full stop is an ordinal: "am 3. November"."""
    compounds: bool = False
    """Whether nouns are written together."""
    drops_pronouns: bool = False
    """Whether "I" is mostly left out."""

    def at(self, words: Sequence[str], place: int) -> tuple[int, frozenset[str]]:
        """How many words from ``place`` on belong to one entry (at least 1), and what it stands for."""
        for length in range(min(_LONGEST, len(words) - place), 1, -1):
            if found := self.whole.get(tuple(words[place : place + length])):
                return length, found
        return 1, _stands_for(self.code, words[place])

    def bare(self, word: str) -> str:
        """The word without the endings that only say what part it plays (Korean has two at most)."""
        for _ in range(2):
            ending = next((e for e in self.endings if word.endswith(e) and len(word) > len(e)), "")
            word = word.removesuffix(ending)
        return word


@cache
def question_words(code: str) -> frozenset[str]:
    """The single words of a language that open a question for something ("what", "how"), without accents."""
    read = read_part(code, Part.WORDS)
    questions = read[1].get("questions", {}) if read is not None and read[0] == code else {}
    asking = (said for form, said in questions.items() if form not in _ASKING_WHETHER)
    return frozenset(unaccented(word) for said in asking for word in said if " " not in word)


@cache
def exclusive_words(code: str) -> frozenset[str]:
    """The single words of a language that say "only", without accents."""
    read = read_part(code, Part.WORDS)
    only = read[1]["roles"].get("only", ()) if read is not None and read[0] == code else ()
    return frozenset(unaccented(word) for word in only if " " not in word)


@cache
def language(code: str | None) -> Language | None:
    """The words of a language; a region does not count. None where there are none."""
    found = read_part(code or "", Part.MEMORY)
    return _language(*found) if found is not None else None


@lru_cache(maxsize=16384)
def _stands_for(code: str, word: str) -> frozenset[str]:
    known = language(code)
    assert known is not None
    found = known.whole.get((word,), frozenset())
    for end in range(1, len(word) + 1):
        found |= known.stems.get(word[:end], frozenset())
    bare = known.bare(word)
    if (word,) not in known.whole and (bare,) not in known.whole:
        for start in range(_FRONT, len(bare)):
            found |= known.tails.get(bare[start:], frozenset())
    return found


def _language(code: str, data: Mapping[str, Any]) -> Language:
    whole: dict[tuple[str, ...], set[str]] = {}
    stems: dict[str, set[str]] = {}
    tails: dict[str, set[str]] = {}

    def put(entries: Iterable[str], concept: str) -> None:
        for entry in entries:
            text = unaccented(entry)
            if text.startswith("*"):
                tails.setdefault(text.removeprefix("*"), set()).add(concept)
            elif text.endswith("*"):
                stems.setdefault(text.removesuffix("*"), set()).add(concept)
            else:
                whole.setdefault(tuple(split(text)), set()).add(concept)

    for concept, entries in data["concepts"].items():
        put(entries, concept)
    for kind in ("days", "months", "units", "numbers"):
        for value, entries in data[kind].items():
            put(entries, f"{kind}:{value}")
    return Language(
        code=code,
        whole={key: frozenset(found) for key, found in whole.items()},
        stems={key: frozenset(found) for key, found in stems.items()},
        tails={key: frozenset(found) for key, found in tails.items()},
        contractions={unaccented(key): value for key, value in data["contractions"].items()},
        endings=tuple(sorted(data.get("endings", ()), key=len, reverse=True)),
        outright=data["said_outright"],
        acts=phrase_book(data["acts"]),
        secrets=phrase_book(data["secrets"], SecretPart),
        before_ordinals=frozenset(unaccented(word) for word in data.get("before_ordinals", ())),
        compounds=data.get("compounds") == "true",
        drops_pronouns=data.get("drops_pronouns") == "true",
    )


def split(text: str) -> list[str]:
    """The words of a plain text, at blanks, hyphens and apostrophes."""
    return text.replace("-", " ").replace("'", " ").split()
