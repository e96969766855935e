"""What hangs on the end of a word: the particles and the predicate endings of languages that have them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from homeagent.languages.concepts import Heading, Question, Reference, Role, Verb
from homeagent.understanding.home_names import HomeNames
from homeagent.understanding.tokeniser import Token
from homeagent.understanding.word_meanings import PREDICATES, meanings
from indexer.normalise import composed, decomposed

_Roles = tuple[Role | Question | Reference, ...]
_MOST_ENDINGS = 2
_TWO_SYLLABLES = 4
"""Letters: two syllables."""
_OF_CLAUSES = (Role.REASON, Role.CONDITION)
_PAST = "\u11bb"
"""The letter that closes a verb of the past: "나왔"."""
_LAST_VOWEL = "\u11a7"
"""Behind it are the letters that close a syllable."""


def without_endings(word: str, names: HomeNames, depth: int = _MOST_ENDINGS) -> Iterator[tuple[str, _Roles]]:
    """The word without its suffixes and the roles of these, for each way to split it, the longest suffix first.

    Compared in decomposed letters, since a suffix may be part of the last syllable.
    """
    pack = names.pack
    letters = decomposed(word)
    for endings, on_predicates in ((pack.endings, False), (pack.verb_endings, True)):
        for at, roles in _splits(letters, endings):
            stem = composed(letters[:at])
            if not on_predicates and at < _TWO_SYLLABLES and _only_a_role(stem, names):
                continue
            if not on_predicates and Role.JOIN in roles and _only_a_deed(stem, names):
                continue  # a stem of a verb is not joined as a noun is: "치과" is one word
            if not on_predicates or _may_end_a_predicate(stem, names):
                yield stem, roles
            if depth > 1:
                yield from ((s, (*r, *roles)) for s, r in without_endings(stem, names, depth - 1))


def _splits(letters: str, endings: Mapping[str, _Roles]) -> Iterator[tuple[int, _Roles]]:
    """Where an ending begins behind a first letter, with its roles, the longest first."""
    places = range(1, len(letters)) if endings else ()
    return ((at, endings[letters[at:]]) for at in places if letters[at:] in endings)


def _may_end_a_predicate(stem: str, names: HomeNames) -> bool:
    """Whether a stem says a predicate, alone or as the last word of a phrase: "있" of "잠겨 있"."""
    said = names.pack.phrases.get(stem)
    if said is None:
        return stem in names.pack.vocabulary
    return any(isinstance(c, PREDICATES) or c is Reference.UNDO for c in said)


def _only_a_deed(stem: str, names: HomeNames) -> bool:
    said = tuple(meanings(stem, names))
    return len(stem) == 1 and bool(said) and all(isinstance(m, Verb | Heading | Role) for m in said)


def _only_a_role(word: str, names: HomeNames) -> bool:
    """Whether a word has no meaning but roles; a very short one of these takes no suffix."""
    said = tuple(meanings(word, names))
    return bool(said) and all(isinstance(m, Role) for m in said)


def hanging(word: str, names: HomeNames) -> tuple[Role | Question, ...]:
    """The roles of the suffix of an unexplained word: a place, a reason, a condition, that it tells something, or asks
    whether something was. Only in languages with postpositions.
    """
    if not names.pack.postpositions:
        return ()
    letters = decomposed(word)
    if any(letters.endswith(e) and letters != e for e in names.pack.told_endings):
        return (Role.STATEMENT,)
    if any(letters.endswith(_PAST + e) for e, said in names.pack.verb_endings.items() if Question.YESNO in said):
        return (Question.YESNO,)  # whatever was done, it is asked
    for endings, telling in ((names.pack.verb_endings, _OF_CLAUSES), (names.pack.endings, (Role.PLACE,))):
        for at, roles in _splits(letters, endings):
            found = tuple(r for r in roles if isinstance(r, Role) and r in telling)
            long = at if Role.PLACE in found else len(letters) - at
            if found and (long >= _TWO_SYLLABLES or Role.CONDITION in found):
                return found
    return ()


def calls_somebody(word: str, names: HomeNames) -> bool:
    """Whether an unexplained word ends as the name of somebody does who is called ("집사야")."""
    pack = names.pack
    letters = decomposed(word)
    for ending in pack.vocatives:
        stem = composed(letters.removesuffix(decomposed(ending)))
        closed = bool(stem) and not decomposed(stem)[-1] <= _LAST_VOWEL
        if len(stem) > 1 and stem != word and ending not in (pack.after_vowel if closed else pack.after_consonant):
            return True
    return False


def bare(word: str, names: HomeNames) -> str:
    """A word as typed without its particle; a single syllable keeps one that may belong to it."""
    return _stem_and_ending(word, names)[0]


def joins_the_next(word: str, names: HomeNames) -> bool:
    """Whether the suffix of an unexplained word is a conjunction ("두부랑 대파")."""
    stem, ending = _stem_and_ending(word, names)
    long = len(stem) > 1 or len(composed(ending)) > 1
    return long and Role.JOIN in names.pack.endings.get(ending, ())


def _stem_and_ending(word: str, names: HomeNames) -> tuple[str, str]:
    """A word as typed, split into stem and particle; the particle in decomposed letters, empty where there is none."""
    letters = decomposed(word)
    for at, _ in _splits(letters, names.pack.endings):
        stem, ending = composed(letters[:at]), letters[at:]
        particle = composed(ending)
        closed = not decomposed(stem)[-1] <= _LAST_VOWEL
        fits = (particle not in names.pack.after_vowel or not closed) and (
            particle not in names.pack.after_consonant or closed
        )
        sure = particle in names.pack.after_vowel or particle in names.pack.after_consonant
        if fits and (sure or len(stem) > 1):
            return stem, ending
    return word, ""


def told(token: Token, names: HomeNames) -> bool:
    """Whether the verb's ending is one that tells something, by the pack; never for a form that the pack lists."""
    word = token.raw.casefold()
    pack = names.pack
    if pack.postpositions:
        return decomposed(word).endswith(pack.told_endings) if pack.told_endings else False
    if not (pack.told_endings and word.endswith(pack.told_endings)) or word in pack.spelled:
        return False
    return word != token.text or word not in pack.phrases
