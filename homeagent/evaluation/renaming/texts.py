"""A text in its new words: case, endings, particles and slips stay as they were, as far as they can."""

from __future__ import annotations

from collections.abc import Sequence

from rapidfuzz.distance import OSA

from homeagent.evaluation.renaming.name_plan import Plan
from homeagent.evaluation.renaming.wordlist import WordList
from indexer.words import Token, tokens

_ENDINGS = ("s", "es", "n", "en", "er", "e")
_SHORTEST_SLIP = 5
_LONG = 7
_PARTICLES = (("을", "를"), ("이", "가"), ("은", "는"), ("과", "와"), ("으로", "로"))
"""Korean particles after a consonant and after a vowel."""
_HANGUL, _LAST_HANGUL, _FINALS = 0xAC00, 0xD7A3, 28
_RIEUL = 8


def retold(text: str, plan: Plan, listed: WordList, *, slips: bool = True) -> str:
    """The text with every name in it replaced; with ``slips`` misspelt and split names, too."""
    found = tokens(text)
    pieces, at, index = [], 0, 0
    while index < len(found):
        taken, new = _at(text, found, index, plan, listed, slips)
        if new is not None:
            first, last = found[index], found[index + taken - 1]
            pieces += [text[at : first.start], _as_written(text[first.start : last.end], new)]
            at = last.end
        index += taken
    return "".join([*pieces, text[at:]])


def _at(
    text: str, found: Sequence[Token], index: int, plan: Plan, listed: WordList, slips: bool
) -> tuple[int, str | None]:
    """How many tokens from here on become what; None: they stay."""
    for count in range(min(5, len(found) - index), 0, -1):
        phrase = " ".join(t.text for t in found[index : index + count])
        if phrase in plan.phrases:
            return count, plan.phrases[phrase]
    token = found[index].text
    written = text[found[index].start : found[index].end]
    if (new := _word(token, written, plan, listed)) is not None:
        return 1, new
    if not slips:
        return 1, None
    if index + 1 < len(found) and (joined := plan.words.get(token + found[index + 1].text)) is not None:
        return 2, joined
    return 1, _misspelt(token, plan, listed)


def _word(token: str, written: str, plan: Plan, listed: WordList) -> str | None:
    if token in plan.tokens:
        return plan.tokens[token]
    if token in listed.kept:
        return None
    for ending in _ENDINGS:
        if token.endswith(ending) and (new := plan.words.get(token[: -len(ending)])) is not None:
            return new + ending
    return _compound(token, written, plan, listed)


def _compound(token: str, written: str, plan: Plan, listed: WordList) -> str | None:
    """A word that begins with a name's: "Küchenlampe", or one with a particle."""
    if not listed.compounds:
        return None
    starts = {**plan.forms, **{old: new for old, new in plan.tokens.items() if _is_hangul(old[0])}}
    fitting = [old for old in starts if token.startswith(old) and len(old) >= 2]
    if not fitting:
        return None
    old = max(fitting, key=len)
    rest = written[-(len(token) - len(old)) :] if len(token) > len(old) else ""
    return starts[old] + _fitted(starts[old], rest)


def _misspelt(token: str, plan: Plan, listed: WordList) -> str | None:
    if len(token) < _SHORTEST_SLIP or token in listed.kept:
        return None
    near = [old for old in plan.tokens if old[0] == token[0] and OSA.distance(old, token, score_cutoff=1) <= 1]
    return _slipped(plan.tokens[near[0]]) if near and abs(len(near[0]) - len(token)) <= 1 else None


def _slipped(new: str) -> str:
    """A slip of the same weight: a long word loses a letter in its middle, in a short one two change places."""
    middle = len(new) // 2
    if len(new) >= _LONG:
        return new[:middle] + new[middle + 1 :]
    return new[: middle - 1] + new[middle] + new[middle - 1] + new[middle + 1 :] if len(new) >= _SHORTEST_SLIP else new


def _as_written(old: str, new: str) -> str:
    if len(old) > 1 and old.isupper():
        return new.upper()
    return new[:1].upper() + new[1:] if old[:1].isupper() else new.lower()


def _fitted(new: str, rest: str) -> str:
    """The particle that fits the new word's last sound."""
    if not rest or not new or not _is_hangul(new[-1]):
        return rest
    final = (ord(new[-1]) - _HANGUL) % _FINALS
    for after_consonant, after_vowel in _PARTICLES:
        if rest in (after_consonant, after_vowel):
            vowel = final == 0 or (after_vowel == "로" and final == _RIEUL)
            return after_vowel if vowel else after_consonant
    return rest


def _is_hangul(char: str) -> bool:
    return _HANGUL <= ord(char) <= _LAST_HANGUL
