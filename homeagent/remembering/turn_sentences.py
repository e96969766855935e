"""A finished turn sentence by sentence: what it says outright, and what a model may be shown of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from homeagent.remembering.finished_turns import subjects_of
from homeagent.remembering.home_view import Linker
from memory.explicit import Asked, asked_of_memory
from memory.extract import Candidate, TurnFacts
from memory.model import MemoryType
from memory.secrets import holds_a_secret, without_secrets
from memory.statement_parts import wording
from memory.tokens import sentences
from memory.worth import refusal

_NOTHING_IN_IT = frozenset({"commanded", "transient", "question", "worthless", "secret"})
"""Sentences of these kinds are not worth a model's time."""


@dataclass(frozen=True, slots=True)
class Parts:
    """``outright``: kept as it was asked for. ``otherwise``: what tells something of the speaker in passing, kept as it
    is where no model words it better. ``rest``: what a model may be shown, these included; empty where it holds
    nothing."""

    outright: tuple[Candidate, ...]
    otherwise: tuple[Candidate, ...]
    rest: str


def divided(pointed_at: Sequence[str], facts: TurnFacts, linker: Linker) -> Parts:
    """The parts of the turn. Blocks.

    No clause with a secret is shown, and nothing at all where the secret may be spread over several sentences.
    """
    said = sentences(facts.said, facts.language)
    asked = asked_of_memory(
        facts.said, facts.language, facts.user_id, subjects_of(tuple(pointed_at), linker), linker.is_thing
    )
    kept = [one for one in asked if one is not None and one.keep is not None and one.tells]
    outright = tuple(one.keep for one in kept if one.keep is not None and one.sure)
    otherwise = tuple(
        one.keep for one in kept if one.keep is not None and not one.sure and not _is_for_now(one.keep, facts)
    )
    shown = [without_secrets(one, facts.language) for one in said]
    if holds_a_secret(" ".join(shown), facts.language):
        return Parts(outright, otherwise, "")
    rest = [one for one, of in zip(shown, asked, strict=True) if one and not _is_settled(of)]
    if all(_nothing_in(one, facts) for one in rest):
        return Parts(outright, otherwise, "")
    return Parts(outright, otherwise, " ".join(rest))


def _is_for_now(liking: Candidate, facts: TurnFacts) -> bool:
    """Whether it only says why something was done in this turn: neither when it holds nor that it always does."""
    its = wording(liking.content, liking.language)
    lasts = its.conditions or its.has("general") or its.has("attribute") or its.of("day")
    return bool(facts.calls) and liking.type == MemoryType.PREFERENCE and not lasts


def _nothing_in(sentence: str, facts: TurnFacts) -> bool:
    return refusal(Candidate(sentence, language=facts.language), replace(facts, said=sentence)) in _NOTHING_IN_IT


def _is_settled(asked: Asked | None) -> bool:
    """Whether the sentence needs no model: it is kept as it is. To forget takes a yes, asked for in the turn itself."""
    return asked is not None and (asked.forget is not None or (asked.tells and asked.sure))
