"""A finished turn sentence by sentence: what it says outright, and what a model may be shown of the rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from homeagent.remembering.live import Linker
from homeagent.remembering.turns import subjects_of
from memory.explicit import Asked, asked_of_memory, sentences
from memory.extract import Candidate, TurnFacts
from memory.secrets import holds_a_secret
from memory.worth import refusal

_NOTHING_IN_IT = frozenset({"commanded", "transient", "question", "worthless", "secret"})
"""Sentences of these kinds are not worth a model's time."""


def divided(pointed_at: Sequence[str], facts: TurnFacts, linker: Linker) -> tuple[list[Candidate], str]:
    """What the turn says outright, and its other sentences for a model; empty where these hold nothing. Blocks.

    No sentence with a secret is among them, and none at all where the secret may be spread over several.
    """
    said = sentences(facts.said)
    asked = asked_of_memory(
        facts.said, facts.language, facts.user_id, subjects_of(tuple(pointed_at), linker), linker.is_thing
    )
    outright = [one.keep for one in asked if one is not None and one.keep is not None and one.tells]
    reasons = [refusal(Candidate(one, language=facts.language), replace(facts, said=one)) for one in said]
    harmless = " ".join(one for one, reason in zip(said, reasons, strict=True) if reason != "secret")
    if holds_a_secret(harmless, facts.language):
        return outright, ""
    rest = [(one, reason) for one, of, reason in zip(said, asked, reasons, strict=True) if not _is_settled(of)]
    if all(reason in _NOTHING_IN_IT for _, reason in rest):
        return outright, ""
    return outright, " ".join(one for one, reason in rest if reason != "secret")


def _is_settled(asked: Asked | None) -> bool:
    """Whether the sentence needs no model: it is kept as it is. To forget takes a yes, asked for in the turn itself."""
    return asked is not None and (asked.forget is not None or asked.tells)
