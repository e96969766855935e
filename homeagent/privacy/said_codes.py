"""What is said in a sentence and kept nowhere: a code, which is used in this turn ("disarm the alarm, 4 3 2 1"), and
what else is a secret."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from typing import Protocol

from homeagent.domains import PROFILES
from homeagent.errors import CodeRequired
from homeagent.turn import PastTurn, SaidCode, Turn
from indexer.mentions import MentionKind
from indexer.normalise import straight
from indexer.retrieval import Retrieval
from memory.secrets import may_be_secrets, speaks_of_a_secret, told_secrets
from memory.tokens import passages

GUARDED = frozenset(d for d, p in PROFILES.items() if any(s.code for s in p.actions.values()))
"""Domains that guard a home, and may want a code."""
_BEST = 3
"""So many of the entities that were found first tell what a sentence is about."""
_BETWEEN = re.compile(r"(?<=\d)[ .\-]+(?=\d)")


class TellsSecrets(Protocol):
    """What knows sentences that tell a secret: the guard of the memories."""

    async def tell(self, texts: Sequence[tuple[str, str | None]]) -> list[bool]:
        """For each text and its language, whether it tells a secret. Never raises."""


async def secret_sentences(turn: Turn, guard: TellsSecrets | None) -> tuple[str, ...]:
    """The sentences of the turn's text that tell a secret by their meaning, or all of it; what was found nearby is not
    looked at. None without ``guard``, nor in the rest of a text in which there was none."""
    if guard is None or (turn.whole is not None and not turn.secret_texts):
        return ()
    said = await asyncio.to_thread(passages, turn.text, turn.language)
    parts = said if len(said) > 1 else []
    told = await guard.tell([(straight(one), turn.language) for one in (*parts, turn.text)])
    secret = tuple(one for one, tells in zip(parts, told, strict=False) if tells)
    return (turn.text,) if told[-1] and not secret else secret


async def note_secrets(turn: Turn, secret: Sequence[str]) -> None:
    """Note in the turn, beside what is noted, what is hidden in all that is kept or told of it: codes, by words and
    form, and those of its ``secret`` sentences that hold none of them."""
    turn.said_codes = tuple(dict.fromkeys((*turn.said_codes, *await asyncio.to_thread(said_codes, turn))))
    others = (one for one in secret if not any(code.text in one for code in turn.said_codes))
    turn.secret_texts = tuple(dict.fromkeys((*turn.secret_texts, *others)))


def said_codes(turn: Turn) -> tuple[SaidCode, ...]:
    """What may be a code in the sentence, where it is about a lock, an alarm, a code or a password, or answers a
    question for one.

    Errs on the safe side: a year in a sentence about a lock counts. Blocks: it may read a language's words.
    """
    gathered = turn.gathered
    speaks = speaks_of_a_secret(turn.text, turn.language)
    found = may_be_secrets(turn.text, turn.language)
    if found and not (speaks or _was_asked_for(gathered.history)):
        found = tuple(one for one in found if not one.password and _is_guarded(gathered.retrieval))
    told = told_secrets(turn.text, turn.language)
    if not speaks and _is_guarded(gathered.retrieval):
        told = ()  # an order with a code in it, which is taken as it was said
    others = [one for one in told if not any(said.text in one.text or one.text in said.text for said in found)]
    return tuple(SaidCode(one.text, one.code) for one in (*found, *others))


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
