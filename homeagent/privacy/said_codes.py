"""A code that is said in the sentence itself ("disarm the alarm, 4 3 2 1"): used in this turn, and kept nowhere."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from homeagent.errors import CodeRequired
from homeagent.privacy.redact import FEWEST, SECRETS
from homeagent.turn import PastTurn, SaidCode, Turn
from indexer.mentions import MentionKind
from indexer.retrieval import Retrieval

GUARDED = frozenset({"lock", "alarm_control_panel"})
"""Domains that guard a home, and may want a code."""
_BEST = 3
"""So many of the entities that were found first tell what a sentence is about."""
_DIGITS = re.compile(r"(?<![\w.,:])\d(?:[ -]?\d){2,11}(?![^\W\u1100-\uffff]|[%°]|[.,:]\d)")
"""A letter after it makes it something else ("300W"), but not in scripts that write a particle onto it ("4321로")."""
_BETWEEN = re.compile(r"(?<=\d)[ .\-]+(?=\d)")
_WORD = re.compile(r"[^\W_]+")


def said_codes(turn: Turn) -> tuple[SaidCode, ...]:
    """What may be a code in the sentence, where it is about a lock, an alarm or a code, or answers a question for one.

    Errs on the safe side: a year in a sentence about a lock counts. Blocks: it may read a language's number words.
    """
    gathered = turn.gathered
    if not (names_a_code(turn.text) or _is_guarded(gathered.retrieval) or _was_asked_for(gathered.history)):
        return ()
    digits = (SaidCode(m.group(), re.sub(r"\D", "", m.group())) for m in _DIGITS.finditer(turn.text))
    return (*digits, *_spelt_out(turn.text, _digit_words(turn.language)))


def names_a_code(text: str) -> bool:
    """Whether a text speaks of codes: "code", "PIN" and the like, which many languages share."""
    return any(word.casefold() in SECRETS for word in _WORD.findall(text))


def holds_what_was_said(codes: Sequence[SaidCode], text: str) -> bool:
    """Whether the text tells one of these codes, as it was said or in its digits, written together or apart."""
    folded = text.casefold()
    together = _BETWEEN.sub("", text)
    return any(code.text.casefold() in folded or code.code in together for code in codes)


def _is_guarded(retrieval: Retrieval) -> bool:
    kinds = {value for m in retrieval.mentions.of(MentionKind.DOMAIN) for value in m.values}
    named = {value.partition(".")[0] for m in retrieval.mentions.of(MentionKind.NAME) for value in m.values}
    found = {entity.domain for entity in retrieval.entities[:_BEST]}
    return bool(GUARDED & (kinds | named | found))


def _was_asked_for(history: Sequence[PastTurn]) -> bool:
    return bool(history) and any(CodeRequired.hint in m.content for m in history[-1].messages)


def _spelt_out(text: str, digits: Mapping[str, str]) -> Iterator[SaidCode]:
    """ "one two three four": digits as a voice assistant may hear them."""
    run: list[re.Match[str]] = []
    for word in (*_WORD.finditer(text), None):
        if word is not None and word.group().casefold() in digits:
            run.append(word)
            continue
        if len(run) >= FEWEST:
            code = "".join(digits[m.group().casefold()] for m in run)
            yield SaidCode(text[run[0].start() : run[-1].end()], code)
        run = []


@lru_cache(maxsize=16)
def _digit_words(language: str) -> dict[str, str]:
    from unicode_rbnf import RbnfEngine

    try:
        engine = RbnfEngine.for_language(language.partition("-")[0])
    except ValueError:
        return {}
    spelt = {n: engine.format_number(n).text_by_ruleset.values() for n in range(10)}
    return {word.casefold(): str(n) for n, words in spelt.items() for word in words if not word.isdecimal()}
